/* What the judge looks at in the blocks of a page before any has been judged; the same as `read.page.features` says in Python. */
#ifndef HAENYEO_READ_BLOCKS_H
#define HAENYEO_READ_BLOCKS_H

#include <math.h>

#include "../checked/sizes.h"
#include "../checked/views.h"
#include "tree.h"

#define NOWHERE (-999.0f)
#define FAR_BLOCKS 50.0f
#define UP_LEVELS 4

/* Rows of what is known of the blocks, a cell for each. */
enum { CHARACTERS, LINK_SHARE, WORDS, SENTENCES, CLOSED, IN_CAPITALS, IS_TITLE, OVERLAP, IS_SILENT, AT_COMMENTS, GIVEN_ROWS };
enum { DIGITS, CAPITALS, COMMAS, QUESTIONS, COLONS, SIGNS, BEGINS_SMALL, PRICE, COUNTED_ROWS };
/* Which rows of the places tell of these elements. */
enum { IN_NAV, IN_FOOTER, IN_ASIDE, IN_FORM, IN_OPTION, IN_PRE, IN_TABLE, IN_LI, IN_H1, LEAF, TOLD_ROWS };
/* What is computed of each block on the way. */
enum { CORE, LINKED, LOGS, SQUARES, IS_DATE, LEVEL, AT_HEADING, TOLD, ONES, BEGINS, OWN_ROWS };
/* What is summed up by path, and of these by prefix. */
enum { BLOCKS_AT, RUNS_AT, CORE_AT, LOGS_AT, SQUARES_AT, CHARACTERS_AT, LINKED_AT, TOLD_AT, CLOSED_AT, DATES_AT, PRICES_AT, HEADINGS_AT, ONE_AT, DISTINCT_AT, PATH_ROWS };
#define PAGE_ROWS 25
#define LABEL_ROWS 4
/* Rows of the table beside those of the places. */
#define TABLE_ROWS (6 + 18 + 16 + 3 + 10 + 11 + 18 + 8 + 5 + 4 + PAGE_ROWS + LABEL_ROWS)

typedef struct {
    Py_ssize_t size, paths, place_rows;
    VIEW(const float) given, counts, places, labels;
    VIEW(const Py_ssize_t) where, told;
    VIEW(const uint64_t) keys;
    VIEW(float) table, page;
    Ways ways;
    float *own, *by_path, *by_prefix, *depth, *window, *row;
    double *sums;
    Py_ssize_t *up;
    float characters, core; /* of the whole page */
} BlockPage;

static inline const float *given_row(const BlockPage *page, int row)
{
    return page->given.items + row * page->size;
}

static inline const float *told_row(const BlockPage *page, int told)
{
    return page->places.items + page->told.items[told] * page->size;
}

static inline float *own_row(const BlockPage *page, int row)
{
    return page->own + row * page->size;
}

static inline float *path_row(const BlockPage *page, int row)
{
    return page->by_path + row * page->paths;
}

static inline float *prefix_row(const BlockPage *page, int row)
{
    return page->by_prefix + row * page->ways.parents.count;
}

/* The next row of the table to fill in. */
static inline float *next_row(BlockPage *page)
{
    float *row = page->row;
    page->row += page->size;
    return row;
}

static inline float least(float one, float other)
{
    return one < other ? one : other;
}

static inline float most(float one, float other)
{
    return one > other ? one : other;
}

static float sum_of(const float *values, Py_ssize_t count)
{
    double sum = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        sum += values[i];
    return (float)sum;
}

static void add_row(BlockPage *page, const float *values)
{
    memcpy(next_row(page), values, (size_t)page->size * sizeof *values);
}

static int is_outer(const BlockPage *page, Py_ssize_t i)
{
    for (int told = IN_NAV; told <= IN_OPTION; told++)
        if (told_row(page, told)[i] != 0)
            return 1;
    return 0;
}

