/* Words as places: what `words.tokens`, `words.stopwords` and `features/words.py` do, without making a string a word. */
#ifndef HAENYEO_FEATURE_WORDS_H
#define HAENYEO_FEATURE_WORDS_H

#include "places.h"

#define SLOTS 4096 /* for stop words and for particles, which are far fewer: most words meet an empty slot */
#define LONGEST_PARTICLE 4

enum { NOTHING, LATIN, DIGITS, HANGUL, UNSPACED, OTHER };

/* Words by their CRC; 0 marks an empty slot. */
typedef struct {
    uint32_t slots[SLOTS];
} WordSet;

typedef struct {
    const Py_UCS4 *codes;
    Py_ssize_t length;
    int kind;
} Word;

static uint8_t kinds[1 << 16];
static uint16_t lower_case[1 << 16];
static uint32_t lower_kinds[1 << 16]; /* the lower case of a code point, and above its 16 bits the kind that has */
static WordSet stop_words, particles;

static inline int is_hangul(Py_UCS4 code)
{
    return code >= 0xAC00 && code <= 0xD7A3;
}

static int kind_of(Py_UCS4 code)
{
    if ((code >= 'a' && code <= 'z') || (code >= 0xDF && code <= 0x24F))
        return LATIN;
    if (code >= '0' && code <= '9')
        return DIGITS;
    if (is_hangul(code))
        return HANGUL;
    if ((code >= 0x3040 && code <= 0x30FF) || (code >= 0x3400 && code <= 0x9FFF))
        return UNSPACED;
    return code >= 0x370 && code <= 0x1FFF ? OTHER : NOTHING;
}

static void fill_kinds(void)
{
    for (Py_UCS4 code = 0; code < 1 << 16; code++) {
        kinds[code] = (uint8_t)kind_of(code);
        lower_case[code] = (uint16_t)Py_UNICODE_TOLOWER(code);
    }
    for (Py_UCS4 code = 0; code < 1 << 16; code++)
        lower_kinds[code] = lower_case[code] | (uint32_t)kinds[lower_case[code]] << 16;
}

static inline int kind_in(Py_UCS4 code)
{
    return code < 1 << 16 ? kinds[code] : NOTHING;
}

static void add_to_set(WordSet *set, uint32_t crc)
{
    uint32_t slot = crc % SLOTS;
    while (set->slots[slot])
        slot = (slot + 1) % SLOTS;
    set->slots[slot] = crc;
}

static inline int is_in_set(const WordSet *set, uint32_t crc)
{
    uint32_t slot = crc % SLOTS;
    while (set->slots[slot] && set->slots[slot] != crc)
        slot = (slot + 1) % SLOTS;
    return set->slots[slot] != 0;
}

static inline int ends_with(const Word *word, const char *ending)
{
    Py_ssize_t length = (Py_ssize_t)strlen(ending);
    if (word->length < length || word->codes[word->length - 1] != (Py_UCS4)ending[length - 1])
        return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (word->codes[word->length - length + i] != (Py_UCS4)ending[i])
            return 0;
    return 1;
}

/* Shorten a word to its singular; whether a y is to be put behind it. */
static int make_singular(Word *word)
{
    if (word->codes[word->length - 1] != 's')
        return 0;
    int sses = ends_with(word, "sses"), ies = !sses && ends_with(word, "ies");
    if (!sses && !ies && (ends_with(word, "ss") || ends_with(word, "us")))
        return 0;
    Py_ssize_t cut = sses ? 2 : ies ? 3 : 1;
    if (word->length - cut + ies < 3)
        return 0;
    word->length -= cut;
    return ies;
}

static void cut_verb_ending(Word *word)
{
    Py_ssize_t cut = ends_with(word, "ing") ? 3 : ends_with(word, "ed") ? 2 : 0;
    if (!cut || word->length - cut < 4)
        return;
    word->length -= cut;
    Py_UCS4 last = word->codes[word->length - 1];
    if (last == word->codes[word->length - 2] && last != 'l' && last != 's' && last != 'z')
        word->length--;
}

static int is_particle(const Py_UCS4 *codes, Py_ssize_t length)
{
    return is_in_set(&particles, crc_codes(CRC_START, codes, length));
}

static void cut_particles(Word *word)
{
    for (int round = 0; round < 2; round++) {
        Py_ssize_t cut = word->length - 1 < LONGEST_PARTICLE ? word->length - 1 : LONGEST_PARTICLE;
        while (cut > 0 && !(word->length - cut >= (cut == 1 ? 2 : 1) && is_particle(word->codes + word->length - cut, cut)))
            cut--;
        word->length -= cut;
    }
}

static int32_t place_of_number(Py_ssize_t digits)
{
    uint32_t crc = CRC_START;
    for (Py_ssize_t i = 0; i < digits && i < 4; i++)
        crc = crc_byte(crc, '0');
    return place(crc);
}

/* The place of a word, 0 for one that says nothing. */
static int32_t word_place(Word word)
{
    const Word whole = word;
    int with_y = 0;
    if (word.length == 1 && word.codes[0] < 0x80 && word.kind == LATIN)
        return 0;
    if (word.kind == DIGITS)
        return place_of_number(word.length);
    if (word.kind == HANGUL)
        cut_particles(&word);
    else {
        with_y = make_singular(&word);
        if (!with_y)
            cut_verb_ending(&word);
    }
    uint32_t crc = crc_codes(CRC_START, word.codes, word.length);
    if (is_in_set(&stop_words, crc_codes(crc, whole.codes + word.length, whole.length - word.length)))
        return 0;
    return place(with_y ? crc_byte(crc, 'y') : crc);
}

/* Put a part of a string in lower case into `text`. */
static int lower_text(Text *text, PyObject *string, Py_ssize_t start, Py_ssize_t end)
{
    if (copy_text(text, string, start, end) < 0)
        return -1;
    for (Py_ssize_t i = 0; i < text->count; i++) {
        Py_UCS4 code = text->codes[i];
        if (code == 0x130 || code == 0x3A3) { /* the case of these depends on what stands beside them */
            PyObject *part = PyUnicode_Substring(string, start, end);
            PyObject *lowered = part ? PyObject_CallMethod(part, "lower", NULL) : NULL;
            int result = lowered ? copy_text(text, lowered, 0, PyUnicode_GET_LENGTH(lowered)) : -1;
            Py_XDECREF(part);
            Py_XDECREF(lowered);
            return result;
        }
        text->codes[i] = code < 1 << 16 ? lower_case[code] : Py_UNICODE_TOLOWER(code);
    }
    return 0;
}

/* The next word at or behind `*at`. A run of characters without blanks gives every pair of neighbours in turn. */
static int next_word(const Text *text, Py_ssize_t *at, Word *word)
{
    Py_ssize_t start = *at, end;
    while (start < text->count && kind_in(text->codes[start]) == NOTHING)
        start++;
    if (start == text->count)
        return 0;
    int kind = kind_in(text->codes[start]);
    for (end = start + 1; end < text->count && kind_in(text->codes[end]) == kind; end++)
        if (kind == UNSPACED && end > start + 1)
            break;
    *at = end;
    if (kind == UNSPACED && end < text->count && kind_in(text->codes[end]) == UNSPACED)
        *at = start + 1;
    *word = (Word){text->codes + start, end - start, kind};
    return 1;
}

static void add_words(Ids *ids, const Text *text)
{
    Word word;
    for (Py_ssize_t at = 0; next_word(text, &at, &word);) {
        int32_t id = word_place(word);
        if (id)
            add_id(ids, id);
    }
}

#endif
