/* Arrays of our own that grow at the end. */
#ifndef HAENYEO_CHECKED_GROWING_H
#define HAENYEO_CHECKED_GROWING_H

#include "sizes.h"

/* Items with room for `more` behind the `count` that there are: moved if need be, NULL if there is no memory, and then the
   old ones stay valid. No error is set. */
static inline void *grown(void *items, Py_ssize_t count, Py_ssize_t *room, Py_ssize_t more, size_t item)
{
    Py_ssize_t needed = size_sum(count, more);
    if (needed < 0)
        return NULL;
    if (items && needed <= *room)
        return items;
    Py_ssize_t wanted = size_sum(needed, size_sum(*room, 64));
    Py_ssize_t bytes = size_product(wanted, (Py_ssize_t)item);
    void *moved = bytes < 0 ? NULL : PyMem_Realloc(items, (size_t)bytes);
    if (moved)
        *room = wanted;
    return moved;
}

#endif
