
#include "base/utf8.h"
#include "tokenizer/encode.h"

static bool lookup(const void *ctx, const struct merger *m, uint32_t left, uint32_t right,
                   struct merge_pair *pair)
{
	const struct merge *merge;

	if (m->id[left] < 0 || m->id[right] < 0)
		return false;
	merge = vocab_find_merge(ctx, m->id[left], m->id[right]);
	if (!merge)
		return false;
	*pair = (struct merge_pair){merge->rank, merge->id};
	return true;
}

/* The token that is this whole word, or -1. */
static int32_t find_word(const struct vocab *vocab, struct buf *spelled, const char *word,
                         size_t len)
{
	char letter[2];

	if (vocab->pre->flags & PRE_RAW)
		return vocab_find_plain(vocab, word, len);
	if (len > vocab->longest)
		return TOKEN_NONE;
	buf_clear(spelled);
	for (size_t i = 0; i < len; i++)
		buf_append(spelled, letter, vocab_byte_letter((unsigned char)word[i], letter));
	return buf_status(spelled) ? TOKEN_NONE : vocab_find_plain(vocab, spelled->data, spelled->len);
}

static bool is_newlines(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (word[i] != '\n')
			return false;
	return true;
}

static void add_symbols(const struct vocab *vocab, struct merger *m, const char *word, size_t len)
{
	int32_t cp;

	if (!(vocab->pre->flags & PRE_RAW)) {
		for (size_t i = 0; i < len; i++)
			merger_add(m, (uint32_t)i, vocab->letter_ids[(unsigned char)word[i]]);
		return;
	}
	for (size_t i = 0, n; i < len; i += n) {
		n = utf8_decode(word + i, len - i, &cp);
		merger_add(m, (uint32_t)i, vocab_find_symbol(vocab, word + i, n));
	}
}

/* A symbol without a token becomes the tokens of its bytes. A byte without one is left out;
 * vocabularies trained on valid UTF-8 have them all. */
static enum status put_symbol(const struct vocab *vocab, const char *bytes, size_t len,
                              int32_t id, struct token_list *out)
{
	enum status status = STATUS_OK;

	if (id >= 0 && (size_t)id < vocab->n)
		return token_list_push(out, id);
	for (size_t i = 0; i < len && !status; i++)
		if (vocab->byte_ids[(unsigned char)bytes[i]] >= 0)
			status = token_list_push(out, vocab->byte_ids[(unsigned char)bytes[i]]);
	return status;
}

static enum status encode_word(const struct vocab *vocab, struct encode_scratch *scratch,
                               const char *word, size_t len, struct token_list *out,
                               struct error *err)
{
	struct merger *m = &scratch->merger;
	enum status status;
	int32_t id = TOKEN_NONE;

	if (vocab->ignore_merges ||
	    ((vocab->pre->flags & PRE_NEWLINES) && is_newlines(word, len)))
		id = find_word(vocab, &scratch->word, word, len);
	if (id >= 0) {
		status = token_list_push(out, id);
		return status ? error_set(err, status, "not enough memory for the tokens") : STATUS_OK;
	}
	status = merger_begin(m, word, len, err);
	if (status)
		return status;
	add_symbols(vocab, m, word, len);
	status = merger_run(m, lookup, vocab, err);
	if (status)
		return status;
	for (uint32_t at = 0; at < m->len && !status; at = m->next[at])
		status = put_symbol(vocab, word + at, m->next[at] - at, m->id[at], out);
	return status ? error_set(err, status, "not enough memory for the tokens") : STATUS_OK;
}

/* Valid UTF-8, each ill-formed byte as one U+FFFD (as llama.cpp does: not one
 * for each maximal subpart), blanks as U+2581 where tokens have them so. */
static void prepare(const struct vocab *vocab, struct buf *out, const char *text, size_t len)
{
	size_t done = 0, used;
	int32_t cp;

	buf_clear(out);
	for (size_t i = 0; i < len; i += used) {
		const char *instead = "\xEF\xBF\xBD";

		used = utf8_decode(text + i, len - i, &cp);
		if (cp >= 0 && (cp != ' ' || !(vocab->pre->flags & PRE_ESCAPE)))
			continue;
		if (cp == ' ')
			instead = "\xE2\x96\x81";
		buf_append(out, text + done, i - done);
		for (size_t n = 0; n < used; n++)
			buf_puts(out, instead);
		done = i + used;
	}
	buf_append(out, text + done, len - done);
}

enum status bpe_encode(const struct vocab *vocab, const struct pretokenizer *pre,
                       struct encode_scratch *scratch, const char *text, size_t len,
                       struct token_list *out, struct error *err)
{
	enum status status;
	size_t start = 0;

	if ((vocab->pre->flags & PRE_ESCAPE) || !utf8_valid(text, len)) {
		prepare(vocab, &scratch->text, text, len);
		if (buf_status(&scratch->text))
			return error_set(err, buf_status(&scratch->text),
			                 "not enough memory to tokenise %zu bytes", len);
		text = buf_text(&scratch->text);
		len = scratch->text.len;
	}
	status = pretokenizer_split(pre, text, len, &scratch->words, err);
	for (size_t i = 0; i < scratch->words.n && !status; i++) {
		status = encode_word(vocab, scratch, text + start, scratch->words.ends[i] - start, out,
		                     err);
		start = scratch->words.ends[i];
	}
	return status;
}
