/* A reply on the screen: streaming, resizing, scrolling, sliders, cancelling. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "screen/chat.h"

static void test_first_paint(void)
{
	struct screen *s = CHAT_START(.model = "synthetic:load_ms=100000000");

	/* The screen is there, and typing works, while the model loads. */
	WAIT_TEXT(s, CHAT_LOADING);
	PRESS_WAIT(s, "typed early", chat_line_has(s, "typed early"));
	EXPECT(screen_has(s, CHAT_LOADING), " ");
	screen_keys(s, "<C-a><C-k>");
	chat_quit(s);
	s = CHAT_START(.model = "synthetic:load_ms=100");
	chat_send(s, "typed early");
	EXPECT(chat_line_has(s, "typed early"), " ");
	EXPECT(screen_has(s, "synthetic"), "the model's name");
	chat_quit(s);
}

static void test_reply(void)
{
	struct screen *s = chat_open("synthetic:rate=500,tokens=40");

	ASK_SHOWS(s, "What do you count?", "warm 39");
	EXPECT(chat_shows(s, "What do you count?"), "the message");
	EXPECT(chat_shows(s, "warm 0 warm 1"), "the reply");
	EXPECT(!screen_has(s, "warm 40"), " ");
	chat_expect_fresh(s);
	SAY_WAIT(s, "And again?", screen_count(s, "warm 39") == 2);
	chat_quit(s);
}

/* The rows above the status bar as text, to be freed. */
static char *transcript(struct screen *s)
{
	struct buf out = {.max = 1 << 20};
	int end = screen_cursor(s).row - 1;

	for (int row = 0; row < end; row++)
		buf_printf(&out, "%s\n", screen_row(s, row));
	return buf_take(&out, NULL);
}

static void test_resize_while_streaming(void)
{
	static const int sizes[][2] = {
		{30, 100}, {10, 30}, {24, 79}, {5, 20}, {50, 132}, {12, 21}, {60, 200}, {20, 60},
	};
	const char *model = "synthetic:rate=200,tokens=300";
	struct screen *s = chat_open(model), *fresh;
	char *resized, *direct;

	SAY_SHOWS(s, "Count.", "warm 5");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t bytes;

		screen_resize(s, sizes[i][0], sizes[i][1]);
		bytes = s->n_bytes;
		WAIT(s, s->n_bytes > bytes + 40);
		screen_pump(s, 20);
	}
	WAIT_TEXT(s, "warm 299");
	chat_wait_ready(s);
	chat_expect_fresh(s);
	resized = transcript(s);

	/* The same conversation in a terminal that always had this size. */
	fresh = CHAT_OPEN(.rows = 20, .cols = 60, .model = model);
	ASK_SHOWS(fresh, "Count.", "warm 299");
	direct = transcript(fresh);
	EXPECT(strcmp(resized, direct) == 0, "\n%s--- and in a terminal of that size:\n%s", resized, direct);
	free(resized);
	free(direct);
	chat_quit(fresh);
	chat_quit(s);
}

static void test_any_size(void)
{
	struct screen *s = chat_open("synthetic:rate=300,tokens=2000000,n_ctx=3000000");
	uint64_t random = 0x9E3779B97F4A7C15ULL;
	int n = test_is_long() ? 5000 : 150;

	chat_say(s, "Count.");
	for (int i = 0; i < n; i++) {
		int rows = 1 + (int)(test_random(&random) % 12), cols = 1 + (int)(test_random(&random) % 40);

		screen_resize(s, rows, cols);
		screen_pump(s, (int)(test_random(&random) % 8));
		if (i % 10 == 5)
			screen_keys(s, i % 20 == 5 ? "<F2>" : "<Esc>x<PgUp>");
		if (i % 30 == 7)
			screen_keys(s, "<F1><Esc>");
	}
	screen_resize(s, 24, 80);
	for (int i = 0; i < 3; i++) { /* panel, reply, nothing */
		screen_keys(s, "<Esc>");
		screen_sync(s);
	}
	chat_wait_ready(s);
	screen_keys(s, "<C-a><C-k>");
	chat_quit_fresh(s);
}

static void test_small_and_large(void)
{
	static const int sizes[][2] = {{5, 20}, {60, 200}, {24, 80}, {6, 200}, {60, 20}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct screen *s = CHAT_OPEN(.rows = sizes[i][0], .cols = sizes[i][1],
		                             .model = "synthetic:rate=1000,tokens=100");

		SAY_SHOWS(s, "Go on", "warm 99");
		chat_quit_fresh(s);
	}
}

static void test_start_tiny(void)
{
	static const int sizes[][2] = {{1, 1}, {1, 80}, {24, 1}, {2, 2}, {4, 19}, {3, 10}};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct screen *s = CHAT_START(.rows = sizes[i][0], .cols = sizes[i][1],
		                              .model = "synthetic:rate=1000,tokens=10");

		WAIT(s, s->n_bytes > 0);
		screen_quiet(s, 100);
		screen_resize(s, 24, 80);
		chat_wait_ready(s);
		SAY_SHOWS(s, "hello", "warm 9");
		chat_expect_fresh(s);
		screen_resize(s, sizes[i][0], sizes[i][1]);
		screen_quiet(s, 50);
		chat_quit(s);
	}
}

