#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "kept/kept_file.h"
#include "kept/kept_record.h"
#include "kept/packed.h"

/* ---- bytes that may be anything ---- */

struct bytes {
	const uint8_t *at, *end;
	bool is_short; /* something was read beyond the end, or is no number: what was read is 0 */
};

static unsigned take_byte(struct bytes *bytes)
{
	if (bytes->at == bytes->end) {
		bytes->is_short = true;
		return 0;
	}
	return *bytes->at++;
}

static uint32_t take_u16(struct bytes *bytes)
{
	uint32_t low = take_byte(bytes);

	return low | take_byte(bytes) << 8;
}

static float take_float(struct bytes *bytes)
{
	uint32_t low = take_u16(bytes);

	return packed_float(low | take_u16(bytes) << 16);
}

static uint32_t take_number(struct bytes *bytes)
{
	uint64_t value = 0;
	unsigned byte = 0x80;

	for (int shift = 0; shift < 35 && byte & 0x80; shift += 7) {
		byte = take_byte(bytes);
		value |= (uint64_t)(byte & 0x7F) << shift;
	}
	bytes->is_short |= byte & 0x80 || value > UINT32_MAX;
	return bytes->is_short ? 0 : (uint32_t)value;
}

/* ---- a reply's record ---- */

/* What it says, before it is believed. */
struct told {
	uint32_t node, from, n_vocab, n_prompt, n;
	struct kept_model *model;
	struct kept_token *tokens; /* owned, as the next: [n], [n][TOKEN_CANDIDATES_MAX] */
	struct kept_candidate *candidates;
	int32_t tail[KEPT_TAIL_MAX];
	size_t n_tail;
};

/* Ids reach the model when the user chooses another candidate. */
static int32_t take_id(struct bytes *bytes, const struct told *told)
{
	int32_t id = (int32_t)take_number(bytes);

	bytes->is_short |= id >= 0 && told->n_vocab && (uint32_t)id >= told->n_vocab;
	return id;
}

static void take_candidate(struct bytes *bytes, const struct told *told, struct kept_candidate *out, uint32_t *order)
{
	out->id = take_id(bytes, told);
	*order -= take_number(bytes);
	out->logit = packed_unorder(*order);
	bytes->is_short |= !isfinite(out->logit);
}

/* Sums of rounded figures may be a little above 1. */
static bool is_probability(float p)
{
	return p >= 0 && p < 1.01F;
}

static void take_token(struct bytes *bytes, const struct told *told, struct kept_token *out,
                       struct kept_candidate *candidates)
{
	uint32_t order = PACKED_ORDER_FIRST;

	out->id = take_id(bytes, told);
	out->flags = take_byte(bytes);
	out->probability = take_float(bytes);
	out->raw_p = take_float(bytes);
	out->entropy = take_float(bytes);
	out->log_sum = take_float(bytes);
	out->n_bytes = take_number(bytes);
	out->us = take_number(bytes);
	out->n_candidates = take_byte(bytes);
	out->candidates = candidates;
	bytes->is_short |= out->n_candidates > KEPT_SHOWN || !is_probability(out->probability) ||
	                   !is_probability(out->raw_p) || isinf(out->entropy) || isinf(out->log_sum);
	for (size_t i = 0; i < out->n_candidates && !bytes->is_short; i++) {
		take_candidate(bytes, told, &candidates[i], &order);
		candidates[i].cut_by = (uint8_t)take_byte(bytes);
		candidates[i].chosen_p = candidates[i].cut_by ? 0 : packed_unprobability(take_u16(bytes));
	}
}

static void take_further(struct bytes *bytes, const struct told *told, struct kept_token *token,
                         struct kept_candidate *candidates)
{
	size_t from = token->n_candidates, n = take_byte(bytes);
	uint32_t order = from ? packed_order(candidates[from - 1].logit) : PACKED_ORDER_FIRST;

	if (n > TOKEN_CANDIDATES_MAX - from) {
		bytes->is_short = true;
		return;
	}
	for (size_t i = from; i < from + n && !bytes->is_short; i++)
		take_candidate(bytes, told, &candidates[i], &order);
	token->n_candidates += n;
}

