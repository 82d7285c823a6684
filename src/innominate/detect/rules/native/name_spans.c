/* Names cut into spans as the taxonomy wants them. */
#include "names.h"

static int put_span(Finder *finder, const Name *name, int32_t start, int32_t end, int32_t label) {
    Candidate found = given_by(finder->board->book, finder->rule->how[name->how], start, end);
    found.label = label;
    found.score = name->score;
    found.because = name->because;
    return board_put(finder->board, found) < 0 ? -1 : 0;
}

/* Every name apart; initials go with the name after them, or else with the one before. */
static int put_each(Finder *finder, const Name *name, const Token *tokens) {
    int32_t pending = -1, start = -1, end = 0;
    for (Py_ssize_t i = 0; i < name->n; i++) {
        if (tokens[i].initials) {
            if (pending < 0) pending = tokens[i].start;
            continue;
        }
        if (start >= 0 && put_span(finder, name, start, end, name->label) < 0) return -1;
        start = pending >= 0 ? pending : tokens[i].start;
        end = tokens[i].end;
        pending = -1;
    }
    if (start < 0) return 0;
    return put_span(finder, name, start, pending >= 0 ? tokens[name->n - 1].end : end, name->label);
}

static int is_listed(Finder *finder, const Token *token) { return (finder->flags[token->start] & IS_FIRST) != 0; }

/* Whether a token is a first name: those listed as such are, and initials of several; if all are or none is, all but the last. */
static int is_first(Finder *finder, const Token *tokens, Py_ssize_t n, Py_ssize_t n_listed, Py_ssize_t i) {
    if (n == 1) return is_listed(finder, tokens);
    if (n_listed == 0 || n_listed == n) return i < n - 1;
    return tokens[i].initials || is_listed(finder, &tokens[i]);
}

static int put_parts(Finder *finder, const Name *name, const Token *tokens) {
    Py_ssize_t n_listed = 0;
    for (Py_ssize_t i = 0; i < name->n; i++) n_listed += tokens[i].initials || is_listed(finder, &tokens[i]);
    for (Py_ssize_t from = 0, to; from < name->n; from = to) {
        int first = is_first(finder, tokens, name->n, n_listed, from);
        for (to = from + 1; to < name->n && is_first(finder, tokens, name->n, n_listed, to) == first;) to++;
        int32_t label = first ? finder->rule->first_label : finder->rule->last_label;
        if (put_span(finder, name, tokens[from].start, tokens[to - 1].end, label) < 0) return -1;
    }
    return 0;
}

int put_name(Finder *finder, const Name *name) {
    const Token *tokens = finder->taken.all + name->from;
    switch (finder->rule->extent) {
        case WHOLE: return put_span(finder, name, tokens[0].start, tokens[name->n - 1].end, name->label);
        case EACH: return put_each(finder, name, tokens);
        case PARTS: return put_parts(finder, name, tokens);
    }
    return 0;
}
