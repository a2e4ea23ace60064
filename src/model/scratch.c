#include "model/scratch.h"

#include <string.h>

#include "base/alloc.h"
#include "kernels/attention.h"
#include "kernels/matmul.h"
#include "model/experts.h"

enum { ALIGNMENT = 64, N_PARTS = 50 };

struct scratch_part {
	size_t field; /* offset in struct scratch */
	uint64_t rows, cols;
};

/* How many floats hold n bytes. */
static uint64_t floats_of(size_t n)
{
	return (n + sizeof(float) - 1) / sizeof(float);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The largest sizes of any layer, in floats of a token. */
struct largest {
	uint64_t q, k, v, heads, ff, tile, chunk, gated;
	uint64_t latent, latent_heads, latent_head, q_rank;
	uint64_t channels, state_heads, state;
	bool has_two; /* mixers, or feed-forwards */
};

static void add_layer(struct largest *most, const struct plan *plan, uint32_t layer)
{
	const struct layer_plan *l = &plan->layers[layer];
	uint64_t n_head = l->n_head;

	most->has_two |= (l->mixers & (l->mixers - 1)) != 0 || (l->experts.n && l->n_ff);
	most->q = larger(most->q, n_head * l->head_dim_k);
	most->k = larger(most->k, (uint64_t)l->n_head_kv * l->head_dim_k);
	most->v = larger(most->v, (uint64_t)l->n_head_kv * l->head_dim_v);
	most->heads = larger(most->heads, n_head * l->head_dim_v);
	most->ff = larger(most->ff, l->n_ff);
	most->channels = larger(most->channels, layer_conv_channels(plan, layer));
	most->state_heads = larger(most->state_heads, l->n_state_head);
	most->state = larger(most->state, (uint64_t)l->n_state_head * l->state_value);
	if (l->mixers & MIXER_SHORTCONV)
		most->state = larger(most->state, plan->n_embd);
	if (l->latent.key) {
		most->q_rank = larger(most->q_rank, l->latent.q_rank);
		most->latent = larger(larger(most->latent, layer_latent_queries(l)), n_head * l->latent.value);
		most->latent_heads = larger(most->latent_heads, n_head);
		most->latent_head = larger(larger(most->latent_head, l->head_dim_v),
		                           larger(l->latent.key, l->latent.value));
	}
	if (!(l->mixers & MIXER_ATTENTION))
		return;
	if (l->gates_heads)
		most->gated = larger(most->gated, n_head * l->head_dim_k);
	most->tile = larger(most->tile, attention_tile_floats(l->n_head / l->n_head_kv, l->head_dim_k,
	                                                      l->head_dim_v));
	most->chunk = larger(most->chunk, attention_chunk_floats(l->n_head, l->head_dim_v));
}

/* Of the input of a product. */
static uint64_t widest_input(const struct plan *plan, const struct largest *most)
{
	uint64_t widest = larger(larger(most->heads, most->ff), larger(plan->n_embd, most->state));

	widest = larger(widest, larger(most->latent, most->q_rank));
	return larger(widest, larger(plan->n_layer_embd, plan->laurel_rank));
}

static void list_parts(struct scratch_part parts[N_PARTS], const struct plan *plan, size_t n_batch,
                       size_t n_ctx, size_t n_threads)
{
	const struct experts_plan *e = plan_experts(plan);
	uint64_t embd = plan->n_embd, pairs = n_batch * e->n_used, side = plan->n_side_streams;
	struct largest most = {.q = 0};
	size_t i = 0;

	for (uint32_t layer = 0; layer < plan->n_layer; layer++)
		add_layer(&most, plan, layer);
#define PART(name, r, c) parts[i++] = (struct scratch_part){offsetof(struct scratch, name), (r), (c)}
	PART(x, n_batch, embd);
	PART(norm, n_batch, embd);
	PART(out, n_batch, embd);
	PART(second, n_batch, most.has_two ? embd : 0);
	PART(q, n_batch, most.q);
	PART(k, n_batch, most.k);
	PART(v, n_batch, most.v);
	PART(heads, n_batch, most.heads);
	PART(gate, n_batch, most.ff);
	PART(up, n_batch, most.ff);
	PART(latent_low, n_batch, most.q_rank);
	PART(latent_q, n_batch, most.latent);
	PART(head_in, n_batch * most.latent_heads, most.latent_head);
	PART(head_out, n_batch * most.latent_heads, most.latent_head);
	PART(head_quants, n_batch * most.latent_heads, most.latent_heads ? activations_floats(most.latent_head) : 0);
	PART(head_matrices, most.latent_heads, floats_of(sizeof(struct matrix)));
	PART(head_inputs, most.latent_heads, floats_of(sizeof(struct activations)));
	PART(head_jobs, most.latent_heads, floats_of(sizeof(struct matmul)));
	PART(q_gates, n_batch, 2 * most.gated);
	PART(gates, n_batch, most.gated);
	PART(conv_in, n_batch, most.channels);
	PART(conv_out, n_batch, most.channels);
	PART(state_gate, n_batch, most.state);
	PART(state_out, n_batch, most.state);
	PART(decay, n_batch, most.state_heads);
	PART(beta, n_batch, most.state_heads);
	PART(rates, n_batch, 2 * most.state_heads);
	PART(layer_embd, n_batch * plan->n_layer, plan->n_layer_embd);
	PART(layer_embd_rows, n_batch * plan->n_layer, plan->n_layer_embd);
	PART(streams, n_batch * side, embd);
	PART(routes, n_batch, side + 1);
	PART(coefs, n_batch, (side + 1) * (side + 1));
	PART(laurel, n_batch, plan->laurel_rank ? embd : 0);
	PART(laurel_low, n_batch, plan->laurel_rank);
	PART(router, n_batch, e->n);
	PART(route, n_batch, e->n_used);
	PART(chosen, n_batch, e->n_used);
	PART(place, n_batch, e->n_used);
	PART(pair_token, pairs, 1);
	PART(expert_batches, e->n, floats_of(sizeof(struct expert_batch)));
	PART(expert_jobs, e->n, 2 * floats_of(sizeof(struct matmul)));
	PART(pair_quants, pairs, e->n ? activations_floats(larger(embd, e->n_ff)) : 0);
	PART(pair_gate, pairs, e->n_ff);
	PART(pair_up, pairs, e->n_ff);
	PART(pair_rows, pairs, embd);
	PART(rope[0], n_batch, plan->ropes[0].dim);
	PART(rope[1], n_batch, plan->ropes[1].dim);
	PART(quants, n_batch, activations_floats(widest_input(plan, &most)));
	PART(attention_tiles, n_threads, most.tile);
	PART(attention_chunks, attention_chunks(n_ctx), most.chunk);
#undef PART
}

/* Rounded up to whole cache lines. */
static uint64_t part_bytes(const struct scratch_part *part)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(part->rows, part->cols, &bytes) ||
	    bytes > (UINT64_MAX - ALIGNMENT) / sizeof(float))
		return UINT64_MAX;
	return (bytes * sizeof(float) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t scratch_bytes(const struct plan *plan, size_t n_batch, size_t n_ctx, size_t n_threads)
{
	struct scratch_part parts[N_PARTS];
	uint64_t total = 0;

	list_parts(parts, plan, n_batch, n_ctx, n_threads);
	for (size_t i = 0; i < N_PARTS; i++)
		if (__builtin_add_overflow(total, part_bytes(&parts[i]), &total))
			return UINT64_MAX;
	return total;
}

enum status scratch_init(struct scratch *scratch, const struct plan *plan, size_t n_batch,
                         size_t n_ctx, size_t n_threads, struct error *err)
{
	uint64_t bytes = scratch_bytes(plan, n_batch, n_ctx, n_threads);
	struct scratch_part parts[N_PARTS];
	char *at = NULL;

	*scratch = (struct scratch){.n_batch = n_batch};
	if (bytes <= SIZE_MAX / 2)
		at = alloc_aligned(ALIGNMENT, (size_t)bytes);
	if (!at)
		return error_no_memory(err, "for micro-batches of %zu tokens", n_batch);
	scratch->memory = at;
	list_parts(parts, plan, n_batch, n_ctx, n_threads);
	for (size_t i = 0; i < N_PARTS; i++) {
		memcpy((char *)scratch + parts[i].field, &at, sizeof at); /* a pointer, of whatever type */
		at += part_bytes(&parts[i]);
	}
	return STATUS_OK;
}

void scratch_deinit(struct scratch *scratch)
{
	free(scratch->memory);
	*scratch = (struct scratch){0};
}
