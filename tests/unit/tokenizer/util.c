#include "unit/tokenizer/util.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "support/gguf_memory.h"
#include "support/random.h"

#define B "\xE2\x96\x81" /* U+2581 */

/* 259 is the first. */
static const struct tiny_token spm_tokens[] = {
	{B, -20, 0},      /* 259 */
	{"a", -21, 0},    /* 260 */
	{"b", -22, 0},    /* 261 */
	{"c", -23, 0},    /* 262 */
	{"ab", -1, 0},    /* 263 */
	{"bc", -2, 0},    /* 264 */
	{"abc", -3, 0},   /* 265 */
	{B "a", -4, 0},   /* 266 */
	{B "ab", -5, 0},  /* 267 */
	{"aa", -6, 0},    /* 268 */
	{"aaaa", -7, 0},  /* 269 */
	{B B, -8, 0},     /* 270 */
	{"\xC3\xA9", -9, 0}, /* 271: e acute */
	{"<user>", 0, 4}, /* 272: user-defined */
	{"<|go|>", 0, 3}, /* 273: control */
	{"<", -30, 0},    /* 274 */
	{"<|", -31, 0},   /* 275 */
	{"go|>", 0, 0},   /* 276 */
	{"g", -32, 0},    /* 277 */
	{"o", -32, 0},    /* 278 */
	{"|", -32, 0},    /* 279 */
	{">", -32, 0},    /* 280 */
	{"go", -33, 0},   /* 281 */
	{"|>", -33, 0},   /* 282 */
	{NULL, 0, 0},
};

const struct tiny_vocabulary small_spm = {"llama", NULL, spm_tokens, NULL};

static const char *const bpe_merges[] = {
	"h e",              /* 257 */
	"l l",              /* 258 */
	"he ll",            /* 259 */
	"hell o",           /* 260 */
	"\xC4\xA0 w",       /* 261: blank w */
	"o r",              /* 262 */
	"\xC4\xA0w or",     /* 263 */
	"l d",              /* 264 */
	"\xC3\xA4 \xC2\xB8", /* 265: bytes E4 B8 */
	"a a",              /* 266 */
	"aa aa",            /* 267 */
	"\xC4\xA0 \xC4\xA0", /* 268: two blanks */
	NULL,
};

static const struct tiny_token bpe_tokens[] = {
	{"<user>", 0, 4},     /* 269: user-defined */
	{"<|go|>", 0, 3},     /* 270: control */
	{"<user><user>", 0, 4}, /* 271 */
	{"<|Role|>", 0, 4},   /* 272: user-defined, looks like control */
	{"helloworld", 0, 0}, /* 273: no merge makes it */
	{NULL, 0, 0},
};

const struct tiny_vocabulary small_bpe = {"gpt2", "gpt-2", bpe_tokens, bpe_merges};

struct tokenizer *open_writer(struct gguf_writer *w)
{
	struct buf file = {.max = 1 << 20};
	struct gguf *gguf = NULL;
	struct tokenizer *t = NULL;
	struct error err = {0};

	cr_assert_not_null(w);
	cr_assert_eq(gguf_writer_write(w, &file, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(tokenizer_open(&t, gguf, &err), STATUS_OK, "%s", err.text);
	gguf_close(gguf);
	buf_free(&file);
	return t;
}

struct tokenizer *open_tiny(const struct tiny_vocabulary *tiny)
{
	return open_writer(tiny_vocab_writer(tiny));
}

static void print_ids(char *out, size_t size, const int32_t *ids, size_t n)
{
	size_t len = 0;

	*out = '\0';
	for (size_t i = 0; i < n && len + 12 < size; i++)
		len += (size_t)snprintf(out + len, size - len, " %d", (int)ids[i]);
}

void expect_ids(const struct tokenizer *t, const char *text, unsigned flags, const int32_t *want)
{
	struct token_list got = {0};
	struct error err = {0};
	char got_text[512], want_text[512];
	size_t n = 0;

	while (want[n] >= 0)
		n++;
	cr_assert_eq(tokenizer_encode(t, text, strlen(text), flags, &got, &err), STATUS_OK, "%s",
	             err.text);
	print_ids(got_text, sizeof got_text, got.ids, got.n);
	print_ids(want_text, sizeof want_text, want, n);
	cr_expect_str_eq(got_text, want_text, "'%s': got%s, expected%s", text, got_text, want_text);
	token_list_free(&got);
}

bool survives(const struct tokenizer *t, const char *text, size_t len)
{
	struct token_list ids = {0};
	struct detokenizer d;
	struct buf out, wanted;
	struct error err = {0};
	bool same;

	buf_init(&out, len * 4 + 64);
	buf_init(&wanted, len * 4 + 64);
	cr_assert_eq(utf8_repair(&wanted, text, len), STATUS_OK);
	cr_assert_eq(tokenizer_encode(t, text, len, 0, &ids, &err), STATUS_OK, "%s", err.text);
	detokenizer_init(&d, t, true);
	for (size_t i = 0; i < ids.n; i++)
		cr_assert_eq(detokenizer_push(&d, ids.ids[i], &out), STATUS_OK);
	cr_assert_eq(utf8_stream_flush(&d.utf8, &out), STATUS_OK);
	same = out.len == wanted.len && memcmp(buf_text(&out), buf_text(&wanted), out.len) == 0;
	buf_free(&wanted);
	buf_free(&out);
	token_list_free(&ids);
	return same;
}

size_t random_text(struct test_random *random, char *out, size_t n)
{
	static const uint32_t limits[] = {0x80, 0x80, 0x100, 0x800, 0x3000, 0xD800, 0x110000};
	size_t len = 0;

	n = test_random_below(random, n + 1);
	for (size_t i = 0; i < n; i++) {
		uint32_t limit = limits[test_random_below(random, 7)];
		uint32_t cp = (uint32_t)test_random_below(random, limit);

		if (cp == 0x2581 || (cp >= 0xD800 && cp <= 0xDFFF))
			cp = ' ';
		len += utf8_encode(cp, out + len);
	}
	return len;
}
