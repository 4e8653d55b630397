/* The text of a page: bytes of UTF-8, squeezed as they come, cut into blocks; and the links that stand in it. */
#ifndef HAENYEO_TEXT_H
#define HAENYEO_TEXT_H

#include "../checked/growing.h"
#include "../checked/objects.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct {
    char *bytes;
    Py_ssize_t length, room;
} Bytes;

static int has_room(Bytes *bytes, Py_ssize_t more)
{
    if (more <= bytes->room - bytes->length)
        return 1;
    char *moved = grown(bytes->bytes, bytes->length, &bytes->room, more, 1);
    if (moved)
        bytes->bytes = moved;
    return moved != NULL;
}

static int append(Bytes *to, const char *from, Py_ssize_t length)
{
    if (!has_room(to, length))
        return 0;
    copy_bytes(to->bytes + to->length, from, length);
    to->length += length;
    return 1;
}

static int append_code(Bytes *to, uint32_t code)
{
    char utf8[4];
    int length = 1;
    if (code < 0x80) {
        utf8[0] = (char)code;
    } else if (code < 0x800) {
        utf8[0] = (char)(0xC0 | code >> 6), length = 2;
    } else if (code < 0x10000) {
        utf8[0] = (char)(0xE0 | code >> 12), length = 3;
    } else {
        utf8[0] = (char)(0xF0 | code >> 18), length = 4;
    }
    for (int i = 1; i < length; i++)
        utf8[i] = (char)(0x80 | (code >> (6 * (length - 1 - i)) & 0x3F));
    return append(to, utf8, length);
}

/* Where a character that is not ASCII ends, NULL if it is none. */
static inline const unsigned char *behind_wide(const unsigned char *at, const unsigned char *end)
{
    unsigned char lead = *at, low = 0x80, high = 0xBF;
    if (lead < 0xC2 || lead > 0xF4)
        return NULL;
    int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (end - at <= more)
        return NULL;
    if (lead == 0xE0)
        low = 0xA0;
    else if (lead == 0xED)
        high = 0x9F;
    else if (lead == 0xF0)
        low = 0x90;
    else if (lead == 0xF4)
        high = 0x8F;
    if (at[1] < low || at[1] > high)
        return NULL;
    for (int i = 2; i <= more; i++)
        if ((at[i] & 0xC0) != 0x80)
            return NULL;
    return at + more + 1;
}

/* How many characters these bytes of UTF-8 are, -1 if they are none. */
static Py_ssize_t count_characters(const unsigned char *at, const unsigned char *end)
{
    Py_ssize_t count = 0;
    while (at < end) {
        uint64_t eight;
        while (end - at >= 8 && (memcpy(&eight, at, 8), !(eight & 0x8080808080808080u))) {
            at += 8;
            count += 8;
        }
        if (at == end)
            break;
        at = *at < 0x80 ? at + 1 : behind_wide(at, end);
        if (!at)
            return -1;
        count++;
    }
    return count;
}

/* The string of these bytes, which are so many characters of UTF-8: as many as bytes if they are ASCII. */
static PyObject *string_of(const char *bytes, Py_ssize_t length, Py_ssize_t characters)
{
    if (characters < length)
        return PyUnicode_DecodeUTF8(bytes, length, "strict");
    PyObject *string = PyUnicode_New(length, 0x7F);
    if (string)
        memcpy(PyUnicode_1BYTE_DATA(string), bytes, length);
    return string;
}

/* A stretch of text inside a block; places are characters from the beginning of the block. */
typedef struct {
    PyObject *text, *path, *signs; /* owned */
    Py_ssize_t linked;
} TextBlock;

typedef struct {
    PyObject *href, *rel, *title, *alt; /* owned, or NULL */
    Py_ssize_t block, start, end;
} FoundLink;

typedef struct {
    Bytes whole; /* the text of all blocks, one a line; the last is under way */
    Py_ssize_t start; /* where that one begins */
    Py_ssize_t characters;
    int is_open, is_verbatim, blank_waits;
    TextBlock *blocks;
    Py_ssize_t block_count, block_room;
    FoundLink *links;
    Py_ssize_t link_count, link_room;
} Gathered;

static inline int is_html_blank(unsigned char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
}

/* How many bytes the blank at this place takes: white space, control characters, the blanks of Unicode; 0 if none. */
static inline int blank_at(const unsigned char *at, const unsigned char *end)
{
    if (*at <= 32)
        return 1;
    if (*at == 0xC2 && end - at > 1)
        return at[1] == 0x85 || at[1] == 0xA0 ? 2 : 0;
    if (*at < 0xE1 || *at > 0xE3 || end - at < 3)
        return 0;
    uint32_t code = (at[0] & 0x0Fu) << 12 | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
    return Py_UNICODE_ISSPACE(code) ? 3 : 0;
}

