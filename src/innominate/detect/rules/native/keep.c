/* Rules that protect text: keep.py. */
#include "native.h"

typedef struct { /* from left to right */
    Candidate *all;
    Py_ssize_t n;
    int32_t longest;
} Shields;

/* The first shield that may reach a place, by number. */
static Py_ssize_t first_near(const Shields *shields, int32_t start) {
    Py_ssize_t low = 0, high = shields->n;
    while (low < high) { /* those that begin farther to the left do not reach it */
        Py_ssize_t middle = (low + high) / 2;
        if (shields->all[middle].start < start - shields->longest) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Whether a shield that is as sure touches a candidate, or with `whole` holds all of it. */
static int is_shielded(const Shields *shields, const Candidate *found, double score, int whole) {
    for (Py_ssize_t i = first_near(shields, found->start); i < shields->n && shields->all[i].start < found->end; i++) {
        const Candidate *shield = &shields->all[i];
        if (shield->score < score) continue;
        if (whole ? shield->start <= found->start && found->end <= shield->end : shield->end > found->start) return 1;
    }
    return 0;
}

/* Whether that on which a candidate rests in the end lies in a shield. */
static int rests_on_shield(const Shields *shields, const Board *board, const Candidate *found) {
    const Candidate *root = found;
    while (root->because >= 0) root = &board->all[root->because];
    return root != found && is_shielded(shields, root, found->score, 1);
}

/* The shields that touch a candidate, as pairs of places. */
static PyObject *touching(const Shields *shields, const Candidate *found) {
    PyObject *list = PyList_New(0);
    for (Py_ssize_t i = first_near(shields, found->start); list && i < shields->n && shields->all[i].start < found->end; i++) {
        const Candidate *shield = &shields->all[i];
        if (shield->end <= found->start || shield->score < found->score) continue;
        PyObject *place = Py_BuildValue("(ii)", (int)shield->start, (int)shield->end);
        if (!place || PyList_Append(list, place) < 0) Py_CLEAR(list);
        Py_XDECREF(place);
    }
    return list;
}

/* What lies outside of the shields stays on the board, if a name is left there. */
static int keep_outside(Step *step, Board *board, Candidate found, PyObject *shields) {
    PyObject *left = PyObject_CallFunction(step->outside, "OiiO", board->text, (int)found.start, (int)found.end, shields);
    int failed = !left || !PyList_Check(left);
    for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(left); i++) {
        int32_t place[2];
        failed = place_read(PyList_GET_ITEM(left, i), board->length, place) < 0;
        found.start = place[0];
        found.end = place[1];
        failed = failed || board_put(board, found) < 0;
    }
    if (failed && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a list of places is needed");
    Py_XDECREF(left);
    return failed ? -1 : 0;
}

/* Take off what lies in protected text. The numbers of what to look at are known before anything changes. */
static int take_off(Step *step, Board *board, Shields *shields, const Numbers *against) {
    for (Py_ssize_t i = 0; i < against->n; i++) {
        Candidate *found = &board->all[against->all[i]];
        if (!is_shielded(shields, found, found->score, 0)) {
            if (rests_on_shield(shields, board, found)) found->gone = 1;
            continue;
        }
        PyObject *places = touching(shields, found);
        Candidate old = *found;
        found->gone = 1;
        int failed = !places || keep_outside(step, board, old, places) < 0;
        Py_XDECREF(places);
        if (failed) return -1;
    }
    return 0;
}

int keep(Step *step, Board *board, const Numbers *numbers) {
    Numbers against = {0};
    Shields shields = {malloc(((size_t)numbers->n + 1) * sizeof *shields.all), numbers->n, 0}; /* copies: the board may move */
    int failed = !shields.all;
    if (failed) PyErr_NoMemory();
    for (Py_ssize_t i = 0; !failed && i < numbers->n; i++) {
        Candidate shield = shields.all[i] = board->all[numbers->all[i]];
        if (shield.end - shield.start > shields.longest) shields.longest = shield.end - shield.start;
    }
    failed = failed || board_of(board, step->against, step->n_against, &against) < 0 || take_off(step, board, &shields, &against) < 0;
    free(against.all);
    free(shields.all);
    return failed ? -1 : 0;
}
