#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "kernels/attention.h"
#include "kernels/float16.h"
#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "support/random.h"

struct shape {
	size_t n_head, n_kv_head, k_dim, v_dim, window, n_ctx;
	enum block_type type;
};

static const struct shape shapes[] = {
	{4, 4, 16, 16, 0, 40, BLOCK_F32}, /* MHA */
	{6, 2, 80, 80, 0, 40, BLOCK_F16}, /* GQA, a head of no power of two */
	{8, 1, 33, 21, 0, 33, BLOCK_F16}, /* one KV head, V unlike K */
	{4, 2, 16, 16, 5, 40, BLOCK_F32}, /* window */
	{2, 2, 8, 8, 1, 40, BLOCK_F16},   /* sees itself only */
	{2, 1, 8, 8, 100, 40, BLOCK_F32}, /* window larger than the context */
};

struct fixture {
	struct kv_layer kv;
	struct attention a;
	float *q, *k, *v, *out;
};

static void make(struct fixture *f, const struct shape *s, size_t threads)
{
	struct test_random random = {7};
	size_t n = s->n_ctx;

	f->kv = (struct kv_layer){.type = s->type, .n_kv_head = s->n_kv_head, .n_ctx = n,
	                          .k_dim = s->k_dim, .v_dim = s->v_dim};
	f->kv.k = alloc_array(s->n_kv_head * n * s->k_dim, sizeof(float));
	f->kv.v = alloc_array(s->n_kv_head * n * s->v_dim, sizeof(float));
	f->q = alloc_array(n * s->n_head * s->k_dim, sizeof(float));
	f->k = alloc_array(n * s->n_kv_head * s->k_dim, sizeof(float));
	f->v = alloc_array(n * s->n_kv_head * s->v_dim, sizeof(float));
	f->out = alloc_array(n * s->n_head * s->v_dim, sizeof(float));
	f->a = (struct attention){.kv = &f->kv, .n_head = s->n_head, .window = s->window,
	                          .scale = 1 / sqrtf((float)s->k_dim)};
	f->a.scores = alloc_array(threads * (s->n_head / s->n_kv_head) * n, sizeof(float));
	cr_assert(f->kv.k && f->kv.v && f->q && f->k && f->v && f->out && f->a.scores);
	test_random_floats(&random, f->q, n * s->n_head * s->k_dim, 3);
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
	free(f->a.scores);
}

static void run(struct fixture *f, struct threadpool *pool, size_t batch)
{
	const struct kv_layer *kv = &f->kv;

	for (size_t pos = 0; pos < kv->n_ctx; pos += batch) {
		size_t n = kv->n_ctx - pos < batch ? kv->n_ctx - pos : batch;

		kv_store(kv, pos, n, f->k + pos * kv->n_kv_head * kv->k_dim,
		         f->v + pos * kv->n_kv_head * kv->v_dim);
		attention(&(struct compute){pool, isa_generic()}, &f->a, f->q + pos * f->a.n_head * kv->k_dim, pos, n,
		          f->out + pos * f->a.n_head * kv->v_dim);
	}
}

static double rounded(const struct shape *s, float value)
{
	return (double)(s->type == BLOCK_F16 ? f32_from_f16(f16_from_f32(value)) : value);
}

Test(attention, agrees_with_its_formula_in_double)
{
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		const struct shape *s = &shapes[i];
		struct fixture f;

		make(&f, s, 1);
		run(&f, NULL, s->n_ctx);
		for (size_t pos = 0; pos < s->n_ctx; pos++)
			for (size_t h = 0; h < s->n_head; h++) {
				size_t g = h / (s->n_head / s->n_kv_head);
				double p[64], sum = 0, max = -1e300;

				for (size_t j = 0; j <= pos; j++) {
					const float *q = f.q + (pos * s->n_head + h) * s->k_dim;
					const float *k = f.k + (j * s->n_kv_head + g) * s->k_dim;

					p[j] = 0;
					for (size_t d = 0; d < s->k_dim; d++)
						p[j] += (double)q[d] * rounded(s, k[d]);
					p[j] /= sqrt((double)s->k_dim);
					if (s->window && pos - j >= s->window)
						p[j] = -INFINITY;
					max = fmax(max, p[j]);
				}
				for (size_t j = 0; j <= pos; j++)
					sum += p[j] = exp(p[j] - max);
				for (size_t d = 0; d < s->v_dim; d++) {
					double expected = 0;

					for (size_t j = 0; j <= pos; j++)
						expected += p[j] / sum *
						            rounded(s, f.v[(j * s->n_kv_head + g) * s->v_dim + d]);
					cr_assert_float_eq(f.out[(pos * s->n_head + h) * s->v_dim + d],
					                   expected, 2e-5, "shape %zu position %zu head %zu",
					                   i, pos, h);
				}
			}
		clear(&f);
	}
}

Test(attention, is_the_same_for_every_batch_and_thread_count)
{
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
		struct fixture one, f;

		make(&one, &shapes[i], 1);
		run(&one, NULL, 1);
		for (size_t threads = 1; threads <= 4; threads += 3) {
			struct threadpool *pool;

			cr_assert_eq(threadpool_create(&pool, threads, NULL), STATUS_OK);
			for (size_t batch = 2; batch <= 40; batch += 9) {
				make(&f, &shapes[i], threads);
				run(&f, pool, batch);
				cr_assert_eq(memcmp(f.out, one.out,
				                    f.kv.n_ctx * f.a.n_head * f.kv.v_dim * sizeof(float)),
				             0, "shape %zu, %zu threads, batch %zu", i, threads, batch);
				clear(&f);
			}
			threadpool_free(pool);
		}
		clear(&one);
	}
}

Test(attention, half_precision_saturates)
{
	uint16_t k[2], v[2];
	struct kv_layer kv = {.type = BLOCK_F16, .n_kv_head = 1, .n_ctx = 1, .k_dim = 2, .v_dim = 2,
	                      .k = k, .v = v};
	float in[2] = {1e9f, -1e9f};

	kv_store(&kv, 0, 1, in, in);
	cr_assert_eq(f32_from_f16(k[0]), 65504.0f);
	cr_assert_eq(f32_from_f16(v[1]), -65504.0f);
}
