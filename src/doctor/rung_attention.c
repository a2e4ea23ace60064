/* The rung about attention: what heads give, against softmax(q k) v in double precision over the keys and values that
 * went to the cache, and, where they do not agree, against the usual mistakes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "doctor/reference.h"
#include "doctor/rung.h"
#include "kernels/float16.h"

enum { QUERIES = 5 }; /* looked at in a layer: the last ones, and one in the middle */

/* How a head attends: as the plan says, but for these. */
struct attending {
	int window_off;     /* positions more than the window has */
	size_t heads_off;   /* groups of keys further on */
	bool alternate;     /* head h has the keys of h modulo their number, rather than neighbours sharing them */
	bool sees_ahead;
	size_t kv_layer;    /* whose keys and values */
};

/* What the cache's type keeps of a number; of Q8_0 the tolerance is wider instead. */
static double kept(int type, float x)
{
	return (double)(type == KV_F16 ? f32_from_f16(f16_from_f32(x)) : x);
}

static double most_attention(const struct patient *p)
{
	return p->params.kv_type_k == KV_Q8_0 || p->params.kv_type_v == KV_Q8_0 ? 0.1 : 0.005;
}

static bool is_seen(const struct layer_plan *l, const struct attending *how, size_t pos, size_t at)
{
	size_t window = l->window ? (size_t)((long)l->window + how->window_off) : 0;

	if (at > pos)
		return how->sees_ahead;
	if (l->by_chunks && window)
		return at >= pos / window * window;
	return !window || at + window > pos;
}

static size_t keys_of(const struct layer_plan *l, const struct attending *how, size_t head)
{
	size_t group = l->n_head / l->n_head_kv;

	return ((how->alternate ? head % l->n_head_kv : head / group) + how->heads_off) % l->n_head_kv;
}

/* One head at one position, into out[head_dim_v]; `weights`: memory for n_ids. False: something was not seen. */
static bool attend(const struct patient *p, size_t layer, const struct attending *how, size_t pos, size_t head,
                   double *weights, double *out)
{
	const struct layer_plan *l = &p->plan->layers[layer];
	const float *sinks = p->weights->layers[layer].sinks;
	const float *q = record_row(&p->record, PROBE_QUERY, layer, pos);
	size_t from = keys_of(l, how, head), n = how->sees_ahead ? p->record.end[pos] : pos + 1;
	double most = sinks ? (double)sinks[head] : -(double)INFINITY, sum = 0;

	for (size_t at = 0; at < n; at++) {
		const float *k = record_row(&p->record, PROBE_KEY, how->kv_layer, at);
		double score = 0;

		if (!q || !k)
			return false;
		for (size_t i = 0; i < l->head_dim_k; i++)
			score += (double)q[head * l->head_dim_k + i] * kept(p->params.kv_type_k, k[from * l->head_dim_k + i]);
		score *= (double)l->attention_scale;
		if (l->softcap > 0)
			score = (double)l->softcap * tanh(score / (double)l->softcap);
		weights[at] = is_seen(l, how, pos, at) ? score : -(double)INFINITY;
		most = fmax(most, weights[at]);
	}
	for (size_t at = 0; at < n; at++)
		sum += weights[at] = exp(weights[at] - most);
	sum += sinks ? exp((double)sinks[head] - most) : 0;
	for (size_t i = 0; i < l->head_dim_v; i++)
		out[i] = 0;
	for (size_t at = 0; at < n; at++) {
		const float *v = record_row(&p->record, PROBE_VALUE, how->kv_layer, at);

		for (size_t i = 0; v && i < l->head_dim_v; i++)
			out[i] += weights[at] / sum * kept(p->params.kv_type_v, v[from * l->head_dim_v + i]);
	}
	return true;
}

/* The largest distance of n heads of a layer, from `first` on, from what a way of attending gives; infinity: it cannot
 * be so. Reckoned apart from trace/attention.c, of the values as the cache keeps them: both are to find the other's
 * mistakes, too. */
static double distance_of_heads(const struct patient *p, size_t layer, const struct attending *how, size_t first, size_t n,
                                double *memory)
{
	const struct layer_plan *l = &p->plan->layers[layer], *other = &p->plan->layers[how->kv_layer];
	double *weights = memory, *out = memory + p->n_ids, most = 0;

	if (!(other->mixers & MIXER_ATTENTION) || other->n_head_kv != l->n_head_kv || other->head_dim_k != l->head_dim_k ||
	    other->head_dim_v != l->head_dim_v || (l->window && (long)l->window + how->window_off < 1))
		return (double)INFINITY;
	for (size_t i = 0; i < QUERIES && i < p->n_ids; i++) {
		size_t pos = i + 1 < QUERIES ? p->n_ids - 1 - i : p->n_ids / 2;
		const float *got = record_row(&p->record, PROBE_HEADS, layer, pos);

		for (size_t h = 0; h < n; h++)
			if (!attend(p, layer, how, pos, first + h, weights, out + h * l->head_dim_v))
				return how->kv_layer == l->kv_layer ? 0 : (double)INFINITY;
		if (got)
			most = fmax(most, reference_distance(got + first * l->head_dim_v, out, n * l->head_dim_v));
	}
	return most;
}

static double distance_of(const struct patient *p, size_t layer, const struct attending *how, double *memory)
{
	return distance_of_heads(p, layer, how, 0, p->plan->layers[layer].n_head, memory);
}

