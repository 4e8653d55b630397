/* Where blocks stand: the path to each through tags and classes, and what else the elements on the way say of themselves.

   Both are made here from plain ASCII; the functions in Python that say what they are make the rest. */
#ifndef HAENYEO_PLACES_H
#define HAENYEO_PLACES_H

#include "tree.h"

#define PATH_SLOTS 4096
#define MAX_PATH 1000   /* the same as in blocks.py, and so are the next two */
#define MAX_CLASSES 200
#define MAX_SIGNS 300

typedef struct {
    PyObject *parent, *classes, *path; /* owned */
    int tag;
} KnownPath;

typedef struct {
    PyObject *path_to, *signs_to, *no_text;
    KnownPath paths[PATH_SLOTS];
} Places;

static Places places;

typedef struct {
    const char *at;
    Py_ssize_t length;
} Word;

static inline int is_plain(unsigned char c)
{
    return c > 32 && c < 127 && c != '&' && c != '>';
}

/* The words of a value; -1 if it is not plain. */
static int plain_words(const Attribute *value, Word *words)
{
    int count = 0;
    const char *at = value->value, *end = value->value_end;
    while (at < end) {
        if (is_html_blank((unsigned char)*at)) {
            at++;
            continue;
        }
        words[count].at = at;
        while (at < end && is_plain((unsigned char)*at))
            at++;
        words[count].length = at - words[count].at;
        count++;
        if (at < end && !is_html_blank((unsigned char)*at))
            return -1;
    }
    return count;
}

static int compare_words(const Word *one, const Word *other)
{
    int order = memcmp(one->at, other->at, one->length < other->length ? one->length : other->length);
    return order ? order : (one->length > other->length) - (one->length < other->length);
}

/* In alphabetic order, each once; returns how many are left. */
static int sorted_once(Word *words, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        Word word = words[i];
        int place = kept, order = 1;
        while (place && (order = compare_words(&words[place - 1], &word)) > 0)
            place--;
        if (place && !order)
            continue;
        memmove(&words[place + 1], &words[place], (kept - place) * sizeof *words);
        words[place] = word;
        kept++;
    }
    return kept;
}

static char *put(char *to, const char *from, Py_ssize_t length)
{
    memcpy(to, from, length);
    return to + length;
}

/* `outer` followed by ASCII: a new reference. */
static PyObject *extended(PyObject *outer, const char *more, Py_ssize_t length)
{
    PyObject *tail = PyUnicode_DecodeASCII(more, length, "strict");
    PyObject *whole = tail ? PyUnicode_Concat(outer, tail) : NULL;
    Py_XDECREF(tail);
    return whole;
}

/* ---- paths */

static uint32_t path_slot(PyObject *parent, int tag, const char *classes, Py_ssize_t length)
{
    uint64_t hash = ((uint64_t)(uintptr_t)parent >> 4) * 0x9E3779B97F4A7C15u + (uint64_t)tag;
    for (Py_ssize_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)classes[i]) * 0x100000001B3u;
    return (uint32_t)(hash * 0x9E3779B97F4A7C15u >> 40) & (PATH_SLOTS - 1);
}

static PyObject *asked_path(PyObject *parent, const Element *element, Bytes *room)
{
    PyObject *value = value_of(&element->said[CLASSES], room);
    if (!value && !PyErr_Occurred())
        value = Py_NewRef(places.no_text);
    PyObject *path = value ? PyObject_CallFunction(places.path_to, "OsO", parent, TAG_NAME[element->tag], value) : NULL;
    Py_XDECREF(value);
    if (path && !is_string(path, "a path"))
        Py_CLEAR(path);
    return path;
}

static PyObject *new_path(PyObject *parent, const Element *element, Bytes *room)
{
    Word words[MAX_CLASSES / 2 + 2];
    char step[LONGEST_TAG + MAX_CLASSES + 8], *to = step;
    const Attribute *classes = &element->said[CLASSES];
    int count = classes->value_end - classes->value > MAX_CLASSES ? -1 : plain_words(classes, words);
    if (count < 0)
        return asked_path(parent, element, room);
    if (PyUnicode_GET_LENGTH(parent))
        *to++ = '>';
    to = put(to, TAG_NAME[element->tag], strlen(TAG_NAME[element->tag]));
    count = sorted_once(words, count);
    for (int i = 0; i < count; i++) {
        *to++ = '.';
        to = put(to, words[i].at, words[i].length);
    }
    if (PyUnicode_GET_LENGTH(parent) + (to - step) > MAX_PATH)
        return Py_NewRef(parent);
    return extended(parent, step, to - step);
}

