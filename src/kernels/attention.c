#include "kernels/attention.h"

#include <string.h>

#include "kernels/compute.h"
#include "kernels/dot.h"
#include "kernels/float16.h"
#include "kernels/ops.h"
#include "kernels/threadpool.h"

enum { INLINE_WORK = 1 << 16 }; /* multiplications that are not worth waking threads for */

static uint16_t saturating_f16(float value)
{
	if (value > 65504.0f)
		value = 65504.0f;
	if (value < -65504.0f)
		value = -65504.0f;
	return f16_from_f32(value);
}

/* x[n][n_kv_head][dim] -> store[n_kv_head][n_ctx][dim] */
static void store_rows(const struct kv_layer *kv, void *store, size_t dim, size_t pos, size_t n,
                       const float *x)
{
	for (size_t t = 0; t < n; t++)
		for (size_t head = 0; head < kv->n_kv_head; head++, x += dim) {
			size_t at = (head * kv->n_ctx + pos + t) * dim;

			if (kv->type == BLOCK_F32) {
				memcpy((float *)store + at, x, dim * sizeof *x);
				continue;
			}
			for (size_t i = 0; i < dim; i++)
				((uint16_t *)store)[at + i] = saturating_f16(x[i]);
		}
}

void kv_store(const struct kv_layer *kv, size_t pos, size_t n, const float *k, const float *v)
{
	store_rows(kv, kv->k, kv->k_dim, pos, n, k);
	store_rows(kv, kv->v, kv->v_dim, pos, n, v);
}

/* One row of a head's keys or values as floats: in place, or in `buffer`. */
static const float *load_row(enum block_type type, const void *rows, size_t row, size_t dim,
                             float *buffer)
{
	const uint16_t *half;

	if (type == BLOCK_F32)
		return (const float *)rows + row * dim;
	half = (const uint16_t *)rows + row * dim;
	for (size_t i = 0; i < dim; i++)
		buffer[i] = f32_from_f16(half[i]);
	return buffer;
}

struct attention_job {
	const struct attention *a;
	const float *q;
	size_t pos;
	float *out;
};

/* Smaller weights change no sum, but what they give are denormals, which take the
 * processor a hundred times as long. */
static const float weight_min = 0x1p-100f;

/* All heads of one group for the query at batch index t. */
static void attend(const struct attention_job *job, size_t t, size_t group, float *scores)
{
	const struct attention *a = job->a;
	const struct kv_layer *kv = a->kv;
	size_t heads = a->n_head / kv->n_kv_head, first_head = t * a->n_head + group * heads;
	size_t pos = job->pos + t, end = pos + 1;
	size_t begin = a->window && end > a->window ? end - a->window : 0;
	const float *q = job->q + first_head * kv->k_dim;
	float *out = job->out + first_head * kv->v_dim;
	float buffer[ATTENTION_MAX_DIM];

	for (size_t p = begin; p < end; p++) {
		const float *k = load_row(kv->type, kv->k, group * kv->n_ctx + p, kv->k_dim,
		                          buffer);

		for (size_t h = 0; h < heads; h++)
			scores[h * kv->n_ctx + p] = dot(q + h * kv->k_dim, k, kv->k_dim) * a->scale;
	}
	for (size_t h = 0; h < heads; h++)
		softmax(scores + h * kv->n_ctx + begin, end - begin);
	memset(out, 0, heads * kv->v_dim * sizeof *out);
	for (size_t p = begin; p < end; p++) {
		const float *v = load_row(kv->type, kv->v, group * kv->n_ctx + p, kv->v_dim,
		                          buffer);

		for (size_t h = 0; h < heads; h++) {
			float weight = scores[h * kv->n_ctx + p];

			if (weight < weight_min)
				continue;
			for (size_t i = 0; i < kv->v_dim; i++)
				out[h * kv->v_dim + i] += weight * v[i];
		}
	}
}

/* Items are pairs (batch index, group). */
static void attend_range(void *ctx, size_t begin, size_t end, size_t thread)
{
	const struct attention_job *job = ctx;
	const struct attention *a = job->a;
	size_t groups = a->kv->n_kv_head;
	float *scores = a->scores + thread * (a->n_head / groups) * a->kv->n_ctx;

	for (size_t item = begin; item < end; item++)
		attend(job, item / groups, item % groups, scores);
}

void attention(const struct compute *compute, const struct attention *a, const float *q,
               size_t pos, size_t n, float *out)
{
	struct threadpool *pool = compute->pool;
	struct attention_job job = {.a = a, .q = q, .pos = pos, .out = out};

	if (n * (pos + n) < INLINE_WORK / (a->n_head * (a->kv->k_dim + a->kv->v_dim)) + 1)
		pool = NULL;
	threadpool_run(pool, n * a->kv->n_kv_head, 1, attend_range, &job);
}
