/* The open elements of a page, by the HTML standard's rules for building its tree; no tree is built.

   Formatting that is left open or closed across blocks moves no block and no text between blocks, so it is followed only
   as far as links are concerned. Where the rules would move content about (in tables, around links), `declined` is set:
   the page is then for a full parser. */
#ifndef HAENYEO_TREE_H
#define HAENYEO_TREE_H

#include "tokens.h"

#define DEEPEST 200
#define NO_LINK (-1)

/* What is taken of the attributes of a block. */
enum { CLASSES, ID, ROLE, ITEMPROP, STYLE, SAYINGS };

typedef struct {
    uint16_t tag;
    const char *name; /* as written; tells elements apart that HTML does not know */
    Py_ssize_t name_length;
    Attribute said[SAYINGS]; /* of a block; without a value where it does not say so */
    int is_hidden;
    PyObject *path, *signs; /* of a block once they were asked for; owned */
    uint32_t number;
} Element;

enum { NONE, ALL, MAYBE };

typedef struct {
    Element open[DEEPEST];
    int depth;         /* open[0] is the body */
    int link_at;       /* where the open link stands in `open`, 0 if there is none */
    Py_ssize_t link;   /* its number, or NO_LINK */
    uint32_t numbered; /* elements so far */
    uint32_t form;     /* the number of the form that is not ended yet */
    int declined, select_at;
    int quirks; /* whether the page is old enough for a table to stand in a paragraph */
    int formula_at; /* where the open formula stands, 0 if there is none */
    int lost_formatting; /* formatting was ended by a block and may be opened anew behind it */
} Tree;

static inline int flags_at(const Tree *tree, int place)
{
    return TAG_FLAGS[tree->open[place].tag];
}

static inline int top_tag(const Tree *tree)
{
    return tree->open[tree->depth - 1].tag;
}

static inline void forget_place(Element *element)
{
    Py_CLEAR(element->path);
    Py_CLEAR(element->signs);
}

/* Close all elements from this place up. A link that is closed this way would be opened anew: declined. */
static void close_from(Tree *tree, int place)
{
    if (tree->link_at >= place && tree->link_at)
        tree->declined = 1;
    if (tree->select_at >= place)
        tree->select_at = 0;
    if (tree->formula_at >= place)
        tree->formula_at = 0;
    while (tree->depth > place) {
        tree->depth--;
        tree->lost_formatting |= flags_at(tree, tree->depth) & FORMATTING;
        forget_place(&tree->open[tree->depth]);
    }
}

static void remove_at(Tree *tree, int place)
{
    forget_place(&tree->open[place]);
    memmove(&tree->open[place], &tree->open[place + 1], (tree->depth - place - 1) * sizeof(Element));
    tree->depth--;
    tree->link_at -= tree->link_at > place;
    tree->select_at -= tree->select_at > place;
}

static void close_implied(Tree *tree, int except)
{
    while (tree->depth > 1 && (flags_at(tree, tree->depth - 1) & IMPLIED_END) && top_tag(tree) != except)
        close_from(tree, tree->depth - 1);
}

/* The place of the nearest open element of this kind that an end tag could reach; 0 if there is none. */
static int in_scope(const Tree *tree, int tag, int fence, int other_fence)
{
    for (int place = tree->depth - 1; place > 0; place--) {
        int at = tree->open[place].tag;
        if (at == tag)
            return place;
        if ((TAG_FLAGS[at] & SCOPE) || (fence && (at == fence || at == other_fence)))
            return 0;
    }
    return 0;
}

static void close_paragraph(Tree *tree)
{
    int place = in_scope(tree, T_p, T_button, T_button);
    if (place)
        close_from(tree, place);
}

/* Is this the id of a segment that is streamed behind the page, and hidden only until a script puts it in its place? */
static int is_segment(const Attribute *id)
{
    Py_ssize_t length = id->value ? id->value_end - id->value : 0;
    if (length < 3 || length > 10 || id->value[0] != 'S' || id->value[1] != ':')
        return 0;
    for (const char *at = id->value + 2; at < id->value_end; at++)
        if (!((*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'f')))
            return 0;
    return 1;
}

