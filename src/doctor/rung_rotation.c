/* The rung about rotary positions: what queries and keys are before and after their rotation, against the formula of the
 * plan, and, where they do not agree, against the usual mistakes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "doctor/reference.h"
#include "doctor/rung.h"
#include "kernels/attention.h"

static const double most_rotation = 1e-3;

/* Which position a token is rotated by, and how. */
enum position {
	AT_POSITION, AT_ZERO, IN_BATCH, AT_BATCH, AT_BATCH_END, BEHIND_BATCH, ONE_BEFORE, ONE_BEHIND, BACKWARD, FIXED
};

struct turning {
	enum position position;
	bool other_pairing;
	double base; /* in place of the plan's; 0: the plan's */
	double fixed; /* FIXED: this position */
};

/* Pair i's angle for a position, from the plan: apart from model/ropes.c. */
static double frequency(const struct patient *p, int rope, size_t i, double base)
{
	const struct rope_plan *r = &p->plan->ropes[rope];
	const struct weights *w = p->weights;
	const float *factors = w->rope_factors;
	double own = (double)r->yarn * (1 - fmin(1, fmax(0, ((double)i - (double)r->low) /
	                                                     fmax(0.001, (double)r->high - (double)r->low))));

	if (w->rope_factors_long)
		factors = session_n_ctx(p->session) > p->plan->n_ctx_original ? w->rope_factors_long : w->rope_factors_short;
	return pow(base, -2.0 * (double)i / (double)r->dim) * ((double)r->freq_scale * (1 - own) + own) /
	       (factors && rope == 0 ? (double)factors[i] : 1);
}

static double position_of(const struct patient *p, const struct turning *how, size_t pos)
{
	double begin = (double)p->record.begin[pos], end = (double)p->record.end[pos];

	switch (how->position) {
	case AT_ZERO: return 0;
	case IN_BATCH: return (double)pos - begin;
	case AT_BATCH: return begin;
	case AT_BATCH_END: return end;
	case BEHIND_BATCH: return (double)pos + end - begin;
	case FIXED: return how->fixed;
	case ONE_BEFORE: return (double)pos - 1;
	case ONE_BEHIND: return (double)pos + 1;
	case BACKWARD: return -(double)pos;
	case AT_POSITION: break;
	}
	return (double)pos;
}

/* What stands before and after the rotation. */
struct side {
	enum probe_place plain, turned;
	const struct norm_weights *norm;
	size_t n_heads;
	bool is_query;
	size_t first, n_looked; /* heads that are compared */
};

/* Rotates heads x[n_heads][dim] in place. */
static void turn(const struct patient *p, const struct layer_plan *l, const struct turning *how, size_t pos,
                 size_t n_heads, double *x)
{
	const struct rope_plan *r = &p->plan->ropes[l->rope];
	bool adjacent = (r->pairing == ROPE_ADJACENT) != how->other_pairing;
	size_t n_pairs = r->dim / 2;
	double at = position_of(p, how, pos);

	for (size_t i = 0; i < n_pairs; i++) {
		double angle = at * frequency(p, l->rope, i, how->base > 0 ? how->base : (double)r->base);
		double c = cos(angle) * (double)r->magnitude, s = sin(angle) * (double)r->magnitude;
		size_t a = adjacent ? 2 * i : i, b = adjacent ? 2 * i + 1 : i + n_pairs;

		for (size_t h = 0; h < n_heads; h++) {
			double *head = x + h * l->head_dim_k, first = head[a], second = head[b];

			head[a] = first * c - second * s;
			head[b] = first * s + second * c;
		}
	}
}

/* What comes after the rotation, in some models. */
static void finish(const struct patient *p, const struct layer_plan *l, const struct side *side, size_t pos, double *x)
{
	const struct norm_weights plain = {.dim = l->head_dim_k, .n = 1};
	size_t width = side->n_heads * l->head_dim_k;
	double eps = (double)p->plan->norm_eps;

	for (size_t i = 0; l->norms_after_rope && side->norm->dim && i < width / side->norm->dim; i++)
		reference_norm(p->plan->norm, eps, side->norm, i, x + i * side->norm->dim, x + i * side->norm->dim);
	for (size_t h = 0; l->norms_heads && h < side->n_heads; h++)
		reference_norm(NORM_RMS, eps, &plain, h, x + h * l->head_dim_k, x + h * l->head_dim_k);
	if (side->is_query && l->temperature_scale > 0) {
		size_t at = pos + p->plan->temperature_shift;
		double by = 1 + (double)l->temperature_scale * log(1 + (double)(at / p->plan->temperature_length));

		for (size_t i = 0; i < width; i++)
			x[i] *= by;
	}
}

