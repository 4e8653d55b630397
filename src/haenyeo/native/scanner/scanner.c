/* haenyeo.native._scanner: reads text blocks and links out of a page in one pass over its bytes, without building a tree.

   It follows the HTML standard's rules for what stands in what as far as texts and links are concerned, and declines a
   page on which they would move content about; such a page is for a full parser. What it does return is the same as what
   a walk over the full tree returns. */
#include "addresses.h"
#include "at_places.h"
#include "places.h"
#include "signs.h"

#define MOST_TAGS 500000
#define MOST_LINKS 100000
#define NOWHERE 0

static struct {
    PyObject *block_type, *link_type, *noscript_links, *words;
    PyObject *valid; /* the bytes that were found to be UTF-8 last; held until they are scanned */
} known;

typedef struct {
    const char *at, *end;
    Tree tree;
    Gathered gathered;
    Bytes plain;      /* the text node under way, where it stands in the page, if it is there letter by letter */
    Bytes node, room; /* the same if it is not; the value of an attribute */
    uint32_t block;   /* the number of the element that holds the text block under way, or NOWHERE */
    uint32_t last;    /* the number of the element that holds the last text of it */
    int last_tag;
    int is_drawn;     /* the formula under way is one that the page shows once more behind it */
    PyObject *head;   /* what the head says: (element, attributes or text) in page order */
    int tags, has_html;
} Scan;

static void decline(Scan *scan)
{
    scan->tree.declined = 1;
}

/* ---- text */

static int block_place(const Tree *tree)
{
    int place = tree->depth - 1;
    while (place && !(flags_at(tree, place) & BLOCK))
        place--;
    return place;
}

/* Is this a sign before an amount of money? */
static int is_currency(const Bytes *text)
{
    static const char *const SIGNS[] = {"$", "\xC2\xA3", "\xC2\xA5", "\xE2\x82\xAC", "\xE2\x82\xA9", "\xE2\x82\xB9"};
    for (size_t i = 0; i < sizeof SIGNS / sizeof *SIGNS; i++) {
        Py_ssize_t length = (Py_ssize_t)strlen(SIGNS[i]);
        if (text->length >= length && !memcmp(text->bytes, SIGNS[i], length))
            return 1;
    }
    return 0;
}

/* Would two words become one if this text followed the last without a blank? Between links any two would. */
static int runs_on(unsigned char last, const Bytes *text, int between_links)
{
    unsigned char next = (unsigned char)text->bytes[0];
    int is_lower = last >= 'a' && last <= 'z', is_upper = last >= 'A' && last <= 'Z';
    int is_digit = last >= '0' && last <= '9', is_sign = last == ')' || last == '%';
    if ((next >= '0' && next <= '9') || is_currency(text))
        return is_lower || is_upper || is_digit || is_sign;
    if (between_links && is_letter(next) && (is_lower || is_upper || is_digit))
        return 1;
    return next >= 'A' && next <= 'Z' && (is_lower || is_digit || is_sign);
}

/* Does this text stand beside the element of the last one, in an element that a browser may show apart from it? */
static int stands_apart(Scan *scan, const Bytes *text)
{
    const Tree *tree = &scan->tree;
    const Gathered *gathered = &scan->gathered;
    const Element *top = &tree->open[tree->depth - 1];
    const Bytes *whole = &gathered->whole;
    if (gathered->is_verbatim || gathered->blank_waits || top->number <= scan->last || whole->length == gathered->start)
        return 0;
    int flags = TAG_FLAGS[top->tag] & TAG_FLAGS[scan->last_tag];
    if (!(flags & APART) && !tree->lost_formatting)
        return 0;
    if (!runs_on((unsigned char)whole->bytes[whole->length - 1], text, top->tag == T_a && scan->last_tag == T_a))
        return 0;
    if (tree->lost_formatting) {
        decline(scan);
        return 0;
    }
    for (int place = tree->depth - 1; place > 0; place--)
        if (tree->open[place].number == scan->last)
            return 0;
    return 1;
}

/* Is this the source of a formula, or a formula that is shown once more behind it? */
static int is_unsaid(const Scan *scan)
{
    const Tree *tree = &scan->tree;
    const Element *top = &tree->open[tree->depth - 1];
    return tree->formula_at && (scan->is_drawn || is_named(top, "annotation"));
}

static int flush_text(Scan *scan)
{
    Stretch stretch = {-1, 0};
    Gathered *gathered = &scan->gathered;
    const Bytes *text = scan->plain.length ? &scan->plain : &scan->node;
    if (!text->length)
        return 1;
    if (is_unsaid(scan)) {
        scan->plain.length = scan->node.length = 0;
        return 1;
    }
    int is_text = !is_all_space(text->bytes, text->length);
    if (is_text) {
        int place = block_place(&scan->tree);
        const Element *element = &scan->tree.open[place];
        if (element->number != scan->block || !gathered->is_open) {
            if (!name_places(&scan->tree, place, &scan->room)
                || !begin_block(gathered, element->path, element->signs, TAG_FLAGS[element->tag] & VERBATIM))
                return 0;
            scan->block = element->number;
        } else if (stands_apart(scan, text))
            gathered->blank_waits = 1;
        const Element *top = &scan->tree.open[scan->tree.depth - 1];
        scan->last = top->number;
        scan->last_tag = top->tag;
    }
    int done = append_text(gathered, text, &stretch);
    if (done && is_text && scan->tree.link != NO_LINK)
        stand(gathered, scan->tree.link, stretch);
    scan->plain.length = scan->node.length = 0;
    return done;
}

/* A tag that the parser passes over does not part the text around it; where that matters, let the parser see to it. */
static void pass_over(Scan *scan)
{
    Tree *tree = &scan->tree;
    if (tree->link_at || (flags_at(tree, block_place(tree)) & VERBATIM))
        decline(scan);
}