/* All that is computed of each block by itself. */
static void know_blocks(BlockPage *page)
{
    const float *characters = given_row(page, CHARACTERS), *share = given_row(page, LINK_SHARE), *leaf = told_row(page, LEAF);
    const float *sentences = given_row(page, SENTENCES), *silent = given_row(page, IS_SILENT), *digits = page->counts.items + DIGITS * page->size;
    for (Py_ssize_t i = 0; i < page->size; i++) {
        float plain = characters[i] * (1 - share[i]), logs = log1pf(characters[i]);
        int is_core = sentences[i] > 0 && plain > 60 && share[i] < 0.5f && silent[i] == 0;
        own_row(page, CORE)[i] = !is_core ? 0 : is_outer(page, i) ? (float)(plain * 0.2) : plain;
        own_row(page, LINKED)[i] = characters[i] * share[i];
        own_row(page, LOGS)[i] = logs;
        own_row(page, SQUARES)[i] = logs * logs;
        own_row(page, IS_DATE)[i] = digits[i] >= 3 && characters[i] < 40 && digits[i] > 0.15f * characters[i];
        own_row(page, LEVEL)[i] = leaf[i] >= 4 && leaf[i] <= 9 ? leaf[i] - 3 : 0;
        own_row(page, AT_HEADING)[i] = own_row(page, LEVEL)[i] > 0;
        own_row(page, TOLD)[i] = sentences[i] > 0;
        own_row(page, ONES)[i] = 1;
        own_row(page, BEGINS)[i] = !i || page->where.items[i] != page->where.items[i - 1];
    }
    page->characters = sum_of(characters, page->size);
    page->core = sum_of(own_row(page, CORE), page->size);
}

static void sum_by_path(BlockPage *page, const float *values, int to)
{
    memset(page->sums, 0, (size_t)page->paths * sizeof *page->sums);
    for (Py_ssize_t i = 0; i < page->size; i++)
        page->sums[page->where.items[i]] += values[i];
    for (Py_ssize_t path = 0; path < page->paths; path++)
        path_row(page, to)[path] = (float)page->sums[path];
}

typedef struct {
    Py_ssize_t where;
    uint64_t key;
} TextAt;

static int compare_texts(const void *one, const void *other)
{
    const TextAt *first = one, *second = other;
    if (first->where != second->where)
        return first->where < second->where ? -1 : 1;
    return first->key < second->key ? -1 : first->key > second->key;
}

/* How many different texts stand at each path; returns 0 with an error set. */
static int count_distinct(BlockPage *page)
{
    TextAt *texts = room_for(page->size, sizeof *texts);
    float *distinct = path_row(page, DISTINCT_AT);
    memset(distinct, 0, (size_t)page->paths * sizeof *distinct);
    for (Py_ssize_t i = 0; texts && i < page->size; i++)
        texts[i] = (TextAt){page->where.items[i], page->keys.items[i]};
    if (texts && page->size > 1)
        qsort(texts, (size_t)page->size, sizeof *texts, compare_texts);
    for (Py_ssize_t i = 0; texts && i < page->size; i++)
        distinct[texts[i].where] += !i || compare_texts(&texts[i - 1], &texts[i]);
    PyMem_Free(texts);
    return texts != NULL;
}

/* What stands at each path and in each prefix; returns 0 with an error set. */
static int know_places(BlockPage *page)
{
    const float *of_blocks[] = {
        [BLOCKS_AT] = own_row(page, ONES),         [RUNS_AT] = own_row(page, BEGINS),      [CORE_AT] = own_row(page, CORE),
        [LOGS_AT] = own_row(page, LOGS),           [SQUARES_AT] = own_row(page, SQUARES),  [CHARACTERS_AT] = given_row(page, CHARACTERS),
        [LINKED_AT] = own_row(page, LINKED),       [TOLD_AT] = own_row(page, TOLD),        [CLOSED_AT] = given_row(page, CLOSED),
        [DATES_AT] = own_row(page, IS_DATE),       [PRICES_AT] = page->counts.items + PRICE * page->size,
        [HEADINGS_AT] = own_row(page, AT_HEADING),
    };
    for (int row = BLOCKS_AT; row <= HEADINGS_AT; row++)
        sum_by_path(page, of_blocks[row], row);
    for (Py_ssize_t path = 0; path < page->paths; path++)
        path_row(page, ONE_AT)[path] = 1;
    for (int row = BLOCKS_AT; row <= ONE_AT; row++) {
        sum_up(&page->ways, path_row(page, row), page->sums);
        for (Py_ssize_t i = 0; i < page->ways.parents.count; i++)
            prefix_row(page, row)[i] = (float)page->sums[i];
    }
    fill_rows(&page->ways, UP_LEVELS, page->up, page->depth);
    return count_distinct(page);
}

