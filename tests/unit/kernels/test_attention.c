/* Attention of every instruction set that this machine has: against the
 * formula in double precision, and against itself in every split. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kernels/attention.h"
#include "kernels/compute.h"
#include "kernels/float16.h"
#include "kernels/threadpool.h"
#include "support/isas.h"
#include "support/random.h"

enum { MAX_THREADS = 4 };

struct shape {
	size_t n_head, n_kv_head, k_dim, v_dim, window, n_ctx;
	struct kv_types types;
	float scale_of_q; /* 0 = 3 */
	bool by_chunks;
};

/* Types of keys and values. */
#define f32 {BLOCK_F32, BLOCK_F32}
#define f16 {BLOCK_F16, BLOCK_F16}
#define q8_0 {BLOCK_Q8_0, BLOCK_Q8_0}

static const struct shape shapes[] = {
	{4, 4, 16, 16, 0, 40, f32, 0},      /* MHA */
	{6, 2, 80, 80, 0, 70, f16, 0},      /* GQA, a head of no power of two */
	{8, 1, 33, 21, 0, 65, f16, 0},      /* one KV head, V unlike K */
	{4, 2, 16, 16, 5, 140, f32, 0},     /* window */
	{2, 2, 8, 8, 1, 70, f16, 0},        /* sees itself only */
	{2, 1, 8, 8, 1000, 40, f32, 0},     /* window larger than the context */
	{8, 1, 64, 64, 0, 200, f16, 0},     /* TinyLlama's group */
	{7, 1, 64, 64, 70, 200, f16, 0},    /* Qwen2.5 0.5B's, in a window */
	{5, 1, 32, 48, 64, 150, f16, 0},    /* a window of a whole tile */
	{3, 3, 48, 32, 63, 150, q8_0, 0},
	{9, 3, 128, 128, 0, 130, f16, 0},
	{2, 1, 256, 256, 0, 66, q8_0, 0},
	{6, 1, 70, 45, 33, 129, q8_0, 0},   /* last blocks of 6 and 13 */
	{11, 1, 1, 1, 0, 65, f32, 0},       /* the smallest head */
	{140, 1, 3, 5, 0, 3, f16, 0},       /* more heads than rows of a tile */
	{4, 2, 33, 70, 40, 150, {BLOCK_F16, BLOCK_Q8_0}, 0},
	{4, 2, 70, 33, 0, 70, {BLOCK_Q8_0, BLOCK_F32}, 0},
	{2, 1, 64, 64, 0, 100, f16, 1e4f},  /* scores of 1e4 */
	{4, 2, 16, 16, 5, 140, f32, 0, true},   /* chunks of positions */
	{6, 2, 64, 64, 64, 200, f16, 0, true},  /* of a whole tile */
	{2, 1, 8, 8, 70, 200, q8_0, 0, true},
	{4, 1, 80, 64, 0, 70, f16, 0},          /* latent attention's */
};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

/* More than a chunk of positions. */
static const struct shape long_shapes[] = {
	{4, 2, 8, 8, 0, 2200, f16, 0},
	{1, 1, 8, 8, 1100, 2200, f16, 0},
	{2, 1, 8, 8, 50, 1100, q8_0, 0},
	{2, 1, 8, 8, 1050, 2200, f16, 0, true},
};
enum { N_LONG = sizeof long_shapes / sizeof long_shapes[0] };

struct fixture {
	const struct shape *shape;
	struct kv_layer kv;
	struct attention a;
	float *q, *k, *v, *out;
};

