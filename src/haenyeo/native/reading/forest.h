/* The sums of oblivious trees: every question is put to all blocks before the next. */
#ifndef HAENYEO_FOREST_H
#define HAENYEO_FOREST_H

#include "../checked/sizes.h"

#define MOST_LEVELS 24

typedef struct {
    const int32_t *features; /* a row for each tree, a column for each level */
    const float *thresholds, *values;
    Py_ssize_t trees, levels;
} Trees;

/* Add to `sums` what the trees say; `columns` has a row for each feature, `leaves` room for a number for each block. */
static void sum_trees(const Trees *forest, const float *columns, Py_ssize_t blocks, double *restrict sums, int32_t *restrict leaves)
{
    for (Py_ssize_t tree = 0; tree < forest->trees; tree++) {
        const int32_t *features = forest->features + tree * forest->levels;
        const float *thresholds = forest->thresholds + tree * forest->levels;
        const float *values = forest->values + ((size_t)tree << forest->levels);
        memset(leaves, 0, (size_t)blocks * sizeof *leaves);
        for (Py_ssize_t level = 0; level < forest->levels; level++) {
            const float *column = columns + features[level] * blocks;
            float threshold = thresholds[level];
            for (Py_ssize_t i = 0; i < blocks; i++)
                leaves[i] = 2 * leaves[i] + (column[i] > threshold);
        }
        for (Py_ssize_t i = 0; i < blocks; i++)
            sums[i] += values[leaves[i]];
    }
}

#endif
