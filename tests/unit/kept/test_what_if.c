/* What if, against a reply that the whole chain makes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kept/what_if.h"

enum { N_VOCAB = 500, PROMPT = 30, TOKENS = 60, REPLIES = 150, SEED = 7 };

static struct error err;
static float logits[N_VOCAB];
static int32_t history[PROMPT + TOKENS];

/* A model: what follows depends on the last two tokens alone. */
static void compute(size_t n)
{
	struct rng rng;

	rng_init(&rng, (uint64_t)history[n - 1] * 1000 + (uint64_t)history[n - 2]);
	for (size_t i = 0; i < N_VOCAB; i++)
		logits[i] = (float)(rng_uniform(&rng) * 6 + (rng_next(&rng) % 50 ? 0 : rng_uniform(&rng) * 6));
}

static int by_logit(const void *a, const void *b)
{
	const struct token_candidate *x = a, *y = b;

	if (x->logit != y->logit)
		return x->logit < y->logit ? 1 : -1;
	return (x->id > y->id) - (x->id < y->id);
}

static void keep_token(struct kept *kept, int32_t id)
{
	static struct token_candidate all[N_VOCAB];
	double sum = 0;

	for (size_t i = 0; i < N_VOCAB; i++) {
		all[i] = (struct token_candidate){.id = (int32_t)i, .logit = logits[i], .text = "x", .len = 1};
		sum += exp(logits[i]);
	}
	qsort(all, N_VOCAB, sizeof all[0], by_logit);
	cr_assert_eq(kept_add(kept, 1, &(struct token){.id = id, .bytes = "x", .len = 1, .log_sum = (float)log(sum),
	                                               .candidates = all, .n_candidates = TOKEN_CANDIDATES_MAX}, 0, &err),
	             STATUS_OK);
}

/* Makes a reply with the whole chain, which is kept if there is something to keep it in. */
static void make_reply(const struct sampler_params *params, struct kept *kept)
{
	struct sampler *sampler;
	struct sampler_state state;

	cr_assert_eq(sampler_create(&sampler, N_VOCAB, &err), STATUS_OK);
	sampler_state_init(&state, SEED);
	for (size_t i = PROMPT; i < PROMPT + TOKENS; i++) {
		struct sampler_choice choice;

		compute(i);
		cr_assert_eq(sampler_pick(sampler, logits, history, i, params, &state, 0, &choice, &err), STATUS_OK);
		history[i] = choice.id;
		if (kept)
			keep_token(kept, choice.id);
	}
	sampler_free(sampler);
}

static struct kept *begin(void)
{
	struct kept *kept = kept_create();
	struct turn_begin first = {.seed = SEED, .n_prompt = PROMPT, .n_vocab = N_VOCAB, .tail = history,
	                           .n_tail = PROMPT};

	for (size_t i = 0; i < PROMPT; i++)
		history[i] = (int32_t)(i * 7 % 20);
	cr_assert_eq(kept_begin(kept, 1, 0, "model", &first, &err), STATUS_OK);
	return kept;
}

static struct sampler_params usual(void)
{
	struct sampler_params params = sampler_params_default();

	params.repeat_penalty = 1.05f;
	params.repeat_last_n = 8;
	return params;
}

Test(what_if, finds_the_first_token_that_a_new_reply_has_otherwise)
{
	struct sampler_order order = sampler_order_default();
	struct what_if_run run = {.seed = SEED};
	struct rng rng;
	size_t n_other = 0;

	rng_init(&rng, 2);
	for (size_t i = 0; i < REPLIES; i++) {
		struct kept *kept = begin();
		struct sampler_params params = usual(), other = params;
		struct what_if what;
		int32_t before[PROMPT + TOKENS];
		size_t at = 0;

		make_reply(&params, kept);
		memcpy(before, history, sizeof before);
		other.temp = (float)(rng_uniform(&rng) * 1.2);
		other.top_k = 1 + (int32_t)(rng_next(&rng) % 40);
		other.min_p = (float)rng_uniform(&rng) * 0.2f;
		other.top_p = (float)rng_uniform(&rng);
		other.xtc_probability = i % 3 ? 0 : 0.5f;
		make_reply(&other, NULL);
		while (at < TOKENS && history[PROMPT + at] == before[PROMPT + at])
			at++;
		cr_assert_eq(kept_what_if(kept_reply(kept, 1), &run, 1, &order, &other, &what, &err), STATUS_OK);
		cr_assert_eq(what.end, at < TOKENS ? WHAT_IF_OTHER : WHAT_IF_SAME);
		cr_assert_eq(what.at, at);
		if (at < TOKENS)
			cr_assert_eq(what.id, history[PROMPT + at]);
		n_other += at < TOKENS;
		kept_free(kept);
	}
	cr_assert_gt(n_other, REPLIES / 2);
}

