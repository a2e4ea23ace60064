/* What models think, and what they see. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screen/chat.h"
#include "support/harmony_model.h"
#include "support/tiny_model.h"

static void test_thinking(void)
{
	struct screen *s = chat_open("synthetic:mode=think,think=20,rate=50,tokens=10");

	ASK_SHOWS(s, "hello", "thinking", "thought 3 thought 4", "warm 9");
	EXPECT(!screen_has(s, "thought 3"), "it is folded when the answer has begun");
	EXPECT(screen_has(s, "Alt+T unfolds"), " ");
	PRESS_SHOWS(s, "<M-t>", "thought 3 thought 4");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<M-t>", "thought 3 thought 4");
	EXPECT(chat_journal_has("reasoning: \"thought 0 thought 1"), "it is kept, apart");
	chat_quit(s);
}

/* Reasoning that ends with a marker but begins without one. */
static void test_thinking_unopened(void)
{
	struct screen *s = chat_open("synthetic:mode=think,think=20,rate=50,tokens=10,unopened=1");

	ASK_SHOWS(s, "hello", "thought 3 thought 4", "warm 9");
	EXPECT(!screen_has(s, "thought 3"), "it is folded when it turns out to be reasoning");
	chat_expect_fresh(s);
	PRESS_SHOWS(s, "<M-t>", "thought 3 thought 4");
	EXPECT(chat_journal_has("reasoning: \"thought 0 thought 1"), "it is kept, apart");
	chat_quit(s);
}

static void test_thinking_interrupted(void)
{
	struct screen *s = chat_open("synthetic:mode=think,think=2000,rate=100");

	SAY_SHOWS(s, "hello", "thought 20");
	SEND_SHOWS(s, "<Esc>", "(interrupted)");
	SAY_SHOWS(s, "again", "thinking\u2026");
	chat_send(s, "<Esc>");
	chat_quit_fresh(s);
}

static void test_think_command(void)
{
	struct screen *s = chat_open("synthetic:mode=think,think=2,tokens=4");

	SAY_SHOWS(s, "/think", "reasoning");
	chat_say(s, "/think off");
	SAY_SHOWS(s, "/show reasoning", "off");
	PRESS_SHOWS(s, "/think maybe<Enter>", "expected one of");
	EXPECT(chat_line_has(s, "/think maybe"), "the line stays editable");
	screen_keys(s, "<C-a><C-k>");
	chat_quit(s);
}

/* What does nothing is said to. */
static void test_think_without_a_switch(void)
{
	static const struct {
		const char *template, *told;
	} rows[] = {
		{"{% for m in messages %}{{ m.content }}{% endfor %}", "does not think before it answers"},
		{"{% for m in messages %}{{ m.content }}{% endfor %}{# </think> #}", "its template has no switch"},
		{"{% for m in messages %}{{ m.content }}{% endfor %}<think>{# </think> #}", "reasoning is off"},
		{"{% for m in messages %}{{ m.content }}{% endfor %}{{ enable_thinking }}{# </think> #}",
		 "reasoning is off"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct tiny_model tiny = tiny_model_default();
		struct gguf_writer *w;
		struct screen *s;
		struct error err;

		tiny.vocab = TINY_BPE;
		w = tiny_model_writer(&tiny);
		gguf_writer_set_string(w, "tokenizer.chat_template", rows[i].template, strlen(rows[i].template));
		EXPECT(gguf_writer_save(w, test_path("tiny.gguf"), &err) == STATUS_OK, "%s", err.text);
		gguf_writer_free(w);
		s = chat_open(test_path("tiny.gguf"));
		SAY_SHOWS(s, "/think off", rows[i].told);
		chat_quit(s);
	}
}

static void test_inspect(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=1000,tokens=4", .rows = 24,
	                             .cols = 90);

	PRESS_SHOWS(s, "<F8>", "no message yet");
	ASK_SHOWS(s, "hello", "warm 3");
	PRESS_WAIT(s, "a draft", chat_line_has(s, "a draft"));
	PRESS_SHOWS(s, "<F8>", "What the model sees");
	EXPECT(screen_has(s, "in the cache:"), " ");
	EXPECT(screen_has(s, "to be evaluated:"), "the draft is not in the cache");
	EXPECT(screen_has(s, "draft"), " ");
	EXPECT(screen_has(s, "\u2502hello"), "borders of tokens");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "b", ">\u2502hello");
	PRESS_SHOWS(s, "i", "hello#");
	screen_keys(s, "<PgDn><PgUp><Down><Up><End><Home>");
	PRESS_HIDES(s, "<F8>", "What the model sees");
	EXPECT(chat_line_has(s, "a draft"), "the draft is still there");
	screen_keys(s, "<C-a><C-k>");
	SAY_SHOWS(s, "/inspect", "What the model sees");
	PRESS_HIDES(s, "<Esc>", "What the model sees");
	chat_quit(s);
}

