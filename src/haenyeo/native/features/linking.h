/* Where does a page lead, and which of its links stand in one list? */
#ifndef HAENYEO_FEATURE_LINKING_H
#define HAENYEO_FEATURE_LINKING_H

#include "on_page.h"

#define MOST_LINKED 1024 /* links of a page */
#define LINK_SLOTS (4 * MOST_LINKED)

typedef struct {
    uint32_t marks[MOST_LINKED];
    uint16_t lists[MOST_LINKED];
    Py_ssize_t count;
    uint16_t slots[LINK_SLOTS]; /* 1 + the place among the marks */
} Linked;

/* Note that a list leads to the page of this mark, once. */
static void note_linked(Linked *linked, uint32_t mark, uint16_t list)
{
    uint32_t slot = ((mark ^ (uint32_t)list << 16) * 2654435761u >> 16) % LINK_SLOTS;
    for (uint16_t known; (known = linked->slots[slot]); slot = (slot + 1) % LINK_SLOTS)
        if (linked->marks[known - 1] == mark && linked->lists[known - 1] == list)
            return;
    linked->marks[linked->count] = mark;
    linked->lists[linked->count++] = list;
    linked->slots[slot] = (uint16_t)linked->count;
}

/* The same for all links of a page, at most MOST_LINKED, whose targets and paths are tuples; -1 with an error set. */
static int note_all_linked(Linked *linked, PyObject *targets, PyObject *paths)
{
    Ids sizes = {0};
    int32_t *groups = groups_of(paths, PyTuple_GET_SIZE(paths), &sizes);
    for (Py_ssize_t i = 0; groups && !PyErr_Occurred() && i < PyTuple_GET_SIZE(paths); i++) {
        uint64_t key = PyLong_AsUnsignedLongLongMask(PyTuple_GET_ITEM(targets, i));
        if (!PyErr_Occurred())
            note_linked(linked, (uint32_t)key, (uint16_t)groups[i]);
    }
    PyMem_Free(groups);
    PyMem_Free(sizes.items);
    return PyErr_Occurred() ? -1 : 0;
}

/* The first items of a list as a tuple, a new reference; NULL with an error set. */
static PyObject *first_of(PyObject *list, Py_ssize_t count)
{
    PyObject *some = PyList_GetSlice(list, 0, count), *items = some ? PyList_AsTuple(some) : NULL;
    Py_XDECREF(some);
    return items;
}

static PyObject *page_linking(PyObject *module, PyObject *arguments)
{
    PyObject *blocks, *links, *keys, *result = NULL;
    Py_ssize_t most;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!O!n", &PyTuple_Type, &blocks, &PyList_Type, &links, &PyList_Type, &keys, &most))
        return NULL;
    most = most < 0 ? 0 : smaller(most, MOST_LINKED);
    most = smaller(most, smaller(PyList_GET_SIZE(links), PyList_GET_SIZE(keys)));
    PyObject *outlinks = first_of(links, most), *paths = outlinks ? paths_of(blocks, outlinks) : NULL;
    PyObject *targets = paths ? first_of(keys, most) : NULL;
    Linked *linked = targets ? zeros_for(1, sizeof *linked) : NULL;
    if (linked && has_items(PyTuple_GET_SIZE(targets), PyTuple_GET_SIZE(paths)) && note_all_linked(linked, targets, paths) == 0)
        result = Py_BuildValue("y#y#", (char *)linked->marks, linked->count * (Py_ssize_t)sizeof *linked->marks, (char *)linked->lists,
                               linked->count * (Py_ssize_t)sizeof *linked->lists);
    PyMem_Free(linked);
    Py_XDECREF(targets);
    Py_XDECREF(paths);
    Py_XDECREF(outlinks);
    return result;
}

#endif
