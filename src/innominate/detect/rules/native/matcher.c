/* One expression matched exactly, as `re` does it: a program is followed through an image of a text, and where it fails, the last
 * choice is made otherwise. Choices lie on a stack, between them what registers held before: nothing calls itself. */
#include "matcher_text.h"

enum { STEPS = 1 << 16, OWN = 160, MOST_CHOICES = 1 << 18 };

typedef struct {
    int32_t at;    /* an instruction; or below zero: -1 - a register that held `place` */
    int32_t place; /* in the text */
    int32_t more;  /* -1: go on at the instruction; otherwise what it needs to make its choice otherwise */
} Choice;

typedef struct {
    Choice *all;
    int32_t room;
    Choice own[OWN];
} Choices;

static int grown(Choices *choices) {
    if (choices->room >= MOST_CHOICES) return -2;
    size_t room = 4 * (size_t)choices->room;
    Choice *all = realloc(choices->all == choices->own ? NULL : choices->all, room * sizeof *all);
    if (!all) return -1;
    if (choices->all == choices->own) memcpy(all, choices->own, sizeof choices->own);
    choices->all = all;
    choices->room = (int32_t)room;
    return 0;
}

/* The alternative from `i` on that may match; n if there is none. */
static int32_t alternative(const uint32_t *sets, const int32_t *entries, int32_t i, int32_t n, const uint8_t *text, int32_t place, int32_t end) {
    while (i < n && !may(sets, entries[2 * i], text, place, end)) i++;
    return i;
}

/* Forget choices, but not what groups held before. */
static int32_t without_choices(Choice *all, int32_t from, int32_t n, int32_t n_saved) {
    if (from < 0 || from > n) return n; /* the program is damaged */
    int32_t kept = from;
    for (int32_t i = from; i < n; i++)
        if (all[i].at < 0 && -1 - all[i].at < n_saved) all[kept++] = all[i];
    return kept;
}

#define PUSH(AT, PLACE, MORE)                                                     \
    do {                                                                          \
        if (n == choices->room && (failure = grown(choices)) < 0) return failure; \
        choices->all[n++] = (Choice){(int32_t)(AT), (PLACE), (MORE)};             \
    } while (0)
#define KEEP(REGISTER) PUSH(-1 - (REGISTER), registers[REGISTER], 0)

