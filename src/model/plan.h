/* What a model computes, resolved once from the keys of its file: every number is checked,
 * every default is filled in, and nothing here says which architecture it is. The loop over
 * the layers (forward.c) and its blocks (block_*.c) depend on this and on which weights there
 * are: a norm, a bias, a gate that a family lacks is a NULL in struct layer_weights, not a
 * flag here. Immutable after family_read. */
#ifndef SOTTO_MODEL_PLAN_H
#define SOTTO_MODEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/attention.h"
#include "kernels/ops.h"
#include "kernels/rope.h"

enum { PLAN_MAX_LAYERS = 1024, PLAN_MAX_ROPES = 2, ROPE_NONE = -1 };

/* How a layer mixes information of different positions. Several of them share the layer's
 * input, and their outputs are added. */
enum mixer {
	MIXER_ATTENTION = 1 << 0,
	/* Recurrent: a layer's state is all that it knows about earlier positions. */
	MIXER_DELTA = 1 << 1,     /* gated delta net (Yang et al. 2024, "Gated Delta Networks") */
	MIXER_MAMBA2 = 1 << 2,    /* Dao and Gu 2024, "Transformers are SSMs" */
	MIXER_SHORTCONV = 1 << 3, /* a gated convolution (Liquid AI 2025, "LFM2") */
};

/* How an expert's score becomes its weight for a token. */
enum route {
	ROUTE_SOFTMAX = 1,    /* over all experts */
	ROUTE_SIGMOID,
	ROUTE_SOFTMAX_CHOSEN, /* over those that were chosen */
	ROUTE_COUNT
};

/* Feed-forwards of which each token uses some (Shazeer et al. 2017, "Outrageously Large
 * Neural Networks"). The best n_used are chosen, of equals the first. */
struct experts_plan {
	uint32_t n, n_used; /* 0: the layer has none */
	uint32_t n_ff;      /* of each */
	enum route route;
	/* Only experts of the n_groups_used best groups are chosen, each judged by its two best; 1 of
	 * 1: all (DeepSeek-AI 2024, "DeepSeek-V3"). */
	uint32_t n_groups, n_groups_used;
	bool normalises;     /* routes are divided by the sum of the chosen ones */
	float route_scale;   /* then multiplied by this; 1 in most models */
	float input_scale;   /* of the router's input; 1 in most models */
	bool weighs_inputs;  /* an expert's input is multiplied by its route, not its output */
	bool by_logits;      /* chosen by raw scores, before they become routes */
};

/* Attention whose keys and values of all heads are made of one vector per position, which
 * alone is kept, behind elements that are rotated (MLA; DeepSeek-AI 2024, "DeepSeek-V2"). The
 * matrix that makes keys of it is applied to the queries instead, the one that makes values
 * to the output: there is one head of keys, of head_dim_k elements, and one of values, of
 * head_dim_v. */
struct latent_plan {
	uint32_t key;    /* elements of a head's queries that are not rotated; 0: attention as usual */
	uint32_t value;  /* elements of a head's output */
	uint32_t q_rank; /* queries are made from so many elements; 0: from the stream */
	bool is_joined;  /* in the file both matrices are one tensor */
};

/* What may differ from layer to layer. */
struct layer_plan {
	unsigned mixers; /* enum mixer; 0: none */
	/* Mixer and feed-forward read the same stream and are added to it together (GPT-J). */
	bool is_parallel;

	/* attention */
	uint32_t n_head;
	uint32_t n_head_kv;  /* divides n_head */
	uint32_t head_dim_k; /* elements of a head of Q and K */
	uint32_t head_dim_v; /* of V */
	float attention_scale; /* of the scores */
	float softcap;       /* scores s become softcap * tanh(s / softcap); 0: no */
	uint32_t window;     /* positions seen, itself counted; 0 = all before it */
	bool by_chunks;      /* only positions of the same chunk of `window` positions are seen */
	int rope;            /* index of plan->ropes, or ROPE_NONE */
	bool norms_after_rope; /* queries and keys are normalised after the rotation */
	bool norms_values;   /* of each head, by NORM_RMS without weights */
	bool norms_heads;    /* likewise queries and keys, after the rotation */
	bool gates_heads;    /* each head's queries have a gate behind them: heads * sigmoid(gate) */
	/* Queries at position p times 1 + this * ln(1 + floor((p + plan's temperature_shift) /
	 * plan's temperature_length)); 0: no. */
	float temperature_scale;
	struct latent_plan latent;
	/* The layer whose keys and values are used: itself, or an earlier one; then it computes
	 * none. */
	uint32_t kv_layer;

