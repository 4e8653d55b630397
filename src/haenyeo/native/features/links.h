/* What a link on its page looks like: what `links.py` does. */
#ifndef HAENYEO_FEATURE_LINKS_H
#define HAENYEO_FEATURE_LINKS_H

#include "reading.h"

#define LONGEST_ANCHOR 12 /* words */
#define ANCHOR_ROOM 200 /* characters of an anchor that are looked at */
#define AROUND_ROOM 400 /* of the words on either side */
#define GRAM 4
#define LONGEST_SPELLING 4 /* words */
#define LONGEST_SPELLED_WORD 6
#define KINDS_OF_FEATURES 4

/* A part of a string. */
typedef struct {
    PyObject *string;
    Py_ssize_t start, end;
} Part;

typedef struct {
    PyObject *url, *path; /* strings */
    Part anchor, before, after;
} Link;

/* An address: where its host begins, its path, its last folder's end, and its path's end. */
typedef struct {
    Py_ssize_t host, path, folder, end;
} Address;

typedef struct {
    PyObject *url;             /* of the page */
    Address address;           /* the same */
    PyObject *objects, *paths; /* tuples with an item a link */
    PyObject *whole, *blocks;  /* the page's text, if links are given by places, and what it is made of */
    VIEW(const int64_t) places; /* of the links that are to be described */
    VIEW(const int32_t) spans;  /* where in the text they stand */
    Py_ssize_t links, described; /* all of them, and how many of the places were met */
    int has_odd_blanks;          /* the text has the one blank that could be taken for a letter, that of Ogham */
    Text text, spelled;
    Ids ids, ends;
} LinkPage;

static inline Py_ssize_t smaller(Py_ssize_t one, Py_ssize_t other)
{
    return one < other ? one : other;
}

static int bit_length(Py_ssize_t number)
{
    int bits = 0;
    for (; number > 0; number >>= 1)
        bits++;
    return bits;
}

/* Runs of four characters of the anchor's words with blanks between, digits taken for zeros. */
static void add_grams(Ids *ids, const Word *words, Py_ssize_t count)
{
    Py_UCS4 line[2 * ANCHOR_ROOM + 2 * LONGEST_ANCHOR + 8];
    Py_ssize_t length = 0, first = ids->count;
    for (Py_ssize_t w = 0; w < count; w++) {
        if (w)
            line[length++] = ' ';
        for (Py_ssize_t i = 0; i < words[w].length && length < 2 * ANCHOR_ROOM; i++)
            line[length++] = words[w].kind == DIGITS ? '0' : words[w].codes[i];
    }
    uint32_t start = crc_byte(CRC_START, '~');
    for (Py_ssize_t at = 0; at + GRAM <= length; at++)
        add_new_id(ids, first, place(crc_codes(start, line + at, GRAM)));
    forget_marks(ids, first);
}

static void add_pieces(Ids *ids, const Word *words, Py_ssize_t count)
{
    uint32_t start = crc_byte(CRC_START, '~');
    add_grams(ids, words, count);
    for (Py_ssize_t w = 1; w < count; w++) {
        uint32_t crc = crc_codes(start, words[w - 1].codes, words[w - 1].length);
        add_id(ids, place(crc_codes(crc_byte(crc, '_'), words[w].codes, words[w].length)));
    }
    add_id(ids, place(crc_number(start, count)));
}

static int is_lower_case(const Py_UCS4 *codes, Py_ssize_t count)
{
    int cased = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (codes[i] >= 'a' && codes[i] <= 'z')
            cased = 1;
        else if (codes[i] >= 0x80 && !is_hangul(codes[i])) {
            if (Py_UNICODE_ISUPPER(codes[i]) || Py_UNICODE_ISTITLE(codes[i]))
                return 0;
            cased |= Py_UNICODE_ISLOWER(codes[i]);
        } else if (codes[i] >= 'A' && codes[i] <= 'Z')
            return 0;
    }
    return cased;
}