/* From F2 on: the row of a slider in the panel. */
static int open_sliders(struct screen *s)
{
	PRESS_WAIT(s, "<F2>", screen_row_of(s, "temp ") >= 0 && screen_has(s, "top-k"));
	return screen_row_of(s, "temp ");
}

/* The reply has become warm again after having been cold. */
static bool warm_after_cold(struct screen *s)
{
	const char *cold = strstr(screen_text(s), "cold ");

	return cold && strstr(cold, "warm ");
}

static void test_slider_keys(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=40,tokens=4000", .rows = 40);

	SAY_SHOWS(s, "Count.", "warm 5");
	open_sliders(s);
	PRESS_SHOWS(s, "0", "cold ");
	PRESS_WAIT(s, "<Right>", warm_after_cold(s));
	PRESS_WAIT(s, "<Left>", screen_count(s, "cold ") > 3);
	/* Esc closes the panel first; the reply goes on. */
	PRESS_HIDES(s, "<Esc>", "top-k");
	EXPECT(!chat_is_ready(s), "Esc in the panel stopped the reply");
	chat_send(s, "<Esc>");
	chat_quit_fresh(s);
}

static void test_slider_mouse(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=40,tokens=4000", .args = {"--mouse"},
	                             .rows = 40);
	int row, left;

	WAIT(s, s->checker.modes & MODE_MOUSE_SGR);
	SAY_SHOWS(s, "Count.", "warm 5");
	row = open_sliders(s);
	left = screen_col_of(s, row, "temp ");
	/* Somewhere between the name and the value is the bar: the first column
	 * that sets it to nothing is its left end. */
	for (int col = left + 5; !strstr(screen_row(s, row), " 0  ") && col < left + 40; col++) {
		screen_click(s, row, col);
		screen_sync(s);
	}
	WAIT_TEXT(s, "cold ");
	/* Dragged to the right, with the pointer leaving the row on its way. */
	screen_mouse(s, 0, row, left + 25, true);
	screen_mouse(s, 32, row, left + 30, true);
	screen_mouse(s, 32, row + 2, left + 38, true);
	screen_mouse(s, 0, row, left + 38, false);
	WAIT(s, warm_after_cold(s));
	PRESS_HIDES(s, "<Esc>", "top-k");
	chat_quit(s);
}

static void test_set_in_mid_reply(void)
{
	struct screen *s = chat_open("synthetic:rate=40,tokens=4000");

	SAY_SHOWS(s, "Count.", "warm 5");
	SAY_SHOWS(s, "/set temp 0", "cold ");
	SAY_WAIT(s, "/set temp 1.5", warm_after_cold(s));
	chat_send(s, "<C-c>");
	chat_quit(s);
}

static void test_cancel_loading(void)
{
	static const char *const keys[] = {"<C-c>", "<Esc>"};

	for (size_t i = 0; i < 2; i++) {
		struct screen *s = CHAT_START(.model = "synthetic:load_ms=100000");

		WAIT_TEXT(s, CHAT_LOADING);
		PRESS_SHOWS(s, keys[i], CHAT_NO_MODEL);
		/* Still a chat: another model can be loaded. */
		chat_ask(s, "/model synthetic:tokens=10");
		SAY_SHOWS(s, "hello", "warm 9");
		chat_quit(s);
	}
}

static void test_cancel_prefill(void)
{
	static const char *const keys[] = {"<C-c>", "<Esc>"};

	for (size_t i = 0; i < 2; i++) {
		struct screen *s = chat_open("synthetic:prefill_ms=100000,tokens=10");

		SAY_WAIT(s, "a long prompt", !chat_is_ready(s));
		chat_send(s, keys[i]);
		EXPECT(chat_shows(s, "a long prompt"), "the message stays");
		EXPECT(!screen_has(s, "warm"), "no reply");
		chat_quit(s);
	}
}

static void test_cancel_decode(void)
{
	static const char *const keys[] = {"<C-c>", "<Esc>"};

	for (size_t i = 0; i < 2; i++) {
		struct screen *s = chat_open("synthetic:rate=100,tokens=100000");

		SAY_SHOWS(s, "Count.", "warm 20");
		chat_send(s, keys[i]);
		EXPECT(chat_shows(s, "warm 20"), "what came before stands");
		EXPECT(chat_journal_has("warm 20"), "the partial reply is saved");
		SAY_WAIT(s, "Go on.", screen_count(s, "warm 0") == 2 || screen_has(s, "warm 400"));
		chat_send(s, keys[i]);
		chat_quit(s);
	}
}

