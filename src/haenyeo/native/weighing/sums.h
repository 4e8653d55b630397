/* What the features of a link weigh together: what `weighing.py` does with arrays. */
#define TABLE (1 << 18)
#define KINDS 4
#define COLUMNS 5 /* of what `weigh_link` gives for each link */
#define AROUND_MASK 0x15A5A
#define TINY 1e-6

enum { ANCHOR, PIECES, SHAPE, AROUND };

static const float IN_KIND[KINDS] = {1.0f, 0.4f, 0.6f, 0.3f};
static const float IN_ADDRESS = 0.4f;

typedef struct {
    const int32_t *flat;
    const int64_t *ends;
} Lists;

typedef struct {
    float first, second;
} Pair;

typedef struct {
    Lists links, addresses;
    const int64_t *targets;
} Features;

static Pair sum(const int32_t *at, const int32_t *end, const Pair *weights, int32_t mask)
{
    Pair total = {0, 0};
    for (; at < end; at++) {
        Pair weight = weights[*at ^ mask];
        total.first += weight.first;
        total.second += weight.second;
    }
    return total;
}

static const int32_t *begin_of(const Lists *lists, int64_t row, int kinds)
{
    return lists->flat + (row ? lists->ends[row * kinds - 1] : 0);
}

/* The bounds of the four kinds of a link's features, and of its target's address. */
static void bounds_of(const Features *features, int64_t row, const int32_t **bounds, const int32_t **address)
{
    int64_t target = features->targets[row];
    bounds[0] = begin_of(&features->links, row, KINDS);
    for (int kind = 0; kind < KINDS; kind++)
        bounds[kind + 1] = features->links.flat + features->links.ends[row * KINDS + kind];
    address[0] = begin_of(&features->addresses, target, 1);
    address[1] = features->addresses.flat + features->addresses.ends[target];
}

static double norm_of(const int32_t **bounds, const int32_t **address)
{
    double squares = IN_ADDRESS * IN_ADDRESS * (double)(address[1] - address[0]);
    for (int kind = 0; kind < KINDS; kind++)
        squares += IN_KIND[kind] * IN_KIND[kind] * (double)(bounds[kind + 1] - bounds[kind]);
    return 1 / sqrt(squares + TINY);
}

static void weigh_link(const Features *features, int64_t row, const Pair *words, const Pair *weights, double *found)
{
    const int32_t *bounds[KINDS + 1], *address[2];
    bounds_of(features, row, bounds, address);
    Pair anchor = sum(bounds[ANCHOR], bounds[ANCHOR + 1], words, 0);
    Pair around = sum(bounds[AROUND], bounds[AROUND + 1], words, 0);
    Pair outcome = sum(address[0], address[1], weights, 0);
    double known = IN_ADDRESS * outcome.first, leads = IN_ADDRESS * outcome.second;
    for (int kind = 0; kind < KINDS; kind++) {
        outcome = sum(bounds[kind], bounds[kind + 1], weights, kind == AROUND ? AROUND_MASK : 0);
        known += IN_KIND[kind] * outcome.first;
        leads += IN_KIND[kind] * outcome.second;
    }
    double anchored = (double)(bounds[ANCHOR + 1] - bounds[ANCHOR]) + 1, norm = norm_of(bounds, address);
    found[0] = anchor.first / anchored;
    found[1] = around.first / ((double)(bounds[AROUND + 1] - bounds[AROUND]) + 1);
    found[2] = anchor.second / sqrt(anchored);
    found[3] = known * norm;
    found[4] = leads * norm;
}

static double logistic(double log_odds)
{
    return 1 / (1 + exp(-fmin(fmax(log_odds, -30), 30)));
}
