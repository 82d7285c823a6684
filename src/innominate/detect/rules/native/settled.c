/* Of candidates that overlap, those that stay: settled.py. Cases that are hard are left to Python. */
#include "native.h"

enum { MOST = 64 }; /* candidates that overlap one another; more are left to Python */

/* A candidate as a span whose source names its rule: a constructor in Python takes most of the time of settling. */
static PyObject *span_of(Board *board, const Candidate *found) {
    Rulebook *book = board->book;
    PyTypeObject *type = (PyTypeObject *)book->span;
    PyObject *values[] = {PyLong_FromLong(found->start), PyLong_FromLong(found->end), PyTuple_GET_ITEM(book->labels, found->label),
                          PyFloat_FromDouble(found->score), book->rules[found->rule].source};
    PyObject *span = values[0] && values[1] && values[3] ? type->tp_alloc(type, 0) : NULL;
    for (int i = 0; span && i < SPAN_FIELDS; i++)
        if (Py_TYPE(book->fields[i])->tp_descr_set(book->fields[i], span, values[i]) < 0) Py_CLEAR(span);
    Py_XDECREF(values[0]);
    Py_XDECREF(values[1]);
    Py_XDECREF(values[3]);
    return span;
}

static int same_span(const Candidate *a, const Candidate *b) {
    return a->start == b->start && a->end == b->end && a->label == b->label;
}

/* Whether one goes before the other: by priority, score and length, then by its place and label. */
static int is_better(Board *board, const Candidate *a, const Candidate *b) {
    if (a->priority != b->priority) return a->priority > b->priority;
    if (a->score != b->score) return a->score > b->score;
    int32_t length = a->end - a->start, other = b->end - b->start;
    if (length != other) return length > other;
    if (a->start != b->start) return a->start < b->start;
    PyObject *labels = board->book->labels;
    return PyUnicode_Compare(PyTuple_GET_ITEM(labels, a->label), PyTuple_GET_ITEM(labels, b->label)) < 0;
}

/* Into `best`: the candidate that stands for all of a cluster, if one does. */
static int stands_for_all(Board *board, const int32_t *cluster, Py_ssize_t n, Candidate *best) {
    Candidate merged[MOST] = {0}; /* the same span found twice is as sure and as important as the better one */
    Py_ssize_t n_merged = 0;
    int32_t end = 0;
    for (Py_ssize_t i = 0, k; i < n; i++) {
        const Candidate *found = &board->all[cluster[i]];
        for (k = 0; k < n_merged && !same_span(found, &merged[k]);) k++;
        if (found->end > end) end = found->end;
        if (k == n_merged) {
            merged[n_merged++] = *found;
            continue;
        }
        int32_t priority = found->priority > merged[k].priority ? found->priority : merged[k].priority;
        if (found->score > merged[k].score) merged[k] = *found;
        merged[k].priority = priority;
    }
    *best = merged[0];
    for (Py_ssize_t k = 1; k < n_merged; k++)
        if (is_better(board, &merged[k], best)) *best = merged[k];
    return n_merged == 1 || (best->start == board->all[cluster[0]].start && best->end >= end);
}

static int settle_hard(Board *board, const int32_t *cluster, Py_ssize_t n, PyObject *spans) {
    PyObject *list = PyList_New(n);
    for (Py_ssize_t i = 0; list && i < n; i++) {
        PyObject *found = board_found(board, cluster[i]);
        if (!found) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, found);
    }
    PyObject *some = list ? PyObject_CallOneArg(board->book->hard, list) : NULL;
    PyObject *all = some ? PySequence_InPlaceConcat(spans, some) : NULL;
    Py_XDECREF(list);
    Py_XDECREF(some);
    Py_XDECREF(all);
    return all ? 0 : -1;
}

static int settle(Board *board, const int32_t *cluster, Py_ssize_t n, PyObject *spans) {
    Candidate best;
    if (n == 1) best = board->all[cluster[0]];
    else if (n > MOST || !stands_for_all(board, cluster, n, &best)) return settle_hard(board, cluster, n, spans);
    PyObject *span = span_of(board, &best);
    int failed = !span || PyList_Append(spans, span) < 0;
    Py_XDECREF(span);
    return failed ? -1 : 0;
}

PyObject *settled(Board *board) {
    Numbers some = {0};
    PyObject *spans = PyList_New(0), *all = NULL;
    int failed = !spans || board_of(board, board->book->given, board->book->n_given, &some) < 0;
    for (Py_ssize_t from = 0, to; from < some.n && !failed; from = to) {
        int32_t end = board->all[some.all[from]].end;
        for (to = from + 1; to < some.n && board->all[some.all[to]].start < end; to++)
            if (board->all[some.all[to]].end > end) end = board->all[some.all[to]].end;
        failed = settle(board, some.all + from, to - from, spans);
    }
    if (!failed) all = PyList_AsTuple(spans);
    free(some.all);
    Py_XDECREF(spans);
    return all;
}
