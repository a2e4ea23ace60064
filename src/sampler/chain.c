#include "sampler/chain.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sampler/candidates.h"
#include "sampler/filters.h"
#include "sampler/penalties.h"
#include "sampler/temperature.h"

struct sampler {
	size_t n_vocab;
	float *logits;           /* n_vocab: after penalties */
	struct candidate *items; /* n_vocab */
	uint32_t *counts;        /* n_vocab zeros, for penalties and DRY */
	int32_t *forbidden;      /* n_forbidden of them */
	size_t n_forbidden, cap;
	struct sampler_biases biases;
	struct dry_breakers *breakers; /* NULL: none */
	uint32_t *lengths;             /* n_lengths: DRY's, as many as the longest history needed */
	size_t n_lengths;
};

void sampler_state_init(struct sampler_state *state, uint64_t seed)
{
	*state = (struct sampler_state){0};
	rng_init(&state->rng, seed);
}

enum status sampler_create(struct sampler **out, size_t n_vocab, struct error *err)
{
	struct sampler *s = alloc_array(1, sizeof *s);

	*out = NULL;
	if (s) {
		s->n_vocab = n_vocab;
		s->logits = alloc_array(n_vocab, sizeof *s->logits);
		s->items = alloc_array(n_vocab, sizeof *s->items);
		s->counts = alloc_array(n_vocab, sizeof *s->counts);
	}
	if (!s || !s->logits || !s->items || !s->counts) {
		sampler_free(s);
		return error_set(err, STATUS_NOMEM, "not enough memory for the sampler");
	}
	*out = s;
	return STATUS_OK;
}

void sampler_free(struct sampler *s)
{
	if (!s)
		return;
	free(s->logits);
	free(s->items);
	free(s->counts);
	free(s->forbidden);
	sampler_biases_free(&s->biases);
	dry_breakers_free(s->breakers);
	free(s->lengths);
	free(s);
}

size_t sampler_n_vocab(const struct sampler *s)
{
	return s->n_vocab;
}

enum status sampler_forbid(struct sampler *s, int32_t id, struct error *err)
{
	if (id < 0 || (size_t)id >= s->n_vocab)
		return STATUS_OK;
	if (!alloc_grow(&s->forbidden, &s->cap, s->n_forbidden + 1, sizeof *s->forbidden, s->n_vocab))
		return error_set(err, STATUS_NOMEM, "not enough memory for the sampler");
	s->forbidden[s->n_forbidden++] = id;
	return STATUS_OK;
}

enum status sampler_biases_add(struct sampler_biases *biases, int32_t id, float value,
                               struct error *err)
{
	if (!alloc_grow(&biases->items, &biases->cap, biases->n + 1, sizeof *biases->items, SIZE_MAX))
		return error_set(err, STATUS_NOMEM, "not enough memory for the sampler");
	biases->items[biases->n++] = (struct sampler_bias){.id = id, .value = value};
	return STATUS_OK;
}

void sampler_biases_free(struct sampler_biases *biases)
{
	free(biases->items);
	*biases = (struct sampler_biases){0};
}

void sampler_set_biases(struct sampler *s, const struct sampler_biases *biases)
{
	sampler_biases_free(&s->biases);
	s->biases = *biases;
}

void sampler_set_breakers(struct sampler *s, struct dry_breakers *breakers)
{
	dry_breakers_free(s->breakers);
	s->breakers = breakers;
}

/* The n_top highest raw logits, ties by rising id, with their probabilities. */
static void find_top(const float *logits, size_t n, size_t n_top, struct sampler_choice *out)
{
	double sum = 0;
	float max;

	out->n_top = 0;
	for (size_t i = 0; i < n && n_top; i++) {
		size_t at = out->n_top;

		if ((at == n_top && !(logits[i] > out->top[at - 1].logit)) || !isfinite(logits[i]))
			continue;
		if (at < n_top)
			out->n_top++;
		else
			at--;
		for (; at > 0 && logits[i] > out->top[at - 1].logit; at--)
			out->top[at] = out->top[at - 1];
		out->top[at] = (struct sampler_candidate){.id = (int32_t)i, .logit = logits[i]};
	}
	if (out->n_top == 0)
		return;
	/* Only for display, so the C library's expf will do. */
	max = out->top[0].logit;
	for (size_t i = 0; i < n; i++)
		if (isfinite(logits[i]))
			sum += expf(logits[i] - max);
	for (size_t i = 0; i < out->n_top; i++)
		out->top[i].probability = (float)(expf(out->top[i].logit - max) / sum);
}

/* Records what became of the n candidates, for those among the top ones. */
static void note(const struct candidate *items, size_t n, const char *cut_by, const float *logits,
                 struct sampler_choice *out)
{
	float least = out->n_top ? out->top[out->n_top - 1].logit : INFINITY;

	for (size_t i = 0; i < n; i++) {
		if (!(logits[items[i].id] >= least)) /* as most are not */
			continue;
		for (size_t t = 0; t < out->n_top; t++) {
			if (out->top[t].id != items[i].id)
				continue;
			out->top[t].cut_by = cut_by;
			out->top[t].chosen_p = cut_by ? 0 : (float)items[i].p;
		}
	}
}