/* Text up to `end`; references in it stand for characters. */
static int read_text(Scan *scan, const char *end)
{
    if (scan->tree.depth > 1 && among_rows(&scan->tree))
        for (const char *at = scan->at; at < end; at++)
            if (!is_html_blank((unsigned char)*at)) {
                decline(scan);
                return 1;
            }
    const char *at = scan->at;
    scan->at = end;
    if (!scan->plain.length && !scan->node.length && !memchr(at, '&', end - at)) {
        scan->plain = (Bytes){(char *)at, end - at, 0};
        return 1;
    }
    Py_ssize_t before = scan->plain.length;
    scan->plain.length = 0;
    return append(&scan->node, scan->plain.bytes, before) && append_resolved(&scan->node, at, end, 0);
}

/* ---- links and head */

static int note_head(Scan *scan, const char *element, PyObject *what)
{
    PyObject *entry = what ? Py_BuildValue("(sN)", element, what) : NULL;
    int done = entry && !PyList_Append(scan->head, entry);
    Py_XDECREF(entry);
    return done;
}

/* A link; one without an address, or past the most that are kept, is none. Takes over the references. */
static int take_link(Scan *scan, PyObject *href, PyObject *rel, PyObject *title)
{
    FoundLink *link = href && scan->gathered.link_count < MOST_LINKS ? add_link(&scan->gathered) : NULL;
    if (!link) {
        Py_XDECREF(href);
        Py_XDECREF(rel);
        Py_XDECREF(title);
        return 0;
    }
    link->href = href;
    link->rel = rel;
    link->title = title;
    return 1;
}

static void start_link(Scan *scan, const Tag *tag)
{
    Tree *tree = &scan->tree;
    if (tree->link_at && tree->link_at == tree->depth - 1)
        end_link(tree); /* a link in a link ends it; what else is open in it would be opened anew */
    if (tree->link_at) {
        decline(scan);
        return;
    }
    open_element(tree, tag, T_a);
    tree->link_at = tree->depth - 1;
    PyObject *href = VALUE(tag, "href", &scan->room);
    tree->link = href && take_link(scan, href, VALUE(tag, "rel", &scan->room), VALUE(tag, "title", &scan->room)) ? scan->gathered.link_count - 1 : NO_LINK;
}

static void read_image(Scan *scan, const Tag *tag)
{
    FoundLink *link = scan->tree.link == NO_LINK ? NULL : &scan->gathered.links[scan->tree.link];
    if (link && (!link->alt || !PyUnicode_GET_LENGTH(link->alt)))
        Py_XSETREF(link->alt, VALUE(tag, "alt", &scan->room));
}

static void read_area(Scan *scan, const Tag *tag)
{
    PyObject *label = VALUE(tag, "alt", &scan->room);
    if (!label || !PyUnicode_GET_LENGTH(label))
        Py_XSETREF(label, VALUE(tag, "title", &scan->room));
    take_link(scan, VALUE(tag, "href", &scan->room), VALUE(tag, "rel", &scan->room), label);
}

static int has_word(const char *at, const char *end, const char *word)
{
    Py_ssize_t length = (Py_ssize_t)strlen(word);
    for (; end - at >= length; at++) {
        Py_ssize_t same = 0;
        while (same < length && (at[same] | 32) == (word[same] | 32))
            same++;
        if (same == length)
            return 1;
    }
    return 0;
}

/* Whether a value has one of some words, or what may be one written otherwise. */
static int may_have(const Attribute *given, const char *const *words)
{
    if (!given || !given->value)
        return 0;
    if (memchr(given->value, '&', given->value_end - given->value))
        return 1;
    for (; *words; words++)
        if (has_word(given->value, given->value_end, *words))
            return 1;
    return 0;
}

/* Most metas say nothing to a crawler; those for one crawler alone are known by what they say. */
static void read_meta(Scan *scan, const Tag *tag)
{
    static const char *const ALL[] = {"robots", NULL}, *const ORDERS[] = {"noindex", "nofollow", "none", NULL};
    const Attribute *name = attribute_of(tag, "name", 4);
    int is_for_crawlers = name && (may_have(name, ALL) || may_have(attribute_of(tag, "content", 7), ORDERS));
    if (is_for_crawlers || attribute_of(tag, "http-equiv", 10))
        note_head(scan, "meta", attributes_of(tag, &scan->room));
}

/* The words of a text in lower case, with single blanks between them: a new reference. */
static PyObject *words_of(PyObject *text)
{
    if (!text || !PyUnicode_GET_LENGTH(text))
        return Py_NewRef(places.no_text);
    int is_word = PyUnicode_IS_ASCII(text);
    for (Py_ssize_t i = 0; is_word && i < PyUnicode_GET_LENGTH(text); i++) {
        Py_UCS1 c = PyUnicode_1BYTE_DATA(text)[i];
        is_word = c == '-' || (c >= 'a' && c <= 'z');
    }
    return is_word ? Py_NewRef(text) : PyObject_CallOneArg(known.words, text);
}

static int is_step(PyObject *rel)
{
    PyObject *words = words_of(rel);
    const char *text = words ? PyUnicode_AsUTF8(words) : NULL;
    int found = 0;
    for (const char *at = text; at && *at;) {
        size_t length = strcspn(at, " ");
        found |= length == 4 && (!memcmp(at, "next", 4) || !memcmp(at, "prev", 4));
        at += length + (at[length] == ' ');
    }
    Py_XDECREF(words);
    return found;
}

/* Most link elements are for browsers. */
static int is_for_browsers(const Tag *tag)
{
    const Attribute *rel = attribute_of(tag, "rel", 3);
    static const char *const OURS[] = {"canonical", "alternate", "next", "prev"};
    if (!rel || !rel->value)
        return 1;
    for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++)
        if (has_word(rel->value, rel->value_end, OURS[i]))
            return 0;
    return !memchr(rel->value, '&', rel->value_end - rel->value);
}

