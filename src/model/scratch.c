#include "model/scratch.h"

#include "base/alloc.h"
#include "kernels/attention.h"
#include "kernels/matmul.h"

enum { ALIGNMENT = 64, N_PARTS = 12 };

struct part {
	size_t field; /* offset in struct scratch */
	uint64_t rows, cols;
};

static void list_parts(struct part parts[N_PARTS], const struct hparams *hp, size_t n_batch,
                       size_t n_ctx, size_t n_threads)
{
	uint64_t head = hparams_max_head(hp), head_kv = hparams_max_head_kv(hp);
	uint64_t ff = hparams_max_ff(hp), group = 1;
	uint64_t widest = head * hp->head_dim_v; /* input of a product */
	size_t i = 0;

	widest = widest > ff ? widest : ff;
	widest = widest > hp->n_embd ? widest : hp->n_embd;
	for (uint32_t l = 0; l < hp->n_layer; l++)
		if (hp->layers[l].n_head / hp->layers[l].n_head_kv > group)
			group = hp->layers[l].n_head / hp->layers[l].n_head_kv;
#define PART(name, r, c) parts[i++] = (struct part){offsetof(struct scratch, name), (r), (c)}
	PART(x, n_batch, hp->n_embd);
	PART(norm, n_batch, hp->n_embd);
	PART(q, n_batch, head * hp->head_dim_k);
	PART(k, n_batch, head_kv * hp->head_dim_k);
	PART(v, n_batch, head_kv * hp->head_dim_v);
	PART(heads, n_batch, head * hp->head_dim_v);
	PART(gate, n_batch, ff);
	PART(up, n_batch, ff);
	PART(rope, n_batch, hp->rope_dim);
	PART(quants, n_batch, activations_floats(widest));
	PART(attention_tiles, n_threads,
	     attention_tile_floats(group, hp->head_dim_k, hp->head_dim_v));
	PART(attention_chunks, attention_chunks(n_ctx),
	     attention_chunk_floats(head, hp->head_dim_v));
#undef PART
}

/* Rounded up to whole cache lines. */
static uint64_t part_bytes(const struct part *part)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(part->rows, part->cols, &bytes) ||
	    bytes > (UINT64_MAX - ALIGNMENT) / sizeof(float))
		return UINT64_MAX;
	return (bytes * sizeof(float) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t scratch_bytes(const struct hparams *hp, size_t n_batch, size_t n_ctx, size_t n_threads)
{
	struct part parts[N_PARTS];
	uint64_t total = 0;

	list_parts(parts, hp, n_batch, n_ctx, n_threads);
	for (size_t i = 0; i < N_PARTS; i++)
		if (__builtin_add_overflow(total, part_bytes(&parts[i]), &total))
			return UINT64_MAX;
	return total;
}

enum status scratch_init(struct scratch *scratch, const struct hparams *hp, size_t n_batch,
                         size_t n_ctx, size_t n_threads, struct error *err)
{
	uint64_t bytes = scratch_bytes(hp, n_batch, n_ctx, n_threads);
	struct part parts[N_PARTS];
	char *at = NULL;

	*scratch = (struct scratch){.n_batch = n_batch};
	if (bytes <= SIZE_MAX / 2)
		at = alloc_aligned(ALIGNMENT, (size_t)bytes);
	if (!at)
		return error_set(err, STATUS_NOMEM,
		                 "not enough memory for micro-batches of %zu tokens", n_batch);
	scratch->memory = at;
	list_parts(parts, hp, n_batch, n_ctx, n_threads);
	for (size_t i = 0; i < N_PARTS; i++) {
		*(float **)(void *)((char *)scratch + parts[i].field) = (float *)(void *)at;
		at += part_bytes(&parts[i]);
	}
	return STATUS_OK;
}

void scratch_deinit(struct scratch *scratch)
{
	free(scratch->memory);
	*scratch = (struct scratch){0};
}
