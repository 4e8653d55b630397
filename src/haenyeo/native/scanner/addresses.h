/* Where links lead, for addresses written as the URL standard's parser would leave them; all others are asked of Python. */
#ifndef HAENYEO_ADDRESSES_H
#define HAENYEO_ADDRESSES_H

#include "references.h"

#define LONGEST_PLAIN 1000

typedef struct {
    const char *origin, *folder; /* of the page's base: `https://a.example` and `https://a.example/b/` */
    Py_ssize_t origin_length, folder_length;
    PyObject *ask; /* resolves any address; borrowed */
} Base;

enum { IN_PATH = 1, IN_QUERY = 2, IN_NAME = 4, STARTS_NAME = 8, IN_HOST = 16 };

static uint8_t address_signs[256];

static void fill_address_signs(void)
{
    for (int c = 0; c < 128; c++)
        if (is_letter((unsigned char)c) || is_digit((unsigned char)c))
            address_signs[c] = IN_PATH | IN_QUERY | IN_NAME | STARTS_NAME | (c < 'A' || c > 'Z' ? IN_HOST : 0);
    for (const char *at = "_~!$%&*+,@-"; *at; at++)
        address_signs[(uint8_t)*at] = IN_PATH | IN_QUERY | IN_NAME | STARTS_NAME;
    for (const char *at = "./"; *at; at++)
        address_signs[(uint8_t)*at] = IN_PATH | IN_QUERY | IN_NAME;
    for (const char *at = "();=:"; *at; at++)
        address_signs[(uint8_t)*at] = IN_PATH | IN_QUERY;
    address_signs['?'] = IN_QUERY;
}

static inline const char *skip_signs(const char *at, const char *end, int kind)
{
    while (at < end && (address_signs[(uint8_t)*at] & kind))
        at++;
    return at;
}

/* Does a step of the path begin with a dot? It may mean "here" or "up". */
static int has_dots(const char *at, const char *end)
{
    while (at < end) {
        if (*at == '.' || (*at == '%' && end - at > 2 && at[1] == '2' && (at[2] | 32) == 'e'))
            return 1;
        const char *slash = memchr(at, '/', end - at);
        at = slash ? slash + 1 : end;
    }
    return 0;
}

/* Is the rest, from a sign of this kind on, a plain path and perhaps a query? */
static int is_plain_path(const char *at, const char *end, int kind)
{
    at = skip_signs(at, end, kind);
    return at == end || (*at == '?' && skip_signs(at, end, IN_QUERY) == end);
}

/* `http://a.example/...` with a host of plain labels; one that ends in a number may be an address in disguise. */
static int is_plain_address(const char *at, const char *end)
{
    if (end - at < 9 || memcmp(at, "http", 4))
        return 0;
    at += at[4] == 's' ? 5 : 4;
    if (memcmp(at, "://", 3))
        return 0;
    for (at += 3;; at++) {
        const char *label = at;
        int has_digit = 0;
        for (; at < end && (address_signs[(uint8_t)*at] & IN_HOST); at++)
            has_digit |= is_digit((unsigned char)*at);
        if (at == label || at == end)
            return 0;
        if (*at == '/')
            return !has_digit && is_plain_path(at, end, IN_PATH);
        if (*at != '.')
            return 0;
    }
}

static inline int hex_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Is there an escape that Python would write otherwise: in small letters, of a character that needs none, or of none? */
static int has_loose_escape(const char *at, const char *end)
{
    while (at < end && (at = memchr(at, '%', end - at))) {
        int high = end - at > 2 ? hex_value(at[1]) : -1, low = high >= 0 ? hex_value(at[2]) : -1;
        int meant = high * 16 + low;
        if (low < 0 || (meant < 128 && (is_letter((unsigned char)meant) || is_digit((unsigned char)meant) || strchr("-._~", meant))))
            return 1;
        at += 3;
    }
    return 0;
}

static inline int begins(const char *at, const char *end, const char *with)
{
    while (*with && at < end && (*at | 32) == (*with | 32))
        at++, with++;
    return !*with;
}

