/* Parts of names in a text: name_tokens.py. */
#include "names.h"

enum { LONG_TOKEN = 80, FAR_BEFORE = 60 }; /* characters */

void tokens_clear(Tokens *tokens) {
    while (tokens->n) Py_XDECREF(tokens->all[--tokens->n].folded);
}

int tokens_add(Tokens *tokens, Token token) {
    if (tokens->n == tokens->room && list_grow((void **)&tokens->all, &tokens->room, sizeof token) < 0) {
        Py_CLEAR(token.folded);
        return -1;
    }
    tokens->all[tokens->n++] = token;
    return 0;
}

PyObject *folded_part(Finder *finder, int32_t start, int32_t end) {
    static PyObject *name;
    if (!name && !(name = PyUnicode_InternFromString("casefold"))) return NULL;
    PyObject *word = PyUnicode_Substring(finder->text, start, end);
    PyObject *folded = word ? PyObject_VectorcallMethod(name, &word, 1, NULL) : NULL;
    Py_XDECREF(word);
    return folded;
}

PyObject *token_folded(Finder *finder, Token *token) {
    if (!token->folded) token->folded = folded_part(finder, token->word, token->end);
    return token->folded;
}

/* The token that an expression finds: the groups are the whole, the word and the initials. */
static int ask(Finder *finder, Expression *expression, How how, int32_t from, Py_ssize_t to, Token *token) {
    int32_t places[6];
    int is = expression_ask(expression, how, finder->board, from, to < finder->board->length ? to : finder->board->length, places);
    if (is <= 0) return is;
    *token = (Token){places[0], places[4] >= 0 ? places[4] : places[2], places[1], places[4] >= 0, NULL};
    if (token->start >= 0 && token->start <= token->word && token->word <= token->end) return 1;
    PyErr_SetString(PyExc_ValueError, "a part of a name is a word or initials");
    return -1;
}

int token_at(Finder *finder, int32_t place, Token *token) {
    if (place >= finder->board->length) return 0;
    Py_UCS4 first = PyUnicode_READ_CHAR(finder->text, place);
    PyObject *begins = finder->rule->begins; /* most words that follow a name: no need to look closer */
    if (Py_UNICODE_ISLOWER(first) &&
        PyUnicode_FindChar(begins, Py_UNICODE_TOUPPER(first), 0, PyUnicode_GET_LENGTH(begins), 1) < 0)
        return 0;
    return ask(finder, &finder->rule->forwards, MATCH, place, (Py_ssize_t)place + LONG_TOKEN, token);
}

static int is_gap(Finder *finder, int32_t place) {
    if (place < 0 || place >= finder->board->length) return 0;
    Py_UCS4 c = PyUnicode_READ_CHAR(finder->text, place);
    return c == ' ' || c == 0xa0;
}

int token_after(Finder *finder, int32_t place, Token *token) {
    if (!is_gap(finder, place)) return 0;
    return token_at(finder, place + (is_gap(finder, place + 1) ? 2 : 1), token);
}

static int has_capital(Finder *finder, int32_t from, int32_t to) {
    for (int32_t i = to - 1; i >= from; i--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(finder->text, i);
        if (c == ' ') return 0;
        if (Py_UNICODE_TOLOWER(c) != c) return 1;
    }
    return 0;
}

int token_before(Finder *finder, int32_t place, Token *token) {
    if (!is_gap(finder, place - 1)) return 0;
    int32_t end = place - (is_gap(finder, place - 2) ? 2 : 1), from = end > FAR_BEFORE ? end - FAR_BEFORE : 0;
    if (!has_capital(finder, from, end)) return 0; /* the search would only take longer to say no */
    return ask(finder, &finder->rule->backwards, SEARCH, from, end, token);
}
