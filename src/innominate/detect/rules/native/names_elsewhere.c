/* The words of names found so far, wherever else they stand; several of them in a row are one name. */
#include "names.h"

enum { SHORTEST = 3, TOLD_APART = 8 }; /* characters of a word that is looked for, and those by which it is filed */

typedef struct {
    PyObject *word;
    int32_t next; /* another one that begins so, or -1 */
} LookedFor;

typedef struct { /* words as they are looked for, by how they begin */
    LookedFor *all;
    Py_ssize_t n, room;
    int32_t *begins; /* of each way to begin: a word, or -1 */
    size_t n_begins; /* a power of two */
    uint8_t first[256]; /* which bytes a text has where one begins */
} Spelled;

static int is_ascii_letter(Py_UCS4 c) { return (c | 32) - 'a' < 26; }

/* How the word at a place begins: by its first character and the plain letters after it. So it is the same for a word by itself
 * and for one that stands in a text, where no letter follows. */
static size_t beginning(const Spelled *spelled, PyObject *text, Py_ssize_t place, Py_ssize_t end) {
    uint32_t hash = PyUnicode_READ_CHAR(text, place);
    if (end > place + TOLD_APART) end = place + TOLD_APART;
    for (Py_ssize_t i = place + 1; i < end; i++) {
        Py_UCS4 c = PyUnicode_READ_CHAR(text, i);
        if (!is_ascii_letter(c)) break;
        hash = hash * 31 + c;
    }
    return (hash ^ hash >> 15) & (spelled->n_begins - 1);
}

static int make_room(Spelled *spelled, Py_ssize_t n_words) {
    for (spelled->n_begins = 64; spelled->n_begins < 4 * (size_t)n_words;) spelled->n_begins *= 2;
    spelled->begins = malloc(spelled->n_begins * sizeof *spelled->begins);
    if (!spelled->begins) {
        PyErr_NoMemory();
        return -1;
    }
    memset(spelled->begins, -1, spelled->n_begins * sizeof *spelled->begins);
    return 0;
}

/* Look for a word too, if it is new; takes the word. */
static int look_for(Spelled *spelled, PyObject *word) {
    if (!word) return -1;
    size_t at = beginning(spelled, word, 0, PyUnicode_GET_LENGTH(word));
    int known = 0;
    for (int32_t i = spelled->begins[at]; i >= 0 && !known; i = spelled->all[i].next)
        known = PyUnicode_Compare(spelled->all[i].word, word) == 0;
    if (known || (spelled->n == spelled->room && list_grow((void **)&spelled->all, &spelled->room, sizeof *spelled->all) < 0)) {
        Py_DECREF(word);
        return known ? 0 : -1;
    }
    Py_UCS4 first = PyUnicode_READ_CHAR(word, 0);
    if (first < 256) spelled->first[first] = 1;
    else memset(spelled->first, 1, sizeof spelled->first); /* whatever the text has there as bytes */
    spelled->all[spelled->n] = (LookedFor){word, spelled->begins[at]};
    spelled->begins[at] = (int32_t)spelled->n++;
    return 0;
}

/* A word as it is, in capitals, and with a capital: all are `known` to be of a name. */
static int spell_word(Spelled *spelled, PyObject *known, PyObject *word, PyObject *number) {
    static const char *const ways[] = {"upper", "title"};
    int failed = !PyDict_SetDefault(known, word, number) || look_for(spelled, Py_NewRef(word)) < 0;
    for (int i = 0; i < 2 && !failed; i++) {
        PyObject *other = PyObject_CallMethod(word, ways[i], NULL);
        failed = !other || !PyDict_SetDefault(known, other, number) || look_for(spelled, Py_NewRef(other)) < 0;
        Py_XDECREF(other);
    }
    return failed ? -1 : 0;
}

static int spell_token(Finder *finder, Spelled *spelled, PyObject *known, const Token *token, PyObject *number) {
    PyObject *word = PyUnicode_Substring(finder->text, token->word, token->end);
    int failed = !word || spell_word(spelled, known, word, number) < 0;
    if (!failed && token->word > token->start) /* with its particles too */
        failed = look_for(spelled, PyUnicode_Substring(finder->text, token->start, token->end)) < 0;
    Py_XDECREF(word);
    return failed ? -1 : 0;
}

