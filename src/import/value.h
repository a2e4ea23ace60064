/* A JSON value as a whole. All values of a document live in one store, until it is cleared. */
#ifndef SOTTO_IMPORT_VALUE_H
#define SOTTO_IMPORT_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "base/json_reader.h"

struct value {
	enum json_kind kind;
	uint32_t len;               /* bytes of the text, or values in this one */
	const char *key;            /* in an object; otherwise "" */
	const char *text;           /* strings and numbers; NUL-terminated; otherwise "" */
	struct value *first, *last; /* of the values in it */
	struct value *next;         /* behind it, in what it is in */
};

struct values {
	struct values_chunk *chunks; /* owned */
	size_t n;
	size_t n_repeated; /* keys that an object has twice, and that were left out: lists are joined */
};

/* The rest of a value of which the first item has been read. Tells `job` (NULL: nobody) how far it is.
 * STATUS_LIMIT beyond LIMIT_IMPORT_VALUES, STATUS_CANCELLED, and as json_next. */
enum status values_load(struct values *values, struct json_reader *reader, const struct json_item *first,
                        struct job *job, const struct value **out, struct error *err) MUST_CHECK;
void values_free(struct values *values);

/* The member of the first of these names (separated by blanks) that is there and not null; NULL: none, or
 * no object. */
const struct value *member_get(const struct value *object, const char *names);
/* The same for one name of len bytes. */
const struct value *member_named(const struct value *object, const char *name, size_t len);
bool member_has(const struct value *object, const char *names); /* null counts, too */
/* Of the member, if it is a string that is not empty, or a number; otherwise NULL. */
const char *member_text(const struct value *object, const char *names);
bool json_is(const struct value *value, const char *text);
/* Of texts and numbers; objects and lists with anything in them are not compared. */
bool json_same(const struct value *a, const struct value *b);
bool json_is_list(const struct value *value);
bool json_is_true(const struct value *value);

/* date.c: when something was, in any of the forms that programs use, in milliseconds since the
 * epoch; 0: none. Numbers, in strings too, are seconds, milli-, micro- or nanoseconds, by their
 * size; texts are ISO 8601 or "April 26, 2024 6:06am" and its kin. Without a zone it is UTC. */
int64_t date_of(const struct value *value);

#endif
