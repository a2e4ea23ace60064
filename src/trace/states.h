/* How large the states of recurrent layers are behind the last token: one that grows with the text, or stays at
 * nothing, is wrong. */
#ifndef SOTTO_TRACE_STATES_H
#define SOTTO_TRACE_STATES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "trace/recorder.h"

struct model;

struct state_part {
	double norm;    /* root of the sum of squares */
	double largest; /* magnitude; NaN if there is one */
};

struct state_trace {
	size_t layer, pos; /* behind the token at that position */
	const char *mixer; /* "delta net", "Mamba-2", "convolution" */
	struct state_part convolution; /* the convolution's last inputs */
	size_t n_head;                 /* 0: the convolution is all there is */
	size_t n_floats;               /* of each head */
	const float *heads;            /* [n_head][n_floats], borrowed from the recorder */
};

bool states_has(const struct model *model, size_t layer); /* whether the layer is recurrent */
void states_want(struct recorder *recorder, size_t layer);
/* After the evaluation, for a layer that is recurrent. */
enum status states_make(struct state_trace *out, const struct model *model, const struct recorder *recorder,
                        size_t layer, struct error *err) MUST_CHECK;
struct state_part state_head(const struct state_trace *trace, size_t head);

#endif
