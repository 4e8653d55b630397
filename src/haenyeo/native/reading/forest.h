/* The sums of oblivious trees: every tree is put to some blocks before the next, and these to all trees. */
#ifndef HAENYEO_FOREST_H
#define HAENYEO_FOREST_H

#include "../checked/sizes.h"

#define MOST_LEVELS 24
#define TOGETHER 256 /* blocks whose sums stay in the fastest memory while all trees are asked about them */

/* Newer processors ask about eight blocks at once: which code is run is decided when the module is loaded. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif
#if defined(__GNUC__)
#define INTO_CALLER inline __attribute__((always_inline))
#else
#define INTO_CALLER inline
#endif

typedef struct {
    const int32_t *features; /* a row for each tree, a column for each level */
    const float *thresholds, *values;
    Py_ssize_t trees, levels;
} Trees;

/* Add to `sums` what a tree says of `count` blocks; `asked` has their features, level by level. A number of levels that
   the compiler knows leaves no loop over them. */
static INTO_CALLER void add_tree(const float *const *asked, const float *thresholds, const float *values, Py_ssize_t levels, Py_ssize_t count, double *restrict sums)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        int32_t leaf = 0;
        for (Py_ssize_t level = 0; level < levels; level++)
            leaf = 2 * leaf + (asked[level][i] > thresholds[level]);
        sums[i] += values[leaf];
    }
}

/* Add to `sums` what the trees say; `columns` has a row for each feature. */
FOR_EACH_PROCESSOR
static void sum_trees(const Trees *forest, const float *columns, Py_ssize_t blocks, double *restrict sums)
{
    const float *asked[MOST_LEVELS];
    for (Py_ssize_t start = 0; start < blocks; start += TOGETHER) {
        Py_ssize_t count = blocks - start < TOGETHER ? blocks - start : TOGETHER;
        for (Py_ssize_t tree = 0; tree < forest->trees; tree++) {
            const float *thresholds = forest->thresholds + tree * forest->levels;
            const float *values = forest->values + ((size_t)tree << forest->levels);
            for (Py_ssize_t level = 0; level < forest->levels; level++)
                asked[level] = columns + forest->features[tree * forest->levels + level] * blocks + start;
            if (forest->levels == 6)
                add_tree(asked, thresholds, values, 6, count, sums + start);
            else if (forest->levels == 4)
                add_tree(asked, thresholds, values, 4, count, sums + start);
            else
                add_tree(asked, thresholds, values, forest->levels, count, sums + start);
        }
    }
}

#endif
