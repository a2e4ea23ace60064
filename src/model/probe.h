/* Looking inside a forward pass: what passes through named places of each layer. Nothing of it changes what is
 * computed; without a probe a pass costs the test of a pointer at each place. */
#ifndef SOTTO_MODEL_PROBE_H
#define SOTTO_MODEL_PROBE_H

#include <stddef.h>
#include <stdint.h>

/* What a layer lacks is not shown: no PROBE_KEY where it uses an earlier layer's (plan's kv_layer). Of
 * latent attention heads are as they attend over the vector that is kept, before its output is unfolded. */
enum probe_place {
	PROBE_STREAM,      /* the residual stream behind the layer: [n][n_embd] */
	PROBE_ENTRY,       /* the stream that the mixer's norm takes: [n][n_embd] */
	PROBE_MIXER_IN,    /* the mixer's input, normalised: [n][n_embd] */
	PROBE_MIXER_OUT,   /* what it adds to the stream, before the post-norm: [n][n_embd] */
	PROBE_QUERY_PLAIN, /* before rotation (behind the norm that comes before it): [n][n_head][head_dim_k] */
	PROBE_KEY_PLAIN,   /* [n][n_head_kv][head_dim_k] */
	PROBE_QUERY,       /* as they attend, without attention_scale */
	PROBE_KEY,         /* as they are stored */
	PROBE_VALUE,       /* [n][n_head_kv][head_dim_v] */
	PROBE_HEADS,       /* what attention gives, before gates and the output's matrix: [n][n_head][head_dim_v] */
	PROBE_BETWEEN,     /* the stream that the feed-forward's norm takes: [n][n_embd] */
	PROBE_FFN_IN,      /* [n][n_embd], normalised */
	PROBE_FFN_OUT,     /* with what the experts give, before the post-norm: [n][n_embd] */
	PROBE_ROUTER_IN,   /* [n][n_embd] */
	PROBE_EXPERTS_IN,  /* [n][n_embd] */
	PROBE_ROUTER,      /* the router's logits, scaled, without the bias of choosing: [n][experts] */
	PROBE_CHOSEN,      /* the experts that each token goes to, as floats: [n][n_used] */
	PROBE_ROUTE,       /* and their weights */
	PROBE_EXPERTS_OUT, /* before a norm of theirs: [n][n_embd] */
	PROBE_STATE,       /* a recurrent state behind the last token: [1][its floats], see layer_state_floats */
	PROBE_FINAL,       /* behind the final norm, layer = n_layer: [n][n_embd] */
};

struct probed {
	enum probe_place place;
	size_t layer;
	size_t pos;        /* of the first row's token */
	size_t n, width;   /* rows, and floats of each */
	const float *data; /* borrowed for the call */
};

struct probe {
	void *ctx;
	void (*see)(void *ctx, const struct probed *seen); /* on the session's thread */
};

#endif