static void make(struct fixture *f, const struct shape *s)
{
	struct test_random random = {7};
	size_t n = s->n_ctx, tiles = s->n_kv_head * kv_tiles(n);
	size_t k_bytes = tiles * kv_tile_bytes(s->types.k, s->k_dim);
	size_t v_bytes = tiles * kv_tile_bytes(s->types.v, s->v_dim);
	float q_scale = s->scale_of_q > 0 ? s->scale_of_q : 3;

	f->shape = s;
	f->kv = (struct kv_layer){.types = s->types, .n_kv_head = s->n_kv_head, .n_ctx = n,
	                          .k_dim = s->k_dim, .v_dim = s->v_dim};
	f->kv.k = alloc_array(1, k_bytes);
	f->kv.v = alloc_array(1, v_bytes);
	f->q = alloc_array(n * s->n_head * s->k_dim, sizeof(float));
	f->k = alloc_array(n * s->n_kv_head * s->k_dim, sizeof(float));
	f->v = alloc_array(n * s->n_kv_head * s->v_dim, sizeof(float));
	f->out = alloc_array(n * s->n_head * s->v_dim, sizeof(float));
	f->a = (struct attention){.kv = &f->kv, .n_head = s->n_head, .window = s->window, .by_chunks = s->by_chunks,
	                          .scale = 1 / sqrtf((float)s->k_dim)};
	f->a.tiles = alloc_array(MAX_THREADS * attention_tile_floats(s->n_head / s->n_kv_head,
	                                                             s->k_dim, s->v_dim),
	                         sizeof(float));
	f->a.chunks = alloc_array(attention_chunks(n) * attention_chunk_floats(s->n_head, s->v_dim),
	                          sizeof(float));
	cr_assert(f->kv.k && f->kv.v && f->q && f->k && f->v && f->out && f->a.tiles && f->a.chunks);
	/* what a position not yet stored holds, NaN here, must not matter */
	memset(f->kv.k, 0xff, k_bytes);
	memset(f->kv.v, 0xff, v_bytes);
	test_random_floats(&random, f->q, n * s->n_head * s->k_dim, q_scale);
	test_random_floats(&random, f->k, n * s->n_kv_head * s->k_dim, 3);
	test_random_floats(&random, f->v, n * s->n_kv_head * s->v_dim, 3);
}

static void clear(struct fixture *f)
{
	free(f->kv.k);
	free(f->kv.v);
	free(f->q);
	free(f->k);
	free(f->v);
	free(f->out);
	free(f->a.tiles);
	free(f->a.chunks);
}

static size_t floats_of_out(const struct fixture *f)
{
	return f->kv.n_ctx * f->a.n_head * f->kv.v_dim;
}

static void store(struct fixture *f, const struct compute *compute, size_t pos, size_t n)
{
	const struct kv_layer *kv = &f->kv;

	kv_store(compute, kv, pos, n, f->k + pos * kv->n_kv_head * kv->k_dim,
	         f->v + pos * kv->n_kv_head * kv->v_dim);
}

static void attend(struct fixture *f, const struct compute *compute, size_t pos, size_t n)
{
	attention(compute, &f->a, f->q + pos * f->a.n_head * f->kv.k_dim, pos, n,
	          f->out + pos * f->a.n_head * f->kv.v_dim);
}

static void run(struct fixture *f, const struct compute *compute, size_t batch)
{
	for (size_t pos = 0; pos < f->kv.n_ctx; pos += batch) {
		size_t n = f->kv.n_ctx - pos < batch ? f->kv.n_ctx - pos : batch;

		store(f, compute, pos, n);
		attend(f, compute, pos, n);
	}
}

/* What the cache makes of element d of a row. */
static double stored(enum block_type type, const float *row, size_t dim, size_t d)
{
	size_t first = d / KV_BLOCK * KV_BLOCK;
	float largest = 0, scale;

	if (type == BLOCK_F32)
		return (double)row[d];
	if (type == BLOCK_F16)
		return (double)f32_from_f16(f16_from_f32(row[d]));
	for (size_t i = first; i < dim && i < first + KV_BLOCK; i++)
		largest = fmaxf(largest, fabsf(row[i]));
	scale = f32_from_f16(f16_from_f32(largest / 127));
	return rint((double)(row[d] * (1 / scale))) * (double)scale;
}

