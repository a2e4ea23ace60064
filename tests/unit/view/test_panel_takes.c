/* Two takes, in any size and in lines. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "pad.h"
#include "view/panel_takes.h"

static struct kept *kept;
static struct tree *tree;
static struct takes takes;
static struct error err;

static void begin(void)
{
	kept = kept_create();
	tree = tree_create();
	cr_assert(kept && tree);
	cr_assert_eq(tree_add(tree, 0, ROLE_USER, "q", 1, NULL, &err), STATUS_OK);
}

static void end(void)
{
	kept_free(kept);
	tree_free(tree);
}

TestSuite(panel_takes, .init = begin, .fini = end);

/* A reply of tokens "a0 " and so on; with the candidates "a " and "b " for each, of which this is one. */
static uint32_t add(const char *letters, int32_t first_id, int64_t seed)
{
	struct reply_run run = {.has_begun = true, .begin = {.params = sampler_params_default(), .seed = seed}};
	uint32_t id;

	cr_assert_eq(tree_add(tree, 1, ROLE_ASSISTANT, "", 0, &id, &err), STATUS_OK);
	cr_assert_eq(kept_begin(kept, id, 0, "model", &(struct turn_begin){.n_vocab = 100}, &err), STATUS_OK);
	for (; *letters; letters++) {
		const bool is_a = *letters == 'a';
		const struct token_candidate candidates[] = {
			{.id = first_id < 0 ? -1 : first_id, .logit = logf(0.75f), .chosen_p = 1, .text = "a ", .len = 2},
			{.id = first_id < 0 ? -1 : first_id + 1, .logit = logf(0.25f), .cut_by = "min-p", .text = "b ", .len = 2}};
		const struct token token = {.id = candidates[!is_a].id, .bytes = candidates[!is_a].text, .len = 2,
		                            .candidates = candidates, .n_candidates = 2};

		cr_assert_eq(tree_append_token(tree_node(tree, id), &token), STATUS_OK);
		cr_assert_eq(kept_add(kept, id, &token, 0, &err), STATUS_OK);
	}
	cr_assert_eq(tree_add_run(tree_node(tree, id), &run), STATUS_OK);
	return id;
}

static struct panel *open(uint32_t a, uint32_t b)
{
	struct panel_takes_source source = {.takes = &takes, .names = {"left", "right"},
	                                    .kept = {kept_reply(kept, a), kept_reply(kept, b)}};
	struct panel *panel;

	takes_compare(&takes, tree, a, b);
	panel = panel_takes_open(&source);
	cr_assert_not_null(panel);
	panel_layout(panel, 0, 0, 22, 80);
	return panel;
}

static void expect_printed(struct panel *panel, const char *expected)
{
	struct buf text = {.max = 4096};

	panel->ops->print(panel, &text);
	cr_expect_str_eq(buf_text(&text), expected, "%s", buf_text(&text));
	buf_free(&text);
	panel_close(panel);
}

Test(panel_takes, tell_both_probabilities)
{
	expect_printed(open(add("aab", 5, 1), add("aaa", 5, 2)),
	               "left | right\nThey part at token 3.\nWhy: seed: 1 | 2\n"
	               "b\u2423: 25.0%, cut by min-p | 25.0%, cut by min-p\n"
	               "a\u2423: 75.0%, after the samplers 100.0% | 75.0%, after the samplers 100.0%\n"
	               "\nleft: ... b \n\nright: ... a \n");
}

/* A server's tokens have no ids: they are the same where their texts are. */
Test(panel_takes, of_a_server_are_compared_by_texts)
{
	expect_printed(open(add("aba", -1, 1), add("abb", -1, 2)),
	               "left | right\nThey part at token 3.\nWhy: seed: 1 | 2\n"
	               "a\u2423: 75.0%, after the samplers 100.0% | 75.0%, after the samplers 100.0%\n"
	               "b\u2423: 25.0%, cut by min-p | 25.0%, cut by min-p\n"
	               "\nleft: ... a \n\nright: ... b \n");
}

Test(panel_takes, that_are_the_same)
{
	expect_printed(open(add("ab", 5, 1), add("ab", 5, 1)),
	               "left | right\nThe two are the same.\n\nleft: ... \n\nright: ... \n");
}

Test(panel_takes, fit_into_any_size)
{
	static const enum key_name keys[] = {K_DOWN, K_END, K_PAGE_UP, K_HOME};
	const uint32_t a = add("aaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 5, 1);
	struct panel *panel = open(a, add("aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 5, 2));
	WINDOW *win = pad_open(40, 200);

	for (int rows = 1; rows < 40; rows += rows < 12 ? 1 : 9)
		for (int cols = 1; cols < 200; cols += cols < 90 ? 7 : 40) {
			panel_layout(panel, 0, 0, rows, cols);
			for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
				cr_expect_eq(panel_key(panel, (struct key){.name = keys[i]}), PANEL_TAKEN);
				panel_draw(panel, win);
			}
		}
	panel_close(panel);
}
