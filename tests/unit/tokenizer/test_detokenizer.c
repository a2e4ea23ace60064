#include <criterion/criterion.h>
#include <string.h>

#include "support/random.h"
#include "unit/tokenizer/util.h"

static void push(struct detokenizer *d, int32_t id, struct buf *out, const char *want)
{
	buf_clear(out);
	cr_assert_eq(detokenizer_push(d, id, out), STATUS_OK);
	cr_expect_str_eq(buf_text(out), want, "token %d: '%s'", (int)id, buf_text(out));
}

Test(detokenizer, emits_whole_characters_only)
{
	struct tokenizer *t = open_tiny(&small_bpe);
	struct detokenizer d;
	struct buf out = {.max = 1000};

	detokenizer_init(&d, t, true);
	push(&d, 265, &out, "");  /* E4 B8 */
	push(&d, 0xAD, &out, "\xE4\xB8\xAD");
	push(&d, 0xF0, &out, "");
	push(&d, 'a', &out, "\xEF\xBF\xBD" "a"); /* the unfinished one was none */
	push(&d, 256, &out, "");  /* control tokens add nothing */
	push(&d, -1, &out, "");   /* nor do ids that are none */
	push(&d, 5000, &out, "");
	push(&d, 0xC3, &out, "");
	buf_clear(&out);
	cr_assert_eq(utf8_stream_flush(&d.utf8, &out), STATUS_OK);
	cr_expect_str_eq(buf_text(&out), "\xEF\xBF\xBD");
	buf_free(&out);
	tokenizer_close(t);
}

Test(detokenizer, drops_the_first_blank_of_sentencepiece_at_the_start)
{
	struct tokenizer *t = open_tiny(&small_spm);
	struct detokenizer d;
	struct buf out = {.max = 1000};

	detokenizer_init(&d, t, true);
	push(&d, 1, &out, ""); /* <s> is not the first word */
	push(&d, 267, &out, "ab");
	push(&d, 267, &out, " ab");
	detokenizer_init(&d, t, false);
	push(&d, 267, &out, " ab");
	detokenizer_init(&d, t, true);
	push(&d, 270, &out, " "); /* one of two */
	detokenizer_init(&d, t, true);
	push(&d, 260, &out, "a");
	push(&d, 259, &out, " ");
	buf_free(&out);
	tokenizer_close(t);
}

Test(detokenizer, undoes_encoding)
{
	const struct tiny_vocabulary *const both[] = {&small_spm, &small_bpe};
	struct test_random random = {3};
	char text[4 * 80];

	for (size_t v = 0; v < 2; v++) {
		struct tokenizer *t = open_tiny(both[v]);

		for (size_t i = 0; i < 2000; i++) {
			size_t len = random_text(&random, text, 80);

			cr_expect(survives(t, text, len), "vocabulary %zu, text %zu", v, i);
		}
		tokenizer_close(t);
	}
}

Test(detokenizer, names_and_bytes_of_tokens)
{
	struct tokenizer *t = open_tiny(&small_spm);
	size_t len;
	const char *text = tokenizer_name(t, 13, &len);

	cr_expect(len == 6 && memcmp(text, "<0x0A>", 6) == 0);
	text = tokenizer_bytes(t, 13, &len);
	cr_expect(len == 1 && *text == '\n');
	text = tokenizer_bytes(t, 266, &len);
	cr_expect(len == 2 && memcmp(text, " a", 2) == 0);
	tokenizer_bytes(t, 1, &len);
	cr_expect_eq(len, 0);
	tokenizer_name(t, -7, &len);
	cr_expect_eq(len, 0);
	cr_expect_eq(tokenizer_find(t, "</s>", 4), 2);
	cr_expect_eq(tokenizer_find(t, "nothing", 7), TOKEN_NONE);
	tokenizer_close(t);
}
