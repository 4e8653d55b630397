/* The rounds of the regression: what `regression.py` does with arrays. */
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
    double *offsets, *expected;
    double penalty, step, least_curvature;
} Fit;

static int32_t used_at[TABLE]; /* 1 + the number of the feature in use at a place; all zero between calls */

static void add_entry(Fit *fit, const Pair *weights, int32_t place, float value)
{
    if (!used_at[place]) {
        fit->used[fit->used_count] = (Used){.weight = weights[place], .place = place};
        used_at[place] = (int32_t)++fit->used_count;
    }
    fit->entries[fit->entry_count++] = (Entry){used_at[place] - 1, value};
}

static void add_row(Fit *fit, const Features *features, int64_t row, const Pair *weights)
{
    const int32_t *bounds[KINDS + 1], *address[2];
    bounds_of(features, row, bounds, address);
    double norm = norm_of(bounds, address);
    for (int kind = 0; kind < KINDS; kind++)
        for (const int32_t *at = bounds[kind]; at < bounds[kind + 1]; at++)
            add_entry(fit, weights, kind == AROUND ? *at ^ AROUND_MASK : *at, (float)(IN_KIND[kind] * norm));
    for (const int32_t *at = address[0]; at < address[1]; at++)
        add_entry(fit, weights, *at, (float)(IN_ADDRESS * norm));
    fit->ends[fit->rows++] = fit->entry_count;
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

static void finish(Fit *fit, Pair *weights)
{
    for (Py_ssize_t i = 0; i < fit->used_count; i++) {
        weights[fit->used[i].place] = fit->used[i].weight;
        used_at[fit->used[i].place] = 0;
    }
    for (Py_ssize_t row = 0; row < fit->rows; row++) {
        Pair log_odds = row_sum(fit, row);
        fit->expected[2 * row] = log_odds.first + fit->offsets[0];
        fit->expected[2 * row + 1] = log_odds.second + fit->offsets[1];
    }
}

static Py_ssize_t count_entries(const Features *features, const int64_t *rows, Py_ssize_t count)
{
    Py_ssize_t entries = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        const int32_t *bounds[KINDS + 1], *address[2];
        bounds_of(features, rows[i], bounds, address);
        entries += bounds[KINDS] - bounds[0] + address[1] - address[0];
    }
    return entries;
}

static void run(Fit *fit, const Features *features, const int64_t *rows, Py_ssize_t count, int rounds, Pair *weights)
{
    Py_ssize_t entries = count_entries(features, rows, count);
    fit->entries = PyMem_Malloc((size_t)(entries + 1) * sizeof *fit->entries);
    fit->used = PyMem_Malloc((size_t)((entries < TABLE ? entries : TABLE) + 1) * sizeof *fit->used);
    fit->ends = PyMem_Malloc((size_t)(count + 1) * sizeof *fit->ends);
    if (fit->entries && fit->used && fit->ends) {
        for (Py_ssize_t i = 0; i < count; i++)
            add_row(fit, features, rows[i], weights);
        while (rounds--)
            do_round(fit);
        finish(fit, weights);
    } else
        PyErr_NoMemory();
    PyMem_Free(fit->entries);
    PyMem_Free(fit->used);
    PyMem_Free(fit->ends);
}
