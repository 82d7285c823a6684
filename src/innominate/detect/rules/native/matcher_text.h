#ifndef INNOMINATE_MATCHER_TEXT
#define INNOMINATE_MATCHER_TEXT
/* What a matcher asks about a place of a text. */
#include "matcher.h"

static inline int holds(const uint32_t *sets, int32_t set, uint8_t c) { return sets[8 * set + (c >> 5)] >> (c & 31) & 1; }

/* Whether what comes next, a character or the end, is in a set. */
static inline int may(const uint32_t *sets, int32_t maybe, const uint8_t *text, int32_t place, int32_t end) {
    if (maybe < 0) return 1;
    return place < end ? holds(sets, maybe >> 1, text[place]) : maybe & 1;
}

/* How many of the next characters are in a set. */
static inline int32_t run_of(const uint32_t *sets, int32_t set, const uint8_t *text, int32_t place, int32_t end, int32_t most) {
    int32_t last = end - place > most ? place + most : end, at = place;
    while (at < last && holds(sets, set, text[at])) at++;
    return at - place;
}

static inline int is_at(int32_t kind, const uint8_t *text, int32_t place, int32_t end) {
    switch (kind) {
    case AT_START: return place == 0;
    case AT_LINE_START: return place == 0 || text[place - 1] == '\n';
    case AT_END: return place == end || (place + 1 == end && text[place] == '\n');
    case AT_LINE_END: return place == end || text[place] == '\n';
    default: return place == end;
    }
}
#endif
