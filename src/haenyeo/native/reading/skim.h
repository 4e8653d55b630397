/* Which blocks of a page of a known template are its text; the same as `read.site.skim` says in Python. */
#ifndef HAENYEO_SKIM_H
#define HAENYEO_SKIM_H

#include "../checked/fields.h"
#include "texts.h"

#define ROWS 3
#define WIDTH_BITS 15
#define MOST_CONTAINERS 62 /* the same as in skim.py */
#define KNOWN 0.8
#define ENOUGH 0.5
#define LONG_TEXT 800

/* Fields of a spot. */
enum { WITHIN, LIKELY, LIMIT, IS_SURE, LABELS, IS_HEADING, IS_FIXED, SPOT_FIELDS };

/* Why a block is not its page's own. */
enum { OWN, OF_TEMPLATE, LABELLED };

typedef struct {
    PyObject *text, *path, *spot; /* owned */
    int64_t within;               /* a bit for each container */
    double likely, limit;
    int is_often, is_kept;
} SkimmedBlock;

typedef struct {
    SkimmedBlock *blocks;
    Py_ssize_t count;
    const uint8_t *cells;
    PyObject *is_line_numbers;
} Skimming;

/* Returns 0 with an error set. */
static int is_spot(PyObject *spot)
{
    int is = PyTuple_Check(spot) && PyTuple_GET_SIZE(spot) >= SPOT_FIELDS;
    if (!is)
        PyErr_SetString(PyExc_TypeError, "that is no spot");
    return is;
}

/* The spot of a path: a new reference. Spots are known by the hashes of paths, which take less room. */
static PyObject *spot_of(PyObject *path, PyObject *spots, PyObject *look_up)
{
    Py_hash_t hash = PyObject_Hash(path);
    PyObject *key = hash == -1 ? NULL : PyLong_FromSsize_t(hash);
    PyObject *spot = key ? PyDict_GetItemWithError(spots, key) : NULL;
    Py_XDECREF(key);
    if (!spot && PyErr_Occurred())
        return NULL;
    spot = spot ? Py_NewRef(spot) : PyObject_CallOneArg(look_up, path);
    if (spot && !is_spot(spot))
        Py_CLEAR(spot);
    return spot;
}

/* Have what a block's spot says in numbers; returns 0 with an error set. */
static int read_spot(SkimmedBlock *block)
{
    block->within = PyLong_AsLongLong(PyTuple_GET_ITEM(block->spot, WITHIN));
    block->likely = PyFloat_AsDouble(PyTuple_GET_ITEM(block->spot, LIKELY));
    block->limit = PyFloat_AsDouble(PyTuple_GET_ITEM(block->spot, LIMIT));
    return !PyErr_Occurred();
}

static int take_blocks(Skimming *skimming, PyObject *blocks, PyObject *spots, PyObject *look_up)
{
    static Field text, path;
    for (; skimming->count < PyTuple_GET_SIZE(blocks); skimming->count++) {
        PyObject *block = PyTuple_GET_ITEM(blocks, skimming->count);
        SkimmedBlock *to = &skimming->blocks[skimming->count];
        to->text = field_of(block, names.text, &text);
        to->path = to->text ? field_of(block, names.path, &path) : NULL;
        if (!to->path || !is_string(to->text, "a text"))
            return 0;
        if (skimming->count && to->path == to[-1].path) { /* neighbours often stand at one place */
            to->spot = Py_NewRef(to[-1].spot);
            to->within = to[-1].within;
            to->likely = to[-1].likely;
            to->limit = to[-1].limit;
            continue;
        }
        to->spot = spot_of(to->path, spots, look_up);
        if (!to->spot || !read_spot(to))
            return 0;
    }
    return 1;
}

static void free_blocks(const Skimming *skimming, Py_ssize_t size)
{
    for (Py_ssize_t i = 0; i < size; i++) {
        Py_XDECREF(skimming->blocks[i].text);
        Py_XDECREF(skimming->blocks[i].path);
        Py_XDECREF(skimming->blocks[i].spot);
    }
    PyMem_Free(skimming->blocks);
}

/* The number of the first container that is worth enough on the page, or -1. */
static int find_container(const Skimming *skimming, int containers)
{
    double unknown = 0, all = 0, total = 0, worth[MOST_CONTAINERS] = {0}, sizes[MOST_CONTAINERS] = {0};
    for (Py_ssize_t i = 0; i < skimming->count; i++) {
        const SkimmedBlock *block = &skimming->blocks[i];
        double size = (double)PyUnicode_GET_LENGTH(block->text), likely = block->likely;
        all += size;
        if (likely < 0) {
            unknown += size;
            continue;
        }
        total += size * likely;
        int64_t bits = block->within;
        for (int number = 0; bits && number < containers; number++, bits >>= 1)
            if (bits & 1) {
                worth[number] += size * likely;
                sizes[number] += size;
            }
    }
    if (unknown > (1 - KNOWN) * all)
        return -1;
    for (int number = 0; number < containers; number++)
        if (worth[number] > 0 && 2 * worth[number] >= ENOUGH * (sizes[number] + total))
            return number;
    return -1;
}

