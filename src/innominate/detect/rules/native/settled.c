/* Of candidates that overlap, those that stay: settled.py, for the cases that are not hard. */
#include "native.h"

enum { MOST = 64 }; /* candidates that overlap one another; more are left to Python */

typedef struct {
    PyObject *found;
    Py_ssize_t start, end;
    double score;
    long priority;
} Candidate;

enum { SPAN_FIELDS = 5 }; /* start, end, label, score, source */

typedef struct {
    PyTypeObject *span;
    PyObject *fields[SPAN_FIELDS]; /* what sets each of them */
    PyObject *sources;             /* by the name of a rule */
    PyObject *hard;                /* settles candidates that are hard to settle */
    PyObject *spans;
} Settling;

static PyObject *source_of(Settling *settling, PyObject *rule) {
    PyObject *source = PyDict_GetItemWithError(settling->sources, rule);
    if (source || PyErr_Occurred()) return Py_XNewRef(source);
    source = PyUnicode_FromFormat("rules:%U", rule);
    if (source && PyDict_SetItem(settling->sources, rule, source) < 0) Py_CLEAR(source);
    return source;
}

/* A candidate as a span whose source names its rule: a constructor in Python takes most of the time of settling. */
static PyObject *span_of(Settling *settling, PyObject *found) {
    Py_ssize_t start = PyLong_AsSsize_t(PyTuple_GET_ITEM(found, START)), end = PyLong_AsSsize_t(PyTuple_GET_ITEM(found, END));
    PyObject *source = source_of(settling, PyTuple_GET_ITEM(found, RULE)), *span = NULL;
    if (!source) return NULL;
    PyObject *values[] = {PyTuple_GET_ITEM(found, START), PyTuple_GET_ITEM(found, END), PyTuple_GET_ITEM(found, LABEL),
                          PyTuple_GET_ITEM(found, SCORE), source};
    if (start < 0 || start >= end) span = PyObject_Vectorcall((PyObject *)settling->span, values, SPAN_FIELDS, NULL); /* refuses */
    else span = settling->span->tp_alloc(settling->span, 0);
    for (int i = 0; span && start < end && i < SPAN_FIELDS; i++)
        if (Py_TYPE(settling->fields[i])->tp_descr_set(settling->fields[i], span, values[i]) < 0) Py_CLEAR(span);
    Py_DECREF(source);
    return span;
}

static int read_candidate(PyObject *found, Candidate *candidate) {
    if (!PyTuple_Check(found) || PyTuple_GET_SIZE(found) != FIELDS) {
        PyErr_SetString(PyExc_TypeError, "a candidate is needed");
        return -1;
    }
    candidate->found = found;
    candidate->start = PyLong_AsSsize_t(PyTuple_GET_ITEM(found, START));
    candidate->end = PyLong_AsSsize_t(PyTuple_GET_ITEM(found, END));
    candidate->score = PyFloat_AsDouble(PyTuple_GET_ITEM(found, SCORE));
    candidate->priority = PyLong_AsLong(PyTuple_GET_ITEM(found, PRIORITY));
    return PyErr_Occurred() ? -1 : 0;
}

static int same_span(const Candidate *a, const Candidate *b) {
    if (a->start != b->start || a->end != b->end) return 0;
    return PyUnicode_Compare(PyTuple_GET_ITEM(a->found, LABEL), PyTuple_GET_ITEM(b->found, LABEL)) == 0;
}

/* Whether one goes before the other: by priority, score and length, then by its place and label. */
static int is_better(const Candidate *a, const Candidate *b) {
    if (a->priority != b->priority) return a->priority > b->priority;
    if (a->score != b->score) return a->score > b->score;
    Py_ssize_t length = a->end - a->start, other = b->end - b->start;
    if (length != other) return length > other;
    if (a->start != b->start) return a->start < b->start;
    return PyUnicode_Compare(PyTuple_GET_ITEM(a->found, LABEL), PyTuple_GET_ITEM(b->found, LABEL)) < 0;
}

