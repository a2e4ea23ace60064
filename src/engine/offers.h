/* Models to propose to who has none: published files, each with what it takes.
 * Only what this version can run, and only facts that were looked up. */
#ifndef SOTTO_ENGINE_OFFERS_H
#define SOTTO_ENGINE_OFFERS_H

#include <stddef.h>
#include <stdint.h>

struct offer {
	const char *name;
	const char *architecture;  /* a row of model/arch.c */
	const char *repository;    /* on huggingface.co */
	const char *file;
	const char *licence;
	uint32_t file_mb;          /* millions of bytes */
	uint32_t cache_kib;        /* of KV cache a token, in f16 */
};

/* From the smallest to the largest. */
extern const struct offer offers[];
extern const size_t offers_n;

/* Bytes with a context of 8192 tokens, with a little for everything else. */
uint64_t offer_memory(const struct offer *offer);
/* The largest that fits, the smallest where none does; a small one when
 * nothing is known (0). */
const struct offer *offer_choose(uint64_t available);

#endif
