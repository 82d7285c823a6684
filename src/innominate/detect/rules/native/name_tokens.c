/* Parts of names in a text: name_tokens.py. */
#include "names.h"

enum { LONG_TOKEN = 80, FAR_BEFORE = 60 }; /* characters */

void token_free(Token *token) {
    Py_CLEAR(token->word);
    Py_CLEAR(token->folded);
}

void tokens_clear(Tokens *tokens) {
    while (tokens->n) token_free(&tokens->all[--tokens->n]);
}

int tokens_add(Tokens *tokens, Token token) {
    if (tokens->n == tokens->room) {
        size_t room = 2 * tokens->room + 8;
        Token *all = realloc(tokens->all, room * sizeof *all);
        if (!all) {
            token_free(&token);
            PyErr_NoMemory();
            return -1;
        }
        tokens->all = all;
        tokens->room = room;
    }
    tokens->all[tokens->n++] = token;
    return 0;
}

PyObject *folded_word(PyObject *word) {
    static PyObject *name;
    if (!name && !(name = PyUnicode_InternFromString("casefold"))) return NULL;
    return PyObject_VectorcallMethod(name, &word, 1, NULL);
}

/* The token of a match; 1 if there is one, 0 if there is none, -1 if there was an error. Takes the match. */
static int token_of(PyObject *match, Token *token) {
    static PyObject *name, *word_group, *initials_group;
    if (!match || match == Py_None) {
        Py_XDECREF(match);
        return match ? 0 : -1;
    }
    if (!name) {
        word_group = PyUnicode_InternFromString("word");
        initials_group = PyUnicode_InternFromString("initials");
        name = PyUnicode_InternFromString("group");
    }
    PyObject *arguments[] = {match, word_group, initials_group};
    PyObject *span = span_of_match(match, NULL), *groups = span ? PyObject_VectorcallMethod(name, arguments, 3, NULL) : NULL;
    Py_DECREF(match);
    *token = (Token){0};
    if (groups) {
        PyObject *initials = PyTuple_GET_ITEM(groups, 1);
        token->start = PyLong_AsSsize_t(PyTuple_GET_ITEM(span, 0));
        token->end = PyLong_AsSsize_t(PyTuple_GET_ITEM(span, 1));
        token->initials = initials != Py_None;
        token->word = Py_NewRef(token->initials ? initials : PyTuple_GET_ITEM(groups, 0));
        token->folded = folded_word(token->word);
        if (!token->folded) Py_CLEAR(token->word);
    }
    Py_XDECREF(span);
    Py_XDECREF(groups);
    return token->word ? 1 : -1;
}

static PyObject *look(PyObject *method, PyObject *text, Py_ssize_t from, Py_ssize_t to) {
    PyObject *arguments[] = {text, PyLong_FromSsize_t(from), PyLong_FromSsize_t(to)};
    PyObject *match = arguments[1] && arguments[2] ? PyObject_Vectorcall(method, arguments, 3, NULL) : NULL;
    Py_XDECREF(arguments[1]);
    Py_XDECREF(arguments[2]);
    return match;
}

int token_at(Finder *finder, Py_ssize_t place, Token *token) {
    if (place >= finder->n) return 0;
    Py_UCS4 first = PyUnicode_READ_CHAR(finder->text, place);
    PyObject *begins = PyTuple_GET_ITEM(finder->spec, BEGINS); /* most words that follow a name: no need to look closer */
    if (Py_UNICODE_ISLOWER(first) &&
        PyUnicode_FindChar(begins, Py_UNICODE_TOUPPER(first), 0, PyUnicode_GET_LENGTH(begins), 1) < 0)
        return 0;
    return token_of(look(PyTuple_GET_ITEM(finder->spec, FORWARDS), finder->text, place, place + LONG_TOKEN), token);
}

static int is_gap(Finder *finder, Py_ssize_t place) {
    if (place < 0 || place >= finder->n) return 0;
    Py_UCS4 c = PyUnicode_READ_CHAR(finder->text, place);
    return c == ' ' || c == 0xa0;
}

int token_after(Finder *finder, Py_ssize_t place, Token *token) {
    if (!is_gap(finder, place)) return 0;
    return token_at(finder, place + (is_gap(finder, place + 1) ? 2 : 1), token);
}

static int has_capital(Finder *finder, Py_ssize_t from, Py_ssize_t to) {
    for (Py_ssize_t i = to - 1; i >= from; i--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(finder->text, i);
        if (c == ' ') return 0;
        if (Py_UNICODE_TOLOWER(c) != c) return 1;
    }
    return 0;
}

int token_before(Finder *finder, Py_ssize_t place, Token *token) {
    if (!is_gap(finder, place - 1)) return 0;
    Py_ssize_t end = place - (is_gap(finder, place - 2) ? 2 : 1), from = end > FAR_BEFORE ? end - FAR_BEFORE : 0;
    if (!has_capital(finder, from, end)) return 0; /* the search would only take longer to say no */
    return token_of(look(PyTuple_GET_ITEM(finder->spec, BACKWARDS), finder->text, from, end), token);
}
