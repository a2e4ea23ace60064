#include <criterion/criterion.h>
#include <string.h>

#include "encode/splitter.h"

enum { TEXT_MAX = 2000 };

static const char *const no_stops[] = {NULL};

/* What was passed on: "[" and "]" around reasoning, "{" and "}" around messages besides the
 * answer. */
static struct buf text;
static enum stretch { ANSWER, REASONING, ASIDE } stretch;
static int32_t last_id;
static size_t n_reasoning_ids, n_answer_ids;

static void change_to(enum stretch next)
{
	if (next == stretch)
		return;
	if (stretch != ANSWER)
		buf_putc(&text, stretch == ASIDE ? '}' : ']');
	if (next != ANSWER)
		buf_putc(&text, next == ASIDE ? '{' : '[');
	stretch = next;
}

static enum status collect(void *ctx, const struct token *token, struct error *err)
{
	(void)ctx;
	(void)err;
	cr_assert_eq(token->id, last_id + !token->rest, "all of them, in order");
	last_id = token->id;
	if (!token->rest) {
		n_reasoning_ids += token->reasoning;
		n_answer_ids += !token->reasoning;
	}
	if (token->recants) {
		cr_assert(stretch == ANSWER && text.len, "there is something to recant");
		buf_putc(&text, '[');
		memmove(text.data + 1, text.data, text.len - 1);
		text.data[0] = '[';
		stretch = REASONING;
	}
	cr_assert(token->reasoning || !token->aside);
	if (token->len)
		change_to(token->aside ? ASIDE : token->reasoning ? REASONING : ANSWER);
	return buf_append(&text, token->bytes, token->len);
}

static void begin(void)
{
	buf_init(&text, TEXT_MAX);
	stretch = ANSWER;
	last_id = -1;
	n_reasoning_ids = n_answer_ids = 0;
}

static void push(struct splitter *splitter, int32_t id, const char *bytes, size_t len, bool control)
{
	struct token token = {.id = id, .bytes = control ? "" : bytes,
	                      .len = control ? 0 : len};
	struct error err;

	cr_assert_eq(splitter_push(splitter, &token, control ? bytes : NULL, len, &err),
	             STATUS_OK);
}

static void finish(struct splitter *splitter)
{
	struct error err;

	cr_assert_eq(splitter_flush(splitter, &err), STATUS_OK);
	change_to(ANSWER);
	splitter_deinit(splitter);
}

/* Pushes pieces separated by backslashes; one that begins with '!' is a control token. */
static void push_pieces(struct splitter *splitter, const char *pieces)
{
	for (int32_t id = 0;; id++) {
		size_t len = strcspn(pieces, "\\");

		if (*pieces == '!')
			push(splitter, id, pieces + 1, len - 1, true);
		else
			push(splitter, id, pieces, len, false);
		if (!pieces[len])
			return;
		pieces += len + 1;
	}
}