static void note_sayings(Element *element, const Tag *tag)
{
    static const char *const NAMES[] = {"class", "id", "role", "itemprop", "style"};
    static const Py_ssize_t LENGTHS[] = {5, 2, 4, 8, 5};
    for (int i = 0; tag->attribute_count && i < SAYINGS; i++) {
        const Attribute *attribute = attribute_of(tag, NAMES[i], LENGTHS[i]);
        if (attribute)
            element->said[i] = *attribute;
    }
    element->is_hidden = tag->attribute_count && attribute_of(tag, "hidden", 6) && !is_segment(&element->said[ID]);
}

static void open_element(Tree *tree, const Tag *tag, int kind)
{
    if (tree->depth == DEEPEST) {
        tree->declined = 1;
        return;
    }
    Element *element = &tree->open[tree->depth++];
    *element = (Element){.tag = (uint16_t)kind, .name = tag->name_at, .name_length = tag->name_length, .number = ++tree->numbered};
    if (kind == tag->tag && !tag->is_end && (TAG_FLAGS[kind] & BLOCK))
        note_sayings(element, tag);
}

static int is_named(const Element *element, const char *name)
{
    Py_ssize_t same = 0, length = (Py_ssize_t)strlen(name);
    while (element->name_length == length && same < length && (element->name[same] | 32) == name[same])
        same++;
    return same == length;
}

static int is_same(const Element *element, const Tag *tag)
{
    if (element->tag != tag->tag)
        return 0;
    if (tag->tag != T_other)
        return 1;
    if (element->name_length != tag->name_length)
        return 0;
    for (Py_ssize_t i = 0; i < tag->name_length; i++) {
        char a = element->name[i], b = tag->name_at[i];
        if ((a >= 'A' && a <= 'Z' ? a | 32 : a) != (b >= 'A' && b <= 'Z' ? b | 32 : b))
            return 0;
    }
    return 1;
}

/* Where the part of a table that holds the place under way is open; 0 outside of tables. */
static int table_part(const Tree *tree)
{
    for (int place = tree->depth - 1; place > 0; place--)
        if (flags_at(tree, place) & TABLE)
            return place;
    return 0;
}

static int is_cell(int tag)
{
    return tag == T_td || tag == T_th || tag == T_caption;
}

static int is_section(int tag)
{
    return tag == T_tbody || tag == T_thead || tag == T_tfoot;
}

/* Is the place under way one where only parts of a table may stand? */
static int among_rows(const Tree *tree)
{
    int tag = top_tag(tree);
    return tag == T_table || tag == T_tr || is_section(tag);
}

/* A cell or caption forgets a link left open in it. */
static void close_cell(Tree *tree, int place)
{
    if (tree->link_at > place) {
        tree->link_at = 0;
        tree->link = NO_LINK;
    }
    close_from(tree, place);
}

/* Is a table, section or row open that an end tag inside the table could reach? */
static int in_table(const Tree *tree, int tag)
{
    for (int place = tree->depth - 1; place > 0; place--) {
        if (tree->open[place].tag == tag)
            return place;
        if (tree->open[place].tag == T_table)
            return 0;
    }
    return 0;
}

/* The start of a part of a table. */
static int start_table_part(Tree *tree, const Tag *tag)
{
    int place = table_part(tree), kind = tag->tag;
    if (!place)
        return 0;
    if (is_cell(tree->open[place].tag))
        close_cell(tree, place);
    if (tree->depth < 2 || !among_rows(tree)) {
        tree->declined = 1;
        return 0;
    }
    if (top_tag(tree) == T_tr && !is_cell(kind))
        close_from(tree, tree->depth - 1);
    if (top_tag(tree) == T_tr && kind == T_caption)
        close_from(tree, tree->depth - 1);
    if (is_section(top_tag(tree)) && (is_section(kind) || kind == T_caption || kind == T_col || kind == T_colgroup))
        close_from(tree, tree->depth - 1);
    if (kind == T_col || kind == T_colgroup)
        return 0;
    if (top_tag(tree) == T_table && (kind == T_tr || kind == T_td || kind == T_th))
        open_element(tree, tag, T_tbody);
    if (is_section(top_tag(tree)) && (kind == T_td || kind == T_th))
        open_element(tree, tag, T_tr);
    open_element(tree, tag, kind);
    return 1;
}

