/* What speaks for links and for the pages behind them: what `evidence.py` does with arrays. */
#define EVIDENCE 8 /* kinds of it */
#define HUB_PRIOR 3.0
#define GROUP_PRIOR 2.0
#define SOURCE_PRIOR 3.0
#define UNSURE 2e-3 /* no share observed in a crawl is closer to 0 or 1 */

enum { HUB, GROUP, FIRST_SUM, KNOWN = 5, LEADS, SOURCE };

/* Columns of links and pages. */
typedef struct {
    Features features;
    const int64_t *source, *group;
    const uint8_t *described;
    const double *relevance; /* of pages: not a number until one is fetched */
    const uint8_t *followed;
} Known;

/* What links are held against. */
typedef struct {
    const Pair *words, *weights;
    const double *numbers; /* the mean relevance, then the regression's two offsets */
} Held;

/* How relevant the fetched pages were that links of one kind led to. */
typedef struct {
    double total;
    int64_t count;
} Share;

typedef struct {
    Share *shares;
    int64_t first, size;
} Shares;

static double log_odds_of(double probability)
{
    double bounded = fmin(fmax(probability, UNSURE), 1 - UNSURE);
    return log(bounded / (1 - bounded));
}

static int count_shares(Shares *shares, const Known *known, const int64_t *kinds, Py_ssize_t first, Py_ssize_t last)
{
    int64_t least = kinds[first], most = kinds[first];
    for (Py_ssize_t row = first; row < last; row++) {
        least = kinds[row] < least ? kinds[row] : least;
        most = kinds[row] > most ? kinds[row] : most;
    }
    shares->first = least;
    shares->size = most - least + 1;
    shares->shares = PyMem_Calloc((size_t)shares->size, sizeof *shares->shares);
    if (!shares->shares) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t row = first; row < last; row++) {
        double relevance = known->relevance[known->features.targets[row]];
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

/* Add the evidence of a link to the sums of the page it leads to. */
static void add_link_evidence(const Known *known, const Held *held, const Shares *hubs, const Shares *groups, Py_ssize_t row, double *sums)
{
    double found[COLUMNS], mean = held->numbers[0], relevance = known->relevance[known->source[row]];
    weigh_link(&known->features, row, held->words, held->weights, found);
    sums[HUB] += share_of(hubs, known->source[row], mean, HUB_PRIOR);
    sums[GROUP] += share_of(groups, known->group[row], mean, GROUP_PRIOR);
    for (int column = 0; column < COLUMNS; column++)
        sums[FIRST_SUM + column] += found[column];
    sums[KNOWN] += held->numbers[1];
    sums[LEADS] += held->numbers[2];
    sums[SOURCE] += isnan(relevance) ? 0 : relevance;
}

/* Add the evidence of all described links of followed pages from `first` on; a fetched page needs none. */
static int add_evidence_of(const Known *known, const Held *held, Py_ssize_t first, Py_ssize_t last, double *sums, int64_t *links)
{
    Shares hubs = {0}, groups = {0};
    int result = -1;
    if (count_shares(&hubs, known, known->source, first, last) == 0 && count_shares(&groups, known, known->group, first, last) == 0) {
        for (Py_ssize_t row = first; row < last; row++) {
            int64_t target = known->features.targets[row];
            if (!known->described[row] || !known->followed[known->source[row]])
                continue;
            links[target]++;
            if (isnan(known->relevance[target]))
                add_link_evidence(known, held, &hubs, &groups, row, sums + EVIDENCE * target);
        }
        result = 0;
    }
    PyMem_Free(hubs.shares);
    PyMem_Free(groups.shares);
    return result;
}

/* The evidence of a page out of the sums over the links that lead to it. */
static void page_evidence_of(const double *sums, int64_t links, double mean, double *evidence)
{
    double count = links > 1 ? (double)links : 1;
    for (int kind = 0; kind < EVIDENCE; kind++)
        evidence[kind] = sums[kind] / count;
    evidence[SOURCE] = log_odds_of((sums[SOURCE] + SOURCE_PRIOR * mean) / ((double)links + SOURCE_PRIOR));
}
