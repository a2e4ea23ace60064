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

static void list_parts(struct scratch_part parts[N_PARTS], const struct plan *plan, size_t n_batch,
                       size_t n_ctx, size_t n_threads)
{
	uint64_t heads = plan_max_heads(plan), ff = plan_max_ff(plan), tile = 0, chunk = 0;
	uint64_t state = plan_is_recurrent(plan) ? plan_max_state_width(plan) : 0, gated = 0;
	uint64_t low = larger(plan->n_layer_embd, plan->laurel_rank), side = plan->n_side_streams;
	uint64_t latent = plan_max_latent_width(plan), latent_heads = plan_max_latent_heads(plan);
	uint64_t latent_head = plan_max_latent_head(plan), q_rank = plan_max_q_rank(plan);
	/* the longest input of a product */
	uint64_t widest = larger(larger(larger(heads, ff), larger(larger(plan->n_embd, state), low)),
	                         larger(latent, q_rank));
	uint64_t experts = plan_max_experts(plan), expert_ff = plan_max_expert_ff(plan);
	uint64_t used = plan_max_experts_used(plan), pairs = n_batch * used;
	bool has_two = false;
	size_t i = 0;

	for (uint32_t layer = 0; layer < plan->n_layer; layer++) {
		const struct layer_plan *l = &plan->layers[layer];

		has_two |= (l->mixers & (l->mixers - 1)) != 0 || (l->experts.n && l->n_ff);
		if (!(l->mixers & MIXER_ATTENTION))
			continue;
		if (l->gates_heads)
			gated = larger(gated, (uint64_t)l->n_head * l->head_dim_k);
		tile = larger(tile, attention_tile_floats(l->n_head / l->n_head_kv, l->head_dim_k,
		                                          l->head_dim_v));
		chunk = larger(chunk, attention_chunk_floats(l->n_head, l->head_dim_v));
	}
#define PART(name, r, c) parts[i++] = (struct scratch_part){offsetof(struct scratch, name), (r), (c)}
	PART(x, n_batch, plan->n_embd);
	PART(norm, n_batch, plan->n_embd);
	PART(out, n_batch, plan->n_embd);
	PART(second, n_batch, has_two ? plan->n_embd : 0);
	PART(q, n_batch, plan_max_q(plan));
	PART(k, n_batch, plan_max_k(plan));
	PART(v, n_batch, plan_max_v(plan));
	PART(heads, n_batch, heads);
	PART(gate, n_batch, ff);
	PART(up, n_batch, ff);
	PART(latent_low, n_batch, q_rank);
	PART(latent_q, n_batch, latent);
	PART(head_in, n_batch * latent_heads, latent_head);
	PART(head_out, n_batch * latent_heads, latent_head);
	PART(head_quants, n_batch * latent_heads, latent_heads ? activations_floats(latent_head) : 0);
	PART(head_matrices, latent_heads, floats_of(sizeof(struct matrix)));
	PART(head_inputs, latent_heads, floats_of(sizeof(struct activations)));
	PART(head_jobs, latent_heads, floats_of(sizeof(struct matmul)));
	PART(q_gates, n_batch, 2 * (uint64_t)gated);
	PART(gates, n_batch, gated);
	PART(conv_in, n_batch, plan_max_channels(plan));
	PART(conv_out, n_batch, plan_max_channels(plan));
	PART(state_gate, n_batch, state);
	PART(state_out, n_batch, state);
	PART(decay, n_batch, plan_max_state_heads(plan));
	PART(beta, n_batch, plan_max_state_heads(plan));
	PART(rates, n_batch, 2 * (uint64_t)plan_max_state_heads(plan));
	PART(layer_embd, n_batch * plan->n_layer, plan->n_layer_embd);
	PART(layer_embd_rows, n_batch * plan->n_layer, plan->n_layer_embd);
	PART(streams, n_batch * side, plan->n_embd);
	PART(routes, n_batch, side + 1);
	PART(coefs, n_batch, (side + 1) * (side + 1));
	PART(laurel, n_batch, plan->laurel_rank ? plan->n_embd : 0);
	PART(laurel_low, n_batch, plan->laurel_rank);
	PART(router, n_batch, experts);
	PART(route, n_batch, used);
	PART(chosen, n_batch, used);
	PART(place, n_batch, used);
	PART(pair_token, pairs, 1);
	PART(expert_batches, experts, floats_of(sizeof(struct expert_batch)));
	PART(expert_jobs, experts, 2 * floats_of(sizeof(struct matmul)));
	PART(pair_quants, pairs, experts ? activations_floats(larger(plan->n_embd, expert_ff)) : 0);
	PART(pair_gate, pairs, expert_ff);
	PART(pair_up, pairs, expert_ff);
	PART(pair_rows, pairs, plan->n_embd);
	PART(rope[0], n_batch, plan->ropes[0].dim);
	PART(rope[1], n_batch, plan->ropes[1].dim);
	PART(quants, n_batch, activations_floats(widest));
	PART(attention_tiles, n_threads, tile);
	PART(attention_chunks, attention_chunks(n_ctx), chunk);
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
