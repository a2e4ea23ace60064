/* Marks where the sampling of a reply was changed: where they stand, what they say, and that they move
 * nothing. */
#include <criterion/criterion.h>
#include <locale.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "pad.h"
#include "view/chat_view.h"
#include "view/sampling_marks.h"

/* A reply to nothing; `at`: after how many bytes of it the temperature becomes 0.2, 0.4, 0.6 ... from 0.8. */
static struct tree *reply_with(const char *text, const size_t *at, size_t n)
{
	struct tree *tree = tree_create();
	struct reply_run run = {.has_begun = true, .begin.params = sampler_params_default()};
	struct sampler_params params = run.begin.params;
	uint32_t id;

	cr_assert_eq(tree_add(tree, 0, ROLE_ASSISTANT, text, strlen(text), &id, NULL), STATUS_OK);
	for (size_t i = 0; i < n; i++) {
		params.temp = 0.2f * (float)(i + 1);
		cr_assert(run_add_change(&run, (uint32_t)(10 * (i + 1)), &params, at[i]));
	}
	cr_assert_eq(tree_add_run(tree_node(tree, id), &run), STATUS_OK);
	return tree;
}

/* Rows joined by `|`. */
static const char *shown(const struct tree *tree, int cols, bool raw)
{
	static struct buf out;
	struct chat_view *view = chat_view_create();
	WINDOW *win = pad_open(40, 100);
	size_t len = 0;

	setlocale(LC_CTYPE, "C.UTF-8");
	chat_view_set_tree(view, tree);
	chat_view_resize(view, 40, cols, 0);
	chat_view_show_raw(view, raw);
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	buf_free(&out);
	buf_init(&out, KIB(64));
	chat_view_draw(view, win, 0, 0);
	for (int row = 0; row < 40; row++) {
		const char *text = pad_row(win, row);

		buf_printf(&out, "%s%s", row ? "|" : "", text);
		if (text[0])
			len = out.len;
	}
	buf_remove(&out, len, out.len - len);
	chat_view_free(view);
	delwin(win);
	return buf_text(&out);
}

#define MARK(change, tokens) "\u2500\u2500 temp " change " after " tokens " tokens \u2500\u2500"
#define FIRST MARK("0.8 \u2192 0.2", "10")

