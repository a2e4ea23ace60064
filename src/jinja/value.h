/* Values of templates: Python's, as far as Jinja has them.
 *
 * A value is 16 bytes, passed by value; what it points to lives in an arena and
 * goes with it. Strings are immutable UTF-8 (what is ill-formed becomes U+FFFD
 * where they are made); lists and dicts are shared and may be changed.
 *
 * Every byte of a string knows its *source*: 0 is the template (and whatever the program
 * itself adds: dates, bos_token), any other number a text of the conversation, as the caller
 * numbers them. All operations on strings keep the sources of the bytes they copy, so that
 * rendering can tell what a person or a model wrote from what the template says, wherever it
 * was copied. */
#ifndef SOTTO_JINJA_VALUE_H
#define SOTTO_JINJA_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jinja/arena.h"

enum { SOURCE_TEMPLATE = 0 };

enum value_kind {
	VALUE_UNDEFINED,
	VALUE_NONE,
	VALUE_BOOL,
	VALUE_INT,
	VALUE_FLOAT,
	VALUE_LONG, /* an int of the context that needs more than 64 bits: its digits, to be shown */
	VALUE_STRING,
	VALUE_LIST, /* and tuples, views of dicts, generators: see list_kind */
	VALUE_DICT,
	VALUE_RANGE,
	VALUE_OBJECT, /* macro, namespace, loop, method ...: see object.h */
};

struct jinja_string;
struct jinja_list;
struct jinja_dict;
struct jinja_range;
struct jinja_object;
struct jinja_undefined;

struct jinja_value {
	enum value_kind kind;
	union {
		bool boolean;
		int64_t integer;
		double number;
		const struct jinja_string *string;
		struct jinja_list *list;
		struct jinja_dict *dict;
		const struct jinja_range *range;
		struct jinja_object *object;
		const struct jinja_undefined *undefined; /* NULL: without a name */
	} u;
};

/* A stretch of a string; it begins where the one before ends. */
struct source_run {
	size_t end;
	uint32_t source;
};

struct string_tail;

struct jinja_string {
	/* A NUL follows, unless string_concat has put more bytes there for a
	 * longer string (only after 128 bytes or more); NULs may be within. */
	const char *data;
	size_t len;       /* bytes */
	size_t n_chars;   /* code points; == len for ASCII */
	/* Where its bytes came from: n_runs = 0 means all of them from `source`. */
	uint32_t source;
	size_t n_runs;
	const struct source_run *runs; /* neighbours differ; the last one ends at len */
	bool safe; /* of safe and escape: what + joins to it is escaped, as with Markup */
	struct string_tail *tail; /* text.c's: room after the bytes; NULL */
};

enum list_kind {
	LIST_LIST,
	LIST_TUPLE,
	LIST_KEYS, LIST_VALUES, LIST_ITEMS, /* dict views: copies of that moment */
	/* What Python gives as an iterator or generator: always true, without a
	 * length, gone through once (`next` counts). */
	LIST_ITERATOR,
};

struct jinja_list {
	struct jinja_value *items;
	size_t n, cap;
	size_t next;           /* LIST_ITERATOR: the first item not yet taken */
	enum list_kind kind;
};

/* Keys in the order in which they were put in; they are hashable values. */
struct dict_entry {
	struct jinja_value key, value;
	uint32_t hash;
};

struct jinja_dict {
	struct dict_entry *entries;
	size_t n, cap;
	uint32_t *slots; /* open addressing: index + 1 of an entry, 0 = free; n_slots a power of two */
	size_t n_slots;
};

struct jinja_range {
	int64_t start, stop, step;
	size_t n; /* of its numbers */
};

/* Why something is undefined, for the error when it is used. */
struct jinja_undefined {
	const struct jinja_string *name; /* of the variable, attribute or item looked for */
	struct jinja_value owner;        /* of the attribute; VALUE_UNDEFINED for a variable */
	bool is_item;              /* owner[name] with a name that is no string: shown by repr */
	struct jinja_value item;
	const char *hint;          /* a whole message instead; NULL */
};

