/* The attributes of tags; the same as `read.tags` says in Python. */
#ifndef HAENYEO_ATTRIBUTES_H
#define HAENYEO_ATTRIBUTES_H

#include "../checked/objects.h"

/* A stretch of a string. */
typedef struct {
    PyObject *string;
    int kind;
    const void *data;
    Py_ssize_t at, end;
} Stretch;

static inline Py_UCS4 character(const Stretch *in, Py_ssize_t at)
{
    return PyUnicode_READ(in->kind, in->data, at);
}

/* What stands from a place to the end of the tag, so many characters at most. */
static Stretch tag_from(PyObject *page, Py_ssize_t start, Py_ssize_t longest)
{
    Stretch tag = {page, PyUnicode_KIND(page), PyUnicode_DATA(page), start, PyUnicode_GET_LENGTH(page)};
    if (tag.end - start > longest)
        tag.end = start + longest;
    for (Py_ssize_t at = start; at < tag.end; at++) {
        Py_UCS4 letter = character(&tag, at);
        if (letter == '<' || letter == '>')
            tag.end = at;
    }
    return tag;
}

static inline int is_quote(Py_UCS4 letter)
{
    return letter == '"' || letter == '\'';
}

static inline int is_of_name(Py_UCS4 letter)
{
    return !is_quote(letter) && letter != '/' && letter != '=' && !Py_UNICODE_ISSPACE(letter);
}

static inline int is_bare(Py_UCS4 letter)
{
    return !is_quote(letter) && !Py_UNICODE_ISSPACE(letter);
}

static Py_ssize_t behind_spaces(const Stretch *tag, Py_ssize_t at)
{
    while (at < tag->end && Py_UNICODE_ISSPACE(character(tag, at)))
        at++;
    return at;
}

static Py_ssize_t behind_all(const Stretch *tag, Py_ssize_t at, int (*is_part)(Py_UCS4))
{
    while (at < tag->end && is_part(character(tag, at)))
        at++;
    return at;
}

typedef struct {
    Py_ssize_t name, name_end, value, value_end;
} Attribute;

/* The value that begins here; returns where the attribute ends, -1 if there is none. */
static Py_ssize_t find_value(const Stretch *tag, Py_ssize_t at, Attribute *found)
{
    Py_UCS4 first = at < tag->end ? character(tag, at) : 0;
    if (!is_quote(first)) {
        found->value = at;
        found->value_end = behind_all(tag, at, is_bare);
        return found->value_end > at ? found->value_end : -1;
    }
    found->value = found->value_end = at + 1;
    while (found->value_end < tag->end && character(tag, found->value_end) != first)
        found->value_end++;
    return found->value_end < tag->end ? found->value_end + 1 : -1;
}

/* The next attribute that has a value; returns 0 if there is none. The tag goes on behind it. */
static int next_attribute(Stretch *tag, Attribute *found)
{
    while (tag->at < tag->end) {
        found->name = tag->at;
        found->name_end = behind_all(tag, tag->at, is_of_name);
        if (found->name_end == found->name) {
            tag->at++;
            if (tag->at < tag->end && character(tag, tag->at - 1) == '=')
                tag->at = behind_all(tag, tag->at, is_of_name); /* a name does not begin right behind this sign */
            continue;
        }
        Py_ssize_t sign = behind_spaces(tag, found->name_end), end = -1;
        if (sign < tag->end && character(tag, sign) == '=')
            end = find_value(tag, behind_spaces(tag, sign + 1), found);
        tag->at = end < 0 ? found->name_end : end;
        if (end >= 0)
            return 1;
    }
    return 0;
}

/* The name in small letters. */
static PyObject *name_in(const Stretch *tag, const Attribute *attribute)
{
    PyObject *name = PyUnicode_Substring(tag->string, attribute->name, attribute->name_end);
    int is_small = 1;
    for (Py_ssize_t at = attribute->name; at < attribute->name_end; at++) {
        Py_UCS4 letter = character(tag, at);
        is_small &= letter < 'A' || (letter > 'Z' && letter < 128);
    }
    if (!name || is_small)
        return name;
    PyObject *small = PyObject_CallMethod(name, "lower", NULL);
    Py_DECREF(name);
    return small;
}

/* Have the attributes of a tag, the first of each name; NULL with an error set. */
static PyObject *attributes_in(Stretch tag)
{
    Attribute attribute;
    PyObject *found = PyDict_New();
    while (found && next_attribute(&tag, &attribute)) {
        PyObject *name = name_in(&tag, &attribute);
        PyObject *value = name ? PyUnicode_Substring(tag.string, attribute.value, attribute.value_end) : NULL;
        if (!value || !PyDict_SetDefault(found, name, value))
            Py_CLEAR(found);
        Py_XDECREF(name);
        Py_XDECREF(value);
    }
    return found;
}

/* Of the tags at these places in a page, what stands `ahead` characters behind their beginnings. */
static PyObject *attributes(PyObject *module, PyObject *arguments)
{
    PyObject *page, *given;
    Py_ssize_t ahead, longest;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "UO!nn", &page, &PyList_Type, &given, &ahead, &longest))
        return NULL;
    if (ahead < 0 || longest < 0)
        return PyErr_Format(PyExc_ValueError, "a tag is looked for behind a place, and has some length");
    PyObject *places = items_of(given);
    PyObject *found = places ? PyList_New(0) : NULL;
    for (Py_ssize_t i = 0; found && i < PyTuple_GET_SIZE(places); i++) {
        Py_ssize_t place = PyLong_AsSsize_t(PyTuple_GET_ITEM(places, i));
        if (!PyErr_Occurred() && (place < 0 || place > PyUnicode_GET_LENGTH(page) - ahead))
            PyErr_SetString(PyExc_ValueError, "a tag does not begin in the page");
        PyObject *some = PyErr_Occurred() ? NULL : attributes_in(tag_from(page, place + ahead, longest));
        if (!some || PyList_Append(found, some))
            Py_CLEAR(found);
        Py_XDECREF(some);
    }
    Py_XDECREF(places);
    return found;
}

#endif
