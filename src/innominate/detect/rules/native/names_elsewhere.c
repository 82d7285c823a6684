/* The words of names found so far, wherever else they stand; several of them in a row are one name. */
#include "names.h"

typedef struct {
    PyObject *known;   /* of each spelling of a word: the number of its name */
    PyObject *spelled; /* as they are looked for: with their particles too */
} Spellings;

static int spell(Spellings *spellings, PyObject *word, PyObject *number) {
    if (!word) return -1;
    int failed = !PyDict_SetDefault(spellings->known, word, number) || PySet_Add(spellings->spelled, word) < 0;
    return failed ? -1 : 0;
}

/* A word as it is, in capitals, and with a capital. */
static int spell_token(Finder *finder, Spellings *spellings, const Token *token, PyObject *number) {
    static PyObject *upper, *title;
    if (!title) {
        upper = PyUnicode_InternFromString("upper");
        title = PyUnicode_InternFromString("title");
    }
    PyObject *capitals = PyObject_VectorcallMethod(upper, &token->word, 1, NULL);
    PyObject *capital = PyObject_VectorcallMethod(title, &token->word, 1, NULL);
    PyObject *written = PyUnicode_Substring(finder->text, token->start, token->end);
    int failed = spell(spellings, token->word, number) < 0 || spell(spellings, capitals, number) < 0 ||
                 spell(spellings, capital, number) < 0 || !written || PySet_Add(spellings->spelled, written) < 0;
    Py_XDECREF(capitals);
    Py_XDECREF(capital);
    Py_XDECREF(written);
    return failed ? -1 : 0;
}

static int spell_names(Finder *finder, Spellings *spellings) {
    for (size_t i = 0; i < finder->n_names; i++) {
        PyObject *number = PyLong_FromSize_t(i);
        int failed = !number;
        for (size_t k = finder->names[i].from; !failed && k < finder->names[i].from + finder->names[i].n; k++) {
            const Token *token = &finder->taken.all[k];
            if (token->initials || PyUnicode_GET_LENGTH(token->word) < 3) continue;
            int ordinary = is_ordinary(finder, token->folded);
            failed = ordinary < 0 || (!ordinary && spell_token(finder, spellings, token, number) < 0);
        }
        Py_XDECREF(number);
        if (failed) return -1;
    }
    return 0;
}

static int is_letter(Finder *finder, Py_ssize_t place) {
    return place >= 0 && place < finder->n && Py_UNICODE_ISALNUM(PyUnicode_READ_CHAR(finder->text, place));
}

typedef struct {
    Py_ssize_t *all;
    size_t n, room;
} Starts;

static int add_start(Starts *starts, Py_ssize_t start) {
    if (starts->n == starts->room) {
        size_t room = 2 * starts->room + 32;
        Py_ssize_t *all = realloc(starts->all, room * sizeof *all);
        if (!all) {
            PyErr_NoMemory();
            return -1;
        }
        starts->all = all;
        starts->room = room;
    }
    starts->all[starts->n++] = start;
    return 0;
}

/* Where a word stands by itself, and not in a name. */
static int find_places(Finder *finder, PyObject *word, Starts *starts) {
    Py_ssize_t length = PyUnicode_GET_LENGTH(word), start = PyUnicode_Find(finder->text, word, 0, finder->n, 1);
    for (; start >= 0; start = PyUnicode_Find(finder->text, word, start + length, finder->n, 1)) {
        if (is_letter(finder, start - 1) || is_letter(finder, start + length) || finder->flags[start] & IS_TAKEN) continue;
        if (add_start(starts, start) < 0) return -1;
    }
    return start == -2 ? -1 : 0;
}

static int smaller(const void *a, const void *b) {
    Py_ssize_t one = *(const Py_ssize_t *)a, other = *(const Py_ssize_t *)b;
    return one < other ? -1 : one > other;
}

static int is_known(Finder *finder, const Token *token, PyObject *known) {
    return token->initials && finder->run.n ? 1 : PyDict_Contains(known, token->word);
}

static int take_known(Finder *finder, PyObject *known, Py_ssize_t start) {
    if (read_while(finder, start, is_known, known) < 0) return -1;
    if (!finder->run.n) return 0;
    PyObject *number = PyDict_GetItemWithError(known, finder->run.all[0].word);
    if (!number) return -1;
    Name name = finder->names[PyLong_AsSsize_t(number)];
    Token before;
    int is = token_before(finder, start, &before);
    if (is > 0 && before.initials && !is_taken(finder, &before)) is = put_first(finder, before);
    else if (is > 0) token_free(&before);
    if (is < 0) return -1;
    return take_run(finder, name.label, name.score < 0.9 ? name.score : 0.9, "again", name.because);
}

int find_elsewhere(Finder *finder) {
    Spellings spellings = {PyDict_New(), PySet_New(NULL)};
    Starts starts = {0};
    PyObject *words = NULL, *word;
    int failed = !spellings.known || !spellings.spelled || spell_names(finder, &spellings) < 0 ||
                 !(words = PyObject_GetIter(spellings.spelled));
    while (!failed && (word = PyIter_Next(words))) {
        failed = find_places(finder, word, &starts) < 0;
        Py_DECREF(word);
    }
    if (starts.n) qsort(starts.all, starts.n, sizeof *starts.all, smaller);
    for (size_t i = 0; !failed && i < starts.n; i++)
        if (!i || starts.all[i] != starts.all[i - 1]) failed = take_known(finder, spellings.known, starts.all[i]) < 0;
    free(starts.all);
    Py_XDECREF(words);
    Py_XDECREF(spellings.known);
    Py_XDECREF(spellings.spelled);
    return failed ? -1 : 0;
}
