/* What the features of a link weigh together: what `weighing.py` does with arrays. */
#ifndef HAENYEO_SUMS_H
#define HAENYEO_SUMS_H

#include <math.h>

#include "../checked/views.h"

#define TABLE (1 << 18)
#define KINDS 4
#define COLUMNS 5 /* of what `weigh_link` gives for each link */
#define AROUND_MASK 0x15A5A
#define TINY 1e-6

enum { ANCHOR, PIECES, SHAPE, AROUND };

static const float IN_KIND[KINDS] = {1.0f, 0.4f, 0.6f, 0.3f};
static const float IN_ADDRESS = 0.4f;

typedef VIEW(const int32_t) Places;
typedef VIEW(const int64_t) Numbers;

typedef struct {
    Places flat;
    Numbers ends;
} Lists;

typedef struct {
    float first, second;
} Pair;

typedef struct {
    Lists links, addresses;
    Numbers targets;
} Features;

/* Weights for each place of the table, given by floats in pairs; NULL with an error set if there are not that many. */
static Pair *pairs_of(Views *views, PyObject *object, int flags)
{
    Py_ssize_t count;
    void *floats = take_items(views, object, flags, sizeof(float), &count);
    return has_items(count, 2 * (Py_ssize_t)TABLE) ? floats : NULL;
}

/* A stretch of places, and all bits that any of them has: places that are none of the table show in the higher ones. */
typedef struct {
    const int32_t *at, *end;
} Span;

static inline Pair sum(Span span, const Pair *weights, uint32_t mask, uint32_t *bits)
{
    Pair total = {0, 0};
    uint32_t all = 0;
    for (const int32_t *at = span.at; at < span.end; at++) {
        uint32_t place = (uint32_t)*at ^ mask;
        Pair weight = weights[place & (TABLE - 1)];
        all |= place;
        total.first += weight.first;
        total.second += weight.second;
    }
    *bits |= all;
    return total;
}

/* Did all places lie in the table? Returns 0 with an error set if not. */
static int in_table(uint32_t bits)
{
    if (bits < TABLE)
        return 1;
    PyErr_SetString(PyExc_ValueError, "a feature lies outside of the table");
    return 0;
}

/* The places of so many lists from this number on; returns 0 if there are no such. */
static inline int take_spans(const Lists *lists, int64_t number, int count, Span *spans)
{
    const int64_t *ends = lists->ends.items + number;
    int64_t first = number ? ends[-1] : 0, most = lists->flat.count;
    int found = first >= 0;
    for (int i = 0; i < count && found; i++) {
        found = ends[i] >= first && ends[i] <= most;
        spans[i] = (Span){lists->flat.items + first, lists->flat.items + (found ? ends[i] : first)};
        first = ends[i];
    }
    return found;
}

/* The four kinds of a link's features, and those of its target's address; returns 0 with an error set. */
static inline int spans_of(const Features *features, int64_t row, Span *kinds, Span *address)
{
    int64_t target = is_place(row, features->targets.count) ? features->targets.items[row] : -1;
    if (is_place(target, features->addresses.ends.count) && row < features->links.ends.count / KINDS
        && take_spans(&features->addresses, target, 1, address) && take_spans(&features->links, row * KINDS, KINDS, kinds))
        return 1;
    PyErr_SetString(PyExc_ValueError, "a link's features are not where they should be");
    return 0;
}

static double norm_of(const Span *kinds, const Span *address)
{
    double squares = IN_ADDRESS * IN_ADDRESS * (double)(address->end - address->at);
    for (int kind = 0; kind < KINDS; kind++)
        squares += IN_KIND[kind] * IN_KIND[kind] * (double)(kinds[kind].end - kinds[kind].at);
    return 1 / sqrt(squares + TINY);
}

/* Returns 0 with an error set if the link's features are not in order. */
static int weigh_link(const Features *features, int64_t row, const Pair *words, const Pair *weights, double *found)
{
    Span kinds[KINDS], address;
    uint32_t bits = 0;
    if (!spans_of(features, row, kinds, &address))
        return 0;
    Pair anchor = sum(kinds[ANCHOR], words, 0, &bits);
    Pair around = sum(kinds[AROUND], words, 0, &bits);
    Pair outcome = sum(address, weights, 0, &bits);
    double known = IN_ADDRESS * outcome.first, leads = IN_ADDRESS * outcome.second;
    for (int kind = 0; kind < KINDS; kind++) {
        outcome = sum(kinds[kind], weights, kind == AROUND ? AROUND_MASK : 0, &bits);
        known += IN_KIND[kind] * outcome.first;
        leads += IN_KIND[kind] * outcome.second;
    }
    double anchored = (double)(kinds[ANCHOR].end - kinds[ANCHOR].at) + 1, norm = norm_of(kinds, &address);
    found[0] = anchor.first / anchored;
    found[1] = around.first / ((double)(kinds[AROUND].end - kinds[AROUND].at) + 1);
    found[2] = anchor.second / sqrt(anchored);
    found[3] = known * norm;
    found[4] = leads * norm;
    return in_table(bits);
}

static double logistic(double log_odds)
{
    return 1 / (1 + exp(-fmin(fmax(log_odds, -30), 30)));
}

#endif
