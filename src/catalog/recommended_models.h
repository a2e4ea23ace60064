/* Models to suggest to users who have none: published files and what they need.
 * Only models that this version can run, and only facts that were looked up. */
#ifndef SOTTO_CATALOG_RECOMMENDED_MODELS_H
#define SOTTO_CATALOG_RECOMMENDED_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct recommended_model {
	const char *name;
	const char *architecture;  /* a row of model/family.h */
	const char *repository;    /* on huggingface.co */
	const char *file;
	const char *licence;
	uint32_t file_mb;          /* size of the file; MB are millions of bytes */
	uint32_t cache_kib;        /* KV cache for each token, in f16 */
	uint32_t states_mib;       /* recurrent states */
	uint32_t in_file_mb;       /* the part of the file that is looked up there, not loaded */
	uint32_t token_mb;         /* the part that a token reads, if it has experts; 0: all that is loaded */
	const char *purpose;       /* a special purpose: listed but not recommended; NULL: none */
};

/* In order of the memory they need. */
extern const struct recommended_model recommended[];
extern const size_t n_recommended;

/* Tokens a second that a recommended model must reach: about as fast as people read, four words
 * or so. */
extern const double recommended_least_speed;

/* Bytes of memory for a context of 8192 tokens, with a little to spare. */
uint64_t recommended_memory(const struct recommended_model *model);
/* Estimated tokens a second; 0 if `weight_rate` (catalog/speed.h) is 0, unknown. */
double recommended_speed(const struct recommended_model *model, double weight_rate);
/* Size in bytes of the largest file that is fast enough. */
uint64_t recommended_most_bytes(double weight_rate);
/* Whether it fits in `available` bytes; 0: unknown, and only small ones do. */
bool recommended_fits(const struct recommended_model *model, uint64_t available);
/* The largest that fits and is fast enough; if there is none, the smallest, which is also the
 * fastest. An unknown machine (0) counts as an average one. */
const struct recommended_model *recommended_choose(uint64_t available, double weight_rate);

/* "Qwen3.5 4B (2.74 GB, about 9 tokens a second here)"; the speed only if weight_rate is known. */
void recommended_put_short(const struct recommended_model *model, double weight_rate, struct buf *out);
/* What `sotto pull` fetches it by: "unsloth/Qwen3.5-4B-GGUF:Q4_K_M". Its file's name ends with the type. */
void recommended_pull_name(const struct recommended_model *model, struct buf *out);

/* "an 8B model in Q4_K_M": by its name, and its file's, which ends with "-Q4_K_M.gguf". */
void recommended_words(const struct recommended_model *model, char *out, size_t size);

#endif
