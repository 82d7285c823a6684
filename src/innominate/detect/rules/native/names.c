/* Names of people: names.py and name_tokens.py, for the many words that a note has. */
#include "native.h"

enum { FORWARDS, BACKWARDS, BEGINS, NOT_NAMES, HEADER_LABEL, STAFF_LABEL, UNKNOWN_LABEL, EXTENT, FIRST_LABEL, LAST_LABEL, RULE_NAME,
       RULE_PRIORITY, SPEC }; /* what is known of the rule */
enum { IS_FIRST = 1, IS_LAST = 2, IS_TRIGGER = 4, IS_TAKEN = 8 }; /* of a character: a word that begins there */
enum { LONGEST = 6, LONG_TOKEN = 80, FAR_BEFORE = 60 };

typedef struct { /* one part of a name: a word with the particles before it, or initials */
    Py_ssize_t start, end;
    PyObject *word, *folded;
    int initials;
} Token;

typedef struct {
    Token *all;
    size_t n, room;
} Tokens;

typedef struct {
    size_t from, n; /* tokens */
    PyObject *label, *because;
    double score;
    const char *how;
} Name;

typedef struct {
    PyObject *spec, *text, *found_type;
    Board *board;
    Py_ssize_t n;      /* characters */
    uint8_t *flags;    /* of characters */
    PyObject *first;   /* a list of the listed first names, from left to right, one for each place */
    Tokens run, taken; /* those at hand, and those of names */
    Name *names;
    size_t n_names, room_names;
} Finder;

/* --------------------------------------------------------------------------------------------------------- tokens */

static void token_free(Token *token) {
    Py_CLEAR(token->word);
    Py_CLEAR(token->folded);
}

static void tokens_clear(Tokens *tokens) {
    while (tokens->n) token_free(&tokens->all[--tokens->n]);
}

/* Add a token, which belongs to the list from now on. */
static int tokens_add(Tokens *tokens, Token token) {
    if (tokens->n == tokens->room) {
        size_t room = 2 * tokens->room + 8;
        Token *all = realloc(tokens->all, room * sizeof *all);
        if (!all) {
            token_free(&token);
            PyErr_NoMemory();
            return -1;
        }
        tokens->all = all;
        tokens->room = room;
    }
    tokens->all[tokens->n++] = token;
    return 0;
}

static PyObject *folded(PyObject *word) {
    static PyObject *name;
    if (!name && !(name = PyUnicode_InternFromString("casefold"))) return NULL;
    return PyObject_VectorcallMethod(name, &word, 1, NULL);
}

/* The token of a match; 1 if there is one, 0 if there is none, -1 if there was an error. Takes the match. */
static int token_of(PyObject *match, Token *token) {
    static PyObject *name, *word_group, *initials_group;
    if (!match || match == Py_None) {
        Py_XDECREF(match);
        return match ? 0 : -1;
    }
    if (!name) {
        word_group = PyUnicode_InternFromString("word");
        initials_group = PyUnicode_InternFromString("initials");
        name = PyUnicode_InternFromString("group");
    }
    PyObject *arguments[] = {match, word_group, initials_group};
    PyObject *span = span_of_match(match, NULL), *groups = span ? PyObject_VectorcallMethod(name, arguments, 3, NULL) : NULL;
    Py_DECREF(match);
    *token = (Token){0};
    if (groups) {
        PyObject *initials = PyTuple_GET_ITEM(groups, 1);
        token->start = PyLong_AsSsize_t(PyTuple_GET_ITEM(span, 0));
        token->end = PyLong_AsSsize_t(PyTuple_GET_ITEM(span, 1));
        token->initials = initials != Py_None;
        token->word = Py_NewRef(token->initials ? initials : PyTuple_GET_ITEM(groups, 0));
        token->folded = folded(token->word);
        if (!token->folded) Py_CLEAR(token->word);
    }
    Py_XDECREF(span);
    Py_XDECREF(groups);
    return token->word ? 1 : -1;
}

static PyObject *look(PyObject *method, PyObject *text, Py_ssize_t from, Py_ssize_t to) {
    PyObject *arguments[] = {text, PyLong_FromSsize_t(from), PyLong_FromSsize_t(to)};
    PyObject *match = arguments[1] && arguments[2] ? PyObject_Vectorcall(method, arguments, 3, NULL) : NULL;
    Py_XDECREF(arguments[1]);
    Py_XDECREF(arguments[2]);
    return match;
}

