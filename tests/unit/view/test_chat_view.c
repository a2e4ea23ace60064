#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/limits.h"
#include "pad.h"
#include "view/chat_view.h"

/* Of the test. */
static struct tree *tree;
static struct chat_view *view;

static void set_up(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	tree = tree_create();
	view = chat_view_create();
	cr_assert(tree && view);
}

static void tear_down(void)
{
	chat_view_free(view);
	tree_free(tree);
}

TestSuite(chat_view, .init = set_up, .fini = tear_down);

static uint32_t add(enum role role, const char *text)
{
	uint32_t id;

	cr_assert_eq(tree_add(tree, tree_leaf(tree), role, text, strlen(text), &id, NULL), STATUS_OK);
	return id;
}

/* A window large enough for all tests. */
static WINDOW *window(void)
{
	static WINDOW *win;

	if (!win)
		win = pad_open(64, 100);
	return win;
}

/* All rows as drawn, joined by `|`, without the blank ones at the end. */
static const char *shown(int rows)
{
	static struct buf out;
	size_t len = 0;

	buf_free(&out);
	buf_init(&out, KIB(64));
	werase(window());
	chat_view_draw(view, window(), 0, 0);
	for (int row = 0; row < rows; row++) {
		const char *text = pad_row(window(), row);

		if (row)
			buf_putc(&out, '|');
		if (buf_puts(&out, text) == STATUS_OK && text[0])
			len = out.len;
	}
	buf_remove(&out, len, out.len - len);
	return buf_text(&out);
}

/* The same of the tree as it is now. */
static const char *synced(int rows)
{
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	return shown(rows);
}

static void view_tree(int rows, int cols)
{
	chat_view_set_tree(view, tree);
	chat_view_set_fold_key(view, "Alt+T");
	chat_view_resize(view, rows, cols, 0);
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
}

static void notice(enum notice_life life, enum theme_role role, const char *text)
{
	cr_assert_eq(chat_view_notice(view, life, role, text, strlen(text)), STATUS_OK);
}

/* The row that has the byte comes into sight, with some of what is before it. */
Test(chat_view, shows_a_place_in_a_message)
{
	uint32_t long_one;

	add(ROLE_USER, "q");
	long_one = add(ROLE_ASSISTANT, "r1\nr2\nr3\nr4\nr5 word\nr6\nr7\nr8\nr9\nr10");
	add(ROLE_USER, "a\nb\nc\nd\ne\nf");
	view_tree(6, 20);
	cr_assert_str_eq(shown(6), "a|b|c|d|e|f");
	chat_view_show_text(view, long_one, 15, 19);
	cr_assert_str_eq(shown(6), "r3|r4|r5 word|r6|r7|r8");
	cr_assert(mvwinch(window(), 2, 0) & mvwinch(window(), 2, 3) & A_REVERSE, "Markdown: the row is marked");
	cr_assert(!(mvwinch(window(), 1, 0) & A_REVERSE) && !(mvwinch(window(), 3, 0) & A_REVERSE));
	chat_view_show_raw(view, true);
	cr_assert_str_eq(shown(6), "r3|r4|r5 word|r6|r7|r8");
	cr_assert(mvwinch(window(), 2, 3) & A_REVERSE, "the word is marked");
	cr_assert(!(mvwinch(window(), 2, 2) & A_REVERSE));
	chat_view_show_text(view, 0, 0, 0);
	cr_assert_str_eq(shown(6), "r3|r4|r5 word|r6|r7|r8");
	cr_assert(!(mvwinch(window(), 2, 3) & A_REVERSE));
	chat_view_show_text(view, 1, 0, 1);
	cr_assert_str_eq(shown(6), "You|q||Assistant|r1|r2");
	chat_view_show_text(view, 3, 10, 11); /* near the end: no further than that */
	cr_assert_str_eq(shown(6), "a|b|c|d|e|f");
	chat_view_show_text(view, 9, 0, 1); /* one that is not there */
	cr_assert_str_eq(shown(6), "a|b|c|d|e|f");
}