Test(reasoning, is_told_from_the_answer)
{
	static const struct {
		const char *sign; /* a template's text */
		bool thinking;    /* the prompt has opened it */
		const char *pieces, *expected;
		size_t n_reasoning, n_answer;
	} rows[] = {
		{"</think>", false, "Hello\\ world", "Hello world", 0, 2},
		{"</think>", false, "<think>\\\n\\Hm\\\n\\</think>\\\n\n\\Yes\\.", "[Hm]Yes.", 6, 2},
		{"</think>", false, "!<think>\\\n\\Hm\\\n\\!</think>\\\n\n\\Yes\\.", "[Hm]Yes.", 6, 2},
		{"</think>", false, "<\\th\\ink\\>\\Hm\\</\\think\\>\\\n\\Yes", "[Hm]Yes", 9, 1},
		{"</think>", true, "Hm\\\n</\\think>\\\n\nYes", "[Hm]Yes", 3, 1},
		{"</think>", true, "Hm\\</think>", "[Hm]", 2, 0},
		{"</think>", true, "Hm\\\n\\\nso", "[Hm\n\nso]", 3, 0},
		{"</think>", true, "Hm\\</thi", "[Hm</thi]", 2, 0},
		{"</think>", true, "Hm\\</thi\\s", "[Hm</this]", 3, 0},
		{"</think>", true, "\n\\ \\Hm", "[Hm]", 3, 0},
		{"</think>", true, "</think>\\Yes", "Yes", 1, 1},
		{"</think>", true, "<think>\\\n\\Hm\\</think>\\Yes", "[Hm]Yes", 4, 1}, /* again */
		{"</think>", true, "\n\\<\\think\\>\\Hm", "[Hm]", 5, 0},
		{"</think>", true, "<\\th\\e\\</think>\\Yes", "[<the]Yes", 4, 1},
		{"</think>", true, "<\\th", "[<th]", 2, 0},
		{"<|END_THINKING|>", true, "!<|START_RESPONSE|>\\Yes", "Yes", 1, 1},
		{"<|END_THINKING|>", true, "Hm\\!<|END_THINKING|>\\!<|START_RESPONSE|>\\Yes", "[Hm]Yes", 3, 1},
		{"</think>", false, "<think>\\\n\n\\</think>\\\n\n\\Yes", "Yes", 4, 1},
		{"</think>", false, "\n\\ <think>\\Hm", "[Hm]", 3, 0},
		{"</think>", false, " \\<thin", " <thin", 0, 2},
		{"</think>", false, "<thin\\ ice", "<thin ice", 0, 2},
		{"</think>", false, "So <think>\\Hm\\</think>", "So <think>Hm</think>", 0, 3},
		{"</think>", false, "<think>a</think>b", "[a]b", 1, 0},
		{"</think>", false, "<think>a</think>b\\c", "[a]bc", 1, 1},
		{"</think>", false, "<think>\\Hm\\</think>\\\n\\\\\xF0\x9F\x98\x80", "[Hm]\xF0\x9F\x98\x80", 4, 2},
		{"</think>", false, "\\\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80", 0, 2},
		{"</think>", false, "!<|x|>\\Yes", "Yes", 1, 1},
		{"[/THINK]", false, "[THI\\NK]Hm[/\\THINK]Yes", "[Hm]Yes", 2, 1},
		{"<|END_THINKING|>", false,
		 "!<|START_THINKING|>\\Hm\\!<|END_THINKING|>\\!<|START_RESPONSE|>\\Yes", "[Hm]Yes", 4, 1},
		{"<|END_THINKING|>", false, "!<|START_RESPONSE|>\\Yes", "Yes", 1, 1},
		{"<channel|>", false, "!<|channel>\\thought\\\n\\Hm\\!<channel|>\\Yes", "[Hm]Yes", 5, 1},
		{"<|channel|><|message|>", false,
		 "!<|channel|>\\analysis\\!<|message|>\\Hm\\!<|end|>\\!<|start|>\\assistant\\"
		 "!<|channel|>\\final\\!<|message|>\\Yes",
		 "[Hm]Yes", 10, 1},
		{"<|channel|><|message|>", false, "!<|channel|>\\final\\!<|message|>\\Yes", "Yes", 3, 1},
		{"<|channel|><|message|>", false,
		 "!<|channel|>\\analysis\\!<|message|>\\A\\!<|end|>\\!<|start|>\\assistant\\"
		 "!<|channel|>\\commentary\\!<|message|>\\B\\!<|end|>\\!<|start|>\\assistant\\"
		 "!<|channel|>\\analysis\\!<|message|>\\C\\!<|end|>\\!<|start|>\\assistant\\"
		 "!<|channel|>\\final\\!<|message|>\\D",
		 "[A]{\n\nB}[\n\nC]D", 24, 1},
		{"<|channel|><|message|>", false,
		 "!<|channel|>\\analysis\\!<|message|>\\A\\!<|end|>\\!<|start|>\\assistant\\"
		 "!<|channel|>\\analysis\\!<|message|>\\\n\\!<|end|>\\!<|start|>\\assistant\\"
		 "!<|channel|>\\analysis\\!<|message|>\\C",
		 "[A\n\nC]", 18, 0},
		{"<|channel|><|message|>", false,
		 "!<|channel|>\\comment\\ary\\ to\\=functions\\.day\\ \\!<|constrain|>\\json\\"
		 "!<|message|>\\{\"a\":\\ 1}",
		 "{{\"a\": 1}}", 12, 0},
		{"<|channel|><|message|>", false,
		 "!<|channel|>\\analysis\\!<|message|>\\A\\!<|end|>\\!<|start|>\\assistant\\ to=x\\"
		 "!<|channel|>\\commentary json\\!<|message|>\\B",
		 "[A]{\n\nB}", 12, 0},
		{"<|channel|><|message|>", false,
		 "!<|channel|>\\final \\!<|constrain|>\\json\\!<|message|>\\ {}\\!<|end|>", "{}", 6, 1},
		{"<|channel|><|message|>", false,
		 "!<|channel|>\\final\\!<|message|>\\A\\!<|end|>\\!<|start|>\\assistant\\"
		 "!<|channel|>\\commentary\\!<|message|>\\B",
		 "A{B}", 10, 1},
		{"<|channel|><|message|>", false, "!<|message|>\\Yes", "Yes", 1, 1},
		{"<|channel|><|message|>", false, "!<|channel|>\\analy", "", 2, 0},
		{"<|channel|><|message|>", true, "Hm\\!<|end|>\\!<|start|>\\assistant\\!<|channel|>\\final\\"
		 "!<|message|>\\Yes", "[Hm]Yes", 7, 1},
		{"<|channel|><|message|>", false, "Yes\\ <|channel\\|>", "Yes <|channel|>", 0, 3},
		{"<|think|><|content|>", false, "!<|think|>\\Hm\\!<|end|>\\!<|begin|>\\assistant\\"
		 "!<|content|>\\Yes", "[Hm]Yes", 6, 1},
		{"nothing", false, "<think>\\Hm\\</think>", "<think>Hm</think>", 0, 3},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct splitter splitter;

		begin();
		splitter_init(&splitter, reasoning_find(rows[i].sign, strlen(rows[i].sign)),
		              rows[i].thinking, no_stops, false, collect, NULL);
		push_pieces(&splitter, rows[i].pieces);
		finish(&splitter);
		cr_expect_str_eq(buf_text(&text), rows[i].expected, "row %zu: %s", i, buf_text(&text));
		cr_expect_eq(n_reasoning_ids, rows[i].n_reasoning, "row %zu: %zu", i, n_reasoning_ids);
		cr_expect_eq(n_answer_ids, rows[i].n_answer, "row %zu: %zu", i, n_answer_ids);
		buf_free(&text);
	}
}

