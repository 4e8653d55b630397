/* Where the tags of a page begin that somebody asks for; the same as `read.tags` says in Python.

   They are looked for in the page's UTF-8, which Python keeps once it was asked for it, and counted in characters. */
#ifndef HAENYEO_TAGS_H
#define HAENYEO_TAGS_H

#include "texts.h"

typedef struct {
    const char *begin, *end;
    int is_plain;        /* a byte for each character */
    const char *counted; /* the characters up to here were counted */
    Py_ssize_t characters;
    PyObject *found;
    Py_ssize_t most;
} TagSearch;

/* Returns 0 without an error if the page cannot be written in UTF-8. */
static int begin_search(TagSearch *search, PyObject *page)
{
    Py_ssize_t length;
    search->begin = PyUnicode_AsUTF8AndSize(page, &length);
    if (!search->begin) {
        PyErr_Clear();
        return 0;
    }
    search->end = search->begin + length;
    search->counted = search->begin;
    search->is_plain = PyUnicode_IS_ASCII(page);
    search->found = PyList_New(0);
    return search->found != NULL;
}

#define AT_ONCE 64 /* bytes in a round of a loop that compilers turn into a few steps */

static Py_ssize_t count_characters(const char *at, const char *end)
{
    Py_ssize_t count = 0;
    for (; end - at >= AT_ONCE; at += AT_ONCE) {
        unsigned char some = 0;
        for (int i = 0; i < AT_ONCE; i++)
            some += (signed char)at[i] >= -64; /* else it goes on with a character */
        count += some;
    }
    for (; at < end; at++)
        count += (signed char)*at >= -64;
    return count;
}

/* Places come in page order; returns whether to go on. */
static int note_place(TagSearch *search, const char *at)
{
    search->characters += search->is_plain ? at - search->counted : count_characters(search->counted, at);
    search->counted = at;
    PyObject *place = PyLong_FromSsize_t(search->characters);
    if (!place || PyList_Append(search->found, place))
        Py_CLEAR(search->found);
    Py_XDECREF(place);
    return search->found && PyList_GET_SIZE(search->found) < search->most;
}

/* Two characters at a distance; the second may be a large letter where `fold` is 32. */
typedef struct {
    char first, second, fold;
    Py_ssize_t distance;
} Pair;

static inline int is_pair(const char *at, const Pair *pair)
{
    return (at[0] == pair->first) & ((at[pair->distance] | pair->fold) == pair->second);
}

/* The next place of both, or NULL. */
static const char *find_pair(const char *at, const char *end, const Pair *pair)
{
    const Pair wanted = *pair;
    for (; end - at > AT_ONCE + wanted.distance; at += AT_ONCE) {
        unsigned char any = 0;
        for (int i = 0; i < AT_ONCE; i++)
            any |= (unsigned char)((at[i] == wanted.first) & ((at[wanted.distance + i] | wanted.fold) == wanted.second));
        if (any)
            break;
    }
    while (end - at > wanted.distance && !is_pair(at, &wanted))
        at++;
    return end - at > wanted.distance ? at : NULL;
}

static int begins_tag(const char *at, const char *end, const char *name, Py_ssize_t length)
{
    Py_ssize_t same = 0;
    if (end - at <= length || !at[length] || !strchr(" \t\n\f\r/", at[length]))
        return 0;
    while (same < length && (at[same] | 32) == name[same])
        same++;
    return same == length;
}

/* Is this a name of lower-case letters? */
static int is_name(const char *name, Py_ssize_t length)
{
    for (Py_ssize_t i = 0; i < length; i++)
        if (name[i] < 'a' || name[i] > 'z')
            return 0;
    return 1;
}

/* `name` is of lower-case letters. */
static void find_named(TagSearch *search, const char *name, Py_ssize_t length)
{
    const Pair pair = {'<', name[0], 32, 1};
    for (const char *at = search->begin; (at = find_pair(at, search->end, &pair)); at++)
        if (begins_tag(at + 1, search->end, name, length) && !note_place(search, at))
            return;
}

/* A tag is looked for between the word and the one before it only: in a tag with both, the first has found it. */
static void find_holding(TagSearch *search, const char *word, Py_ssize_t length)
{
    const Pair pair = {word[0], word[length - 1], 0, length - 1};
    const char *from = search->begin, *at = from;
    while ((at = find_pair(at, search->end, &pair))) {
        if (memcmp(at, word, length)) {
            at++;
            continue;
        }
        const char *sign = at;
        while (sign > from && sign[-1] != '<' && sign[-1] != '>')
            sign--;
        if (sign > from && sign[-1] == '<' && !note_place(search, sign - 1))
            return;
        from = at += length;
    }
}

#endif
