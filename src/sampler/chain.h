/* The sampler chain: from logits to a token. The order is llama.cpp's:
 * biases, penalties, DRY, the filters (sampler/filters.h), temperature; temperature 0
 * takes the best token after the penalties, the lowest id among equals.
 * Mirostat goes without penalties, DRY and filters. Another order may be set.
 *
 * Picking is a function of its arguments alone: the same logits, history,
 * parameters and state give the same token on every machine. A struct
 * sampler holds only the memory for it, so that no token allocates, and DRY's breakers. */
#ifndef SOTTO_SAMPLER_CHAIN_H
#define SOTTO_SAMPLER_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sampler/dry.h"
#include "sampler/mirostat.h"
#include "sampler/order.h"
#include "sampler/params.h"
#include "sampler/rng.h"
#include "sampler/top.h"

struct sampler;

/* What goes from token to token of one reply. */
struct sampler_state {
	struct rng rng;
	struct mirostat mirostat;
};

/* At the start of a reply. */
void sampler_state_init(struct sampler_state *state, uint64_t seed);

struct sampler_choice {
	int32_t id;
	float probability; /* after all filters */
	float raw_p;       /* before all samplers; 0 if none of the best was asked for */
	struct sampler_top top;
};

enum status sampler_create(struct sampler **out, size_t n_vocab, struct error *err) MUST_CHECK;
void sampler_free(struct sampler *sampler);
size_t sampler_n_vocab(const struct sampler *sampler);
/* This token is never picked from now on. */
enum status sampler_forbid(struct sampler *sampler, int32_t id, struct error *err) MUST_CHECK;

/* What is added to the logits of some tokens; zero for none. */
struct sampler_biases {
	struct sampler_bias {
		int32_t id;
		float value; /* finite or -inf, which forbids the token */
	} *items; /* owned */
	size_t n, cap;
};

enum status sampler_biases_add(struct sampler_biases *biases, int32_t id, float value,
                               struct error *err) MUST_CHECK;
void sampler_biases_free(struct sampler_biases *biases);
/* Replaces the biases; the sampler takes over the items. Ids beyond the vocabulary are skipped. */
void sampler_set_biases(struct sampler *sampler, const struct sampler_biases *biases);

/* In which order samplers act from now on; what it does not name does not. Without temperature in it,
 * there is none, not even 0. Mirostat knows no order. */
void sampler_set_order(struct sampler *sampler, const struct sampler_order *order);

/* What ends a repetition for DRY, from now on; the sampler owns it. NULL: nothing does. */
void sampler_set_breakers(struct sampler *sampler, struct dry_breakers *breakers);

/* `logits` has n_vocab floats, NaN and infinities allowed; `history` holds all
 * tokens so far, for penalties and DRY; n_top <= SAMPLER_TOP_MAX candidates are
 * reported. STATUS_FORMAT when no allowed token has a finite logit. */
enum status sampler_pick(struct sampler *sampler, const float *logits, const int32_t *history,
                         size_t n_history, const struct sampler_params *params,
                         struct sampler_state *state, size_t n_top, struct sampler_choice *out,
                         struct error *err) MUST_CHECK;

/* The probability before all samplers of a token of these logits, of which `top` is known; 0: it has none. */
double sampler_raw_probability(const struct sampler *sampler, const float *logits, const struct sampler_top *top,
                               int32_t id);

#endif
