/* A reply's tokens as a text, and what is printed of its candidates. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "kept/kept.h"
#include "pad.h"
#include "view/panel_tokens.h"
#include "view/token_text.h"

static struct kept *kept;
static struct tree *tree;
static struct node *reply;
static struct error err;

static void begin(void)
{
	uint32_t id;

	kept = kept_create();
	tree = tree_create();
	cr_assert(kept && tree);
	cr_assert_eq(tree_add(tree, 0, ROLE_USER, "q", 1, NULL, &err), STATUS_OK);
	cr_assert_eq(tree_add(tree, 1, ROLE_ASSISTANT, "", 0, &id, &err), STATUS_OK);
	reply = tree_node(tree, id);
	cr_assert_eq(kept_begin(kept, id, 0, "model", &(struct turn_begin){.n_vocab = 100}, &err), STATUS_OK);
}

static void end(void)
{
	kept_free(kept);
	tree_free(tree);
}

TestSuite(panel_tokens, .init = begin, .fini = end);

/* A token with the bytes that it completes, called `name` among the candidates, and another one that was cut. */
static void tell(int32_t id, const char *bytes, const char *name, bool reasoning)
{
	struct token_candidate candidates[2] = {{.id = id, .logit = logf(0.75f), .probability = 0.75f, .chosen_p = 1},
	                                        {.id = id + 1000, .logit = logf(0.2f), .probability = 0.2f,
	                                         .cut_by = "top-k", .text = " b", .len = 2}};
	const struct token token = {.id = id, .bytes = bytes, .len = strlen(bytes), .reasoning = reasoning,
	                            .candidates = candidates, .n_candidates = 2, .probability = 1, .raw_p = 0.75f};

	candidates[0].len = (uint8_t)strlen(name);
	memcpy(candidates[0].text, name, candidates[0].len);
	cr_assert_eq(tree_append_token(reply, &token), STATUS_OK);
	cr_assert_eq(kept_add(kept, reply->id, &token, 0, &err), STATUS_OK);
}

/* What was thought, a mark without bytes, a character in two tokens, a line break. */
static void tell_all(void)
{
	tell(1, "hm ", "hm ", true);
	tell(2, "", "</think>", true);
	tell(3, "one", "one", false);
	tell(4, "", "\xc3", false);
	tell(5, "\xc3\xa4", "\xa4", false);
	tell(6, "\n", "\n", false);
	tell(7, "end", "end", false);
}

static const char *shown(bool has_borders)
{
	static char out[400];
	struct token_text text;

	token_text_init(&text);
	text.has_borders = has_borders;
	token_text_compose(&text, kept_reply(kept, reply->id), reply);
	cr_assert_not(text.failed);
	snprintf(out, sizeof out, "%s", buf_text(&text.shown));
	for (size_t i = 0; i < text.n; i++)
		cr_expect_lt(text.spans[i].start, text.spans[i].end, "each token can be marked: %zu", i);
	token_text_free(&text);
	return out;
}

Test(panel_tokens, show_what_cannot_be_seen)
{
	tell_all();
	cr_expect_str_eq(shown(true), "hm \u2502</think>\u2502one\u2502<c3>\u2502\xc3\xa4\u2502\u21B5\nend", "%s", shown(true));
	cr_expect_str_eq(shown(false), "hm </think>one<c3>\xc3\xa4\u21B5\nend", "%s", shown(false));
}

/* What the user has written before the first token is shown, and is no token. */
Test(panel_tokens, come_behind_what_the_user_wrote)
{
	struct reply_run run = {.from_text = strlen("So: "), .has_begun = true};

	cr_assert_eq(tree_append(reply, "So: ", 4), STATUS_OK);
	cr_assert_eq(tree_add_run(reply, &run), STATUS_OK);
	tell(3, "one ", "one ", false);
	tell(4, "two", "two", false);
	cr_expect_str_eq(shown(true), "So: \u2502one \u2502two", "%s", shown(true));
}

static const char *printed(const struct panel *panel)
{
	static struct buf text;

	buf_free(&text);
	buf_init(&text, 4096);
	panel->ops->print(panel, &text);
	return buf_text(&text);
}

static struct panel *open_at(size_t at)
{
	const struct panel_tokens_source source = {.tokens = kept_reply(kept, reply->id), .reply = reply,
	                                           .no_candidates = "None."};
	struct panel *panel = panel_tokens_open(&source, at);

	cr_assert_not_null(panel);
	panel_layout(panel, 0, 0, 22, 80);
	return panel;
}

Test(panel_tokens, are_answered_by_numbers)
{
	struct panel *panel;
	struct token_choice choice;

	tell_all();
	panel = open_at(TOKENS_OVERVIEW);
	cr_expect(strstr(printed(panel), "The number of a token shows its candidates"), "%s", printed(panel));
	cr_expect_eq(panel->ops->answer(panel, "99"), PANEL_TAKEN);
	cr_expect_eq(panel->ops->answer(panel, "3"), PANEL_TAKEN);
	cr_expect(strstr(printed(panel), "Token 3 of 7"), "%s", printed(panel));
	cr_expect(strstr(printed(panel), "  1*    -0.29   75.0%  100.0%             one\n"), "%s", printed(panel));
	cr_expect(strstr(printed(panel), "  2     -1.61   20.0%  cut by top-k       \u2423b\n"), "%s", printed(panel));
	cr_expect_eq(panel->ops->answer(panel, "1"), PANEL_TAKEN, "it is the reply's own");
	cr_expect_eq(panel->ops->answer(panel, "2"), PANEL_TAKEN | PANEL_CLOSE | PANEL_CHOSEN);
	choice = panel_tokens_chosen(panel);
	cr_expect(choice.at == 2 && choice.id == 1003 && choice.len == 2 && memcmp(choice.bytes, " b", 2) == 0);
	panel_close(panel);
}

