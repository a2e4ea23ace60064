/* Which tensor gets which block type.
 *
 * A recipe is a name that a user gives, as Q4_K_M: most tensors get the recipe's own block type,
 * a few tensors that matter more get a better type. Names, rules and the numbers in
 * general.file_type are llama.cpp's (src/llama-quant.cpp, August 2026), so that a name means the
 * same types everywhere; llama.cpp's exceptions for Falcon are left out. */
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
	bool plain;           /* encode with encoder_find_plain: the bytes that llama.cpp writes */
};

extern const struct recipe recipes[];
extern const size_t n_recipes;

/* By name or alias, ignoring case; NULL if there is none. */
const struct recipe *recipe_find(const char *name);
/* The recipe's name that is most like `name`, for "did you mean ..."; NULL if none is. */
const char *recipe_nearest(const char *name);

/* Fills types[gguf_n_tensors], in the order of the file. A tensor that is never quantised keeps its
 * type. `pure`: all others get the recipe's own type. *n_fallbacks counts tensors that got another
 * type because their rows are not whole blocks of the right one. */
enum status recipe_plan(const struct recipe *recipe, bool pure, const struct gguf *gguf,
                         uint32_t *types, size_t *n_fallbacks, struct error *err) MUST_CHECK;

#endif
