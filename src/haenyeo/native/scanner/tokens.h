/* Tags and what they say; the places of attributes stay in the page until somebody asks for their values. */
#ifndef HAENYEO_TOKENS_H
#define HAENYEO_TOKENS_H

#include "references.h"
#include "tags.h"

typedef struct {
    const char *name, *name_end, *value, *value_end; /* value is NULL if there is none */
} Attribute;

#define MOST_ATTRIBUTES 96 /* fewer than the guard of the full parser takes away */

typedef struct {
    int tag, is_end, is_empty; /* is_empty: written with a slash before the > */
    char name[LONGEST_TAG + 1];
    const char *name_at; /* as written */
    Py_ssize_t name_length;
    Attribute attributes[MOST_ATTRIBUTES];
    int attribute_count, too_many;
} Tag;

static inline int ends_name(unsigned char c)
{
    return is_html_blank(c) || c == '/' || c == '>';
}

static const char *read_value(const char *at, const char *end, Attribute *attribute)
{
    while (at < end && is_html_blank((unsigned char)*at))
        at++;
    if (at < end && (*at == '"' || *at == '\'')) {
        const char *close = memchr(at + 1, *at, end - at - 1);
        if (!close)
            return NULL;
        attribute->value = at + 1;
        attribute->value_end = close;
        return close + 1;
    }
    attribute->value = at;
    while (at < end && !is_html_blank((unsigned char)*at) && *at != '>')
        at++;
    attribute->value_end = at;
    return at;
}

/* The tag at `at` (its name's first letter); returns the place behind it, NULL if the page ends before the tag does. */
static const char *read_tag(const char *at, const char *end, Tag *tag)
{
    tag->name_at = at;
    while (at < end && !ends_name((unsigned char)*at))
        at++;
    tag->name_length = at - tag->name_at;
    int length = tag->name_length > LONGEST_TAG ? LONGEST_TAG : (int)tag->name_length;
    for (int i = 0; i < length; i++) {
        char c = tag->name_at[i];
        tag->name[i] = (char)(c >= 'A' && c <= 'Z' ? c | 32 : c);
    }
    tag->name[length] = 0;
    tag->tag = tag->name_length > LONGEST_TAG ? T_other : tag_of(tag->name, length);
    tag->attribute_count = tag->too_many = tag->is_empty = 0;
    while (at < end) {
        if (is_html_blank((unsigned char)*at) || *at == '/') {
            tag->is_empty = *at++ == '/';
            continue;
        }
        if (*at == '>')
            return at + 1;
        tag->is_empty = 0;
        Attribute attribute = {at, NULL, NULL, NULL};
        at++; /* the first character belongs to the name whatever it is */
        while (at < end && !ends_name((unsigned char)*at) && *at != '=')
            at++;
        attribute.name_end = at;
        const char *next = at;
        while (next < end && is_html_blank((unsigned char)*next))
            next++;
        if (next < end && *next == '=') {
            at = read_value(next + 1, end, &attribute);
            if (!at)
                return NULL;
        }
        if (tag->attribute_count < MOST_ATTRIBUTES)
            tag->attributes[tag->attribute_count++] = attribute;
        else
            tag->too_many = 1;
    }
    return NULL;
}

/* The first attribute of this lower-case name. */
static const Attribute *attribute_of(const Tag *tag, const char *name, Py_ssize_t length)
{
    for (int i = 0; i < tag->attribute_count; i++) {
        const Attribute *attribute = &tag->attributes[i];
        if (attribute->name_end - attribute->name != length)
            continue;
        Py_ssize_t same = 0;
        while (same < length) {
            char c = attribute->name[same];
            if ((c >= 'A' && c <= 'Z' ? c | 32 : c) != name[same])
                break;
            same++;
        }
        if (same == length)
            return attribute;
    }
    return NULL;
}

/* The value of an attribute with its references resolved: a new reference; NULL, without an error, if it has none. */
static PyObject *value_of(const Attribute *attribute, Bytes *room)
{
    if (!attribute || !attribute->value)
        return NULL;
    Py_ssize_t length = attribute->value_end - attribute->value;
    if (!memchr(attribute->value, '&', length))
        return PyUnicode_DecodeUTF8(attribute->value, length, "strict");
    room->length = 0;
    if (!append_resolved(room, attribute->value, attribute->value_end, 1))
        return NULL;
    return PyUnicode_DecodeUTF8(room->bytes, room->length, "strict");
}

