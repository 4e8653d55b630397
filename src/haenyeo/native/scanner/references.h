/* Character references: &amp; &#38; &#x26; by the rules of the HTML standard. */
#ifndef HAENYEO_REFERENCES_H
#define HAENYEO_REFERENCES_H

#include "text.h"

#define LONGEST_REFERENCE 33
#define SHORTEST_BARE 2
#define LONGEST_BARE 6

static PyObject *named_references; /* name, with or without its semicolon -> characters */

/* What &#128; to &#159; mean: the characters of windows-1252. */
static const uint16_t WINDOWS_1252[32] = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178,
};

static inline int is_letter(unsigned char c)
{
    return (unsigned char)((c | 32) - 'a') < 26;
}

static inline int is_digit(unsigned char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline int digit_of(unsigned char c, int is_hex)
{
    if (is_digit(c))
        return c - '0';
    if (is_hex && (unsigned char)((c | 32) - 'a') < 6)
        return (c | 32) - 'a' + 10;
    return -1;
}

/* A numeric reference at `at` (behind the #); returns the place behind it, or NULL if it is none. */
static const char *read_number(const char *at, const char *end, Bytes *out)
{
    int is_hex = at < end && (*at | 32) == 'x';
    at += is_hex;
    uint32_t code = 0;
    const char *first = at;
    for (int digit; at < end && (digit = digit_of((unsigned char)*at, is_hex)) >= 0; at++)
        code = code > 0x110000 ? code : code * (is_hex ? 16 : 10) + (uint32_t)digit;
    if (at == first)
        return NULL;
    if (at < end && *at == ';')
        at++;
    if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        code = 0xFFFD;
    else if (code >= 0x80 && code < 0xA0)
        code = WINDOWS_1252[code - 0x80];
    append_code(out, code);
    return at;
}

static PyObject *reference_named(const char *name, Py_ssize_t length)
{
    PyObject *key = PyUnicode_FromStringAndSize(name, length);
    PyObject *found = key ? PyDict_GetItemWithError(named_references, key) : NULL; /* borrowed */
    Py_XDECREF(key);
    return found;
}

static int append_string(Bytes *out, PyObject *string)
{
    Py_ssize_t length;
    const char *utf8 = PyUnicode_AsUTF8AndSize(string, &length);
    return utf8 && append(out, utf8, length);
}

/* The references that nearly all pages use, and no others. */
static const struct {
    const char *name; /* with its semicolon */
    Py_ssize_t length;
    const char *utf8;
} COMMON[] = {{"nbsp;", 5, "\xC2\xA0"}, {"amp;", 4, "&"}, {"lt;", 3, "<"}, {"gt;", 3, ">"}, {"quot;", 5, "\""}};

/* A common reference at `at` (behind the &); returns the place behind it, or NULL if it is none. */
static const char *read_common(const char *at, const char *end, Bytes *out)
{
    for (size_t i = 0; i < sizeof COMMON / sizeof *COMMON; i++)
        if (end - at >= COMMON[i].length && !memcmp(at, COMMON[i].name, COMMON[i].length))
            return append(out, COMMON[i].utf8, (Py_ssize_t)strlen(COMMON[i].utf8)) ? at + COMMON[i].length : NULL;
    return NULL;
}

/* A named reference at `at` (behind the &); returns the place behind it, or NULL if it is none. */
static const char *read_name(const char *at, const char *end, Bytes *out, int in_attribute)
{
    const char *behind = read_common(at, end, out);
    if (behind)
        return behind;
    behind = at;
    while (behind < end && behind - at < LONGEST_REFERENCE && (is_letter((unsigned char)*behind) || is_digit((unsigned char)*behind)))
        behind++;
    if (behind < end && *behind == ';') {
        PyObject *found = reference_named(at, behind + 1 - at);
        if (found)
            return append_string(out, found) ? behind + 1 : NULL;
    }
    Py_ssize_t most = behind - at < LONGEST_BARE ? behind - at : LONGEST_BARE;
    for (Py_ssize_t length = most; length >= SHORTEST_BARE; length--) {
        PyObject *found = reference_named(at, length);
        if (!found)
            continue;
        const char *next = at + length;
        if (in_attribute && next < end && (*next == '=' || is_letter((unsigned char)*next) || is_digit((unsigned char)*next)))
            return NULL;
        return append_string(out, found) ? next : NULL;
    }
    return NULL;
}

/* Append text with its references resolved. */
static int append_resolved(Bytes *out, const char *at, const char *end, int in_attribute)
{
    while (at < end) {
        const char *sign = memchr(at, '&', end - at);
        if (!append(out, at, (sign ? sign : end) - at))
            return 0;
        if (!sign)
            return 1;
        const char *behind = NULL;
        if (sign + 1 < end && sign[1] == '#')
            behind = read_number(sign + 2, end, out);
        else if (sign + 1 < end && is_letter((unsigned char)sign[1]))
            behind = read_name(sign + 1, end, out, in_attribute);
        if (!behind) {
            if (PyErr_Occurred() || !append(out, "&", 1))
                return 0;
            behind = sign + 1;
        }
        at = behind;
    }
    return 1;
}

#endif