static void read_link_element(Scan *scan, const Tag *tag)
{
    if (is_for_browsers(tag))
        return;
    if (!note_head(scan, "link", attributes_of(tag, &scan->room)))
        return;
    PyObject *rel = VALUE(tag, "rel", &scan->room);
    if (rel && is_step(rel))
        take_link(scan, VALUE(tag, "href", &scan->room), rel, VALUE(tag, "title", &scan->room));
    else
        Py_XDECREF(rel);
}

/* ---- elements that hold no tags */

/* Is this address, relation and text of a link, each a string or None? Returns 0 with an error set if not. */
static int is_told_link(PyObject *link)
{
    int is_told = PyTuple_Check(link) && PyTuple_GET_SIZE(link) == 3;
    for (int part = 0; is_told && part < 3; part++)
        is_told = PyTuple_GET_ITEM(link, part) == Py_None || PyUnicode_CheckExact(PyTuple_GET_ITEM(link, part));
    if (!is_told)
        PyErr_SetString(PyExc_TypeError, "a link in a noscript element has an address, a relation and a text");
    return is_told;
}

static void read_noscript(Scan *scan, const char *at, const char *end)
{
    if (!has_word(at, end, "href"))
        return;
    PyObject *found = PyObject_CallFunction(known.noscript_links, "s#", at, (Py_ssize_t)(end - at));
    PyObject *links = found ? items_of(found) : NULL;
    for (Py_ssize_t i = 0; links && !PyErr_Occurred() && i < PyTuple_GET_SIZE(links); i++) {
        PyObject *link = PyTuple_GET_ITEM(links, i), *parts[3];
        if (!is_told_link(link))
            break;
        for (int part = 0; part < 3; part++) {
            PyObject *value = PyTuple_GET_ITEM(link, part);
            parts[part] = value == Py_None ? NULL : Py_NewRef(value);
        }
        take_link(scan, parts[0], parts[1], parts[2]);
    }
    Py_XDECREF(links);
    Py_XDECREF(found);
}

static const char *raw_end(const Scan *scan, const Tag *tag, const char *at)
{
    return tag->tag == T_script ? find_script_end(at, scan->end) : find_end_tag(at, scan->end, tag->name, tag->name_length);
}

static void read_raw(Scan *scan, const Tag *tag)
{
    const char *content = scan->at;
    const char *close = raw_end(scan, tag, content);
    Tag ignored;
    const char *behind = close < scan->end ? read_tag(close + 2, scan->end, &ignored) : NULL;
    scan->at = behind ? behind : scan->end;
    if (tag->tag == T_noscript)
        read_noscript(scan, content, close);
    else if (tag->tag == T_iframe)
        take_link(scan, VALUE(tag, "src", &scan->room), NULL, VALUE(tag, "title", &scan->room));
    else if (tag->tag == T_title) {
        scan->room.length = 0;
        if (append_resolved(&scan->room, content, close, 0))
            note_head(scan, "title", PyUnicode_DecodeUTF8(scan->room.bytes, scan->room.length, "strict"));
    }
}

/* Would this end tag reach an element around the drawing? */
static int ends_outer(const Tree *tree, const Tag *tag)
{
    for (int place = tree->depth - 1; tag->is_end && place > 0; place--)
        if (is_same(&tree->open[place], tag))
            return 1;
    return 0;
}

/* Elements that would end a drawing, or in which HTML begins again. */
static int ends_drawing(const Tag *tag)
{
    static const char *const NAMES[] = {"ruby", "span", "sub", "sup", "var", "foreignobject"};
    if (tag->tag == T_title || tag->tag == T_image || tag->tag == T_style || tag->tag == T_svg)
        return 0;
    for (size_t i = 0; tag->tag == T_other && i < sizeof NAMES / sizeof *NAMES; i++)
        if (!strcmp(tag->name, NAMES[i]))
            return 1;
    return tag->tag != T_other;
}

/* A drawing is no text; one in which HTML begins again is left to the full parser. */
static void skip_drawing(Scan *scan)
{
    int depth = 1, in_description = 0; /* HTML may stand in a description, though hardly any does */
    Tag tag;
    while (depth && !scan->tree.declined) {
        const char *sign = memchr(scan->at, '<', scan->end - scan->at);
        if (!sign || scan->end - sign < 3 || (sign[1] == '!' && sign[2] == '[')) {
            decline(scan);
            return;
        }
        tag.is_end = sign[1] == '/';
        if (is_letter((unsigned char)sign[1 + tag.is_end])) {
            const char *behind = read_tag(sign + 1 + tag.is_end, scan->end, &tag);
            int is_description = tag.tag == T_title || (tag.tag == T_other && !strcmp(tag.name, "desc"));
            int is_lost = ends_drawing(&tag) || ends_outer(&scan->tree, &tag) || (in_description && !(is_description && tag.is_end));
            if (!behind || is_lost || ++scan->tags > MOST_TAGS) {
                decline(scan);
                return;
            }
            scan->at = behind;
            in_description = is_description && !tag.is_end && !tag.is_empty;
            depth += tag.tag != T_svg ? 0 : tag.is_end ? -1 : !tag.is_empty;
        } else {
            scan->at = sign[1] == '!' || sign[1] == '?' || sign[1] == '/' ? skip_markup(sign + 1, scan->end) : sign + 1;
        }
    }
}

