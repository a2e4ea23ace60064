/* One forward pass: a micro-batch of tokens through all layers. */
#ifndef SOTTO_MODEL_FORWARD_H
#define SOTTO_MODEL_FORWARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/cache.h"
#include "model/model.h"
#include "model/probe.h"
#include "model/ropes.h"
#include "model/scratch.h"

struct compute;

/* Called after every layer with the residual stream x[n][n_embd], and once more after the
 * final norm, layer = n_layer then. Unless all_tokens is set, x has only the n_logits last
 * tokens from the last layer on that stores keys, values or a state; without any, the pass
 * ends there. False = stop. */
typedef bool (*forward_layer_done)(void *ctx, size_t layer, const float *x, size_t n);

struct forward {
	const struct model *model;
	const struct compute *compute;
	const struct ropes *ropes;
	struct cache *cache;     /* holds positions 0 .. pos - 1; gets pos .. pos + n - 1;
	                          * the caller commits its states when all is done */
	struct scratch *scratch;

	const int32_t *tokens; /* each in 0 .. n_vocab - 1 */
	size_t n;              /* <= scratch->n_batch */
	size_t pos;            /* of the first token */

	size_t n_logits; /* the last n_logits tokens get their logits */
	float *logits;   /* [n_logits][n_vocab] */

	/* layer_done and probe get every token after the last layers, too; otherwise these skip what no
	 * logits depend on. */
	bool all_tokens;
	const struct probe *probe; /* NULL: none; needs all_tokens */
	forward_layer_done layer_done; /* NULL: none */
	void *ctx;
};

/* STATUS_OK, or STATUS_CANCELLED when layer_done said stop. */
enum status forward(const struct forward *f) MUST_CHECK;

#endif
