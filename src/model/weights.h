/* The weights of a model: names of tensors turned into pointers once.
 *
 * A family lists its tensors in groups of rows (name, where it goes, shape); loading checks each
 * against the file and fails with found and expected. A tensor of the file that no row names is
 * an error: computing without it would give wrong answers quietly. */
#ifndef SOTTO_MODEL_WEIGHTS_H
#define SOTTO_MODEL_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gguf/reader.h"
#include "kernels/matmul.h"
#include "kernels/ops.h"
#include "model/packing.h"
#include "model/plan.h"

struct threadpool;

/* y[rows] = scale * matrix * x[cols] + bias */
struct linear {
	struct matrix matrix; /* data NULL: there is none */
	const float *bias;    /* [rows]; may be NULL */
	float scale;          /* NAME.scale; 1: the file has none */
};

/* Matrices of one shape, one for each expert or head. */
struct stack {
	struct matrix first; /* data NULL: there is none */
	size_t n;
	size_t step;         /* rows from one to the next, where they lie in tensors with others between */
	size_t panels_step;  /* bytes from the panels of one to those of the next */
	const float *bias;   /* [n][step]; may be NULL */
	const float *scale;  /* [n]; may be NULL */
};
struct matrix stack_at(const struct stack *stack, size_t i);

/* Shapes: rows x cols. What a family lacks has no data or is NULL. */
struct layer_weights {
	struct norm_weights attn_norm;      /* before the mixer */
	struct norm_weights attn_post_norm; /* of its output, before that is added */
	struct linear q;  /* n_head * head_dim_k x n_embd */
	struct linear k;  /* n_head_kv * head_dim_k x n_embd */
	struct linear v;  /* n_head_kv * head_dim_v x n_embd */
	struct linear o;  /* n_embd x n_head * head_dim_v */
	struct norm_weights q_norm, k_norm; /* of each head, or of all together */
	struct norm_weights heads_norm;     /* of all heads' outputs */
	const float *sinks;                 /* [n_head] */

	/* Latent attention; then q is applied to q_a's output. */
	struct linear q_a;                  /* q_rank x n_embd */
	struct norm_weights q_a_norm, latent_norm;
	struct linear latent;               /* head_dim_k x n_embd: the vector, then what is rotated */
	struct stack latent_key;            /* of each head: head_dim_v x latent.key */
	struct stack latent_value;          /* latent.value x head_dim_v */

	/* Recurrent mixers. The input of the convolution, and its taps: */
	struct linear conv_in;       /* channels x n_embd */
	const float *conv;           /* [conv_taps][channels] */
	const float *conv_bias;      /* [channels]; may be NULL */
	struct linear input_gate;    /* SHORTCONV: n_embd x n_embd */
	struct linear output_gate;   /* rows of the heads' output x n_embd */
	struct linear state_beta;    /* DELTA: n_state_head x n_embd: how much of the new is learnt */
	struct linear state_time;    /* n_state_head x n_embd: how fast the old is forgotten */
	struct linear state_rates;   /* both in one, group by group */
	const float *state_time_bias, *state_decay; /* [n_state_head] */
	const float *state_skip;     /* MAMBA2: [n_state_head]: how much of the input bypasses the state */
	struct norm_weights state_norm;
	struct linear state_out;     /* n_embd x what the heads give */

	struct norm_weights ffn_norm, ffn_post_norm;
	struct linear gate, up; /* n_ff x n_embd */
	struct linear down;     /* n_embd x n_ff */
	struct norm_weights hidden_norm;    /* of the input of `down` */

	/* Mixture of experts; gate, up and down above are then the shared expert's. */
	struct linear router;             /* experts x n_embd */
	struct norm_weights router_norm;  /* of the router's input; without it the experts' */
	const float *router_bias;         /* [experts]: for choosing only, not in routes; may be NULL */
	struct norm_weights experts_norm; /* of the experts' input; without it ffn_norm */
	struct stack expert_gate, expert_up; /* n_ff x n_embd */
	struct stack expert_down;         /* n_embd x n_ff */
	struct norm_weights experts_post_norm, shared_post_norm; /* of their outputs */
	struct linear shared_gate;        /* 1 x n_embd: how much the shared expert counts */