/* One of the first n by their p; r is 0 <= r < 1. */
static size_t draw(const struct candidates *c, double r)
{
	double mass = 0;
	size_t last = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (c->items[i].p <= 0)
			continue;
		mass += c->items[i].p;
		last = i;
		if (r < mass)
			return i;
	}
	return last; /* the p add up to a little less than 1 */
}

static void add_biases(struct sampler *s)
{
	for (size_t i = 0; i < s->biases.n; i++) {
		const struct sampler_bias *bias = &s->biases.items[i];

		if (bias->id >= 0 && (size_t)bias->id < s->n_vocab)
			s->logits[bias->id] += bias->value;
	}
}

/* Lowers the logits of what has been said already. */
static enum status penalise(struct sampler *s, const int32_t *history, size_t n_history,
                            const struct sampler_params *params, struct error *err)
{
	size_t reach = dry_reach(params, n_history);

	penalties_apply(s->logits, s->n_vocab, history, n_history, params, s->counts);
	if (!reach)
		return STATUS_OK;
	if (!alloc_grow(&s->lengths, &s->n_lengths, reach, sizeof *s->lengths, SIZE_MAX))
		return error_set(err, STATUS_NOMEM, "not enough memory for the sampler");
	dry_apply(s->logits, s->n_vocab, history, n_history, reach, params, s->breakers, s->counts,
	          s->lengths);
	return STATUS_OK;
}

/* Loads what is possible. The first filter is spared where it is top-k: the rest is not even
 * loaded. Returns the filter to go on with. */
static size_t load(struct sampler *s, struct candidates *c, const struct sampler_params *params)
{
	size_t first = 0;

	while (first < sampler_n_filters && !sampler_filters[first].is_on(params))
		first++;
	if (first < sampler_n_filters && sampler_filters[first].is_top_k) {
		candidates_load_best(c, s->items, s->logits, s->n_vocab, (size_t)params->top_k);
		return first + 1;
	}
	candidates_load(c, s->items, s->logits, s->n_vocab);
	return first;
}

/* The one that temperature 0 takes. */
static void take_best(struct candidates *c)
{
	candidates_keep_best(c, 1);
	c->items[0].p = 1;
}

/* Applies the filters from row `first` on, then the temperature. */
static void filter(struct candidates *c, size_t first, const struct sampler_params *params,
                   struct rng *rng, const float *logits, struct sampler_choice *out)
{
	double temp;
	size_t n;

	for (size_t f = first; f < sampler_n_filters; f++) {
		if (!sampler_filters[f].is_on(params))
			continue;
		n = c->n;
		sampler_filters[f].apply(c, params, rng);
		note(c->items + c->n, n - c->n, sampler_filters[f].name, logits, out);
	}
	temp = temperature_of(c, params);
	if (temp > 0) {
		candidates_softmax(c, temp);
	} else { /* the lower end of its range */
		n = c->n;
		take_best(c);
		note(c->items + 1, n - 1, "temp", logits, out);
	}
}

static void mirostat(struct sampler *s, struct candidates *c, const struct sampler_params *params,
                     struct mirostat *state, const float *logits, struct sampler_choice *out)
{
	size_t n = c->n;

	mirostat_cut(state, c, params, params->temp, s->n_vocab);
	note(c->items + c->n, n - c->n, "mirostat", logits, out);
	candidates_softmax(c, params->temp);
}

enum status sampler_pick(struct sampler *s, const float *logits, const int32_t *history,
                         size_t n_history, const struct sampler_params *params,
                         struct sampler_state *state, size_t n_top, struct sampler_choice *out,
                         struct error *err)
{
	bool greedy = sampler_params_is_greedy(params);
	size_t pick = 0, first = 0;
	struct candidates c;
	enum status status;

	if (n_top > SAMPLER_TOP_MAX)
		n_top = SAMPLER_TOP_MAX;
	find_top(logits, s->n_vocab, n_top, out);
	candidates_clean(s->logits, logits, s->n_vocab);
	add_biases(s);
	status = params->mirostat ? STATUS_OK : penalise(s, history, n_history, params, err);
	if (status)
		return status;
	for (size_t i = 0; i < s->n_forbidden; i++)
		s->logits[s->forbidden[i]] = -INFINITY;
	if (greedy)
		candidates_load_best(&c, s->items, s->logits, s->n_vocab, 1);
	else if (params->mirostat)
		candidates_load(&c, s->items, s->logits, s->n_vocab);
	else
		first = load(s, &c, params);
	if (c.n == 0)
		return error_set(err, STATUS_FORMAT, "the model computes no finite logit");
	/* For what was not loaded. The others are noted when a filter takes them out, or at the end. */
	for (size_t t = 0; t < out->n_top; t++)
		out->top[t].cut_by = s->logits[out->top[t].id] == -INFINITY ? "impossible" :
		                     greedy                                 ? "temp" : "top-k";
	if (greedy) {
		c.items[0].p = 1;
	} else {
		if (params->mirostat)
			mirostat(s, &c, params, &state->mirostat, logits, out);
		else
			filter(&c, first, params, &state->rng, logits, out);
		pick = draw(&c, rng_uniform(&state->rng));
		if (params->mirostat)
			mirostat_learn(&state->mirostat, params, c.items[pick].p);
	}
	note(c.items, c.n, NULL, logits, out);
	out->id = c.items[pick].id;
	out->probability = (float)c.items[pick].p;
	return STATUS_OK;
}