/* Follow the program from a place on. */
static int followed(const Matcher *self, const uint8_t *text, int32_t place, int32_t end, int full, int32_t *registers, Choices *choices) {
    const int32_t *code = self->code, *op = code;
    const uint32_t *sets = self->sets;
    int32_t n = 0, more = -1, steps = STEPS, n_saved = 2 * (self->n_groups + 1);
    int failure;
    for (;;) {
        switch (*op) {
        case OP_MATCH:
            if (full && place != end) goto fail;
            registers[1] = place;
            return 1;
        case OP_BYTE:
            if (place >= end || text[place] != op[1]) goto fail;
            place++;
            op += 2;
            continue;
        case OP_STRING:
            if (end - place < op[1] || memcmp(text + place, op + 2, (size_t)op[1]) != 0) goto fail;
            place += op[1];
            op += 2 + (op[1] + 3) / 4;
            continue;
        case OP_SET:
            if (place >= end || !holds(sets, op[1], text[place])) goto fail;
            place++;
            op += 2;
            continue;
        case OP_SETS: {
            int32_t i = 0, size = op[1];
            if (end - place < size) goto fail;
            while (i < size && holds(sets, op[2 + i], text[place + i])) i++;
            if (i < size) goto fail;
            place += size;
            op += 2 + size;
            continue;
        }
        case OP_RUN: {
            int32_t least, most;
            if (more < 0) {
                int32_t length = run_of(sets, op[1], text, place, end, op[3]);
                if (length < op[2]) goto fail;
                least = place + op[2];
                most = place + length;
            } else {
                least = more;
                most = place;
                more = -1;
            }
            while (most > least && !may(sets, op[4], text, most, end)) most--;
            if (most > least) PUSH(op - code, most - 1, least);
            place = most;
            op += 5;
            continue;
        }
        case OP_RUN_ALL: {
            int32_t length = run_of(sets, op[1], text, place, end, op[3]);
            if (length < op[2]) goto fail;
            place += length;
            op += 5;
            continue;
        }
        case OP_RUN_LAZY: {
            int32_t left;
            if (more < 0) {
                if (run_of(sets, op[1], text, place, end, op[2]) < op[2]) goto fail;
                place += op[2];
                left = op[3] - op[2];
            } else {
                if (place >= end || !holds(sets, op[1], text[place])) goto resumed;
                place++;
                left = more - 1;
                more = -1;
            }
            while (left > 0 && !may(sets, op[4], text, place, end) && place < end && holds(sets, op[1], text[place])) place++, left--;
            if (left > 0) PUSH(op - code, place, left);
            op += 5;
            continue;
        }
        case OP_BRANCH: {
            const int32_t *entries = op + 4 + op[3];
            int32_t i, size = op[1];
            if (more >= 0) {
                i = more;
                more = -1;
            } else if (op[3]) {
                i = ((const uint8_t *)(op + 4))[place < end ? text[place] : 256];
                if (i >= size) goto fail;
            } else {
                i = alternative(sets, entries, 0, size, text, place, end);
                if (i == size) goto fail;
            }
            if (!op[2]) {
                int32_t other = alternative(sets, entries, i + 1, size, text, place, end);
                if (other < size) PUSH(op - code, place, other);
            }
            op += entries[2 * i + 1];
            continue;
        }
        case OP_OPTION:
        case OP_OPTION_LAZY: {
            int lazy = *op == OP_OPTION_LAZY, it = may(sets, op[1], text, place, end), rest = may(sets, op[2], text, place, end);
            if (it && rest) PUSH(op + (lazy ? 4 : op[3]) - code, place, -1);
            op += !it || (lazy && rest) ? op[3] : 4;
            continue;
        }
        case OP_JUMP: op += op[1]; continue;
        case OP_SAVE:
            KEEP(op[1]);
            registers[op[1]] = place;
            op += 2;
            continue;
        case OP_START:
            if (op[2]) {
                KEEP(op[1]);
                KEEP(op[1] + 1);
            }
            registers[op[1]] = registers[op[1] + 1] = -1; /* rounds, and where the last of those began that need not be */
            op += 3;
            continue;
        case OP_LOOP:
        case OP_LOOP_LAZY: {
            int32_t reg = op[1], rounds = registers[reg] + 1, again = more >= 0;
            more = -1;
            if (--steps < 0) return -2;
            if (rounds >= op[2] && !again) {
                int another = rounds < op[3] && !(op[7] && place == registers[reg + 1]) && may(sets, op[4], text, place, end);
                if (!another) {
                    op += op[6];
                    continue;
                }
                if (*op == OP_LOOP_LAZY) {
                    PUSH(op - code, place, 0);
                    op += op[6];
                    continue;
                }
                if (may(sets, op[5], text, place, end)) PUSH(op + op[6] - code, place, -1);
            }
            KEEP(reg);
            registers[reg] = rounds;
            if (rounds >= op[2] && op[7]) {
                KEEP(reg + 1);
                registers[reg + 1] = place;
            }
            op += 8;
            continue;
        }
        case OP_LOOK:
            if (place < op[3] || !may(sets, op[2], text, place - op[3], end)) goto fail;
            registers[op[1]] = n;
            registers[op[1] + 1] = place;
            place -= op[3];
            op += 4;
            continue;
        case OP_LOOK_END:
            place = registers[op[1] + 1];
            if (place < 0 || place > end) goto fail; /* the program is damaged */
            /* fall through */
        case OP_ATOMIC_END:
            n = without_choices(choices->all, registers[op[1]], n, n_saved);
            op += 2;
            continue;
        case OP_LOOK_NOT:
            if (place < op[3] || !may(sets, op[2], text, place - op[3], end)) {
                op += op[4];
                continue;
            }
            registers[op[1]] = n;
            PUSH(op + op[4] - code, place, -1);
            place -= op[3];
            op += 5;
            continue;
        case OP_LOOK_NOT_END: /* no group is inside, and loops begin anew */
            if (registers[op[1]] >= 0 && registers[op[1]] < n) n = registers[op[1]];
            goto fail;
        case OP_ATOMIC:
            registers[op[1]] = n;
            op += 2;
            continue;
        case OP_AHEAD:
            if (!may(sets, op[1], text, place, end)) goto fail;
            op += 2;
            continue;
        case OP_BEHIND:
            if (op[1] >= 0 && !(place > 0 ? holds(sets, op[1] >> 1, text[place - 1]) : op[1] & 1)) goto fail;
            op += 2;
            continue;
        case OP_BORDER: {
            int before = place > 0 && holds(sets, op[1], text[place - 1]), after = place < end && holds(sets, op[1], text[place]);
            if (end == 0 ? !(op[2] && op[3]) : (before == after) != op[2]) goto fail;
            op += 4;
            continue;
        }
        case OP_AT:
            if (!is_at(op[1], text, place, end)) goto fail;
            op += 2;
            continue;
        case OP_SAME: {
            int32_t from = registers[2 * op[1]], length = registers[2 * op[1] + 1] - from;
            if (from < 0 || length < 0 || end - place < length || memcmp(text + place, text + from, (size_t)length) != 0) goto fail;
            place += length;
            op += 2;
            continue;
        }
        default: goto fail;
        }
    resumed:
        more = -1;
    fail:
        if (--steps < 0) return -2;
        for (;;) {
            if (n == 0) return 0;
            const Choice *last = choices->all + --n;
            place = last->place;
            if (last->at >= 0) {
                op = code + last->at;
                more = last->more;
                break;
            }
            registers[-1 - last->at] = place;
        }
    }
}

int matcher_match(const Matcher *self, const uint8_t *text, Py_ssize_t n_text, Py_ssize_t start, Py_ssize_t end, int full, int32_t *spans) {
    if (end > n_text) end = n_text;
    if (end > INT32_MAX / 2 || start > end) return -2; /* `re` has its own way with an end before the start */
    if (end - start < self->least || !may(self->sets, self->first, text, (int32_t)start, (int32_t)end)) return 0;
    Choices choices;
    int32_t registers[MOST_REGISTERS], n = 2 * (self->n_groups + 1);
    choices.all = choices.own;
    choices.room = OWN;
    for (int32_t i = 0; i < self->n_registers; i++) registers[i] = -1;
    registers[0] = (int32_t)start;
    int found = followed(self, text, (int32_t)start, (int32_t)end, full, registers, &choices);
    if (choices.all != choices.own) free(choices.all);
    for (int32_t i = 0; found == 1 && i < n; i += 2) {
        int both = registers[i] >= 0 && registers[i + 1] >= 0;
        spans[i] = both ? registers[i] : -1;
        spans[i + 1] = both ? registers[i + 1] : -1;
    }
    return found;
}

int matcher_search(const Matcher *self, const uint8_t *text, Py_ssize_t n_text, Py_ssize_t start, Py_ssize_t end, int32_t *spans) {
    int found = start > end ? -2 : 0;
    if (end > n_text) end = n_text;
    for (; start <= end && found == 0; start++) found = matcher_match(self, text, n_text, start, end, 0, spans);
    return found;
}
