#include <criterion/criterion.h>
#include <string.h>

#include "encode/splitter.h"

enum { TOKENS_MAX = 64 };

/* What was passed on: the text, and the ids in order. */
static struct buf text;
static int32_t ids[TOKENS_MAX];
static size_t n_ids;

static enum status collect(void *ctx, const struct token *token, struct error *err)
{
	(void)ctx;
	(void)err;
	cr_assert_lt(n_ids, TOKENS_MAX);
	ids[n_ids++] = token->id;
	return buf_append(&text, token->bytes, token->len);
}

/* Pushes pieces separated by '|'; an empty piece is a token without text. */
static bool push_pieces(struct splitter *splitter, const char *pieces)
{
	struct error err;
	int32_t id = 0;

	while (!splitter->stopped) {
		size_t len = strcspn(pieces, "|");
		struct token token = {.id = id++, .bytes = pieces, .len = len};

		cr_assert_eq(splitter_push(splitter, &token, NULL, 0, &err), STATUS_OK);
		if (!pieces[len])
			break;
		pieces += len + 1;
	}
	return splitter->stopped;
}

Test(splitter, nothing_of_a_stop_string_comes_through)
{
	static const char *const stops[] = {"\nUser:", "<end>", NULL};
	static const struct {
		const char *pieces, *before, *after; /* the text before and after the flush */
		size_t n_ids;
		bool stopped, skip_blanks;
	} rows[] = {
		{"Hello| world", "Hello world", "Hello world", 2, false, false},
		{"Hello|\nUser:| x", "Hello", "Hello", 1, true, false},
		{"Hello|\n|User|:| x", "Hello", "Hello", 1, true, false},
		{"Hello!\n|User:", "Hello!", "Hello!", 1, true, false},
		{"Hello!\nUser: hi", "Hello!", "Hello!", 1, true, false},
		{"a|\n|b", "a\nb", "a\nb", 3, false, false},
		{"a|\nUse|d", "a\nUsed", "a\nUsed", 3, false, false},
		{"a|\nUse", "a", "a\nUse", 2, false, false},
		{"a|\n\n\nUser:", "a\n\n", "a\n\n", 2, true, false},
		{"a|<en|<end|>", "a<en", "a<en", 2, true, false},
		{"a|<e|nd>b\nUser:", "a", "a", 1, true, false},
		{"\nUser:", "", "", 0, true, false},
		{"a||b", "ab", "ab", 3, false, false},
		{"a|\n||Us|er:", "a", "a", 1, true, false},
		{"a|\n||x", "a\nx", "a\nx", 4, false, false},
		{" |\n| Hi| there", "Hi there", "Hi there", 4, false, true},
		/* A token that ends with what may be a stop string is held back whole. */
		{" \n Hi \n", "", "Hi \n", 1, false, true},
		{" |\nUser:", "", "", 1, true, true},
		{"", "", "", 1, false, false},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct splitter splitter;
		struct error err;
		bool stopped;

		buf_init(&text, 1000);
		n_ids = 0;
		splitter_init(&splitter, NULL, false, stops, rows[i].skip_blanks, collect, NULL);
		stopped = push_pieces(&splitter, rows[i].pieces);
		cr_assert_eq(stopped, rows[i].stopped, "row %zu", i);
		cr_assert_str_eq(buf_text(&text), rows[i].before, "row %zu: '%s'", i,
		                 buf_text(&text));
		if (!stopped) {
			cr_assert_eq(splitter_flush(&splitter, &err), STATUS_OK);
			cr_assert_str_eq(buf_text(&text), rows[i].after, "row %zu", i);
		}
		cr_assert_eq(n_ids, rows[i].n_ids, "row %zu: %zu", i, n_ids);
		for (size_t t = 0; t < n_ids; t++)
			cr_assert_eq(ids[t], (int32_t)t, "in order");
		splitter_deinit(&splitter);
		buf_free(&text);
	}
}

Test(splitter, does_not_depend_on_where_tokens_are_cut)
{
	static const char *const stops[] = {"\nUser:", "aab", NULL};
	static const char whole[] = "xaa\nUse\n\nUseaaa\naUs\nUser: more";
	static const char expected[] = "xaa\nUse\n\nUseaaa\naUs";

	for (size_t a = 1; a < 12; a++)
		for (size_t b = 1; b < 12; b++) {
			struct splitter splitter;
			struct error err;
			size_t at = 0;

			buf_init(&text, 1000);
			n_ids = 0;
			splitter_init(&splitter, NULL, false, stops, false, collect, NULL);
			for (int32_t id = 0; !splitter.stopped && at < strlen(whole); id++) {
				size_t n = id % 2 ? a : b;
				struct token token = {.id = id, .bytes = whole + at};

				token.len = n < strlen(whole) - at ? n : strlen(whole) - at;
				at += token.len;
				cr_assert_eq(splitter_push(&splitter, &token, NULL, 0, &err),
				             STATUS_OK);
			}
			cr_assert(splitter.stopped);
			cr_assert_str_eq(buf_text(&text), expected, "cut at %zu and %zu", a, b);
			splitter_deinit(&splitter);
			buf_free(&text);
		}
}

static enum status refuse(void *ctx, const struct token *token, struct error *err)
{
	(void)ctx;
	(void)token;
	return error_set(err, STATUS_IO, "full");
}

Test(splitter, a_failing_sink_ends_it)
{
	static const char *const stops[] = {NULL};
	struct token token = {.bytes = "x", .len = 1};
	struct splitter splitter;
	struct error err;

	splitter_init(&splitter, NULL, false, stops, false, refuse, NULL);
	cr_assert_eq(splitter_push(&splitter, &token, NULL, 0, &err), STATUS_IO);
	splitter_deinit(&splitter);
}
