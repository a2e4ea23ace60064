/* How long attention takes in the shape of TinyLlama 1.1B (32 heads of 64, 4
 * KV heads), one layer: a prompt of 512 tokens at depth 0 and at 3,500, in
 * micro-batches of 64, and a token at depth 2,048; and the small operations on
 * a micro-batch.
 * usage: bench/attention [ISA [f16|f32|q8_0 [THREADS]]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "bench.h"
#include "kernels/attention.h"
#include "kernels/compute.h"
#include "kernels/ops.h"
#include "kernels/rope.h"
#include "kernels/threadpool.h"

enum { HEADS = 32, KV_HEADS = 4, DIM = 64, CTX = 4096, BATCH = 64, ROUNDS = 5, EMBD = 2048, FF = 5632 };

struct bench {
	struct compute compute;
	struct kv_layer kv;
	struct attention attention;
	float *q, *k, *v, *out; /* [BATCH][heads][DIM] */
	float *x, *y, *gate, *up, *table;
};

static void evaluate(struct bench *b, size_t pos, size_t n)
{
	for (size_t at = 0; at < n; at += BATCH) {
		size_t count = n - at < BATCH ? n - at : BATCH;

		kv_store(&b->compute, &b->kv, pos + at, count, b->k, b->v);
		attention(&b->compute, &b->attention, b->q, pos + at, count, b->out);
	}
}

static void prompt(struct bench *b)
{
	evaluate(b, 0, 512);
}

static void deep_prompt(struct bench *b)
{
	evaluate(b, 3500, 512);
}

static void token(struct bench *b)
{
	evaluate(b, 2048, 1);
}

static void norm(struct bench *b)
{
	normalise(&b->compute, NORM_RMS, b->x, BATCH,
	          &(struct norm_weights){.dim = EMBD, .n = 1, .weight = b->y}, 1e-5f, b->out);
}

static void sum(struct bench *b)
{
	add(&b->compute, b->x, b->y, BATCH * EMBD);
}

static void gate(struct bench *b)
{
	memcpy(b->gate, b->up, (size_t)BATCH * FF * sizeof *b->gate);
	activate(&b->compute, ACTIVATION_SILU, b->gate, b->up, BATCH * FF);
}

static void rotate(struct bench *b)
{
	rope(&b->compute, ROPE_ADJACENT, b->table, DIM / 2, BATCH, HEADS + KV_HEADS, DIM, b->x);
}

static void rotation_table(struct bench *b)
{
	double frequency[DIM / 2];

	for (size_t i = 0; i < DIM / 2; i++)
		frequency[i] = pow(10000, -(double)i * 2 / DIM);
	rope_table(frequency, DIM / 2, 2048, BATCH, 1, b->table);
}

static void store(struct bench *b)
{
	kv_store(&b->compute, &b->kv, 2048, BATCH, b->k, b->v);
}

static void report(struct bench *b, const char *what, void (*run)(struct bench *), size_t times)
{
	double best = 1e30, best_processor = 1e30;

	run(b);
	for (int round = 0; round < ROUNDS; round++) {
		double processor = 1e6 * processor_s(), us = (double)sys_now_us();

		for (size_t i = 0; i < times; i++)
			run(b);
		us = ((double)sys_now_us() - us) / (double)times;
		processor = (1e6 * processor_s() - processor) / (double)times;
		best = fmin(best, us);
		best_processor = fmin(best_processor, processor);
	}
	printf("%-32s %10.1f us %10.1f us of processor\n", what, best, best_processor);
}

int main(int argc, char **argv)
{
	const char *type = argc > 2 ? argv[2] : "f16";
	struct bench b = {.attention = {.kv = &b.kv, .n_head = HEADS, .scale = 0.125f}};
	size_t threads = argc > 3 ? strtoul(argv[3], NULL, 10) : 2;
	struct threadpool *pool;
	struct error err;

	if (isa_find(&b.compute.isa, argc > 1 ? argv[1] : NULL, &err) ||
	    threadpool_create(&pool, threads, &err))
		fail(err.text);
	b.compute.pool = pool;
	b.kv = (struct kv_layer){.types = {BLOCK_F16, BLOCK_F16}, .n_kv_head = KV_HEADS, .n_ctx = CTX,
	                         .k_dim = DIM, .v_dim = DIM};
	if (strcmp(type, "f16") != 0)
		b.kv.types.k = strcmp(type, "f32") == 0 ? BLOCK_F32 : BLOCK_Q8_0;
	b.kv.types.v = b.kv.types.k;
	b.kv.k = zeros(KV_HEADS * kv_tiles(CTX) * kv_tile_bytes(b.kv.types.k, DIM));
	b.kv.v = zeros(KV_HEADS * kv_tiles(CTX) * kv_tile_bytes(b.kv.types.k, DIM));
	b.attention.tiles = zeros(threads * sizeof(float) *
	                          attention_tile_floats(HEADS / KV_HEADS, DIM, DIM));
	b.attention.chunks = zeros(attention_chunks(CTX) * sizeof(float) *
	                           attention_chunk_floats(HEADS, DIM));
	b.q = floats(BATCH * HEADS * DIM);
	b.k = floats(BATCH * KV_HEADS * DIM);
	b.v = floats(BATCH * KV_HEADS * DIM);
	b.out = floats(BATCH * HEADS * DIM);
	b.x = floats(BATCH * (HEADS + KV_HEADS) * DIM);
	b.y = floats(BATCH * EMBD);
	b.gate = floats((size_t)BATCH * FF);
	b.up = floats((size_t)BATCH * FF);
	b.table = floats(BATCH * DIM);
	printf("%s, %s cache, %zu threads; the best of %d rounds\n", b.compute.isa->name, type, threads,
	       ROUNDS);
	evaluate(&b, 0, CTX);
	report(&b, "prompt of 512", prompt, 1);
	report(&b, "prompt of 512 at depth 3500", deep_prompt, 1);
	report(&b, "token at depth 2048", token, 50);
	report(&b, "norm of 64 tokens", norm, 50);
	report(&b, "add", sum, 50);
	report(&b, "silu and product", gate, 20);
	report(&b, "rope", rotate, 50);
	report(&b, "rope_table", rotation_table, 20);
	report(&b, "kv_store", store, 50);
	threadpool_free(pool);
	return 0;
}