/* The prefix so many steps above the place of a block. */
static inline Py_ssize_t above(const BlockPage *page, Py_ssize_t i, int level)
{
    return page->up[level * page->paths + page->where.items[i]];
}

/* Two rows: the steps up from the deepest element with so much of the page's text, and down again to each block. */
static void add_way_to(BlockPage *page, float share)
{
    const float *cores = prefix_row(page, CORE_AT);
    float *up = next_row(page), *down = next_row(page), *steps = page->window;
    Py_ssize_t deepest = -1;
    for (Py_ssize_t i = 0; i < page->ways.parents.count; i++)
        if (cores[i] >= share * (page->core + 1) && (deepest < 0 || page->depth[i] > page->depth[deepest]))
            deepest = i;
    deepest = deepest < 0 ? 0 : deepest;
    memset(steps, 0, (size_t)page->ways.parents.count * sizeof *steps);
    share_steps(&page->ways, (int32_t)deepest, steps);
    for (Py_ssize_t i = 0; i < page->size; i++) {
        Py_ssize_t end = above(page, i, 0);
        up[i] = page->depth[deepest] - steps[end];
        down[i] = page->depth[end] - steps[end];
    }
}

static void add_shares(BlockPage *page)
{
    const float *cores = prefix_row(page, CORE_AT), *characters = prefix_row(page, CHARACTERS_AT), *links = prefix_row(page, LINKED_AT);
    float *rows = page->row;
    page->row += 12 * page->size;
    for (Py_ssize_t i = 0; i < page->size; i++) {
        float *cell = rows + i;
        for (int level = 0; level < UP_LEVELS; level++, cell += page->size)
            *cell = cores[above(page, i, level)] / (page->core + 1);
        for (int level = 0; level < 3; level++, cell += page->size)
            *cell = links[above(page, i, level)] / (characters[above(page, i, level)] + 1);
        for (int level = 1; level < 3; level++, cell += page->size)
            *cell = cores[above(page, i, level)] / (characters[above(page, i, level)] + 1);
        for (int level = 0; level < 2; level++, cell += page->size)
            *cell = characters[above(page, i, level)] / (page->characters + 1);
        *cell = log1pf(cores[above(page, i, 1)]);
    }
    add_way_to(page, 0.35f);
    add_way_to(page, 0.6f);
    add_way_to(page, 0.85f);
}

static void sum_until(const float *values, Py_ssize_t count, double *until)
{
    until[0] = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        until[i + 1] = until[i] + values[i];
}

/* The values of the block so many steps before each, 0 outside of the page. */
static void add_beside(BlockPage *page, const float *values, Py_ssize_t steps)
{
    float *row = next_row(page);
    for (Py_ssize_t i = 0; i < page->size; i++)
        row[i] = is_place(i - steps, page->size) ? values[i - steps] : 0;
}

/* Two rows: the steps since the last block whose value is above a limit, and until the next. */
static void add_distances(BlockPage *page, const float *values, float limit)
{
    float *before = next_row(page), *behind = next_row(page), since = FAR_BLOCKS;
    for (Py_ssize_t i = 0; i < page->size; i++)
        before[i] = since = values[i] > limit ? 0 : least(since + 1, FAR_BLOCKS);
    since = FAR_BLOCKS;
    for (Py_ssize_t i = page->size; i-- > 0;)
        behind[i] = since = values[i] > limit ? 0 : least(since + 1, FAR_BLOCKS);
}