Test(chat_view, marks_what_the_model_is_not_sent_any_more)
{
	struct tree *other = tree_create();

	add(ROLE_SYSTEM, "S");
	add(ROLE_USER, "a");
	cr_assert_eq(tree_append_reasoning(tree_node(tree, add(ROLE_ASSISTANT, "b")), "r", 1),
	             STATUS_OK);
	add(ROLE_USER, "c");
	view_tree(20, 40);
	cr_assert_eq(chat_view_set_left_out(view, (uint32_t[]){2, 3}, 2), STATUS_OK);
	cr_assert_str_eq(synced(20), "System|S||You (left out)|a||Assistant (left out)|"
	                 "\u25B8 thought, 1 word (Alt+T unfolds)|b||You|c");
	cr_assert(pad_has_role(window(), 4, 0, STYLE_HINT), "it is dimmed");
	cr_assert_eq(chat_view_set_left_out(view, (uint32_t[]){4}, 1), STATUS_OK);
	tree_node(tree, 3)->dropped = tree_node(tree, 2)->pinned = true;
	cr_assert_str_eq(synced(20), "System|S||You (pinned)|a||Assistant (dropped)|"
	                 "\u25B8 thought, 1 word (Alt+T unfolds)|b||You (left out)|c");
	tree_node(tree, 3)->dropped = tree_node(tree, 2)->pinned = false;
	cr_assert_eq(chat_view_set_left_out(view, NULL, 0), STATUS_OK);
	cr_assert(!strstr(synced(20), "left out"));
	/* They are this chat's. */
	cr_assert_eq(chat_view_set_left_out(view, (uint32_t[]){1, 2}, 2), STATUS_OK);
	cr_assert_eq(tree_add(other, 0, ROLE_USER, "d", 1, NULL, NULL), STATUS_OK);
	chat_view_set_tree(view, other);
	cr_assert_str_eq(synced(20), "You|d");
	tree_free(other);
}

Test(chat_view, a_summary_marks_what_it_stands_for)
{
	uint32_t summary;

	add(ROLE_USER, "a");
	add(ROLE_ASSISTANT, "b");
	add(ROLE_USER, "c");
	summary = add(ROLE_SYSTEM, "short");
	tree_node(tree, summary)->sums_up = 2;
	view_tree(20, 60);
	cr_assert_str_eq(shown(20), "You (summed up)|a||Assistant (summed up)|b||You|c||"
	                 "Summary, sent instead of the messages before it|short");
	tree_node(tree, 1)->pinned = true;
	cr_assert(strstr(synced(20), "You (pinned)|a||Assistant (summed up)"), "%s", shown(20));
	tree_set_leaf(tree, 3);
	cr_assert(!strstr(synced(20), "summed up"), "another branch has no summary");
}

Test(chat_view, labels_say_which_of_several_takes_is_shown)
{
	uint32_t user, reply;

	add(ROLE_SYSTEM, "S");
	tree_set_leaf(tree, 0);
	add(ROLE_SYSTEM, "T"); /* another beginning is no take */
	user = add(ROLE_USER, "a");
	reply = add(ROLE_ASSISTANT, "one");
	view_tree(20, 40);
	cr_assert_str_eq(shown(20), "System|T||You|a||Assistant|one");
	tree_set_leaf(tree, user);
	cr_assert_eq(tree_append_reasoning(tree_node(tree, add(ROLE_ASSISTANT, "two")), "r", 1),
	             STATUS_OK);
	cr_assert_str_eq(synced(20), "System|T||You|a||Assistant 2/2|"
	                 "\u25B8 thought, 1 word (Alt+T unfolds)|two");
	tree_set_leaf(tree, reply);
	cr_assert_str_eq(synced(20), "System|T||You|a||Assistant 1/2|one");
	cr_assert_eq(chat_view_set_left_out(view, (uint32_t[]){user, reply}, 2), STATUS_OK);
	cr_assert_str_eq(synced(20), "System|T||You (left out)|a||Assistant 1/2 (left out)|one");
}