static void check_position(const struct fixture *f, const char *isa, size_t pos)
{
	const struct shape *s = f->shape;
	size_t begin = s->window && pos + 1 > s->window ? pos + 1 - s->window : 0;
	double tolerance = s->scale_of_q > 0 ? 2e-2 : 4e-5;
	double *p = alloc_array(pos + 1, sizeof *p);

	cr_assert_not_null(p);
	if (s->by_chunks)
		begin = pos - pos % s->window;
	for (size_t h = 0; h < s->n_head; h++) {
		size_t g = h / (s->n_head / s->n_kv_head);
		const float *q = f->q + (pos * s->n_head + h) * s->k_dim;
		double sum = 0, max = -1e300;

		for (size_t j = begin; j <= pos; j++) {
			const float *k = f->k + (j * s->n_kv_head + g) * s->k_dim;

			p[j] = 0;
			for (size_t d = 0; d < s->k_dim; d++)
				p[j] += (double)q[d] * stored(s->types.k, k, s->k_dim, d);
			p[j] /= sqrt((double)s->k_dim);
			max = fmax(max, p[j]);
		}
		for (size_t j = begin; j <= pos; j++)
			sum += p[j] = exp(p[j] - max);
		for (size_t d = 0; d < s->v_dim; d++) {
			double expected = 0;

			for (size_t j = begin; j <= pos; j++)
				expected += p[j] / sum *
				            stored(s->types.v, f->v + (j * s->n_kv_head + g) * s->v_dim,
				                   s->v_dim, d);
			cr_assert_float_eq(f->out[(pos * s->n_head + h) * s->v_dim + d], expected,
			                   tolerance,
			                   "%s, %zu heads of %zu, window %zu, position %zu, head %zu",
			                   isa, s->n_head, s->k_dim, s->window, pos, h);
		}
	}
	free(p);
}

/* Calls `check` for every instruction set of this machine. */
static void for_each_isa(void (*check)(const struct isa *isa))
{
	for (size_t i = 0; i < isa_n; i++)
		if (isa_usable(&isa_table[i]))
			check(&isa_table[i]);
}

static void check_formula(const struct isa *isa)
{
	const struct compute compute = {NULL, isa};
	struct fixture f;

	for (size_t i = 0; i < N_SHAPES + N_LONG; i++) {
		const struct shape *s = i < N_SHAPES ? &shapes[i] : &long_shapes[i - N_SHAPES];

		make(&f, s);
		run(&f, &compute, 64);
		/* all of a short context, of a long one some and the edges of chunks */
		for (size_t pos = 0; pos < s->n_ctx; pos++)
			if (i < N_SHAPES ? pos % 3 == 0 || (pos + 1) % KV_TILE < 3
			                 : pos % 509 == 0 || (pos + 1) % 1024 < 2)
				check_position(&f, isa->name, pos);
		clear(&f);
	}
}

Test(attention, agrees_with_its_formula_in_double)
{
	for_each_isa(check_formula);
}

static void check_splits(const struct isa *isa)
{
	struct compute alone = {NULL, isa};

	for (size_t i = 0; i < N_SHAPES; i++) {
		struct fixture one, f;

		make(&one, &shapes[i]);
		run(&one, &alone, 1);
		for (size_t threads = 1; threads <= MAX_THREADS; threads += 3) {
			struct compute compute = {NULL, isa};
			struct threadpool *pool;

			cr_assert_eq(threadpool_create(&pool, threads, NULL), STATUS_OK);
			compute.pool = pool;
			for (size_t batch = 2; batch <= shapes[i].n_ctx; batch = batch * 3 + 1) {
				make(&f, &shapes[i]);
				run(&f, &compute, batch);
				cr_assert_eq(memcmp(f.out, one.out, floats_of_out(&f) * sizeof(float)), 0,
				             "%s, shape %zu, %zu threads, batch %zu", isa->name, i,
				             threads, batch);
				clear(&f);
			}
			threadpool_free(pool);
		}
		clear(&one);
	}
}

Test(attention, is_the_same_for_every_batch_and_thread_count)
{
	for_each_isa(check_splits);
}

/* A single query's chunks go to several threads. */
static void check_chunks(const struct isa *isa)
{
	struct compute alone = {NULL, isa}, together = {NULL, isa};
	struct threadpool *pool;

	cr_assert_eq(threadpool_create(&pool, 3, NULL), STATUS_OK);
	together.pool = pool;
	for (size_t i = 0; i < N_LONG; i++) {
		const struct shape *s = &long_shapes[i];
		size_t row = s->n_head * s->v_dim;
		struct fixture f, one;

		make(&f, s);
		make(&one, s);
		run(&f, &together, 150);
		store(&one, &alone, 0, s->n_ctx);
		for (size_t pos = 0; pos < s->n_ctx; pos += pos % 1024 > 1000 ? 1 : 97) {
			for (int k = 0; k < 2; k++) {
				attend(&one, k ? &together : &alone, pos, 1);
				cr_assert_eq(memcmp(f.out + pos * row, one.out + pos * row,
				                    row * sizeof(float)), 0,
				             "%s, long shape %zu, position %zu", isa->name, i, pos);
			}
		}
		clear(&f);
		clear(&one);
	}
	threadpool_free(pool);
}

