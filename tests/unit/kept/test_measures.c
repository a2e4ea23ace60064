/* Bands, unsure words and perplexity, of replies made here. */
#include <criterion/criterion.h>
#include <math.h>

#include "kept/measures.h"

/* In the place of kept.c's. */
struct kept_reply {
	const struct kept_token *tokens;
	size_t n;
};

size_t kept_n(const struct kept_reply *reply)
{
	return reply->n;
}

const struct kept_token *kept_token(const struct kept_reply *reply, size_t i)
{
	return &reply->tokens[i];
}

static struct kept_token with_p(float p)
{
	return (struct kept_token){.raw_p = p, .entropy = NAN, .log_sum = NAN};
}

Test(measures, bands_by_probability)
{
	static const struct {
		float p;
		enum kept_band band;
	} rows[] = {{1, BAND_SURE}, {0.951F, BAND_SURE}, {0.95F, BAND_LIKELY}, {0.71F, BAND_LIKELY}, {0.70F, BAND_OPEN},
	            {0.31F, BAND_OPEN}, {0.30F, BAND_GUESS}, {1e-30F, BAND_GUESS}, {0, BAND_UNKNOWN}, {NAN, BAND_UNKNOWN}};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct kept_token token = with_p(rows[i].p);

		cr_assert_eq(kept_band_of(&token, SHADE_PROBABILITY), rows[i].band, "%g", (double)rows[i].p);
		cr_assert_eq(kept_band_of(&token, SHADE_ENTROPY), BAND_UNKNOWN);
		cr_assert_eq(kept_band_of(&token, SHADE_NONE), BAND_UNKNOWN);
	}
}

Test(measures, bands_by_entropy)
{
	static const struct {
		double bits;
		enum kept_band band;
	} rows[] = {{0, BAND_SURE}, {0.24, BAND_SURE}, {0.26, BAND_LIKELY}, {0.99, BAND_LIKELY}, {1.01, BAND_OPEN},
	            {2.49, BAND_OPEN}, {2.51, BAND_GUESS}, {17, BAND_GUESS}, {INFINITY, BAND_UNKNOWN}};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct kept_token token = {.raw_p = 0.5F, .entropy = (float)(rows[i].bits * log(2))};

		cr_assert_eq(kept_band_of(&token, SHADE_ENTROPY), rows[i].band, "%g", rows[i].bits);
	}
}

/* The first of each stretch, whichever way it is come from. */
Test(measures, unsure_words)
{
	const struct kept_token tokens[] = {with_p(0.1F), with_p(0.1F), with_p(0.99F), with_p(0.8F), with_p(0.5F),
	                                    with_p(0.2F), with_p(0.5F), with_p(0), with_p(0.4F), with_p(0.99F)};
	const struct kept_reply reply = {tokens, sizeof tokens / sizeof tokens[0]};
	const size_t expected[] = {0, 4, 5, 8};
	size_t at = SIZE_MAX;

	for (size_t i = 0; i < 4; i++) {
		at = kept_next_unsure(&reply, at, 1);
		cr_assert_eq(at, expected[i], "%zu", at);
	}
	cr_assert_eq(kept_next_unsure(&reply, at, 1), reply.n);
	at = reply.n;
	for (size_t i = 4; i--;) {
		at = kept_next_unsure(&reply, at, -1);
		cr_assert_eq(at, expected[i], "%zu", at);
	}
	cr_assert_eq(kept_next_unsure(&reply, at, -1), reply.n);
	cr_assert_eq(kept_next_unsure(&(struct kept_reply){NULL, 0}, SIZE_MAX, 1), 0);
	cr_assert_eq(kept_next_unsure(&(struct kept_reply){NULL, 0}, 0, -1), 0);
}

Test(measures, perplexity)
{
	struct kept_token tokens[] = {with_p(0.5F), with_p(0), with_p(0.125F), with_p(0.25F)};
	const struct kept_reply reply = {tokens, 4}, nothing = {tokens + 1, 1};
	struct kept_summary summary;

	tokens[1].entropy = 2 * logf(2);
	tokens[3].entropy = logf(2);
	cr_assert(kept_summarise(&reply, &summary));
	cr_assert_eq(summary.n, 3);
	cr_assert_float_eq(summary.perplexity, 4, 1e-9); /* the geometric mean of 2, 8 and 4 */
	cr_assert_float_eq(summary.entropy, 1.5, 1e-6);
	cr_assert_eq(summary.surprising, 2);
	cr_assert_not(kept_summarise(&nothing, &summary));
}