/* What stands in a template is not shown; one with a formula, or without an end, is for the full parser. */
static void skip_template(Scan *scan)
{
    int depth = 1;
    Tag tag;
    while (depth && !scan->tree.declined) {
        const char *sign = memchr(scan->at, '<', scan->end - scan->at);
        if (!sign || scan->end - sign < 3) {
            decline(scan);
            return;
        }
        tag.is_end = sign[1] == '/';
        if (!is_letter((unsigned char)sign[1 + tag.is_end])) {
            scan->at = sign[1] == '!' || sign[1] == '?' || sign[1] == '/' ? skip_markup(sign + 1, scan->end) : sign + 1;
            continue;
        }
        const char *behind = read_tag(sign + 1 + tag.is_end, scan->end, &tag);
        if (!behind || (TAG_FLAGS[tag.tag] & DECLINED) || ++scan->tags > MOST_TAGS) {
            decline(scan);
            return;
        }
        if (tag.tag == T_svg && !tag.is_end && !tag.is_empty) {
            scan->at = behind;
            skip_drawing(scan);
            continue;
        }
        depth += tag.tag != T_template ? 0 : tag.is_end ? -1 : 1;
        scan->at = (TAG_FLAGS[tag.tag] & RAW) && !tag.is_end ? raw_end(scan, &tag, behind) : behind;
    }
}

/* ---- start tags */

static void open_block(Scan *scan, const Tag *tag)
{
    open_element(&scan->tree, tag, tag->tag);
    scan->block = NOWHERE;
}

static void start_form(Scan *scan, const Tag *tag)
{
    Tree *tree = &scan->tree;
    if (tree->form) {
        pass_over(scan);
        return;
    }
    scan->block = NOWHERE;
    if (among_rows(tree)) {
        tree->form = ++tree->numbered;
        return;
    }
    close_paragraph(tree);
    open_element(tree, tag, T_form);
    tree->form = tree->numbered;
}

static void start_table(Scan *scan, const Tag *tag)
{
    Tree *tree = &scan->tree;
    if (tree->link_at || (tree->quirks == MAYBE && in_scope(tree, T_p, T_button, T_button))) {
        decline(scan);
        return;
    }
    if (tree->quirks == NONE)
        close_paragraph(tree);
    open_block(scan, tag);
}

static void start_option(Scan *scan, const Tag *tag)
{
    Tree *tree = &scan->tree;
    if (top_tag(tree) == T_option)
        close_from(tree, tree->depth - 1);
    if (tree->select_at && tag->tag == T_optgroup && top_tag(tree) == T_optgroup)
        close_from(tree, tree->depth - 1);
    if (tree->lost_formatting)
        decline(scan);
    open_block(scan, tag);
}

static void start_plain_block(Scan *scan, const Tag *tag)
{
    Tree *tree = &scan->tree;
    int flags = TAG_FLAGS[tag->tag];
    if (tag->tag == T_li || tag->tag == T_dd || tag->tag == T_dt)
        start_item(tree, tag);
    if (flags & CLOSES_P)
        close_paragraph(tree);
    int ends_heading = (flags & HEADING) && (flags_at(tree, tree->depth - 1) & HEADING);
    if ((ends_heading || !(flags & SPECIAL)) && tree->lost_formatting)
        decline(scan);
    if (ends_heading)
        close_from(tree, tree->depth - 1);
    scan->block = NOWHERE;
    if (flags & VOID)
        return;
    open_element(tree, tag, tag->tag);
    if ((flags & VERBATIM) && scan->at < scan->end && *scan->at == '\n')
        scan->at++;
}

static void start_inline(Scan *scan, const Tag *tag)
{
    Tree *tree = &scan->tree;
    int flags = TAG_FLAGS[tag->tag];
    if ((flags & IMPLIED_END) && (flags_at(tree, tree->depth - 1) & IMPLIED_END)) {
        if (flags_at(tree, tree->depth - 1) & BLOCK)
            decline(scan);
        close_from(tree, tree->depth - 1);
    }
    if (tag->tag == T_button && in_scope(tree, T_button, 0, 0))
        close_from(tree, in_scope(tree, T_button, 0, 0));
    if ((tag->tag == T_object && tree->link_at) || (tag->tag == T_nobr && in_scope(tree, T_nobr, 0, 0)))
        decline(scan);
    open_element(tree, tag, tag->tag);
    if (tag->tag == T_select)
        tree->select_at = tree->depth - 1;
}

static void start_void(Scan *scan, const Tag *tag)
{
    switch (tag->tag) {
    case T_img: read_image(scan, tag); break;
    case T_area: read_area(scan, tag); break;
    case T_link: read_link_element(scan, tag); break;
    case T_meta: read_meta(scan, tag); break;
    case T_base: note_head(scan, "base", attributes_of(tag, &scan->room)); break;
    case T_br:
        if (scan->gathered.is_open) {
            Stretch ignored;
            Bytes line_break = {"\n", 1, 1};
            append_text(&scan->gathered, &line_break, &ignored);
        }
        break;
    default: break;
    }
}

static void start_html(Scan *scan, const Tag *tag)
{
    if (scan->has_html)
        decline(scan);
    scan->has_html = 1;
    pass_over(scan);
    note_head(scan, "html", attributes_of(tag, &scan->room));
}

static int is_hidden_input(Scan *scan, const Tag *tag)
{
    const Attribute *type = attribute_of(tag, "type", 4);
    (void)scan;
    return tag->tag == T_input && type && type->value && type->value_end - type->value == 6 && has_word(type->value, type->value_end, "hidden");
}

/* May this start tag stand where it does, so that nothing moves? */
static int fits(Scan *scan, const Tag *tag)
{
    Tree *tree = &scan->tree;
    int kind = tag->tag;
    if ((TAG_FLAGS[kind] & DECLINED) || tag->too_many)
        return 0;
    if (tree->select_at)
        return kind == T_option || kind == T_optgroup;
    if (tree->depth > 1 && among_rows(tree))
        return ((TAG_FLAGS[kind] & TABLE) && kind != T_table) || kind == T_col || kind == T_colgroup || kind == T_form
               || kind == T_script || kind == T_style || is_hidden_input(scan, tag);
    return 1;
}

