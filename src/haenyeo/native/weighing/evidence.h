/* What speaks for links and for the pages behind them: what `evidence.py` does with arrays. */
#ifndef HAENYEO_EVIDENCE_H
#define HAENYEO_EVIDENCE_H

#include "sums.h"

#define EVIDENCE 8 /* kinds of it that are sums over links */
#define NAMED 4 /* kinds of it that say what links to a page name */
#define ALL_EVIDENCE (EVIDENCE + NAMED + 1)
#define SUMS 9 /* what is added up for a page: the kinds, and how many fetched pages those lists have led to that name it */
#define HUB_PRIOR 3.0
#define GROUP_PRIOR 2.0
#define SOURCE_PRIOR 3.0
#define UNSURE 2e-3 /* no share observed in a crawl is closer to 0 or 1 */

enum { HUB, GROUP, FIRST_SUM, KNOWN = 5, LEADS, SOURCE, LED_TO };

typedef VIEW(const uint8_t) Flags;
typedef VIEW(const double) Doubles;

/* Columns of links and pages. */
typedef struct {
    Features features;
    Numbers source, group;
    Flags described;
    Doubles relevance; /* of pages: not a number until one is fetched */
    Flags followed;
} Known;

/* What links are held against. */
typedef struct {
    const Pair *words, *weights;
    Doubles numbers; /* the mean relevance, then the regression's two offsets */
} Held;

/* Where evidence is added up: a row of sums a page, and how many links lead to it. */
typedef struct {
    VIEW(double) sums;
    VIEW(uint64_t) links;
} Added;

/* How relevant the fetched pages were that links of one kind led to. */
typedef struct {
    double total;
    int64_t count;
} Share;

typedef struct {
    Share *shares;
    int64_t first;
} Shares;

static double log_odds_of(double probability)
{
    double bounded = fmin(fmax(probability, UNSURE), 1 - UNSURE);
    return log(bounded / (1 - bounded));
}

/* Are the columns as long as they must be, and do links lead from and to pages that are known? Sets an error if not. */
static int are_columns(const Known *known, const Added *to, Py_ssize_t first)
{
    Py_ssize_t links = known->source.count, pages = known->relevance.count;
    if (!has_items(known->features.targets.count, links) || !has_items(known->group.count, links) || !has_items(known->described.count, links)
        || !has_items(known->followed.count, pages) || !has_items(to->sums.count, size_product(pages, SUMS)) || !has_items(to->links.count, pages))
        return 0;
    int are_known = first >= 0;
    for (Py_ssize_t row = first; are_known && row < links; row++)
        are_known = is_place(known->source.items[row], pages) && is_place(known->features.targets.items[row], pages) && known->group.items[row] >= 0;
    if (!are_known)
        PyErr_SetString(PyExc_ValueError, "a link leads from or to a page that is not known");
    return are_known;
}

/* Kinds are not below zero. */
static int count_shares(Shares *shares, const Known *known, const int64_t *kinds, Py_ssize_t first, Py_ssize_t last)
{
    int64_t least = kinds[first], most = kinds[first];
    for (Py_ssize_t row = first; row < last; row++) {
        least = kinds[row] < least ? kinds[row] : least;
        most = kinds[row] > most ? kinds[row] : most;
    }
    shares->first = least;
    shares->shares = zeros_for((Py_ssize_t)(most - least), sizeof *shares->shares);
    if (!shares->shares)
        return -1;
    for (Py_ssize_t row = first; row < last; row++) {
        double relevance = known->relevance.items[known->features.targets.items[row]];
        if (!isnan(relevance)) {
            Share *share = &shares->shares[kinds[row] - least];
            share->total += relevance;
            share->count++;
        }
    }
    return 0;
}

static double share_of(const Shares *shares, int64_t kind, double mean, double prior)
{
    const Share *share = &shares->shares[kind - shares->first];
    return log_odds_of((share->total + prior * mean) / ((double)share->count + prior));
}

/* Add the evidence of a link to the sums of the page it leads to; returns 0 with an error set. */
static int add_link_evidence(const Known *known, const Held *held, const Shares *hubs, const Shares *groups, Py_ssize_t row, double *sums)
{
    int64_t source = known->source.items[row];
    double found[COLUMNS], mean = held->numbers.items[0], relevance = known->relevance.items[source];
    if (!weigh_link(&known->features, row, held->words, held->weights, found))
        return 0;
    sums[HUB] += share_of(hubs, source, mean, HUB_PRIOR);
    const Share *group = &groups->shares[known->group.items[row] - groups->first];
    sums[GROUP] += group->total;
    sums[LED_TO] += (double)group->count;
    for (int column = 0; column < COLUMNS; column++)
        sums[FIRST_SUM + column] += found[column];
    sums[KNOWN] += held->numbers.items[1];
    sums[LEADS] += held->numbers.items[2];
    sums[SOURCE] += isnan(relevance) ? 0 : relevance;
    return 1;
}

/* Add the evidence of all described links of followed pages from `first` on; a fetched page needs none. Sets an error if
   columns are not as they should be. */
static void add_evidence_of(const Known *known, const Held *held, Py_ssize_t first, const Added *to)
{
    Shares hubs = {0}, groups = {0};
    Py_ssize_t last = known->source.count;
    int done = first < last && count_shares(&hubs, known, known->source.items, first, last) == 0
               && count_shares(&groups, known, known->group.items, first, last) == 0;
    for (Py_ssize_t row = first; done && row < last; row++) {
        int64_t target = known->features.targets.items[row];
        if (!known->described.items[row] || !known->followed.items[known->source.items[row]])
            continue;
        to->links.items[target]++;
        if (isnan(known->relevance.items[target]))
            done = add_link_evidence(known, held, &hubs, &groups, row, to->sums.items + SUMS * target);
    }
    PyMem_Free(hubs.shares);
    PyMem_Free(groups.shares);
}

/* The evidence of a page out of the sums over the links that lead to it. */
static void page_evidence_of(const double *sums, int64_t links, double mean, double *evidence)
{
    double count = links > 1 ? (double)links : 1;
    for (int kind = 0; kind < EVIDENCE; kind++)
        evidence[kind] = sums[kind] / count;
    evidence[GROUP] = log_odds_of((sums[GROUP] + GROUP_PRIOR * mean) / (sums[LED_TO] + GROUP_PRIOR));
    evidence[SOURCE] = log_odds_of((sums[SOURCE] + SOURCE_PRIOR * mean) / ((double)links + SOURCE_PRIOR));
}

/* What pages are known by: a row of sums and a row of names a page, how many links lead to it, and what lists say. */
typedef struct {
    Doubles sums;
    Numbers links;
    VIEW(const float) named;
    Doubles beside;
} Gathered;

/* Have the columns as many rows as there are pages? Sets an error if not. */
static int are_gathered(const Gathered *gathered)
{
    Py_ssize_t pages = gathered->links.count;
    return has_items(gathered->sums.count, size_product(pages, SUMS)) && has_items(gathered->named.count, size_product(pages, NAMED))
           && has_items(gathered->beside.count, pages);
}

/* All evidence of a page. */
static void all_evidence_of(const Gathered *gathered, int64_t page, double mean, double *evidence)
{
    page_evidence_of(gathered->sums.items + SUMS * page, gathered->links.items[page], mean, evidence);
    for (int kind = 0; kind < NAMED; kind++)
        evidence[EVIDENCE + kind] = gathered->named.items[NAMED * page + kind];
    evidence[EVIDENCE + NAMED] = gathered->beside.items[page];
}

#endif