/* May a blank of Unicode begin with this byte? */
static inline int may_be_blank(unsigned char c)
{
    return c == 0xC2 || (unsigned char)(c - 0xE1) < 3;
}

/* Does this byte belong to a word, or is it the single blank between two? */
static inline int is_inside(const unsigned char *at, const unsigned char *end)
{
    if (*at > 32)
        return !may_be_blank(*at) || !blank_at(at, end);
    return *at == ' ' && end - at > 1 && at[1] > 32 && !may_be_blank(at[1]);
}

#define STRIDE 16

/* How many bytes from here on are inside for sure, in whole strides; bytes that begin no character are added up. */
static inline Py_ssize_t whole_strides(const unsigned char *at, const unsigned char *end, Py_ssize_t *continuing)
{
    const unsigned char *first = at;
#ifdef __SSE2__
    const __m128i space = _mm_set1_epi8(' '), wide = _mm_set1_epi8((char)0xE1), two = _mm_set1_epi8(2);
    for (; end - at > STRIDE; at += STRIDE) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)at), above = _mm_sub_epi8(bytes, wide);
        __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(bytes, space), bytes), single = _mm_cmpeq_epi8(bytes, space);
        __m128i doubtful = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(above, two), above), _mm_cmpeq_epi8(bytes, _mm_set1_epi8((char)0xC2)));
        unsigned spaces = (unsigned)_mm_movemask_epi8(single), stops = (unsigned)_mm_movemask_epi8(_mm_or_si128(blank, doubtful));
        unsigned next = (unsigned)(at[STRIDE] <= 32 || may_be_blank(at[STRIDE])) << (STRIDE - 1);
        if (stops != spaces || (spaces & (stops >> 1 | next)))
            break;
        unsigned continued = (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(bytes, _mm_set1_epi8(-64)));
        if (continued)
            *continuing += __builtin_popcount(continued);
    }
#else
    (void)end, (void)continuing;
#endif
    return at - first;
}

/* How many bytes from here on are words and the single blanks between them; those that begin no character are counted. */
static Py_ssize_t words_length(const unsigned char *at, const unsigned char *end, Py_ssize_t *continuing)
{
    const unsigned char *first = at;
    for (;;) {
        at += whole_strides(at, end, continuing);
        for (int i = 0; i < STRIDE; i++, at++) {
            if (at == end || !is_inside(at, end))
                return at - first;
            *continuing += (*at & 0xC0) == 0x80;
        }
    }
}

/* Is all of it white space, as `str.isspace` says? */
static int is_all_space(const char *text, Py_ssize_t length)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + length;
    while (at < end) {
        int blank = blank_at(at, end);
        if (!blank || (*at < 28 && !(*at >= 9 && *at <= 13)))
            return 0;
        at += blank;
    }
    return 1;
}

static inline int is_plain_blank(unsigned char c)
{
    return c <= 32 && Py_UNICODE_ISSPACE(c);
}

static void end_block(Gathered *gathered)
{
    if (!gathered->is_open)
        return;
    TextBlock *block = &gathered->blocks[gathered->block_count - 1];
    Bytes *whole = &gathered->whole;
    gathered->is_open = 0;
    while (whole->length > gathered->start && is_plain_blank((unsigned char)whole->bytes[whole->length - 1]))
        whole->length--, gathered->characters--; /* all other blanks have become these */
    if (whole->length > gathered->start) {
        block->text = string_of(whole->bytes + gathered->start, whole->length - gathered->start, gathered->characters);
        append(whole, "\n", 1);
    } else {
        Py_CLEAR(block->path);
        Py_CLEAR(block->signs);
        gathered->block_count--;
    }
}

/* Begin a block with references of its own to what is said of its place. */
static int begin_block(Gathered *gathered, PyObject *path, PyObject *signs, int is_verbatim)
{
    end_block(gathered);
    if (PyErr_Occurred())
        return 0;
    if (gathered->block_count == gathered->block_room) {
        TextBlock *blocks = grown(gathered->blocks, gathered->block_count, &gathered->block_room, 1, sizeof *blocks);
        if (!blocks)
            return 0;
        gathered->blocks = blocks;
    }
    gathered->blocks[gathered->block_count++] = (TextBlock){NULL, Py_NewRef(path), Py_NewRef(signs), 0};
    gathered->start = gathered->whole.length;
    gathered->characters = 0;
    gathered->is_open = 1;
    gathered->is_verbatim = is_verbatim;
    gathered->blank_waits = 0;
    return 1;
}

