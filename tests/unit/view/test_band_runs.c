/* Stretches of a reply by how sure the model was, and a mark on top of them. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "pad.h"
#include "view/band_runs.h"
#include "view/chat_view.h"

enum { NODE = 2 };

static struct kept *kept;
static struct error err;

/* Of a text as it is written in the tests, a token each; thoughts are in brackets. */
static void add(float p, const char *text)
{
	bool thinks = text[0] == '(';
	struct token_candidate candidate = {.id = 7, .logit = logf(p), .probability = p, .chosen_p = p};
	struct token token = {.id = 7, .probability = p, .bytes = text + thinks, .len = strlen(text) - 2 * thinks,
	                      .candidates = &candidate, .n_candidates = p > 0, .entropy = -logf(p), .reasoning = thinks};

	cr_assert_eq(kept_add(kept, NODE, &token, 1000, &err), STATUS_OK, "%s", err.text);
}

static void set_up(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	cr_assert_not_null(kept = kept_create());
	cr_assert_eq(kept_begin(kept, NODE, 0, "m", &(struct turn_begin){.n_vocab = 10}, &err), STATUS_OK);
}

static void tear_down(void)
{
	kept_free(kept);
}

TestSuite(band_runs, .init = set_up, .fini = tear_down);

static const char *letters(const struct band_runs *runs)
{
	static struct buf out;
	static const char of[] = {[STYLE_PROB_SURE] = 's', [STYLE_PROB_LIKELY] = 'l', [STYLE_PROB_OPEN] = 'o',
	                          [STYLE_PROB_GUESS] = 'g'};

	buf_free(&out);
	buf_init(&out, KIB(4));
	for (size_t i = 0; i < runs->n; i++)
		buf_printf(&out, "%s%c%u+%u", i ? " " : "", runs->items[i].role == STYLE_SELECTION ? 'X' :
		           of[runs->items[i].role], runs->items[i].from, runs->items[i].len);
	return buf_text(&out);
}

Test(band_runs, follow_the_tokens)
{
	struct band_runs runs = {.n = 0};

	add(0.99F, "one");
	add(0.99F, " two");
	add(0.8F, " three");
	add(0.5F, "");
	add(0.1F, " four");
	band_runs_update(&runs, kept_reply(kept, NODE), SHADE_PROBABILITY, false, 18);
	cr_assert_str_eq(letters(&runs), "s0+7 l7+6 g13+5");
	add(0.2F, " five"); /* it grows */
	band_runs_update(&runs, kept_reply(kept, NODE), SHADE_PROBABILITY, false, 23);
	cr_assert_str_eq(letters(&runs), "s0+7 l7+6 g13+10");
	band_runs_update(&runs, kept_reply(kept, NODE), SHADE_PROBABILITY, false, 5); /* blanks at the end are cut */
	cr_assert_str_eq(letters(&runs), "s0+5");
	band_runs_update(&runs, kept_reply(kept, NODE), SHADE_ENTROPY, false, 23);
	cr_assert_str_eq(letters(&runs), "s0+7 l7+6 g13+5 o18+5");
	band_runs_update(&runs, NULL, SHADE_ENTROPY, false, 23);
	cr_assert_eq(runs.n, 0);
	cr_assert_eq(runs.shade, SHADE_NONE);
	band_runs_free(&runs);
}

/* What was thought has its own text. */
Test(band_runs, of_thoughts)
{
	struct band_runs runs = {.n = 0};

	add(0.99F, "(hm )");
	add(0.1F, "(so)");
	add(0.8F, "yes");
	band_runs_update(&runs, kept_reply(kept, NODE), SHADE_PROBABILITY, true, 5);
	cr_assert_str_eq(letters(&runs), "s0+3 g3+2");
	band_runs_update(&runs, kept_reply(kept, NODE), SHADE_PROBABILITY, false, 3);
	cr_assert_str_eq(letters(&runs), "l0+3");
	band_runs_free(&runs);
}

