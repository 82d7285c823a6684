/* What patterns and lists find, onto the board. */
#include "native.h"

typedef struct {
    int32_t pattern, board, start;
} Place;

typedef struct {
    Place *all;
    Py_ssize_t n, room;
} Places;

static int add_place(Places *places, Place place) {
    if (places->n == places->room && list_grow((void **)&places->all, &places->room, sizeof place) < 0) return -1;
    places->all[places->n++] = place;
    return 0;
}

static int scan(Automaton *automaton, Board *board, int32_t number, Places *places) {
    const uint8_t *data = (const uint8_t *)PyBytes_AS_STRING(board->data);
    Py_ssize_t n = PyBytes_GET_SIZE(board->data), size;
    for (Py_ssize_t start = 0; start + 1 < n; start++) {
        if ((start & 0xffff) == 0xffff && PyErr_CheckSignals() < 0) return -1; /* a time-out */
        int32_t found = automaton_read(automaton, data, start, n);
        if (found == 0) continue;
        if (found < 0) {
            PyErr_NoMemory();
            return -1;
        }
        const int32_t *patterns = automaton_found(automaton, found, &size);
        for (Py_ssize_t i = 0; i < size; i++)
            if (add_place(places, (Place){patterns[i], number, (int32_t)start}) < 0) return -1;
    }
    return 0;
}

/* The places of one pattern after those of the other, each as they stand in the texts. */
static Place *by_pattern(const Places *places, Py_ssize_t n_patterns) {
    size_t *at = calloc((size_t)n_patterns + 2, sizeof *at);
    Place *sorted = malloc(((size_t)places->n + 1) * sizeof *sorted);
    if (at && sorted) {
        for (Py_ssize_t i = 0; i < places->n; i++) at[places->all[i].pattern + 1]++;
        for (Py_ssize_t p = 0; p < n_patterns; p++) at[p + 1] += at[p];
        for (Py_ssize_t i = 0; i < places->n; i++) sorted[at[places->all[i].pattern]++] = places->all[i];
    } else {
        PyErr_NoMemory();
        free(sorted);
        sorted = NULL;
    }
    free(at);
    return sorted;
}

/* What a check says about a part of the text: a share of the score, nothing of which means that it is none. */
static int apply_check(PyObject *check, Board *board, Candidate *found) {
    PyObject *part = PyUnicode_Substring(board->text, found->start, found->end);
    PyObject *share = part ? PyObject_CallOneArg(check, part) : NULL;
    if (share) found->score *= PyFloat_AsDouble(share);
    Py_XDECREF(part);
    Py_XDECREF(share);
    return PyErr_Occurred() ? -1 : 0;
}

/* The groups of a match at a place, onto the board; where it ends, the place itself if there is none, or -1. */
static Py_ssize_t confirm_at(Pattern *pattern, Board *board, int32_t start) {
    int32_t places[2 * MOST_GROUPS]; /* the first is the whole match */
    int is = expression_ask(&pattern->expression, MATCH, board, start, board->length, places);
    if (is <= 0) return is < 0 ? -1 : start;
    for (int32_t i = pattern->expression.n_groups > 1; i < pattern->expression.n_groups; i++) {
        Candidate found = given_by(board->book, pattern->rule, places[2 * i], places[2 * i + 1]);
        if (!is_there(board->book, found.label, found.start, found.end)) continue;
        if (pattern->check != Py_None && apply_check(pattern->check, board, &found) < 0) return -1;
        if (found.score > 0 && board_put(board, found) < 0) return -1;
    }
    return places[1];
}

static int confirm(Pattern *pattern, PyObject *boards, const Place *places, Py_ssize_t n) {
    int32_t at = -1;
    Py_ssize_t position = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        if (places[i].board != at) {
            at = places[i].board;
            position = 0;
        }
        if (places[i].start < position) continue;
        if (PyErr_CheckSignals() < 0) return -1;
        position = confirm_at(pattern, (Board *)PyList_GET_ITEM(boards, at), places[i].start);
        if (position < 0) return -1;
    }
    return 0;
}