static void add_neighbours(BlockPage *page)
{
    static const Py_ssize_t REACHES[] = {1, 3, 8}, STEPS[] = {1, -1, 2, -2};
    Py_ssize_t size = page->size;
    double *cores = page->sums, *links = cores + size + 1, *all = links + size + 1;
    sum_until(own_row(page, CORE), size, cores);
    sum_until(own_row(page, LINKED), size, links);
    sum_until(given_row(page, CHARACTERS), size, all);
    for (int i = 0; i < 3; i++) {
        float *core = next_row(page), *linked = next_row(page);
        sum_window(cores, size, REACHES[i], core);
        sum_window(links, size, REACHES[i], linked);
        sum_window(all, size, REACHES[i], page->window);
        for (Py_ssize_t block = 0; block < size; block++) {
            core[block] = log1pf(core[block]);
            linked[block] = linked[block] / (page->window[block] + 1);
        }
    }
    for (Py_ssize_t i = 0; i < size; i++)
        page->window[i] = log1pf(own_row(page, CORE)[i]);
    for (int i = 0; i < 4; i++) {
        add_beside(page, given_row(page, LINK_SHARE), STEPS[i]);
        add_beside(page, page->window, STEPS[i]);
    }
    add_distances(page, own_row(page, CORE), 200);
}

/* Where in the page each block stands. */
static void add_in_page(BlockPage *page)
{
    const float *in_h1 = told_row(page, IN_H1), *cores = own_row(page, CORE);
    float *place = next_row(page), *core = next_row(page), *since_h1 = next_row(page), sum = 0, last = -FAR_BLOCKS;
    for (Py_ssize_t i = 0; i < page->size; i++) {
        last = in_h1[i] > 0 ? (float)i : last;
        sum += cores[i];
        place[i] = (float)i / (float)page->size;
        core[i] = sum / (page->core + 1);
        since_h1[i] = least((float)i - last, FAR_BLOCKS);
    }
}

static void add_composition(BlockPage *page)
{
    const float *characters = given_row(page, CHARACTERS), *given_words = given_row(page, WORDS);
    Py_ssize_t size = page->size;
    float *rows = page->row;
    page->row += 10 * size;
    for (Py_ssize_t i = 0; i < size; i++) {
        const float *counts = page->counts.items + i;
        float length = most(characters[i], 1), words = most(given_words[i], 1), *cell = rows + i;
        const float parts[10] = {
            counts[DIGITS * size] / length,  counts[CAPITALS * size] / length, counts[COMMAS * size] / words,          least(counts[QUESTIONS * size], 3),
            counts[PRICE * size],            counts[SIGNS * size] / length,    least(counts[COLONS * size], 3), characters[i] / words,
            counts[BEGINS_SMALL * size],     own_row(page, IS_DATE)[i],
        };
        for (int part = 0; part < 10; part++, cell += size)
            *cell = parts[part];
    }
}

/* Of each block, what the blocks at its place have in common. */
static void add_repeats(BlockPage *page)
{
    float cores = sum_of(path_row(page, CORE_AT), page->paths) + 1, characters = sum_of(path_row(page, CHARACTERS_AT), page->paths) + 1;
    float *of_paths = page->by_prefix + PATH_ROWS * page->ways.parents.count;
    for (Py_ssize_t path = 0; path < page->paths; path++) {
        float count = path_row(page, BLOCKS_AT)[path], runs = path_row(page, RUNS_AT)[path], core = path_row(page, CORE_AT)[path];
        float mean = path_row(page, LOGS_AT)[path] / count, square = path_row(page, SQUARES_AT)[path] / count, *cell = of_paths + path;
        float all = path_row(page, CHARACTERS_AT)[path];
        const float parts[11] = {
            log1pf(count), log1pf(runs), count / runs, mean, sqrtf(most(square - mean * mean, 0)), path_row(page, LINKED_AT)[path] / all,
            path_row(page, TOLD_AT)[path] / count, path_row(page, CLOSED_AT)[path] / count, path_row(page, DISTINCT_AT)[path] / count,
            core / cores, all / characters,
        };
        for (int part = 0; part < 11; part++, cell += page->paths)
            *cell = parts[part];
    }
    for (int part = 0; part < 11; part++) {
        float *row = next_row(page);
        for (Py_ssize_t i = 0; i < page->size; i++)
            row[i] = of_paths[part * page->paths + page->where.items[i]];
    }
}