/* How far a token is from what a way of turning gives; -1: it was not seen. */
static double distance_at(const struct patient *p, size_t layer, const struct side *side, const struct turning *how,
                          size_t pos, double *x)
{
	const struct layer_plan *l = &p->plan->layers[layer];
	const float *plain = record_row(&p->record, side->plain, layer, pos);
	const float *turned = record_row(&p->record, side->turned, layer, pos);
	size_t width = side->n_heads * l->head_dim_k;

	if (!plain || !turned || record_width(&p->record, side->plain, layer) != width)
		return -1;
	for (size_t i = 0; i < width; i++)
		x[i] = (double)plain[i];
	turn(p, l, how, pos, side->n_heads, x);
	finish(p, l, side, pos, x);
	return reference_distance(turned + side->first * l->head_dim_k, x + side->first * l->head_dim_k,
	                          side->n_looked * l->head_dim_k);
}

/* The largest over all positions of a layer. */
static double distance_of(const struct patient *p, size_t layer, const struct side *side, const struct turning *how,
                          double *x)
{
	double most = -1;

	for (size_t pos = 0; pos < p->n_ids && pos < 48; pos++)
		most = fmax(most, distance_at(p, layer, side, how, pos, x));
	return most;
}

/* A mistake may be that of some heads only: the one that is furthest off. */
static struct side worst_head(const struct patient *p, size_t layer, const struct side *side, double *x)
{
	struct side worst = *side, one = *side;
	double most = -1;

	one.n_looked = 1;
	for (one.first = 0; one.first < side->n_heads; one.first++) {
		double distance = distance_of(p, layer, &one, &(struct turning){0}, x);

		if (distance > most) {
			most = distance;
			worst = one;
		}
	}
	return worst;
}

/* The first token that is rotated by another position than its own, and which; false: there is none that fits. */
static bool find_position(const struct patient *p, size_t layer, const struct side *side, size_t *token, size_t *as,
                          double *x)
{
	struct turning how = {.position = FIXED};

	for (*token = 0; *token < p->n_ids && *token < 48; ++*token) {
		if (distance_at(p, layer, side, &(struct turning){0}, *token, x) < most_rotation)
			continue;
		for (*as = 0; *as < p->n_ids + 48; ++*as) {
			how.fixed = (double)*as;
			if (distance_at(p, layer, side, &how, *token, x) < most_rotation)
				return true;
		}
		return false;
	}
	return false;
}

/* The base that position 1 was really turned by, from the second pair; 0: not known. */
static double observed_base(const struct patient *p, size_t layer, const struct side *side)
{
	const struct layer_plan *l = &p->plan->layers[layer];
	const struct rope_plan *r = &p->plan->ropes[l->rope];
	const float *plain = record_row(&p->record, side->plain, layer, 1);
	const float *turned = record_row(&p->record, side->turned, layer, 1);
	size_t n_pairs = r->dim / 2, a = r->pairing == ROPE_ADJACENT ? 2 : 1;
	size_t b = r->pairing == ROPE_ADJACENT ? 3 : 1 + n_pairs;
	double re = 0, im = 0, observed;

	if (!plain || !turned || n_pairs < 2 || l->norms_after_rope)
		return 0;
	for (size_t h = side->first; h < side->first + side->n_looked; h++) {
		size_t at = h * l->head_dim_k;
		double px = (double)plain[at + a], py = (double)plain[at + b], tx = (double)turned[at + a], ty = (double)turned[at + b];

		re += px * tx + py * ty;
		im += px * ty - py * tx;
	}
	observed = atan2(im, re) / frequency(p, l->rope, 1, (double)r->base);
	return observed > 0 ? (double)r->base * pow(observed, -(double)r->dim / 2) : 0;
}

