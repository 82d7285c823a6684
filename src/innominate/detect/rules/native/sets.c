/* Sets of numbers that were seen before get the number they got then. */
#include "native.h"

static uint64_t mixed(const int32_t *items, size_t n) {
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < n; i++) {
        hash = (hash ^ (uint32_t)items[i]) * 1099511628211u;
        hash ^= hash >> 29;
    }
    return hash;
}

void sets_clear(Sets *sets) {
    sets->n = 0;
    sets->n_items = 0;
    if (sets->from) sets->from[0] = 0;
    if (sets->table) memset(sets->table, 0xff, sets->n_table * sizeof *sets->table);
}

void sets_free(Sets *sets) {
    free(sets->items);
    free(sets->from);
    free(sets->table);
}

int sets_start(Sets *sets) {
    *sets = (Sets){.room_items = 1024, .room = 256, .n_table = 1024};
    sets->items = malloc(sets->room_items * sizeof *sets->items);
    sets->from = malloc((sets->room + 1) * sizeof *sets->from);
    sets->table = malloc(sets->n_table * sizeof *sets->table);
    if (!sets->items || !sets->from || !sets->table) return -1;
    sets_clear(sets);
    return 0;
}

static uint32_t sets_slot(const Sets *sets, const int32_t *items, size_t n) {
    uint32_t slot = (uint32_t)mixed(items, n) & (sets->n_table - 1);
    while (sets->table[slot] >= 0) {
        int32_t known = sets->table[slot];
        if (sets_size(sets, known) == n && !memcmp(sets->items + sets->from[known], items, n * sizeof *items)) break;
        slot = (slot + 1) & (sets->n_table - 1);
    }
    return slot;
}

static int sets_grow(Sets *sets, size_t n) {
    if (sets->n_items + n > sets->room_items) {
        size_t room = 2 * (sets->n_items + n);
        int32_t *items = realloc(sets->items, room * sizeof *items);
        if (!items) return -1;
        sets->items = items;
        sets->room_items = room;
    }
    if (sets->n == sets->room) {
        size_t *from = realloc(sets->from, (2 * (size_t)sets->room + 1) * sizeof *from);
        if (!from) return -1;
        sets->from = from;
        sets->room *= 2;
    }
    if (2 * (uint32_t)sets->n >= sets->n_table) {
        int32_t *table = realloc(sets->table, 2 * (size_t)sets->n_table * sizeof *table);
        if (!table) return -1;
        sets->table = table;
        sets->n_table *= 2;
        memset(table, 0xff, sets->n_table * sizeof *table);
        for (int32_t set = 0; set < sets->n; set++)
            table[sets_slot(sets, sets->items + sets->from[set], sets_size(sets, set))] = set;
    }
    return 0;
}

int32_t sets_number(Sets *sets, const int32_t *items, size_t n) {
    int32_t known = sets->table[sets_slot(sets, items, n)];
    if (known >= 0) return known;
    if (sets_grow(sets, n) < 0) return -1;
    sets->table[sets_slot(sets, items, n)] = sets->n;
    memcpy(sets->items + sets->n_items, items, n * sizeof *items);
    sets->n_items += n;
    sets->from[sets->n + 1] = sets->n_items;
    return sets->n++;
}