Test(what_if, is_the_reply_itself_with_its_own_parameters)
{
	struct sampler_order order = sampler_order_default();
	struct sampler_params params = usual();
	struct kept *kept = begin();
	struct what_if_run run = {.seed = SEED};
	struct what_if what;

	make_reply(&params, kept);
	cr_assert_eq(kept_what_if(kept_reply(kept, 1), &run, 1, &order, &params, &what, &err), STATUS_OK);
	cr_assert_eq(what.end, WHAT_IF_SAME);
	cr_assert_eq(what.at, TOKENS);
	params.typical = 0.5f;
	params.top_k = 0;
	cr_assert_eq(kept_what_if(kept_reply(kept, 1), &run, 1, &order, &params, &what, &err), STATUS_OK);
	cr_assert_eq(what.end, WHAT_IF_UNKNOWN);
	cr_assert_eq(what.at, 0);
	cr_assert_not_null(strstr(what.lacks, "typical"));
	kept_free(kept);
}

Test(what_if, leaves_what_the_user_put_there)
{
	struct sampler_order order = sampler_order_default();
	struct sampler_params params = {.temp = 0, .top_p = 1, .typical = 1, .repeat_penalty = 1};
	struct kept *kept = begin();
	struct what_if_run runs[] = {{.seed = SEED}, {.seed = 3, .from = 2, .first_is_put = true}};
	struct what_if what;

	make_reply(&params, NULL);
	for (size_t i = PROMPT; i < PROMPT + 2; i++) {
		compute(i);
		keep_token(kept, history[i]);
	}
	compute(PROMPT + 2);
	keep_token(kept, 1); /* not what greedy takes */
	cr_assert_eq(kept_what_if(kept_reply(kept, 1), runs, 2, &order, &params, &what, &err), STATUS_OK);
	cr_assert_eq(what.end, WHAT_IF_SAME);
	cr_assert_eq(kept_what_if(kept_reply(kept, 1), runs, 1, &order, &params, &what, &err), STATUS_OK);
	cr_assert_eq(what.end, WHAT_IF_OTHER);
	cr_assert_eq(what.at, 2);
	cr_assert_eq(kept_what_if(kept_reply(kept, 1), runs + 1, 1, &order, &params, &what, &err), STATUS_OK);
	cr_assert(what.end == WHAT_IF_SAME && what.from == 2, "how the first two were made is not known");
	kept_free(kept);
}

Test(what_if, says_where_nothing_is_kept)
{
	struct sampler_order order = sampler_order_default();
	struct sampler_params params = usual();
	struct kept *kept = begin();
	struct what_if_run run = {.seed = SEED};
	struct sampler_state state;
	struct what_if what;
	struct again again;

	cr_assert_eq(kept_add(kept, 1, &(struct token){.id = 3, .bytes = "x", .len = 1}, 0, &err), STATUS_OK);
	cr_assert_eq(kept_what_if(kept_reply(kept, 1), &run, 1, &order, &params, &what, &err), STATUS_OK);
	cr_assert_eq(what.end, WHAT_IF_UNKNOWN);
	sampler_state_init(&state, 1);
	cr_assert_eq(kept_again(kept_reply(kept, 1), 0, &order, &params, &state, &again, &err), STATUS_UNSUPPORTED);
	kept_free(kept);
}
