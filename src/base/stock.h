/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_STOCK_H
#define ACP_BASE_STOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "acphys/allocator.h"
#include "acphys/result.h"

/* Pages of memory kept ready: zeroed, and so touched, before they are needed. Whoever prepares work fills a stock; whoever does it takes
 * the pages over and finds no fresh memory to wait for. A stock knows a few page sizes; all pages come from and go to its allocator. */

#define ACP_STOCK_SIZES     6u
#define ACP_STOCK_ALIGNMENT 16u /* of pages: enough for every standard type */

typedef struct acp_stock_shelf {
    uint32_t page_size; /* 0 = unused */
    uint32_t count;
    void *first; /* chained through each page's first word */
} acp_stock_shelf;

typedef struct acp_stock {
    acp_allocator allocator;
    acp_stock_shelf shelves[ACP_STOCK_SIZES];
} acp_stock;

void acp_stock_init(acp_stock *stock, const acp_allocator *allocator);
void acp_stock_free(acp_stock *stock);

/* Puts `count` more pages of a size (at least that of a pointer) in. ACP_ERROR_OUT_OF_MEMORY, or _LIMIT for one size too many: those that
 * are in stay in. */
acp_result acp_stock_add(acp_stock *stock, uint32_t page_size, uint32_t count);

/* A zeroed page: one that is ready, else one from the allocator; null when refused. */
void *acp_stock_take(acp_stock *stock, uint32_t page_size);

/* Gives a page that was taken back to the allocator. */
void acp_stock_release(acp_stock *stock, void *page, uint32_t page_size);

/* Moves all pages of `from` to `to`, when both have one allocator; else nothing moves. */
void acp_stock_pour(acp_stock *to, acp_stock *from);

/* Gives back what is more than `most` pages of a size. */
void acp_stock_trim(acp_stock *stock, uint32_t most);

#endif
