/* Rules that look at what is on the board: beside.py, relabel.py and keep.py, for the many candidates that a note has. */
#include "native.h"

/* --------------------------------------------------------------------------------------- expressions beside a place */

static PyObject *MATCH, *FULLMATCH, *MADE, *AUTOMATON, *EXACT, *REACH, *SPAN; /* names of attributes */

static int know_attributes(void) {
    if (SPAN) return 0;
    MATCH = PyUnicode_InternFromString("match");
    FULLMATCH = PyUnicode_InternFromString("fullmatch");
    MADE = PyUnicode_InternFromString("made");
    AUTOMATON = PyUnicode_InternFromString("automaton");
    EXACT = PyUnicode_InternFromString("exact");
    REACH = PyUnicode_InternFromString("reach");
    SPAN = PyUnicode_InternFromString("span");
    return MATCH && FULLMATCH && MADE && AUTOMATON && EXACT && REACH && SPAN ? 0 : -1;
}

static PyObject *called(PyObject *owner, PyObject *name, PyObject *text, Py_ssize_t start, Py_ssize_t end) {
    PyObject *method = PyObject_GetAttr(owner, name), *found = NULL;
    PyObject *arguments[] = {text, PyLong_FromSsize_t(start), end < 0 ? NULL : PyLong_FromSsize_t(end)};
    if (method && arguments[1] && (end < 0 || arguments[2]))
        found = PyObject_Vectorcall(method, arguments, end < 0 ? 2 : 3, NULL);
    Py_XDECREF(method);
    Py_XDECREF(arguments[1]);
    Py_XDECREF(arguments[2]);
    return found;
}

/* The match of an expression that ends at a place, or None: as `Behind.search`. */
static PyObject *match_behind(PyObject *lazy, Board *board, Py_ssize_t place) {
    PyObject *behind = PyObject_GetAttr(lazy, MADE), *found = NULL;
    PyObject *automaton = behind ? PyObject_GetAttr(behind, AUTOMATON) : NULL;
    PyObject *exact = behind ? PyObject_GetAttr(behind, EXACT) : NULL;
    PyObject *reach = behind ? PyObject_GetAttr(behind, REACH) : NULL;
    if (automaton && exact && reach && PyObject_TypeCheck(automaton, automaton_type)) {
        Automaton *self = (Automaton *)automaton;
        Py_ssize_t *ends = malloc((size_t)self->limit * sizeof *ends), farthest = place - PyLong_AsSsize_t(reach);
        const uint8_t *data = (const uint8_t *)PyBytes_AS_STRING(board->data);
        Py_ssize_t n = ends ? automaton_read_ends(self, data, place, PyBytes_GET_SIZE(board->data), ends) : -1;
        found = n < 0 ? PyErr_NoMemory() : Py_NewRef(Py_None);
        while (n-- > 0 && found == Py_None) {
            if (ends[n] < farthest) continue;
            Py_DECREF(found);
            found = called(exact, MATCH, board->text, ends[n], place);
        }
        free(ends);
    } else if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError, "an expression to look behind is needed");
    }
    Py_XDECREF(behind);
    Py_XDECREF(automaton);
    Py_XDECREF(exact);
    Py_XDECREF(reach);
    return found;
}

/* Whether a match was found; -1 if there was an error. Takes the match. */
static int is_match(PyObject *match) {
    int is = match ? match != Py_None : -1;
    Py_XDECREF(match);
    return is;
}

/* --------------------------------------------------------------------------------------------------------- relabel */

enum { KIND, BEFORE, AFTER, ITSELF, NEW_LABEL, NAME, NEW_PRIORITY }; /* of a step that relabels */

static int fits(PyObject *step, Board *board, PyObject *found) {
    PyObject *before = PyTuple_GET_ITEM(step, BEFORE), *after = PyTuple_GET_ITEM(step, AFTER), *itself = PyTuple_GET_ITEM(step, ITSELF);
    Py_ssize_t start = number_of(found, START), end = number_of(found, END);
    int right = 1;
    if (itself != Py_None) right = is_match(called(itself, FULLMATCH, board->text, start, end));
    if (right > 0 && after != Py_None) right = is_match(called(after, MATCH, board->text, end, -1));
    if (right > 0 && before != Py_None) right = is_match(match_behind(before, board, start));
    return right;
}

static PyObject *relabelled(PyTypeObject *type, PyObject *step, PyObject *old) {
    PyObject *found = found_new(type), *because = PyTuple_Pack(1, old);
    if (!found || !because) {
        Py_XDECREF(found);
        Py_XDECREF(because);
        return NULL;
    }
    for (Py_ssize_t i = 0; i < FIELDS; i++) PyTuple_SET_ITEM(found, i, Py_NewRef(PyTuple_GET_ITEM(old, i)));
    found_replace(found, LABEL, Py_NewRef(PyTuple_GET_ITEM(step, NEW_LABEL)));
    found_replace(found, RULE, Py_NewRef(PyTuple_GET_ITEM(step, NAME)));
    found_replace(found, PRIORITY, Py_NewRef(PyTuple_GET_ITEM(step, NEW_PRIORITY)));
    found_replace(found, BECAUSE, because);
    return found;
}