Test(attention, cuts_a_long_context_at_absolute_positions)
{
	for_each_isa(check_chunks);
}

/* Weights below 2^-100 are none: a denormal would take long, in the sums and in
 * all that comes after. */
static void check_small_weights(const struct isa *isa)
{
	static const struct shape shape = {1, 1, 1, 20, 0, 130, f32, 0};
	const struct compute compute = {NULL, isa};
	struct fixture f;

	make(&f, &shape);
	for (size_t pos = 0; pos < shape.n_ctx; pos++) {
		f.q[pos] = 1;
		f.k[pos] = pos == 70 ? 0 : -70 - (float)pos;
		for (size_t d = 0; d < shape.v_dim; d++)
			f.v[pos * shape.v_dim + d] = pos == 70 ? (float)d : 1;
	}
	run(&f, &compute, 33);
	for (size_t pos = 70; pos < shape.n_ctx; pos++)
		for (size_t d = 0; d < shape.v_dim; d++)
			cr_assert_eq(f.out[pos * shape.v_dim + d], (float)d, "%s", isa->name);
	clear(&f);
}

Test(attention, takes_tiny_weights_for_none)
{
	for_each_isa(check_small_weights);
}

static void check_extremes(const struct isa *isa)
{
	static const struct shape shape = {2, 1, 4, 4, 0, 70, f32, 0};
	const struct compute compute = {NULL, isa};
	struct fixture f;

	make(&f, &shape);
	for (size_t i = 0; i < shape.n_ctx * shape.n_head * shape.k_dim; i++)
		f.q[i] = 1;
	for (size_t i = 0; i < shape.n_ctx * shape.k_dim; i++)
		f.k[i] = i / shape.k_dim < 10 ? -INFINITY : i / shape.k_dim < 40 ? 1 : NAN;
	run(&f, &compute, 70);
	for (size_t pos = 0; pos < shape.n_ctx; pos++) {
		float out = f.out[pos * shape.n_head * shape.v_dim];

		if (pos < 10)
			cr_assert_eq(out, 0, "%s: everything is masked", isa->name);
		else if (pos < 40)
			cr_assert(isfinite(out), "%s: later positions are not seen", isa->name);
		else
			cr_assert(isnan(out), "%s: NaN stays", isa->name);
	}
	clear(&f);
}

Test(attention, gives_zeros_for_nothing_and_keeps_nan)
{
	for_each_isa(check_extremes);
}

static void check_saturation(const struct isa *isa)
{
	const struct compute compute = {NULL, isa};
	uint16_t k[2 * KV_TILE], v[2 * KV_TILE];
	struct kv_layer kv = {.types = f16, .n_kv_head = 1, .n_ctx = 1, .k_dim = 2, .v_dim = 2,
	                      .k = k, .v = v};
	float in[2] = {1e9f, -1e9f};

	kv_store(&compute, &kv, 0, 1, in, in);
	cr_assert_eq(f32_from_f16(k[0]), 65504.0f);
	cr_assert_eq(f32_from_f16(k[KV_TILE]), -65504.0f, "keys are transposed");
	cr_assert_eq(f32_from_f16(v[1]), -65504.0f);
	in[0] = NAN;
	kv_store(&compute, &kv, 0, 1, in, in);
	cr_assert(isnan(f32_from_f16(k[0])));
}

Test(attention, half_precision_saturates)
{
	for_each_isa(check_saturation);
}

Test(attention, any_numbers_can_be_stored_in_8_bits)
{
	const struct compute compute = {NULL, isa_generic()};
	float in[40] = {1e30f, -1e30f, INFINITY, NAN, 1e-30f};
	unsigned char k[KV_TILE * 44], v[KV_TILE * 44];
	struct kv_layer kv = {.types = q8_0, .n_kv_head = 1, .n_ctx = 2, .k_dim = 40,
	                      .v_dim = 40, .k = k, .v = v};

	cr_assert_eq(sizeof k, kv_tile_bytes(BLOCK_Q8_0, 40));
	kv_store(&compute, &kv, 0, 1, in, in);
	kv_store(&compute, &kv, 1, 1, (float[40]){0}, (float[40]){0});
	cr_assert_eq(v[40], 0);
}