/* The token that begins at a place. */
static int token_at(Finder *finder, Py_ssize_t place, Token *token) {
    if (place >= finder->n) return 0;
    Py_UCS4 first = PyUnicode_READ_CHAR(finder->text, place);
    PyObject *begins = PyTuple_GET_ITEM(finder->spec, BEGINS); /* most words that follow a name: no need to look closer */
    if (Py_UNICODE_ISLOWER(first) &&
        PyUnicode_FindChar(begins, Py_UNICODE_TOUPPER(first), 0, PyUnicode_GET_LENGTH(begins), 1) < 0)
        return 0;
    return token_of(look(PyTuple_GET_ITEM(finder->spec, FORWARDS), finder->text, place, place + LONG_TOKEN), token);
}

static int is_gap(Finder *finder, Py_ssize_t place) {
    if (place < 0 || place >= finder->n) return 0;
    Py_UCS4 c = PyUnicode_READ_CHAR(finder->text, place);
    return c == ' ' || c == 0xa0;
}

/* The token that follows a place after a small gap on the same line. */
static int token_after(Finder *finder, Py_ssize_t place, Token *token) {
    if (!is_gap(finder, place)) return 0;
    return token_at(finder, place + (is_gap(finder, place + 1) ? 2 : 1), token);
}

static int has_capital(Finder *finder, Py_ssize_t from, Py_ssize_t to) {
    for (Py_ssize_t i = to - 1; i >= from; i--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(finder->text, i);
        if (c == ' ') return 0;
        if (Py_UNICODE_TOLOWER(c) != c) return 1;
    }
    return 0;
}

/* The token that ends before a place, a small gap apart, on the same line. */
static int token_before(Finder *finder, Py_ssize_t place, Token *token) {
    if (!is_gap(finder, place - 1)) return 0;
    Py_ssize_t end = place - (is_gap(finder, place - 2) ? 2 : 1), from = end > FAR_BEFORE ? end - FAR_BEFORE : 0;
    if (!has_capital(finder, from, end)) return 0; /* the search would only take longer to say no */
    return token_of(look(PyTuple_GET_ITEM(finder->spec, BACKWARDS), finder->text, from, end), token);
}

/* ---------------------------------------------------------------------------------------------------------- words */

static int is_ordinary(Finder *finder, PyObject *folded_word) {
    return PySet_Contains(PyTuple_GET_ITEM(finder->spec, NOT_NAMES), folded_word);
}

/* Another title. */
static int is_never(Finder *finder, const Token *token) { return !token->initials && finder->flags[token->start] & IS_TRIGGER; }

/* Listed as a name, or at least no ordinary word. */
static int is_plausible(Finder *finder, const Token *token) {
    if (token->initials) return 1;
    Py_ssize_t start = token->end - PyUnicode_GET_LENGTH(token->word); /* behind its particles */
    if (finder->flags[start] & (IS_FIRST | IS_LAST)) return 1;
    int ordinary = is_ordinary(finder, token->folded);
    return ordinary < 0 ? -1 : !ordinary && !is_never(finder, token);
}

static int is_taken(Finder *finder, const Token *token) { return finder->flags[token->start] & IS_TAKEN; }

/* Into `run`: the tokens of a name that begins at a place. */
static int read_run(Finder *finder, Py_ssize_t place) {
    Token token;
    tokens_clear(&finder->run);
    int is = token_at(finder, place, &token);
    while (is > 0) {
        int good = finder->run.n < LONGEST && !is_taken(finder, &token);
        if (good) good = finder->run.n ? is_plausible(finder, &token) : !is_never(finder, &token);
        if (good <= 0) {
            token_free(&token);
            return good;
        }
        Py_ssize_t end = token.end;
        if (tokens_add(&finder->run, token) < 0) return -1;
        is = token_after(finder, end, &token);
    }
    return is;
}

static int all_initials(const Tokens *tokens, size_t from) {
    for (size_t i = from; i < tokens->n; i++)
        if (!tokens->all[i].initials) return 0;
    return 1;
}

/* ---------------------------------------------------------------------------------------------------------- names */

/* The tokens of `run` are a name. */
static int take_run(Finder *finder, PyObject *label, double score, const char *how, PyObject *because) {
    if (finder->n_names == finder->room_names) {
        size_t room = 2 * finder->room_names + 8;
        Name *names = realloc(finder->names, room * sizeof *names);
        if (!names) {
            PyErr_NoMemory();
            return -1;
        }
        finder->names = names;
        finder->room_names = room;
    }
    Name name = {finder->taken.n, 0, Py_NewRef(label), Py_NewRef(because), score, how};
    finder->names[finder->n_names++] = name;
    for (size_t i = 0; i < finder->run.n; i++) {
        Token token = finder->run.all[i];
        finder->flags[token.start] |= IS_TAKEN;
        Py_INCREF(token.word);
        Py_INCREF(token.folded);
        if (tokens_add(&finder->taken, token) < 0) return -1;
        finder->names[finder->n_names - 1].n++;
    }
    return 0;
}

