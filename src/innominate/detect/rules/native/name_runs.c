/* Words one after the other that are a name, and what names found before say about it. */
#include "names.h"

enum { LONGEST = 6 }; /* tokens in one name */

int is_ordinary(Finder *finder, PyObject *folded) { return folded ? PySet_Contains(finder->rule->not_names, folded) : -1; }

/* Another title. */
static int is_never(Finder *finder, const Token *token) { return !token->initials && finder->flags[token->start] & IS_TRIGGER; }

/* Listed as a name, or at least no ordinary word. */
int is_plausible(Finder *finder, Token *token) {
    if (token->initials || finder->flags[token->word] & (IS_FIRST | IS_LAST)) return 1;
    if (is_never(finder, token)) return 0;
    int ordinary = is_ordinary(finder, token_folded(finder, token));
    return ordinary < 0 ? -1 : !ordinary;
}

int is_taken(Finder *finder, const Token *token) { return finder->flags[token->start] & IS_TAKEN; }

int read_while(Finder *finder, int32_t place, Fits fits, PyObject *known) {
    Token token;
    tokens_clear(&finder->run);
    int is = token_at(finder, place, &token);
    while (is > 0) {
        int good = is_taken(finder, &token) ? 0 : fits(finder, &token, known);
        if (good <= 0) {
            Py_CLEAR(token.folded);
            return good;
        }
        if (tokens_add(&finder->run, token) < 0) return -1;
        is = token_after(finder, token.end, &token);
    }
    return is;
}

static int fits_name(Finder *finder, Token *token, PyObject *Py_UNUSED(known)) {
    if (finder->run.n >= LONGEST) return 0;
    return finder->run.n ? is_plausible(finder, token) : !is_never(finder, token);
}

int read_run(Finder *finder, int32_t place) { return read_while(finder, place, fits_name, NULL); }

int all_initials(const Tokens *tokens, Py_ssize_t from) {
    for (Py_ssize_t i = from; i < tokens->n; i++)
        if (!tokens->all[i].initials) return 0;
    return 1;
}

int put_first(Finder *finder, Token token) {
    if (tokens_add(&finder->run, token) < 0) return -1;
    memmove(finder->run.all + 1, finder->run.all, (size_t)(finder->run.n - 1) * sizeof token);
    finder->run.all[0] = token;
    return 0;
}

/* The last link of a word, or -1. */
static int32_t last_link(Finder *finder, PyObject *word) {
    PyObject *link = PyDict_GetItemWithError(finder->by_word, word);
    return link ? (int32_t)PyLong_AsLong(link) : -1;
}

static int link_word(Finder *finder, PyObject *word, int32_t name) {
    if (finder->n_links == finder->room_links && list_grow((void **)&finder->links, &finder->room_links, sizeof *finder->links) < 0)
        return -1;
    finder->links[finder->n_links] = (NameLink){name, last_link(finder, word)};
    PyObject *link = PyErr_Occurred() ? NULL : PyLong_FromSsize_t(finder->n_links++);
    int failed = !link || PyDict_SetItem(finder->by_word, word, link) < 0;
    Py_XDECREF(link);
    return failed ? -1 : 0;
}

/* A name as it is written, with its label. */
static PyObject *written(Finder *finder, const Name *name) {
    PyObject *all = PyTuple_New(name->n + 1), *label = PyLong_FromLong(name->label);
    if (!all || !label) {
        Py_XDECREF(all);
        Py_XDECREF(label);
        return NULL;
    }
    PyTuple_SET_ITEM(all, 0, label);
    for (Py_ssize_t i = 0; i < name->n; i++)
        PyTuple_SET_ITEM(all, i + 1, Py_NewRef(finder->taken.all[name->from + i].folded));
    return all;
}

