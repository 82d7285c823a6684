/* What patterns and lists find, onto the board. */
#include "native.h"

typedef struct {
    int32_t pattern, board;
    Py_ssize_t start;
} Place;

typedef struct {
    Place *all;
    size_t n, room;
} Places;

static int add_place(Places *places, int32_t pattern, int32_t board, Py_ssize_t start) {
    if (places->n == places->room) {
        size_t room = places->room ? 2 * places->room : 256;
        Place *all = realloc(places->all, room * sizeof *all);
        if (!all) return -1;
        places->all = all;
        places->room = room;
    }
    places->all[places->n++] = (Place){pattern, board, start};
    return 0;
}

static int scan(Automaton *automaton, PyObject *boards, Places *places) {
    for (Py_ssize_t b = 0; b < PyList_GET_SIZE(boards); b++) {
        PyObject *data = ((Board *)PyList_GET_ITEM(boards, b))->data;
        Py_ssize_t n = PyBytes_GET_SIZE(data), size;
        for (Py_ssize_t start = 0; start + 1 < n; start++) {
            if ((start & 0xffff) == 0xffff && PyErr_CheckSignals() < 0) return -1; /* a time-out */
            int32_t found = automaton_read(automaton, (const uint8_t *)PyBytes_AS_STRING(data), start, n);
            if (found == 0) continue;
            if (found < 0) return -1;
            const int32_t *patterns = automaton_found(automaton, found, &size);
            for (Py_ssize_t i = 0; i < size; i++)
                if (add_place(places, patterns[i], (int32_t)b, start) < 0) return -1;
        }
    }
    return 0;
}

/* The places of one pattern after those of the other, each as they stand in the texts. */
static Place *by_pattern(const Places *places, int32_t n_patterns) {
    size_t *at = calloc((size_t)n_patterns + 1, sizeof *at);
    Place *sorted = malloc((places->n + 1) * sizeof *sorted);
    if (at && sorted) {
        for (size_t i = 0; i < places->n; i++) at[places->all[i].pattern + 1]++;
        for (int32_t p = 0; p < n_patterns; p++) at[p + 1] += at[p];
        for (size_t i = 0; i < places->n; i++) sorted[at[places->all[i].pattern]++] = places->all[i];
    } else {
        free(sorted);
        sorted = NULL;
    }
    free(at);
    return sorted;
}

PyObject *found_new(PyTypeObject *type) {
    PyObject *found = type->tp_alloc(type, FIELDS);
    if (found && PyObject_GC_IsTracked(found)) PyObject_GC_UnTrack(found);
    return found;
}

PyObject *found_at(PyTypeObject *type, PyObject *start, PyObject *end, PyObject *rest) {
    PyObject *found = found_new(type);
    if (!found) return NULL;
    PyTuple_SET_ITEM(found, START, Py_NewRef(start));
    PyTuple_SET_ITEM(found, END, Py_NewRef(end));
    for (Py_ssize_t i = LABEL; i < FIELDS; i++) PyTuple_SET_ITEM(found, i, Py_NewRef(PyTuple_GET_ITEM(rest, i - LABEL)));
    return found;
}

void found_replace(PyObject *found, Py_ssize_t field, PyObject *value) {
    Py_DECREF(PyTuple_GET_ITEM(found, field));
    PyTuple_SET_ITEM(found, field, value);
}

static PyObject *checked(PyObject *check, PyObject *score, PyObject *text, Py_ssize_t start, Py_ssize_t end) {
    PyObject *part = PyUnicode_Substring(text, start, end), *share = part ? PyObject_CallOneArg(check, part) : NULL;
    PyObject *product = share ? PyNumber_Multiply(score, share) : NULL;
    Py_XDECREF(part);
    Py_XDECREF(share);
    return product;
}

PyObject *span_of_match(PyObject *match, PyObject *group) {
    static PyObject *name;
    if (!name && !(name = PyUnicode_InternFromString("span"))) return NULL;
    PyObject *arguments[] = {match, group};
    return PyObject_VectorcallMethod(name, arguments, group ? 2 : 1, NULL);
}

/* One group of a match onto the board. */
static int hit(Board *board, PyTypeObject *type, PyObject *match, PyObject *whole, PyObject *group, PyObject *rest, PyObject *check) {
    PyObject *span = span_of_match(match, group);
    if (!span) return -1;
    PyObject *first = PyTuple_GET_ITEM(span, 0), *last = PyTuple_GET_ITEM(span, 1), *found = NULL;
    Py_ssize_t start = PyLong_AsSsize_t(first), end = PyLong_AsSsize_t(last);
    int mark = PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(rest, 0)) && PyUnicode_READ_CHAR(PyTuple_GET_ITEM(rest, 0), 0) == '.';
    int failed = 0;
    if (start < end || (start == 0 && end == 0 && mark)) { /* a mark before the text begins */
        found = found_at(type, first, last, rest);
        int same = PyObject_RichCompareBool(span, whole, Py_EQ);
        failed = !found || same < 0;
        if (!failed && !same) found_replace(found, TRIGGER, Py_NewRef(whole));
        if (!failed && check != Py_None) {
            PyObject *score = checked(check, PyTuple_GET_ITEM(found, SCORE), board->text, start, end);
            if (score) found_replace(found, SCORE, score);
            else failed = 1;
        }
        failed = failed || board_put(board, found) < 0;
    }
    Py_XDECREF(found);
    Py_DECREF(span);
    return failed ? -1 : 0;
}

