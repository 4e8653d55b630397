/* Sums over a page's words, which are places of a table. */

static void add_to_table(float *table, const int32_t *places, Py_ssize_t count, float value)
{
    for (Py_ssize_t i = 0; i < count; i++)
        table[places[i]] += value;
}

/* A page's words, weighed by `idf`. */
typedef struct {
    const int32_t *places;
    const float *weights, *idf;
    Py_ssize_t count;
} WordsOfPage;

/* What they are multiplied with to become a vector of length 1. */
static double length_of(const WordsOfPage *page)
{
    double squares = 0;
    for (Py_ssize_t i = 0; i < page->count; i++) {
        double value = page->weights[i] * page->idf[page->places[i]];
        squares += value * value;
    }
    return sqrt(squares) + 1e-9;
}

/* How far a page goes in a direction, taken as a vector of length 1. */
static double match_of(const WordsOfPage *page, const float *direction)
{
    double match = 0;
    for (Py_ssize_t i = 0; i < page->count; i++)
        match += (double)(page->weights[i] * page->idf[page->places[i]]) * direction[page->places[i]];
    return match / length_of(page);
}

/* Add a page, taken as a vector of the length `share`, to a table. */
static void add_vector_to(float *table, const WordsOfPage *page, double share)
{
    double factor = share / length_of(page);
    for (Py_ssize_t i = 0; i < page->count; i++)
        table[page->places[i]] += (float)(page->weights[i] * page->idf[page->places[i]] * factor);
}