/* Of each block, what stands in the elements around it. */
static void add_around(BlockPage *page)
{
    float *rows = page->row;
    Py_ssize_t prefixes = page->ways.parents.count;
    float *of_prefixes = page->by_prefix + PATH_ROWS * prefixes;
    page->row += 18 * page->size;
    for (Py_ssize_t i = 0; i < prefixes; i++) {
        float blocks = prefix_row(page, BLOCKS_AT)[i], *cell = of_prefixes + 6 * i;
        cell[0] = log1pf(blocks);
        cell[1] = prefix_row(page, RUNS_AT)[i] / prefix_row(page, ONE_AT)[i];
        cell[2] = log1pf(prefix_row(page, DATES_AT)[i]);
        cell[3] = log1pf(prefix_row(page, PRICES_AT)[i]);
        cell[4] = prefix_row(page, HEADINGS_AT)[i] / blocks;
        cell[5] = prefix_row(page, TOLD_AT)[i] / blocks;
    }
    for (Py_ssize_t i = 0; i < page->size; i++) {
        float *cell = rows + i;
        for (int level = 1; level < UP_LEVELS; level++)
            for (int part = 0; part < 6; part++, cell += page->size)
                *cell = of_prefixes[6 * above(page, i, level) + part];
    }
}

/* Fill in the same for all blocks of a section. */
static void end_section(BlockPage *page, float *rows, Py_ssize_t start, Py_ssize_t end)
{
    Py_ssize_t size = page->size;
    float core = sum_of(own_row(page, CORE) + start, end - start), linked = sum_of(own_row(page, LINKED) + start, end - start);
    float characters = sum_of(given_row(page, CHARACTERS) + start, end - start), level = own_row(page, LEVEL)[start];
    for (Py_ssize_t i = start; i < end; i++) {
        rows[i] = log1pf(core);
        rows[size + i] = log1pf(characters);
        rows[2 * size + i] = linked / most(characters, 1);
        rows[3 * size + i] = level > 0 ? least((float)(i - start), FAR_BLOCKS) : FAR_BLOCKS;
        rows[4 * size + i] = level;
    }
}

static void add_sections(BlockPage *page)
{
    Py_ssize_t start = 0;
    for (Py_ssize_t i = 1; i <= page->size; i++)
        if (i == page->size || own_row(page, LEVEL)[i] > 0) {
            end_section(page, page->row, start, i);
            start = i;
        }
    page->row += 5 * page->size;
}

/* How much of the title each block is, how far behind the title it stands, and headings like it between. */
static void add_title(BlockPage *page)
{
    const float *overlap = given_row(page, OVERLAP), *levels = own_row(page, LEVEL);
    Py_ssize_t at = 0;
    float best = -1;
    add_row(page, overlap);
    for (Py_ssize_t i = 0; i < page->size; i++) {
        float weighed = levels[i] > 0 ? 1.5f * overlap[i] : overlap[i];
        if (weighed > best) {
            best = weighed;
            at = i;
        }
    }
    float *behind = next_row(page), *between = next_row(page), alike = 0;
    for (Py_ssize_t i = 0; i < page->size; i++) {
        alike += levels[at] > 0 && levels[i] == levels[at];
        behind[i] = best > 0.3f ? (float)(i - at) : NOWHERE;
        between[i] = best > 0.3f ? alike : 0;
    }
    float before = between[at];
    for (Py_ssize_t i = 0; i < page->size; i++)
        between[i] -= before;
}

static void add_alike(BlockPage *page)
{
    float *before = next_row(page), *behind = next_row(page);
    for (Py_ssize_t i = 0; i < page->size; i++)
        before[i] = i && page->where.items[i] == page->where.items[i - 1];
    for (Py_ssize_t i = 0; i < page->size; i++)
        behind[i] = i + 1 < page->size && before[i + 1] > 0;
}

/* The mean of the five largest. */
static float mean_of_largest(const float *values, Py_ssize_t count)
{
    float largest[5];
    int held = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        int place = held;
        while (place > 0 && largest[place - 1] < values[i])
            place--;
        if (place == 5)
            continue;
        held += held < 5;
        for (int moved = held - 1; moved > place; moved--)
            largest[moved] = largest[moved - 1];
        largest[place] = values[i];
    }
    float sum = 0;
    for (int i = held; i-- > 0;)
        sum += largest[i];
    return sum / (float)held;
}

