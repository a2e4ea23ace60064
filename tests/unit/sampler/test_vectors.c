/* The same candidates give the same choice as llama.cpp's samplers: tests/vectors/samplers.txt,
 * made with its library. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/chain.h"
#include "sampler/dry.h"
#include "sampler/filters.h"
#include "sampler/mirostat.h"
#include "sampler/temperature.h"

enum { MAX = 64, HISTORY_MAX = 300, LINE = 4096 };

/* What a line that begins a case says: the sampler and its numbers. */
static char name[32];
static double numbers[9];
static char order[160]; /* what follows them */

static struct candidate items[MAX];
static struct candidates c;
static struct sampler_params params;
static struct mirostat state;
static double chance; /* the random number drawn */
static size_t n_vocab, line;
static unsigned n_checked[8], n_lowered;

static int32_t history[HISTORY_MAX];
static size_t n_history;
static struct dry_breakers *breakers;
static float logits[MAX];

static void begin(const char *text)
{
	int at = 0, used;

	cr_assert_eq(sscanf(text, "%31s%n", name, &at), 1);
	memset(numbers, 0, sizeof numbers);
	for (size_t i = 0; i < 9 && sscanf(text + at, "%lf%n", &numbers[i], &used) == 1; i++)
		at += used;
	snprintf(order, sizeof order, "%.*s", (int)strcspn(text + at, "\n"), text + at);
	params = sampler_params_default();
	state = (struct mirostat){0};
	dry_breakers_free(breakers);
	cr_assert_eq(dry_breakers_create(&breakers, MAX, NULL), STATUS_OK);
}

static size_t read_ids(const char *text, int32_t *ids, size_t max)
{
	size_t n = 0;
	int used;

	for (; n < max && sscanf(text, "%d%n", &ids[n], &used) == 1; n++)
		text += used;
	return n;
}

static void add_breaker(const char *text)
{
	int32_t ids[DRY_TAIL_MAX + 1];
	size_t n = read_ids(text, ids, DRY_TAIL_MAX + 1);

	cr_assert_gt(n, 0);
	cr_assert_eq(dry_breakers_add(breakers, ids[0], ids + 1, n - 1, NULL), STATUS_OK);
}

static void load(const char *text)
{
	int used;

	for (n_vocab = 0; n_vocab < MAX && sscanf(text, "%f%n", &logits[n_vocab], &used) == 1; n_vocab++)
		text += used;
	candidates_load(&c, items, logits, n_vocab);
}

static void soften(double temp)
{
	if (temp > 0) {
		candidates_softmax(&c, temp);
		return;
	}
	candidates_keep_best(&c, 1);
	c.items[0].p = 1;
}

static void apply_top_n_sigma(void)
{
	struct rng rng = {0};
	size_t f = 0;

	params.top_n_sigma = (float)numbers[0];
	while (strcmp(sampler_filters[f].name, "top-nsigma") != 0)
		f++;
	cr_assert(sampler_filters[f].is_on(&params));
	sampler_filters[f].apply(&c, &params, &rng);
	soften(1);
}

static void apply_xtc(void)
{
	params.xtc_probability = (float)numbers[0];
	params.xtc_threshold = (float)numbers[1];
	filter_xtc(&c, &params, numbers[2]);
	soften(1);
}

static void apply_dynatemp(void)
{
	params.temp = (float)numbers[0];
	params.dynatemp_range = (float)numbers[1];
	params.dynatemp_exp = (float)numbers[2];
	soften(temperature_of(&c, &params));
}

static void apply_mirostat(void)
{
	params.mirostat = (int32_t)numbers[0];
	params.mirostat_ent = (float)numbers[1];
	params.mirostat_lr = (float)numbers[2];
	params.temp = (float)numbers[3];
	mirostat_cut(&state, &c, &params, params.temp, n_vocab);
	candidates_softmax(&c, params.temp);
}

/* All of the chain; its candidates are those of whom it says with what they were chosen from. */
static void apply_chain(void)
{
	struct sampler_choice choice;
	struct sampler_order steps;
	struct sampler_state random;
	struct sampler *sampler;

	params.temp = (float)numbers[0];
	params.dynatemp_range = (float)numbers[1];
	params.top_k = (int32_t)numbers[2];
	params.top_p = (float)numbers[3];
	params.min_p = (float)numbers[4];
	params.typical = (float)numbers[5];
	params.top_n_sigma = (float)numbers[6];
	params.repeat_penalty = (float)numbers[7];
	params.dry_multiplier = (float)numbers[8];
	sampler_state_init(&random, line);
	cr_assert_eq(sampler_order_parse(&steps, order, NULL), STATUS_OK, "line %zu: %s", line, order);
	cr_assert_eq(sampler_create(&sampler, n_vocab, NULL), STATUS_OK);
	sampler_set_order(sampler, &steps);
	cr_assert_eq(sampler_pick(sampler, logits, history, n_history, &params, &random, SAMPLER_TOP_MAX,
	                          &choice, NULL), STATUS_OK);
	sampler_free(sampler);
	c.n = 0;
	for (size_t t = 0; t < choice.top.n; t++)
		if (!choice.top.items[t].cut_by)
			items[c.n++] = (struct candidate){.id = choice.top.items[t].id,
			                                  .p = (double)choice.top.items[t].chosen_p};
}