/* The places of the first character that is no blank and behind the last one. */
typedef struct {
    Py_ssize_t first, last;
} Stretch;

static int append_verbatim(Gathered *gathered, const Bytes *text, Stretch *stretch)
{
    const unsigned char *at = (const unsigned char *)text->bytes, *end = at + text->length;
    int is_blank = 0;
    stretch->first = gathered->characters;
    while (at < end) {
        int wide = *at < 0x80 ? 0 : blank_at(at, end);
        int length = wide ? wide : 1;
        is_blank = wide || *at == ' ';
        if (is_blank && stretch->first == gathered->characters && at == (const unsigned char *)text->bytes)
            stretch->first++;
        gathered->characters += (*at & 0xC0) != 0x80;
        if (!append(&gathered->whole, wide ? " " : (const char *)at, 1))
            return 0;
        at += length;
    }
    stretch->last = gathered->characters - is_blank;
    return 1;
}

static int append_squeezed(Gathered *gathered, const Bytes *text, Stretch *stretch)
{
    const unsigned char *at = (const unsigned char *)text->bytes, *end = at + text->length;
    Bytes *out = &gathered->whole;
    if (!has_room(out, text->length + 1))
        return 0;
    char *to = out->bytes + out->length;
    Py_ssize_t characters = gathered->characters;
    int waits = gathered->blank_waits;
    stretch->first = -1;
    stretch->last = 0;
    while (at < end) {
        int blank = *at <= 32 ? 1 : *at < 0x80 ? 0 : blank_at(at, end);
        if (blank) {
            waits = characters > 0;
            at += blank;
            continue;
        }
        if (waits) {
            *to++ = ' ';
            characters++;
            waits = 0;
        }
        if (stretch->first < 0)
            stretch->first = characters;
        Py_ssize_t continuing = 0, length = words_length(at, end, &continuing);
        memcpy(to, at, length);
        to += length;
        at += length;
        characters += length - continuing;
        stretch->last = characters;
    }
    gathered->blank_waits = waits;
    gathered->characters = characters;
    out->length = to - out->bytes;
    return 1;
}

/* Add text to the block under way, if there is one. */
static int append_text(Gathered *gathered, const Bytes *text, Stretch *stretch)
{
    if (!gathered->is_open)
        return 1;
    return gathered->is_verbatim ? append_verbatim(gathered, text, stretch) : append_squeezed(gathered, text, stretch);
}

/* NULL with an error set. */
static FoundLink *add_link(Gathered *gathered)
{
    if (gathered->link_count == gathered->link_room) {
        FoundLink *links = grown(gathered->links, gathered->link_count, &gathered->link_room, 1, sizeof *links);
        if (!links)
            return (FoundLink *)PyErr_NoMemory();
        gathered->links = links;
    }
    FoundLink *link = &gathered->links[gathered->link_count++];
    *link = (FoundLink){NULL, NULL, NULL, NULL, -1, 0, 0};
    return link;
}

/* Note that text of this link stands in the block under way. */
static void stand(Gathered *gathered, Py_ssize_t number, Stretch stretch)
{
    if (stretch.last <= stretch.first || stretch.first < 0)
        return;
    FoundLink *link = &gathered->links[number];
    Py_ssize_t block = gathered->block_count - 1;
    gathered->blocks[block].linked += stretch.last - stretch.first;
    if (link->block == block) {
        link->end = stretch.last;
    } else if (stretch.last - stretch.first > link->end - link->start) {
        link->block = block;
        link->start = stretch.first;
        link->end = stretch.last;
    }
}

static void free_gathered(Gathered *gathered)
{
    for (Py_ssize_t i = 0; i < gathered->block_count; i++) {
        Py_XDECREF(gathered->blocks[i].text);
        Py_XDECREF(gathered->blocks[i].path);
        Py_XDECREF(gathered->blocks[i].signs);
    }
    for (Py_ssize_t i = 0; i < gathered->link_count; i++) {
        FoundLink *link = &gathered->links[i];
        Py_XDECREF(link->href);
        Py_XDECREF(link->rel);
        Py_XDECREF(link->title);
        Py_XDECREF(link->alt);
    }
    PyMem_Free(gathered->blocks);
    PyMem_Free(gathered->links);
    PyMem_Free(gathered->whole.bytes);
}

#endif
