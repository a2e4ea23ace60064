/* What a head looks at: the weights of its softmax, from the queries and keys of a pass, in double. Keys are taken
 * before they are rounded to the cache's type. */
#ifndef SOTTO_TRACE_ATTENTION_H
#define SOTTO_TRACE_ATTENTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "trace/recorder.h"

struct model;

enum { ATTENTION_TRACE_MAX = 2048 }; /* positions */

struct attention_trace {
	size_t layer, head;
	size_t kv_layer, kv_head; /* whose keys and values it uses */
	size_t window;            /* as of struct layer_plan */
	bool by_chunks;
	size_t n;                 /* positions */
	double *weights;          /* owned: row q, of q + 1 weights, begins at attention_row */
	double *sink;             /* owned, [n]: what goes to no position (attention sinks); NULL: the head has none */
};

/* The records that attention_make needs: of that layer, all heads. */
void attention_want(struct recorder *recorder, const struct model *model, size_t layer);
/* STATUS_USAGE: there is no such layer or head, or the layer has no attention; the text says what there is. */
enum status attention_check(const struct model *model, size_t layer, size_t head, struct error *err) MUST_CHECK;
/* After the evaluation of n <= ATTENTION_TRACE_MAX tokens; attention_check has passed. attention_free in every case. */
enum status attention_make(struct attention_trace *out, const struct model *model, const struct recorder *recorder,
                           size_t layer, size_t head, struct error *err) MUST_CHECK;
void attention_free(struct attention_trace *trace);

/* The weights of query q for positions 0 .. q; 0 where it sees nothing. */
const double *attention_row(const struct attention_trace *trace, size_t q);
/* The first position that query q sees. */
size_t attention_first(const struct attention_trace *trace, size_t q);

#endif