static void tell(const struct patient *p, size_t layer, const struct side *all, double distance, double *x,
                 struct diagnosis *out)
{
	static const struct { struct turning how; const char *cause; } mistakes[] = {
		{{.position = AT_ZERO}, "The position is stuck at 0: every token is rotated as if it were the first."},
		{{.position = IN_BATCH}, "The position is stuck at 0: every batch begins again with the first one."},
		{{.position = AT_BATCH}, "The position is taken from the cache's length, not from the token's place."},
		{{.position = AT_BATCH_END}, "The position is taken from the cache's length, not from the token's place."},
		{{.position = BEHIND_BATCH}, "The position is taken from the cache's length, not from the token's place."},
		{{.position = ONE_BEFORE}, "The position is one too small."},
		{{.position = ONE_BEHIND}, "The position is one too large."},
		{{.position = BACKWARD}, "The rotation goes backward."},
		{{.other_pairing = true}, "The pairing of the rotation is swapped: neighbours and halves of a head are mixed up."},
	};
	const struct rope_plan *r = &p->plan->ropes[p->plan->layers[layer].rope];
	const struct side worst = worst_head(p, layer, all, x), *side = &worst;
	const char *cause = "The rotation by position is wrong.";
	double base = observed_base(p, layer, side);
	size_t token, as;
	char with_numbers[160];

	if (find_position(p, layer, side, &token, &as, x)) {
		snprintf(with_numbers, sizeof with_numbers, "The position is wrong: token %zu is rotated as if it were at %zu.", token, as);
		cause = with_numbers;
	}
	for (size_t i = sizeof mistakes / sizeof mistakes[0]; i-- > 0;)
		if (distance_of(p, layer, side, &mistakes[i].how, x) < most_rotation)
			cause = mistakes[i].cause;
	if (base > 0 && distance_of(p, layer, side, &(struct turning){.base = base}, x) < 10 * most_rotation) {
		snprintf(with_numbers, sizeof with_numbers, "The base of the rotation is wrong: it is %.6g, and the file says %.6g.",
		         base, (double)r->base);
		cause = with_numbers;
	}
	diagnose_finding(out, cause, "The %s of layer %zu are off by %.2g of their size.",
	                 side->is_query ? "queries" : "keys", layer, distance);
	diagnose_show(out, "sotto trace -m %s -p Hello --rope 7", p->params.model);
}

static bool judge_layer(const struct patient *p, size_t layer, double *x, struct diagnosis *out)
{
	const struct layer_plan *l = &p->plan->layers[layer];
	const struct layer_weights *w = &p->weights->layers[layer];
	const struct side sides[] = {{PROBE_QUERY_PLAIN, PROBE_QUERY, &w->q_norm, l->n_head, true, 0, l->n_head},
	                             {PROBE_KEY_PLAIN, PROBE_KEY, &w->k_norm, l->n_head_kv, false, 0, l->n_head_kv}};

	for (size_t i = 0; i < 2; i++) {
		double distance = distance_of(p, layer, &sides[i], &(struct turning){0}, x);

		out->number = fmax(out->number, distance);
		if (distance >= most_rotation) {
			tell(p, layer, &sides[i], distance, x, out);
			return false;
		}
	}
	return true;
}

enum status check_rotation(struct patient *p, struct diagnosis *out, struct error *err)
{
	size_t widest = 1, n = 0;
	double *x;

	for (size_t i = 0; i < p->plan->n_layer; i++) {
		const struct layer_plan *l = &p->plan->layers[i];

		if ((l->mixers & MIXER_ATTENTION) && (size_t)l->n_head * l->head_dim_k > widest)
			widest = (size_t)l->n_head * l->head_dim_k;
		n += (l->mixers & MIXER_ATTENTION) && l->rope != ROPE_NONE;
	}
	if (!n) {
		diagnose_skipped(out, "No layer rotates anything.");
		return STATUS_OK;
	}
	x = alloc_array(widest, sizeof *x);
	if (!x)
		return error_no_memory(err, NULL);
	diagnose_fine(out, "%zu layers; base %.6g.", n, (double)p->plan->ropes[0].base);
	diagnose_number(out, 0, "largest difference from the formula, relative");
	for (size_t i = 0; i < p->plan->n_layer; i++)
		if ((p->plan->layers[i].mixers & MIXER_ATTENTION) && p->plan->layers[i].rope != ROPE_NONE &&
		    !judge_layer(p, i, x, out))
			break;
	free(x);
	return STATUS_OK;
}