static unsigned press(struct panel *panel, int row)
{
	return panel_mouse(panel, (struct mouse){.kind = MOUSE_PRESS, .button = 1, .y = panel->y + row, .x = panel->x + 2});
}

/* The frame, the figures, and a third of what is left for the text: lines 1 to 6, a line each token. */
Test(panel_tokens, are_pressed_where_they_are_drawn)
{
	WINDOW *pad = pad_open(22, 80);
	struct panel *panel;

	for (int32_t i = 0; i < 12; i++)
		tell(i, "x\n", "x", false);
	panel = open_at(0);
	panel_draw(panel, pad);
	cr_expect_eq(press(panel, 2 + 6), PANEL_TAKEN, "the line below the text");
	cr_expect(strstr(printed(panel), "Token 1 of 12"), "%s", printed(panel));
	cr_expect_eq(press(panel, 2 + 5), PANEL_TAKEN);
	cr_expect(strstr(printed(panel), "Token 6 of 12"), "%s", printed(panel));
	panel_close(panel);
}

/* One token with two others: its share of what the samplers left, and that of the next one; a third is cut. */
static const char *printed_of(float own, float other, bool by_user)
{
	const struct token_candidate candidates[] = {
		{.id = 10, .logit = logf(0.5f), .chosen_p = other, .text = "other", .len = 5,
		 .cut_by = other > 0 ? NULL : "top-k"},
		{.id = 11, .logit = logf(0.3f), .chosen_p = own, .text = "drew", .len = 4},
		{.id = 12, .logit = logf(0.01f), .cut_by = "min-p", .text = "cut", .len = 3}};
	const struct token token = {.id = 11, .bytes = "drew", .len = 4, .candidates = candidates, .n_candidates = 3,
	                            .probability = own, .raw_p = 0.3f, .put = by_user};
	struct reply_run run = {.has_begun = true};
	struct panel *panel;
	const char *text;

	run.begin.params.min_p = 0.125f;
	cr_assert_eq(tree_append_token(reply, &token), STATUS_OK);
	cr_assert_eq(kept_add(kept, reply->id, &token, 0, &err), STATUS_OK);
	reply->runs = &run;
	reply->n_runs = 1;
	panel = open_at(0);
	text = printed(panel);
	panel_close(panel);
	reply->runs = NULL;
	reply->n_runs = 0;
	return text;
}

/* Why did it say "drew"? */
Test(panel_tokens, say_that_chance_took_it)
{
	const char *text = printed_of(0.25f, 0.75f, false);

	cr_expect(strstr(text, "The reply's token, drawn by chance at 25.0%: \u201cother\u201d was likelier, at 75.0%.\n"), "%s", text);
	cr_expect(strstr(text, "Cut by min-p 0.125: drop tokens less probable than P times the best one"), "%s", text);
}

Test(panel_tokens, say_that_it_was_the_likeliest)
{
	const char *text = printed_of(0.75f, 0.25f, false);

	cr_expect(strstr(text, "the likeliest of what the samplers left, at 75.0%.\n"), "%s", text);
}

Test(panel_tokens, say_that_there_was_no_other)
{
	const char *text = printed_of(1, 0, false);

	cr_expect(strstr(text, "The reply's token: the samplers left no other.\n"), "%s", text);
}

Test(panel_tokens, say_whose_choice_it_was)
{
	const char *text = printed_of(0.25f, 0.75f, true);

	cr_expect(strstr(text, "You put this token there.\n"), "%s", text);
}

/* The first one is unsure too. */
Test(panel_tokens, list_the_unsure_from_the_first_on)
{
	struct panel *panel;

	(void)printed_of(0.25f, 0.75f, false);
	panel = open_at(TOKENS_OVERVIEW);
	cr_expect(strstr(printed(panel), "    1   30.0%  drew\n"), "%s", printed(panel));
	panel_close(panel);
}

/* Another model has gone through it, which chose nothing. */
Test(panel_tokens, say_whose_candidates_they_are)
{
	struct panel_tokens_source source = {.reply = reply, .reader = "toy-7b"};
	struct panel *panel;

	(void)printed_of(0.25f, 0.75f, false);
	source.tokens = kept_reply(kept, reply->id);
	panel = panel_tokens_open(&source, 0);
	cr_assert_not_null(panel);
	cr_expect_str_eq(panel->title, "The reply's tokens, as toy-7b takes them");
	cr_expect(strstr(printed(panel), "The reply's token, which another model chose.\n"), "%s", printed(panel));
	panel_close(panel);
}

/* Whatever the size, nothing is drawn beside the window. */
Test(panel_tokens, fit_into_any_size)
{
	static const enum key_name keys[] = {K_END, K_UP, K_PAGE_DOWN, K_HOME, K_RIGHT, K_DOWN};
	WINDOW *win = pad_open(40, 200);
	struct panel *panel;

	tell_all();
	panel = open_at(0);
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
