/* The buffers of one call; all are given back together. */
#define MOST_BUFFERS 15

typedef struct {
    Py_buffer views[MOST_BUFFERS];
    int count;
} Buffers;

static void *taken(Buffers *buffers, PyObject *object, int flags)
{
    Py_buffer *view = &buffers->views[buffers->count];
    if (PyErr_Occurred() || PyObject_GetBuffer(object, view, flags) < 0)
        return NULL;
    buffers->count++;
    return view->buf;
}

static void give_back(Buffers *buffers)
{
    while (buffers->count)
        PyBuffer_Release(&buffers->views[--buffers->count]);
}
