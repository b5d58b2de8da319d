/* SPDX-License-Identifier: MIT */
/* Pages of memory kept ready.
 *
 * Tables that grow with the whole world grow by pages of fixed sizes. A fresh page costs where it is first touched, far more than what is
 * then done in it, and most of all where many are touched at once. So a landblock that is prepared off the world thread brings the pages
 * with it that publishing it may need, zeroed; the world takes them over and gives back what is too many (population/landblock.c).
 *
 * Contract: a page that is taken is zeroed, whether it was ready or not. Pages change hands only between stocks of one allocator, so that
 * each goes back where it came from. One thread at a time. Limits: ACP_STOCK_SIZES sizes. Cost: O(1) a page, and its zeroing on _add. */
#include "base/stock.h"

#include <string.h>

#include "base/memory.h"

void acp_stock_init(acp_stock *stock, const acp_allocator *allocator) {
    memset(stock, 0, sizeof *stock);
    stock->allocator = acp_memory_allocator(allocator);
}

static acp_stock_shelf *find_shelf(acp_stock *stock, uint32_t page_size) {
    for (uint32_t i = 0; i < ACP_STOCK_SIZES; i++)
        if (stock->shelves[i].page_size == page_size) return &stock->shelves[i];
    return NULL;
}

static void put(acp_stock_shelf *shelf, void *page) {
    memcpy(page, &shelf->first, sizeof shelf->first);
    shelf->first = page;
    shelf->count++;
}

static void *get(acp_stock_shelf *shelf) {
    void *page = shelf->first;
    memcpy(&shelf->first, page, sizeof shelf->first);
    memset(page, 0, sizeof shelf->first);
    shelf->count--;
    return page;
}

void acp_stock_free(acp_stock *stock) {
    acp_stock_trim(stock, 0);
    memset(stock->shelves, 0, sizeof stock->shelves);
}

acp_result acp_stock_add(acp_stock *stock, uint32_t page_size, uint32_t count) {
    acp_stock_shelf *shelf = find_shelf(stock, page_size);
    if (!shelf) shelf = find_shelf(stock, 0);
    if (!shelf) return ACP_ERROR_LIMIT;
    shelf->page_size = page_size;
    for (uint32_t i = 0; i < count; i++) {
        void *page = acp_memory_allocate_zero(&stock->allocator, 1, page_size, ACP_STOCK_ALIGNMENT);
        if (!page) return ACP_ERROR_OUT_OF_MEMORY;
        put(shelf, page);
    }
    return ACP_OK;
}

void *acp_stock_take(acp_stock *stock, uint32_t page_size) {
    acp_stock_shelf *shelf = find_shelf(stock, page_size);
    if (shelf && shelf->count) return get(shelf);
    return acp_memory_allocate_zero(&stock->allocator, 1, page_size, ACP_STOCK_ALIGNMENT);
}

void acp_stock_release(acp_stock *stock, void *page, uint32_t page_size) {
    acp_memory_free(&stock->allocator, page, page_size, ACP_STOCK_ALIGNMENT);
}

void acp_stock_pour(acp_stock *to, acp_stock *from) {
    const acp_allocator *a = &to->allocator, *b = &from->allocator;
    if (a->user != b->user || a->allocate != b->allocate || a->free_memory != b->free_memory) return;
    for (uint32_t i = 0; i < ACP_STOCK_SIZES; i++) {
        acp_stock_shelf *source = &from->shelves[i];
        if (!source->count) continue;
        acp_stock_shelf *shelf = find_shelf(to, source->page_size);
        if (!shelf) shelf = find_shelf(to, 0);
        if (!shelf) continue;
        shelf->page_size = source->page_size;
        while (source->count)
            put(shelf, get(source));
    }
}

void acp_stock_trim(acp_stock *stock, uint32_t most) {
    for (uint32_t i = 0; i < ACP_STOCK_SIZES; i++)
        while (stock->shelves[i].count > most)
            acp_stock_release(stock, get(&stock->shelves[i]), stock->shelves[i].page_size);
}