static int spell_names(Finder *finder, Spelled *spelled, PyObject *known) {
    for (Py_ssize_t i = 0; i < finder->n_names; i++) {
        PyObject *number = PyLong_FromSsize_t(i);
        int failed = !number;
        for (Py_ssize_t k = finder->names[i].from; !failed && k < finder->names[i].from + finder->names[i].n; k++) {
            Token *token = &finder->taken.all[k];
            if (token->initials || token->end - token->word < SHORTEST) continue;
            int ordinary = is_ordinary(finder, token_folded(finder, token));
            failed = ordinary < 0 || (!ordinary && spell_token(finder, spelled, known, token, number) < 0);
        }
        Py_XDECREF(number);
        if (failed) return -1;
    }
    return 0;
}

static int is_letter(Finder *finder, Py_ssize_t place) {
    return place >= 0 && place < finder->board->length && Py_UNICODE_ISALNUM(PyUnicode_READ_CHAR(finder->text, place));
}

/* Whether a word that is looked for stands at a place, by itself. */
static int stands_at(Finder *finder, const Spelled *spelled, int32_t place) {
    if (place + SHORTEST > finder->board->length || is_letter(finder, place - 1)) return 0;
    for (int32_t i = spelled->begins[beginning(spelled, finder->text, place, finder->board->length)]; i >= 0; i = spelled->all[i].next) {
        PyObject *word = spelled->all[i].word;
        Py_ssize_t end = place + PyUnicode_GET_LENGTH(word);
        if (end > finder->board->length || is_letter(finder, end)) continue;
        Py_ssize_t is = PyUnicode_Tailmatch(finder->text, word, place, end, -1);
        if (is) return is < 0 ? -1 : 1;
    }
    return 0;
}

static int is_known(Finder *finder, Token *token, PyObject *known) {
    if (token->initials) return finder->run.n > 0;
    PyObject *word = PyUnicode_Substring(finder->text, token->word, token->end);
    int is = word ? PyDict_Contains(known, word) : -1;
    Py_XDECREF(word);
    return is;
}

static int take_known(Finder *finder, PyObject *known, int32_t start) {
    if (read_while(finder, start, is_known, known) < 0) return -1;
    if (!finder->run.n) return 0;
    PyObject *word = PyUnicode_Substring(finder->text, finder->run.all[0].word, finder->run.all[0].end);
    PyObject *number = word ? PyDict_GetItemWithError(known, word) : NULL;
    Py_XDECREF(word);
    if (!number) return -1;
    Name name = finder->names[PyLong_AsSsize_t(number)];
    Token before;
    int is = token_before(finder, start, &before);
    if (is > 0 && before.initials && !is_taken(finder, &before)) is = put_first(finder, before);
    if (is < 0) return -1;
    return take_run(finder, name.label, name.score < 0.9 ? name.score : 0.9, AGAIN, name.because);
}

/* One place after the other: what a name takes there is seen by the next. */
static int find_places(Finder *finder, const Spelled *spelled, PyObject *known) {
    const uint8_t *data = (const uint8_t *)PyBytes_AS_STRING(finder->board->data) + 1;
    for (int32_t place = 0; place < finder->board->length; place++) {
        if ((place & 0xffff) == 0xffff && PyErr_CheckSignals() < 0) return -1; /* a time-out */
        if (!spelled->first[data[place]] || finder->flags[place] & IS_TAKEN) continue;
        int is = stands_at(finder, spelled, place);
        if (is < 0 || (is && take_known(finder, known, place) < 0)) return -1;
    }
    return 0;
}

int find_elsewhere(Finder *finder) {
    if (!finder->n_names) return 0;
    PyObject *known = PyDict_New();
    Spelled spelled = {0};
    int failed = !known || make_room(&spelled, finder->taken.n) < 0 || spell_names(finder, &spelled, known) < 0 || (spelled.n && find_places(finder, &spelled, known) < 0);
    for (Py_ssize_t i = 0; i < spelled.n; i++) Py_DECREF(spelled.all[i].word);
    free(spelled.all);
    free(spelled.begins);
    Py_XDECREF(known);
    return failed ? -1 : 0;
}
