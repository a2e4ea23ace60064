/* Llama 1, 2, 3.x, TinyLlama, Mistral, SmolLM2 and kin.
 *
 * Touvron et al. 2023, "LLaMA", "Llama 2"; Dubey et al. 2024, "The Llama 3
 * Herd of Models"; Jiang et al. 2023, "Mistral 7B". Pre-normalised transformer
 * with RMSNorm, rotary positions on adjacent pairs (the files have the rows of
 * Q and K permuted for that), grouped-query attention and SwiGLU. */
#include <inttypes.h>
#include <stddef.h>

#include "kernels/attention.h"
#include "kernels/matmul.h"
#include "kernels/ops.h"
#include "kernels/rope.h"
#include "model/arch.h"

#define MODEL(field) .offset = offsetof(struct weights, field)
#define LAYER(field) .offset = offsetof(struct layer_weights, field)

static const struct weights_row model_rows[] = {
	{"token_embd.weight", WEIGHTS_MATRIX, MODEL(token_embd), DIM_VOCAB, DIM_EMBD},
	{"output_norm.weight", WEIGHTS_VECTOR, MODEL(output_norm), DIM_EMBD},
	{"output.weight", WEIGHTS_MATRIX, MODEL(output), DIM_VOCAB, DIM_EMBD, .optional = true},
	{"rope_freqs.weight", WEIGHTS_VECTOR, MODEL(rope_freqs), DIM_ROPE, .optional = true},
};

static const struct weights_row layer_rows[] = {
	{"attn_norm.weight", WEIGHTS_VECTOR, LAYER(attn_norm), DIM_EMBD},
	{"attn_q.weight", WEIGHTS_MATRIX, LAYER(wq), DIM_Q, DIM_EMBD},
	{"attn_q.bias", WEIGHTS_VECTOR, LAYER(bq), DIM_Q, .optional = true},
	{"attn_k.weight", WEIGHTS_MATRIX, LAYER(wk), DIM_K, DIM_EMBD},
	{"attn_k.bias", WEIGHTS_VECTOR, LAYER(bk), DIM_K, .optional = true},
	{"attn_v.weight", WEIGHTS_MATRIX, LAYER(wv), DIM_V, DIM_EMBD},
	{"attn_v.bias", WEIGHTS_VECTOR, LAYER(bv), DIM_V, .optional = true},
	{"attn_output.weight", WEIGHTS_MATRIX, LAYER(wo), DIM_EMBD, DIM_HEADS},
	{"attn_output.bias", WEIGHTS_VECTOR, LAYER(bo), DIM_EMBD, .optional = true},
	{"ffn_norm.weight", WEIGHTS_VECTOR, LAYER(ffn_norm), DIM_EMBD},
	{"ffn_gate.weight", WEIGHTS_MATRIX, LAYER(ffn_gate), DIM_FF, DIM_EMBD},
	{"ffn_gate.bias", WEIGHTS_VECTOR, LAYER(ffn_gate_bias), DIM_FF, .optional = true},
	{"ffn_up.weight", WEIGHTS_MATRIX, LAYER(ffn_up), DIM_FF, DIM_EMBD},
	{"ffn_up.bias", WEIGHTS_VECTOR, LAYER(ffn_up_bias), DIM_FF, .optional = true},
	{"ffn_down.weight", WEIGHTS_MATRIX, LAYER(ffn_down), DIM_EMBD, DIM_FF},
	{"ffn_down.bias", WEIGHTS_VECTOR, LAYER(ffn_down_bias), DIM_EMBD, .optional = true},
	/* Frequencies of the rotation, stored layer by layer until 2023. */
	{"attn_rot_embd.weight", WEIGHTS_IGNORED},
	{"attention.rotary_embd.inv_freq", WEIGHTS_IGNORED},
};

static const struct weights_table llama_weights = {
	.model = model_rows,
	.n_model = sizeof model_rows / sizeof model_rows[0],
	.layer = layer_rows,
	.n_layer = sizeof layer_rows / sizeof layer_rows[0],
};

static enum status llama_read_hparams(struct hparams *hp, const struct gguf *gguf,
                                      struct error *err)
{
	uint32_t n_expert = 0;
	enum status status = hparams_read(hp, gguf, "llama", err);

	if (status)
		return status;
	status = gguf_get_u32(gguf, "llama.expert_count", &n_expert, err);
	if (status && status != STATUS_NOTFOUND)
		return status;
	if (n_expert > 0)
		return error_set(err, STATUS_UNSUPPORTED,
		                 "key 'llama.expert_count': found %" PRIu32
		                 "; mixtures of experts are not supported", n_expert);
	hp->rope_pairing = ROPE_ADJACENT;
	return STATUS_OK;
}