Test(chat_view, the_label_of_a_picked_message_is_marked)
{
	uint32_t reply;

	add(ROLE_USER, "a");
	reply = add(ROLE_ASSISTANT, "b");
	view_tree(20, 40);
	chat_view_set_picked(view, reply);
	cr_assert_str_eq(shown(20), "You|a||Assistant|b");
	cr_assert(!pad_has_role(window(), 0, 0, STYLE_SELECTION));
	cr_assert(pad_has_role(window(), 3, 0, STYLE_SELECTION));
	cr_assert(!pad_has_role(window(), 4, 0, STYLE_SELECTION));
	chat_view_set_picked(view, 0);
	notice(NOTICE_STAYS, STYLE_SYSTEM, "note");
	shown(20);
	for (int row = 0; row < 7; row++)
		cr_assert(!pad_has_role(window(), row, 0, STYLE_SELECTION), "row %d", row);
}

Test(chat_view, a_message_is_shown_at_the_top_or_with_the_end)
{
	uint32_t first = add(ROLE_USER, "first"), last;

	for (int i = 0; i < 10; i++)
		add(ROLE_USER, "between");
	last = add(ROLE_ASSISTANT, "last");
	view_tree(5, 40);
	chat_view_show(view, first);
	cr_assert_str_eq(shown(5), "You|first||You|between");
	chat_view_show(view, last);
	cr_assert_str_eq(shown(5), "You|between||Assistant|last");
	chat_view_show(view, first);
	chat_view_show(view, 99);
	cr_assert_str_eq(shown(5), "You|between||Assistant|last", "no such message: the end");
	add(ROLE_USER, "more");
	cr_assert_str_eq(synced(5), "Assistant|last||You|more", "the end is followed");
}

Test(chat_view, system_messages_say_where_they_hold_and_what_they_are_from)
{
	struct node *node;

	cr_assert_eq(tree_set_origin(tree_node(tree, add(ROLE_SYSTEM, "A")), "tutor a=b"), 0);
	add(ROLE_USER, "hi");
	add(ROLE_SYSTEM, "B");
	node = tree_node(tree, add(ROLE_SYSTEM, "C"));
	node->whole = true;
	cr_assert_eq(tree_set_origin(node, "\x1b[31m"), STATUS_OK);
	tree_node(tree, add(ROLE_SYSTEM, ""))->whole = true;
	view_tree(20, 70);
	cr_assert_str_eq(shown(20),
	                 "System (template tutor a=b)|A||You|hi||System, from here on|B||"
	                 "System, for the whole conversation (template ^[[31m)|C||"
	                 "No system message, for the whole conversation");
}

Test(chat_view, shows_messages_with_labels_and_notices_between)
{
	uint32_t reply;

	view_tree(20, 20);
	cr_assert_str_eq(shown(20), "");
	notice(NOTICE_STAYS, STYLE_SYSTEM, "model loaded");
	add(ROLE_SYSTEM, "Be brief.");
	add(ROLE_USER, "Hello\nthere\n");
	reply = add(ROLE_ASSISTANT, "");
	tree_node(tree, reply)->state = NODE_STREAMING;
	cr_assert_str_eq(synced(20),
	                 "model loaded||System|Be brief.||You|Hello|there||Assistant|\u2026");
	cr_assert_eq(tree_append(tree_node(tree, reply), "Hi\x1B[2J, you who came", 20), STATUS_OK);
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	cr_assert_eq(tree_set_model(tree_node(tree, reply), "Tiny\x1BLlama"), STATUS_OK);
	cr_assert_str_eq(strstr(shown(20), "Tiny"), "Tiny^[Llama|Hi^[[2J, you who|came");
	tree_node(tree, reply)->state = NODE_INTERRUPTED;
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	notice(NOTICE_STAYS, STYLE_ERROR, "one\n");
	notice(NOTICE_STAYS, STYLE_ERROR, "two");
	cr_assert_str_eq(strstr(shown(20), "came"), "came|(interrupted)||one|two");
	/* What goes on with it is said of the last message, if it is sent. */
	chat_view_set_continue_key(view, "F1");
	cr_assert_str_eq(strstr(shown(20), "came"), "came|(interrupted) F1 goe||one|two");
	tree_node(tree, reply)->dropped = true;
	cr_assert_str_eq(strstr(synced(20), "came"), "came|(interrupted)||one|two");
	tree_node(tree, reply)->dropped = false;
	add(ROLE_USER, "more");
	cr_assert_str_eq(strstr(synced(24), "came"), "came|(interrupted)||one|two||You|more");
}

