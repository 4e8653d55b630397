/* The links of a page: objects that hold their own strings, or places in the page's text. */
#ifndef HAENYEO_FEATURE_ON_PAGE_H
#define HAENYEO_FEATURE_ON_PAGE_H

#include "../checked/fields.h"
#include "links.h"

#define BOUNDS 6 /* where a link's anchor, the words before and those after it begin and end */

static struct {
    PyObject *url, *anchor, *before, *after, *path, *label, *block;
} names; /* of attributes */

static int fill_names(void)
{
    PyObject **all[] = {&names.url, &names.anchor, &names.before, &names.after, &names.path, &names.label, &names.block};
    const char *spelled[] = {"url", "anchor", "before", "after", "path", "label", "block"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!(*all[i] = PyUnicode_InternFromString(spelled[i])))
            return -1;
    return 0;
}

/* How many links stand at each place of the page: a number for each path, in the order they first occur. */
static int32_t *groups_of(PyObject *paths, Py_ssize_t count, Ids *sizes)
{
    PyObject *numbers = PyDict_New();
    int32_t *groups = numbers ? room_for(count, sizeof *groups) : NULL;
    for (Py_ssize_t i = 0; numbers && groups && i < count; i++) {
        PyObject *path = PyTuple_GET_ITEM(paths, i), *known = PyDict_GetItemWithError(numbers, path);
        if (!known && PyErr_Occurred())
            break;
        groups[i] = known ? (int32_t)PyLong_AsLong(known) : (int32_t)sizes->count;
        if (!known) {
            PyObject *number = PyLong_FromSsize_t(sizes->count);
            int done = number && PyDict_SetItem(numbers, path, number) == 0;
            Py_XDECREF(number);
            add_id(sizes, 0);
            if (!done || sizes->failed)
                break;
        }
        sizes->items[groups[i]]++;
    }
    Py_XDECREF(numbers);
    if (sizes->failed)
        PyErr_NoMemory();
    return groups;
}

/* A string that is an attribute, as a new reference. */
static PyObject *string_of(PyObject *object, PyObject *name, Field *field)
{
    PyObject *string = field_of(object, name, field);
    if (!is_string(string, "what a link is made of"))
        Py_CLEAR(string);
    return string;
}

static Part whole_of(PyObject *string)
{
    return (Part){string, 0, string ? PyUnicode_GET_LENGTH(string) : 0};
}

static int add_nothing(LinkPage *page)
{
    for (int kind = 0; kind < KINDS_OF_FEATURES; kind++)
        add_id(&page->ends, (int32_t)page->ids.count);
    return 0;
}

static int add_link_object(LinkPage *page, Py_ssize_t number, Py_ssize_t beside)
{
    PyObject *object = PyTuple_GET_ITEM(page->objects, number);
    if (object == Py_None)
        return add_nothing(page);
    static Field urls, anchors, of_before, of_after;
    PyObject *url = string_of(object, names.url, &urls), *anchor = url ? string_of(object, names.anchor, &anchors) : NULL;
    PyObject *before = anchor ? string_of(object, names.before, &of_before) : NULL;
    PyObject *after = before ? string_of(object, names.after, &of_after) : NULL;
    Link link = {url, PyTuple_GET_ITEM(page->paths, number), whole_of(anchor), whole_of(before), whole_of(after)};
    int result = after ? add_link(page, &link, beside) : -1;
    Py_XDECREF(url);
    Py_XDECREF(anchor);
    Py_XDECREF(before);
    Py_XDECREF(after);
    return result;
}

/* The path of the block an outlink stands in, as a new reference; an empty one outside of all blocks. */
static PyObject *path_of(PyObject *blocks, PyObject *outlink)
{
    static Field numbers, paths;
    PyObject *number = field_of(outlink, names.block, &numbers);
    Py_ssize_t block = number ? PyLong_AsSsize_t(number) : -1;
    Py_XDECREF(number);
    if (PyErr_Occurred())
        return NULL;
    if (block >= PyTuple_GET_SIZE(blocks))
        return PyErr_Format(PyExc_ValueError, "a link stands in a block that is not there");
    return block < 0 ? PyUnicode_New(0, 0) : string_of(PyTuple_GET_ITEM(blocks, block), names.path, &paths);
}

static PyObject *paths_of(PyObject *blocks, PyObject *outlinks)
{
    PyObject *paths = PyTuple_New(PyTuple_GET_SIZE(outlinks));
    for (Py_ssize_t i = 0; paths && i < PyTuple_GET_SIZE(outlinks); i++) {
        PyObject *path = path_of(blocks, PyTuple_GET_ITEM(outlinks, i));
        if (!path)
            Py_CLEAR(paths);
        else
            PyTuple_SET_ITEM(paths, i, path);
    }
    return paths;
}

/* A part of the text from one of the bounds of a link to the next; -1 with an error set if it lies outside of it. Where all
   bounds are below zero, the link does. */
static int take_part(const LinkPage *page, const int32_t *bounds, Part *part)
{
    *part = (Part){page->whole, bounds[0], bounds[1]};
    if (bounds[0] <= bounds[1] && bounds[1] <= PyUnicode_GET_LENGTH(page->whole) && (bounds[0] >= 0 || bounds[1] < 0))
        return 0;
    PyErr_SetString(PyExc_ValueError, "a link must lie within the text");
    return -1;
}

/* The parts of the text that a link is made of; -1 with an error set. */
static int take_parts(const LinkPage *page, Link *link)
{
    int32_t bounds[BOUNDS]; /* a copy: what was looked at must be what is used */
    memcpy(bounds, page->spans.items + BOUNDS * page->described, sizeof bounds);
    if (take_part(page, bounds, &link->anchor) < 0 || take_part(page, bounds + 2, &link->before) < 0 || take_part(page, bounds + 4, &link->after) < 0)
        return -1;
    if (link->anchor.start >= 0 && (link->before.start < 0 || link->after.start < 0)) {
        PyErr_SetString(PyExc_ValueError, "a link must lie within the text");
        return -1;
    }
    return 0;
}

/* Add a link if it is at the next of the places, which ascend. */
static int add_placed_link(LinkPage *page, Py_ssize_t number, Py_ssize_t beside)
{
    if (page->described >= page->places.count || page->places.items[page->described] != number)
        return add_nothing(page);
    static Field urls, labels;
    PyObject *outlink = PyTuple_GET_ITEM(page->objects, number), *label = NULL, *url = string_of(outlink, names.url, &urls);
    Link link = {.url = url, .path = PyTuple_GET_ITEM(page->paths, number)};
    int result = url ? take_parts(page, &link) : -1;
    if (result == 0 && link.anchor.start < 0) {
        label = string_of(outlink, names.label, &labels);
        link.anchor = whole_of(label);
        link.before = link.after = (Part){page->whole, 0, 0};
        result = label ? 0 : -1;
    }
    if (result == 0)
        result = add_link(page, &link, beside);
    page->described++;
    Py_XDECREF(url);
    Py_XDECREF(label);
    return result;
}

#endif
