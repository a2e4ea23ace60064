#include "jinja/symbols.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { MAP_MIN = 64 };

struct name_entry {
	const void *owner;
	const struct string *name;
	void *note;
};

void symbol_table_init(struct symbol_table *table)
{
	*table = (struct symbol_table){.failed = false};
	arena_init(&table->arena, SIZE_MAX / 2);
}

void symbol_table_deinit(struct symbol_table *table)
{
	arena_free(&table->arena);
	free(table->map.entries);
	free(table->undo.items);
	free(table->merge.items);
}

/* ---- notes about names ---- */

static size_t mix(const void *owner, const struct string *name)
{
	uint64_t h = (uint64_t)(uintptr_t)owner * 0x9E3779B97F4A7C15u;

	h = (h ^ (uint64_t)(uintptr_t)name) * 0xD6E8FEB86659FD93u;
	return (size_t)(h ^ h >> 32);
}

/* The entry of that name, or the free one where it belongs. */
static struct name_entry *map_slot(const struct name_map *map, const void *owner,
                                   const struct string *name)
{
	size_t at = mix(owner, name) & (map->cap - 1);

	while (map->entries[at].name &&
	       (map->entries[at].name != name || map->entries[at].owner != owner))
		at = (at + 1) & (map->cap - 1);
	return &map->entries[at];
}

static bool map_reserve(struct name_map *map)
{
	struct name_map grown = {.n = map->n, .cap = map->cap ? map->cap * 2 : MAP_MIN};

	if (map->cap && map->n < map->cap - map->cap / 4)
		return true;
	grown.entries = alloc_array(grown.cap, sizeof *grown.entries);
	if (!grown.entries)
		return false;
	for (size_t i = 0; i < map->cap; i++) {
		struct name_entry *entry = &map->entries[i];

		if (entry->name)
			*map_slot(&grown, entry->owner, entry->name) = *entry;
	}
	free(map->entries);
	*map = grown;
	return true;
}

void **symbol_note(struct symbol_table *table, const void *owner, const struct string *name)
{
	struct name_entry *entry;

	if (!map_reserve(&table->map)) {
		table->failed = true;
		return NULL;
	}
	entry = map_slot(&table->map, owner, name);
	if (!entry->name) {
		*entry = (struct name_entry){.owner = owner, .name = name};
		table->map.n++;
	}
	return &entry->note;
}

static struct symbol *find_own(const struct symbol_table *table, const struct symbols *symbols,
                               const struct string *name)
{
	const struct name_entry *entry;

	if (!table->map.cap)
		return NULL;
	entry = map_slot(&table->map, symbols, name);
	return entry->name ? entry->note : NULL;
}

/* ---- scopes ---- */

struct symbols *symbols_begin(struct symbol_table *table, struct symbols *parent,
                              struct function *function)
{
	struct symbols *symbols = arena_alloc(&table->arena, sizeof *symbols);

	if (!symbols) {
		table->failed = true;
		return NULL;
	}
	*symbols = (struct symbols){.parent = parent, .function = function};
	symbols->first_slot = function->top;
	symbols->end = &symbols->first;
	if (parent && parent->function != function)
		parent->function->captured = true;
	return symbols;
}

void symbols_end(struct symbols *symbols)
{
	symbols->function->top = symbols->first_slot;
}

uint32_t symbols_new_slot(struct symbols *symbols)
{
	struct function *function = symbols->function;
	uint32_t slot = function->top++;

	if (function->n_slots < function->top)
		function->n_slots = function->top;
	return slot;
}

static struct symbol *own(struct symbol_table *table, struct symbols *symbols,
                          const struct string *name)
{
	void **note = symbol_note(table, symbols, name);
	struct symbol *symbol = note ? *note : NULL;

	if (symbol)
		return symbol;
	symbol = note ? arena_alloc(&table->arena, sizeof *symbol) : NULL;
	if (!symbol) {
		table->failed = true;
		return &table->spare;
	}
	*symbol = (struct symbol){.name = name, .slot = symbols_new_slot(symbols)};
	*symbols->end = symbol;
	symbols->end = &symbol->next;
	*note = symbol;
	return symbol;
}

bool symbols_find(struct symbol_table *table, struct symbols *symbols, const struct string *name,
                  struct variable *out)
{
	uint32_t up = 0;

