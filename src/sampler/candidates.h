/* The tokens that are still in the running, and the operations that the
 * filters are made of. No function here allocates. */
#ifndef SOTTO_SAMPLER_CANDIDATES_H
#define SOTTO_SAMPLER_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct candidate {
	int32_t id;
	float logit; /* after penalties; -inf = impossible, never NaN or +inf */
	double p;    /* of the last softmax */
	double key;  /* what typical sampling sorts by */
};

struct candidates {
	struct candidate *items; /* borrowed: the first n are in, the others are out */
	size_t n;
	bool sorted; /* by falling logit, ties by rising id */
};

/* One candidate a logit, in the order of ids. NaN becomes -inf; what is beyond
 * +-1e30 becomes that, so that no sum or quotient overflows. */
void candidates_load(struct candidates *c, struct candidate *items, const float *logits, size_t n);

/* Moves the impossible ones out; the order of the others stays. */
void candidates_drop_impossible(struct candidates *c);

/* Moves the k best to the front, sorted, and tells by *c only if k >= n: the
 * others stay in. O(n log k), in place. */
void candidates_sort_best(struct candidates *c, size_t k);

/* p = softmax of logit / temp over the first n (temp > 0). */
void candidates_softmax(struct candidates *c, double temp);

/* The index of the best: highest logit, lowest id among equals. n > 0. */
size_t candidates_best(const struct candidates *c);

/* Sorts the first n by rising key, ties by rising id. */
void candidates_sort_key(struct candidates *c);

#endif