static int relabel(PyTypeObject *type, PyObject *step, Board *board, PyObject *candidates) {
    PyObject *fitting = PyList_New(0), *label = PyTuple_GET_ITEM(step, NEW_LABEL);
    int failed = !fitting;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(candidates) && !failed; i++) {
        PyObject *found = PyList_GET_ITEM(candidates, i);
        int right = fits(step, board, found);
        failed = right < 0 || (right && PyList_Append(fitting, found) < 0);
    }
    if (!failed && PyList_GET_SIZE(fitting)) {
        PyObject *why = PyUnicode_FromFormat("%U took it", PyTuple_GET_ITEM(step, NAME));
        failed = !why || board_take(board, fitting, why) < 0;
        Py_XDECREF(why);
    }
    for (Py_ssize_t i = 0; !failed && PyUnicode_GET_LENGTH(label) && i < PyList_GET_SIZE(fitting); i++) {
        PyObject *found = relabelled(type, step, PyList_GET_ITEM(fitting, i));
        failed = !found || board_put(board, found) < 0;
        Py_XDECREF(found);
    }
    Py_XDECREF(fitting);
    return failed ? -1 : 0;
}

/* ---------------------------------------------------------------------------------------------------------- beside */

enum { REST = 3, CHAIN }; /* of a step that looks beside: the fields of a candidate after its place, and whether it goes on there */

static int beside(PyTypeObject *type, PyObject *step, Board *board, PyObject *candidates) {
    PyObject *before = PyTuple_GET_ITEM(step, BEFORE), *after = PyTuple_GET_ITEM(step, AFTER);
    PyObject *waiting = PyList_GetSlice(candidates, 0, PyList_GET_SIZE(candidates)), *seen = PySet_New(NULL);
    int failed = !waiting || !seen;
    while (!failed && PyList_GET_SIZE(waiting)) {
        Py_ssize_t last = PyList_GET_SIZE(waiting) - 1;
        PyObject *anchor = Py_NewRef(PyList_GET_ITEM(waiting, last));
        PyList_SetSlice(waiting, last, last + 1, NULL);
        PyObject *match = after != Py_None ? called(after, MATCH, board->text, number_of(anchor, END), -1)
                                           : match_behind(before, board, number_of(anchor, START));
        PyObject *place = match && match != Py_None ? span_of_match(match, SPAN) : NULL;
        int known = place ? PySet_Contains(seen, place) : 0;
        failed = !match || (match != Py_None && !place) || known < 0;
        if (!failed && place && !known) {
            PyObject *found = found_at(type, PyTuple_GET_ITEM(place, 0), PyTuple_GET_ITEM(place, 1), PyTuple_GET_ITEM(step, REST));
            PyObject *because = found ? PyTuple_Pack(1, anchor) : NULL;
            if (because) found_replace(found, BECAUSE, because);
            failed = !because || PySet_Add(seen, place) < 0 || board_put(board, found) < 0 ||
                     (PyTuple_GET_ITEM(step, CHAIN) == Py_True && PyList_Append(waiting, found) < 0);
            Py_XDECREF(found);
        }
        Py_XDECREF(place);
        Py_XDECREF(match);
        Py_DECREF(anchor);
    }
    Py_XDECREF(waiting);
    Py_XDECREF(seen);
    return failed ? -1 : 0;
}

/* ----------------------------------------------------------------------------------------------------------- rules */

static int apply(PyTypeObject *type, PyObject *step, Board *board, PyObject *candidates) {
    PyObject *kind = PyTuple_GET_ITEM(step, KIND);
    if (PyUnicode_CompareWithASCIIString(kind, "relabel") == 0) return relabel(type, step, board, candidates);
    if (PyUnicode_CompareWithASCIIString(kind, "beside") == 0) return beside(type, step, board, candidates);
    PyObject *arguments[] = {(PyObject *)board, candidates};
    PyObject *none = PyObject_Vectorcall(PyTuple_GET_ITEM(step, 1), arguments, 2, NULL);
    Py_XDECREF(none);
    return none ? 0 : -1;
}

/* later_rules(Found, boards, steps): of each rule ("relabel", before, after, itself, label, name, priority), ("beside", before,
 * after, the fields after the place, whether it looks beside what it finds) or ("other", what to call with board and candidates). */