static void test_inspect_small(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=1000,tokens=200", .rows = 6,
	                             .cols = 24);

	ASK_SHOWS(s, "hello", "warm 199");
	PRESS_SHOWS(s, "<F8>", "in the cache:");
	PRESS_SHOWS(s, "<End>", "199");
	chat_expect_fresh(s);
	PRESS_HIDES(s, "<Esc>", "of 4096 tokens");
	chat_quit(s);
}

/* The first number behind `text` on the last row that has it; -1 where none has. */
static long number_after(struct screen *s, const char *text)
{
	for (int row = s->rows; row-- > 0;) {
		const char *at = strstr(screen_row(s, row), text);

		if (at) {
			at += strlen(text);
			at += strcspn(at, "0123456789");
			return strtol(at, NULL, 10);
		}
	}
	return -1;
}

/* How many rows of the last /context are of messages that are left out. */
static long left_out_rows(struct screen *s)
{
	long n = 0;
	int row = s->rows;

	while (row > 0 && !strstr(screen_row(s, row - 1), "Context: "))
		row--;
	for (; row < s->rows; row++)
		n += strncmp(screen_row(s, row), " left out  ", 11) == 0;
	return n;
}

/* The bar, /context, F8 and the transcript say the same of a conversation at rest. Returns how
 * many messages are left out. */
static long check_figures(struct screen *s, int n_ctx)
{
	static const char told[] = "The context is full: the oldest ";
	long dropped, bar;
	char total[40];

	chat_wait_ready(s);
	screen_quiet(s, 50);
	bar = chat_tokens_in_bar(s, n_ctx);
	EXPECT(bar >= 0, "no figure in the bar: %s", screen_row(s, s->rows - 2));
	dropped = screen_has(s, told) ? number_after(s, told) : 0;
	SAY_QUIET(s, "/context text", 50);
	WAIT(s, number_after(s, "Context: ") == chat_tokens_in_bar(s, n_ctx)); /* counting takes its time */
	bar = chat_tokens_in_bar(s, n_ctx);
	EXPECT(left_out_rows(s) == dropped, "rows of /context: %ld, told: %ld", left_out_rows(s), dropped);
	PRESS_SHOWS(s, "<F8>", "What the model sees");
	snprintf(total, sizeof(total), "%ld of %d tokens   ", bar, n_ctx);
	EXPECT(screen_has(s, total), "F8 says something else than %s", total);
	EXPECT(!dropped || number_after(s, "lack of room: ") == dropped, "F8");
	PRESS_HIDES(s, "<Esc>", "What the model sees");
	return dropped;
}

/* Asking for another reply and stopping it before it begins leaves the conversation as it was. */
static void test_figures_of_a_stopped_prompt(void)
{
	struct screen *s = chat_open("synthetic:prefill_ms=1500,tokens=20,n_ctx=4096");
	long before;

	SAY_WAIT(s, "one two three four", !chat_is_ready(s));
	check_figures(s, 4096);
	before = chat_tokens_in_bar(s, 4096);
	EXPECT(before >= 24, "%ld tokens", before);
	PRESS_WAIT(s, "<M-r>", !chat_is_ready(s));
	screen_keys(s, "<Esc>");
	check_figures(s, 4096);
	EXPECT(chat_tokens_in_bar(s, 4096) == before, "%ld tokens before", before);
	chat_quit(s);
}

static void check_overflow(const char *model, int n_ctx, const char *n_predict)
{
	char size[20];
	struct screen *s;
	long dropped = 0, before = 0;
	bool warned = false;

	snprintf(size, sizeof(size), "%d", n_ctx);
	s = CHAT_OPEN(.model = model, .rows = 150, .cols = 120,
	              .args = {"-c", size, "-n", n_predict, "--seed", "1", "--temp", "1"});
	for (int turn = 0; turn < 12; turn++) {
		chat_ask(s, "one two three four");
		before = dropped;
		dropped = check_figures(s, n_ctx);
		EXPECT(!dropped || before || warned, "it is said before it happens");
		warned = warned || screen_has(s, "may be left out");
	}
	EXPECT(dropped > 0, "nothing was left out");
	PRESS_SHOWS(s, "<C-Home>", "You (left out)");
	chat_quit(s);
}

static void test_figures_of_a_full_context(void)
{
	check_overflow("synthetic:rate=5000", 100, "4");
}

