#include "sampler/dry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "sampler/exact.h"

enum head_kind {
	HEAD_ALONE = 1 << 0, /* the token is a breaker by itself */
	HEAD_OF_TAIL = 1 << 1,
};

struct breaker_tail {
	int32_t head;
	int32_t ids[DRY_TAIL_MAX];
	size_t n;
};

struct dry_breakers {
	uint8_t *kinds; /* [n_vocab]: enum head_kind */
	size_t n_vocab;
	struct breaker_tail *tails; /* [n_tails], by rising head */
	size_t n_tails, cap;
};

/* The natural logarithm of the largest float: no penalty is larger than that, as in llama.cpp. */
static const double log_float_max = 88.7228391;

enum status dry_breakers_create(struct dry_breakers **out, size_t n_vocab, struct error *err)
{
	struct dry_breakers *b = alloc_array(1, sizeof *b);

	*out = NULL;
	if (b)
		b->kinds = alloc_array(n_vocab, sizeof *b->kinds);
	if (!b || !b->kinds) {
		dry_breakers_free(b);
		return error_no_memory(err, "for the sampler");
	}
	b->n_vocab = n_vocab;
	*out = b;
	return STATUS_OK;
}

void dry_breakers_free(struct dry_breakers *b)
{
	if (!b)
		return;
	free(b->kinds);
	free(b->tails);
	free(b);
}

static bool is_tail(const struct breaker_tail *tail, int32_t head, const int32_t *ids, size_t n)
{
	return tail->head == head && tail->n == n && memcmp(tail->ids, ids, n * sizeof *ids) == 0;
}

enum status dry_breakers_add(struct dry_breakers *b, int32_t head, const int32_t *tail, size_t n,
                             struct error *err)
{
	struct breaker_tail *added;

	if (head < 0 || (size_t)head >= b->n_vocab || n > DRY_TAIL_MAX)
		return STATUS_OK;
	b->kinds[head] |= n ? HEAD_OF_TAIL : HEAD_ALONE;
	if (n == 0)
		return STATUS_OK;
	for (size_t i = b->n_tails; i > 0 && b->tails[i - 1].head == head; i--)
		if (is_tail(&b->tails[i - 1], head, tail, n))
			return STATUS_OK;
	if (!alloc_grow(&b->tails, &b->cap, b->n_tails + 1, sizeof *b->tails, SIZE_MAX))
		return error_no_memory(err, "for the sampler");
	added = &b->tails[b->n_tails++];
	*added = (struct breaker_tail){.head = head, .n = n};
	memcpy(added->ids, tail, n * sizeof *tail);
	return STATUS_OK;
}

static unsigned kind_of(const struct dry_breakers *b, int32_t id)
{
	return b && id >= 0 && (size_t)id < b->n_vocab ? b->kinds[id] : 0;
}

/* The first tail of a head. */
static size_t find_tails(const struct dry_breakers *b, int32_t head)
{
	size_t first = 0;

	BISECT(first, b->n_tails, i, b->tails[i].head < head);
	return first;
}

/* Whether a breaker begins at `at`, which n tokens follow; *len is how many of them are its
 * longest tail. */
static bool breaks(const struct dry_breakers *b, const int32_t *at, size_t n, size_t *len)
{
	unsigned kind = kind_of(b, *at);
	bool found = kind & HEAD_ALONE;

	*len = 0;
	if (!(kind & HEAD_OF_TAIL))
		return found;
	for (size_t i = find_tails(b, *at); i < b->n_tails && b->tails[i].head == *at; i++) {
		const struct breaker_tail *tail = &b->tails[i];

		if (tail->n > n || memcmp(tail->ids, at + 1, tail->n * sizeof *at) != 0)
			continue;
		found = true;
		*len = tail->n > *len ? tail->n : *len;
	}
	return found;
}

