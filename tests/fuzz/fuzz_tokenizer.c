/* Any text, tokenised with small vocabularies: against a slow and simple
 * merger, and back. The first byte of the input chooses the vocabulary, the
 * second one flags. */
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "gguf/reader.h"
#include "support/gguf_memory.h"
#include "support/tiny_vocab.h"
#include "tokenizer/pretokenize.h"
#include "tokenizer/tokenizer.h"

enum { SLOW_MAX = 400 }; /* bytes of text that the quadratic twin gets */

static const struct tiny_token spm_tokens[] = {
	{"\xE2\x96\x81", -9, 0}, {"a", -8, 0}, {"b", -8, 0}, {"ab", -1, 0}, {"ba", -2, 0},
	{"aba", -3, 0}, {"bb", -1, 0}, {"\xE2\x96\x81" "a", -1, 0}, {"abab", -3, 0},
	{"\xC3\xA9", -4, 0}, {"<|x|>", 0, 3}, {"<u>", 0, 4}, {"aa", 1, 0}, {"aabb", 2, 0}, {NULL, 0, 0},
};
static const struct tiny_token bpe_tokens[] = {
	{"<|x|>", 0, 3}, {"<u>", 0, 4}, {"<u><", 0, 4}, {"  ", 0, 4}, {NULL, 0, 0}};
static const char *const merges[] = {
	"a b", "ab ab", "b b", "a a", "aa bb", "\xC4\xA0 a", "\xC4\xA0 \xC4\xA0", "1 2", "12 1",
	"ab bb", "b a", "a ba", "\xC3\x83 \xC2\xA9", NULL};

static struct tokenizer *tokenizers[256];

static struct tokenizer *open_one(size_t which)
{
	struct tiny_vocabulary tiny = {"llama", NULL, spm_tokens, NULL};
	char name[64] = "";
	struct gguf *gguf;
	struct buf file = {.max = 1 << 20};

	if (which) {
		strncat(name, pre_table[which - 1].names, strcspn(pre_table[which - 1].names, " "));
		tiny = (struct tiny_vocabulary){"gpt2", name, bpe_tokens, merges};
	}
	FUZZ_CHECK(tiny_vocab_write(&tiny, &file, NULL) == STATUS_OK);
	FUZZ_CHECK(gguf_open_memory(&gguf, file.data, file.len, NULL) == STATUS_OK);
	FUZZ_CHECK(tokenizer_open(&tokenizers[which], gguf, NULL) == STATUS_OK);
	gguf_close(gguf);
	buf_free(&file);
	return tokenizers[which];
}

/* What SentencePiece means, without queue or links: join the best pair of the
 * whole text again and again. Text has its blanks escaped already. */
static size_t slow_spm(const struct tokenizer *t, const char *text, size_t len, int32_t *ids)
{
	size_t starts[3 * SLOW_MAX + 8], n = 0, n_ids = 0;

	for (size_t i = 0; i < len; n++) {
		int32_t cp;

		starts[n] = i;
		i += utf8_decode(text + i, len - i, &cp);
	}
	for (;;) {
		size_t best = n;
		float best_score = 0;

		starts[n] = len;
		for (size_t i = 0; i + 1 < n; i++) {
			for (const struct tiny_token *token = spm_tokens; token->name; token++) {
				size_t size = starts[i + 2] - starts[i];

				if (token->type == 3 || strlen(token->name) != size ||
				    memcmp(token->name, text + starts[i], size) != 0)
					continue;
				if (best == n || token->score > best_score) {
					best = i;
					best_score = token->score;
				}
			}
		}
		if (best == n)
			break;
		memmove(&starts[best + 1], &starts[best + 2], (n - best - 1) * sizeof *starts);
		n--;
	}
	for (size_t i = 0; i < n; i++) {
		int32_t id = tokenizer_find(t, text + starts[i], starts[i + 1] - starts[i]);

		if (id >= 0 && !tokenizer_is_control(t, id))
			ids[n_ids++] = id;
		else
			for (size_t k = starts[i]; k < starts[i + 1]; k++)
				ids[n_ids++] = 3 + (unsigned char)text[k];
	}
	return n_ids;
}