static double count_of(const Skimming *skimming, uint64_t key)
{
    static const uint64_t FACTORS[ROWS] = {0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u};
    uint8_t least = 255;
    for (int row = 0; row < ROWS; row++) {
        uint8_t cell = skimming->cells[((size_t)row << WIDTH_BITS) + (key * FACTORS[row] >> (64 - WIDTH_BITS))];
        least = cell < least ? cell : least;
    }
    return least;
}

/* Is it the template's, or a line that says what it is? OWN if neither; -1 with an error set. */
static int is_often(const Skimming *skimming, const SkimmedBlock *block)
{
    PyObject *labels = PyTuple_GET_ITEM(block->spot, LABELS);
    double limit = block->limit;
    if (!Py_IS_INFINITY(limit)) {
        uint64_t key;
        if (!find_key(block->text, &key))
            return -1;
        if (count_of(skimming, key) > limit)
            return OF_TEMPLATE;
    }
    if (labels == Py_None)
        return OWN;
    Text text = text_of(block->text);
    PyObject *opening = PyLong_FromLong(opening_key(&text));
    int found = opening ? PySet_Contains(labels, opening) : -1;
    Py_XDECREF(opening);
    return found > 0 ? LABELLED : found;
}

/* Could this be line numbers: several of them, or a lone 1? */
static int may_be_numbers(const Text *text)
{
    int has_blank = 0;
    for (Py_ssize_t i = 0; i < text->length; i++) {
        int is_blank = Py_UNICODE_ISSPACE(at(text, i));
        if (!is_blank && !(at(text, i) >= '0' && at(text, i) <= '9'))
            return 0;
        has_blank |= is_blank;
    }
    return has_blank || (text->length == 1 && at(text, 0) == '1');
}

/* Is it line numbers, or a long text that was said before? -1 with an error set. */
static int is_silent(const Skimming *skimming, const SkimmedBlock *block, PyObject *said)
{
    Text text = text_of(block->text);
    if (text.length > LONG_TEXT) {
        int is_said = PySet_Contains(said, block->text);
        return is_said || !PySet_Add(said, block->text) ? is_said : -1;
    }
    if (!may_be_numbers(&text))
        return 0;
    PyObject *answer = PyObject_CallFunctionObjArgs(skimming->is_line_numbers, block->text, block->path, NULL);
    int is = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is;
}

/* Is this a heading that stands on most pages, such as the first one of every page of a manual? */
static int is_common_heading(const SkimmedBlock *block)
{
    return block->is_often == OF_TEMPLATE && PyTuple_GET_ITEM(block->spot, IS_HEADING) == Py_True;
}

/* Does the block at a place where only the template's lines stand say nothing of what follows it? */
static int is_promise(const Skimming *skimming, Py_ssize_t number)
{
    if (PyTuple_GET_ITEM(skimming->blocks[number].spot, IS_FIXED) != Py_True)
        return 0;
    const SkimmedBlock *following = number + 1 < skimming->count ? &skimming->blocks[number + 1] : NULL;
    return !following || following->is_often != OWN || !following->is_kept;
}

/* Keep the blocks in the container (-1: all) that are their page's own; returns 0 with an error set. */
static int keep_own(Skimming *skimming, int container)
{
    Py_ssize_t first = skimming->count, first_text = skimming->count, last = -1;
    for (Py_ssize_t i = 0; i < skimming->count; i++) {
        SkimmedBlock *block = &skimming->blocks[i];
        if (container >= 0 && !(block->within >> container & 1))
            continue;
        int often = is_often(skimming, block);
        if (often < 0)
            return 0;
        block->is_often = often;
        block->is_kept = !often;
        if (often == OWN) {
            first = i < first ? i : first;
            last = i;
            if (i < first_text && PyTuple_GET_ITEM(block->spot, IS_HEADING) != Py_True)
                first_text = i;
        }
    }
    while (last >= 0 && first > 0 && is_common_heading(&skimming->blocks[first - 1]))
        first--;
    for (Py_ssize_t i = first; i < last; i++) {
        SkimmedBlock *block = &skimming->blocks[i];
        int is_between = block->is_often == LABELLED ? i > first_text : block->is_often == OF_TEMPLATE;
        is_between = is_between && PyTuple_GET_ITEM(block->spot, IS_SURE) == Py_True;
        block->is_kept |= is_between && !is_promise(skimming, i);
    }
    return 1;
}

/* The numbers of the blocks that are kept: a new list. */
static PyObject *kept_numbers(const Skimming *skimming)
{
    PyObject *kept = PyList_New(0), *said = PySet_New(NULL);
    for (Py_ssize_t i = 0; kept && said && i < skimming->count; i++) {
        const SkimmedBlock *block = &skimming->blocks[i];
        int silent = block->is_kept ? is_silent(skimming, block, said) : 1;
        PyObject *number = silent ? NULL : PyLong_FromSsize_t(i);
        if (silent < 0 || (!silent && (!number || PyList_Append(kept, number))))
            Py_CLEAR(kept);
        Py_XDECREF(number);
    }
    Py_XDECREF(said);
    return kept;
}

#endif