/* ---- constructors (value.c) ---- without memory: an undefined value, and
 * arena->status says it. */
struct jinja_value value_none(void);
struct jinja_value value_bool(bool b);
struct jinja_value value_int(int64_t i);
struct jinja_value value_float(double f);
/* Decimal digits, behind a minus or not, of an int beyond 64 bits. */
struct jinja_value value_long(struct arena *arena, const char *digits, size_t len);
/* Copies; repairs UTF-8. */
struct jinja_value value_text(struct arena *arena, const char *text, size_t len, uint32_t source);
struct jinja_value value_from_string(const struct jinja_string *string);
struct jinja_value value_list(struct arena *arena, enum list_kind kind);
bool list_push(struct arena *arena, struct jinja_list *list, struct jinja_value item);
void list_reverse(struct jinja_list *list); /* in place */
/* How many numbers range(start, stop, step) has, and the one at an index; step is not 0. */
size_t range_length(int64_t start, int64_t stop, int64_t step);
int64_t range_at(const struct jinja_range *range, size_t index);
struct jinja_value value_range(struct arena *arena, int64_t start, int64_t stop, int64_t step);

bool value_truth(struct jinja_value value);

/* Python's name of the type: "str", "dict_items", "Namespace" ... */
const char *value_type_name(struct jinja_value value);

/* ---- dict.c ---- */
struct jinja_value value_dict(struct arena *arena);
/* Replaces the value of an equal key in place. `key` must be hashable
 * (value_hash). */
bool dict_put(struct arena *arena, struct jinja_dict *dict, struct jinja_value key,
              struct jinja_value item);
/* With a key of template text. */
bool dict_put_text(struct arena *arena, struct jinja_dict *dict, const char *key,
                   struct jinja_value item);
struct jinja_value *dict_find(const struct jinja_dict *dict,
                              struct jinja_value key); /* NULL; borrowed till changed */

/* Equal values have equal hashes (1 == 1.0 == True). False: not hashable
 * (lists, dicts, and tuples that hold one). */
bool value_hash(struct jinja_value value, uint32_t *hash);

/* As `==`, which compares contents and never fails. Depth is bounded: what is
 * nested deeper than LIMIT_JINJA_NESTING is not equal. */
bool value_equal(struct jinja_value a, struct jinja_value b);
/* The same within so many steps, which are taken off: at 0 the answer is false. As `items`, as keys
 * of dicts and items of lists are compared, also true for one and the same NaN. */
bool value_equal_within(struct jinja_value a, struct jinja_value b, bool items, uint64_t *steps);
/* -1, 0, 1 for two numbers, exactly (2^53 + 1 > 2.0^53). */
enum { NUMBERS_UNORDERED = 2 }; /* one is NaN */
int value_number_order(struct jinja_value a, struct jinja_value b);

/* ---- kinds ---- */
static inline bool value_is_undefined(struct jinja_value value)
{
	return value.kind == VALUE_UNDEFINED;
}
/* What has items by number, and + and *; views and iterators have not. */
static inline bool list_is_tuple(const struct jinja_list *list)
{
	return list->kind == LIST_TUPLE;
}
static inline bool list_is_sequence(const struct jinja_list *list)
{
	return list->kind == LIST_LIST || list_is_tuple(list);
}
static inline bool value_is_sequence(struct jinja_value value)
{
	return value.kind == VALUE_LIST && list_is_sequence(value.u.list);
}
static inline bool value_is_number(struct jinja_value value) /* bool is one in Python */
{
	return value.kind == VALUE_BOOL || value.kind == VALUE_INT || value.kind == VALUE_FLOAT;
}
static inline bool value_is_int(struct jinja_value value)
{
	return value.kind == VALUE_BOOL || value.kind == VALUE_INT;
}
static inline int64_t value_as_int(struct jinja_value value)
{
	return value.kind == VALUE_BOOL ? value.u.boolean : value.u.integer;
}

#endif
