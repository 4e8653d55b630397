/* Arrays that belong to Python, as typed views: where they begin and how many items they have.

   A view is taken by TAKE, which sees to its alignment and that it holds whole items; all views of a call are given back
   together. Python code that runs in between may write to them, but can neither move nor shorten them. */
#ifndef HAENYEO_CHECKED_VIEWS_H
#define HAENYEO_CHECKED_VIEWS_H

#include "objects.h"

#define MOST_VIEWS 16

typedef struct {
    Py_buffer buffers[MOST_VIEWS];
    int count;
} Views;

#define VIEW(type)        \
    struct {              \
        type *items;      \
        Py_ssize_t count; \
    }

/* The items of an object, NULL with an error set; `count` tells how many there are. */
static inline void *take_items(Views *views, PyObject *object, int flags, size_t item, Py_ssize_t *count)
{
    static uint64_t nothing;
    *count = 0;
    if (PyErr_Occurred())
        return NULL;
    if (views->count == MOST_VIEWS)
        return PyErr_Format(PyExc_SystemError, "too many arrays");
    Py_buffer *buffer = &views->buffers[views->count];
    if (PyObject_GetBuffer(object, buffer, PyBUF_C_CONTIGUOUS | flags) < 0)
        return NULL;
    views->count++;
    if (buffer->len % (Py_ssize_t)item || (buffer->len && (uintptr_t)buffer->buf % item))
        return PyErr_Format(PyExc_ValueError, "an array does not consist of whole items of %zd bytes in their places", (Py_ssize_t)item);
    *count = buffer->len / (Py_ssize_t)item;
    return *count ? buffer->buf : &nothing;
}

/* Take a view of an object to read, or to write to; an error is set if it cannot be had. */
#define TAKE(views, object, view) ((view)->items = take_items(views, object, 0, sizeof *(view)->items, &(view)->count))
#define TAKE_TO_WRITE(views, object, view) ((view)->items = take_items(views, object, PyBUF_WRITABLE, sizeof *(view)->items, &(view)->count))

/* Must a view have so many items? Returns 0 with an error set if it has others. */
static inline int has_items(Py_ssize_t count, Py_ssize_t wanted)
{
    if (!PyErr_Occurred() && count != wanted)
        PyErr_Format(PyExc_ValueError, "an array has %zd items where %zd are needed", count, wanted);
    return !PyErr_Occurred();
}

static inline void give_back(Views *views)
{
    while (views->count)
        PyBuffer_Release(&views->buffers[--views->count]);
}

#endif