/* ---- formulas: text like any other, in elements that follow other rules */

/* HTML inside of a formula is for the full parser, and so is what HTML may stand in. */
static int fits_formula(const Tree *tree, const Tag *tag)
{
    static const char *const LEAVES[] = {"mi", "mo", "mn", "ms", "mtext", "annotation"};
    if (tag->tag != T_other || ends_drawing(tag) || !strcmp(tag->name, "annotation-xml"))
        return 0;
    const Element *top = &tree->open[tree->depth - 1];
    for (size_t i = 0; i < sizeof LEAVES / sizeof *LEAVES; i++)
        if (is_named(top, LEAVES[i]))
            return 0;
    return 1;
}

static void start_in_formula(Scan *scan, const Tag *tag)
{
    if (!fits_formula(&scan->tree, tag))
        decline(scan);
    else if (!tag->is_empty)
        open_element(&scan->tree, tag, T_other);
}

/* Does the element around a formula say that what is shown of it stands behind it? So KaTeX writes. */
static int is_drawn_behind(const Scan *scan)
{
    const Tree *tree = &scan->tree;
    const Element *top = &tree->open[tree->depth - 1];
    Tag around;
    if (top->tag != T_span || !read_tag(top->name, scan->end, &around))
        return 0;
    const Attribute *classes = attribute_of(&around, "class", 5);
    return classes && classes->value && has_word(classes->value, classes->value_end, "katex-mathml");
}

static void start_formula(Scan *scan, const Tag *tag)
{
    if (tag->is_empty)
        return;
    scan->is_drawn = is_drawn_behind(scan);
    open_element(&scan->tree, tag, T_math);
    scan->tree.formula_at = scan->tree.depth - 1;
}

static void end_in_formula(Scan *scan, const Tag *tag)
{
    Tree *tree = &scan->tree;
    for (int place = tree->depth - 1; place >= tree->formula_at; place--)
        if (is_same(&tree->open[place], tag)) {
            close_from(tree, place);
            return;
        }
    decline(scan);
}

static void start_tag(Scan *scan, const Tag *tag)
{
    int kind = tag->tag, flags = TAG_FLAGS[kind];
    if (scan->tree.formula_at)
        start_in_formula(scan, tag);
    else if (!fits(scan, tag))
        decline(scan);
    else if (kind == T_html)
        start_html(scan, tag);
    else if (kind == T_head || kind == T_body)
        pass_over(scan);
    else if (kind == T_a)
        start_link(scan, tag);
    else if (flags & RAW) {
        if (flags & CLOSES_P)
            close_paragraph(&scan->tree);
        read_raw(scan, tag);
    } else if (kind == T_svg) {
        if (!tag->is_empty)
            skip_drawing(scan);
    } else if (kind == T_template)
        skip_template(scan);
    else if (kind == T_math)
        start_formula(scan, tag);
    else if (kind == T_form)
        start_form(scan, tag);
    else if (kind == T_table)
        start_table(scan, tag);
    else if ((flags & TABLE) || kind == T_col || kind == T_colgroup) {
        if (start_table_part(&scan->tree, tag))
            scan->block = NOWHERE;
        else
            pass_over(scan);
    } else if (kind == T_option || kind == T_optgroup)
        start_option(scan, tag);
    else if (flags & BLOCK)
        start_plain_block(scan, tag);
    else if (flags & VOID)
        start_void(scan, tag);
    else
        start_inline(scan, tag);
}

/* ---- end tags */

static int is_structure(int kind)
{
    return kind == T_html || kind == T_head || kind == T_body || kind == T_col || kind == T_colgroup;
}

static void end_paragraph(Scan *scan, const Tag *tag)
{
    (void)tag;
    int place = in_scope(&scan->tree, T_p, T_button, T_button);
    if (place)
        close_from(&scan->tree, place);
    else
        scan->block = NOWHERE; /* an empty paragraph stands there */
}

static void end_tag_among_rows(Scan *scan, const Tag *tag)
{
    if (tag->tag == T_form)
        scan->tree.form = 0;
    else if (tag->tag == T_p || tag->tag == T_br)
        decline(scan);
    else if (TAG_FLAGS[tag->tag] & TABLE)
        end_table_part(&scan->tree, tag);
}

static void end_tag(Scan *scan, const Tag *tag)
{
    Tree *tree = &scan->tree;
    int kind = tag->tag, flags = TAG_FLAGS[kind], depth = tree->depth;
    if (tree->formula_at) {
        end_in_formula(scan, tag);
        return;
    }
    if (tree->depth > 1 && among_rows(tree)) {
        end_tag_among_rows(scan, tag);
        return;
    }
    if (is_structure(kind)) {
        pass_over(scan);
        return;
    }
    if (tree->select_at && kind != T_select && kind != T_option && kind != T_optgroup) {
        decline(scan);
        return;
    }
    if (kind == T_p)
        end_paragraph(scan, tag);
    else if (kind == T_br)
        start_void(scan, tag);
    else if (kind == T_form) {
        if (name_places(tree, tree->depth - 1, &scan->room))
            end_form(tree);
    } else if (flags & TABLE)
        end_table_part(tree, tag);
    else if (flags & HEADING)
        end_heading(tree);
    else if ((flags & ENDS_BLOCK) || kind == T_li || kind == T_dd || kind == T_dt)
        end_block_element(tree, tag);
    else
        end_inline(tree, tag);
    if (tree->depth == depth && kind != T_br)
        pass_over(scan);
}

/* ---- the pass over the page */