/* A mistake may be that of some heads only. */
static size_t worst_head(const struct patient *p, size_t layer, double *distance, double *memory)
{
	const struct layer_plan *l = &p->plan->layers[layer];
	size_t worst = 0;

	*distance = -1;
	for (size_t h = 0; h < l->n_head; h++) {
		double found = distance_of_heads(p, layer, &(struct attending){.kv_layer = l->kv_layer}, h, 1, memory);

		if (found > *distance) {
			*distance = found;
			worst = h;
		}
	}
	return worst;
}

/* A layer that finds nothing, or what is another layer's, where its keys and values should be: into `cause`. It need not
 * be the first one whose heads are wrong. */
static void look_for_layer(const struct patient *p, double *memory, size_t n, char *cause)
{
	for (size_t i = 0; i < p->plan->n_layer; i++) {
		const struct layer_plan *l = &p->plan->layers[i];
		struct attending how = {.kv_layer = l->kv_layer};
		const float *heads = record_row(&p->record, PROBE_HEADS, i, p->n_ids - 1);
		bool is_empty = heads != NULL;

		if (!(l->mixers & MIXER_ATTENTION) || distance_of(p, i, &how, memory) <= most_attention(p))
			continue;
		for (size_t k = 0; heads && k < record_width(&p->record, PROBE_HEADS, i); k++)
			is_empty &= !(heads[k] < 0) && !(heads[k] > 0);
		if (is_empty) {
			snprintf(cause, n, "The cache of another layer is read: layer %zu finds no keys and values.", i);
			return;
		}
		for (how.kv_layer = 0; how.kv_layer < p->plan->n_layer; how.kv_layer++)
			if (how.kv_layer != l->kv_layer && distance_of(p, i, &how, memory) <= most_attention(p)) {
				snprintf(cause, n, "The cache of another layer is read: layer %zu attends to the keys and values of layer %zu.",
				         i, how.kv_layer);
				return;
			}
	}
}

/* The mistake that fits best, if one does. */
static void tell(const struct patient *p, size_t layer, double *memory, struct diagnosis *out)
{
	static const char unknown[] = "Attention is wrong.";
	const struct layer_plan *l = &p->plan->layers[layer];
	double distance, best, found;
	size_t head = worst_head(p, layer, &distance, memory);
	char cause[160];

	snprintf(cause, sizeof cause, "%s", unknown);
	best = fmin(4 * most_attention(p), distance / 2);
#define TRY(fits, ...) \
	do { \
		struct attending how = {.kv_layer = l->kv_layer}; \
\
		fits; \
		found = distance_of_heads(p, layer, &how, head, 1, memory); \
		if (found < best) { \
			best = found; \
			snprintf(cause, sizeof cause, __VA_ARGS__); \
		} \
	} while (0)
	for (int off = -1; off <= 1 && l->window; off += 2)
		TRY(how.window_off = off, "The window of attention is off by one: layer %zu sees %d positions, and the file says %u.",
		    layer, (int)l->window + off, (unsigned)l->window);
	for (size_t r = 1; r < l->n_head_kv; r++)
		TRY(how.heads_off = r, "The mapping of heads is rotated: queries attend with the keys of another group, %zu further on.",
		    r);
	TRY(how.alternate = true, "The mapping of heads is wrong: query heads share keys in turns, not as neighbours.");
	TRY(how.sees_ahead = true, "Attention sees tokens that come later.");
#undef TRY
	if (strcmp(cause, unknown) == 0)
		look_for_layer(p, memory, sizeof cause, cause);
	diagnose_finding(out, cause, "What head %zu of layer %zu gives is off by %.2g of its size.", head, layer, distance);
	diagnose_show(out, "sotto trace -m %s -p Hello --attention %zu,%zu", p->params.model, layer, head);
}

enum status check_attention(struct patient *p, struct diagnosis *out, struct error *err)
{
	size_t widest = 0, n = 0, sees_window = 0;
	double *memory;

	for (size_t i = 0; i < p->plan->n_layer; i++) {
		const struct layer_plan *l = &p->plan->layers[i];

		if (!(l->mixers & MIXER_ATTENTION))
			continue;
		n++;
		sees_window += l->window && l->window < p->n_ids;
		if ((size_t)l->n_head * l->head_dim_v > widest)
			widest = (size_t)l->n_head * l->head_dim_v;
	}
	if (!n) {
		diagnose_skipped(out, "No layer attends.");
		return STATUS_OK;
	}
	memory = alloc_array(p->n_ids + widest, sizeof *memory);
	if (!memory)
		return error_no_memory(err, NULL);
	diagnose_fine(out, "%zu layers, in %zu of them past a window.", n, sees_window);
	diagnose_number(out, 0, "largest difference from the formula, relative");
	for (size_t i = 0; i < p->plan->n_layer && out->verdict == VERDICT_FINE; i++) {
		struct attending how = {.kv_layer = p->plan->layers[i].kv_layer};
		double distance;

		if (!(p->plan->layers[i].mixers & MIXER_ATTENTION))
			continue;
		distance = distance_of(p, i, &how, memory);
		out->number = fmax(out->number, distance);
		if (distance > most_attention(p))
			tell(p, i, memory, out);
	}
	free(memory);
	return STATUS_OK;
}