Test(chat_view, notices_go_when_their_life_ends)
{
	static const struct {
		enum notice_life life;
		const char *left; /* of the five notices below */
	} ends[] = {
		{NOTICE_UNTIL_COMMAND, "You|a||ended before||Model|b||stays|ended"},
		{NOTICE_UNTIL_REPLY, "You|a||failed|ended before||Model|b||stays|failed"},
	};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		tear_down();
		set_up();
		add(ROLE_USER, "a");
		view_tree(20, 20);
		notice(NOTICE_UNTIL_COMMAND, STYLE_ERROR, "failed");
		notice(NOTICE_UNTIL_REPLY, STYLE_SYSTEM, "ended before");
		cr_assert_eq(tree_set_model(tree_node(tree, add(ROLE_ASSISTANT, "b")), "Model"), 0);
		notice(NOTICE_STAYS, STYLE_SYSTEM, "stays");
		notice(NOTICE_UNTIL_COMMAND, STYLE_ERROR, "failed");
		notice(NOTICE_UNTIL_REPLY, STYLE_SYSTEM, "ended");
		chat_view_drop_notices(view, ends[i].life);
		cr_assert_str_eq(shown(20), ends[i].left);
	}
}

/* What goes away above, or at the top of what is being read. */
Test(chat_view, what_is_read_stays_when_notices_go)
{
	for (int first = 0; first < 4; first++) {
		tear_down();
		set_up();
		view_tree(2, 20);
		notice(NOTICE_UNTIL_COMMAND, STYLE_ERROR, "failed");
		for (int i = 0; i < 3; i++)
			add(ROLE_USER, "abc");
		cr_assert_eq(chat_view_sync(view), STATUS_OK);
		chat_view_to_top(view);
		chat_view_scroll(view, first);
		chat_view_drop_notices(view, NOTICE_UNTIL_COMMAND);
		cr_assert_str_eq(shown(2), first == 3 ? "abc" : "You|abc", "%d", first);
	}
}

/* With nothing left the end is followed again. */
Test(chat_view, the_only_notice_goes)
{
	view_tree(2, 20);
	notice(NOTICE_UNTIL_COMMAND, STYLE_ERROR, "one\ntwo\nthree");
	chat_view_to_top(view);
	chat_view_drop_notices(view, NOTICE_UNTIL_COMMAND);
	cr_assert_str_eq(shown(2), "");
	cr_assert_eq(chat_view_percent(view), -1);
}

Test(chat_view, follows_the_leaf_to_another_branch)
{
	uint32_t question, other;

	view_tree(12, 20);
	question = add(ROLE_USER, "why?");
	add(ROLE_ASSISTANT, "so");
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	notice(NOTICE_STAYS, STYLE_SYSTEM, "note");
	cr_assert_str_eq(shown(12), "You|why?||Assistant|so||note");
	cr_assert_eq(tree_add(tree, question, ROLE_ASSISTANT, "because", 7, &other, NULL), STATUS_OK);
	cr_assert_str_eq(synced(12), "You|why?||Assistant 2/2|because");
	tree_set_leaf(tree, question);
	cr_assert_str_eq(synced(12), "You|why?");
	chat_view_set_tree(view, NULL);
	cr_assert_str_eq(synced(12), "");
}

/* A reply of n numbered lines: 1, 2, ... */
static void add_lines(struct node *node, int from, int to)
{
	for (int i = from; i <= to; i++) {
		char line[32];
		int n = snprintf(line, sizeof line, i == 1 ? "%d" : "\n%d", i);

		cr_assert_eq(tree_append(node, line, (size_t)n), STATUS_OK);
	}
}

