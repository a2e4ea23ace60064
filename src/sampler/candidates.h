/* The tokens that may still be chosen, and the operations that the
 * filters are made of. No function here allocates, and none sorts more than
 * what it is asked for: a vocabulary may have 256k tokens, of which a few
 * dozen matter. */
#ifndef SOTTO_SAMPLER_CANDIDATES_H
#define SOTTO_SAMPLER_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct candidate {
	int32_t id;
	float logit; /* after penalties; finite */
	double p;    /* of the last softmax */
	double key;  /* candidates_take sorts by it */
};

/* Of falling logits, ties by rising id. */
static inline bool candidate_is_better(const struct candidate *a, const struct candidate *b)
{
	return a->logit > b->logit || (a->logit == b->logit && a->id < b->id);
}

struct candidates {
	struct candidate *items; /* borrowed: the first n are in, the others are out */
	size_t n;
	bool sorted; /* by falling logit, ties by rising id */
};

/* Copies n logits. NaN becomes -inf, which marks an impossible token; others are
 * limited to +-1e30, so that no sum or quotient overflows. */
void candidates_clean(float *out, const float *logits, size_t n);

/* All possible ones of n clean logits, in the order of ids. */
void candidates_load(struct candidates *c, struct candidate *items, const float *logits, size_t n);

/* The k > 0 best of them, sorted: by falling logit, ties by rising id. One pass;
 * `items` has room for k, or n if that is less. */
void candidates_load_best(struct candidates *c, struct candidate *items, const float *logits,
                          size_t n, size_t k);

/* p = softmax of logit / temp over the first n (temp > 0), summed in their order. */
void candidates_softmax(struct candidates *c, double temp);

/* After a softmax: every key becomes the surprise, -ln p; returns the entropy, the surprise
 * expected, in nats. */
double candidates_entropy(struct candidates *c);

/* After a softmax: the index of one by their p; r is 0 <= r < 1. n > 0. */
size_t candidates_draw(const struct candidates *c, double r);

/* The index of the best: highest logit, lowest id among equals. n > 0. */
size_t candidates_best(const struct candidates *c);

/* Sorts by rising key, ties by rising id, and keeps the first: at least one, and more
 * while their p add up to less than `mass` (`past`: to no more than that). Only what
 * is kept is really sorted, and a little more. */
void candidates_take(struct candidates *c, double mass, bool past);

/* Keeps the k > 0 best, sorted as by candidates_load_best. */
void candidates_keep_best(struct candidates *c, size_t k);

/* Keeps those of a logit of at least `least`, in their order. */
void candidates_keep_from(struct candidates *c, double least);

#endif
