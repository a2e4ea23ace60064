#include "support/reference.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/quant.h"

enum { N_MAX = 64 }; /* tokens */

static void *checked(void *p)
{
	if (!p)
		abort();
	return p;
}

static double *zeros(size_t n)
{
	return checked(calloc(n, sizeof(double)));
}

/* A tensor's weights, NULL when the file has none of that name. */
static double *load(const struct gguf *gguf, const char *name)
{
	const struct gguf_tensor *tensor = gguf_find_tensor(gguf, name);
	size_t n = tensor ? (size_t)(tensor->ne[0] * tensor->ne[1]) : 0;
	float *floats;
	double *out;

	if (!tensor)
		return NULL;
	floats = checked(calloc(n, sizeof *floats));
	quant_find(tensor->type)->dequantize(tensor->data, floats, n);
	out = zeros(n);
	for (size_t i = 0; i < n; i++)
		out[i] = (double)floats[i];
	free(floats);
	return out;
}

/* y = W x + b, with W of the tensor blk.LAYER.NAME.weight; layer < 0: NAME.weight */
static void linear(const struct gguf *gguf, int layer, const char *name, const double *x,
                   size_t n_in, double *y, size_t n_out)
{
	char full[64];
	double *w, *b;

	if (layer >= 0)
		snprintf(full, sizeof full, "blk.%d.%s.weight", layer, name);
	else
		snprintf(full, sizeof full, "%s.weight", name);
	w = checked(load(gguf, full));
	snprintf(full, sizeof full, "blk.%d.%s.bias", layer, name);
	b = load(gguf, full);
	for (size_t i = 0; i < n_out; i++) {
		y[i] = b ? b[i] : 0;
		for (size_t j = 0; j < n_in; j++)
			y[i] += w[i * n_in + j] * x[j];
	}
	free(w);
	free(b);
}

static void norm(const struct gguf *gguf, const char *name, const double *x, size_t n, double *y)
{
	double *w = checked(load(gguf, name)), mean = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] * x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		y[i] = x[i] / sqrt(mean + (double)1e-5f) * w[i];
	free(w);
}

static void rotate(const struct tiny_model *tiny, const double *factors, double *head, size_t dim,
                   size_t pos)
{
	size_t n_rot = tiny->rope_dim ? tiny->rope_dim : dim;

	for (size_t i = 0; i < n_rot / 2; i++) {
		double angle = (double)pos / pow(10000, 2 * (double)i / (double)n_rot);
		double a = head[2 * i], b = head[2 * i + 1];

		if (tiny->rope_factor > 0)
			angle /= (double)tiny->rope_factor;
		if (factors)
			angle /= factors[i];
		head[2 * i] = a * cos(angle) - b * sin(angle);
		head[2 * i + 1] = a * sin(angle) + b * cos(angle);
	}
}

struct cache {
	double *k[N_MAX], *v[N_MAX];
};

static void attend(const struct tiny_model *tiny, const struct cache *cache, size_t pos,
                   const double *q, size_t dk, size_t dv, double *out)
{
	for (size_t h = 0; h < tiny->n_head; h++) {
		size_t shared = h * tiny->n_head_kv / tiny->n_head;
		double p[N_MAX], sum = 0;

		for (size_t j = 0; j <= pos; j++) {
			double score = 0;

			for (size_t d = 0; d < dk; d++)
				score += q[h * dk + d] * cache->k[j][shared * dk + d];
			p[j] = tiny->window && pos - j >= tiny->window ? 0
			                                               : exp(score / sqrt((double)dk));
			sum += p[j];
		}
		for (size_t d = 0; d < dv; d++) {
			out[h * dv + d] = 0;
			for (size_t j = 0; j <= pos; j++)
				out[h * dv + d] += p[j] / sum * cache->v[j][shared * dv + d];
		}
	}
}

static void layer(const struct tiny_model *tiny, const struct gguf *gguf, int il, size_t pos,
                  const double *factors, struct cache *cache, double *x)
{
	size_t n_embd = tiny->n_embd, n_ff = tiny->n_ff;
	size_t dk = tiny->key_length ? tiny->key_length : n_embd / tiny->n_head;
	size_t dv = tiny->value_length ? tiny->value_length : n_embd / tiny->n_head;
	double *y = zeros(n_embd), *q = zeros(dk * tiny->n_head), *o = zeros(dv * tiny->n_head);
	double *gate = zeros(n_ff), *up = zeros(n_ff);
	char name[64];

	cache->k[pos] = zeros(dk * tiny->n_head_kv);
	cache->v[pos] = zeros(dv * tiny->n_head_kv);
	snprintf(name, sizeof name, "blk.%d.attn_norm.weight", il);
	norm(gguf, name, x, n_embd, y);
	linear(gguf, il, "attn_q", y, n_embd, q, dk * tiny->n_head);
	linear(gguf, il, "attn_k", y, n_embd, cache->k[pos], dk * tiny->n_head_kv);
	linear(gguf, il, "attn_v", y, n_embd, cache->v[pos], dv * tiny->n_head_kv);
	for (size_t h = 0; h < tiny->n_head; h++)
		rotate(tiny, factors, q + h * dk, dk, pos);
	for (size_t h = 0; h < tiny->n_head_kv; h++)
		rotate(tiny, factors, cache->k[pos] + h * dk, dk, pos);
	attend(tiny, cache, pos, q, dk, dv, o);
	linear(gguf, il, "attn_output", o, dv * tiny->n_head, y, n_embd);
	for (size_t i = 0; i < n_embd; i++)
		x[i] += y[i];
	snprintf(name, sizeof name, "blk.%d.ffn_norm.weight", il);
	norm(gguf, name, x, n_embd, y);
	linear(gguf, il, "ffn_gate", y, n_embd, gate, n_ff);
	linear(gguf, il, "ffn_up", y, n_embd, up, n_ff);
	for (size_t i = 0; i < n_ff; i++)
		gate[i] *= up[i] / (1 + exp(-gate[i]));
	linear(gguf, il, "ffn_down", gate, n_ff, y, n_embd);
	for (size_t i = 0; i < n_embd; i++)
		x[i] += y[i];
	free(y);
	free(q);
	free(o);
	free(gate);
	free(up);
}

void reference_logits(const struct tiny_model *tiny, const struct gguf *gguf, const int32_t *ids,
                      size_t n, double *logits)
{
	size_t n_embd = tiny->n_embd;
	size_t n_vocab = (size_t)gguf_find_tensor(gguf, "token_embd.weight")->ne[1];
	double *embedding = checked(load(gguf, "token_embd.weight"));
	double *factors = load(gguf, "rope_freqs.weight"), *x = zeros(n_embd), *y = zeros(n_embd);
	struct cache *caches = checked(calloc(tiny->n_layer, sizeof *caches));

	for (size_t pos = 0; pos < n; pos++) {
		for (size_t i = 0; i < n_embd; i++)
			x[i] = embedding[(size_t)ids[pos] * n_embd + i];
		for (uint32_t il = 0; il < tiny->n_layer; il++)
			layer(tiny, gguf, (int)il, pos, factors, &caches[il], x);
		norm(gguf, "output_norm.weight", x, n_embd, y);
		linear(gguf, -1, tiny->tied ? "token_embd" : "output", y, n_embd,
		       logits + pos * n_vocab, n_vocab);
	}
	for (uint32_t il = 0; il < tiny->n_layer; il++)
		for (size_t pos = 0; pos < n; pos++) {
			free(caches[il].k[pos]);
			free(caches[il].v[pos]);
		}
	free(caches);
	free(embedding);
	free(factors);
	free(x);
	free(y);
}