static void check_spm(const struct tokenizer *t, const char *text, size_t len)
{
	char escaped[3 * SLOW_MAX + 8];
	int32_t want[3 * SLOW_MAX + 8];
	struct token_list got = {0};
	size_t n = 0;

	if (len == 0 || len > SLOW_MAX || memmem(text, len, "<u>", 3))
		return;
	memcpy(escaped, "\xE2\x96\x81", 3);
	n = 3;
	for (size_t i = 0; i < len; i++) {
		if (text[i] == ' ') {
			memcpy(escaped + n, "\xE2\x96\x81", 3);
			n += 3;
		} else {
			escaped[n++] = text[i];
		}
	}
	n = slow_spm(t, escaped, n, want);
	FUZZ_CHECK(tokenizer_encode(t, text, len, 0, &got, NULL) == STATUS_OK);
	FUZZ_CHECK(got.n == n && memcmp(got.ids, want, n * sizeof *want) == 0);
	token_list_free(&got);
}

static void check_round_trip(const struct tokenizer *t, const char *text, size_t len,
                             const struct token_list *ids)
{
	struct detokenizer d;
	struct buf out, repaired; /* NUL is no character */

	buf_init(&out, len * 4 + 64);
	buf_init(&repaired, len * 4 + 64);
	FUZZ_CHECK(utf8_repair(&repaired, text, len) == STATUS_OK);
	detokenizer_init(&d, t, true);
	for (size_t i = 0; i < ids->n; i++)
		FUZZ_CHECK(detokenizer_push(&d, ids->ids[i], &out) == STATUS_OK);
	FUZZ_CHECK(utf8_stream_flush(&d.utf8, &out) == STATUS_OK);
	FUZZ_CHECK(utf8_valid(buf_text(&out), out.len));
	/* SentencePiece: U+2581 becomes a blank, and one more blank follows a
	 * token that is matched as spelled. */
	if (utf8_valid(text, len) && !(tokenizer_adds_space(t) &&
	                               (memmem(text, len, "\xE2\x96\x81", 3) || memmem(text, len, "<u>", 3))))
		FUZZ_CHECK(out.len == repaired.len && memcmp(buf_text(&out), buf_text(&repaired), out.len) == 0);
	buf_free(&repaired);
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct token_list ids = {0}, again = {0};
	struct tokenizer *t;
	const char *text = (const char *)data + 2;
	struct text_span spans[2];
	size_t which, len, cut;

	if (size < 2)
		return 0;
	len = size - 2;
	which = data[0] % (pre_table_len + 1);
	/* The rules for plain UTF-8 do not go with an alphabet of bytes. */
	if (which && (pre_table[which - 1].flags & PRE_RAW))
		which = 0;
	t = tokenizers[which] ? tokenizers[which] : open_one(which);
	FUZZ_CHECK(tokenizer_encode(t, text, len, 0, &ids, NULL) == STATUS_OK);
	for (size_t i = 0; i < ids.n; i++)
		FUZZ_CHECK(!tokenizer_is_control(t, ids.ids[i]));
	check_round_trip(t, text, len, &ids);
	if (which == 0 && utf8_valid(text, len))
		check_spm(t, text, len);
	/* Cut anywhere, a person's text gives the same ids. */
	cut = len ? data[1] % (len + 1) : 0;
	spans[0] = (struct text_span){text, cut, true};
	spans[1] = (struct text_span){text + cut, len - cut, true};
	FUZZ_CHECK(tokenizer_encode_spans(t, spans, 2, 0, &again, NULL) == STATUS_OK);
	FUZZ_CHECK(again.n == ids.n);
	FUZZ_CHECK(ids.n == 0 || memcmp(again.ids, ids.ids, ids.n * sizeof *ids.ids) == 0);
	spans[0].is_input = false;
	again.n = 0;
	FUZZ_CHECK(tokenizer_encode_spans(t, spans, 2, ENCODE_BOS, &again, NULL) == STATUS_OK);
	token_list_free(&ids);
	token_list_free(&again);
	return 0;
}
