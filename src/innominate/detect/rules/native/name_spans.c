/* Names cut into spans as the taxonomy wants them. */
#include "names.h"

typedef struct {
    Finder *finder;
    PyObject *rule, *score, *because;
} Spans;

static int put_span(Spans *spans, Py_ssize_t start, Py_ssize_t end, PyObject *label) {
    PyTypeObject *type = (PyTypeObject *)spans->finder->found_type;
    PyObject *found = found_new(type), *first = PyLong_FromSsize_t(start), *last = PyLong_FromSsize_t(end);
    if (!found || !first || !last) {
        Py_XDECREF(found);
        Py_XDECREF(first);
        Py_XDECREF(last);
        return -1;
    }
    PyTuple_SET_ITEM(found, START, first);
    PyTuple_SET_ITEM(found, END, last);
    PyTuple_SET_ITEM(found, LABEL, Py_NewRef(label));
    PyTuple_SET_ITEM(found, SCORE, Py_NewRef(spans->score));
    PyTuple_SET_ITEM(found, RULE, Py_NewRef(spans->rule));
    PyTuple_SET_ITEM(found, PRIORITY, Py_NewRef(PyTuple_GET_ITEM(spans->finder->spec, RULE_PRIORITY)));
    PyTuple_SET_ITEM(found, BECAUSE, Py_NewRef(spans->because));
    PyTuple_SET_ITEM(found, TRIGGER, Py_NewRef(Py_None));
    int failed = board_put(spans->finder->board, found);
    Py_DECREF(found);
    return failed;
}

/* Every name apart; initials go with the name after them, or else with the one before. */
static int put_each(Spans *spans, const Token *tokens, size_t n, PyObject *label) {
    Py_ssize_t pending = -1, start = -1, end = 0;
    for (size_t i = 0; i < n; i++) {
        if (tokens[i].initials) {
            if (pending < 0) pending = tokens[i].start;
            continue;
        }
        if (start >= 0 && put_span(spans, start, end, label) < 0) return -1;
        start = pending >= 0 ? pending : tokens[i].start;
        end = tokens[i].end;
        pending = -1;
    }
    if (start < 0) return 0;
    return put_span(spans, start, pending >= 0 ? tokens[n - 1].end : end, label);
}

/* Which tokens are first names: those listed as such, and all but the last of several. */
static int is_first(Finder *finder, const Token *tokens, size_t n, size_t i) {
    size_t firsts = 0;
    if (n == 1) return (finder->flags[tokens[0].start] & IS_FIRST) != 0;
    for (size_t k = 0; k < n; k++) firsts += tokens[k].initials || finder->flags[tokens[k].start] & IS_FIRST;
    if (firsts == 0 || firsts == n) return i < n - 1;
    return tokens[i].initials || (finder->flags[tokens[i].start] & IS_FIRST) != 0;
}

static int put_parts(Spans *spans, const Token *tokens, size_t n) {
    PyObject *first = PyTuple_GET_ITEM(spans->finder->spec, FIRST_LABEL), *last = PyTuple_GET_ITEM(spans->finder->spec, LAST_LABEL);
    for (size_t from = 0, to; from < n; from = to) {
        int kind = is_first(spans->finder, tokens, n, from);
        for (to = from + 1; to < n && is_first(spans->finder, tokens, n, to) == kind;) to++;
        if (put_span(spans, tokens[from].start, tokens[to - 1].end, kind ? first : last) < 0) return -1;
    }
    return 0;
}

int put_name(Finder *finder, const Name *name) {
    PyObject *extent = PyTuple_GET_ITEM(finder->spec, EXTENT);
    PyObject *rule = PyUnicode_FromFormat("%U.%s", PyTuple_GET_ITEM(finder->spec, RULE_NAME), name->how);
    PyObject *score = PyFloat_FromDouble(name->score);
    Spans spans = {finder, rule, score, name->because};
    const Token *tokens = finder->taken.all + name->from;
    int failed = !rule || !score;
    if (!failed) {
        if (PyUnicode_CompareWithASCIIString(extent, "whole") == 0)
            failed = put_span(&spans, tokens[0].start, tokens[name->n - 1].end, name->label);
        else if (PyUnicode_CompareWithASCIIString(extent, "each") == 0)
            failed = put_each(&spans, tokens, name->n, name->label);
        else
            failed = put_parts(&spans, tokens, name->n);
    }
    Py_XDECREF(rule);
    Py_XDECREF(score);
    return failed ? -1 : 0;
}