static void read_doctype(Scan *scan, const char *at, const char *end)
{
    if (scan->tags || end - at < 8 || !has_word(at, at + 8, "!doctype"))
        return;
    const char *name = at + 8;
    while (name < end && is_html_blank((unsigned char)*name))
        name++;
    int is_plain = end - name >= 5 && has_word(name, name + 4, "html") && name[4] == '>';
    int quotes = 0; /* two of the public name, two more of an address */
    for (const char *sign = at; sign < end; sign++)
        quotes += *sign == '"';
    int is_strict = is_plain || has_word(at, end, "-//w3c//dtd xhtml 1")
                    || (has_word(at, end, "-//w3c//dtd html 4.01") && has_word(at, end, "http"));
    int is_old = has_word(at, end, "-//w3c//dtd html 4.0 transitional//") || has_word(at, end, "-//w3c//dtd html 3.2")
                 || (has_word(at, end, "-//w3c//dtd html 4.01 transitional//") && quotes == 2);
    scan->tree.quirks = is_strict ? NONE : is_old ? ALL : MAYBE;
}

/* Is this the end tag of an element that is not open, and that the parser passes over wherever it stands in a body?
   Formatting that was ended by a block may still be opened anew, and then the tag prevents that. */
static int ends_nothing(const Tree *tree, const Tag *tag)
{
    int kind = tag->tag, flags = TAG_FLAGS[kind];
    if (kind == T_p || kind == T_br || kind == T_form || is_structure(kind) || (flags & (TABLE | HEADING | DECLINED)))
        return 0;
    if (tree->lost_formatting && ((flags & FORMATTING) || kind == T_a))
        return 0;
    for (int place = tree->depth - 1; place > 0; place--)
        if (is_same(&tree->open[place], tag))
            return 0;
    return 1;
}

/* Does nothing but stand there: the end tag of an element that has none, or that is not open. */
static int is_idle(const Scan *scan, const Tag *tag)
{
    const Tree *tree = &scan->tree;
    if (!tag->is_end || tree->select_at || tree->formula_at || (tree->depth > 1 && among_rows(tree)))
        return 0;
    return ((TAG_FLAGS[tag->tag] & VOID) && tag->tag != T_br) || ends_nothing(tree, tag);
}

static int read_markup(Scan *scan, const char *sign)
{
    Tag tag;
    tag.is_end = sign[1] == '/';
    const char *next = sign + 1 + tag.is_end;
    if (next < scan->end && is_letter((unsigned char)*next)) {
        const char *behind = read_tag(next, scan->end, &tag);
        scan->at = behind ? behind : scan->end;
        if (tag.tag == T_image && !tag.is_end && !scan->tree.formula_at)
            tag.tag = T_img; /* as the standard has it */
        if (behind && is_idle(scan, &tag))
            return 1;
        if (!flush_text(scan))
            return 0;
        if (behind && ++scan->tags > MOST_TAGS)
            decline(scan);
        else if (behind && tag.is_end)
            end_tag(scan, &tag);
        else if (behind)
            start_tag(scan, &tag);
        return 1;
    }
    if (tag.is_end && next < scan->end && *next == '>') {
        scan->at = next + 1;
        pass_over(scan);
        return 1;
    }
    if (scan->tree.formula_at && scan->end - sign > 2 && sign[1] == '!' && sign[2] == '[')
        decline(scan);
    if (next < scan->end && (tag.is_end || sign[1] == '!' || sign[1] == '?')) {
        const char *behind = skip_markup(sign + 1, scan->end);
        read_doctype(scan, sign + 1, behind);
        scan->at = behind;
        if (scan->at - sign > 9 && has_word(sign + 1, sign + 9, "!doctype"))
            pass_over(scan);
        return flush_text(scan);
    }
    return read_text(scan, sign + 1);
}

static int read_page(Scan *scan)
{
    while (scan->at < scan->end && !scan->tree.declined) {
        const char *sign = memchr(scan->at, '<', scan->end - scan->at);
        const char *text_end = sign ? sign : scan->end;
        if (text_end > scan->at && !read_text(scan, text_end))
            return 0;
        if (sign && !scan->tree.declined && !read_markup(scan, sign))
            return 0;
        if (PyErr_Occurred())
            return 0;
    }
    if (scan->tree.declined)
        return 1;
    if (!flush_text(scan))
        return 0;
    end_block(&scan->gathered);
    return !PyErr_Occurred();
}

/* ---- what is handed back */

static PyObject *block_tuple(const Gathered *gathered)
{
    PyObject *blocks = PyTuple_New(gathered->block_count);
    for (Py_ssize_t i = 0; blocks && i < gathered->block_count; i++) {
        const TextBlock *found = &gathered->blocks[i];
        PyObject *linked = PyLong_FromSsize_t(found->linked);
        PyObject *parts[] = {found->text, found->path, linked, found->signs};
        PyObject *block = linked ? PyObject_Vectorcall(known.block_type, parts, 4, NULL) : NULL;
        Py_XDECREF(linked);
        if (block)
            PyTuple_SET_ITEM(blocks, i, block);
        else
            Py_CLEAR(blocks);
    }
    return blocks;
}

static PyObject *label_of(const FoundLink *link)
{
    PyObject *text = link->alt && PyUnicode_GET_LENGTH(link->alt) ? link->alt : link->title;
    if (link->block >= 0 || !text || !PyUnicode_GET_LENGTH(text))
        return Py_NewRef(places.no_text);
    PyObject *words = PyUnicode_Split(text, NULL, -1);
    PyObject *blank = PyUnicode_FromString(" ");
    PyObject *label = words && blank ? PyUnicode_Join(blank, words) : NULL;
    Py_XDECREF(words);
    Py_XDECREF(blank);
    return label;
}

