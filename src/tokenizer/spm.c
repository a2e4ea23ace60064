#include <string.h>

#include "tokenizer/encode.h"

/* Length of a character by its first byte, as in llama.cpp. The bytes of broken UTF-8 are
 * kept one by one. */
static size_t lead_len(char byte)
{
	static const unsigned char lens[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4};

	return lens[(unsigned char)byte >> 4];
}

/* Higher scores first: floats in descending order as ascending integers. */
static uint32_t score_key(float score)
{
	uint32_t bits;

	score += 0.0f; /* -0 is 0 */
	memcpy(&bits, &score, sizeof bits);
	bits = bits >> 31 ? ~bits : bits | 0x80000000u; /* now ascending */
	return ~bits;
}

static bool lookup(const void *ctx, const struct merger *m, uint32_t left, uint32_t right,
                   struct merge_pair *pair)
{
	const struct vocab *vocab = ctx;

	pair->id = vocab_find_plain(vocab, m->text + left, m->next[right] - left);
	if (pair->id < 0)
		return false;
	pair->key = score_key(vocab->scores[pair->id]);
	return true;
}

static enum status put_symbol(const struct vocab *vocab, const char *bytes, size_t len,
                              int32_t id, struct token_list *out)
{
	enum status status = STATUS_OK;

	if (id >= 0)
		return token_list_push(out, id);
	for (size_t i = 0; i < len; i++)
		if (vocab->byte_ids[(unsigned char)bytes[i]] < 0)
			return token_list_push(out, vocab->special[SPECIAL_UNK]);
	for (size_t i = 0; i < len && !status; i++)
		status = token_list_push(out, vocab->byte_ids[(unsigned char)bytes[i]]);
	return status;
}

static void escape(struct buf *out, const char *text, size_t len, bool prefix)
{
	size_t done = 0;

	buf_clear(out);
	if (prefix)
		buf_puts(out, "\xE2\x96\x81");
	for (size_t i = 0; i < len; i++) {
		if (text[i] != ' ')
			continue;
		buf_append(out, text + done, i - done);
		buf_puts(out, "\xE2\x96\x81");
		done = i + 1;
	}
	buf_append(out, text + done, len - done);
}

enum status spm_encode(const struct vocab *vocab, struct encode_scratch *scratch, const char *text,
                       size_t len, bool prefix, struct token_list *out, struct error *err)
{
	struct merger *m = &scratch->merger;
	struct buf *escaped = &scratch->text;
	enum status status;

	escape(escaped, text, len, prefix);
	if (buf_status(escaped))
		return error_set(err, buf_status(escaped), "not enough memory to tokenise %zu bytes", len);
	if (!escaped->len)
		return STATUS_OK;
	status = merger_begin(m, escaped->data, escaped->len, err);
	if (status)
		return status;
	for (size_t at = 0, n; at < escaped->len; at += n) {
		n = lead_len(escaped->data[at]);
		if (n > escaped->len - at)
			n = escaped->len - at;
		merger_add(m, (uint32_t)at, vocab_find_plain(vocab, escaped->data + at, n));
	}
	status = merger_run(m, lookup, vocab, err);
	if (status)
		return status;
	for (uint32_t at = 0; at < m->len && !status; at = m->next[at])
		status = put_symbol(vocab, m->text + at, m->next[at] - at, m->id[at], out);
	return status ? error_set(err, status, "not enough memory for the tokens") : STATUS_OK;
}
