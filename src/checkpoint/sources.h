/* The tensors of a checkpoint that a family may take, with their names in the GGUF file. */
#ifndef SOTTO_CHECKPOINT_SOURCES_H
#define SOTTO_CHECKPOINT_SOURCES_H

#include "checkpoint/conversion.h"
#include "model/names.h"

struct source {
	const struct safetensor *tensor;
	char *name;            /* the checkpoint's, without what a vision model puts before it */
	struct tensor_name to; /* the GGUF file's */
};

struct sources {
	struct source *items;  /* in the reference's order: by file, then by name */
	size_t n, cap;
	struct source **by_name; /* sorted */
};

/* Leaves out what belongs to pictures and sounds, scales, and what computes nothing. False: a name that the family does
 * not know, or no memory. */
bool sources_collect(struct sources *sources, struct conversion *c);
void sources_free(struct sources *sources);
const struct source *sources_find(const struct sources *sources, const char *name); /* NULL: none */

#endif