/* Where a link ends in its block, from which the blanks at the end were cut off. */
static Py_ssize_t end_of(const Gathered *gathered, const FoundLink *link)
{
    PyObject *text = is_place(link->block, gathered->block_count) ? gathered->blocks[link->block].text : NULL;
    return text && link->end > PyUnicode_GET_LENGTH(text) ? PyUnicode_GET_LENGTH(text) : link->end;
}

static PyObject *outlink(const Gathered *gathered, const FoundLink *link, PyObject *url)
{
    PyObject *parts[] = {
        url, words_of(link->rel), PyLong_FromSsize_t(link->block), PyLong_FromSsize_t(link->start), PyLong_FromSsize_t(end_of(gathered, link)), label_of(link),
    };
    PyObject *made = NULL;
    if (parts[1] && parts[2] && parts[3] && parts[4] && parts[5])
        made = PyObject_Vectorcall(known.link_type, parts, 6, NULL);
    for (int i = 1; i < 6; i++)
        Py_XDECREF(parts[i]);
    return made;
}

/* The address that a link leads to, or None: borrowed from `seen`, which knows those met before. */
static PyObject *resolved(PyObject *href, PyObject *seen, const Base *base)
{
    PyObject *url = PyDict_GetItemWithError(seen, href);
    if (url || PyErr_Occurred())
        return url;
    url = plainly_resolved(base, href);
    if (!url && !PyErr_Occurred())
        url = PyObject_CallOneArg(base->ask, href);
    if (!url || PyDict_SetItem(seen, href, url)) {
        Py_XDECREF(url);
        return NULL;
    }
    Py_DECREF(url);
    return url;
}

static PyObject *link_tuple(const Gathered *gathered, const Base *base)
{
    PyObject *links = PyList_New(0), *seen = PyDict_New();
    for (Py_ssize_t i = 0; links && seen && i < gathered->link_count; i++) {
        PyObject *url = resolved(gathered->links[i].href, seen, base);
        PyObject *link = url && url != Py_None ? outlink(gathered, &gathered->links[i], url) : NULL;
        if (link)
            PyList_Append(links, link);
        Py_XDECREF(link);
        if (PyErr_Occurred())
            Py_CLEAR(links);
    }
    PyObject *tuple = links && seen ? PyList_AsTuple(links) : NULL;
    Py_XDECREF(links);
    Py_XDECREF(seen);
    return tuple;
}

/* The links, from where the page's head says they start; none if it says nothing, for then nobody wants them. */
static PyObject *links_from(const Gathered *gathered, PyObject *start)
{
    Base base;
    if (start == Py_None)
        return PyTuple_New(0);
    if (!PyArg_ParseTuple(start, "s#s#O", &base.origin, &base.origin_length, &base.folder, &base.folder_length, &base.ask))
        return NULL;
    return link_tuple(gathered, &base);
}

/* The text of all blocks, one a line. */
static PyObject *text_of(const Gathered *gathered)
{
    Py_ssize_t length = gathered->whole.length;
    return PyBytes_FromStringAndSize(gathered->whole.bytes, length ? length - 1 : 0);
}

static PyObject *result_of(Scan *scan, PyObject *read_head)
{
    PyObject *start = PyObject_CallOneArg(read_head, scan->head);
    PyObject *blocks = start ? block_tuple(&scan->gathered) : NULL;
    PyObject *links = blocks ? links_from(&scan->gathered, start) : NULL;
    PyObject *text = links ? text_of(&scan->gathered) : NULL;
    PyObject *result = text ? PyTuple_Pack(3, blocks, links, text) : NULL;
    Py_XDECREF(start);
    Py_XDECREF(text);
    Py_XDECREF(blocks);
    Py_XDECREF(links);
    return result;
}

/* The page with its line ends as the standard wants them; NULL with an error set. */
static char *with_plain_line_ends(const char *html, Py_ssize_t *length)
{
    char *plain = room_for(*length, 1), *to = plain;
    for (Py_ssize_t i = 0; plain && i < *length; i++) {
        if (html[i] != '\r')
            *to++ = html[i];
        else if (i + 1 == *length || html[i + 1] != '\n')
            *to++ = '\n';
    }
    *length = plain ? to - plain : 0;
    if (plain)
        *to = 0; /* as behind the bytes of Python */
    return plain;
}

static PyObject *scan_bytes(const char *html, Py_ssize_t length, PyObject *read_head)
{
    Scan *scan = PyMem_Calloc(1, sizeof *scan);
    if (!scan)
        return PyErr_NoMemory();
    scan->at = html;
    scan->end = html + length;
    scan->tree.depth = 1;
    scan->tree.open[0] = (Element){.tag = T_body, .path = Py_NewRef(places.no_text), .signs = Py_NewRef(places.no_text), .number = 1};
    scan->tree.numbered = 1;
    scan->tree.link = NO_LINK;
    scan->tree.quirks = ALL;
    scan->head = PyList_New(0);
    PyObject *result = NULL;
    /* Half of a page is more text than most pages have. */
    if (scan->head && has_room(&scan->gathered.whole, length / 2) && read_page(scan))
        result = scan->tree.declined ? Py_NewRef(Py_None) : result_of(scan, read_head);
    else if (!PyErr_Occurred())
        PyErr_NoMemory();
    Py_XDECREF(scan->head);
    free_tree(&scan->tree);
    free_gathered(&scan->gathered);
    PyMem_Free(scan->node.bytes);
    PyMem_Free(scan->room.bytes);
    PyMem_Free(scan);
    return result;
}

static Py_ssize_t characters_in(PyObject *bytes)
{
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(bytes);
    return count_characters(at, at + PyBytes_GET_SIZE(bytes));
}