static void test_figures_of_a_full_context_of_a_model(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err;

	tiny.n_ctx = 256;
	EXPECT(tiny_model_save(&tiny, test_path("tiny.gguf"), &err) == STATUS_OK, "%s", err.text);
	check_overflow("tiny.gguf", 256, "8");
}

/* gpt-oss's channels, by a model that says what a script has. */
static void test_channels(void)
{
	struct error err;
	struct screen *s;

	EXPECT(harmony_model_save(test_path("harmony.gguf"), &err) == STATUS_OK, "%s", err.text);
	s = CHAT_OPEN(.model = "harmony.gguf", .rows = 40, .cols = 90);
	ASK_SHOWS(s, "Hi", "Hello there.");
	EXPECT(screen_has(s, "thought, 4 words"), "it is folded");
	EXPECT(!screen_has(s, "greet"), "it is folded");
	PRESS_SHOWS(s, "<M-t>", "We should greet them");
	screen_keys(s, "<M-t>");
	PRESS_WAIT(s, "/effort hi<Tab>", chat_line_has(s, "/effort high"));
	PRESS_SHOWS(s, "<Enter>", "effort is high");
	ASK_SHOWS(s, "And you!", "Besides its answer, the model says: Look here");
	PRESS_SHOWS(s, "<F8>", "What the model sees");
	PRESS_SHOWS(s, "b", "Reasoning: high"); /* without borders between tokens */
	EXPECT(screen_has(s, "Hello there.<|end|><|start|>user"), "the whole of it is shown");
	EXPECT(!screen_has(s, "greet"), "what was thought is not sent again");
	PRESS_HIDES(s, "<Esc>", "What the model sees");
	chat_say(s, "/set chat-template-kwargs {\"reasoning_effort\": \"min=\\u00efmal\"}");
	WAIT_TEXT(s, "chat-template-kwargs is {");
	chat_say(s, "/chat-template-kwargs {\"a\" 1}");
	WAIT_TEXT(s, "chat-template-kwargs: not JSON at character 6: ':' was expected");
	screen_keys(s, "<C-u>");
	PRESS_SHOWS(s, "<F8>", "What the model sees");
	PRESS_SHOWS(s, "b", "min=\u00efmal");
	PRESS_HIDES(s, "<Esc>", "What the model sees");
	SAY_SHOWS(s, "/set chat-template-kwargs default", "chat-template-kwargs is unset again");
	chat_say(s, "/new");
	ASK_SHOWS(s, "What day?", "The model calls a tool, but sotto has none: functions.day {}");
	chat_quit_fresh(s);
}

static void test_channels_interrupted(void)
{
	struct error err;
	struct screen *s;

	EXPECT(harmony_model_save(test_path("harmony.gguf"), &err) == STATUS_OK, "%s", err.text);
	s = CHAT_OPEN(.model = "harmony.gguf", .rows = 24, .cols = 80, .args = {"--no-kv-cache"});
	SAY_SHOWS(s, "Think @", "We think more more more");
	SEND_SHOWS(s, "<Esc>", "(interrupted)");
	EXPECT(!screen_has(s, "more more"), "it is folded");
	chat_quit(s);
}

/* An answer that comes late, as a server's may, opens nothing that has been left. */
static void test_left_before_it_comes(void)
{
	static const char *const keys[] = {"<F8>", "<F9>"};
	struct screen *s = chat_open("synthetic:count_hold=2,tokens=4");

	SAY_SHOWS(s, "hello", "warm 1");
	for (int i = 0; i < 2; i++) {
		chat_wait_ready(s);
		screen_keys(s, keys[i]);
		screen_sync(s);
		screen_keys(s, "<Esc>");
		screen_sync(s);
		SAY_SHOWS(s, i ? "thrice" : "twice", i ? "thrice" : "twice");
		chat_wait_ready(s);
		EXPECT(!screen_has(s, "gave way") && !screen_has(s, "fills the context"), " ");
	}
	chat_quit(s);
}

/* Counting gives way to a message, and is asked for again when that is answered. */
static void test_asked_again(void)
{
	struct screen *s = chat_open("synthetic:count_hold=1,tokens=4");

	SAY_SHOWS(s, "hello", "warm 1");
	chat_wait_ready(s);
	screen_keys(s, "<F9>");
	screen_sync(s);
	chat_say(s, "twice");
	WAIT(s, screen_has(s, "fills the context"));
	EXPECT(!screen_has(s, "gave way"), " ");
	PRESS_HIDES(s, "<Esc>", "fills the context");
	EXPECT(screen_has(s, "twice"), " ");
	chat_quit(s);
}

