#include <math.h>
#include <string.h>

#include "base/crc32c.h"
#include "kept/kept_file.h"
#include "kept/kept_record.h"
#include "kept/packed.h"

static void put_byte(struct buf *out, unsigned byte)
{
	buf_putc(out, (char)byte);
}

static void put_u16(struct buf *out, uint32_t value)
{
	put_byte(out, value & 0xFF);
	put_byte(out, value >> 8);
}

static void put_u32(struct buf *out, uint32_t value)
{
	put_u16(out, value & 0xFFFF);
	put_u16(out, value >> 16);
}

static void put_float(struct buf *out, float value)
{
	put_u32(out, packed_bits(value));
}

static void put_number(struct buf *out, uint32_t value)
{
	for (; value > 0x7F; value >>= 7)
		put_byte(out, (value & 0x7F) | 0x80);
	put_byte(out, value);
}

static size_t number_len(uint32_t value)
{
	size_t len = 1;

	for (; value > 0x7F; value >>= 7)
		len++;
	return len;
}

/* Begins a record; returns where, for end_record. */
static size_t begin_record(struct buf *out, char kind)
{
	size_t at = out->len;

	put_u32(out, 0);
	put_u32(out, 0);
	buf_putc(out, kind);
	return at;
}

static void end_record(struct buf *out, size_t at)
{
	uint32_t len, sum;
	unsigned char *frame;

	if (buf_status(out))
		return;
	frame = (unsigned char *)out->data + at;
	len = (uint32_t)(out->len - at - KEPT_FRAME);
	sum = crc32c(frame + KEPT_FRAME, len);
	for (int i = 0; i < 4; i++) {
		frame[i] = (unsigned char)(len >> (8 * i));
		frame[4 + i] = (unsigned char)(sum >> (8 * i));
	}
}

/* ---- tokens ---- */

/* `before`: the logit of the candidate before it, as packed_order; sorted, they differ by little. */
static void put_candidate(struct buf *out, const struct kept_candidate *candidate, uint32_t *before)
{
	uint32_t order = packed_order(candidate->logit);

	put_number(out, (uint32_t)candidate->id);
	put_number(out, *before - order);
	*before = order;
}

static size_t candidate_len(const struct kept_candidate *candidate, uint32_t before)
{
	return number_len((uint32_t)candidate->id) + number_len(before - packed_order(candidate->logit));
}

static size_t n_shown(const struct kept_token *token)
{
	return token->n_candidates < KEPT_SHOWN ? token->n_candidates : KEPT_SHOWN;
}

static void put_token(struct buf *out, const struct kept_token *token)
{
	uint32_t before = PACKED_ORDER_FIRST;

	put_number(out, (uint32_t)token->id);
	put_byte(out, token->flags);
	put_float(out, token->probability);
	put_float(out, token->raw_p);
	put_float(out, token->entropy);
	put_float(out, token->log_sum);
	put_number(out, token->n_bytes);
	put_number(out, token->us);
	put_byte(out, (unsigned)n_shown(token));
	for (size_t i = 0; i < n_shown(token); i++) {
		const struct kept_candidate *candidate = &token->candidates[i];

		put_candidate(out, candidate, &before);
		put_byte(out, candidate->cut_by);
		if (!candidate->cut_by)
			put_u16(out, packed_probability(candidate->chosen_p));
	}
}

/* ---- what follows them, as far as there is room ---- */

static void put_text(struct buf *out, struct kept_texts *texts, int32_t id, size_t end)
{
	struct kept_text *text = kept_texts_find(texts, id);

	if (!text || text->is_saved || out->len + number_len((uint32_t)id) + 2 + text->len > end)
		return;
	put_byte(out, text->len + 1u);
	put_number(out, (uint32_t)id);
	buf_append(out, text->text, text->len);
	text->is_saved = true;
}

/* Of the tokens first, then of the candidates that come first, so that those are without that are shown last. */
static void put_texts(struct buf *out, struct kept_reply *reply, size_t from, size_t n, size_t end)
{
	struct kept_texts *texts = &reply->model->texts;

	for (size_t i = from; i < from + n; i++)
		put_text(out, texts, reply->tokens[i].id, end);
	for (size_t rank = 0; rank < KEPT_SHOWN; rank++)
		for (size_t i = from; i < from + n; i++)
			if (rank < reply->tokens[i].n_candidates)
				put_text(out, texts, reply->tokens[i].candidates[rank].id, end);
	put_byte(out, 0);
}

/* The newest ones. */
static void put_tail(struct buf *out, const struct kept_reply *reply, size_t end)
{
	size_t room = out->len + 2 < end ? (end - out->len - 2) / 2 : 0, n = 0;

	for (size_t len = 0; n < reply->n_tail; n++) {
		len += number_len((uint32_t)reply->tail[reply->n_tail - 1 - n]);
		if (len > room)
			break;
	}
	put_number(out, (uint32_t)n);
	for (size_t i = reply->n_tail - n; i < reply->n_tail; i++)
		put_number(out, (uint32_t)reply->tail[i]);
}

/* Those that fit up to `end`. */
static void put_further(struct buf *out, const struct kept_token *token, size_t end)
{
	size_t from = n_shown(token), n = from, len = out->len + 1;
	uint32_t before = from ? packed_order(token->candidates[from - 1].logit) : PACKED_ORDER_FIRST, at = before;

	for (; n < token->n_candidates; n++) {
		len += candidate_len(&token->candidates[n], at);
		if (len > end)
			break;
		at = packed_order(token->candidates[n].logit);
	}
	put_byte(out, (unsigned)(n - from));
	for (size_t i = from; i < n; i++)
		put_candidate(out, &token->candidates[i], &before);
}

/* ---- records ---- */

static void put_model(struct kept *kept, struct kept_model *model, struct buf *out)
{
	size_t at;

	if (model->is_saved)
		return;
	at = begin_record(out, 'm');
	buf_puts(out, model->name);
	end_record(out, at);
	model->is_saved = true;
	model->number = kept->n_saved_models++;
}

enum status kept_record_put(struct kept *kept, struct kept_reply *reply, size_t max, size_t spent, struct buf *out,
                            size_t *n)
{
	const size_t from = reply->n_saved, begun = out->len;
	size_t at, end;

	*n = reply->n - from;
	*n = *n < max ? *n : max;
	end = begun + *n * KEPT_BYTES - (spent < KEPT_BYTES ? spent : KEPT_BYTES);
	put_model(kept, reply->model, out);
	at = begin_record(out, 'r');
	put_number(out, reply->node);
	put_number(out, (uint32_t)from);
	put_number(out, reply->model->number);
	put_number(out, reply->n_vocab);
	put_number(out, reply->n_prompt);
	put_number(out, (uint32_t)*n);
	for (size_t i = from; i < from + *n; i++)
		put_token(out, &reply->tokens[i]);
	put_texts(out, reply, from, *n, end - *n - 2); /* what is counted below takes a byte each */
	if (from)
		put_byte(out, 0);
	else
		put_tail(out, reply, end - *n);
	for (size_t i = from; i < from + *n; i++) {
		size_t room = end > out->len ? end - out->len : 0;

		put_further(out, &reply->tokens[i], out->len + room / (from + *n - i));
	}
	end_record(out, at);
	return buf_status(out);
}