#define VALUE(tag, name, room) value_of(attribute_of(tag, name, sizeof name - 1), room)

/* All attributes as a dictionary; one without a value has None. */
static PyObject *attributes_of(const Tag *tag, Bytes *room)
{
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < tag->attribute_count; i++) {
        const Attribute *attribute = &tag->attributes[i];
        PyObject *written = PyUnicode_DecodeUTF8(attribute->name, attribute->name_end - attribute->name, "strict");
        PyObject *name = written && PyUnicode_IS_ASCII(written) ? PyObject_CallMethod(written, "lower", NULL) : Py_XNewRef(written);
        PyObject *value = value_of(attribute, room);
        if (!value && !PyErr_Occurred())
            value = Py_NewRef(Py_None);
        if (!name || !value || !PyDict_SetDefault(all, name, value))
            Py_CLEAR(all);
        Py_XDECREF(written);
        Py_XDECREF(name);
        Py_XDECREF(value);
    }
    return all;
}

/* The place where a comment, declaration or processing instruction ends; `at` is behind its "<". */
static const char *skip_markup(const char *at, const char *end)
{
    if (end - at >= 3 && !memcmp(at, "!--", 3)) {
        at += 3;
        if (at < end && *at == '>')
            return at + 1;
        if (end - at >= 2 && at[0] == '-' && at[1] == '>')
            return at + 2;
        while ((at = memchr(at, '-', end - at))) {
            if (end - at >= 3 && at[1] == '-' && at[2] == '>')
                return at + 3;
            if (end - at >= 4 && at[1] == '-' && at[2] == '!' && at[3] == '>')
                return at + 4;
            at++;
        }
        return end;
    }
    const char *close = memchr(at, '>', end - at);
    return close ? close + 1 : end;
}

/* Does a tag of this lower-case name begin here, behind its "<" or "</"? */
static int names_tag(const char *at, const char *end, const char *name, Py_ssize_t length)
{
    Py_ssize_t same = 0;
    if (end - at <= length || !ends_name((unsigned char)at[length]))
        return 0;
    while (same < length && (at[same] | 32) == name[same])
        same++;
    return same == length;
}

/* Behind all the dashes at `at`. */
static const char *skip_dashes(const char *at, const char *end)
{
    while (at < end && *at == '-')
        at++;
    return at;
}

/* Where the end tag of a script begins. In a comment a script may hold another, whose end does not end it. */
static const char *find_script_end(const char *at, const char *end)
{
    int in_comment = 0, in_script = 0;
    for (; at < end; at++) {
        if (*at == '-' && in_comment && end - at > 2 && at[1] == '-') {
            const char *behind = skip_dashes(at, end);
            in_comment = !(behind < end && *behind == '>');
            in_script &= in_comment;
            at = behind - 1; /* what all of these dashes did not end, none of them does */
        } else if (*at == '<' && end - at > 3 && !in_comment && !memcmp(at + 1, "!--", 3)) {
            in_comment = 1;
            at += 1; /* its dashes may be those of its end */
        } else if (*at == '<' && end - at > 2 && at[1] == '/' && names_tag(at + 2, end, "script", 6)) {
            if (!in_script)
                return at;
            in_script = 0;
        } else if (*at == '<' && in_comment && names_tag(at + 1, end, "script", 6)) {
            in_script = 1;
        } else if (!in_comment) {
            const char *next = memchr(at + 1, '<', end - at - 1);
            if (!next)
                return end;
            at = next - 1;
        }
    }
    return end;
}

/* Where the end tag of an element that holds no tags begins; the end of the page if it never comes. */
static const char *find_end_tag(const char *at, const char *end, const char *name, Py_ssize_t length)
{
    while ((at = memchr(at, '<', end - at))) {
        if (end - at > 2 && at[1] == '/' && names_tag(at + 2, end, name, length))
            return at;
        at++;
    }
    return end;
}

#endif
