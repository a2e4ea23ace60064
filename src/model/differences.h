/* Keys of models that llama.cpp ignores, or takes otherwise than sotto does. Programs that write files put
 * in what they know, and some of it is not read by llama.cpp for that architecture. What counts is what the
 * model's own code (transformers') does; the table in differences.c has that, a row a decision. keys.c reads
 * keys as it says: one that is not followed is as if it were not there. Private to this folder. */
#ifndef SOTTO_MODEL_DIFFERENCES_H
#define SOTTO_MODEL_DIFFERENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gguf/reader.h"

enum difference_kind {
	DIFFERENCE_FOLLOWED,     /* llama.cpp ignores it */
	DIFFERENCE_NOT_FOLLOWED, /* by neither */
	DIFFERENCE_OTHERWISE,    /* followed by both, with other results; noted where it is read */
};

struct difference {
	const char *architectures; /* "": all others */
	const char *field;
	enum difference_kind kind;
	const char *why;
	const char *but;    /* architectures excepted, for which both follow it; NULL: none */
	bool of_arrays;     /* only as an array, one item a layer */
	bool by_context;    /* a value from the trained context on says nothing */
	bool zero_counts;   /* 0 says something: it is not "none" */
};

/* The row for a key; NULL: none. */
const struct difference *difference_find(const char *arch, const char *field, bool is_array);
/* Its bit in the plan's `differences`. */
uint64_t difference_bit(const struct difference *difference);

/* Says "This file has llama.attention.scale = 0.1, which ..." for each of the plan's bits. */
void differences_tell(uint64_t bits, const struct gguf *gguf, const char *arch,
                      void (*say)(void *ctx, const char *text), void *ctx);

#endif