	/* recurrent mixers: a causal convolution, and but for SHORTCONV heads whose states are
	 * `state_value` vectors of `state_key` floats; keys and queries belong to groups of heads */
	uint32_t conv_taps;
	uint32_t n_state_head, n_state_group;
	uint32_t state_key, state_value;
	bool groups_alternate; /* head h has group h % n_state_group, rather than neighbours sharing one */

	/* feed-forward: down(activation(gate) * up), or down(activation(up)) without a gate. In a
	 * layer with experts it is the shared expert. */
	uint32_t n_ff; /* 0: none */
	struct experts_plan experts;
	enum activation activation;
	/* Only gates so many standard deviations above a token's mean count, by their excess
	 * (gaussian_topk); 0: all. */
	float gate_cutoff;
};

/* Frequencies of a rope set: base^(-2i / (2 n_pairs)), modified by these. */
struct rope_plan {
	enum rope_pairing pairing;
	uint32_t dim;      /* elements of a head that are rotated, even */
	float base;
	float freq_scale;  /* frequencies times this, where the positions are stretched */
	float magnitude;   /* factor on what is rotated */
	/* YaRN (Peng et al. 2023), its extrapolation factor: 1: fast pairs keep their frequency, slow
	 * ones get freq_scale, those between `low` and `high` a mixture; 0: all get freq_scale. */
	float yarn;
	float low, high;   /* pairs */
};

/* The user's settings of the rotation, in place of the file's; all zero: the file's. As in
 * llama.cpp, but layers with windows keep the file's if other layers are rotated, too. */
enum rope_scaling { ROPE_SCALING_FILE, ROPE_SCALING_NONE, ROPE_SCALING_LINEAR, ROPE_SCALING_YARN };
struct rope_wish {
	enum rope_scaling scaling;
	float base, freq_scale;   /* 0: the file's */
	uint32_t n_ctx_original;  /* of YaRN; 0: the file's */
	/* Valid if has_* is set. */
	bool has_extrapolation, has_magnitude, has_beta_fast, has_beta_slow;
	float extrapolation;      /* as rope_plan's yarn */
	float magnitude;          /* without extrapolation */
	float beta_fast, beta_slow;
};

struct plan {
	uint32_t n_vocab;
	uint32_t n_ctx_train;
	uint32_t n_embd;
	uint32_t n_layer;
	uint32_t n_blocks; /* in the file: those behind the layers predict several tokens, unused here */

	enum norm norm;
	float norm_eps;
	float embedding_scale; /* of the tokens' embeddings; 1 in most models */
	uint32_t n_layer_embd; /* length of a token's embedding for each layer; 0: there are none */
	uint32_t n_side_streams; /* beside the residual stream (family_gemma3n.c); 0 in most models */
	uint32_t laurel_rank;  /* of a low-rank product beside each mixer; 0: there is none */
	float residual_scale;  /* of what a block adds to the stream; 1 in most models */
	float logit_scale;     /* 1 in most models */
	float logit_softcap;   /* as of the scores; 0: no */
	uint32_t temperature_length, temperature_shift; /* of the layers' temperature_scale; positions */
	bool has_long_factors; /* below: frequencies depend on the context's length */
	uint32_t n_ctx_original; /* trained on before its positions were stretched */

	/* The first may be divided by factors of the file: rope_freqs, or where the session's
	 * context is longer than n_ctx_original rope_factors_long, else rope_factors_short. */
	struct rope_plan ropes[PLAN_MAX_ROPES];
	size_t n_ropes;
	uint64_t differences; /* keys that sotto and llama.cpp take differently (differences.h) */

	struct layer_plan layers[PLAN_MAX_LAYERS]; /* n_layer of them */
};

/* Those of the layers that have some; n is 0 where none has. */
const struct experts_plan *plan_experts(const struct plan *plan);

/* Floats of a token's queries before they are multiplied with the keys' matrix. */
uint32_t layer_latent_queries(const struct layer_plan *layer);

bool plan_is_recurrent(const struct plan *plan);
/* Tokens in a micro-batch, as many as were measured to be fastest (bench/LOG.md): more with experts,
 * of which each then has more tokens, but not with recurrent layers. */
uint32_t plan_micro_batch(const struct plan *plan);
/* Of a recurrent layer: channels of its convolution, and floats of its state: the convolution's last
 * inputs, [conv_taps - 1][channels], then [n_state_head][state_value][state_key]. */
size_t layer_conv_channels(const struct plan *plan, size_t layer);
size_t layer_conv_floats(const struct plan *plan, size_t layer);
size_t layer_state_floats(const struct plan *plan, size_t layer);

#endif
