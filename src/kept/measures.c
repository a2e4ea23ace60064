#include "kept/measures.h"

#include <math.h>

static const double bits_per_nat = 1.4426950408889634;

const char *const kept_shade_names[] = {
	[SHADE_NONE] = "off", [SHADE_PROBABILITY] = "probability", [SHADE_ENTROPY] = "entropy", NULL};

double kept_entropy_bits(const struct kept_token *token)
{
	return (double)token->entropy * bits_per_nat;
}

double kept_p(const struct kept_token *token)
{
	return token->raw_p > 0 ? (double)token->raw_p : (double)NAN;
}

double kept_candidate_p(const struct kept_token *token, float logit)
{
	return isnan(token->log_sum) ? (double)NAN : exp((double)logit - (double)token->log_sum);
}

enum kept_band kept_band_of(const struct kept_token *token, enum kept_shade shade)
{
	double bits = kept_entropy_bits(token);

	if (shade == SHADE_ENTROPY) {
		if (!isfinite(bits))
			return BAND_UNKNOWN;
		return bits < 0.25 ? BAND_SURE : bits < 1 ? BAND_LIKELY : bits < 2.5 ? BAND_OPEN : BAND_GUESS;
	}
	if (shade == SHADE_NONE || !(token->raw_p > 0))
		return BAND_UNKNOWN;
	return token->raw_p > 0.95F ? BAND_SURE : token->raw_p > 0.70F ? BAND_LIKELY
	       : token->raw_p > 0.30F ? BAND_OPEN : BAND_GUESS;
}

/* What is not known is nothing to stop at. */
static enum kept_band band_at(const struct kept_reply *reply, size_t i)
{
	enum kept_band band = kept_band_of(kept_token(reply, i), SHADE_PROBABILITY);

	return band == BAND_UNKNOWN ? BAND_SURE : band;
}

static bool begins_unsure(const struct kept_reply *reply, size_t i)
{
	enum kept_band band = band_at(reply, i);

	return band >= BAND_OPEN && (!i || band > band_at(reply, i - 1));
}

size_t kept_next_unsure(const struct kept_reply *reply, size_t i, int step)
{
	size_t n = kept_n(reply);

	if (step > 0) {
		for (i++; i < n; i++)
			if (begins_unsure(reply, i))
				return i;
		return n;
	}
	for (i = i < n ? i : n; i--;)
		if (begins_unsure(reply, i))
			return i;
	return n;
}

bool kept_summarise(const struct kept_reply *reply, struct kept_summary *out)
{
	double surprise = 0, least = INFINITY, bits = 0;
	size_t n = kept_n(reply), n_entropies = 0;

	*out = (struct kept_summary){.entropy = NAN};
	for (size_t i = 0; i < n; i++) {
		const struct kept_token *token = kept_token(reply, i);

		if (isfinite(token->entropy)) {
			bits += kept_entropy_bits(token);
			n_entropies++;
		}
		if (!(token->raw_p > 0))
			continue;
		surprise -= log((double)token->raw_p);
		out->n++;
		if ((double)token->raw_p < least) {
			least = (double)token->raw_p;
			out->surprising = i;
		}
	}
	if (n_entropies)
		out->entropy = bits / (double)n_entropies;
	if (!out->n)
		return false;
	out->perplexity = exp(surprise / (double)out->n);
	return true;
}