/* What made the cache useless: /stats says it of the last turn, F8 of the next one. */
static void test_what_changed(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;
	struct error err;

	tiny.vocab = TINY_BPE;
	tiny.n_ctx = 512;
	EXPECT(tiny_model_save(&tiny, test_path("tiny.gguf"), &err) == STATUS_OK, "%s", err.text);
	s = CHAT_OPEN(.model = test_path("tiny.gguf"), .rows = 40, .cols = 100,
	              .args = {"-n", "4", "--temp", "0", "--system-prompt", "Be brief."});
	chat_ask(s, "hello");
	SAY_SHOWS(s, "/stats", "prompt ");
	EXPECT(!screen_has(s, "kept up to there"), "nothing was there yet");
	chat_ask(s, "and more");
	SAY_SHOWS(s, "/stats", "of them in the cache");
	EXPECT(!screen_has(s, "kept up to there"), "only what is new was evaluated");
	chat_say(s, "/drop 2");
	PRESS_SHOWS(s, "<F8>", "What the model sees");
	PRESS_SHOWS(s, "<End>", "the first change: your message 1 is not sent any more");
	PRESS_HIDES(s, "<Esc>", "What the model sees");
	chat_ask(s, "again");
	SAY_SHOWS(s, "/stats", "cache    kept up to there: your message 1 is not sent any more: it reads");
	chat_quit(s);
}

/* A token that is all a model says, and bytes that are no characters: the chat says once what finds out why. */
static void test_looks_wrong(void)
{
	static const struct {
		const char *bias, *what;
	} rows[] = {{"65+1000", "This reply is the same token again and again, \"A\"."},
	            {"200+1000", "This reply has bytes that are not characters."}};
	static const char command[] = "sotto doctor '";
	struct tiny_model tiny = tiny_model_default();
	struct error err;

	tiny.vocab = TINY_BPE;
	tiny.n_ctx = 512;
	EXPECT(tiny_model_save(&tiny, test_path("a tiny model.gguf"), &err) == STATUS_OK, "%s", err.text);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct screen *s = CHAT_OPEN(.model = test_path("a tiny model.gguf"), .rows = 50, .cols = 120,
		                             .args = {"-n", "40", "-l", rows[i].bias, "--no-save"});

		ASK_SHOWS(s, "hello", rows[i].what, command);
		EXPECT(screen_has(s, "repeat-penalty") == (i == 0), " ");
		chat_ask(s, "again");
		EXPECT(screen_count(s, rows[i].what) == 1, "once a chat");
		chat_ask(s, "/new");
		ASK_SHOWS(s, "hello", rows[i].what);
		chat_quit(s);
	}
}

/* While it goes on, too: nobody has to wait for the end of a loop. */
static void test_looks_wrong_early(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;
	struct error err;

	tiny.vocab = TINY_BPE;
	tiny.n_ctx = 512;
	EXPECT(tiny_model_save(&tiny, test_path("tiny.gguf"), &err) == STATUS_OK, "%s", err.text);
	s = CHAT_OPEN(.model = test_path("tiny.gguf"), .rows = 50, .cols = 120, .args = {"-l", "65+1000", "-n", "200"});
	ASK_SHOWS(s, "hello", "This reply is the same token again and again");
	EXPECT(screen_row_of(s, "This reply is the same") < screen_row_of(s, "Stopped after 200 tokens"), " ");
	chat_quit(s);
	s = CHAT_OPEN(.model = "synthetic:mode=long,tokens=200", .rows = 50, .cols = 120);
	chat_ask(s, "hello");
	EXPECT(!screen_has(s, "This reply"), "not where there is no file to look into");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"asked-again", test_asked_again, 0},
		{"left-before-it-comes", test_left_before_it_comes, 0},
		{"thinking", test_thinking, 0},
		{"thinking-unopened", test_thinking_unopened, 0},
		{"thinking-interrupted", test_thinking_interrupted, 0},
		{"looks-wrong", test_looks_wrong, 0},
		{"looks-wrong-early", test_looks_wrong_early, 0},
		{"think-command", test_think_command, 0},
		{"what-changed", test_what_changed, 0},
		{"think-without-a-switch", test_think_without_a_switch, 0},
		{"inspect", test_inspect, 0},
		{"inspect-small", test_inspect_small, 0},
		{"figures-of-a-stopped-prompt", test_figures_of_a_stopped_prompt, 0},
		{"figures-of-a-full-context", test_figures_of_a_full_context, 0},
		{"channels", test_channels, 0},
		{"channels-interrupted", test_channels_interrupted, 0},
		{"figures-of-a-full-context-of-a-model", test_figures_of_a_full_context_of_a_model, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