Test(band_runs, with_a_mark)
{
	static const struct {
		struct style_run mark;
		const char *expected;
	} rows[] = {{{2, 3, STYLE_SELECTION}, "s0+2 X2+3 s5+2 l7+6 g13+5"}, {{7, 6, STYLE_SELECTION}, "s0+7 X7+6 g13+5"},
	            {{5, 10, STYLE_SELECTION}, "s0+5 X5+10 g15+3"}, {{0, 18, STYLE_SELECTION}, "X0+18"},
	            {{20, 2, STYLE_SELECTION}, "s0+7 l7+6 g13+5 X20+2"}};
	struct band_runs runs = {.n = 0}, marked = {.n = 0}, none = {.n = 0};

	add(0.99F, "one two");
	add(0.8F, " three");
	add(0.1F, " four");
	band_runs_update(&runs, kept_reply(kept, NODE), SHADE_PROBABILITY, false, 18);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		band_runs_with(&marked, &runs, rows[i].mark);
		cr_assert_str_eq(letters(&marked), rows[i].expected);
	}
	band_runs_with(&marked, &none, rows[0].mark);
	cr_assert_str_eq(letters(&marked), "X2+3");
	band_runs_free(&runs);
	band_runs_free(&marked);
}

static const struct kept_reply *look(void *ctx, uint32_t reply, const char **why)
{
	(void)ctx;
	*why = reply == NODE ? NULL : "not kept";
	return kept_reply(kept, reply);
}

/* A shaded reply is shown as it was written, others as Markdown and with the reason in their label. */
Test(band_runs, in_the_transcript)
{
	const struct chat_view_shade shade = {.by = SHADE_PROBABILITY, .look = look}, none = {.by = SHADE_NONE};
	struct tree *tree = tree_create();
	struct chat_view *view = chat_view_create();
	WINDOW *win = pad_open(16, 40);
	uint32_t id;

	add(0.99F, "**a** ");
	add(0.1F, "b");
	cr_assert_eq(tree_add(tree, 0, ROLE_USER, "q", 1, &id, NULL), STATUS_OK);
	cr_assert_eq(tree_add(tree, id, ROLE_ASSISTANT, "**a** b", 7, &id, NULL), STATUS_OK);
	cr_assert_eq(id, NODE);
	cr_assert_eq(tree_add(tree, id, ROLE_USER, "q", 1, &id, NULL), STATUS_OK);
	cr_assert_eq(tree_add(tree, id, ROLE_ASSISTANT, "**c**", 5, &id, NULL), STATUS_OK);
	chat_view_set_tree(view, tree);
	chat_view_resize(view, 12, 40, 0);
	cr_assert_eq(chat_view_set_shade(view, &shade), STATUS_OK);
	chat_view_draw(view, win, 0, 0);
	cr_assert_str_eq(pad_row(win, 4), "**a** b");
	cr_assert(mvwinch(win, 4, 6) & A_UNDERLINE && mvwinch(win, 4, 6) & A_BOLD, "a guess");
	cr_assert(!(mvwinch(win, 4, 2) & (A_UNDERLINE | A_BOLD)));
	cr_assert_str_eq(pad_row(win, 9), "Assistant (not kept)");
	cr_assert_str_eq(pad_row(win, 10), "c");
	chat_view_show_text(view, NODE, 2, 3);
	chat_view_draw(view, win, 0, 0);
	cr_assert(mvwinch(win, 4, 2) & A_REVERSE && !(mvwinch(win, 4, 3) & A_REVERSE));
	cr_assert(mvwinch(win, 4, 6) & A_UNDERLINE, "the rest keeps its bands");
	cr_assert_eq(chat_view_set_shade(view, &none), STATUS_OK);
	chat_view_draw(view, win, 0, 0);
	cr_assert_str_eq(pad_row(win, 4), "a b");
	cr_assert_str_eq(pad_row(win, 9), "Assistant");
	chat_view_free(view);
	tree_free(tree);
}
