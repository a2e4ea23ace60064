/* A seeded mutator of model files that knows where their fields are: the same
 * number makes the same file on every machine. */
#ifndef SOTTO_TESTS_MUTATE_H
#define SOTTO_TESTS_MUTATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "support/random.h"

struct field {
	size_t at;
	size_t size;  /* bytes: 1, 2, 4 or 8; otherwise text */
	int is_value; /* whatever stands here, the file keeps its structure */
};

/* Where the fields of a *valid* file are: counts, lengths, types, values,
 * dimensions, offsets, texts. */
struct fields {
	struct field *items; /* owned */
	size_t n, cap;
};

/* Returns 0, or -1 without memory. */
int fields_find(struct fields *fields, const struct buf *file);
void fields_free(struct fields *fields);

/* Changes `file`, a copy of the one that the fields are of, in 1 to 4 places;
 * half of the time only values, so that the file gets past the reader. */
void mutate(struct buf *file, const struct fields *fields, struct test_random *random);

#endif
