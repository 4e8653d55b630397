/* Sizes and places that come from outside: sums and products that cannot pass over, and whether a place is in a range.

   Nothing here trusts what it is given: a size below zero or past what memory can have is refused, not used. */
#ifndef HAENYEO_CHECKED_SIZES_H
#define HAENYEO_CHECKED_SIZES_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* Is this the place of one of so many items? */
static inline int is_place(int64_t place, Py_ssize_t count)
{
    return (uint64_t)place < (uint64_t)count;
}

/* The sum of two sizes; -1 if one is below zero or it is too large. */
static inline Py_ssize_t size_sum(Py_ssize_t one, Py_ssize_t other)
{
    return one < 0 || other < 0 || one > PY_SSIZE_T_MAX - other ? -1 : one + other;
}

/* The product of two sizes; -1 if one is below zero or it is too large. */
static inline Py_ssize_t size_product(Py_ssize_t one, Py_ssize_t other)
{
    return one < 0 || other < 0 || (other && one > PY_SSIZE_T_MAX / other) ? -1 : one * other;
}

/* Room for so many items, not all zero; NULL with an error set. Has room for one item at least. */
static inline void *room_for(Py_ssize_t count, size_t item)
{
    Py_ssize_t bytes = size_product(count, (Py_ssize_t)item);
    void *room = bytes < 0 ? NULL : PyMem_Malloc((size_t)bytes + item);
    return room ? room : (void *)PyErr_NoMemory();
}

/* The same, all zero. */
static inline void *zeros_for(Py_ssize_t count, size_t item)
{
    void *room = count < 0 || count == PY_SSIZE_T_MAX ? NULL : PyMem_Calloc((size_t)count + 1, item);
    return room ? room : (void *)PyErr_NoMemory();
}

/* As `memcpy`, for which even no bytes must come from somewhere. */
static inline void copy_bytes(void *to, const void *from, Py_ssize_t count)
{
    if (count > 0)
        memcpy(to, from, (size_t)count);
}

#endif