static const struct {
	const char *name;
	void (*apply)(void);
} samplers[] = {
	{"top-nsigma", apply_top_n_sigma},
	{"xtc", apply_xtc},
	{"dynatemp", apply_dynatemp},
	{"mirostat", apply_mirostat},
	{"chain", apply_chain},
};
enum { N_SAMPLERS = sizeof samplers / sizeof samplers[0] };

/* "ID:PROBABILITY ...", as many as are left. */
static void check(const char *text)
{
	size_t s = 0, n = 0;
	double p;
	int id, used;

	while (strcmp(samplers[s].name, name) != 0)
		cr_assert_lt(++s, N_SAMPLERS, "line %zu: %s", line, name);
	samplers[s].apply();
	n_checked[s]++;
	for (; sscanf(text, "%d:%lf%n", &id, &p, &used) == 2; text += used, n++) {
		size_t i = 0;

		while (i < c.n && c.items[i].id != id)
			i++;
		cr_assert_lt(i, c.n, "line %zu: %d is out", line, id);
		cr_assert_float_eq(c.items[i].p, p, 2e-5, "line %zu: id %d has %.6f", line, id,
		                   c.items[i].p);
	}
	cr_assert_eq(n, c.n, "line %zu: %zu are left", line, c.n);
}

/* "ID:LOGIT ..." of all that are not as they were. */
static void check_lowered(const char *text)
{
	uint32_t counts[MAX] = {0}, lengths[HISTORY_MAX];
	float before[MAX];
	double logit;
	size_t reach;
	int id, used;

	cr_assert_str_eq(name, "dry");
	params.dry_multiplier = (float)numbers[0];
	params.dry_base = (float)numbers[1];
	params.dry_allowed_length = (int32_t)numbers[2];
	params.dry_penalty_last_n = (int32_t)numbers[3];
	memcpy(before, logits, sizeof before);
	reach = dry_reach(&params, n_history);
	if (reach)
		dry_apply(logits, n_vocab, history, n_history, reach, &params, breakers, counts, lengths);
	for (; sscanf(text, "%d:%lf%n", &id, &logit, &used) == 2; text += used, n_lowered++) {
		cr_assert_float_eq(logits[id], logit, 1e-4 + 1e-5 * fabs(logit), "line %zu: id %d is %g", line,
		                   id, (double)logits[id]);
		before[id] = logits[id];
	}
	cr_assert_eq(memcmp(before, logits, n_vocab * sizeof *before), 0, "line %zu: others are lower",
	             line);
	for (size_t i = 0; i < MAX; i++)
		cr_assert_eq(counts[i], 0);
}

/* What the random number chooses among the candidates in their order. */
static void check_choice(int id)
{
	double mass = 0;
	size_t i = 0;

	for (; i + 1 < c.n; i++)
		if ((mass += c.items[i].p) >= chance)
			break;
	cr_assert_eq(c.items[i].id, id, "line %zu: chose %d", line, c.items[i].id);
	mirostat_learn(&state, &params, c.items[i].p);
}

Test(vectors, choices_are_llama_cpps)
{
	FILE *file = fopen(TEST_SRCDIR "/tests/vectors/samplers.txt", "r");
	char text[LINE];

	cr_assert(file);
	for (line = 1; fgets(text, sizeof text, file); line++) {
		cr_assert(strchr(text, '\n'), "line %zu is too long", line);
		if (strncmp(text, "in ", 3) == 0)
			load(text + 3);
		else if (strncmp(text, "random ", 7) == 0)
			chance = strtod(text + 7, NULL);
		else if (strncmp(text, "out ", 4) == 0)
			check(text + 4);
		else if (strncmp(text, "history ", 8) == 0)
			n_history = read_ids(text + 8, history, HISTORY_MAX);
		else if (strncmp(text, "breaker ", 8) == 0)
			add_breaker(text + 8);
		else if (strncmp(text, "lowered", 7) == 0)
			check_lowered(text + 7);
		else if (strncmp(text, "chosen ", 7) == 0)
			check_choice(atoi(text + 7));
		else if (text[0] != '#' && text[0] != '\n')
			begin(text);
	}
	fclose(file);
	dry_breakers_free(breakers);
	cr_expect_geq(n_lowered, 30);
	for (size_t s = 0; s < N_SAMPLERS; s++)
		cr_expect_geq(n_checked[s], 10, "%s", samplers[s].name);
}
