/* Which links of a page are to be described, and which pages it is a door to: what `mentions.py` does with arrays. */

/* Of how many links to a page with so many one is described. */
static int64_t steps_at(int64_t mentions, int64_t all_described)
{
    int64_t steps = 1;
    for (; mentions >= all_described; mentions /= 2)
        steps *= 2;
    return steps;
}

/* The places of the links to describe, by how many led to the same pages before; how many there are. */
static Py_ssize_t choose_places(const int64_t *targets, Py_ssize_t count, const int64_t *mentions, const double *relevance, const int64_t *settings, int64_t *places)
{
    Py_ssize_t found = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t before = mentions[targets[i]], rarely = isnan(relevance[targets[i]]) ? 1 : settings[1];
        if (!(before & (steps_at(before, settings[0]) * rarely - 1)))
            places[found++] = i;
    }
    return found;
}

/* Count a page's links to others, once each however often it links to one. */
static void count_mentions(const int64_t *targets, Py_ssize_t count, int64_t *mentions, int64_t *known)
{
    for (Py_ssize_t i = 0; i < count; i++)
        known[i] = mentions[targets[i]];
    for (Py_ssize_t i = 0; i < count; i++)
        mentions[targets[i]] = known[i] + 1;
}

/* Mark those pages as doors whose folder is none of those the linking page is in. */
static void mark_doors(const int64_t *targets, Py_ssize_t count, const int64_t *homes, const int64_t *around, Py_ssize_t folders, uint8_t *doors)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        int inside = 0;
        for (Py_ssize_t folder = 0; folder < folders; folder++)
            inside |= homes[targets[i]] == around[folder];
        doors[targets[i]] |= !inside;
    }
}