PyObject *later_rules(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t n_arguments) {
    if (n_arguments != 3 || !PyType_Check(arguments[0]) || !are_boards(arguments[1]) || !PyTuple_Check(arguments[2]))
        return PyErr_Format(PyExc_TypeError, "later_rules(Found, boards, steps)");
    if (know_attributes() < 0) return NULL;
    PyObject *boards = arguments[1], *steps = arguments[2];
    for (Py_ssize_t number = 0; number < PyTuple_GET_SIZE(steps); number++)
        for (Py_ssize_t b = 0; b < PyList_GET_SIZE(boards); b++) {
            Board *board = (Board *)PyList_GET_ITEM(boards, b);
            if (!board->nearby || number >= board->nearby->n_rules || !board->near[number].n) continue;
            PyObject *candidates = PyErr_CheckSignals() < 0 ? NULL : board_asked(board, number);
            int failed = !candidates || (PyList_GET_SIZE(candidates) &&
                                         apply((PyTypeObject *)arguments[0], PyTuple_GET_ITEM(steps, number), board, candidates) < 0);
            Py_XDECREF(candidates);
            if (failed) return NULL;
        }
    Py_RETURN_NONE;
}

/* ------------------------------------------------------------------------------------------------------------ keep */

typedef struct {
    Py_ssize_t start, end;
    double score;
} Shield;

typedef struct { /* from left to right */
    Shield *all;
    Py_ssize_t n, longest;
} Shields;

static int read_shields(Shields *shields, PyObject *list) {
    *shields = (Shields){malloc((size_t)(PyList_GET_SIZE(list) + 1) * sizeof(Shield)), PyList_GET_SIZE(list), 0};
    for (Py_ssize_t i = 0; shields->all && i < shields->n; i++) {
        PyObject *found = PyList_GET_ITEM(list, i);
        Shield shield = {number_of(found, START), number_of(found, END), PyFloat_AsDouble(PyTuple_GET_ITEM(found, SCORE))};
        if (shield.end - shield.start > shields->longest) shields->longest = shield.end - shield.start;
        shields->all[i] = shield;
    }
    return shields->all ? 0 : -1;
}

/* Whether a shield that is as sure touches a candidate, or with `whole` holds all of it. */
static int is_shielded(const Shields *shields, PyObject *found, double score, int whole) {
    Py_ssize_t start = number_of(found, START), end = number_of(found, END), low = 0, high = shields->n;
    while (low < high) { /* those that begin farther to the left do not reach it */
        Py_ssize_t middle = (low + high) / 2;
        if (shields->all[middle].start < start - shields->longest) low = middle + 1;
        else high = middle;
    }
    for (; low < shields->n && shields->all[low].start < end; low++) {
        Shield shield = shields->all[low];
        if (shield.score >= score && (whole ? shield.start <= start && end <= shield.end : shield.end > start)) return 1;
    }
    return 0;
}

/* Whether all that a candidate rests on in the end lies in shields; -1 without memory. */
static int rests_on_shields(const Shields *shields, PyObject *found, double score) {
    size_t n = 1, room = 16; /* a chain may be long: no recursion */
    PyObject **waiting = malloc(room * sizeof *waiting);
    int all = waiting ? 1 : -1;
    if (waiting) waiting[0] = found;
    while (all == 1 && n) {
        PyObject *one = waiting[--n], *because = PyTuple_GET_ITEM(one, BECAUSE);
        Py_ssize_t reasons = PyTuple_GET_SIZE(because);
        if (reasons == 0) all = is_shielded(shields, one, score, 1);
        if (n + (size_t)reasons > room) {
            room = 2 * (n + (size_t)reasons);
            PyObject **more = realloc(waiting, room * sizeof *more);
            if (more) waiting = more;
            else all = -1;
        }
        for (Py_ssize_t i = 0; all == 1 && i < reasons; i++) waiting[n++] = PyTuple_GET_ITEM(because, i);
    }
    free(waiting);
    return all;
}

/* touched(shields from left to right, candidates): those that a shield touches, or that rest on what shields hold. */
PyObject *touched(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t n_arguments) {
    if (n_arguments != 2 || !PyList_Check(arguments[0]) || !PyList_Check(arguments[1]))
        return PyErr_Format(PyExc_TypeError, "touched(shields, candidates)");
    Shields shields;
    PyObject *some = read_shields(&shields, arguments[0]) < 0 ? PyErr_NoMemory() : PyList_New(0);
    for (Py_ssize_t i = 0; some && i < PyList_GET_SIZE(arguments[1]); i++) {
        PyObject *found = PyList_GET_ITEM(arguments[1], i);
        double score = PyFloat_AsDouble(PyTuple_GET_ITEM(found, SCORE));
        int is = is_shielded(&shields, found, score, 0);
        if (!is && PyTuple_GET_SIZE(PyTuple_GET_ITEM(found, BECAUSE))) is = rests_on_shields(&shields, found, score);
        if (is < 0) PyErr_NoMemory();
        if (is < 0 || (is && PyList_Append(some, found) < 0)) Py_CLEAR(some);
    }
    free(shields.all);
    return some;
}