static void end_table_part(Tree *tree, const Tag *tag)
{
    int kind = tag->tag, place = in_table(tree, kind), part = table_part(tree);
    if (!place || !part)
        return;
    if (is_cell(kind)) {
        if (place == part)
            close_cell(tree, place);
        else
            tree->declined = 1;
        return;
    }
    if (is_cell(tree->open[part].tag))
        close_cell(tree, part);
    close_from(tree, place);
}

static void end_block_element(Tree *tree, const Tag *tag)
{
    int place = in_scope(tree, tag->tag, tag->tag == T_li ? T_ol : 0, T_ul);
    if (place)
        close_from(tree, place);
}

static void end_heading(Tree *tree)
{
    for (int place = tree->depth - 1; place > 0; place--) {
        if (flags_at(tree, place) & HEADING) {
            close_from(tree, place);
            return;
        }
        if (flags_at(tree, place) & SCOPE)
            return;
    }
}

static void end_form(Tree *tree)
{
    uint32_t form = tree->form;
    tree->form = 0;
    for (int place = tree->depth - 1; form && place > 0; place--) {
        if (tree->open[place].number == form) {
            close_implied(tree, 0);
            /* Inline elements in it stay inside of it, those opened anew as well; blocks in it may leave one around it. */
            tree->declined |= tree->lost_formatting || (place + 1 < tree->depth && !(flags_at(tree, place + 1) & BLOCK));
            for (int outer = place - 1; outer > 0 && place + 1 < tree->depth; outer--)
                tree->declined |= (flags_at(tree, outer) & FORMATTING) != 0;
            if (place < tree->depth)
                remove_at(tree, place);
            return;
        }
        if (flags_at(tree, place) & SCOPE)
            return;
    }
}

/* The end of the link that is the innermost open element. */
static void end_link(Tree *tree)
{
    tree->link_at = 0;
    tree->link = NO_LINK;
    remove_at(tree, tree->depth - 1);
}

/* The end of an inline element; returns 0 if it ended nothing. */
static int end_inline(Tree *tree, const Tag *tag)
{
    int crossed = 0, blocks = 0; /* elements above: those that stay open, and plain blocks */
    for (int place = tree->depth - 1; place > 0; place--) {
        if (is_same(&tree->open[place], tag)) {
            if (crossed) {
                tree->declined |= blocks || tree->link_at >= place;
                tree->lost_formatting = 1;
                remove_at(tree, place);
                return 1;
            }
            if (place == tree->link_at) {
                tree->link_at = 0;
                tree->link = NO_LINK;
            }
            close_from(tree, place + 1);
            remove_at(tree, place);
            return 1;
        }
        blocks |= (flags_at(tree, place) & (SPECIAL | BLOCK)) == BLOCK;
        if (place == tree->link_at) {
            tree->declined = 1;
            return 0;
        }
        if (flags_at(tree, place) & SPECIAL) {
            if (!(TAG_FLAGS[tag->tag] & FORMATTING) || (flags_at(tree, place) & SCOPE))
                return 0;
            crossed = 1;
        }
    }
    return 0;
}

/* An item of a list ends the one before it. */
static void start_item(Tree *tree, const Tag *tag)
{
    for (int place = tree->depth - 1; place > 0; place--) {
        int at = tree->open[place].tag;
        if (at == tag->tag || (tag->tag != T_li && (at == T_dd || at == T_dt))) {
            close_from(tree, place);
            break;
        }
        if ((TAG_FLAGS[at] & SPECIAL) && at != T_address && at != T_div && at != T_p)
            break;
    }
}

static void free_tree(Tree *tree)
{
    while (tree->depth)
        forget_place(&tree->open[--tree->depth]);
}

#endif
