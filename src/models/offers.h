/* Models to propose to who has none: published files, each with what it takes.
 * Only what this version can run, and only facts that were looked up. */
#ifndef SOTTO_MODELS_OFFERS_H
#define SOTTO_MODELS_OFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct offer {
	const char *name;
	const char *architecture;  /* a row of model/family.c */
	const char *repository;    /* on huggingface.co */
	const char *file;
	const char *licence;
	uint32_t file_mb;          /* millions of bytes */
	uint32_t cache_kib;        /* of KV cache a token, in f16 */
	uint32_t states_mib;       /* of recurrent states, once */
	uint32_t in_file_mb;       /* of the file, what is looked up there and not loaded */
	uint32_t token_mb;         /* of the file, what a token reads, with experts; 0: all that is loaded */
	const char *purpose;       /* what it is for: listed, not chosen; NULL: for anyone */
};

/* By the memory that they take. */
extern const struct offer offers[];
extern const size_t offers_n;

/* Tokens a second that a model is to reach: as fast as people read, four words or so. One
 * that makes them wait for every line is no advice, however clever it is. */
extern const double offer_least_speed;

/* Bytes with a context of 8192 tokens, with a little for everything else. */
uint64_t offer_memory(const struct offer *offer);
/* Tokens a second as estimated; 0: unknown, as `weight_rate` (models/speed.h) is then. */
double offer_speed(const struct offer *offer, double weight_rate);
/* Bytes of the largest file that is fast enough. */
uint64_t offer_most_bytes(double weight_rate);
/* Whether it fits beside what else runs; 0: unknown, where small ones do. */
bool offer_fits(const struct offer *offer, uint64_t available);
/* The largest that fits and is fast enough, the smallest, which is the fastest, where none
 * is. An unknown machine (0) is taken for a usual one. */
const struct offer *offer_choose(uint64_t available, double weight_rate);

#endif