/* Remember the last name by its words, unless there was the same before: a long text has few that differ. */
static int remember(Finder *finder) {
    const Name *name = &finder->names[finder->n_names - 1];
    PyObject *all = written(finder, name);
    int known = all ? PySet_Contains(finder->known, all) : -1;
    int failed = known < 0 || (!known && PySet_Add(finder->known, all) < 0);
    for (Py_ssize_t i = name->from; !failed && !known && i < name->from + name->n; i++)
        failed = link_word(finder, finder->taken.all[i].folded, (int32_t)finder->n_names - 1) < 0;
    Py_XDECREF(all);
    return failed ? -1 : 0;
}

int take_run(Finder *finder, int32_t label, double score, int how, int32_t because) {
    if (finder->n_names == finder->room_names && list_grow((void **)&finder->names, &finder->room_names, sizeof *finder->names) < 0)
        return -1;
    finder->names[finder->n_names++] = (Name){finder->taken.n, finder->run.n, label, because, how, score};
    for (Py_ssize_t i = 0; i < finder->run.n; i++) { /* they belong to the name now */
        Token token = finder->run.all[i];
        finder->run.all[i].folded = NULL;
        finder->flags[token.start] |= IS_TAKEN;
        if (tokens_add(&finder->taken, token) < 0) return -1;
        if (!token_folded(finder, &finder->taken.all[finder->taken.n - 1])) return -1;
    }
    return how == AGAIN ? 0 : remember(finder);
}

/* ------------------------------------------------------------------------------------------------------------ labels */

static int same_word(PyObject *a, PyObject *b) { return a == b || PyUnicode_Compare(a, b) == 0; }

/* Whether a word, or an initial, is among those of tokens. */
static int has(const Token *tokens, Py_ssize_t n, PyObject *word, int initials) {
    for (Py_ssize_t i = 0; i < n; i++)
        if (tokens[i].initials == initials && same_word(tokens[i].folded, word)) return 1;
    return 0;
}

/* How many different words of `run` a name has, up to two. */
static int shared(Finder *finder, const Name *name) {
    int count = 0;
    for (Py_ssize_t i = 0; i < finder->run.n && count < 2; i++) {
        const Token *token = &finder->run.all[i];
        if (token->initials || has(finder->run.all, i, token->folded, 0)) continue;
        count += has(finder->taken.all + name->from, name->n, token->folded, 0);
    }
    return count;
}

/* Whether a word is all the words that a name has. */
static int is_all(Finder *finder, const Name *name, PyObject *word) {
    int some = 0;
    for (Py_ssize_t i = name->from; i < name->from + name->n; i++) {
        if (finder->taken.all[i].initials) continue;
        if (!same_word(finder->taken.all[i].folded, word)) return 0;
        some = 1;
    }
    return some;
}

/* The first name that has two words of `run`, or only its last one; -1 if there is none. */
static int32_t same_name(Finder *finder, PyObject *last) {
    int32_t first = -1;
    for (Py_ssize_t i = 0; i < finder->run.n; i++)
        for (int32_t link = last_link(finder, finder->run.all[i].folded); link >= 0; link = finder->links[link].next) {
            int32_t number = finder->links[link].name;
            if (first >= 0 && number >= first) continue;
            if (shared(finder, &finder->names[number]) > 1 || is_all(finder, &finder->names[number], last)) first = number;
        }
    return first;
}

/* Whether somebody whose notes these are has a word as a name or an initial. */
static int is_relative(Finder *finder, PyObject *word) {
    for (int32_t link = last_link(finder, word); link >= 0; link = finder->links[link].next)
        if (finder->names[finder->links[link].name].label == finder->rule->header_label) return 1;
    return 0;
}

/* The label of a name found before with the same words, of a lone surname that is the last here, or of a relative. */
int known_label(Finder *finder, int32_t *label) {
    for (Py_ssize_t i = 0; i < finder->run.n; i++)
        if (!token_folded(finder, &finder->run.all[i])) return -1;
    PyObject *last = finder->run.all[finder->run.n - 1].folded;
    int32_t same = same_name(finder, last);
    if (same >= 0) *label = finder->names[same].label;
    else *label = is_relative(finder, last) ? finder->rule->header_label : finder->rule->unknown_label;
    return PyErr_Occurred() ? -1 : 0;
}