/* The path to an element inside the block that `parent` leads to: a new reference. */
static PyObject *path_inside(PyObject *parent, const Element *element, Bytes *room)
{
    const char *written = element->said[CLASSES].value;
    Py_ssize_t length = element->said[CLASSES].value_end - written;
    KnownPath *slot = &places.paths[path_slot(parent, element->tag, written, length)];
    if (slot->parent == parent && slot->tag == element->tag && PyBytes_GET_SIZE(slot->classes) == length
        && !memcmp(PyBytes_AS_STRING(slot->classes), written ? written : "", length))
        return Py_NewRef(slot->path);
    PyObject *path = new_path(parent, element, room);
    if (!path || length > MAX_CLASSES)
        return path; /* one that long is met but once, and would only take room */
    PyObject *classes = PyBytes_FromStringAndSize(written, length);
    if (classes) {
        Py_XSETREF(slot->parent, Py_NewRef(parent));
        Py_XSETREF(slot->classes, classes);
        Py_XSETREF(slot->path, Py_NewRef(path));
        slot->tag = element->tag;
    } else
        Py_CLEAR(path);
    return path;
}

/* ---- signs */

static PyObject *value_or_nothing(const Attribute *attribute, Bytes *room)
{
    PyObject *value = value_of(attribute, room);
    return value || PyErr_Occurred() ? value : Py_NewRef(places.no_text);
}

static PyObject *asked_signs(PyObject *outer, const Element *element, Bytes *room)
{
    PyObject *said[SAYINGS] = {NULL};
    for (int i = ID; i < SAYINGS && !PyErr_Occurred(); i++)
        said[i] = value_or_nothing(&element->said[i], room);
    PyObject *signs = NULL;
    if (said[ID] && said[ROLE] && said[ITEMPROP] && said[STYLE])
        signs = PyObject_CallFunction(places.signs_to, "OOOOOi", outer, said[ID], said[ROLE], said[ITEMPROP], said[STYLE], element->is_hidden);
    for (int i = ID; i < SAYINGS; i++)
        Py_XDECREF(said[i]);
    if (signs && !is_string(signs, "what signs are made of"))
        Py_CLEAR(signs);
    return signs;
}

/* Does this word stand here, in letters of any size? */
static int stands_at(const char *at, const char *end, const char *word, Py_ssize_t length)
{
    Py_ssize_t same = 0;
    while (same < length && end - at > same && (at[same] | 32) == word[same])
        same++;
    return same == length;
}

/* Could this style hide the element, by a value of none or hidden? */
static int may_hide(const Attribute *style)
{
    const char *end = style->value_end;
    for (const char *at = style->value; at < end; at++)
        if (*at == '&' || ((*at == ':' || (unsigned char)*at <= 32) && (stands_at(at + 1, end, "none", 4) || stands_at(at + 1, end, "hidden", 6))))
            return 1;
    return 0;
}

/* The signs of an element inside the block that has those of `outer`: a new reference. */
static PyObject *signs_inside(PyObject *outer, const Element *element, Bytes *room)
{
    static const char MARKS[] = {[ID] = '#', [ROLE] = '@', [ITEMPROP] = '@'};
    char own[MAX_SIGNS + 16], *to = own;
    if (may_hide(&element->said[STYLE]))
        return asked_signs(outer, element, room);
    for (int i = ID; i <= ITEMPROP; i++) {
        Word words[MAX_SIGNS / 2 + 2];
        Py_ssize_t length = element->said[i].value_end - element->said[i].value;
        int count = length > MAX_SIGNS ? -1 : plain_words(&element->said[i], words);
        if (count < 0 || to - own + 3 * length > MAX_SIGNS)
            return asked_signs(outer, element, room);
        for (int word = 0; word < count; word++) {
            *to++ = ' ';
            *to++ = MARKS[i];
            to = put(to, words[word].at, words[word].length);
        }
    }
    if (element->is_hidden)
        to = put(to, " !hidden", 8);
    int skipped = !PyUnicode_GET_LENGTH(outer); /* nothing stands before the first blank */
    if (to == own || PyUnicode_GET_LENGTH(outer) + (to - own) - skipped > MAX_SIGNS)
        return Py_NewRef(outer);
    return extended(outer, own + skipped, to - own - skipped);
}

/* Have path and signs of all blocks up to this place of the open elements; returns 0 with an error set. */
static int name_places(Tree *tree, int place, Bytes *room)
{
    const Element *outer = &tree->open[0];
    for (int at = 1; at <= place; at++) {
        Element *element = &tree->open[at];
        if (!(TAG_FLAGS[element->tag] & BLOCK))
            continue;
        if (!element->path && !(element->path = path_inside(outer->path, element, room)))
            return 0;
        if (!element->signs && !(element->signs = signs_inside(outer->signs, element, room)))
            return 0;
        outer = element;
    }
    return 1;
}

#endif