Test(chat_view, sticks_to_the_bottom_only_when_there)
{
	struct node *node = tree_node(tree, add(ROLE_ASSISTANT, ""));

	view_tree(4, 30);
	add_lines(node, 1, 20);
	cr_assert_str_eq(synced(4), "17|18|19|20");
	chat_view_scroll(view, -2);
	cr_assert_str_eq(shown(4), "15|16|17|18");
	add_lines(node, 21, 25);
	cr_assert_str_eq(synced(4), "15|16|17|            \u2193 new output below");
	chat_view_scroll(view, 7);
	cr_assert_str_eq(shown(4), "22|23|24|25");
	chat_view_scroll(view, 100);
	cr_assert_str_eq(shown(4), "22|23|24|25");
	chat_view_page(view, -1);
	cr_assert_str_eq(shown(4), "19|20|21|22");
	chat_view_to_top(view);
	cr_assert_str_eq(shown(4), "Assistant|1|2|3");
	chat_view_scroll(view, -5);
	cr_assert_str_eq(shown(4), "Assistant|1|2|3");
	chat_view_page(view, 1);
	cr_assert_str_eq(shown(4), "3|4|5|6");
	chat_view_to_bottom(view);
	add_lines(node, 26, 26);
	cr_assert_str_eq(synced(4), "23|24|25|26");
}

Test(chat_view, hints_at_what_came_below)
{
	WINDOW *win = window();
	struct node *node = tree_node(tree, add(ROLE_ASSISTANT, ""));

	view_tree(4, 30);
	add_lines(node, 1, 20);
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	chat_view_scroll(view, -10);
	add_lines(node, 21, 21);
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	chat_view_draw(view, win, 0, 0);
	cr_assert_str_eq(pad_row(win, 2), "9");
	cr_assert_str_eq(pad_row(win, 3), "            \u2193 new output below");
	cr_assert(pad_has_role(win, 3, 14, STYLE_HINT));
	chat_view_to_bottom(view);
	chat_view_draw(view, win, 0, 0);
	cr_assert_str_eq(pad_row(win, 3), "21");
}

Test(chat_view, keeps_the_place_when_resized)
{
	char text[40 * 13 + 1] = "";

	for (int i = 0; i < 40; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "word%02d ", i);
	add(ROLE_USER, "before");
	add(ROLE_ASSISTANT, text);
	view_tree(3, 14);
	chat_view_scroll(view, -4);
	cr_assert(strncmp(shown(3), "word26 word27|", 14) == 0, "%s", shown(3));
	chat_view_resize(view, 3, 7, 0);
	cr_assert(strncmp(shown(3), "word26|word27|", 14) == 0, "%s", shown(3));
	chat_view_resize(view, 5, 30, 0);
	cr_assert(strstr(shown(5), "word26"), "%s", shown(5));
	chat_view_to_bottom(view);
	chat_view_resize(view, 1, 1, 0);
	cr_assert_str_eq(shown(1), "9");
	chat_view_resize(view, 0, -3, 0);
	cr_assert_str_eq(shown(1), "9");
}

Test(chat_view, text_is_no_wider_than_it_may_be)
{
	WINDOW *win = window();

	add(ROLE_USER, "one two three four five six seven");
	view_tree(6, 40);
	cr_assert_str_eq(shown(6), "You|one two three four five six seven");
	chat_view_resize(view, 6, 40, 20);
	cr_assert_str_eq(shown(6), "You|one two three four|five six seven");
	chat_view_draw(view, win, 0, 0);
	cr_assert_str_eq(pad_row(win, 1), "one two three four");
	notice(NOTICE_STAYS, STYLE_SYSTEM, "a notice with a command to copy");
	cr_assert_str_eq(shown(6), "You|one two three four|five six seven||"
	                           "a notice with a command to copy");
	cr_assert_eq(chat_view_height(view, 10), 5);
	cr_assert_eq(chat_view_height(view, 3), 3);
	chat_view_set_tree(view, tree);
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	chat_view_resize(view, 6, 10, 20); /* the window is narrower */
	cr_assert_str_eq(shown(6), "You|one two|three four|five six|seven");
	chat_view_resize(view, 2, 10, 20);
	chat_view_to_top(view);
	chat_view_scroll(view, 1);
	cr_assert(strncmp(shown(2), "one two|", 8) == 0, "%s", shown(2));
	chat_view_resize(view, 2, 10, 5); /* what is read stays */
	cr_assert(strncmp(shown(2), "one|two", 7) == 0, "%s", shown(2));
}

