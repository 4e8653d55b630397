/* The rounds of the regression: what `regression.py` does with arrays. */
#ifndef HAENYEO_FITTING_H
#define HAENYEO_FITTING_H

#include "sums.h"

#define MOST_ROUNDS 1000

/* A feature in use: its weights for both outcomes, and the slope and bend of the loss along each. */
typedef struct {
    Pair weight, slope, bend;
    int32_t place;
} Used;

typedef struct {
    int32_t used;
    float value;
} Entry;

typedef struct {
    Entry *entries;
    Used *used;
    int64_t *ends;
    Py_ssize_t entry_count, used_count, rows;
    const double *wanted, *shares; /* two outcomes a row; how much a row counts, all together 1 */
    double *offsets, *expected;    /* two; two a row */
    double penalty, step, least_curvature;
} Fit;

static int32_t used_at[TABLE]; /* 1 + the number of the feature in use at a place; all zero between calls */

static void add_entry(Fit *fit, const Pair *weights, uint32_t place, float value)
{
    if (!used_at[place]) {
        fit->used[fit->used_count] = (Used){.weight = weights[place], .place = (int32_t)place};
        used_at[place] = (int32_t)++fit->used_count;
    }
    fit->entries[fit->entry_count++] = (Entry){used_at[place] - 1, value};
}

/* Returns 0 with an error set if a place is none of the table. */
static int add_span(Fit *fit, const Pair *weights, Span span, uint32_t mask, float value)
{
    uint32_t bits = 0;
    for (const int32_t *at = span.at; at < span.end; at++)
        bits |= (uint32_t)*at;
    if (!in_table(bits))
        return 0;
    for (const int32_t *at = span.at; at < span.end; at++)
        add_entry(fit, weights, (uint32_t)*at ^ mask, value);
    return 1;
}

static int add_row(Fit *fit, const Features *features, int64_t row, const Pair *weights)
{
    Span kinds[KINDS], address;
    if (!spans_of(features, row, kinds, &address))
        return 0;
    double norm = norm_of(kinds, &address);
    for (int kind = 0; kind < KINDS; kind++)
        if (!add_span(fit, weights, kinds[kind], kind == AROUND ? AROUND_MASK : 0, (float)(IN_KIND[kind] * norm)))
            return 0;
    if (!add_span(fit, weights, address, 0, (float)(IN_ADDRESS * norm)))
        return 0;
    fit->ends[fit->rows++] = fit->entry_count;
    return 1;
}

static Pair row_sum(const Fit *fit, Py_ssize_t row)
{
    Pair total = {0, 0};
    for (int64_t i = row ? fit->ends[row - 1] : 0; i < fit->ends[row]; i++) {
        const Entry entry = fit->entries[i];
        total.first += fit->used[entry.used].weight.first * entry.value;
        total.second += fit->used[entry.used].weight.second * entry.value;
    }
    return total;
}

typedef struct {
    double slope[2], curve[2];
} Totals;

/* Add what one row says to the slopes and bends of its features. */
static void add_slopes(Fit *fit, Py_ssize_t row, Totals *totals)
{
    Pair log_odds = row_sum(fit, row);
    double share = fit->shares[row];
    double one = logistic(log_odds.first + fit->offsets[0]), other = logistic(log_odds.second + fit->offsets[1]);
    double slopes[2] = {(one - fit->wanted[2 * row]) * share, (other - fit->wanted[2 * row + 1]) * share};
    double curves[2] = {fmax(one * (1 - one), fit->least_curvature) * share, fmax(other * (1 - other), fit->least_curvature) * share};
    for (int outcome = 0; outcome < 2; outcome++) {
        totals->slope[outcome] += slopes[outcome];
        totals->curve[outcome] += curves[outcome];
    }
    Pair slope = {(float)slopes[0], (float)slopes[1]}, curve = {(float)curves[0], (float)curves[1]};
    for (int64_t i = row ? fit->ends[row - 1] : 0; i < fit->ends[row]; i++) {
        const Entry entry = fit->entries[i];
        Used *used = &fit->used[entry.used];
        used->slope.first += slope.first * entry.value;
        used->slope.second += slope.second * entry.value;
        used->bend.first += curve.first * entry.value;
        used->bend.second += curve.second * entry.value;
    }
}

static float moved(float weight, float slope, float bend, const Fit *fit)
{
    return (float)(weight - fit->step * (slope + fit->penalty * weight) / (bend + 4 * fit->penalty));
}

static void do_round(Fit *fit)
{
    Totals totals = {{0, 0}, {0, 0}};
    for (Py_ssize_t row = 0; row < fit->rows; row++)
        add_slopes(fit, row, &totals);
    for (Py_ssize_t i = 0; i < fit->used_count; i++) {
        Used *used = &fit->used[i];
        used->weight.first = moved(used->weight.first, used->slope.first, used->bend.first, fit);
        used->weight.second = moved(used->weight.second, used->slope.second, used->bend.second, fit);
        used->slope = used->bend = (Pair){0, 0};
    }
    for (int outcome = 0; outcome < 2; outcome++)
        fit->offsets[outcome] -= totals.slope[outcome] / totals.curve[outcome] / 2;
}

/* The weights as they are now, and what is expected of each row with them. */
static void finish(Fit *fit, Pair *weights)
{
    for (Py_ssize_t i = 0; i < fit->used_count; i++)
        weights[fit->used[i].place] = fit->used[i].weight;
    for (Py_ssize_t row = 0; row < fit->rows; row++) {
        Pair log_odds = row_sum(fit, row);
        fit->expected[2 * row] = log_odds.first + fit->offsets[0];
        fit->expected[2 * row + 1] = log_odds.second + fit->offsets[1];
    }
}

/* How many features rows have, those in several counted for each; -1 with an error set. */
static Py_ssize_t count_entries(const Features *features, Numbers rows)
{
    Py_ssize_t entries = 0;
    for (Py_ssize_t i = 0; i < rows.count; i++) {
        Span kinds[KINDS], address;
        if (!spans_of(features, rows.items[i], kinds, &address))
            return -1;
        entries += kinds[KINDS - 1].end - kinds[0].at + address.end - address.at;
    }
    return entries;
}

/* Sets an error if the rows are not in order; the weights are then as they were. */
static void run(Fit *fit, const Features *features, Numbers rows, int rounds, Pair *weights)
{
    Py_ssize_t entries = count_entries(features, rows);
    if (entries < 0)
        return;
    fit->entries = room_for(entries, sizeof *fit->entries);
    fit->used = fit->entries ? room_for(entries < TABLE ? entries : TABLE, sizeof *fit->used) : NULL;
    fit->ends = fit->used ? room_for(rows.count, sizeof *fit->ends) : NULL;
    int done = fit->ends != NULL;
    for (Py_ssize_t i = 0; done && i < rows.count; i++)
        done = add_row(fit, features, rows.items[i], weights);
    for (; done && rounds > 0; rounds--)
        do_round(fit);
    if (done)
        finish(fit, weights);
    for (Py_ssize_t i = 0; i < fit->used_count; i++)
        used_at[fit->used[i].place] = 0;
    PyMem_Free(fit->entries);
    PyMem_Free(fit->used);
    PyMem_Free(fit->ends);
}

#endif
