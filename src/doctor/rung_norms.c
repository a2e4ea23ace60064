/* The rung about norms: what goes in and comes out, against the formula with the plan's epsilon. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "doctor/reference.h"
#include "doctor/rung.h"

static const double most_norm = 1e-3; /* of the whole result */
/* An epsilon says something only as far as sums in single precision do. */
static const double sum_precision = 4e-6, most_epsilon = 0.02;

struct norm_case {
	enum probe_place in, out;
	size_t layer;                     /* of `out`, and of ... */
	size_t layer_in;
	const struct norm_weights *weights;
	const char *name;
};

/* Sums for the epsilon that a row was really divided with: out = x w / sqrt(mean square + eps). */
static double observed_epsilon(const struct norm_case *c, const double *x, const float *got, double mean_square)
{
	double product = 0, square = 0, by;

	for (size_t k = 0; k < c->weights->dim; k++) {
		double xw = x[k] * (c->weights->weight ? (double)c->weights->weight[k] : 1);

		product += xw * ((double)got[k] - (c->weights->bias ? (double)c->weights->bias[k] : 0));
		square += xw * xw;
	}
	by = square > 0 ? product / square : 1;
	return 1 / (by * by) - mean_square;
}

static double mean_square_of(const struct patient *p, double *x, size_t n)
{
	double mean = 0, square = 0;

	for (size_t k = 0; k < n && p->plan->norm == NORM_LAYER; k++)
		mean += x[k] / (double)n;
	for (size_t k = 0; k < n; k++) {
		x[k] -= mean;
		square += x[k] * x[k] / (double)n;
	}
	return square;
}

static bool judge_row(const struct patient *p, const struct norm_case *c, size_t pos, double *x, double *want,
                      struct diagnosis *out)
{
	const float *in = record_row(&p->record, c->in, c->layer_in, pos);
	const float *got = record_row(&p->record, c->out, c->layer, pos);
	double eps = (double)p->plan->norm_eps, distance, mean_square, seen, with_seen;
	size_t n = c->weights->dim;

	if (!in || !got || record_width(&p->record, c->in, c->layer_in) != n || record_width(&p->record, c->out, c->layer) != n)
		return true;
	for (size_t k = 0; k < n; k++)
		x[k] = (double)in[k];
	reference_norm(p->plan->norm, eps, c->weights, 0, x, want);
	distance = reference_distance(got, want, n);
	mean_square = mean_square_of(p, x, n);
	seen = observed_epsilon(c, x, got, mean_square);
	out->number = fmax(out->number, distance);
	reference_norm(p->plan->norm, fmax(seen, 0), c->weights, 0, x, want);
	with_seen = reference_distance(got, want, n);
	if (p->plan->norm != NORM_L2 && fabs(seen - eps) > sum_precision * (mean_square + eps) + most_epsilon * eps &&
	    with_seen < distance / 4) {
		diagnose_finding(out, "The epsilon of the norms is wrong.",
		                 "%s of layer %zu divides as if it were %.3g; the file says %.3g.", c->name, c->layer, seen, eps);
	} else if (distance > most_norm) {
		diagnose_finding(out, "The norms are wrong.", "%s of layer %zu is off by %.2g of its size.", c->name, c->layer,
		                 distance);
	} else {
		return true;
	}
	diagnose_show(out, "sotto trace -m %s -p Hello --layers", p->params.model);
	return false;
}

static bool judge_case(const struct patient *p, const struct norm_case *c, double *x, double *want, struct diagnosis *out)
{
	for (size_t pos = 0; pos < p->n_ids && c->weights->dim == p->plan->n_embd; pos += 3)
		if (!judge_row(p, c, pos, x, want, out))
			return false;
	return true;
}

enum status check_norms(struct patient *p, struct diagnosis *out, struct error *err)
{
	size_t n_layer = p->plan->n_layer;
	double *x = alloc_array(p->plan->n_embd, sizeof *x), *want = alloc_array(p->plan->n_embd, sizeof *want);
	bool is_fine = x && want, has_memory = is_fine;

	diagnose_fine(out, "Epsilon is %.3g.", (double)p->plan->norm_eps);
	diagnose_number(out, 0, "largest difference from the formula, relative");
	for (size_t i = 0; i < n_layer && is_fine; i++) {
		const struct layer_weights *w = &p->weights->layers[i];
		const struct norm_case mixer = {PROBE_ENTRY, PROBE_MIXER_IN, i, i, &w->attn_norm, "The norm before the mixer"};
		const struct norm_case ffn = {PROBE_BETWEEN, PROBE_FFN_IN, i, i, &w->ffn_norm, "The norm before the feed-forward"};

		is_fine = judge_case(p, &mixer, x, want, out) && judge_case(p, &ffn, x, want, out);
	}
	/* With streams beside the residual one, the last norm takes a mixture of them. */
	if (is_fine && !p->plan->n_side_streams) {
		const struct norm_case last = {PROBE_STREAM, PROBE_FINAL, n_layer, n_layer - 1, &p->weights->output_norm,
		                               "The last norm"};

		judge_case(p, &last, x, want, out);
	}
	free(x);
	free(want);
	return has_memory ? STATUS_OK : error_no_memory(err, NULL);
}
