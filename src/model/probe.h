/* Looking inside a forward pass: what passes through named places of each layer. Nothing of it changes what is
 * computed; without a probe a pass costs the test of a pointer at each place. */
#ifndef SOTTO_MODEL_PROBE_H
#define SOTTO_MODEL_PROBE_H

#include <stddef.h>
#include <stdint.h>

enum probe_place {
	PROBE_STREAM,      /* the residual stream behind the layer: [n][n_embd] */
	PROBE_MIXER_IN,    /* the mixer's input, normalised: [n][n_embd] */
	PROBE_MIXER_OUT,   /* what it adds to the stream, before the post-norm: [n][n_embd] */
	PROBE_QUERY_PLAIN, /* before rotation (behind the norm that comes before it): [n][n_head][head_dim_k] */
	PROBE_KEY_PLAIN,   /* [n][n_head_kv][head_dim_k] */
	PROBE_QUERY,       /* as they attend, without attention_scale */
	PROBE_KEY,         /* as they are stored */
	PROBE_VALUE,       /* [n][n_head_kv][head_dim_v] */
	PROBE_HEADS,       /* what attention gives, before gates and the output's matrix: [n][n_head][head_dim_v] */
	PROBE_FFN_IN,      /* [n][n_embd] */
	PROBE_FFN_OUT,
	PROBE_EXPERTS_IN,  /* [n][n_embd] */
	PROBE_ROUTER,      /* the router's logits: [n][experts] */
	PROBE_CHOSEN,      /* the experts that each token goes to, as floats: [n][n_used] */
	PROBE_ROUTE,       /* and their weights */
	PROBE_EXPERTS_OUT, /* [n][n_embd] */
	PROBE_STATE,       /* a recurrent state behind the last token: [1][its floats] */
};

struct probed {
	enum probe_place place;
	size_t layer;
	size_t pos;        /* of the first row */
	size_t n, width;   /* rows, and floats of each */
	const float *data; /* borrowed for the call */
};

struct probe {
	void *ctx;
	void (*see)(void *ctx, const struct probed *seen); /* on the session's thread */
};

#endif