/* The candidate that stands for all of a cluster; NULL if none does. */
static const Candidate *stands_for_all(Candidate *cluster, size_t n) {
    Candidate merged[MOST]; /* the same span found twice is as sure and as important as the better one */
    size_t n_merged = 0;
    Py_ssize_t end = 0;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < n_merged && !same_span(&cluster[i], &merged[k])) k++;
        if (cluster[i].end > end) end = cluster[i].end;
        if (k == n_merged) {
            merged[n_merged++] = cluster[i];
            continue;
        }
        long priority = cluster[i].priority > merged[k].priority ? cluster[i].priority : merged[k].priority;
        if (cluster[i].score > merged[k].score) merged[k] = cluster[i];
        merged[k].priority = priority;
    }
    size_t best = 0;
    for (size_t k = 1; k < n_merged; k++)
        if (is_better(&merged[k], &merged[best])) best = k;
    if (n_merged > 1 && (merged[best].start != cluster[0].start || merged[best].end < end)) return NULL;
    for (size_t i = 0; i < n; i++)
        if (cluster[i].found == merged[best].found) return &cluster[i];
    return NULL;
}

static int settle(Settling *settling, Candidate *cluster, size_t n) {
    const Candidate *one = n == 1 ? cluster : n <= MOST ? stands_for_all(cluster, n) : NULL;
    if (one) {
        PyObject *span = span_of(settling, one->found);
        int failed = !span || PyList_Append(settling->spans, span) < 0;
        Py_XDECREF(span);
        return failed ? -1 : 0;
    }
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++) PyList_SET_ITEM(list, (Py_ssize_t)i, Py_NewRef(cluster[i].found));
    PyObject *spans = list ? PyObject_CallOneArg(settling->hard, list) : NULL;
    PyObject *more = spans ? PySequence_InPlaceConcat(settling->spans, spans) : NULL;
    Py_XDECREF(list);
    Py_XDECREF(spans);
    Py_XDECREF(more);
    return more ? 0 : -1;
}

static int know_span(Settling *settling) {
    static const char *const names[] = {"start", "end", "label", "score", "source"};
    for (int i = 0; i < SPAN_FIELDS; i++) {
        settling->fields[i] = PyObject_GetAttrString((PyObject *)settling->span, names[i]);
        if (!settling->fields[i]) return -1;
        if (Py_TYPE(settling->fields[i])->tp_descr_set) continue;
        PyErr_SetString(PyExc_TypeError, "a span needs slots");
        return -1;
    }
    return 0;
}

static int settle_all(Settling *settling, PyObject *candidates) {
    Py_ssize_t n = PyList_GET_SIZE(candidates);
    Candidate *all = malloc(((size_t)n + 1) * sizeof *all);
    int failed = !all;
    if (failed) PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n && !failed; i++) failed = read_candidate(PyList_GET_ITEM(candidates, i), &all[i]);
    for (Py_ssize_t from = 0, to; from < n && !failed; from = to) {
        Py_ssize_t end = all[from].end;
        for (to = from + 1; to < n && all[to].start < end; to++)
            if (all[to].end > end) end = all[to].end;
        failed = settle(settling, all + from, (size_t)(to - from));
    }
    free(all);
    return failed ? -1 : 0;
}

/* settled(candidates, Span, sources, hard) */
PyObject *settled(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t n_arguments) {
    if (n_arguments != 4 || !PyList_Check(arguments[0]) || !PyType_Check(arguments[1]) || !PyDict_Check(arguments[2]))
        return PyErr_Format(PyExc_TypeError, "settled(candidates, Span, sources, hard)");
    Settling settling = {.span = (PyTypeObject *)arguments[1], .sources = arguments[2], .hard = arguments[3]};
    PyObject *candidates = PyList_GetSlice(arguments[0], 0, PyList_GET_SIZE(arguments[0])), *spans = NULL;
    settling.spans = PyList_New(0);
    if (candidates && settling.spans && know_span(&settling) == 0 && board_sort(candidates) == 0 &&
        settle_all(&settling, candidates) == 0)
        spans = PyList_AsTuple(settling.spans);
    for (int i = 0; i < SPAN_FIELDS; i++) Py_XDECREF(settling.fields[i]);
    Py_XDECREF(settling.spans);
    Py_XDECREF(candidates);
    return spans;
}
