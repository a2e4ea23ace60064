/* Where two models of one shape begin to differ: the residual stream behind each layer, and behind the final norm, of
 * one beside the other's. Belongs to the thread that has the sessions. */
#ifndef SOTTO_COMPARE_LAYERS_H
#define SOTTO_COMPARE_LAYERS_H

#include <stddef.h>

#include "base/error.h"
#include "compare/comparison.h"

struct session;

/* Sums over all tokens and elements of a layer. */
struct layer_sums {
	double squares[N_SIDES], products, differences; /* of differences: their squares */
	size_t n;
};

struct layers {
	size_t n_layer, n_embd;
	struct layer_sums *sums; /* owned, [n_layer + 1]: the last is the final norm */
	size_t n_held;           /* the most tokens that are evaluated in one go (compare_run.n_at_once) */
	float *held;             /* owned, [n_layer + 1][n_held][n_embd]: the reference's */
	size_t *n[N_SIDES];      /* owned, [n_layer + 1]: rows that were seen of each since both began */
};

/* From now on evaluations of both are watched; the reference must be evaluated first, and then the judged one over the
 * same tokens, `n_held` at most. It stays where it is. STATUS_NOMEM. layers_free in every case, after the sessions. */
enum status layers_begin(struct layers *layers, size_t n_layer, size_t n_embd, size_t n_held, struct session *judged,
                         struct session *reference, struct error *err) MUST_CHECK;
void layers_free(struct layers *layers);

/* Root mean squares. */
double layers_rms(const struct layers *layers, size_t layer, enum compared_side side);
/* The difference's root mean square, as a share of the reference's. */
double layers_difference(const struct layers *layers, size_t layer);
/* 1: the same direction. */
double layers_cosine(const struct layers *layers, size_t layer);

#endif
