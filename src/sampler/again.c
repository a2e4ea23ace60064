#include "sampler/again.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sampler/again_rest.h"
#include "sampler/exact.h"
#include "sampler/filters.h"
#include "sampler/penalties.h"
#include "sampler/temperature.h"

/* A token being picked again. */
struct pick {
	const struct again_source *from;
	const struct sampler_params *params;
	struct sampler_state *state;
	struct candidate items[AGAIN_MAX];
	struct candidates c;
	bool is_loaded; /* impossible ones have been taken out */
	double temp;    /* still to be applied */
	struct rest rest;
	struct again *out;
};

/* What is kept is not enough. Goes on as if it were all. */
static void lack(struct pick *p, const char *why)
{
	if (!why)
		return;
	if (!p->out->lacks)
		p->out->lacks = why;
	p->rest.is_in = false;
}

static size_t find_kept(const struct again_source *from, int32_t id)
{
	size_t i = 0;

	while (i < from->n && from->ids[i] != id)
		i++;
	return i;
}

/* Records what became of the n items. */
static void record(struct pick *p, const struct candidate *items, size_t n, const char *cut_by)
{
	for (size_t i = 0; i < n; i++)
		p->out->fates[find_kept(p->from, items[i].id)] =
			(struct again_fate){.cut_by = cut_by, .chosen_p = cut_by ? 0 : (float)items[i].p};
}

static void add_step(struct pick *p, const char *name)
{
	if (p->out->n_steps < AGAIN_STEPS_MAX)
		p->out->steps[p->out->n_steps++] = (struct again_step){name, p->c.n, p->rest.is_in};
}