static int same(PyObject *a, PyObject *b) { return a == b || PyUnicode_Compare(a, b) == 0; }

/* Whether a word, or an initial, is among those of tokens. */
static int has(const Token *tokens, size_t n, PyObject *word, int initials) {
    for (size_t i = 0; i < n; i++)
        if (!tokens[i].initials == !initials && same(tokens[i].folded, word)) return 1;
    return 0;
}

/* How many different words of `run` a name has, up to two. */
static int shared(Finder *finder, const Name *name) {
    int count = 0;
    for (size_t i = 0; i < finder->run.n && count < 2; i++) {
        const Token *token = &finder->run.all[i];
        if (token->initials || has(finder->run.all, i, token->folded, 0)) continue;
        count += has(finder->taken.all + name->from, name->n, token->folded, 0);
    }
    return count;
}

/* Whether a word is all the words that a name has. */
static int is_all(Finder *finder, const Name *name, PyObject *word) {
    int some = 0;
    for (size_t i = name->from; i < name->from + name->n; i++) {
        if (finder->taken.all[i].initials) continue;
        if (!same(finder->taken.all[i].folded, word)) return 0;
        some = 1;
    }
    return some;
}

/* The label of a name found before with the same words, of a lone surname that is the last here, or of a relative. */
static PyObject *known_label(Finder *finder) {
    PyObject *last = finder->run.all[finder->run.n - 1].folded, *label = PyTuple_GET_ITEM(finder->spec, HEADER_LABEL);
    for (size_t i = 0; i < finder->n_names; i++) {
        const Name *name = &finder->names[i];
        if (shared(finder, name) > 1 || is_all(finder, name, last)) return name->label;
    }
    for (size_t i = 0; i < finder->n_names; i++) {
        const Name *name = &finder->names[i];
        const Token *tokens = finder->taken.all + name->from;
        if (same(name->label, label) && (has(tokens, name->n, last, 0) || has(tokens, name->n, last, 1))) return label;
    }
    return PyTuple_GET_ITEM(finder->spec, UNKNOWN_LABEL);
}

/* ---------------------------------------------------------------------------------------------------- where to look */

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

static Py_ssize_t number_of(PyObject *found, Py_ssize_t field) { return PyLong_AsSsize_t(PyTuple_GET_ITEM(found, field)); }

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

/* Put a token in front of `run`. */
static int put_first(Finder *finder, Token token) {
    if (tokens_add(&finder->run, token) < 0) return -1;
    memmove(finder->run.all + 1, finder->run.all, (finder->run.n - 1) * sizeof token);
    finder->run.all[0] = token;
    return 0;
}

/* A listed first name with a neighbour that looks like a name. */
static int around_first_name(Finder *finder, PyObject *found) {
    Py_ssize_t start = number_of(found, START);
    if (finder->flags[start] & IS_TAKEN) return 0;
    PyObject *word = PyUnicode_Substring(finder->text, start, number_of(found, END)), *small = word ? folded(word) : NULL;
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

/* ------------------------------------------------------------------------------------------------------- elsewhere */

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

/* Into `run`: known words from a place on. */
static int read_known(Finder *finder, PyObject *known, Py_ssize_t place) {
    Token token;
    tokens_clear(&finder->run);
    int is = token_at(finder, place, &token);
    while (is > 0) {
        int good = !is_taken(finder, &token);
        if (good && !(token.initials && finder->run.n)) good = PyDict_Contains(known, token.word);
        if (good <= 0) {
            token_free(&token);
            return good;
        }
        Py_ssize_t end = token.end;
        if (tokens_add(&finder->run, token) < 0) return -1;
        is = token_after(finder, end, &token);
    }
    return is;
}

static int take_known(Finder *finder, PyObject *known, Py_ssize_t start) {
    if (read_known(finder, known, start) < 0) return -1;
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

/* The words of names found so far, wherever else they stand; several of them in a row are one name. */
static int elsewhere(Finder *finder) {
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

/* ----------------------------------------------------------------------------------------------------------- spans */

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

/* Cut a name into spans as the taxonomy wants them. */
static int put_name(Finder *finder, const Name *name) {
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

/* ----------------------------------------------------------------------------------------------------------- Python */

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
    failed = failed || after_triggers(finder) < 0 || around_first_names(finder) < 0 || elsewhere(finder) < 0;
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