/* The bytes of a page that is given as text or as bytes; NULL if they are no UTF-8, with an error set if it is neither. */
static const char *bytes_of(PyObject *page, Py_ssize_t *length)
{
    if (PyUnicode_Check(page)) {
        const char *bytes = PyUnicode_AsUTF8AndSize(page, length);
        if (!bytes && PyErr_ExceptionMatches(PyExc_UnicodeError))
            PyErr_Clear(); /* lone surrogates */
        return bytes;
    }
    if (!PyBytes_Check(page))
        return (const char *)PyErr_Format(PyExc_TypeError, "a page is text or bytes");
    int is_valid = page == known.valid || characters_in(page) >= 0;
    Py_CLEAR(known.valid);
    *length = PyBytes_GET_SIZE(page);
    return is_valid ? PyBytes_AS_STRING(page) : NULL;
}

/* What comes of a page in which lines end as they may. */
static PyObject *scan_lines(const char *html, Py_ssize_t length, PyObject *read_head)
{
    if (!memchr(html, '\r', length))
        return scan_bytes(html, length, read_head);
    char *plain = with_plain_line_ends(html, &length);
    PyObject *result = plain ? scan_bytes(plain, length, read_head) : NULL;
    PyMem_Free(plain);
    return result;
}

static PyObject *characters_of(PyObject *module, PyObject *page)
{
    (void)module;
    if (!PyBytes_Check(page))
        return PyErr_Format(PyExc_TypeError, "bytes are needed");
    Py_ssize_t count = characters_in(page);
    Py_XSETREF(known.valid, count < 0 ? NULL : Py_NewRef(page));
    return PyLong_FromSsize_t(count);
}

static PyObject *scan_page(PyObject *module, PyObject *arguments)
{
    PyObject *page, *read_head;
    Py_ssize_t length = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO", &page, &read_head))
        return NULL;
    if (!known.block_type)
        return PyErr_Format(PyExc_RuntimeError, "configure() has not been called");
    const char *html = bytes_of(page, &length);
    if (!html || memchr(html, 0, length)) /* a parser would drop a zero here and replace it there */
        return none_unless_error();
    return scan_lines(html, length, read_head);
}

static PyObject *configure(PyObject *module, PyObject *arguments)
{
    PyObject *parts[7];
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOOOO!", &parts[0], &parts[1], &parts[2], &parts[3], &parts[4], &parts[5], &PyDict_Type, &parts[6]))
        return NULL;
    Py_XSETREF(known.block_type, Py_NewRef(parts[0]));
    Py_XSETREF(known.link_type, Py_NewRef(parts[1]));
    Py_XSETREF(places.path_to, Py_NewRef(parts[2]));
    Py_XSETREF(places.signs_to, Py_NewRef(parts[3]));
    Py_XSETREF(known.noscript_links, Py_NewRef(parts[4]));
    Py_XSETREF(known.words, Py_NewRef(parts[5]));
    Py_XSETREF(named_references, Py_NewRef(parts[6]));
    Py_RETURN_NONE;
}

static PyObject *count_signs(PyObject *module, PyObject *arguments)
{
    PyObject *page;
    Sign sign;
    Py_ssize_t start, end, most;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Sy#nnnn", &page, &sign.bytes, &sign.length, &sign.rare, &start, &end, &most))
        return NULL;
    if (!is_place(sign.rare, sign.length) || start < 0 || end < 0)
        return PyErr_Format(PyExc_ValueError, "a sign has a rare byte, and is looked for from one place to another");
    const char *bytes = PyBytes_AS_STRING(page);
    Py_ssize_t size = PyBytes_GET_SIZE(page);
    end = end < size ? end : size;
    return PyLong_FromSsize_t(start < end ? count_of(&sign, bytes + start, bytes + end, most) : 0);
}

static PyObject *behind_signs(PyObject *module, PyObject *arguments)
{
    PyObject *page;
    Sign sign;
    Py_ssize_t most, length, size;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Oy#nnn", &page, &sign.bytes, &sign.length, &sign.rare, &most, &length))
        return NULL;
    if (!is_place(sign.rare, sign.length) || length < 0)
        return PyErr_Format(PyExc_ValueError, "a sign has a rare byte, and something of some length behind it");
    const char *bytes = PyBytes_Check(page) ? PyBytes_AS_STRING(page) : bytes_of(page, &size);
    if (PyBytes_Check(page))
        size = PyBytes_GET_SIZE(page);
    if (!bytes)
        return none_unless_error();
    return pieces_behind(&sign, bytes, bytes + size, most, length);
}

static PyMethodDef METHODS[] = {
    {"numbers_at", numbers_at, METH_VARARGS,
     "numbers_at(blocks, known, ask)\n\nThe numbers of the blocks whose paths are wanted, which known says by path, ask of others."},
    {"count", count_signs, METH_VARARGS,
     "count(page, sign, rare, start, end, most)\n\nHow often a sign, whose byte at the place `rare` is the rarest, stands in a stretch "
     "of a page, counted up to `most`."},
    {"behind", behind_signs, METH_VARARGS,
     "behind(page, sign, rare, most, length)\n\n"
     "What stands behind the first signs of a page, up to so many bytes; None of a text that cannot be written in UTF-8."},
    {"configure", configure, METH_VARARGS,
     "configure(block_type, link_type, path_to, signs_to, noscript_links, words, references)\n\nSay what to make and whom to ask."},
    {"characters", characters_of, METH_O, "characters(page)\n\nHow many characters these bytes of UTF-8 are, or -1 if they are none."},
    {"scan", scan_page, METH_VARARGS,
     "scan(page, read_head)\n\nBlocks, links and text of a page, text or bytes of UTF-8, or None if it is for a full parser.\n\n"
     "read_head takes what the head says and returns where links start: origin, folder, and whom to ask; None for no links."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_scanner", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__scanner(void)
{
    fill_tag_slots();
    fill_address_signs();
    places.no_text = PyUnicode_FromString("");
    return places.no_text ? PyModule_Create(&MODULE) : NULL;
}
