/* Which links of a page are to be described, and which pages it is a door to: what `mentions.py` does with arrays. */
#ifndef HAENYEO_MENTIONS_H
#define HAENYEO_MENTIONS_H

#include "evidence.h"

/* Of links to a page, so many are all described; those to a fetched page so much more rarely. Both are above zero. */
typedef struct {
    int64_t all_described, rarely;
} Thrift;

/* Are these pages of so many? Returns 0 with an error set if not. */
static int are_pages(Numbers targets, Py_ssize_t pages)
{
    for (Py_ssize_t i = 0; i < targets.count; i++)
        if (!is_place(targets.items[i], pages)) {
            PyErr_SetString(PyExc_ValueError, "a link leads to a page that is not known");
            return 0;
        }
    return 1;
}

/* Of how many links to a page with so many one is described. */
static uint64_t steps_at(int64_t mentions, int64_t all_described)
{
    uint64_t steps = 1;
    for (; mentions >= all_described; mentions /= 2)
        steps *= 2;
    return steps;
}

/* The places of the links to describe, by how many led to the same pages before; how many there are. */
static Py_ssize_t choose_places(Numbers targets, const int64_t *mentions, const double *relevance, Thrift thrift, int64_t *places)
{
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < targets.count; i++) {
        int64_t target = targets.items[i], before = mentions[target];
        uint64_t rarely = isnan(relevance[target]) ? 1 : (uint64_t)thrift.rarely;
        if (!((uint64_t)before & (steps_at(before, thrift.all_described) * rarely - 1)))
            places[found++] = i;
    }
    return found;
}

/* Count a page's links to others, once each however often it links to one. */
static void count_mentions(Numbers targets, int64_t *mentions, int64_t *known)
{
    for (Py_ssize_t i = 0; i < targets.count; i++)
        known[i] = mentions[targets.items[i]];
    for (Py_ssize_t i = 0; i < targets.count; i++)
        mentions[targets.items[i]] = (int64_t)((uint64_t)known[i] + 1);
}

/* Mark those pages as doors whose folder is none of those the linking page is in. */
static void mark_doors(Numbers targets, Numbers homes, Numbers around, uint8_t *doors)
{
    for (Py_ssize_t i = 0; i < targets.count; i++) {
        int inside = 0;
        for (Py_ssize_t folder = 0; folder < around.count; folder++)
            inside |= homes.items[targets.items[i]] == around.items[folder];
        doors[targets.items[i]] |= !inside;
    }
}

#define NAMED 4 /* numbers noted of each page, the first two of words in links to it and beside them */

/* The places of the table that are asked for, the most of them that count in a link and beside it, and what is noted. */
typedef struct {
    Flags asked;
    long most, most_beside;
    VIEW(float) best;
} Naming;

/* How many of a stretch of places are asked for; the bits of all are added. */
static long asked_in(Span span, Flags asked, uint32_t *bits)
{
    long found = 0;
    for (const int32_t *at = span.at; at < span.end; at++) {
        *bits |= (uint32_t)*at;
        found += asked.items[(uint32_t)*at & (TABLE - 1)] != 0;
    }
    return found;
}

static void raise_to(float *best, long found, long most)
{
    float counted = (float)(found < most ? found : most);
    *best = counted > *best ? counted : *best;
}

/* Note what a link names for the page it leads to; returns 0 with an error set. */
static int note_named(const Features *features, Py_ssize_t row, const Naming *naming)
{
    Span kinds[KINDS], address;
    uint32_t bits = 0;
    if (!spans_of(features, row, kinds, &address))
        return 0;
    int64_t target = features->targets.items[row];
    if (!is_place(target, naming->best.count / NAMED))
        return has_items(naming->best.count, size_product(target + 1, NAMED));
    float *best = naming->best.items + target * NAMED;
    raise_to(&best[0], asked_in(kinds[ANCHOR], naming->asked, &bits), naming->most);
    raise_to(&best[1], asked_in(kinds[AROUND], naming->asked, &bits), naming->most_beside);
    return in_table(bits);
}

#endif