/* Put how a word is spelled behind what is in `spelled`: a for small letters, A for large ones, 0 for a digit. */
static void spell(Text *spelled, const Py_UCS4 *codes, Py_ssize_t count)
{
    if (is_lower_case(codes, count)) {
        spelled->codes[spelled->count++] = 'a';
        return;
    }
    Py_ssize_t written = 0;
    Py_UCS4 run = 0;
    for (Py_ssize_t i = 0; i < count && written < LONGEST_SPELLED_WORD; i++) {
        Py_UCS4 code = codes[i];
        Py_UCS4 letter = code >= 'A' && code <= 'Z' ? 'A' : code >= 'a' && code <= 'z' ? 'a' : 0;
        if (letter && letter == run)
            continue;
        run = letter;
        spelled->codes[spelled->count++] = letter ? letter : code >= '0' && code <= '9' ? '0' : code;
        written++;
    }
}

static void spell_anchor(Text *spelled, const Text *anchor)
{
    Py_ssize_t words = 0;
    spelled->count = 0;
    for (Py_ssize_t i = 0; i < anchor->count && words < LONGEST_SPELLING;) {
        Py_ssize_t start = i;
        while (i < anchor->count && (is_hangul(anchor->codes[i]) || !Py_UNICODE_ISSPACE(anchor->codes[i])))
            i++;
        if (i > start) {
            if (words++)
                spelled->codes[spelled->count++] = ' ';
            spell(spelled, anchor->codes + start, i - start);
        }
        i++;
    }
}

static uint32_t crc_string(uint32_t crc, PyObject *string, Py_ssize_t start, Py_ssize_t end)
{
    int kind = PyUnicode_KIND(string);
    const void *data = PyUnicode_DATA(string);
    for (Py_ssize_t i = start; i < end; i++)
        crc = crc_code(crc, PyUnicode_READ(kind, data, i));
    return crc;
}

/* Where the part of a path begins that is behind the `count`th `>` from its end. */
static Py_ssize_t tail_of(PyObject *path, int count)
{
    Py_ssize_t at = PyUnicode_GET_LENGTH(path);
    while (at > 0)
        if (PyUnicode_READ_CHAR(path, at - 1) == '>' && --count == 0)
            break;
        else
            at--;
    return at;
}

static Address address_of(PyObject *url)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(url), at = PyUnicode_FindChar(url, ':', 0, length, 1);
    while (at >= 0 && !(length - at >= 3 && PyUnicode_READ_CHAR(url, at + 1) == '/' && PyUnicode_READ_CHAR(url, at + 2) == '/'))
        at = PyUnicode_FindChar(url, ':', at + 1, length, 1);
    Address found = {at < 0 ? length : at + 3, length, 0, length};
    for (at = found.host; at < length; at++) {
        Py_UCS4 code = PyUnicode_READ_CHAR(url, at);
        if (code == '?' || code == '#') {
            found.end = at;
            break;
        }
        if (code == '/') {
            found.path = smaller(found.path, at);
            found.folder = at;
        }
    }
    found.path = smaller(found.path, found.end);
    if (found.folder < found.path)
        found.folder = found.path;
    return found;
}

static int starts_with(PyObject *one, Address here, PyObject *other, Address there)
{
    Py_ssize_t length = there.folder - there.path;
    if (here.folder - here.path < length)
        return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (PyUnicode_READ_CHAR(one, here.path + i) != PyUnicode_READ_CHAR(other, there.path + i))
            return 0;
    return 1;
}

static int has_same_host(PyObject *one, Address here, PyObject *other, Address there)
{
    if (here.path - here.host != there.path - there.host)
        return 0;
    for (Py_ssize_t i = 0; i < here.path - here.host; i++)
        if (PyUnicode_READ_CHAR(one, here.host + i) != PyUnicode_READ_CHAR(other, there.host + i))
            return 0;
    return 1;
}

/* Where a link leads, seen from the page it stands on. */
static const char *direction(const LinkPage *page, PyObject *target)
{
    PyObject *source = page->url;
    Address here = page->address, there = address_of(target);
    if (!has_same_host(source, here, target, there))
        return "elsewhere";
    int below = starts_with(target, there, source, here);
    if (!below)
        return starts_with(source, here, target, there) ? "up" : "across";
    int deeper = 0;
    for (Py_ssize_t at = there.path + here.folder - here.path; at < there.folder; at++)
        deeper += PyUnicode_READ_CHAR(target, at) == '/';
    if (there.folder - there.path == here.folder - here.path)
        return "beside";
    return deeper == 0 ? "down 0" : deeper == 1 ? "down 1" : "down 2";
}

