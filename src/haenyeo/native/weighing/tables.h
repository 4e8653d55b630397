/* Sums over a page's words, which are places of a table. */
#ifndef HAENYEO_TABLES_H
#define HAENYEO_TABLES_H

#include "evidence.h"

typedef VIEW(float) Table;
typedef VIEW(const float) Floats;

/* Are these places of a table with so many? Returns 0 with an error set if not. */
static int are_places(Places places, Py_ssize_t table)
{
    uint32_t largest = 0;
    for (Py_ssize_t i = 0; i < places.count; i++)
        largest = (uint32_t)places.items[i] > largest ? (uint32_t)places.items[i] : largest;
    if (!places.count || (largest <= INT32_MAX && is_place(largest, table)))
        return 1;
    PyErr_SetString(PyExc_ValueError, "a word lies outside of the table");
    return 0;
}

static void add_to_table(Table table, Places places, float value)
{
    for (Py_ssize_t i = 0; i < places.count; i++)
        table.items[places.items[i]] += value;
}

/* A page's words, weighed by `idf`. */
typedef struct {
    Places places;
    Floats weights, idf;
} WordsOfPage;

/* What they are multiplied with to become a vector of length 1. */
static double length_of(const WordsOfPage *page)
{
    double squares = 0;
    for (Py_ssize_t i = 0; i < page->places.count; i++) {
        double value = page->weights.items[i] * page->idf.items[page->places.items[i]];
        squares += value * value;
    }
    return sqrt(squares) + 1e-9;
}

/* How far a page goes in a direction, taken as a vector of length 1. */
static double match_of(const WordsOfPage *page, Floats direction)
{
    double match = 0;
    for (Py_ssize_t i = 0; i < page->places.count; i++) {
        int32_t place = page->places.items[i];
        match += (double)(page->weights.items[i] * page->idf.items[place]) * direction.items[place];
    }
    return match / length_of(page);
}

/* Add a page, taken as a vector of the length `share`, to a table. */
static void add_vector_to(Table table, const WordsOfPage *page, double share)
{
    double factor = share / length_of(page);
    for (Py_ssize_t i = 0; i < page->places.count; i++) {
        int32_t place = page->places.items[i];
        table.items[place] += (float)(page->weights.items[i] * page->idf.items[place] * factor);
    }
}

/* The numbers of a sketch, and how a place of the table is hashed to one of them. */
#define SKETCH_BITS 9
#define SKETCH_NUMBERS (1 << SKETCH_BITS)
#define KNUTHS_MULTIPLIER 2654435761u

/* Fold a page, whose `idf` has the signs of its places, into a vector of length 1 with few numbers. */
static void sketch_of(const WordsOfPage *page, float *numbers)
{
    double sums[SKETCH_NUMBERS] = {0};
    double length = length_of(page);
    for (Py_ssize_t i = 0; i < page->places.count; i++) {
        int32_t place = page->places.items[i];
        sums[((uint32_t)place * KNUTHS_MULTIPLIER) >> (32 - SKETCH_BITS)] += page->weights.items[i] * page->idf.items[place];
    }
    for (int i = 0; i < SKETCH_NUMBERS; i++)
        numbers[i] = (float)(sums[i] / length);
}

/* Sketches of pages, the values that each has, two of them, and how many are looked for. */
#define VALUES 2
#define MOST_NEAR 32

typedef struct {
    Floats sketches;
    Doubles values;
    Py_ssize_t most;
} Pool;

/* Does each sketch have its values? Returns 0 with an error set if not. */
static int is_pool(const Pool *pool)
{
    if (pool->most >= 0 && pool->most <= MOST_NEAR)
        return has_items(pool->sketches.count, size_product(pool->values.count / VALUES, SKETCH_NUMBERS)) && has_items(pool->values.count % VALUES, 0);
    PyErr_Format(PyExc_ValueError, "no more than %d pages can be looked for", MOST_NEAR);
    return 0;
}

/* The product of two sketches; many sums, so that several are added at once. */
static float product_of(const float *one, const float *other)
{
    enum { TOGETHER = 16 };
    float sums[TOGETHER] = {0}, product = 0;
    for (int i = 0; i < SKETCH_NUMBERS; i += TOGETHER)
        for (int j = 0; j < TOGETHER; j++)
            sums[j] += one[i + j] * other[i + j];
    for (int j = 0; j < TOGETHER; j++)
        product += sums[j];
    return product;
}

/* The mean of the values of those pages of the pool that are most like a sketch; zeros if there are none. */
static void mean_nearby(const Pool *pool, const float *sketch, double *mean)
{
    float products[MOST_NEAR];
    Py_ssize_t rows[MOST_NEAR], near = 0;
    for (Py_ssize_t row = 0; pool->most && row < pool->values.count / VALUES; row++) {
        float product = product_of(sketch, pool->sketches.items + row * SKETCH_NUMBERS);
        if (near == pool->most && !(product > products[near - 1]))
            continue;
        Py_ssize_t at = near < pool->most ? near++ : near - 1;
        for (; at && products[at - 1] < product; at--) {
            products[at] = products[at - 1];
            rows[at] = rows[at - 1];
        }
        products[at] = product;
        rows[at] = row;
    }
    for (int value = 0; value < VALUES; value++) {
        mean[value] = 0;
        for (Py_ssize_t i = 0; i < near; i++)
            mean[value] += pool->values.items[rows[i] * VALUES + value] / (double)near;
    }
}

#endif
