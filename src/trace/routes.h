/* Where tokens went in a layer with experts: which were chosen, with what weights, and how sure the router was. */
#ifndef SOTTO_TRACE_ROUTES_H
#define SOTTO_TRACE_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/recorder.h"

struct model;

struct routes_trace {
	size_t layer, n, n_used, n_experts; /* n tokens, each of which has n_used of the experts */
	/* Borrowed from the recorder. */
	const float *chosen;  /* [n][n_used], best first */
	const float *weights; /* [n][n_used]: of their outputs, as the model applies them */
	const float *logits;  /* [n][n_experts]: of the router */
};

bool routes_has(const struct model *model, size_t layer); /* whether the layer has experts */
void routes_want(struct recorder *recorder, size_t layer);
/* After the evaluation, for a layer that has experts. */
enum status routes_make(struct routes_trace *out, const struct model *model, const struct recorder *recorder,
                        size_t layer, struct error *err) MUST_CHECK;

size_t routes_chosen(const struct routes_trace *trace, size_t token, size_t rank);
/* How sure the router was of a token: the entropy of the softmax of its logits, in bits, 0 (one expert) to
 * log2 of the experts (any). */
double routes_entropy(const struct routes_trace *trace, size_t token);
/* The most tokens that went to one expert of the layer, which one that is, and how many experts had any. */
struct routes_load {
	size_t busiest, n_busiest, n_with_tokens;
};
struct routes_load routes_load_of(const struct routes_trace *trace);

#endif
