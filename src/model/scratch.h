/* The activations of one micro-batch: allocated once for a session, so that
 * the token loop allocates nothing. Rows are tokens. */
#ifndef SOTTO_MODEL_SCRATCH_H
#define SOTTO_MODEL_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/plan.h"

struct activations;
struct expert_batch;
struct matmul;
struct matrix;

struct scratch {
	size_t n_batch;
	float *x;      /* [n_batch][n_embd]: the residual stream */
	float *norm;   /* [n_batch][n_embd]: a normalised copy */
	float *out;    /* [n_batch][n_embd]: what a block gives */
	float *second; /* [n_batch][n_embd]: what a second mixer gives, where a layer has two */
	float *q;      /* [n_batch][n_head][head_dim_k] */
	float *k;      /* [n_batch][n_head_kv][head_dim_k] */
	float *v;      /* [n_batch][n_head_kv][head_dim_v] */
	float *heads;  /* [n_batch][n_head][head_dim_v] */
	float *gate;   /* [n_batch][n_ff] */
	float *up;     /* [n_batch][n_ff] */
	/* of latent attention */
	float *latent_low;           /* [n_batch][q_rank] */
	float *latent_q;             /* [n_batch][n_head][elements of its queries, or of its output] */
	float *head_in, *head_out;   /* [n_head][n_batch][elements] */
	float *head_quants;          /* [n_head][n_batch]: memory of struct activations */
	struct matrix *head_matrices;    /* [n_head] */
	struct activations *head_inputs; /* [n_head] */
	struct matmul *head_jobs;        /* [n_head] */
	float *q_gates;  /* [n_batch][n_head][2][head_dim_k]: queries with their gates */
	float *gates;    /* [n_batch][n_head][head_dim_k]: the gates alone */
	float *conv_in, *conv_out; /* [n_batch][channels] of recurrent layers */
	float *state_gate, *state_out; /* [n_batch][what their heads give, or n_embd] */
	float *decay, *beta;       /* [n_batch][n_state_head] */
	float *rates;              /* [n_batch][2][n_state_head]: what decay and beta are made of */
	float *layer_embd;      /* [n_layer][n_batch][n_layer_embd] */
	float *layer_embd_rows; /* [n_batch][n_layer][n_layer_embd]: before they are ordered by layer */
	float *streams; /* [n_side_streams][n_batch][n_embd]: those beside x */
	float *routes;  /* [n_batch][streams] */
	float *coefs;   /* [n_batch][streams][streams] */
	float *laurel;  /* [n_batch][n_embd] */
	float *laurel_low; /* [n_batch][laurel_rank]: between the two products */
	/* Of layers with experts. A pair is a token and one of its experts. */
	float *router;         /* [n_batch][experts]: scores, then routes */
	float *route;          /* [n_batch][used], best first */
	uint32_t *chosen;      /* [n_batch][used]: which expert */
	uint32_t *place;       /* [n_batch][used]: the pair's place among all, sorted by expert */
	uint32_t *pair_token;  /* [pairs]: the token of each, sorted so */
	struct expert_batch *expert_batches; /* [experts] */
	struct matmul *expert_jobs;          /* [2 * experts] */
	float *pair_quants;    /* [pairs]: memory of struct activations */
	float *pair_gate, *pair_up; /* [pairs][n_ff] */
	float *pair_rows;      /* [pairs][n_embd]: what goes in, as floats, and what comes out */
	float *rope[PLAN_MAX_ROPES]; /* [n_batch][pairs][2] */
	float *quants; /* memory of struct activations, for the widest input (kernels/matmul.h) */
	float *attention_tiles;  /* [n_threads][attention_tile_floats] */
	float *attention_chunks; /* [chunks of n_ctx][attention_chunk_floats] */
	void *memory;  /* owned: all of the above */
};

/* UINT64_MAX when the sum leaves 64 bits. */
uint64_t scratch_bytes(const struct plan *plan, size_t n_batch, size_t n_ctx, size_t n_threads);
enum status scratch_init(struct scratch *scratch, const struct plan *plan, size_t n_batch,
                         size_t n_ctx, size_t n_threads, struct error *err) MUST_CHECK;
void scratch_deinit(struct scratch *scratch);

#endif