/* How many of the last n tokens come after the last breaker. `end` is behind the last token. */
static size_t count_unbroken(const struct dry_breakers *b, const int32_t *end, size_t n)
{
	size_t len;

	for (size_t i = 0; i < n; i++)
		if (breaks(b, end - 1 - i, i, &len))
			return i - len;
	return n;
}

/* lengths[k]: as many of the last tokens also end k tokens earlier. This is the Z-function of the
 * last n tokens read backwards (Gusfield, Algorithms on Strings, Trees, and Sequences, 1997, 1.4):
 * [left, right) is the match found so far that reaches farthest back, inside which what was found
 * for its beginning holds again. */
static void measure_repeats(const int32_t *end, size_t n, uint32_t *lengths)
{
	size_t left = 0, right = 0;

	lengths[0] = 0;
	for (size_t k = 1; k < n; k++) {
		size_t len = 0;

		if (k < right)
			len = lengths[k - left] < right - k ? lengths[k - left] : right - k;
		while (k + len < n && *(end - 1 - len) == *(end - 1 - k - len))
			len++;
		if (k + len > right) {
			left = k;
			right = k + len;
		}
		lengths[k] = (uint32_t)len;
	}
}

size_t dry_reach(const struct sampler_params *params, size_t n_history)
{
	size_t n = n_history;

	if (!(params->dry_multiplier > 0) || !(params->dry_base >= 1) || params->dry_penalty_last_n == 0)
		return 0;
	if (params->dry_penalty_last_n > 0 && (size_t)params->dry_penalty_last_n < n)
		n = (size_t)params->dry_penalty_last_n;
	if (n > UINT32_MAX / 2)
		n = UINT32_MAX / 2;
	return (int64_t)n > params->dry_allowed_length ? n : 0;
}

/* For a token that would make a repetition of `len` tokens longer by one. */
static float penalty(const struct sampler_params *params, uint32_t len)
{
	double log_base = exact_log(params->dry_base);
	double exponent = (double)len - params->dry_allowed_length;

	if (params->dry_base > 1.000001f) {
		double most = floor(log_float_max / log_base);

		exponent = most > 0 && exponent > most ? most : exponent;
	}
	return (float)(params->dry_multiplier * exact_exp(exponent * log_base));
}

bool dry_may_act(const int32_t *history, size_t n_history, size_t reach, const struct sampler_params *params,
                 uint32_t *lengths)
{
	measure_repeats(history + n_history, reach, lengths);
	for (size_t k = 1; k < reach; k++)
		if ((int64_t)lengths[k] >= params->dry_allowed_length)
			return true;
	return false;
}

void dry_apply(float *logits, size_t n_vocab, const int32_t *history, size_t n_history, size_t reach,
               const struct sampler_params *params, const struct dry_breakers *breakers,
               uint32_t *counts, uint32_t *lengths)
{
	const int32_t *end = history + n_history;
	size_t limit = count_unbroken(breakers, end, reach);
	int64_t allowed = params->dry_allowed_length;

	if ((int64_t)limit < allowed)
		return;
	measure_repeats(end, reach, lengths);
	/* The longest repetition that each token would continue, and one more, so that 0 is none. */
	for (size_t k = 1; k < reach; k++) {
		int32_t id = *(end - k);
		uint32_t len = lengths[k] < limit ? lengths[k] : (uint32_t)limit;

		if ((int64_t)len >= allowed && id >= 0 && (size_t)id < n_vocab && counts[id] < len + 1)
			counts[id] = len + 1;
	}
	for (size_t k = 1; k < reach; k++) {
		int32_t id = *(end - k);

		if (id < 0 || (size_t)id >= n_vocab || !counts[id])
			continue;
		if (!(kind_of(breakers, id) & HEAD_ALONE)) {
			logits[id] -= penalty(params, counts[id] - 1);
			logits[id] = isfinite(logits[id]) ? logits[id] : -INFINITY;
		}
		counts[id] = 0;
	}
}