static void test_scroll(void)
{
	struct screen *s = chat_open("synthetic:rate=150,tokens=100000");
	char *before, *after, *status;

	SAY_SHOWS(s, "Count.", "warm 400");
	PRESS_SHOWS(s, "<PgUp>", CHAT_NEW_BELOW);
	before = strdup(screen_row(s, 3));
	status = strdup(screen_row(s, s->rows - 2));
	WAIT(s, strcmp(screen_row(s, s->rows - 2), status) != 0); /* the reply goes on */
	free(status);
	after = strdup(screen_row(s, 3));
	EXPECT(strcmp(before, after) == 0, "the view moved while reading: %s", before);
	free(before);
	free(after);
	PRESS_HIDES(s, "<C-End>", CHAT_NEW_BELOW);
	WAIT_TEXT(s, "warm 700");
	PRESS_WAIT(s, "<C-Home>", chat_shows(s, "warm 0 warm 1"));
	chat_send(s, "<C-c>");
	EXPECT(chat_shows(s, "warm 0 warm 1"), "the end of the reply moved the view");
	chat_quit_fresh(s);
}

static void test_wheel(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=5000,tokens=1000",
	                             .args = {"--mouse"});

	WAIT(s, s->checker.modes & MODE_MOUSE_SGR);
	ASK_SHOWS(s, "Count.", "warm 999");
	screen_mouse(s, 64, 5, 5, true);
	WAIT_GONE(s, "warm 999");
	for (int i = 0; i < 60; i++)
		screen_mouse(s, 64, 5, 5, true);
	WAIT(s, chat_shows(s, "Count."));
	for (int i = 0; i < 62; i++)
		screen_mouse(s, 65, 5, 5, true);
	WAIT_TEXT(s, "warm 999");
	chat_quit_fresh(s);
}

static void test_wide_text(void)
{
	static const char *const models[] = {
		"synthetic:mode=wide,tokens=400,rate=2000", "synthetic:mode=emoji,tokens=200,rate=2000",
	};
	static const char *const texts[] = {"\xe4\xb8\x96\xe7\x95\x8c", "\xf0\x9f\x98\x80"};

	for (size_t i = 0; i < 2; i++) {
		for (int cols = 20; cols <= 81; cols += 61) {
			struct screen *s = CHAT_OPEN(.model = models[i], .cols = cols, .rows = 20);

			ASK_SHOWS(s, "hi", texts[i]);
			chat_quit_fresh(s);
		}
	}
}

static void test_escapes_in_replies(void)
{
	struct screen *s = chat_open("synthetic:mode=escape,tokens=300,rate=2000");

	/* The checker ends the test when one of them gets through. */
	ASK_SHOWS(s, "hi", "^[");
	EXPECT(screen_has(s, "<U+202E>"), "bidi control spelt out");
	chat_expect_fresh(s);
	SAY_QUIET(s, "/list", 100); /* the chat's title is foreign too */
	PRESS_QUIET(s, "<Esc>", 60);
	chat_quit(s);
}

static void test_type_ahead(void)
{
	struct screen *s = chat_open("synthetic:rate=100,tokens=60");

	SAY_SHOWS(s, "first", "warm 3");
	SAY_SHOWS(s, "second", "warm 30");
	WAIT(s, screen_count(s, "warm 59") == 2);
	chat_wait_ready(s);
	EXPECT(chat_shows(s, "first") && chat_shows(s, "second"), " ");
	chat_quit(s);
}

static void test_context_full(void)
{
	struct screen *s = chat_open("synthetic:rate=1000,tokens=100000,n_ctx=200");

	SAY_WAIT(s, "one two three", screen_has(s, "context") && chat_is_ready(s));
	EXPECT(!screen_has(s, "warm 200"), " ");
	SAY_WAIT(s, "four five six", screen_count(s, "warm 0") == 2 || screen_has(s, "left out"));
	WAIT(s, chat_is_ready(s));
	chat_quit_fresh(s);
}

static void test_failing_turn(void)
{
	struct screen *s = chat_open("synthetic:rate=1000,fail=20");

	SAY_SHOWS(s, "hi", "warm 19", "error");
	chat_say(s, "/set temp 0");
	SAY_SHOWS(s, "again", "cold 19");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"first-paint", test_first_paint, 0},
		{"reply", test_reply, 0},
		{"resize-while-streaming", test_resize_while_streaming, 0},
		{"any-size", test_any_size, 600},
		{"small-and-large", test_small_and_large, 0},
		{"start-tiny", test_start_tiny, 0},
		{"slider-keys", test_slider_keys, 0},
		{"slider-mouse", test_slider_mouse, 0},
		{"set-in-mid-reply", test_set_in_mid_reply, 0},
		{"cancel-loading", test_cancel_loading, 0},
		{"cancel-prefill", test_cancel_prefill, 0},
		{"cancel-decode", test_cancel_decode, 0},
		{"scroll", test_scroll, 0},
		{"wheel", test_wheel, 0},
		{"wide-text", test_wide_text, 0},
		{"escapes-in-replies", test_escapes_in_replies, 0},
		{"type-ahead", test_type_ahead, 0},
		{"context-full", test_context_full, 0},
		{"failing-turn", test_failing_turn, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