/* From message to message, and how far up that is. */
Test(chat_view, steps_through_messages)
{
	uint32_t thought;

	add(ROLE_USER, "q1\nr\ns\nt\nu");
	thought = add(ROLE_ASSISTANT, "a1\nb\nc");
	cr_assert_eq(tree_append_reasoning(tree_node(tree, thought), "hm", 2), STATUS_OK);
	add(ROLE_USER, "q2\nv\nw\nx");
	view_tree(3, 40);
	cr_expect_eq(chat_view_percent(view), -1, "at the end");
	chat_view_step(view, -1);
	cr_expect_str_eq(shown(3), "You|q2|v");
	chat_view_step(view, -1); /* with its thoughts */
	cr_expect_str_eq(shown(2), "Assistant|\u25B8 thought, 1 word (Alt+T unfolds)");
	chat_view_scroll(view, 2);
	chat_view_step(view, -1);
	cr_expect_str_eq(shown(2), "Assistant|\u25B8 thought, 1 word (Alt+T unfolds)");
	chat_view_step(view, -1);
	cr_expect_str_eq(shown(3), "You|q1|r");
	cr_expect_eq(chat_view_percent(view), 0);
	chat_view_step(view, -1);
	cr_expect_str_eq(shown(3), "You|q1|r", "there is nothing above it");
	chat_view_step(view, 2);
	cr_expect_str_eq(shown(3), "You|q2|v");
	cr_expect(chat_view_percent(view) > 40 && chat_view_percent(view) < 80, "%d", chat_view_percent(view));
	chat_view_step(view, 1);
	cr_expect_str_eq(shown(3), "v|w|x");
	cr_expect_eq(chat_view_percent(view), -1);
}

/* Any size, any scrolling, texts of all kinds: nothing breaks, and the end is found. */
Test(chat_view, survives_every_size)
{
	WINDOW *win = window();
	char end[4096];

	view_tree(5, 5);
	add(ROLE_USER, "\u4E2D\u6587 e\u0301 \U0001F469\u200D\U0001F467\tx\x1B \u202E");
	add(ROLE_ASSISTANT, "");
	notice(NOTICE_STAYS, STYLE_ERROR, "");
	add(ROLE_USER, "a\n\n\nb a long line that has to be wrapped");
	for (int rows = 1; rows <= 12; rows++)
		for (int cols = 1; cols <= 40; cols++) {
			cr_assert_eq(chat_view_sync(view), STATUS_OK);
			chat_view_resize(view, rows, cols, 0);
			for (int step = -7; step < 8; step += 3) {
				chat_view_scroll(view, step);
				cr_assert_neq(shown(rows), NULL);
			}
			chat_view_to_top(view);
			chat_view_draw(view, win, 0, 0);
			if (cols >= 3)
				cr_assert(strncmp(pad_row(win, 0), "You", 3) == 0, "%d x %d: %s", rows, cols, pad_row(win, 0));
			chat_view_page(view, 100);
			strcpy(end, shown(rows));
			chat_view_to_bottom(view);
			cr_assert_str_eq(shown(rows), end, "%d x %d", rows, cols);
		}
}

/* Processor time of many tokens and scrolls in a transcript of n messages. */
static double stream_and_scroll(WINDOW *win, int n)
{
	struct node *node = NULL;
	clock_t start;

	tear_down();
	set_up();
	view_tree(40, 80);
	for (int i = 0; i < n; i++) {
		node = tree_node(tree, add(i % 2 ? ROLE_ASSISTANT : ROLE_USER, ""));
		add_lines(node, 1, 100);
	}
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	chat_view_draw(view, win, 0, 0);
	start = clock();
	for (int i = 0; i < 300; i++) {
		cr_assert_eq(tree_append(node, " token", 6), STATUS_OK);
		cr_assert_eq(chat_view_sync(view), STATUS_OK);
		chat_view_draw(view, win, 0, 0);
		chat_view_scroll(view, i % 50 < 25 ? -10 : 10);
	}
	start = clock() - start;
	return (double)start / CLOCKS_PER_SEC;
}

/* In 100,000 lines a token and a scroll cost about what they do in 1,000. */
Test(chat_view, long_transcripts_scroll_and_stream_fast)
{
	WINDOW *win = window();
	double small = stream_and_scroll(win, 10), large = stream_and_scroll(win, 1000);

	cr_log_info("%.3f ms a token and scroll; %.3f in a long transcript", small * 1000 / 300,
	            large * 1000 / 300);
	cr_assert_lt(large, 4 * small + 0.05);
}