Test(sampling_marks, stand_in_the_blank_line_above)
{
	static const struct {
		const char *text;
		size_t at;
		const char *markdown, *raw;
	} rows[] = {
		{"one\n\ntwo", 7, "one|" FIRST "|two", "one|" FIRST "|two"},
		{"one\n\ntwo\n\nthree", 5, "one|" FIRST "|two||three", "one|" FIRST "|two||three"},
		{"one\n\ntwo\n\nthree", 4, NULL, NULL}, /* the line is not whole yet */
		{"one\n\ntwo\n\nthree", 2, NULL, NULL},
		{"one\n \n\ntwo", 8, "one||" FIRST "|two", "one||" FIRST "|two"},
		{"one\n\n- a\n- b\n\ntwo", 12, "one|" FIRST "|\u2022 a|\u2022 b||two", "one|" FIRST "|- a|- b||two"},
		{"one\n\n- a\n\n- b", 13, "one||\u2022 a|" FIRST "|\u2022 b", "one||- a|" FIRST "|- b"},
		{"one\n\n# Two\ntext", 15, "one|" FIRST "|Two|\u2500\u2500\u2500|text", "one|" FIRST "|# Two|text"},
		{"one\n\n> q\n\ntwo", 8, "one|" FIRST "|\u2502 q||two", "one|" FIRST "|> q||two"},
		{"one\n\n---\n\ntwo", 13, NULL, "one||---|" FIRST "|two"},
		{"one\n\n| a |\n|---|\n| b |", 20, NULL, "one|" FIRST "|| a |||---||| b |"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct tree *tree = reply_with(rows[i].text, &rows[i].at, 1);

		if (rows[i].markdown)
			cr_expect_str_eq(shown(tree, 80, false) + strlen("Assistant|"), rows[i].markdown);
		if (rows[i].raw)
			cr_expect_str_eq(shown(tree, 80, true) + strlen("Assistant|"), rows[i].raw);
		cr_expect_eq(strstr(shown(tree, 80, false), "0.2") != NULL, true, "%s", rows[i].text);
		tree_free(tree);
	}
}

/* A blank line within code is code. */
Test(sampling_marks, stand_above_code)
{
	const char *text = "one\n\n```c\nint a;\n\nint b;\n```\n\ntwo";
	size_t in_code = 23, behind = strlen(text);
	struct tree *tree = reply_with(text, &in_code, 1);

	cr_expect(strstr(shown(tree, 80, false), "Assistant|one|" FIRST "|"), "%s", shown(tree, 80, false));
	cr_expect(strstr(shown(tree, 80, false), "int a;||"), "%s", shown(tree, 80, false));
	cr_expect_str_eq(shown(tree, 80, true), "Assistant|one|" FIRST "|```c|int a;||int b;|```||two");
	tree_free(tree);
	tree = reply_with(text, &behind, 1);
	cr_expect(strstr(shown(tree, 80, false), "|" FIRST "|two"), "%s", shown(tree, 80, false));
	cr_expect_str_eq(shown(tree, 80, true), "Assistant|one||```c|int a;||int b;|```|" FIRST "|two");
	tree_free(tree);
}

/* Without a blank line above it is the label that says so. */
Test(sampling_marks, belong_to_the_label_where_nothing_is_above)
{
	size_t at = 2;
	struct tree *tree = reply_with("one\n\ntwo", &at, 1);
	const char *expected = "Assistant (temp 0.8 \u2192 0.2 after 10 tokens)|one||two";

	cr_expect_str_eq(shown(tree, 80, false), expected);
	cr_expect_str_eq(shown(tree, 80, true), expected);
	cr_expect_eq(tree_append_reasoning(tree_node(tree, 1), "hm", 2), STATUS_OK);
	cr_expect_str_eq(shown(tree, 80, false), "Assistant (temp 0.8 \u2192 0.2 after 10 tokens)|"
	                 "\u25B8 thought, 1 word (a key unfolds)|one||two");
	tree_free(tree);
}

/* A slider that is drawn through ten values leaves one mark, from the first to the last. */
Test(sampling_marks, of_one_place_are_one)
{
	size_t at[] = {6, 7, 8, 8, 14};
	struct tree *tree = reply_with("one\n\ntwo\n\nthree", at, 3);

	cr_expect_str_eq(shown(tree, 80, false), "Assistant|one|" MARK("0.8 \u2192 0.6", "10") "|two||three");
	tree_free(tree);
	tree = reply_with("one\n\ntwo\n\nthree", at, 4); /* the fourth is 0.8 again */
	cr_expect_str_eq(shown(tree, 80, false),
	                 "Assistant|one|\u2500\u2500 sampling changed and set back after 10 tokens \u2500\u2500|two||three");
	tree_free(tree);
	tree = reply_with("one\n\ntwo\n\nthree", at, 5);
	cr_expect(strstr(shown(tree, 80, true), "|two|" MARK("0.8 \u2192 1", "50") "|three"), "%s", shown(tree, 80, true));
	tree_free(tree);
}

/* No row is added, at any width; a mark that is too long is cut. */
Test(sampling_marks, move_no_row)
{
	static const char text[] = "one two three four five six\n\n1. a b c d e f g h\n2. b\n\n> quoted words\n> and\n>\n> more\n\nend";

	for (size_t at = 0; at <= strlen(text); at++)
		for (int cols = 1; cols < 40; cols += 6)
			for (int raw = 0; raw < 2; raw++) {
				struct tree *with = reply_with(text, &at, 1), *without = reply_with(text, NULL, 0);
				size_t rows[2] = {0, 0};

				for (const char *c = shown(with, cols, raw); *c; c++)
					rows[0] += *c == '|';
				for (const char *c = shown(without, cols, raw); *c; c++)
					rows[1] += *c == '|';
				cr_expect_eq(rows[0], rows[1], "%zu, %d columns", at, cols);
				tree_free(with);
				tree_free(without);
			}
}

/* Also when it went on later with other parameters, which older chats know as well. */
Test(sampling_marks, where_a_reply_went_on)
{
	struct tree *tree = reply_with("one\n\ntwo", NULL, 0);
	struct reply_run run = {.has_begun = true, .from_id = 7, .from_text = 6,
	                        .begin.params = sampler_params_default()};

	run.begin.params.top_k = 5;
	run.begin.params.seed = 99;
	cr_assert_eq(tree_add_run(tree_node(tree, 1), &run), STATUS_OK);
	cr_expect_str_eq(shown(tree, 80, false),
	                 "Assistant|one|\u2500\u2500 top-k 40 \u2192 5 after 7 tokens \u2500\u2500|two");
	tree_free(tree);
}

/* A server may not tell its tokens: the place is known by the text. */
Test(sampling_marks, where_a_reply_without_ids_went_on)
{
	struct tree *tree = reply_with("one\n\ntwo", NULL, 0);
	struct reply_run first = {.has_begun = true, .begin.params = sampler_params_default()};
	struct reply_run run = {.has_begun = true, .from_text = 6, .begin.params = sampler_params_default()};

	tree_forget_ids(tree_node(tree, 1));
	first.begin.params.seed = 1; /* which is no change, nor is the beginning a place */
	cr_assert_eq(tree_add_run(tree_node(tree, 1), &first), STATUS_OK);
	run.begin.params.top_k = 5;
	cr_assert_eq(tree_add_run(tree_node(tree, 1), &run), STATUS_OK);
	cr_expect_str_eq(shown(tree, 80, false), "Assistant|one|\u2500\u2500 top-k 40 \u2192 5 \u2500\u2500|two");
	tree_free(tree);
}

/* A place that is not known has no mark, nor has one that the text does not reach. */
Test(sampling_marks, need_a_place)
{
	size_t at[] = {RUN_TEXT_UNKNOWN, 100};
	struct tree *tree = reply_with("one\n\ntwo", at, 2);

	cr_expect_str_eq(shown(tree, 80, false), "Assistant|one||two");
	tree_free(tree);
}