static int by_id(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static void start(struct pick *p)
{
	const struct again_source *from = p->from;
	double n_rest = from->n_vocab ? (double)(from->n_vocab - from->n) : INFINITY;

	for (size_t i = 0; i < from->n; i++)
		p->items[i] = (struct candidate){.id = from->ids[i], .logit = from->logits[i], .key = -from->logits[i]};
	p->c = (struct candidates){.items = p->items, .n = from->n, .sorted = true};
	rest_init(&p->rest, &p->c, n_rest, from->log_sum);
}

/* In the order of ids, as the chain does, but for the best of them, which are sorted anyway. */
static void load(struct pick *p, bool best_only)
{
	size_t n = p->c.n;

	if (p->is_loaded)
		return;
	p->is_loaded = true;
	if (!best_only) {
		qsort(p->items, n, sizeof *p->items, by_id);
		p->c.sorted = false;
	}
	candidates_keep_from(&p->c, -1e38);
	if (p->c.n == 0) { /* one has to be there */
		p->c.n = n;
		lack(p, "penalties take out all that was kept");
	}
}

/* Whether the last tokens are known as far as a sampler looks back: `last_n` of them; below 0: all. */
static bool has_history(const struct again_source *from, int32_t last_n)
{
	return from->has_all || (last_n >= 0 && (size_t)last_n <= from->n_history);
}

/* How often each kept one is in the history from `first` on; returns how often all of them are. */
static size_t count_kept(const struct again_source *from, size_t first, uint32_t counts[AGAIN_MAX])
{
	size_t n = 0;

	for (size_t i = first; i < from->n_history; i++)
		for (size_t k = 0; k < from->n; k++) /* no way out before the end: several are compared at once */
			counts[k] += from->ids[k] == from->history[i];
	for (size_t k = 0; k < from->n; k++)
		n += counts[k];
	return n;
}

static void apply_penalties(struct pick *p)
{
	const struct again_source *from = p->from;
	const struct sampler_params *params = p->params;
	size_t n = penalties_reach(params, from->n_history), n_others;
	uint32_t counts[AGAIN_MAX] = {0};

	if (!penalties_reach(params, SIZE_MAX))
		return;
	if (!has_history(from, params->repeat_last_n))
		lack(p, "penalties look further back than what was kept");
	n_others = n - count_kept(from, from->n_history - n, counts);
	for (size_t i = 0; i < p->c.n; i++) {
		uint32_t count = counts[find_kept(from, p->c.items[i].id)];

		if (count)
			p->c.items[i].logit = penalties_lower(p->c.items[i].logit, count, params);
	}
	p->c.sorted = false;
	if (!(params->repeat_penalty >= 1 && params->presence_penalty >= 0 && params->frequency_penalty >= 0) &&
	    n_others && p->rest.is_in)
		lack(p, "penalties below their neutral values raise tokens of which nothing was kept");
	rest_lower(&p->rest, n_others);
	add_step(p, "repeat-penalty");
}

static void apply_dry(struct pick *p)
{
	const struct again_source *from = p->from;
	size_t reach = dry_reach(p->params, from->n_history);
	uint32_t *lengths;

	if (!dry_reach(p->params, SIZE_MAX))
		return;
	if (!has_history(from, p->params->dry_penalty_last_n))
		lack(p, "DRY looks further back than what was kept");
	lengths = reach ? alloc_array(reach, sizeof *lengths) : NULL;
	if (reach && !lengths)
		lack(p, "there is not enough memory for DRY");
	else if (reach && dry_may_act(from->history, from->n_history, reach, p->params, lengths))
		lack(p, "DRY may act here, and which words break a repetition only the model knows");
	free(lengths);
	add_step(p, "dry-multiplier");
}

/* XTC's order of what it leaves depends on all of them. */
static const char *rest_xtc(struct pick *p)
{
	if (p->c.n >= 2 && rest_xtc_is_idle(&p->rest, &p->c, p->params))
		return NULL;
	return "XTC looks at tokens of which nothing was kept";
}

static const char *why_not(struct pick *p, const struct filter *filter)
{
	const char *name = filter->name;

	if (!p->rest.is_in)
		return NULL;
	if (filter->is_top_k)
		return rest_top_k(&p->rest, &p->c, p->params);
	if (strcmp(name, "top-p") == 0)
		return rest_top_p(&p->rest, &p->c, p->params);
	if (strcmp(name, "min-p") == 0)
		return rest_min_p(&p->rest, &p->c, p->params);
	if (strcmp(name, "xtc-probability") == 0)
		return rest_xtc(p);
	return strcmp(name, "typical") == 0 ? "typical needs the whole vocabulary, of which the best tokens were kept"
	                                    : "top-nsigma needs the whole vocabulary, of which the best tokens were kept";
}

static void apply_filter(struct pick *p, const struct filter *filter)
{
	bool is_top_p = strcmp(filter->name, "top-p") == 0, was_in;
	size_t n;

	if (!filter->is_on(p->params))
		return;
	load(p, filter->is_top_k);
	n = p->c.n;
	was_in = p->rest.is_in;
	lack(p, why_not(p, filter));
	if (was_in && p->rest.is_in && strcmp(filter->name, "xtc-probability") == 0)
		(void)rng_uniform(&p->state->rng); /* it takes nothing, whatever the number is */
	else if (!is_top_p || !was_in || p->out->lacks) /* rest_top_p has cut them */
		filter->apply(&p->c, p->params, &p->state->rng);
	record(p, p->c.items + p->c.n, n - p->c.n, filter->name);
	add_step(p, filter->name);
}

/* Temperature 0. */
static void keep_best(struct pick *p)
{
	size_t n = p->c.n;

	if (!rest_leaves_best(&p->rest, &p->c))
		lack(p, "the best token may be one of which nothing was kept");
	candidates_keep_best(&p->c, 1);
	record(p, p->c.items + 1, n - 1, "temp");
	p->rest.is_in = false;
}

/* As apply_temperature of the chain. */
static void apply_temperature(struct pick *p, bool is_last)
{
	load(p, false);
	if (p->rest.is_in && p->params->dynatemp_range > 0)
		lack(p, "a range of temperatures needs the whole vocabulary, of which the best tokens were kept");
	p->temp = temperature_of(&p->c, p->params);
	if (p->temp <= 0) {
		keep_best(p);
		p->temp = 1;
	} else if (!is_last) {
		for (size_t i = 0; i < p->c.n; i++)
			p->c.items[i].logit = (float)fmin(fmax(p->c.items[i].logit / p->temp, -1e30), 1e30);
		rest_heat(&p->rest, p->temp);
		p->temp = 1;
	}
	add_step(p, "temp");
}

static void apply_step(struct pick *p, unsigned step, bool is_last)
{
	if (step == STEP_PENALTIES)
		apply_penalties(p);
	else if (step == STEP_DRY)
		apply_dry(p);
	else if (step == STEP_TEMPERATURE)
		apply_temperature(p, is_last);
	else
		apply_filter(p, &sampler_filters[step - STEP_FILTER]);
}

static void apply_order(struct pick *p)
{
	const struct sampler_order *order = p->from->order;

	for (size_t i = 0; i < order->n; i++)
		apply_step(p, order->steps[i], i + 1 == order->n);
	load(p, false);
	if (p->rest.is_in)
		lack(p, "no sampler cuts the tokens of which nothing was kept");
	candidates_softmax(&p->c, p->temp);
}

static void pick_greedy(struct pick *p)
{
	const struct sampler_order *order = p->from->order;

	for (size_t i = 0; i < order->n && !p->params->mirostat; i++)
		if (order->steps[i] == STEP_PENALTIES || order->steps[i] == STEP_DRY)
			apply_step(p, order->steps[i], false);
	load(p, true);
	keep_best(p);
	p->c.items[0].p = 1;
	add_step(p, "temp");
}

/* Which of the candidates surprise no more than mu, though how surprising one is depends on the rest: version 2. */
static const char *cut_by_surprise(struct pick *p)
{
	struct mirostat *m = &p->state->mirostat;
	double temp = p->params->temp, best, known = 0, least[2];
	struct rest rest = p->rest;

	if (p->params->mirostat == 1)
		return "mirostat 1 looks at 100 tokens, of which fewer were kept";
	if (!m->is_begun)
		*m = (struct mirostat){.mu = 2 * (double)p->params->mirostat_ent, .is_begun = true};
	best = p->c.items[candidates_best(&p->c)].logit;
	for (size_t i = 0; i < p->c.n; i++)
		known += exp((p->c.items[i].logit - best) / temp);
	rest_heat(&rest, temp);
	for (int i = 0; i < 2; i++) {
		double others = (i ? rest.low : rest.high) * exp(rest.ref - best / temp);

		least[i] = best - temp * (m->mu * log(2) - log(known + others)) + (i ? -1e-6 : 1e-6) * (1 + temp);
	}
	for (size_t i = 0; i < p->c.n; i++)
		if (p->c.items[i].logit < best && p->c.items[i].logit < least[0] && p->c.items[i].logit >= least[1])
			return "where mirostat cuts is not known well enough from what was kept";
	if (p->rest.most >= best || p->rest.most >= least[1])
		return "mirostat keeps tokens of which nothing was kept";
	candidates_keep_from(&p->c, least[0] < best ? least[0] : best);
	candidates_keep_best(&p->c, p->c.n);
	p->rest.is_in = false;
	return NULL;
}

static void apply_mirostat(struct pick *p)
{
	bool was_in = p->rest.is_in;
	size_t n;

	load(p, false);
	n = p->c.n;
	if (was_in)
		lack(p, p->params->temp > 0 ? cut_by_surprise(p) : "mirostat needs a temperature");
	if (p->params->temp > 0 && (!was_in || p->out->lacks))
		mirostat_cut(&p->state->mirostat, &p->c, p->params, p->params->temp, p->from->n_vocab);
	record(p, p->c.items + p->c.n, n - p->c.n, "mirostat");
	add_step(p, "mirostat");
	candidates_softmax(&p->c, p->params->temp > 0 ? p->params->temp : 1);
}

void sampler_again(const struct again_source *source, const struct sampler_params *params,
                   struct sampler_state *state, struct again *out)
{
	struct pick p = {.from = source, .params = params, .state = state, .temp = 1, .out = out};
	bool greedy = sampler_params_is_greedy(params) &&
	              (params->mirostat || sampler_order_has(source->order, STEP_TEMPERATURE));
	size_t at = 0;

	*out = (struct again){0};
	start(&p);
	if (greedy)
		pick_greedy(&p);
	else if (params->mirostat)
		apply_mirostat(&p);
	else
		apply_order(&p);
	if (!greedy)
		at = candidates_draw(&p.c, rng_uniform(&state->rng));
	if (!greedy && params->mirostat)
		mirostat_learn(&state->mirostat, params, p.c.items[at].p);
	record(&p, p.c.items, p.c.n, NULL);
	out->id = p.c.items[at].id;
	out->probability = (float)p.c.items[at].p;
	out->entropy = candidates_entropy(&p.c);
}