	struct linear embd_gate; /* n_layer_embd x n_embd: the gate of the layer's embeddings */
	struct linear embd_proj; /* n_embd x n_layer_embd */
	struct norm_weights embd_post_norm;
	/* AltUp and Laurel (family_gemma3n.c) */
	struct norm_weights altup_router_norm;
	struct linear altup_router; /* streams x n_embd */
	struct linear predict; /* streams^2 x streams */
	struct linear correct; /* streams x streams */
	const float *correct_scale; /* [n_embd] */
	struct linear laurel_l; /* laurel_rank x n_embd */
	struct linear laurel_r; /* n_embd x laurel_rank */
	struct norm_weights laurel_norm;
	const float *output_scale; /* [1]: of the stream behind the layer; may be NULL */
};

struct weights {
	/* Borrowed: what was loaded, from where, by which rows (NULL at the end). */
	const struct plan *plan;
	const struct gguf *gguf;
	const struct weights_group *const *groups;

	struct matrix token_embd;         /* n_vocab x n_embd: rows are looked up */
	struct norm_weights output_norm;
	struct linear output;             /* n_vocab x n_embd; token_embd where the file has none */
	const float *rope_factors;        /* [rope dim / 2] divisors of frequencies; may be NULL */
	const float *rope_factors_long, *rope_factors_short;
	/* A token's embeddings for all layers: a table, and a projection of its first embedding. */
	struct matrix layer_embd;         /* n_vocab x n_layer * n_layer_embd */
	struct linear layer_embd_proj;    /* n_layer * n_layer_embd x n_embd */
	struct norm_weights layer_embd_norm; /* [n_layer_embd] */
	/* n_embd x n_embd: to the streams beside the first, and back */
	struct linear altup_proj[3], altup_unembd[3];
	struct layer_weights *layers;     /* [n_layer] */

	void *panels; /* owned mapping: all matrices that are multiplied (weights_pack) */
	size_t panels_bytes;
	uint64_t in_file_bytes; /* of matrices without panels, which stay in the file */
	bool is_beyond_memory;  /* not all of those bytes could be read ahead */
	size_t unit_bytes;      /* their largest packed unit; 0: all have panels */
	void **vectors; /* owned: what the float pointers above point into */
	size_t n_vectors, cap_vectors;
	uint64_t n_params;
};

/* Lengths that depend on the plan, most of them on the layer. */
enum weights_dim {
	DIM_ONE, DIM_EMBD, DIM_VOCAB, DIM_ROPE,
	DIM_N_HEAD, DIM_N_HEAD_KV, DIM_HEAD_K, DIM_Q, DIM_K, DIM_V, DIM_HEADS, DIM_FF,
	DIM_EXPERTS, DIM_EXPERT_FF, DIM_Q_RANK, DIM_LATENT_KEY, DIM_LATENT_VALUE, DIM_LATENT_KV, DIM_LATENT_Q,
	DIM_LATENT_HEADS,
	DIM_LAYER_EMBD, DIM_LAYER_EMBDS, DIM_LAUREL, DIM_STREAMS, DIM_STREAMS2, DIM_SIDE_STREAMS,
	DIM_TAPS, DIM_CHANNELS, DIM_STATE_HEADS, DIM_2STATE_HEADS, DIM_STATE_GROUPS, DIM_STATE_WIDTH, DIM_STATE_VALUE,
	DIM_GROUP_WIDTH, /* of DIM_STATE_WIDTH, what a group has */
	/* of tensors that hold several, one after the other */
	DIM_QK, DIM_QKV, DIM_2FF, DIM_2EXPERT_FF,
	DIM_WIDTH_CHANNELS, DIM_SSM_IN, DIM_2EMBD, DIM_3EMBD,
	DIM_NONE /* no rows before it */
};

enum weights_kind {
	WEIGHTS_LINEAR,  /* NAME.weight [cols, rows], NAME.bias, NAME.scale */
	WEIGHTS_EXACT,   /* the same without a scale, converted to floats */
	WEIGHTS_STACK,   /* NAME.weight [cols, rows, slices], NAME.bias [rows, slices],
	                  * NAME.scale [slices] */
	/* Two stacks in NAME.weight [cols, slices * of]: each slice has `before` rows before
	 * these. TRANSPOSED ones are transposed in the file and floats in memory. */
	WEIGHTS_JOINED, WEIGHTS_JOINED_TRANSPOSED,
	WEIGHTS_NORM,    /* NAME.weight [cols, rows]: `rows` vectors; NAME.bias */
	WEIGHTS_BARE_NORM, /* NAME [cols] */
	WEIGHTS_TAPS,    /* NAME [cols, rows]: copied as floats, [cols][rows] */
	WEIGHTS_MATRIX,  /* NAME [cols, rows]: its rows are looked up */
	WEIGHTS_VECTOR,  /* NAME [cols, rows]: copied as floats */
	WEIGHTS_IGNORED, /* NAME: files carry it; it is not needed */
};