static enum status llama_forward(const struct forward *f)
{
	const struct model *model = f->model;
	const struct hparams *hp = &model->hparams;
	const struct weights *w = &model->weights;
	struct scratch *s = f->scratch;
	const struct compute *compute = f->compute;
	size_t n = f->n, pos = f->pos, n_embd = hp->n_embd, n_pairs = hp->rope_dim / 2;
	float *x = s->x, *q = s->q;
	struct activations in; /* what the next matrices are multiplied with */

	/* the residual stream begins as the tokens' embeddings */
	for (size_t t = 0; t < n; t++)
		matrix_row(&w->token_embd, (size_t)f->tokens[t], x + t * n_embd);

	/* cosines and sines of these positions, for all layers */
	rope_table(model->rope_frequency, n_pairs, pos, n, hp->rope_attn_scale, s->rope);

	for (size_t i = 0; i < hp->n_layer; i++) {
		const struct layer_hparams *lh = &hp->layers[i];
		const struct layer_weights *lw = &w->layers[i];
		const struct kv_layer *kv = &f->kv->layers[i];
		const struct attention attn = {
			.kv = kv,
			.n_head = lh->n_head,
			.window = lh->window,
			.scale = hp->attention_scale,
			.tiles = s->attention_tiles,
			.chunks = s->attention_chunks,
		};

		/* queries, keys and values of the normalised stream */
		rmsnorm(compute, x, n, n_embd, lw->attn_norm, hp->norm_eps, s->norm);
		activations_set(&in, s->quants, s->norm, n, n_embd);
		matmul(compute, &lw->wq, &in, q);
		matmul(compute, &lw->wk, &in, s->k);
		matmul(compute, &lw->wv, &in, s->v);
		add_bias(q, n, lw->wq.rows, lw->bq);
		add_bias(s->k, n, lw->wk.rows, lw->bk);
		add_bias(s->v, n, lw->wv.rows, lw->bv);

		/* rotate queries and keys by their positions */
		rope(compute, hp->rope_pairing, s->rope, n_pairs, n, lh->n_head, hp->head_dim_k, q);
		rope(compute, hp->rope_pairing, s->rope, n_pairs, n, lh->n_head_kv, hp->head_dim_k,
		     s->k);

		/* attention over everything up to each position */
		kv_store(compute, kv, pos, n, s->k, s->v);
		if (i + 1 == hp->n_layer && !f->all_tokens) {
			/* nobody looks at the other tokens any more */
			size_t skip = n - f->n_logits;

			n -= skip;
			pos += skip;
			x += skip * n_embd;
			q += skip * lw->wq.rows;
			if (n == 0)
				return f->layer_done && !f->layer_done(f->ctx, i, x, n) ? STATUS_CANCELLED
				                                                        : STATUS_OK;
		}
		attention(compute, &attn, q, pos, n, s->heads);

		/* mix the heads, add to the stream */
		activations_set(&in, s->quants, s->heads, n, lw->wo.cols);
		matmul(compute, &lw->wo, &in, s->norm);
		add_bias(s->norm, n, n_embd, lw->bo);
		add(compute, x, s->norm, n * n_embd);

		/* feed-forward: down(silu(gate) * up), added to the stream */
		rmsnorm(compute, x, n, n_embd, lw->ffn_norm, hp->norm_eps, s->norm);
		activations_set(&in, s->quants, s->norm, n, n_embd);
		matmul(compute, &lw->ffn_gate, &in, s->gate);
		matmul(compute, &lw->ffn_up, &in, s->up);
		add_bias(s->gate, n, lh->n_ff, lw->ffn_gate_bias);
		add_bias(s->up, n, lh->n_ff, lw->ffn_up_bias);
		silu_mul(compute, s->gate, s->up, n * lh->n_ff);
		activations_set(&in, s->quants, s->gate, n, lh->n_ff);
		matmul(compute, &lw->ffn_down, &in, s->norm);
		add_bias(s->norm, n, n_embd, lw->ffn_down_bias);
		add(compute, x, s->norm, n * n_embd);

		if (f->layer_done && !f->layer_done(f->ctx, i, x, n))
			return STATUS_CANCELLED;
	}

	/* logits of the tokens that want them */
	rmsnorm(compute, x, n, n_embd, w->output_norm, hp->norm_eps, s->norm);
	if (f->layer_done && !f->layer_done(f->ctx, hp->n_layer, s->norm, n))
		return STATUS_CANCELLED;
	if (f->n_logits) {
		activations_set(&in, s->quants, s->norm + (n - f->n_logits) * n_embd, f->n_logits,
		                n_embd);
		matmul(compute, &w->output, &in, f->logits);
	}
	return STATUS_OK;
}

const struct arch arch_llama = {
	.name = "llama",
	.read_hparams = llama_read_hparams,
	.weights = &llama_weights,
	.forward = llama_forward,
};
