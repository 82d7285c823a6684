/* Rules that look at what is on the board: relabel.py and beside.py. */
#include "native.h"

static int fits(Step *step, Board *board, const Candidate *found) {
    int right = 1;
    if (step->itself.lazy) right = expression_ask(&step->itself, FULLMATCH, board, found->start, found->end, NULL);
    if (right > 0 && step->after.lazy) right = expression_ask(&step->after, MATCH, board, found->end, board->length, NULL);
    if (right > 0 && step->before.exact.lazy) right = behind_match(&step->before, board, found->start, NULL);
    return right;
}

static int relabel(Step *step, Board *board, Numbers *candidates) {
    Py_ssize_t n = 0; /* that fit: they stay in the list */
    for (Py_ssize_t i = 0; i < candidates->n; i++) {
        int right = fits(step, board, &board->all[candidates->all[i]]);
        if (right < 0) return -1;
        if (right) candidates->all[n++] = candidates->all[i];
    }
    for (Py_ssize_t i = 0; i < n; i++) board->all[candidates->all[i]].gone = 1;
    for (Py_ssize_t i = 0; step->label >= 0 && i < n; i++) {
        Candidate found = board->all[candidates->all[i]];
        found.label = step->label;
        found.rule = step->rule;
        found.priority = board->book->rules[step->rule].priority;
        found.because = candidates->all[i];
        found.gone = 0;
        if (board_put(board, found) < 0) return -1;
    }
    return 0;
}

typedef struct { /* places, by what they hash to */
    uint64_t *all;
    size_t n, room; /* a power of two */
} Seen;

static uint64_t *slot_of(const Seen *seen, uint64_t place) {
    size_t at = (size_t)((place * 0x9e3779b97f4a7c15u) >> 32) & (seen->room - 1);
    while (seen->all[at] && seen->all[at] != place) at = (at + 1) & (seen->room - 1);
    return &seen->all[at];
}

static int grow(Seen *seen) {
    Seen more = {NULL, seen->n, seen->room ? 2 * seen->room : 32};
    more.all = calloc(more.room, sizeof *more.all);
    if (!more.all) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < seen->room; i++)
        if (seen->all[i]) *slot_of(&more, seen->all[i]) = seen->all[i];
    free(seen->all);
    *seen = more;
    return 0;
}

/* Whether a place is new; it is remembered. */
static int is_new(Seen *seen, const int32_t *place) {
    if (2 * seen->n >= seen->room && grow(seen) < 0) return -1;
    uint64_t key = ((uint64_t)place[0] << 32 | (uint32_t)place[1]) + 1, *slot = slot_of(seen, key);
    if (*slot) return 0;
    *slot = key;
    seen->n++;
    return 1;
}

/* Look beside one candidate after the other, and beside what is found there if that is wanted. */
static int look_beside(Step *step, Board *board, Numbers *waiting, Seen *seen) {
    while (waiting->n) {
        if (PyErr_CheckSignals() < 0) return -1; /* a chain may be long */
        int32_t anchor = waiting->all[--waiting->n], place[2];
        int is = step->after.lazy ? expression_ask(&step->after, MATCH, board, board->all[anchor].end, board->length, place)
                                  : behind_match(&step->before, board, board->all[anchor].start, place);
        if (is > 0) is = is_there(board->book, step->label, place[0], place[1]) ? is_new(seen, place) : 0;
        if (is < 0) return -1;
        if (!is) continue;
        Candidate found = given_by(board->book, step->rule, place[0], place[1]);
        found.because = anchor;
        int32_t number = board_put(board, found);
        if (number < 0 || (step->chain && numbers_add(waiting, number) < 0)) return -1;
    }
    return 0;
}

static int beside(Step *step, Board *board, Numbers *candidates) {
    Seen seen = {0};
    int failed = look_beside(step, board, candidates, &seen);
    free(seen.all);
    return failed;
}

static int apply(Step *step, Board *board, Numbers *candidates) {
    switch (step->kind) {
        case RELABEL: return relabel(step, board, candidates);
        case BESIDE: return beside(step, board, candidates);
        case KEEP: return keep(step, board, candidates);
        case NAMES: return names(step->names, board);
    }
    return 0;
}

int later_rules(Rulebook *book, PyObject *boards) {
    Numbers candidates = {0};
    int failed = 0;
    for (Py_ssize_t s = 0; !failed && s < book->n_steps; s++)
        for (Py_ssize_t b = 0; !failed && b < PyList_GET_SIZE(boards); b++) {
            Board *board = (Board *)PyList_GET_ITEM(boards, b);
            if (board->near[s].first < 0) continue;
            failed = PyErr_CheckSignals() < 0 || board_asked(board, s, &candidates) < 0 ||
                     (candidates.n && apply(&book->steps[s], board, &candidates) < 0);
        }
    free(candidates.all);
    return failed ? -1 : 0;
}