/* One pattern is at work after the other, so it stays in the processor's cache. */
int pattern_hits(Rulebook *book, PyObject *boards) {
    Places places = {0};
    int failed = 0;
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(boards); i++)
        failed = scan(book->automaton, (Board *)PyList_GET_ITEM(boards, i), (int32_t)i, &places);
    Place *sorted = failed ? NULL : by_pattern(&places, book->n_patterns);
    failed = !sorted;
    for (Py_ssize_t from = 0, to; !failed && from < places.n; from = to) {
        int32_t pattern = sorted[from].pattern;
        for (to = from; to < places.n && sorted[to].pattern == pattern;) to++;
        failed = confirm(&book->patterns[pattern], boards, sorted + from, to - from);
    }
    free(places.all);
    free(sorted);
    return failed ? -1 : 0;
}

/* ------------------------------------------------------------------------------------------------------------ words */

/* As `str.isupper` says of a part of a text: there are letters with a case, and all are capitals. */
static int all_caps(PyObject *text, Py_ssize_t start, Py_ssize_t end) {
    int cased = 0;
    for (Py_ssize_t i = start; i < end; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, i);
        if (Py_UNICODE_ISLOWER(c) || Py_UNICODE_ISTITLE(c)) return 0;
        if (Py_UNICODE_ISUPPER(c)) cased = 1;
    }
    return cased;
}

static int written_right(int how, PyObject *text, Py_ssize_t start, Py_ssize_t end) {
    if (how == ANY) return 1;
    if (!Py_UNICODE_ISUPPER(PyUnicode_READ_CHAR(text, start))) return 0;
    return how == CAPITAL || all_caps(text, start, end) == (how == CAPS);
}

/* The text as the lists see it, between blanks: `plain` in words.py. */
static PyObject *plain(const Words *words, PyObject *text) {
    Py_ssize_t n = PyUnicode_GET_LENGTH(text);
    PyObject *data = PyBytes_FromStringAndSize(NULL, n + 2);
    if (!data) return NULL;
    char *bytes = PyBytes_AS_STRING(data);
    const void *characters = PyUnicode_DATA(text);
    int kind = PyUnicode_KIND(text);
    bytes[0] = bytes[n + 1] = ' ';
    if (kind == PyUnicode_1BYTE_KIND) { /* most texts, and without a choice for every character */
        for (Py_ssize_t i = 0; i < n; i++) bytes[i + 1] = (char)words->table[((const uint8_t *)characters)[i]];
        return data;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, characters, i);
        bytes[i + 1] = c < 256 ? (char)words->table[c] : '?';
    }
    return data;
}

static int word_hit(Board *board, size_t entry, int32_t start) {
    const Words *words = &board->book->words;
    int32_t end = start + words->length[entry];
    for (int32_t i = words->owner_from[entry]; i < words->owner_from[entry + 1]; i++) {
        if (!written_right(words->owner_case[i], board->text, start, end)) continue;
        if (board_put(board, given_by(board->book, words->owner_rule[i], start, end)) < 0) return -1;
    }
    return 0;
}

int word_hits(Board *board) {
    const Words *words = &board->book->words;
    PyObject *data = plain(words, board->text), *matches = data ? PyObject_CallOneArg(words->find, data) : NULL;
    int failed = !matches || !PyList_Check(matches);
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(matches); i++) {
        PyObject *match = PyList_GET_ITEM(matches, i);
        failed = !PyTuple_Check(match) || PyTuple_GET_SIZE(match) != 3;
        size_t entry = failed ? 0 : PyLong_AsSize_t(PyTuple_GET_ITEM(match, 0));
        Py_ssize_t start = failed || PyErr_Occurred() ? -1 : PyLong_AsSsize_t(PyTuple_GET_ITEM(match, 1));
        failed = start < 0 || entry >= words->n || start > board->length - words->length[entry] || word_hit(board, entry, (int32_t)start) < 0;
    }
    if (failed && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "lists find words as triples");
    Py_XDECREF(data);
    Py_XDECREF(matches);
    return failed ? -1 : 0;
}
