/* SentencePiece ("SentencePiece", Kudo, Richardson 2018, its BPE mode with scores) and BPE
 * ("Neural Machine Translation of Rare Words with Subword Units", Sennrich et al. 2016; on bytes
 * since GPT-2). */
#include "tokenizer/encode.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "tokenizer/merge.h"

/* One call of encode_fragments; its memory is shared by all stretches of text. */
struct encoder {
	const struct vocab *vocab;
	const struct pretokenizer *pre;
	struct token_list *out;
	struct error *err;
	struct merger merger;
	struct word_list words;
	struct buf text; /* escaped or repaired */
	struct buf word; /* spelled in the byte alphabet */
};

void token_list_free(struct token_list *list)
{
	free(list->ids);
	*list = (struct token_list){0};
}

enum status token_list_push(struct token_list *list, int32_t id)
{
	if (list->n == list->cap && !alloc_grow(&list->ids, &list->cap, list->n + 1,
	                                        sizeof *list->ids, (size_t)1 << 40))
		return STATUS_NOMEM;
	list->ids[list->n++] = id;
	return STATUS_OK;
}

enum status token_list_append(struct token_list *list, const int32_t *ids, size_t n)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < n && !status; i++)
		status = token_list_push(list, ids[i]);
	return status;
}

enum status encode_push(struct token_list *out, int32_t id, struct error *err)
{
	return token_list_push(out, id) ? error_no_memory(err, "for the tokens") : STATUS_OK;
}

/* A symbol without a token becomes the tokens of its bytes. Where a byte has none, SentencePiece
 * gives the unknown token for the symbol, and BPE leaves the byte out; vocabularies trained on
 * valid UTF-8 have them all. */
static enum status put_symbol(const struct encoder *e, const char *bytes, size_t len, int32_t id)
{
	const struct vocab *vocab = e->vocab;
	enum status status = STATUS_OK;

	if (id >= 0 && (size_t)id < vocab->n)
		return encode_push(e->out, id, e->err);
	for (size_t i = 0; i < len && vocab->model == VOCAB_SPM; i++)
		if (vocab->byte_ids[(unsigned char)bytes[i]] < 0)
			return encode_push(e->out, vocab->special[SPECIAL_UNK], e->err);
	for (size_t i = 0; i < len && !status; i++) {
		id = vocab->byte_ids[(unsigned char)bytes[i]];
		if (id >= 0)
			status = encode_push(e->out, id, e->err);
	}
	return status;
}

/* Joins the symbols that the merger has and appends what they became. */
static enum status put_joined(struct encoder *e, merge_lookup lookup)
{
	const struct merger *m = &e->merger;
	enum status status = merger_run(&e->merger, lookup, e->vocab, e->err);

	for (uint32_t at = 0; at < m->len && !status; at = m->symbols[at].next)
		status = put_symbol(e, m->text + at, m->symbols[at].next - at, m->symbols[at].id);
	return status;
}

/* Whether e->text, which was made of `len` bytes, is whole. */
static enum status check_text(struct encoder *e, size_t len)
{
	enum status status = buf_status(&e->text);

	return status ? error_set(e->err, status, "not enough memory to tokenise %zu bytes", len)
	              : STATUS_OK;
}

/* SentencePiece */

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

static bool lookup_score(const void *ctx, const struct merger *m, uint32_t left, uint32_t right,
                   struct merge_pair *pair)
{
	const struct vocab *vocab = ctx;

	pair->id = vocab_find_plain(vocab, m->text + left, m->symbols[right].next - left);
	if (pair->id < 0)
		return false;
	pair->key = score_key(vocab->scores[pair->id]);
	return true;
}

/* Blanks become U+2581; `prefix` puts one in front. */
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

static enum status encode_spm(struct encoder *e, const char *text, size_t len, bool prefix)
{
	const struct buf *escaped = &e->text;
	enum status status;

	escape(&e->text, text, len, prefix);
	status = check_text(e, len);
	if (status || !escaped->len)
		return status;
	status = merger_begin(&e->merger, escaped->data, escaped->len, e->err);
	if (status)
		return status;
	for (size_t at = 0, n; at < escaped->len; at += n) {
		n = lead_len(escaped->data[at]);
		if (n > escaped->len - at)
			n = escaped->len - at;
		merger_add(&e->merger, (uint32_t)at,
		           vocab_find_plain(e->vocab, escaped->data + at, n));
	}
	return put_joined(e, lookup_score);
}

/* BPE */

static bool lookup_merge(const void *ctx, const struct merger *m, uint32_t left, uint32_t right,
                   struct merge_pair *pair)
{
	const struct merge *merge;

	if (m->symbols[left].id < 0 || m->symbols[right].id < 0)
		return false;
	merge = vocab_find_merge(ctx, m->symbols[left].id, m->symbols[right].id);
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

static enum status encode_word(struct encoder *e, const char *word, size_t len)
{
	const struct vocab *vocab = e->vocab;
	enum status status;
	int32_t id = TOKEN_NONE;

	if (vocab->ignore_merges ||
	    ((vocab->pre->flags & PRE_NEWLINES) && is_newlines(word, len)))
		id = find_word(vocab, &e->word, word, len);
	if (id >= 0)
		return encode_push(e->out, id, e->err);
	status = merger_begin(&e->merger, word, len, e->err);
	if (status)
		return status;
	add_symbols(vocab, &e->merger, word, len);
	return put_joined(e, lookup_merge);
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

static enum status encode_bpe(struct encoder *e, const char *text, size_t len)
{
	enum status status;
	size_t start = 0;

	if ((e->vocab->pre->flags & PRE_ESCAPE) || !utf8_valid(text, len)) {
		prepare(e->vocab, &e->text, text, len);
		if ((status = check_text(e, len)))
			return status;
		text = buf_text(&e->text);
		len = e->text.len;
	}
	status = pretokenizer_split(e->pre, text, len, &e->words, e->err);
	for (size_t i = 0; i < e->words.n && !status; i++) {
		status = encode_word(e, text + start, e->words.ends[i] - start);
		start = e->words.ends[i];
	}
	return status;
}

enum status encode_fragments(const struct vocab *vocab, const struct pretokenizer *pre,
                             const char *text, const struct fragment_list *fragments,
                             bool at_border, struct token_list *out, struct error *err)
{
	struct encoder e = {.vocab = vocab, .pre = pre, .out = out, .err = err};
	enum status status = STATUS_OK;

	e.text.max = LIMIT_TOKENIZE_INPUT * 3 + 3; /* U+2581 is three bytes */
	e.word.max = vocab->longest * 2 + 2;
	for (size_t i = 0; i < fragments->n && !status; i++) {
		struct fragment f = fragments->items[i];

		if (f.id >= 0)
			status = encode_push(out, f.id, err);
		else if (vocab->model == VOCAB_SPM)
			status = encode_spm(&e, text + f.start, f.len,
			                    at_border && vocab->add_space_prefix);
		else
			status = encode_bpe(&e, text + f.start, f.len);
		at_border = f.id >= 0;
	}
	buf_free(&e.word);
	buf_free(&e.text);
	word_list_free(&e.words);
	merger_deinit(&e.merger);
	return status;
}