/* All groups of a match; where it ends, or -1. */
static Py_ssize_t hits(Board *board, PyTypeObject *type, PyObject *match, PyObject *spec) {
    PyObject *groups = PyTuple_GET_ITEM(spec, 1), *rest = PyTuple_GET_ITEM(spec, 2), *check = PyTuple_GET_ITEM(spec, 3);
    PyObject *whole = span_of_match(match, NULL);
    if (!whole) return -1;
    Py_ssize_t end = PyLong_AsSsize_t(PyTuple_GET_ITEM(whole, 1));
    for (Py_ssize_t i = 0; end >= 0 && i < PyTuple_GET_SIZE(groups); i++)
        if (hit(board, type, match, whole, PyTuple_GET_ITEM(groups, i), rest, check) < 0) end = -1;
    Py_DECREF(whole);
    return end;
}

static int confirm(const Place *places, size_t n, PyObject *boards, PyTypeObject *type, PyObject *spec) {
    PyObject *match = PyObject_GetAttrString(PyTuple_GET_ITEM(spec, 0), "match");
    int32_t at = -1;
    Py_ssize_t position = 0;
    int failed = match == NULL;
    for (size_t i = 0; i < n && !failed; i++) {
        if (places[i].board != at) {
            at = places[i].board;
            position = 0;
        }
        if (places[i].start < position) continue;
        if (PyErr_CheckSignals() < 0) {
            failed = 1;
            break;
        }
        Board *board = (Board *)PyList_GET_ITEM(boards, at);
        PyObject *start = PyLong_FromSsize_t(places[i].start), *arguments[] = {board->text, start};
        PyObject *found = start ? PyObject_Vectorcall(match, arguments, 2, NULL) : NULL;
        failed = !found || (found != Py_None && (position = hits(board, type, found, spec)) < 0);
        Py_XDECREF(found);
        Py_XDECREF(start);
    }
    Py_XDECREF(match);
    return failed ? -1 : 0;
}

int are_boards(PyObject *boards) {
    if (!PyList_Check(boards)) return 0;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(boards); i++)
        if (!PyObject_TypeCheck(PyList_GET_ITEM(boards, i), board_type)) return 0;
    return 1;
}

/* pattern_hits(Found, automaton, boards, specs): a spec is an expression, groups, the fields after the place, and a check. */
PyObject *pattern_hits(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t n_arguments) {
    if (n_arguments != 4 || !PyType_Check(arguments[0]) || !PyObject_TypeCheck(arguments[1], automaton_type) ||
        !are_boards(arguments[2]) || !PyTuple_Check(arguments[3]))
        return PyErr_Format(PyExc_TypeError, "pattern_hits(Found, automaton, boards, specs)");
    PyObject *boards = arguments[2], *specs = arguments[3];
    int32_t n_patterns = (int32_t)PyTuple_GET_SIZE(specs);
    Places places = {0};
    int failed = scan((Automaton *)arguments[1], boards, &places);
    for (size_t i = 0; i < places.n; i++)
        if (places.all[i].pattern >= n_patterns) failed = -1;
    Place *sorted = failed ? NULL : by_pattern(&places, n_patterns);
    if (!sorted && !PyErr_Occurred()) PyErr_NoMemory();
    for (size_t from = 0, to; sorted && from < places.n && !failed; from = to) {
        int32_t pattern = sorted[from].pattern;
        for (to = from; to < places.n && sorted[to].pattern == pattern;) to++;
        failed = confirm(sorted + from, to - from, boards, (PyTypeObject *)arguments[0], PyTuple_GET_ITEM(specs, pattern));
    }
    free(places.all);
    free(sorted);
    if (PyErr_Occurred()) return NULL;
    Py_RETURN_NONE;
}

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

enum { ANY, CAPITAL, CAPS, TITLE }; /* word_list.py */

static int written_right(PyObject *wanted, PyObject *text, Py_ssize_t start, Py_ssize_t end) {
    long how = PyLong_AsLong(wanted);
    if (how == ANY) return 1;
    if (!Py_UNICODE_ISUPPER(PyUnicode_READ_CHAR(text, start))) return 0;
    return how == CAPITAL || all_caps(text, start, end) == (how == CAPS);
}

/* word_hits(Found, board, matches, lengths, owners): of each entry its length and its owners: a case and the fields after the place. */
PyObject *word_hits(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t n_arguments) {
    if (n_arguments != 5 || !PyType_Check(arguments[0]) || !PyObject_TypeCheck(arguments[1], board_type) ||
        !PyList_Check(arguments[2]) || !PyList_Check(arguments[3]) || !PyList_Check(arguments[4]))
        return PyErr_Format(PyExc_TypeError, "word_hits(Found, board, matches, lengths, owners)");
    Board *board = (Board *)arguments[1];
    PyObject *matches = arguments[2];
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(matches); i++) {
        PyObject *match = PyList_GET_ITEM(matches, i), *first = PyTuple_GET_ITEM(match, 1);
        Py_ssize_t index = PyLong_AsSsize_t(PyTuple_GET_ITEM(match, 0)), start = PyLong_AsSsize_t(first);
        Py_ssize_t end = start + PyLong_AsSsize_t(PyList_GET_ITEM(arguments[3], index));
        PyObject *owners = PyList_GET_ITEM(arguments[4], index), *last = PyLong_FromSsize_t(end);
        if (!last) return NULL;
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(owners); k++) {
            PyObject *owner = PyTuple_GET_ITEM(owners, k);
            if (!written_right(PyTuple_GET_ITEM(owner, 0), board->text, start, end)) continue;
            PyObject *found = found_at((PyTypeObject *)arguments[0], first, last, PyTuple_GET_ITEM(owner, 1));
            if (!found || board_put(board, found) < 0) {
                Py_XDECREF(found);
                Py_DECREF(last);
                return NULL;
            }
            Py_DECREF(found);
        }
        Py_DECREF(last);
    }
    Py_RETURN_NONE;
}