/* May this parameter say where one came from? Python knows; these are the beginnings of all such names. */
static int may_track(const char *at, const char *end)
{
    switch (*at | 32) {
    case 'd': return begins(at, end, "dclid");
    case 'f': return begins(at, end, "fbclid");
    case 'g': return begins(at, end, "gcl") || begins(at, end, "gbraid");
    case 'h': return begins(at, end, "hsa_");
    case 'i': return begins(at, end, "igshid");
    case 'l': return begins(at, end, "li_fat_id");
    case 'm': return begins(at, end, "mtm_") || begins(at, end, "mc_") || begins(at, end, "mkt_tok") || begins(at, end, "msclkid");
    case 'n': return begins(at, end, "n_") || begins(at, end, "napm");
    case 'o': return begins(at, end, "oly_");
    case 'p': return begins(at, end, "pk_");
    case 'r': return begins(at, end, "rb_clickid");
    case 's': return begins(at, end, "s_cid");
    case 't': return begins(at, end, "twclid") || begins(at, end, "ttclid");
    case 'u': return begins(at, end, "utm_");
    case 'v': return begins(at, end, "vero_");
    case 'w': return begins(at, end, "wbraid") || begins(at, end, "wickedid");
    case 'y': return begins(at, end, "yclid");
    default: return *at == '_';
    }
}

/* Has the address anything that Python would take away or write otherwise? */
static int is_untidy(const char *at, const char *end)
{
    const char *place = memchr(at, '?', end - at);
    if (has_loose_escape(at, end) || (place && end[-1] == '?'))
        return 1;
    for (; place && place + 1 < end; place = memchr(place + 1, '&', end - place - 1))
        if (may_track(place + 1, end))
            return 1;
    return 0;
}

/* The folder above; that of the whole site is its own. */
static Py_ssize_t folder_above(const Base *base, Py_ssize_t length)
{
    Py_ssize_t above = length - 1;
    while (above > base->origin_length && base->folder[above - 1] != '/')
        above--;
    return above > base->origin_length ? above : length;
}

static PyObject *joined(const char *front, Py_ssize_t front_length, const char *at, const char *end)
{
    PyObject *url = PyUnicode_New(front_length + (end - at), 127);
    if (url) {
        memcpy(PyUnicode_1BYTE_DATA(url), front, front_length);
        memcpy(PyUnicode_1BYTE_DATA(url) + front_length, at, end - at);
    }
    return url;
}

static PyObject *in_folder(const Base *base, const char *at, const char *end)
{
    Py_ssize_t folder = base->folder_length;
    while (end - at > 2 && *at == '.') {
        int goes_up = at[1] == '.';
        if (at[1 + goes_up] != '/')
            return NULL;
        folder = goes_up ? folder_above(base, folder) : folder;
        at += 2 + goes_up;
    }
    int is_plain = at < end && (address_signs[(uint8_t)*at] & STARTS_NAME) && !has_dots(at, end) && is_plain_path(at, end, IN_NAME);
    return is_plain ? joined(base->folder, folder, at, end) : NULL;
}

/* The page that a plain address leads to, a new reference; NULL, without an error, if the address is not plain. */
static PyObject *plainly_resolved(const Base *base, PyObject *href)
{
    if (!PyUnicode_IS_ASCII(href) || PyUnicode_GET_LENGTH(href) > LONGEST_PLAIN)
        return NULL;
    const char *at = (const char *)PyUnicode_1BYTE_DATA(href), *end = at + PyUnicode_GET_LENGTH(href);
    while (at < end && is_html_blank((unsigned char)*at))
        at++;
    const char *fragment = memchr(at, '#', end - at);
    if (fragment)
        end = fragment;
    else
        while (end > at && is_html_blank((unsigned char)end[-1]))
            end--;
    if (at == end)
        return fragment ? Py_NewRef(Py_None) : NULL;
    if (is_untidy(at, end))
        return NULL;
    if (*at == '/') {
        int is_plain = (end - at == 1 || at[1] != '/') && !has_dots(at, end) && is_plain_path(at, end, IN_PATH);
        return is_plain ? joined(base->origin, base->origin_length, at, end) : NULL;
    }
    if (is_plain_address(at, end))
        return has_dots(at, end) ? NULL : joined("", 0, at, end);
    return in_folder(base, at, end);
}

#endif
