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
	uint8_t *places;         /* n_vocab zeros, for the most probable ones */
	int32_t *forbidden;      /* n_forbidden of them */
	size_t n_forbidden, cap;
	struct sampler_biases biases;
	struct sampler_order order;
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
		s->order = sampler_order_default();
		s->logits = alloc_array(n_vocab, sizeof *s->logits);
		s->items = alloc_array(n_vocab, sizeof *s->items);
		s->counts = alloc_array(n_vocab, sizeof *s->counts);
		s->places = alloc_array(n_vocab, sizeof *s->places);
	}
	if (!s || !s->logits || !s->items || !s->counts || !s->places) {
		sampler_free(s);
		return error_no_memory(err, "for the sampler");
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
	free(s->places);
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
		return error_no_memory(err, "for the sampler");
	s->forbidden[s->n_forbidden++] = id;
	return STATUS_OK;
}

enum status sampler_biases_add(struct sampler_biases *biases, int32_t id, float value,
                               struct error *err)
{
	if (!alloc_grow(&biases->items, &biases->cap, biases->n + 1, sizeof *biases->items, SIZE_MAX))
		return error_no_memory(err, "for the sampler");
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

void sampler_set_order(struct sampler *s, const struct sampler_order *order)
{
	s->order = *order;
}

void sampler_set_breakers(struct sampler *s, struct dry_breakers *breakers)
{
	dry_breakers_free(s->breakers);
	s->breakers = breakers;
}

static void add_biases(struct sampler *s)
{
	for (size_t i = 0; i < s->biases.n; i++) {
		const struct sampler_bias *bias = &s->biases.items[i];

		if (bias->id >= 0 && (size_t)bias->id < s->n_vocab)
			s->logits[bias->id] += bias->value;
	}
}

/* A token being picked. */
struct pick {
	struct sampler *s;
	const struct sampler_params *params;
	struct sampler_state *state;
	const float *logits; /* raw */
	const int32_t *history;
	size_t n_history;
	struct candidates c;
	bool is_loaded; /* false: only the sampler's logits are valid, true: only c */
	double temp;    /* still to be applied; 0: the best is to be taken */
	struct sampler_choice *out;
};

/* What became of candidates `from` to `to`. */
static void record_cut(struct pick *p, size_t from, size_t to, const char *cut_by)
{
	sampler_top_record(&p->out->top, p->s->places, p->c.items + from, to - from, cut_by);
}

/* Lowers the sampler's logits of what has been said already. */
static enum status penalise(struct pick *p, unsigned step, struct error *err)
{
	struct sampler *s = p->s;
	size_t reach = dry_reach(p->params, p->n_history);

	if (step == STEP_PENALTIES) {
		penalties_apply(s->logits, s->n_vocab, p->history, p->n_history, p->params, s->counts);
		return STATUS_OK;
	}
	if (!reach)
		return STATUS_OK;
	if (!alloc_grow(&s->lengths, &s->n_lengths, reach, sizeof *s->lengths, SIZE_MAX))
		return error_no_memory(err, "for the sampler");
	dry_apply(s->logits, s->n_vocab, p->history, p->n_history, reach, p->params, s->breakers, s->counts,
	          s->lengths);
	return STATUS_OK;
}

/* The same for candidates that are loaded already. */
static enum status penalise_candidates(struct pick *p, unsigned step, struct error *err)
{
	struct candidates *c = &p->c;
	enum status status;

	for (size_t i = 0; i < c->n; i++)
		p->s->logits[c->items[i].id] = c->items[i].logit;
	status = penalise(p, step, err);
	for (size_t i = 0; i < c->n; i++)
		c->items[i].logit = p->s->logits[c->items[i].id];
	c->sorted = false;
	return status;
}

/* Those that are possible, or the k best of them. */
static enum status load(struct pick *p, size_t k, const char *cut_by, struct error *err)
{
	struct sampler *s = p->s;

	if (k)
		candidates_load_best(&p->c, s->items, s->logits, s->n_vocab, k);
	else
		candidates_load(&p->c, s->items, s->logits, s->n_vocab);
	p->is_loaded = true;
	if (p->c.n == 0)
		return error_set(err, STATUS_FORMAT, "the model computes no finite logit");
	/* For those that were not loaded. The others are recorded when a filter cuts them, or at the end. */
	for (size_t t = 0; t < p->out->top.n; t++)
		p->out->top.items[t].cut_by = cut_by;
	return STATUS_OK;
}

static enum status apply_filter(struct pick *p, const struct filter *filter, struct error *err)
{
	enum status status = STATUS_OK;
	size_t n;

