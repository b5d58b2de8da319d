/* SPDX-License-Identifier: MIT */
#ifndef ACP_BASE_ARRAY_H
#define ACP_BASE_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "acphys/allocator.h"
#include "acphys/result.h"

/* Growable arrays with 32-bit counts. A typed array is an anonymous struct; zero-initialised is empty. Where growth can happen an
 * allocator and a result are visible: ACP_ARRAY_ADD never grows, ACP_ARRAY_PUSH and _RESERVE may and say so. On failure the array is as
 * before. The array argument of the macros is evaluated several times: give it a name, not a call.
 *
 *     typedef ACP_ARRAY(float) floats;
 *     floats a = {0};
 *     acp_result result = ACP_ARRAY_PUSH(&a, allocator, 1.0f);
 *     ACP_ARRAY_FREE(&a, allocator);
 */
#define ACP_ARRAY(type)                                                                                                                    \
    struct {                                                                                                                               \
        type *items;                                                                                                                       \
        uint32_t count;                                                                                                                    \
        uint32_t capacity;                                                                                                                 \
    }

#define ACP_ARRAY_ALIGNMENT 16u /* of items: enough for every standard type */

/* Room for `needed` items in all: ACP_OK or ACP_ERROR_OUT_OF_MEMORY. Grows by half again, so pushing n items costs O(n). */
#define ACP_ARRAY_RESERVE(array, allocator, needed)                                                                                        \
    ((needed) <= (array)->capacity                                                                                                         \
         ? ACP_OK                                                                                                                          \
         : acp_array_grow(&(array)->items, &(array)->capacity, (array)->count, sizeof *(array)->items, (needed), (allocator)))

/* Room for exactly `needed` items in all (no spare): for arrays whose size is known. */
#define ACP_ARRAY_RESERVE_EXACTLY(array, allocator, needed)                                                                                \
    ((needed) <= (array)->capacity                                                                                                         \
         ? ACP_OK                                                                                                                          \
         : acp_array_set_capacity(&(array)->items, &(array)->capacity, (array)->count, sizeof *(array)->items, (needed), (allocator)))

/* Appends, growing when full. */
#define ACP_ARRAY_PUSH(array, allocator, value)                                                                                            \
    ((array)->count < (array)->capacity || acp_array_grow(&(array)->items, &(array)->capacity, (array)->count, sizeof *(array)->items,     \
                                                          (uint64_t)(array)->count + 1u, (allocator)) == ACP_OK                            \
         ? ((array)->items[(array)->count++] = (value), ACP_OK)                                                                            \
         : ACP_ERROR_OUT_OF_MEMORY)

/* Appends where room has been reserved; never grows. */
#define ACP_ARRAY_ADD(array, value) ((void)((array)->items[(array)->count++] = (value)))

/* Removes item i by moving the last one into its place. */
#define ACP_ARRAY_SWAP_REMOVE(array, i) ((void)((array)->items[(i)] = (array)->items[--(array)->count]))

/* Removes item i, keeping the order of the others. */
#define ACP_ARRAY_REMOVE(array, i)                                                                                                         \
    ((array)->count--,                                                                                                                     \
     (void)memmove((array)->items + (i), (array)->items + (i) + 1, (size_t)((array)->count - (i)) * sizeof *(array)->items))

/* Forgets the items, keeps the memory. */
#define ACP_ARRAY_CLEAR(array) ((void)((array)->count = 0))

/* Gives the memory back; the array is empty. */
#define ACP_ARRAY_FREE(array, allocator)                                                                                                   \
    (acp_array_free(&(array)->items, (array)->capacity, sizeof *(array)->items, (allocator)),                                              \
     (void)((array)->count = (array)->capacity = 0))

/* The memory that an array of a whole world moves to next, and what it has moved out of. The next is taken when the array is half full and
 * touched a little with every item that is added, so that no call finds fresh memory of the size of the table; what was left stays until
 * the table goes, since giving much back may stop all threads of a process. Zero-initialised is none. */
typedef struct acp_array_successor {
    void *items;
    uint32_t capacity;
    uint32_t touched; /* items that have been touched */
    void *left;       /* chained through the first word, each half as large as the one before */
    uint32_t left_capacity;
} acp_array_successor;

/* Room for `needed` items in all, as acp_array_grow, for an array that is mostly asked for one item more. Doubles. */
acp_result acp_array_grow_ahead(void *items_field, uint32_t *capacity, uint32_t count, size_t item_size, uint64_t needed,
                                acp_array_successor *successor, const acp_allocator *allocator);
void acp_array_successor_free(acp_array_successor *successor, size_t item_size, const acp_allocator *allocator);

/* Behind the macros. `items_field` points to the pointer member (any object pointer type). */
acp_result acp_array_grow(void *items_field, uint32_t *capacity, uint32_t count, size_t item_size, uint64_t needed,
                          const acp_allocator *allocator);
acp_result acp_array_set_capacity(void *items_field, uint32_t *capacity, uint32_t count, size_t item_size, uint64_t needed,
                                  const acp_allocator *allocator);
void acp_array_free(void *items_field, uint32_t capacity, size_t item_size, const acp_allocator *allocator);

#endif