	for (; symbols; symbols = symbols->parent) {
		const struct symbol *symbol = find_own(table, symbols, name);

		if (symbol && symbol->load != LOAD_NONE) {
			*out = (struct variable){.up = up, .slot = symbol->slot};
			return true;
		}
		if (symbols->parent && symbols->parent->function != symbols->function)
			up++;
	}
	return false;
}

/* ---- what happens to a name ---- */

static void push(struct symbol_table *table, struct changes *changes, const struct symbol *symbol)
{
	if (!alloc_grow(&changes->items, &changes->cap, changes->n + 1, sizeof *changes->items,
	                SIZE_MAX / sizeof *changes->items)) {
		table->failed = true;
		return;
	}
	changes->items[changes->n++] = (struct change){
		.symbol = (struct symbol *)symbol,
		.outer = symbol->outer,
		.load = symbol->load,
		.stored = symbol->stored,
	};
}

/* What is changed in a branch can be taken back. */
static void touch(struct symbol_table *table, struct symbol *symbol)
{
	if (table->branches)
		push(table, &table->undo, symbol);
}

void symbols_load(struct symbol_table *table, struct symbols *symbols, const struct string *name)
{
	struct variable variable;
	struct symbol *symbol;

	if (symbols_find(table, symbols, name, &variable))
		return;
	symbol = own(table, symbols, name);
	touch(table, symbol);
	symbol->load = LOAD_WORLD;
}

/* As the variable of that name around; else as `none`. Up is counted from the
 * scope, not from its parent. */
static void load_outer(struct symbol_table *table, struct symbols *symbols, struct symbol *symbol,
                       enum load_kind none)
{
	struct symbols *parent = symbols->parent;

	symbol->load = none;
	if (parent && symbols_find(table, parent, symbol->name, &symbol->outer)) {
		symbol->load = LOAD_OUTER;
		symbol->outer.up += parent->function != symbols->function;
	}
}

void symbols_store(struct symbol_table *table, struct symbols *symbols, const struct string *name)
{
	struct symbol *symbol = own(table, symbols, name);

	touch(table, symbol);
	symbol->stored = true;
	if (symbol->load == LOAD_NONE)
		load_outer(table, symbols, symbol, LOAD_UNDEFINED);
}

uint32_t symbols_declare(struct symbol_table *table, struct symbols *symbols,
                         const struct string *name)
{
	struct symbol *symbol = own(table, symbols, name);

	touch(table, symbol);
	symbol->stored = true;
	symbol->load = LOAD_PARAM;
	return symbol->slot;
}

/* ---- branches ---- */

size_t branch_begin(struct symbol_table *table)
{
	table->branches++;
	return table->undo.n;
}

/* Takes back what the branch has done, and keeps it for the merge. */
void branch_end(struct symbol_table *table, size_t begin)
{
	unsigned seen = ++table->last_seen;

	while (table->undo.n > begin) {
		struct change *before = &table->undo.items[--table->undo.n];
		struct symbol *symbol = before->symbol;

		if (symbol->seen != seen)
			push(table, &table->merge, symbol);
		symbol->seen = seen;
		symbol->load = before->load;
		symbol->stored = before->stored;
		symbol->outer = before->outer;
	}
	table->branches--;
}

size_t branches_mark(const struct symbol_table *table)
{
	return table->merge.n;
}

void branches_merge(struct symbol_table *table, struct symbols *symbols, size_t mark)
{
	struct changes *merge = &table->merge;

	for (size_t i = mark; i < merge->n; i++)
		merge->items[i].symbol->branches = 0;
	for (size_t i = mark; i < merge->n; i++) {
		const struct change *after = &merge->items[i];

		if (after->stored && !after->symbol->stored)
			after->symbol->branches++;
	}
	for (size_t i = mark; i < merge->n; i++) {
		const struct change *after = &merge->items[i];
		struct symbol *symbol = after->symbol;

		touch(table, symbol);
		symbol->load = after->load;
		symbol->outer = after->outer;
		symbol->stored = symbol->stored || after->stored;
	}
	for (size_t i = mark; i < merge->n; i++) {
		struct symbol *symbol = merge->items[i].symbol;

		if (symbol->branches && symbol->branches < BRANCHES)
			load_outer(table, symbols, symbol, LOAD_WORLD);
	}
	merge->n = mark;
}