	if (!filter->is_on(p->params))
		return STATUS_OK;
	/* Where nothing comes before top-k, the rest is not even loaded. */
	if (!p->is_loaded && filter->is_top_k)
		return load(p, (size_t)p->params->top_k, filter->name, err);
	if (!p->is_loaded)
		status = load(p, 0, NULL, err);
	if (status)
		return status;
	n = p->c.n;
	filter->apply(&p->c, p->params, &p->state->rng);
	record_cut(p, p->c.n, n, filter->name);
	return STATUS_OK;
}

/* Divides the logits by the temperature, for what comes after it; 0 leaves the best alone. */
static void apply_temperature(struct pick *p)
{
	size_t n = p->c.n;

	for (size_t i = 0; i < n && p->temp > 0; i++) {
		double logit = p->c.items[i].logit / p->temp;

		p->c.items[i].logit = (float)fmin(fmax(logit, -1e30), 1e30);
	}
	if (p->temp <= 0) {
		candidates_keep_best(&p->c, 1);
		record_cut(p, 1, n, "temp");
	}
	p->temp = 1;
}

static enum status apply_step(struct pick *p, unsigned step, bool is_last, struct error *err)
{
	enum status status = STATUS_OK;

	if (step == STEP_PENALTIES || step == STEP_DRY)
		return p->is_loaded ? penalise_candidates(p, step, err) : penalise(p, step, err);
	if (step >= STEP_FILTER)
		return apply_filter(p, &sampler_filters[step - STEP_FILTER], err);
	if (!p->is_loaded)
		status = load(p, 0, NULL, err);
	if (status)
		return status;
	p->temp = temperature_of(&p->c, p->params);
	if (!is_last || p->temp <= 0) /* the lower end of a range may be 0 */
		apply_temperature(p);
	return STATUS_OK;
}

/* The candidates with their probabilities. */
static enum status apply_order(struct pick *p, struct error *err)
{
	const struct sampler_order *order = &p->s->order;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < order->n && !status; i++)
		status = apply_step(p, order->steps[i], i + 1 == order->n, err);
	if (!status && !p->is_loaded)
		status = load(p, 0, NULL, err);
	if (!status)
		candidates_softmax(&p->c, p->temp);
	return status;
}

static enum status pick_greedy(struct pick *p, struct error *err)
{
	const struct sampler_order *order = &p->s->order;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < order->n && !status && !p->params->mirostat; i++)
		if (order->steps[i] == STEP_PENALTIES || order->steps[i] == STEP_DRY)
			status = penalise(p, order->steps[i], err);
	if (!status)
		status = load(p, 1, "temp", err);
	if (!status)
		p->c.items[0].p = 1;
	return status;
}

static enum status apply_mirostat(struct pick *p, struct error *err)
{
	enum status status = load(p, 0, NULL, err);
	size_t n = p->c.n;

	if (status)
		return status;
	mirostat_cut(&p->state->mirostat, &p->c, p->params, p->params->temp, p->s->n_vocab);
	record_cut(p, p->c.n, n, "mirostat");
	candidates_softmax(&p->c, p->params->temp);
	return STATUS_OK;
}

double sampler_raw_probability(const struct sampler *s, const float *logits, const struct sampler_top *top,
                               int32_t id)
{
	float logit;

	if (!top->n || id < 0 || (size_t)id >= s->n_vocab)
		return 0;
	for (size_t i = 0; i < s->n_forbidden; i++)
		if (s->forbidden[i] == id)
			return 0;
	candidates_clean(&logit, &logits[id], 1);
	for (size_t i = 0; i < s->biases.n; i++)
		if (s->biases.items[i].id == id)
			logit += s->biases.items[i].value;
	return exp((double)logit - top->log_sum);
}

static void tell(struct pick *p, size_t chosen)
{
	const struct candidate *item = &p->c.items[chosen];

	record_cut(p, 0, p->c.n, NULL);
	p->out->id = item->id;
	p->out->probability = (float)item->p;
	p->out->raw_p = (float)sampler_raw_probability(p->s, p->logits, &p->out->top, item->id);
}

enum status sampler_pick(struct sampler *s, const float *logits, const int32_t *history,
                         size_t n_history, const struct sampler_params *params,
                         struct sampler_state *state, size_t n_top, struct sampler_choice *out,
                         struct error *err)
{
	struct pick p = {.s = s, .params = params, .state = state, .logits = logits, .history = history,
	                 .n_history = n_history, .temp = 1, .out = out};
	bool greedy = sampler_params_is_greedy(params) &&
	              (params->mirostat || sampler_order_has(&s->order, STEP_TEMPERATURE));
	enum status status;
	size_t at = 0;

	candidates_clean(s->logits, logits, s->n_vocab);
	add_biases(s);
	for (size_t i = 0; i < s->n_forbidden; i++)
		s->logits[s->forbidden[i]] = -INFINITY;
	sampler_top_find(&out->top, s->logits, s->n_vocab, n_top < SAMPLER_TOP_MAX ? n_top : SAMPLER_TOP_MAX,
	                 s->places);
	status = greedy           ? pick_greedy(&p, err) :
	         params->mirostat ? apply_mirostat(&p, err) : apply_order(&p, err);
	if (!status && !greedy)
		at = candidates_draw(&p.c, rng_uniform(&state->rng));
	if (!status && !greedy && params->mirostat)
		mirostat_learn(&state->mirostat, params, p.c.items[at].p);
	if (!status)
		tell(&p, at);
	sampler_top_clear(&out->top, s->places);
	return status;
}