enum weights_need { NEEDED, OPTIONAL };
enum weights_bias { NO_BIAS, MAYBE_BIAS, BIAS };

/* The layers that a row is for. */
enum weights_layers {
	ALL_LAYERS,
	ATTENTION_LAYERS,
	KV_LAYERS, /* attention layers with keys and values of their own */
	LOW_QUERY_LAYERS, FULL_QUERY_LAYERS, /* whose queries are made from q_rank elements, or from all */
	JOINED_LATENT_LAYERS, SPLIT_LATENT_LAYERS,
	FFN_LAYERS,    /* with any feed-forward */
	DENSE_LAYERS,  /* with a feed-forward and without experts */
	EXPERT_LAYERS,
	SHARED_LAYERS, /* with experts and a shared expert */
	DELTA_LAYERS, MAMBA2_LAYERS, SHORTCONV_LAYERS,
	EMBD_LAYERS, /* all, where there are embeddings for each */
};

struct weights_row {
	const char *name; /* without "blk.N." for a layer's */
	enum weights_kind kind;
	size_t offset;    /* in struct weights or struct layer_weights */
	enum weights_dim rows, cols;
	enum weights_need need;
	enum weights_bias bias;
	/* If the file has no NAME: the tensor that has its rows after `before` others, of `of` in
	 * all. */
	const char *fused;
	enum weights_dim before, of;
	/* NAME holds so many matrices along its third dimension; this is number `slice`. */
	enum weights_dim slices;
	size_t slice;
};

struct weights_group {
	const struct weights_row *rows;
	size_t n;
	bool is_global; /* not a layer's */
	enum weights_layers layers;
};

/* For tables: a group of these rows. */
#define WEIGHTS_ROWS(...) .rows = (const struct weights_row[]){__VA_ARGS__}, \
	.n = sizeof (const struct weights_row[]){__VA_ARGS__} / sizeof(struct weights_row)
#define WEIGHTS_GLOBAL(field) .offset = offsetof(struct weights, field)
#define WEIGHTS_LAYER(field) .offset = offsetof(struct layer_weights, field)

/* Rows, columns or slices; whether a layer (of a global group, 0) has a group's tensors. */
uint64_t weights_dim_length(const struct plan *plan, size_t layer, enum weights_dim dim);
bool weights_group_applies(const struct weights_group *group, const struct plan *plan, size_t layer);

enum status weights_load(struct weights *weights, const struct weights_group *const *groups,
                         const struct gguf *gguf, const struct plan *plan,
                         struct error *err) MUST_CHECK;

/* weights_load's last step (weights_unused.c): STATUS_UNSUPPORTED for a tensor of the file that no
 * row names. */
enum status weights_check_all_used(const struct weights *weights, struct error *err) MUST_CHECK;

/* How much is done, 0..1; false = stop. */
typedef bool (*weights_progress)(void *ctx, float fraction);
struct weights_packing {
	enum packing which;       /* not PACKING_AUTO */
	uint64_t read_bytes;      /* how much of what stays in the file may be read ahead */
	bool locks;               /* locks all in memory (sys_lock), if possible */
	struct error lock_error;  /* out: why that failed; STATUS_OK: it did not */
	struct threadpool *pool;  /* may be NULL */
	weights_progress progress; /* of what is packed and what is read ahead; may be NULL */
	void *ctx;
	double read_rate;         /* out: bytes of these a second; 0: there were none */
};

/* Bytes that weights_pack takes. */
enum status weights_packed_bytes(struct weights *weights, enum packing which, uint64_t *out,
                                 struct error *err) MUST_CHECK;
/* Packs the matrices that are multiplied (kernels/panels.h) and frees the file's pages of
 * them, then reads the others ahead. progress: false = stop (STATUS_CANCELLED). */
enum status weights_pack(struct weights *weights, struct weights_packing *how,
                         struct error *err) MUST_CHECK;
void weights_free(struct weights *weights);

/* Calls `visit` with those groups that the model has: the global ones (layer 0), whose fields
 * are in `target`, the weights, and each layer's, in its layer_weights. Ends at an error. */
typedef enum status (*weights_visit)(void *ctx, const struct weights_group *group, size_t layer,
                                     void *target);
enum status weights_each_group(struct weights *weights, weights_visit visit, void *ctx) MUST_CHECK;

#endif
