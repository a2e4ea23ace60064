/* Which tensor gets which block type.
 *
 * A recipe is what a user names: most tensors get its own type, a few that
 * matter more get a better one. Names, rules and the numbers in
 * general.file_type are llama.cpp's (src/llama-quant.cpp, August 2026), so
 * that a name means the same file everywhere; its exceptions for Falcon are
 * left out. */
#ifndef SOTTO_QUANTIZE_RECIPE_H
#define SOTTO_QUANTIZE_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gguf/reader.h"

struct recipe {
	const char *name;     /* "Q4_K_M" */
	const char *alias;    /* NULL for none */
	enum block_type type; /* of most tensors */
	uint32_t file_type;   /* general.file_type */
	const char *help;     /* one line, lower case, no final dot */
	bool plain;           /* the bytes that llama.cpp writes, without a search: encoder_find_plain */
};

extern const struct recipe recipes[];
extern const size_t n_recipes;

/* By name or alias, ignoring case; NULL if there is none. */
const struct recipe *recipe_find(const char *name);
/* "did you mean ..."; NULL. */
const char *recipe_nearest(const char *name);

/* Fills types[gguf_n_tensors]: a kept tensor has its own type. `pure`: the recipe's own type
 * for all that are quantised. *n_fallbacks counts tensors that got another type because their
 * rows are not whole blocks. */
enum status recipe_plan(const struct recipe *recipe, bool pure, const struct gguf *gguf,
                         uint32_t *types, size_t *n_fallbacks, struct error *err) MUST_CHECK;

#endif