Test(chat_view, reasoning_is_shown_while_it_streams_and_folded_afterwards)
{
	struct node *node;
	uint32_t reply;

	view_tree(20, 40);
	add(ROLE_USER, "hi");
	reply = add(ROLE_ASSISTANT, "");
	node = tree_node(tree, reply);
	node->state = NODE_STREAMING;
	cr_assert_str_eq(synced(20), "You|hi||Assistant|\u2026");
	cr_assert_eq(tree_append_reasoning(node, "let me see", 10), STATUS_OK);
	cr_assert_str_eq(synced(20), "You|hi||Assistant|\u25BE thinking\u2026|let me see");
	cr_assert_eq(tree_append(node, "Hello", 5), STATUS_OK);
	cr_assert_str_eq(synced(20),
	                 "You|hi||Assistant|\u25B8 thought, 3 words (Alt+T unfolds)|Hello");
	node->state = NODE_COMPLETE;
	chat_view_toggle_reasoning(view);
	cr_assert_str_eq(shown(20), "You|hi||Assistant|\u25BE thought, 3 words (Alt+T folds)|"
	                                  "let me see||Hello");
	add(ROLE_USER, "more");
	cr_assert_eq(chat_view_sync(view), STATUS_OK);
	chat_view_toggle_reasoning(view);
	cr_assert_str_eq(shown(20), "You|hi||Assistant|\u25B8 thought, 3 words (Alt+T unfolds)|"
	                                  "Hello||You|more");
}

Test(chat_view, a_reply_cut_short_while_thinking_says_so)
{
	struct node *node;

	view_tree(20, 40);
	node = tree_node(tree, add(ROLE_ASSISTANT, ""));
	cr_assert_eq(tree_append_reasoning(node, "hm", 2), STATUS_OK);
	node->state = NODE_INTERRUPTED;
	cr_assert_str_eq(synced(20),
	                 "Assistant|\u25B8 thought, 1 word (Alt+T unfolds)|(interrupted)");
}

Test(chat_view, replies_are_shown_as_markdown_unless_plain)
{
	add(ROLE_USER, "**hi** `you`");
	add(ROLE_ASSISTANT, "**Yes**, *I*:\n- one\n- two `code`\n");
	view_tree(20, 40);
	cr_assert_str_eq(shown(20),
	                 "You|**hi** `you`||Assistant|Yes, I:|\u2022 one|\u2022 two code");
	chat_view_show_raw(view, true);
	cr_assert_str_eq(strstr(shown(20), "Assistant"),
	                 "Assistant|**Yes**, *I*:|- one|- two `code`");
	chat_view_show_raw(view, false);
	cr_assert_str_eq(strstr(shown(20), "Assistant"),
	                 "Assistant|Yes, I:|\u2022 one|\u2022 two code");
}

/* The row at the top is found again by its place in the text, in other widths and as plain text. */
Test(chat_view, markdown_stays_where_it_is_read)
{
	struct buf text = {.max = KIB(64)};

	for (int i = 0; i < 50; i++)
		buf_printf(&text, "- item %d with **strong** words that wrap\n\n", i);
	add(ROLE_ASSISTANT, buf_text(&text));
	view_tree(6, 80);
	chat_view_to_top(view);
	chat_view_scroll(view, 41);
	cr_assert(strncmp(shown(6), "\u2022 item 20 with strong", 22) == 0, "%s", shown(6));
	chat_view_resize(view, 6, 20, 0);
	cr_assert(strncmp(shown(6), "\u2022 item 20 with|", 16) == 0, "%s", shown(6));
	chat_view_show_raw(view, true);
	cr_assert(strncmp(shown(6), "- item 20 with|", 15) == 0, "%s", shown(6));
	chat_view_resize(view, 6, 80, 0);
	chat_view_show_raw(view, false);
	cr_assert(strncmp(shown(6), "\u2022 item 20 with strong", 22) == 0, "%s", shown(6));
	buf_free(&text);
}
