/* Names of people: names.py, for the many words that a note has. */
#include "names.h"

static Py_ssize_t skip(Finder *finder, Py_ssize_t place, const char *characters, int most) {
    for (; most && place < finder->n; place++, most--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(finder->text, place);
        if (!(c && c < 128 && strchr(characters, (int)c)) && !(c == 0xa0 && characters[0] == ' ')) break;
    }
    return place;
}

static Py_ssize_t after_title(Finder *finder, Py_ssize_t place) { return skip(finder, skip(finder, place, ".", 1), " \t", 3); }

static Py_ssize_t after_field(Finder *finder, Py_ssize_t place) {
    return skip(finder, skip(finder, skip(finder, skip(finder, place, ".", 1), " \t", 4), ":=|", 1), " \t", 6);
}

static const struct {
    const char *mark;
    int field, staff;
    double score;
} TRIGGERS[] = {{".staff_title", 0, 1, 0.97}, {".title", 0, 0, 0.96}, {".staff_field", 1, 1, 0.93}, {".name_field", 1, 0, 0.93}};

/* What is on the board with a mark, from left to right: a new list. */
static PyObject *marked(Board *board, const char *mark) {
    PyObject *label = PyUnicode_FromString(mark), *labels = label ? PyTuple_Pack(1, label) : NULL;
    PyObject *found = labels ? board_of(board, labels) : NULL;
    Py_XDECREF(label);
    Py_XDECREF(labels);
    return found;
}

/* A name right after each trigger. */
static int after_triggers(Finder *finder) {
    for (size_t t = 0; t < sizeof TRIGGERS / sizeof *TRIGGERS; t++) {
        PyObject *triggers = marked(finder->board, TRIGGERS[t].mark);
        PyObject *label = PyTuple_GET_ITEM(finder->spec, TRIGGERS[t].staff ? STAFF_LABEL : HEADER_LABEL);
        int failed = !triggers;
        for (Py_ssize_t i = 0; !failed && i < PyList_GET_SIZE(triggers); i++) {
            PyObject *trigger = PyList_GET_ITEM(triggers, i), *because;
            Py_ssize_t end = number_of(trigger, END);
            failed = read_run(finder, TRIGGERS[t].field ? after_field(finder, end) : after_title(finder, end)) < 0;
            if (failed || !finder->run.n || (finder->run.n == 1 && finder->run.all[0].initials)) continue;
            failed = !(because = PyTuple_Pack(1, trigger));
            failed = failed || take_run(finder, label, TRIGGERS[t].score, TRIGGERS[t].mark + 1, because) < 0;
            Py_XDECREF(because);
        }
        Py_XDECREF(triggers);
        if (failed) return -1;
    }
    return 0;
}

/* A listed first name with a neighbour that looks like a name. */
static int around_first_name(Finder *finder, PyObject *found) {
    Py_ssize_t start = number_of(found, START);
    if (finder->flags[start] & IS_TAKEN) return 0;
    PyObject *word = PyUnicode_Substring(finder->text, start, number_of(found, END)), *small = word ? folded_word(word) : NULL;
    int ordinary = small ? is_ordinary(finder, small) : -1;
    Py_XDECREF(word);
    Py_XDECREF(small);
    if (ordinary) return ordinary < 0 ? -1 : 0;
    Token before;
    if (read_run(finder, start) < 0) return -1;
    int is = token_before(finder, start, &before);
    if (is > 0) {
        is = is_taken(finder, &before) ? 0 : is_plausible(finder, &before);
        if (is <= 0) token_free(&before);
        else is = put_first(finder, before);
    }
    if (is < 0) return -1;
    if (finder->run.n < 2 || all_initials(&finder->run, 1)) return 0;
    PyObject *because = PyTuple_Pack(1, found);
    int failed = !because || take_run(finder, known_label(finder), 0.85, "first_name", because) < 0;
    Py_XDECREF(because);
    return failed ? -1 : 0;
}

static int around_first_names(Finder *finder) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(finder->first); i++)
        if (around_first_name(finder, PyList_GET_ITEM(finder->first, i)) < 0) return -1;
    return 0;
}

static int flag(Finder *finder, const char *mark, int flag) {
    PyObject *list = marked(finder->board, mark);
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *found = PyList_GET_ITEM(list, i);
        Py_ssize_t start = number_of(found, START);
        if (flag != IS_TRIGGER || start < number_of(found, END)) finder->flags[start] |= flag;
    }
    Py_XDECREF(list);
    return list ? 0 : -1;
}

/* Of several first names that begin at a place, the one that was put there last. */
static PyObject *first_names(Board *board) {
    PyObject *label = PyUnicode_FromString(".first_name"), *by_start = PyDict_New(), *found = NULL, *list = NULL;
    PyObject *all = label ? PyDict_GetItemWithError(board->by_label, label) : NULL;
    int failed = !label || !by_start || PyErr_Occurred();
    for (Py_ssize_t i = 0; all && !failed && i < PyList_GET_SIZE(all); i++) {
        found = PyList_GET_ITEM(all, i);
        failed = PyDict_SetItem(by_start, PyTuple_GET_ITEM(found, START), found) < 0;
    }
    if (!failed && (list = PyDict_Values(by_start)) && board_sort(list) < 0) Py_CLEAR(list);
    Py_XDECREF(label);
    Py_XDECREF(by_start);
    return list;
}

static int find_names(Finder *finder) {
    int failed = flag(finder, ".first_name", IS_FIRST) < 0 || flag(finder, ".last_name", IS_LAST) < 0;
    for (size_t t = 0; t < sizeof TRIGGERS / sizeof *TRIGGERS; t++)
        failed = failed || flag(finder, TRIGGERS[t].mark, IS_TRIGGER) < 0;
    failed = failed || after_triggers(finder) < 0 || around_first_names(finder) < 0 || find_elsewhere(finder) < 0;
    for (size_t i = 0; !failed && i < finder->n_names; i++) failed = put_name(finder, &finder->names[i]) < 0;
    return failed ? -1 : 0;
}

/* names(Found, board, spec) */
PyObject *names(PyObject *Py_UNUSED(module), PyObject *const *arguments, Py_ssize_t n_arguments) {
    if (n_arguments != 3 || !PyType_Check(arguments[0]) || !PyObject_TypeCheck(arguments[1], board_type) ||
        !PyTuple_Check(arguments[2]) || PyTuple_GET_SIZE(arguments[2]) != SPEC)
        return PyErr_Format(PyExc_TypeError, "names(Found, board, spec)");
    Board *board = (Board *)arguments[1];
    Finder finder = {.spec = arguments[2], .text = board->text, .found_type = arguments[0], .board = board};
    finder.n = PyUnicode_GET_LENGTH(board->text);
    finder.flags = calloc((size_t)finder.n + 1, 1);
    finder.first = finder.flags ? first_names(board) : PyErr_NoMemory();
    int failed = !finder.first || find_names(&finder) < 0;
    tokens_clear(&finder.run);
    tokens_clear(&finder.taken);
    for (size_t i = 0; i < finder.n_names; i++) {
        Py_DECREF(finder.names[i].label);
        Py_DECREF(finder.names[i].because);
    }
    free(finder.run.all);
    free(finder.taken.all);
    free(finder.names);
    free(finder.flags);
    Py_XDECREF(finder.first);
    if (failed) return NULL;
    Py_RETURN_NONE;
}
