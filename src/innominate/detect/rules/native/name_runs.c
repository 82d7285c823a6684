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

int all_initials(const Tokens *tokens, size_t from) {
    for (size_t i = from; i < tokens->n; i++)
        if (!tokens->all[i].initials) return 0;
    return 1;
}

int put_first(Finder *finder, Token token) {
    if (tokens_add(&finder->run, token) < 0) return -1;
    memmove(finder->run.all + 1, finder->run.all, (finder->run.n - 1) * sizeof token);
    finder->run.all[0] = token;
    return 0;
}

/* Remember the last name, unless there was the same before: a long text has few that differ. */
static int remember(Finder *finder) {
    const Name *name = &finder->names[finder->n_names - 1];
    const Token *tokens = finder->taken.all + name->from;
    PyObject *written = PyTuple_New((Py_ssize_t)name->n + 1), *label = PyLong_FromLong(name->label);
    if (!written || !label) {
        Py_XDECREF(written);
        Py_XDECREF(label);
        return -1;
    }
    PyTuple_SET_ITEM(written, 0, label);
    for (size_t i = 0; i < name->n; i++) PyTuple_SET_ITEM(written, (Py_ssize_t)i + 1, Py_NewRef(tokens[i].folded));
    int known = PySet_Contains(finder->known, written);
    int failed = known < 0 || (!known && (PySet_Add(finder->known, written) < 0 ||
                                          numbers_add(&finder->different, (int32_t)finder->n_names - 1) < 0));
    Py_DECREF(written);
    return failed ? -1 : 0;
}

int take_run(Finder *finder, int32_t label, double score, int how, int32_t because) {
    if (finder->n_names == finder->room_names) {
        size_t room = 2 * finder->room_names + 8;
        Name *names = realloc(finder->names, room * sizeof *names);
        if (!names) {
            PyErr_NoMemory();
            return -1;
        }
        finder->names = names;
        finder->room_names = room;
    }
    finder->names[finder->n_names++] = (Name){finder->taken.n, finder->run.n, label, because, how, score};
    for (size_t i = 0; i < finder->run.n; i++) { /* they belong to the name now */
        Token token = finder->run.all[i];
        finder->run.all[i].folded = NULL;
        finder->flags[token.start] |= IS_TAKEN;
        if (tokens_add(&finder->taken, token) < 0) return -1;
        if (!token_folded(finder, &finder->taken.all[finder->taken.n - 1])) return -1;
    }
    return how == AGAIN ? 0 : remember(finder);
}

/* ------------------------------------------------------------------------------------------------------------ labels */

static int same(PyObject *a, PyObject *b) { return a == b || PyUnicode_Compare(a, b) == 0; }

/* Whether a word, or an initial, is among those of tokens. */
static int has(const Token *tokens, size_t n, PyObject *word, int initials) {
    for (size_t i = 0; i < n; i++)
        if (tokens[i].initials == initials && same(tokens[i].folded, word)) return 1;
    return 0;
}

/* How many different words of `run` a name has, up to two. */
static int shared(Finder *finder, const Name *name) {
    int count = 0;
    for (size_t i = 0; i < finder->run.n && count < 2; i++) {
        const Token *token = &finder->run.all[i];
        if (token->initials || has(finder->run.all, i, token->folded, 0)) continue;
        count += has(finder->taken.all + name->from, name->n, token->folded, 0);
    }
    return count;
}

/* Whether a word is all the words that a name has. */
static int is_all(Finder *finder, const Name *name, PyObject *word) {
    int some = 0;
    for (size_t i = name->from; i < name->from + name->n; i++) {
        if (finder->taken.all[i].initials) continue;
        if (!same(finder->taken.all[i].folded, word)) return 0;
        some = 1;
    }
    return some;
}

/* The label of a name found before with the same words, of a lone surname that is the last here, or of a relative. */
int known_label(Finder *finder, int32_t *label) {
    for (size_t i = 0; i < finder->run.n; i++)
        if (!token_folded(finder, &finder->run.all[i])) return -1;
    PyObject *last = finder->run.all[finder->run.n - 1].folded;
    for (Py_ssize_t i = 0; i < finder->different.n; i++) {
        const Name *name = &finder->names[finder->different.all[i]];
        if (shared(finder, name) < 2 && !is_all(finder, name, last)) continue;
        *label = name->label;
        return 0;
    }
    *label = finder->rule->unknown_label;
    for (Py_ssize_t i = 0; i < finder->different.n; i++) {
        const Name *name = &finder->names[finder->different.all[i]];
        const Token *tokens = finder->taken.all + name->from;
        if (name->label != finder->rule->header_label || !(has(tokens, name->n, last, 0) || has(tokens, name->n, last, 1))) continue;
        *label = finder->rule->header_label;
        break;
    }
    return 0;
}