Test(reasoning, does_not_depend_on_where_tokens_are_cut)
{
	static const char whole[] = "\n<think>\n\nA <b> </thin> \n\n </think>\n\n<think> is a marker";
	static const char expected[] = "[A <b> </thin>]<think> is a marker";

	for (size_t a = 1; a < 9; a++)
		for (size_t b = 1; b < 9; b++) {
			struct splitter splitter;
			size_t at = 0;

			begin();
			splitter_init(&splitter, reasoning_find("</think>", 8), false, no_stops, false, collect, NULL);
			for (int32_t id = 0; at < strlen(whole); id++) {
				size_t n = id % 2 ? a : b, left = strlen(whole) - at;

				push(&splitter, id, whole + at, n < left ? n : left, false);
				at += n < left ? n : left;
			}
			finish(&splitter);
			cr_expect_str_eq(buf_text(&text), expected, "cut at %zu and %zu: %s", a, b,
			                 buf_text(&text));
			buf_free(&text);
		}
}

Test(reasoning, shows_what_can_be_no_marker_at_once)
{
	struct splitter splitter;

	begin();
	splitter_init(&splitter, reasoning_find("</think>", 8), true, no_stops, false, collect, NULL);
	push(&splitter, 0, "One", 3, false);
	cr_assert_str_eq(buf_text(&text), "[One");
	push(&splitter, 1, " <", 2, false);
	cr_assert_str_eq(buf_text(&text), "[One");
	push(&splitter, 2, "two", 3, false);
	cr_assert_str_eq(buf_text(&text), "[One <two");
	finish(&splitter);
	buf_free(&text);
}

Test(reasoning, an_open_marker_at_the_end_of_a_prompt)
{
	const struct reasoning_markers *think = reasoning_find("x</think>", 9);
	static const struct {
		const char *text;
		enum reasoning_start start;
	} rows[] = {
		{"<|im_start|>assistant\n<think>\n", REASONING_OPENED}, {"<think>", REASONING_OPENED},
		{"<think>\n\n</think>\n\n", REASONING_CLOSED},         {"", REASONING_UNOPENED},
		{"<think>a</think><think>", REASONING_OPENED},          {"</think>", REASONING_CLOSED},
	};

	cr_assert_not_null(think);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		cr_expect_eq(reasoning_start(think, rows[i].text, strlen(rows[i].text)), rows[i].start,
		             "row %zu", i);
	cr_assert_eq(reasoning_start(NULL, "<think>", 7), REASONING_UNOPENED);
}

Test(reasoning, only_an_answer_has_stop_strings)
{
	static const char *const stops[] = {"END", "<|x|>", NULL};
	static const struct {
		const char *sign, *pieces, *expected;
		bool stopped;
	} rows[] = {
		{"</think>", "<think>\\the END\\</think>\\Yes E\\ND no", "[the END]Yes ", true},
		{"</think>", "<think>Hm</think>\\EN", "[Hm]EN", false},
		{"</think>", "<thi\\END", "<thi", true},
		{"</think>", "<EN\\D", "<", true},
		/* The name of a control token is not text, so it cannot be a stop string. */
		{"</think>", "Yes\\!<|x|>\\ no", "Yes no", false},
		{"</think>", "E\\!<|x|>\\ND", "", true},
		{"<|channel|><|message|>",
		 "!<|channel|>\\final\\!<|message|>\\E\\!<|end|>\\!<|start|>\\assistant\\"
		 "!<|channel|>\\commentary\\!<|message|>\\ND", "E{ND}", false},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct splitter splitter;

		begin();
		splitter_init(&splitter, reasoning_find(rows[i].sign, strlen(rows[i].sign)), false, stops,
		              false, collect, NULL);
		push_pieces(&splitter, rows[i].pieces);
		cr_expect_eq(splitter.stopped, rows[i].stopped, "row %zu", i);
		finish(&splitter);
		cr_expect_str_eq(buf_text(&text), rows[i].expected, "row %zu: %s", i, buf_text(&text));
		buf_free(&text);
	}
}
