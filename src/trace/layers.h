/* How large the residual stream is behind each layer: where it grows without bound, or does not grow at all, a
 * layer is wrong. */
#ifndef SOTTO_TRACE_LAYERS_H
#define SOTTO_TRACE_LAYERS_H

#include <stddef.h>

#include "base/error.h"
#include "model/probe.h"

/* Over all positions and elements. */
struct layer_figures {
	double rms, mean;
	double largest;      /* by magnitude, with its sign; NaN if there is one */
	size_t pos, element; /* where it is */
	double growth;       /* rms divided by that before the layer; of the first: by that of the embeddings */
};

struct layer_sum {
	double sum, square, largest;
	size_t n, pos, element;
};
struct layers_trace {
	size_t n_layer;
	struct layer_sum *sums; /* owned, [n_layer + 2]: the embeddings, each layer, the final norm */
};

/* layers_trace_free in every case. A position that is evaluated twice counts twice. */
enum status layers_trace_init(struct layers_trace *trace, size_t n_layer, struct error *err) MUST_CHECK;
void layers_trace_free(struct layers_trace *trace);
/* Takes what a probe sees; other places than the stream's are nothing to it. */
void layers_see(struct layers_trace *trace, const struct probed *seen);
/* layer = n_layer: behind the final norm, which has no growth (0). */
struct layer_figures layers_figures(const struct layers_trace *trace, size_t layer);

#endif