static float sum_of_products(const float *one, const float *other, Py_ssize_t count)
{
    double sum = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        sum += one[i] * other[i];
    return (float)sum;
}

static float logarithm(float value)
{
    return (float)log1p(value);
}

/* The page in numbers, and what its kind shows in: what holds for all its blocks. */
static void know_page(const BlockPage *page, float *to)
{
    Py_ssize_t size = page->size, largest = 0, linked = 0;
    float characters = page->characters + 1, core = page->core + 1, levels[4] = {0}, in_runs = 0;
    const float *cores = path_row(page, CORE_AT), *runs = path_row(page, RUNS_AT);
    for (Py_ssize_t path = 0; path < page->paths; path++) {
        largest = cores[path] > cores[largest] ? path : largest;
        in_runs += runs[path] >= 3 ? cores[path] : 0;
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        float level = own_row(page, LEVEL)[i];
        levels[0] += level > 0;
        if (level >= 1 && level <= 3)
            levels[(int)level] += 1;
        linked += given_row(page, LINK_SHARE)[i] > 0.8f;
    }
    *to++ = least(5, sum_of(told_row(page, IN_H1), size));
    *to++ = log1pf(page->core);
    *to++ = logarithm((float)size);
    *to++ = sum_of(own_row(page, LINKED), size) / characters;
    *to++ = page->core / characters;
    *to++ = logarithm(sum_of(own_row(page, IS_DATE), size));
    *to++ = logarithm(sum_of(page->counts.items + PRICE * size, size));
    *to++ = logarithm(sum_of(page->counts.items + QUESTIONS * size, size));
    *to++ = logarithm(runs[largest]);
    *to++ = logarithm(path_row(page, BLOCKS_AT)[largest]);
    for (int level = 0; level < 4; level++)
        *to++ = logarithm(levels[level]);
    *to++ = logarithm((float)page->paths);
    *to++ = logarithm(characters);
    *to++ = logarithm(mean_of_largest(own_row(page, CORE), size));
    *to++ = cores[largest] / core;
    *to++ = in_runs / core;
    for (int told = IN_PRE; told <= IN_LI; told++)
        *to++ = sum_of_products(told_row(page, told), given_row(page, CHARACTERS), size) / characters;
    *to++ = sum_of_products(given_row(page, AT_COMMENTS), own_row(page, CORE), size) / core;
    *to++ = sum_of(page->counts.items + DIGITS * size, size) / characters;
    *to++ = (float)((double)linked / (double)size);
}

/* Fill in all rows, in the order in which the forests know them; returns 0 with an error set. */
static int fill_table(BlockPage *page)
{
    Py_ssize_t size = page->size;
    know_blocks(page);
    if (!know_places(page))
        return 0;
    page->row = page->table.items;
    add_row(page, own_row(page, LOGS));
    add_row(page, given_row(page, LINK_SHARE));
    float *sentences = next_row(page);
    for (Py_ssize_t i = 0; i < size; i++)
        sentences[i] = least(20, given_row(page, SENTENCES)[i]);
    for (int row = CLOSED; row <= IS_TITLE; row++)
        add_row(page, given_row(page, row));
    for (Py_ssize_t row = 0; row < page->place_rows; row++)
        add_row(page, page->places.items + row * size);
    add_shares(page);
    add_neighbours(page);
    add_in_page(page);
    add_composition(page);
    add_repeats(page);
    add_around(page);
    add_sections(page);
    add_title(page);
    add_alike(page);
    add_distances(page, own_row(page, IS_DATE), 0);
    add_row(page, given_row(page, AT_COMMENTS));
    for (Py_ssize_t steps = 1; steps >= -1; steps -= 2) {
        add_beside(page, own_row(page, LOGS), steps);
        add_beside(page, told_row(page, LEAF), steps);
    }
    know_page(page, page->page.items);
    for (int value = 0; value < PAGE_ROWS; value++) {
        float *row = next_row(page);
        for (Py_ssize_t i = 0; i < size; i++)
            row[i] = page->page.items[value];
    }
    for (int row = 0; row < LABEL_ROWS; row++)
        add_row(page, page->labels.items + row * size);
    return 1;
}

