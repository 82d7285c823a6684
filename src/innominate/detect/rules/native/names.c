/* Names of people: names.py, for the many words that a note has. */
#include "names.h"

static int32_t skip(Finder *finder, int32_t place, const char *characters, int most) {
    for (; most && place < finder->board->length; place++, most--) {
        Py_UCS4 c = PyUnicode_READ_CHAR(finder->text, place);
        if (!(c && c < 128 && strchr(characters, (int)c)) && !(c == 0xa0 && characters[0] == ' ')) break;
    }
    return place;
}

static int32_t after_title(Finder *finder, int32_t place) { return skip(finder, skip(finder, place, ".", 1), " \t", 3); }

static int32_t after_field(Finder *finder, int32_t place) {
    return skip(finder, skip(finder, skip(finder, skip(finder, place, ".", 1), " \t", 4), ":=|", 1), " \t", 6);
}

static const double SCORES[TRIGGERS] = {[STAFF_TITLES] = 0.97, [TITLES] = 0.96, [STAFF_FIELDS] = 0.93, [FIELDS] = 0.93};

/* What is on the board with a label, from left to right. */
static int labelled(Finder *finder, int32_t label, Numbers *some) { return board_of(finder->board, &label, label >= 0, some); }

/* A name right after each trigger. */
static int after_triggers(Finder *finder, int how, Numbers *some) {
    int field = how == STAFF_FIELDS || how == FIELDS, staff = how == STAFF_TITLES || how == STAFF_FIELDS;
    int32_t label = staff ? finder->rule->staff_label : finder->rule->header_label;
    if (labelled(finder, finder->rule->triggers[how], some) < 0) return -1;
    for (Py_ssize_t i = 0; i < some->n; i++) {
        int32_t end = finder->board->all[some->all[i]].end;
        if (read_run(finder, field ? after_field(finder, end) : after_title(finder, end)) < 0) return -1;
        if (!finder->run.n || (finder->run.n == 1 && finder->run.all[0].initials)) continue;
        if (take_run(finder, label, SCORES[how], how, some->all[i]) < 0) return -1;
    }
    return 0;
}

static int is_ordinary_part(Finder *finder, int32_t start, int32_t end) {
    PyObject *folded = folded_part(finder, start, end);
    int ordinary = is_ordinary(finder, folded);
    Py_XDECREF(folded);
    return ordinary;
}

/* A listed first name with a neighbour that looks like a name. */
static int around_first_name(Finder *finder, int32_t number) {
    const Candidate *found = &finder->board->all[number];
    if (finder->flags[found->start] & IS_TAKEN) return 0;
    int ordinary = is_ordinary_part(finder, found->start, found->end);
    if (ordinary) return ordinary < 0 ? -1 : 0;
    Token before;
    if (read_run(finder, found->start) < 0) return -1;
    int is = token_before(finder, found->start, &before);
    if (is > 0) {
        is = is_taken(finder, &before) ? 0 : is_plausible(finder, &before);
        if (is <= 0) Py_CLEAR(before.folded);
        else is = put_first(finder, before);
    }
    if (is < 0) return -1;
    if (finder->run.n < 2 || all_initials(&finder->run, 1)) return 0;
    int32_t label;
    return known_label(finder, &label) < 0 ? -1 : take_run(finder, label, 0.85, BY_FIRST_NAME, number);
}

static int around_first_names(Finder *finder, Numbers *some) {
    if (labelled(finder, finder->rule->first_names, some) < 0) return -1;
    const Candidate *all = finder->board->all;
    for (Py_ssize_t i = 0, last; i < some->n; i = last + 1) {
        last = i; /* of several that begin at a place, the one that was put there last */
        int32_t number = some->all[i];
        while (last + 1 < some->n && all[some->all[last + 1]].start == all[number].start)
            if (some->all[++last] > number) number = some->all[last];
        if (around_first_name(finder, number) < 0) return -1;
    }
    return 0;
}

static void flag(Finder *finder, int32_t label, int flag) {
    const Candidate *all = finder->board->all;
    for (int32_t i = label >= 0 ? finder->board->of[label].first : -1; i >= 0; i = all[i].next)
        if (!all[i].gone && (flag != IS_TRIGGER || all[i].start < all[i].end)) finder->flags[all[i].start] |= flag;
}

/* From the surest evidence to the weakest, then every other place where names stand. */
static int find_names(Finder *finder) {
    Numbers some = {0};
    int failed = 0;
    flag(finder, finder->rule->first_names, IS_FIRST);
    flag(finder, finder->rule->last_names, IS_LAST);
    for (int how = 0; how < TRIGGERS; how++) flag(finder, finder->rule->triggers[how], IS_TRIGGER);
    for (int how = 0; how < TRIGGERS && !failed; how++) failed = after_triggers(finder, how, &some);
    failed = failed || around_first_names(finder, &some) < 0 || find_elsewhere(finder) < 0;
    for (Py_ssize_t i = 0; !failed && i < finder->n_names; i++) failed = put_name(finder, &finder->names[i]) < 0;
    free(some.all);
    return failed ? -1 : 0;
}

int names(NamesRule *rule, Board *board) {
    Finder finder = {.rule = rule, .board = board, .text = board->text};
    finder.flags = calloc((size_t)board->length + 1, 1);
    finder.known = finder.flags ? PySet_New(NULL) : PyErr_NoMemory();
    finder.by_word = finder.known ? PyDict_New() : NULL;
    int failed = !finder.by_word || find_names(&finder) < 0;
    tokens_clear(&finder.run);
    tokens_clear(&finder.taken);
    free(finder.run.all);
    free(finder.taken.all);
    free(finder.names);
    free(finder.flags);
    free(finder.links);
    Py_XDECREF(finder.known);
    Py_XDECREF(finder.by_word);
    return failed ? -1 : 0;
}