/* They are the model's even if the rest of the record is refused. False: no memory. */
static bool take_texts(struct bytes *bytes, struct told *told)
{
	unsigned len;

	while ((len = take_byte(bytes))) {
		int32_t id = take_id(bytes, told);
		const uint8_t *text = bytes->at;

		len--;
		if (bytes->is_short || (size_t)(bytes->end - text) < len) {
			bytes->is_short = true;
			return true;
		}
		bytes->at += len;
		if (!kept_texts_add(&told->model->texts, id, (const char *)text, len))
			return false;
		kept_texts_find(&told->model->texts, id)->is_saved = true;
	}
	return true;
}

static struct kept_model *saved_model(const struct kept *kept, uint32_t number)
{
	for (size_t i = 0; i < kept->n_models; i++)
		if (kept->models[i]->is_saved && kept->models[i]->number == number)
			return kept->models[i];
	return NULL;
}

static bool take_told(struct bytes *bytes, struct told *told)
{
	bool has_memory;

	told->tokens = alloc_array(told->n, sizeof *told->tokens);
	told->candidates = alloc_array(told->n, TOKEN_CANDIDATES_MAX * sizeof *told->candidates);
	if (!told->tokens || !told->candidates)
		return false;
	for (size_t i = 0; i < told->n && !bytes->is_short; i++)
		take_token(bytes, told, &told->tokens[i], told->candidates + i * TOKEN_CANDIDATES_MAX);
	has_memory = take_texts(bytes, told);
	told->n_tail = take_number(bytes);
	if (told->n_tail > KEPT_TAIL_MAX || told->n_tail > told->n_prompt)
		return false;
	for (size_t i = 0; i < told->n_tail; i++)
		told->tail[i] = take_id(bytes, told);
	for (size_t i = 0; i < told->n && !bytes->is_short; i++)
		take_further(bytes, told, &told->tokens[i], told->candidates + i * TOKEN_CANDIDATES_MAX);
	return has_memory && !bytes->is_short && bytes->at == bytes->end;
}

static bool believe(struct kept *kept, const struct told *told)
{
	struct kept_reply *reply = kept_add_reply(kept, told->node);

	if (!reply)
		return false;
	kept_cut(reply, told->from);
	if (reply->n < told->from || (told->from && reply->model != told->model)) {
		kept_drop(kept, told->node); /* its beginning is missing */
		return true;
	}
	reply->model = told->model;
	if (!told->from) {
		reply->n_vocab = told->n_vocab;
		reply->n_prompt = told->n_prompt;
		reply->n_tail = told->n_tail;
		memcpy(reply->tail, told->tail, sizeof reply->tail);
	}
	for (size_t i = 0; i < told->n; i++)
		if (!kept_push(reply, &told->tokens[i])) {
			kept_drop(kept, told->node);
			return false;
		}
	reply->n_saved = reply->n;
	return true;
}

static bool take_reply(struct kept *kept, struct bytes *bytes)
{
	struct told told = {.node = take_number(bytes), .from = 0};
	bool is_told;

	told.from = take_number(bytes);
	told.model = saved_model(kept, take_number(bytes));
	told.n_vocab = take_number(bytes);
	told.n_prompt = take_number(bytes);
	told.n = take_number(bytes);
	if (bytes->is_short || !told.model || !told.n || told.n > KEPT_RECORD_TOKENS || !told.node)
		return false;
	is_told = take_told(bytes, &told) && believe(kept, &told);
	free(told.tokens);
	free(told.candidates);
	return is_told;
}

static bool take_model(struct kept *kept, const struct bytes *bytes)
{
	size_t len = (size_t)(bytes->end - bytes->at);
	char *name = memchr(bytes->at, '\0', len) ? NULL : alloc_strndup((const char *)bytes->at, len);
	struct kept_model *model = name ? kept_model_of(kept, name) : NULL;

	free(name);
	if (!model || model->is_saved)
		return false;
	model->is_saved = true;
	model->number = kept->n_saved_models++;
	return true;
}

bool kept_record_take(struct kept *kept, const uint8_t *bytes, size_t len)
{
	struct bytes rest = {.at = bytes, .end = bytes + len};

	switch (take_byte(&rest)) {
	case 'm': return take_model(kept, &rest);
	case 'r': return take_reply(kept, &rest);
	default: return false;
	}
}
