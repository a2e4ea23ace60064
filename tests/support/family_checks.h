/* What has to hold for a model of any family: its logits are those recorded, and nothing depends
 * on how the tokens are given. */
#ifndef SOTTO_TESTS_FAMILY_CHECKS_H
#define SOTTO_TESTS_FAMILY_CHECKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/model.h"
#include "support/family_model.h"
#include "support/family_references.h"

/* Made in memory and opened. */
struct family_opened {
	struct buf file;
	struct model *model;
};
void family_open(struct family_opened *opened, const struct family_model *made,
                 enum packing packing);
void family_close(struct family_opened *opened);

/* The bits of these tokens' logits: other batches, no cache, more threads, after going back to
 * each position. NULL where they are the same, else what made them others. */
const char *family_check_bits(const struct model *model, const int32_t *ids, size_t n,
                              const float *expected);

/* Gemma 2 whose soft caps are so low that they count: NULL where they do as they should. `plant`
 * changes the model first; may be NULL. */
const char *family_check_caps(void (*plant)(struct model *model));

/* How far logits may be from those recorded: the other program's GELU is a table of halves. */
float family_reference_tolerance(const struct family_reference *reference);

#endif
