/* Handcrafted defective model files, each with the error it must meet.
 *
 * A group builds file after file in `file` and says of each what must happen.
 * Files are opened from a block of exactly their size. */
#ifndef SOTTO_TESTS_DEFECTS_H
#define SOTTO_TESTS_DEFECTS_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "hostile/pipeline.h"
#include "support/tiny_model.h"

struct defects {
	struct buf file; /* the one being built */
	size_t n;        /* defects met so far */
	size_t n_failed;
};

/* The file must be refused at this stage, not before, with this status and a
 * text that contains `text`. The rest names the defect for the report. */
void defects_expect(struct defects *defects, enum stage stage, enum status status, const char *text,
                    const char *name, ...) PRINTF_LIKE(5, 6);
/* The file must pass the stage and those before it: the other side of a limit. */
void defects_expect_good(struct defects *defects, enum stage stage, const char *name, ...)
	PRINTF_LIKE(3, 4);

/* What the value of a key must be. */
enum shape { INTEGER, PER_LAYER, FLOAT, BOOL, STRING, STRINGS, FLOATS, INTS };
/* wrong_types.c: the smallest model is refused at this stage for a key of every other type, and says so. */
void defects_wrong_types(struct defects *defects, enum stage stage, enum tiny_vocab vocab, const char *key,
                         enum shape shape);

/* The groups. */
void defects_header(struct defects *defects);
void defects_metadata(struct defects *defects);
void defects_tensors(struct defects *defects);
void defects_vocab(struct defects *defects);
void defects_model(struct defects *defects);

#endif