/* Do all arrays have the sizes that belong together? Returns 0 with an error set if not. */
static int fits_together(BlockPage *page)
{
    Py_ssize_t size = page->size = page->where.count;
    page->paths = page->ways.ends.count;
    page->place_rows = size ? page->places.count / size : 0;
    int done = has_items(page->given.count, size_product(GIVEN_ROWS, size)) && has_items(page->counts.count, size_product(COUNTED_ROWS, size))
               && has_items(page->labels.count, size_product(LABEL_ROWS, size)) && has_items(page->keys.count, size)
               && has_items(page->places.count, size_product(page->place_rows, size)) && has_items(page->told.count, TOLD_ROWS)
               && has_items(page->table.count, size_product(size_sum(TABLE_ROWS, page->place_rows), size)) && has_items(page->page.count, PAGE_ROWS);
    for (Py_ssize_t i = 0; done && i < TOLD_ROWS; i++)
        done = is_place(page->told.items[i], page->place_rows);
    for (Py_ssize_t i = 0; done && i < size; i++)
        done = is_place(page->where.items[i], page->paths);
    if (!PyErr_Occurred() && (!done || !size))
        PyErr_SetString(PyExc_ValueError, "a page has blocks, and each stands at a place that there is");
    return !PyErr_Occurred();
}

/* Have room for all that is computed on the way; returns 0 with an error set. */
static int make_room(BlockPage *page)
{
    Py_ssize_t prefixes = page->ways.parents.count, longest = page->size > prefixes ? page->size : prefixes;
    longest = longest > page->paths ? longest : page->paths;
    page->own = room_for(size_product(OWN_ROWS, page->size), sizeof *page->own);
    page->by_path = page->own ? room_for(size_product(PATH_ROWS, page->paths), sizeof *page->by_path) : NULL;
    page->by_prefix = page->by_path ? room_for(size_product(PATH_ROWS + 11, size_sum(prefixes, page->paths)), sizeof *page->by_prefix) : NULL;
    page->depth = page->by_prefix ? room_for(prefixes, sizeof *page->depth) : NULL;
    page->window = page->depth ? room_for(longest, sizeof *page->window) : NULL;
    page->sums = page->window ? room_for(size_product(3, size_sum(longest, 1)), sizeof *page->sums) : NULL;
    page->up = page->sums ? room_for(size_product(UP_LEVELS, page->paths), sizeof *page->up) : NULL;
    return page->up != NULL;
}

static PyObject *block_features(PyObject *module, PyObject *arguments)
{
    PyObject *of_given, *of_counts, *of_places, *of_labels, *of_where, *of_keys, *of_ends, *of_parents, *of_told, *of_table, *of_page;
    BlockPage page = {0};
    Views views = {0};
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOOO(OO)OOO", &of_given, &of_counts, &of_places, &of_labels, &of_where, &of_keys, &of_ends, &of_parents, &of_told, &of_table, &of_page))
        return NULL;
    TAKE(&views, of_given, &page.given);
    TAKE(&views, of_counts, &page.counts);
    TAKE(&views, of_places, &page.places);
    TAKE(&views, of_labels, &page.labels);
    TAKE(&views, of_where, &page.where);
    TAKE(&views, of_keys, &page.keys);
    TAKE(&views, of_told, &page.told);
    TAKE_TO_WRITE(&views, of_table, &page.table);
    TAKE_TO_WRITE(&views, of_page, &page.page);
    if (take_ways(&views, of_ends, of_parents, &page.ways) && fits_together(&page) && make_room(&page))
        fill_table(&page);
    PyMem_Free(page.own);
    PyMem_Free(page.by_path);
    PyMem_Free(page.by_prefix);
    PyMem_Free(page.depth);
    PyMem_Free(page.window);
    PyMem_Free(page.sums);
    PyMem_Free(page.up);
    give_back(&views);
    return none_unless_error();
}

#endif