static void add_shape(LinkPage *page, const Link *link, Py_ssize_t beside)
{
    Ids *ids = &page->ids;
    const Text *spelled = &page->spelled;
    Part anchor = link->anchor;
    int starts_with_digit = anchor.end > anchor.start && Py_UNICODE_ISDIGIT(PyUnicode_READ_CHAR(anchor.string, anchor.start));
    Py_ssize_t end = PyUnicode_GET_LENGTH(link->path), tail = tail_of(link->path, 2), last = tail_of(link->path, 1);
    add_id(ids, place(crc_codes(crc_ascii(CRC_START, "#spelled "), spelled->codes, spelled->count)));
    uint32_t crc = crc_codes(crc_ascii(CRC_START, "#first "), spelled->codes, smaller(spelled->count, 1));
    add_id(ids, place(crc_ascii(crc, starts_with_digit ? "True" : "False")));
    add_id(ids, place(crc_string(crc_ascii(CRC_START, "#at "), link->path, tail, end)));
    add_id(ids, place(crc_number(crc_ascii(CRC_START, "#beside "), beside)));
    add_id(ids, place(crc_number(crc_ascii(CRC_START, "#of "), bit_length(page->links))));
    crc = crc_string(crc_ascii(CRC_START, "#at "), link->path, last, end);
    add_id(ids, place(crc_number(crc_byte(crc, ' '), beside)));
    add_id(ids, place(crc_ascii(crc_ascii(CRC_START, "#towards "), direction(page, link->url))));
}

/* The words of a part with single blanks between them: a new reference. */
static PyObject *squeezed(Part part)
{
    PyObject *text = PyUnicode_Substring(part.string, part.start, part.end);
    PyObject *words = text ? PyUnicode_Split(text, NULL, -1) : NULL, *blank = words ? PyUnicode_FromString(" ") : NULL;
    PyObject *line = blank ? PyUnicode_Join(blank, words) : NULL;
    Py_XDECREF(text);
    Py_XDECREF(words);
    Py_XDECREF(blank);
    return line;
}

/* Add the words beside a link, of which those nearest to it count. */
static int add_nearest(LinkPage *page, Part part, int from_end)
{
    Py_ssize_t length = part.end - part.start, cut = length > AROUND_ROOM ? length - AROUND_ROOM : 0;
    return add_words_of(&page->ids, part.string, part.start + (from_end ? cut : 0), part.end - (from_end ? 0 : cut), &page->text);
}

/* The same; a part of the page's text is squeezed before it is cut. */
static int add_around(LinkPage *page, Part part, int from_end)
{
    if (part.string != page->whole || (part.end - part.start <= AROUND_ROOM && !page->has_odd_blanks))
        return add_nearest(page, part, from_end);
    PyObject *line = squeezed(part);
    int result = line ? add_nearest(page, (Part){line, 0, PyUnicode_GET_LENGTH(line)}, from_end) : -1;
    Py_XDECREF(line);
    return result;
}

/* Add all features of a link, and where each of the four kinds ends. */
static int add_link(LinkPage *page, const Link *link, Py_ssize_t beside)
{
    Word words[LONGEST_ANCHOR];
    const Part anchor = link->anchor;
    Py_ssize_t count = 0, at = 0, end = smaller(anchor.end, anchor.start + ANCHOR_ROOM);
    if (copy_text(&page->text, anchor.string, anchor.start, end) < 0 || make_room(&page->spelled, (LONGEST_SPELLED_WORD + 1) * LONGEST_SPELLING) < 0)
        return -1;
    spell_anchor(&page->spelled, &page->text);
    if (lower_text(&page->text, anchor.string, anchor.start, end) < 0)
        return -1;
    while (count < LONGEST_ANCHOR && next_word(&page->text, &at, &words[count]))
        count++;
    for (Py_ssize_t w = 0; w < count; w++) {
        int32_t id = word_place(words[w]);
        if (id)
            add_id(&page->ids, id);
    }
    add_id(&page->ends, (int32_t)page->ids.count);
    add_pieces(&page->ids, words, count);
    add_id(&page->ends, (int32_t)page->ids.count);
    add_shape(page, link, beside);
    add_id(&page->ends, (int32_t)page->ids.count);
    if (add_around(page, link->before, 1) < 0 || add_around(page, link->after, 0) < 0)
        return -1;
    add_id(&page->ends, (int32_t)page->ids.count);
    return 0;
}

#endif
