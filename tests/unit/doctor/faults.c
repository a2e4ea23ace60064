#include "faults.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/attention.h"
#include "kernels/compute.h"
#include "kernels/float16.h"
#include "kernels/ops.h"
#include "kernels/panels.h"
#include "kernels/quant.h"
#include "kernels/rope.h"
#include "model/cache.h"
#include "model/experts.h"
#include "model/family.h"
#include "model/model.h"
#include "model/ropes.h"
#include "model/weights.h"
#include "tokenizer/tokenizer.h"

enum fault planted;
static const struct norm_weights *first_norm; /* of the model: that of its first layer */

void plant(enum fault fault)
{
	planted = fault;
	first_norm = NULL;
}

#define WRAP(type, name, ...) \
	type __real_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

static void *must_have(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

WRAP(void, rope_table, const double *frequency, size_t n_pairs, size_t pos, size_t n, float scale, float *table)
{
	bool fixed = planted == POSITION_ZERO || planted == POSITION_CACHE || planted == POSITION_CACHE_END;
	size_t at = planted == POSITION_ZERO ? 0 : planted == POSITION_CACHE ? pos : pos + n;

	for (size_t i = 0; i < n; i++)
		__real_rope_table(frequency, n_pairs, fixed ? at : pos + i, 1, scale, table + i * 2 * n_pairs);
}

WRAP(void, rope, const struct compute *compute, enum rope_pairing pairing, const float *table, size_t n_pairs, size_t n,
     size_t n_heads, size_t dim, float *x)
{
	enum rope_pairing other = pairing == ROPE_ADJACENT ? ROPE_HALVES : ROPE_ADJACENT;
	struct compute alone = {.isa = compute->isa};

	if (planted == PAIRING_SWAPPED)
		pairing = other;
	if (planted != PAIRING_ONE_HEAD) {
		__real_rope(compute, pairing, table, n_pairs, n, n_heads, dim, x);
		return;
	}
	for (size_t t = 0; t < n; t++)
		for (size_t h = 0; h < n_heads; h++)
			__real_rope(&alone, h + 1 == n_heads ? other : pairing, table + t * 2 * n_pairs, n_pairs, 1, 1, dim,
			            x + (t * n_heads + h) * dim);
}

/* Ten times the base. */
WRAP(enum status, model_ropes, struct ropes *ropes, const struct model *model, size_t n_ctx, struct error *err)
{
	enum status status = __real_model_ropes(ropes, model, n_ctx, err);

	for (size_t i = 0; planted == BASE_WRONG && !status && i < model_plan(model)->n_ropes; i++)
		for (size_t k = 0; k < ropes->sets[i].n_pairs; k++) {
			double power = 1;

			/* 10^(-k / n_pairs), without a library of mathematics */
			for (size_t j = 0; j < k * 1000 / ropes->sets[i].n_pairs; j++)
				power *= 0.99770006382255; /* 10^-0.001 */
			ropes->sets[i].frequency[k] *= power;
		}
	return status;
}

WRAP(enum status, family_read, struct plan *plan, const struct family *family, const struct gguf *gguf,
     const struct rope_wish *wish, struct error *err)
{
	enum status status = __real_family_read(plan, family, gguf, wish, err);

	if (planted == PLAN_EPSILON)
		plan->norm_eps *= 10;
	if (planted == PLAN_BASE)
		plan->ropes[0].base *= 2;
	for (size_t i = 0; i < plan->n_layer && planted == PLAN_WINDOW; i++)
		plan->layers[i].window += plan->layers[i].window > 0;
	return status;
}

/* Queries in the place of those of the group before: what they give is that of another group's keys. */
static void rotate_groups(const struct attention *a, size_t n, size_t dim, size_t by, const float *x, float *out)
{
	size_t group = a->n_head / a->kv->n_kv_head;

	for (size_t t = 0; t < n; t++)
		for (size_t h = 0; h < a->n_head; h++)
			memcpy(out + (t * a->n_head + (h + by * group) % a->n_head) * dim, x + (t * a->n_head + h) * dim,
			       dim * sizeof *x);
}

static void attend_rotated(const struct compute *compute, const struct attention *a, const float *q, size_t pos, size_t n,
                           float *out);

WRAP(void, attention, const struct compute *compute, const struct attention *a, const float *q, size_t pos, size_t n,
     float *out)
{
	static const struct kv_layer *before; /* of the layer before, where they follow one another */
	static size_t depth;                  /* layers that followed one another before this one */
	struct attention other = *a;

	depth = before && a->kv == before + 1 ? depth + 1 : 0;
	if (planted == HEADS_ROTATED || planted == HEADS_ONE_GROUP) {
		attend_rotated(compute, a, q, pos, n, out);
		return;
	}
	if (planted == OTHER_LAYERS_CACHE && before && a->kv == before + 1)
		other.kv = before;
	if (planted == OTHER_LAYERS_CACHE_LAST && depth == 2)
		other.kv = a->kv - 2;
	before = a->kv;
	if ((planted == WINDOW_LONGER || (planted == WINDOW_LAST_LAYER && depth > 0)) && a->window)
		other.window++;
	if (planted == WINDOW_SHORTER && a->window)
		other.window--;
	__real_attention(compute, &other, q, pos, n, out);
}

static void attend_rotated(const struct compute *compute, const struct attention *a, const float *q, size_t pos, size_t n,
                           float *out)
{
	float *turned = must_have(malloc(n * a->n_head * a->kv->k_dim * sizeof *turned));
	float *given = must_have(malloc(n * a->n_head * a->kv->v_dim * sizeof *given));
	float *sinks = a->sinks ? must_have(malloc(a->n_head * sizeof *sinks)) : NULL;
	struct attention other = *a;

	rotate_groups(a, n, a->kv->k_dim, 1, q, turned);
	if (sinks)
		rotate_groups(a, 1, 1, 1, a->sinks, sinks);
	other.sinks = sinks;
	__real_attention(compute, &other, turned, pos, n, given);
	rotate_groups(a, n, a->kv->v_dim, a->kv->n_kv_head - 1, given, out);
	if (planted == HEADS_ONE_GROUP) {
		size_t right = (a->n_head - a->n_head / a->kv->n_kv_head) * a->kv->v_dim, all = a->n_head * a->kv->v_dim;

		__real_attention(compute, a, q, pos, n, given);
		for (size_t t = 0; t < n; t++)
			memcpy(out + t * all, given + t * all, right * sizeof *out);
	}
	free(turned);
	free(given);
	free(sinks);
}

WRAP(void, dequantize_q8_0, const void *blocks, float *out, size_t n)
{
	__real_dequantize_q8_0(blocks, out, n);
	for (size_t i = 0; i < n && planted == SCALE_MISREAD; i++)
		out[i] *= 2;
}

static void spoil_half(unsigned char *at)
{
	uint16_t scale;

	memcpy(&scale, at, 2);
	scale = f16_from_f32(f32_from_f16(scale) * 2);
	memcpy(at, &scale, 2);
}

/* A copy of n blocks of Q4_K with their scales or offsets misread. */
static unsigned char *spoil_q4_k(const void *blocks, size_t n, bool scales, bool offsets)
{
	unsigned char *copy = must_have(malloc(n * 144));

	memcpy(copy, blocks, n * 144);
	for (size_t i = 0; i < n; i++) {
		if (scales)
			spoil_half(copy + i * 144);
		if (offsets)
			spoil_half(copy + i * 144 + 2);
	}
	return copy;
}

WRAP(void, dequantize_q4_k, const void *blocks, float *out, size_t n)
{
	unsigned char *copy = spoil_q4_k(blocks, n / 256, planted == SCALE_MISREAD_Q4_K, planted == OFFSET_MISREAD_Q4_K);

	__real_dequantize_q4_k(copy, out, n);
	for (size_t i = 0; i < n && planted == NIBBLES_SWAPPED_Q4_K; i++)
		if (i % 64 < 32) {
			float low = out[i];

			out[i] = out[i + 32];
			out[i + 32] = low;
		}
	free(copy);
}

WRAP(void, panel_pack_q4_k, const void *blocks, size_t n, size_t row, void *panel)
{
	unsigned char *copy = spoil_q4_k(blocks, n, planted == SCALE_MISREAD_PACKED_Q4_K,
	                                 planted == OFFSET_MISREAD_PACKED_Q4_K);

	__real_panel_pack_q4_k(copy, n, row, panel);
	free(copy);
}

WRAP(void, panel_pack_q8_0, const void *blocks, size_t n, size_t row, void *panel)
{
	unsigned char *copy = must_have(malloc(n * 34));

	memcpy(copy, blocks, n * 34);
	for (size_t i = 0; i < n && planted == SCALE_MISREAD_PACKED; i++)
		spoil_half(copy + i * 34);
	__real_panel_pack_q8_0(copy, n, row, panel);
	free(copy);
}

WRAP(void, normalise, const struct compute *compute, enum norm norm, const float *x, size_t count,
     const struct norm_weights *weights, float eps, float *out)
{
	struct norm_weights plain = {.dim = weights->dim, .n = weights->n};
	bool is_wrong = planted == EPSILON_WRONG;

	if (!first_norm)
		first_norm = weights;
	if (planted == EPSILON_LATER_LAYERS)
		is_wrong = (const char *)weights >= (const char *)first_norm + sizeof(struct layer_weights);
	__real_normalise(compute, norm, x, count, planted == NORM_WEIGHTS_LEFT_OUT ? &plain : weights, is_wrong ? eps * 1000 : eps, out);
}

WRAP(void, route_token, const struct experts_plan *plan, float *scores, const float *bias, uint32_t *chosen, float *route)
{
	__real_route_token(plan, scores, bias, chosen, route);
	if (planted == EXPERTS_SWAPPED) {
		uint32_t best = chosen[0];

		chosen[0] = chosen[1];
		chosen[1] = best;
	}
}

WRAP(struct matrix, stack_at, const struct stack *stack, size_t i)
{
	if (planted == LAST_EXPERT_OTHER && i + 1 == stack->n)
		i = 0;
	if (planted == EXPERTS_SHIFTED)
		i = (i + 1) % stack->n;
	return __real_stack_at(stack, i);
}

WRAP(size_t, cache_rewind, struct cache *cache, size_t pos)
{
	size_t first = planted == STATE_STAYS_PARTLY ? cache->n_floats - cache->n_floats / 8 : 0;
	size_t bytes = (cache->n_floats - first) * sizeof(float), reach;
	float *states;

	if ((planted != STATE_STAYS && planted != STATE_STAYS_PARTLY) || !cache->n_floats)
		return __real_cache_rewind(cache, pos);
	states = must_have(malloc(bytes));
	memcpy(states, cache->states[cache->now] + first, bytes);
	reach = __real_cache_rewind(cache, pos);
	if (reach)
		memcpy(cache->states[cache->now] + first, states, bytes);
	free(states);
	return reach;
}

/* Flags and what is put before, for both ways to encode. */
static unsigned spoil(const struct tokenizer *tokenizer, unsigned flags, struct token_list *out)
{
	if (planted == BOS_MISSING)
		flags &= ~(unsigned)ENCODE_BOS;
	if (planted == BOS_DOUBLED && (flags & ENCODE_BOS) && token_list_push(out, tokenizer_bos(tokenizer)))
		abort();
	return flags;
}

WRAP(enum status, tokenizer_encode, const struct tokenizer *tokenizer, const char *text, size_t len, unsigned flags,
     struct token_list *out, struct error *err)
{
	return __real_tokenizer_encode(tokenizer, text, len, spoil(tokenizer, flags, out), out, err);
}

WRAP(enum status, tokenizer_encode_spans, const struct tokenizer *tokenizer, const struct text_span *spans, size_t n,
     unsigned flags, struct token_list *out, struct error *err)
{
	return __real_tokenizer_encode_spans(tokenizer, spans, n, spoil(tokenizer, flags, out), out, err);
}
