/* Files that are no model, models that are not what they seem, and one that
 * changes under us: an error in its place, the chat goes on. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "gguf/writer.h"
#include "screen/chat.h"
#include "support/tiny_model.h"

#define GOOD_MODEL "synthetic:rate=1000,tokens=10"

static void save_model(const struct tiny_model *tiny, const char *path)
{
	struct error err;

	if (tiny_model_save(tiny, path, &err) != STATUS_OK)
		test_fail(__FILE__, __LINE__, "%s", err.text);
}

/* A tiny model's bytes, to be freed. */
static char *model_bytes(size_t *n)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err;
	struct buf out = {.max = MIB(16)};

	if (tiny_model_write(&tiny, &out, &err) != STATUS_OK)
		test_fail(__FILE__, __LINE__, "%s", err.text);
	return buf_take(&out, n);
}

/* In the working directory of the chat: a row each. */
static const char *const bad_models[] = {
	"missing.gguf", "directory", "empty.gguf", "text.gguf", "short.gguf", "header.gguf",
	"/dev/null", "fifo", "noperm/../missing2.gguf",
};

static void make_bad_models(void)
{
	size_t n;
	char *bytes = model_bytes(&n);

	test_make_directory(test_path("directory"));
	test_write_text(test_path("empty.gguf"), "");
	test_write_text(test_path("text.gguf"), "This is no model but a letter.\n");
	test_write_file(test_path("short.gguf"), bytes, n - 100);
	test_write_file(test_path("header.gguf"), bytes, 30);
	EXPECT(mkfifo(test_path("fifo"), 0600) == 0, " ");
	free(bytes);
}

static void test_bad_models(void)
{
	struct screen *s;
	char line[100];

	make_bad_models();
	s = CHAT_OPEN(.model = GOOD_MODEL, .rows = 50, .cols = 120);
	ASK_SHOWS(s, "before", "warm 9");
	for (size_t i = 0; i < sizeof(bad_models) / sizeof(bad_models[0]); i++) {
		const char *name = strrchr(bad_models[i], '/');

		snprintf(line, sizeof(line), "/model %s", bad_models[i]);
		PRESS_WAIT(s, line, chat_line_has(s, line));
		screen_keys(s, "<Enter>");
		/* The error names the file, above the input line. */
		WAIT(s, chat_shows(s, name ? name + 1 : bad_models[i]));
		screen_quiet(s, 30);
		screen_keys(s, "<C-a><C-k>");
		EXPECT(s->job.state == JOB_RUNNING, "ended by %s", bad_models[i]);
	}
	EXPECT(chat_shows(s, "before"), "the conversation is intact");
	WAIT(s, screen_count(s, "stays loaded") == 1); /* beside the last error, not once for each */
	chat_say(s, "between"); /* the model of before is there still, and what it had in its cache */
	WAIT(s, screen_count(s, "warm 9") == 2);
	chat_wait_ready(s);
	SAY_SHOWS(s, "/stats", "of them in the cache");
	EXPECT(!screen_has(s, " 0 of them in the cache"), " ");
	chat_ask(s, "/model " GOOD_MODEL);
	SAY_WAIT(s, "after", screen_count(s, "warm 9") == 3);
	chat_quit_fresh(s);
}

static void test_bad_model_at_start(void)
{
	make_bad_models();
	for (size_t i = 0; i < sizeof(bad_models) / sizeof(bad_models[0]); i++) {
		const char *name = strrchr(bad_models[i], '/');
		struct screen *s = CHAT_START(.model = bad_models[i], .cols = 120);

		name = name ? name + 1 : bad_models[i];
		WAIT(s, screen_has(s, name) && !screen_has(s, CHAT_LOADING));
		if (s->checker.modes & MODE_ALTERNATE) {
			PRESS_WAIT(s, "anybody there?", chat_line_has(s, "anybody there?"));
			PRESS_QUIET(s, "<Enter>", 50);
			EXPECT(chat_line_has(s, "anybody"), "a message without a model stays in the line");
			screen_keys(s, "<C-a><C-k>");
			chat_ask(s, "/model " GOOD_MODEL);
			chat_quit(s);
		} else {
			screen_finish(s, 3);
		}
	}
}

static void test_no_model(void)
{
	struct screen *s = CHAT_START(0);

	WAIT(s, s->checker.modes & MODE_PASTE);
	screen_quiet(s, 50);
	PRESS_WAIT(s, "hello?", chat_line_has(s, "hello?"));
	PRESS_SHOWS(s, "<Enter>", "no model is loaded");
	EXPECT(chat_line_has(s, "hello?"), "a message without a model stays in the line");
	screen_keys(s, "<C-a><C-k>");
	chat_ask(s, "/model " GOOD_MODEL);
	chat_quit(s);
}

/* The synthetic backend aside, the real engine once: a tiny random model. */
static void test_tiny_model(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;

	tiny.n_ctx = 256;
	save_model(&tiny, test_path("tiny.gguf"));
	s = CHAT_OPEN(.model = "tiny.gguf", .args = {"-n", "40", "--seed", "1", "--temp", "1"});
	SAY_WAIT(s, "hi", chat_is_ready(s) && chat_journal_has("assistant"));
	chat_expect_fresh(s);
	chat_ask(s, "again");
	EXPECT(!screen_has(s, "was trained for"), " ");
	chat_quit(s);

	s = CHAT_OPEN(.model = "tiny.gguf", .args = {"-c", "300"});
	WAIT_TEXT(s, "The context of 300 tokens is longer than the 256");
	chat_quit(s);
}

/* A file that could be shown images, too, is talked with, and it is said that they are not seen. */
static void test_images_are_left_out(void)
{
	static const float values[16];
	const uint64_t ne[] = {16};
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *w = tiny_model_writer(&tiny);
	struct screen *s;
	struct error err;

	gguf_writer_add_tensor(w, "v.patch_embd.weight", BLOCK_F32, 1, ne, values, sizeof values);
	if (gguf_writer_save(w, test_path("sees.gguf"), &err))
		test_fail(__FILE__, __LINE__, "%s", err.text);
	gguf_writer_free(w);
	s = CHAT_OPEN(.model = "sees.gguf");
	WAIT_TEXT(s, "The file has parts for images, which sotto ignores: it supports text only.");
	chat_quit(s);
}

/* How a conversation is changed for its template is said once, not every turn. */
static void test_changes_are_told_once(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;

	tiny.n_ctx = 1024;
	save_model(&tiny, test_path("tiny.gguf"));
	test_write_text(test_path("raises.jinja"),
	                "{% for m in messages %}{% if m.role == 'system' %}"
	                "{{ raise_exception('no system') }}{% endif %}"
	                "{{ m.content }}\n{% endfor %}");
	s = CHAT_OPEN(
		.model = "tiny.gguf", .cols = 120,
		.args = {"-n", "1", "--temp", "0", "--system-prompt", "Brief.",
		         "--chat-template", "raises.jinja"});
	WAIT_TEXT(s, "the template does not support system messages");
	ASK_SHOWS(s, "first", "became part of the first user message");
	ASK_WAIT(s, "second", chat_journal_has("second"));
	WAIT_TEXT(s, "Stopped after 1 token");
	EXPECT(screen_count(s, "became part of the first user message") == 1, "once");
	chat_quit(s);
}

/* Strings of a model file that would be escape sequences. */
static void test_hostile_metadata(void)
{
	static const char evil[] = "evil\033]0;pwned\007\033[2J\xc2\x9b" "31m\r\n\xe2\x80\xae name\x7f";
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *writer = tiny_model_writer(&tiny);
	struct error err;
	struct screen *s;

	EXPECT(writer, "memory");
	gguf_writer_set_string(writer, "general.name", evil, sizeof(evil) - 1);
	gguf_writer_set_string(writer, "general.description", evil, sizeof(evil) - 1);
	EXPECT(gguf_writer_save(writer, test_path("e\033[31mvil.gguf"), &err) == STATUS_OK, "%s", err.text);
	gguf_writer_set_string(writer, "general.architecture", evil, sizeof(evil) - 1);
	EXPECT(gguf_writer_save(writer, test_path("arch.gguf"), &err) == STATUS_OK, "%s", err.text);
	gguf_writer_free(writer);
	s = CHAT_OPEN(.model = "e\033[31mvil.gguf", .args = {"-n", "20"}, .cols = 160);
	EXPECT(screen_has(s, "evil"), "its name, defused");
	chat_ask(s, "hi");
	SAY_QUIET(s, "/show", 50);
	PRESS_QUIET(s, "<Esc>", 50);
	SAY_SHOWS(s, "/model arch.gguf", "llama"); /* the supported ones are listed */
	chat_quit_fresh(s);
}

/* A context that no machine has the memory for. */
static void test_too_little_memory(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;

	tiny.n_embd = 128; /* 16 KiB a position in 32 layers */
	tiny.n_head = tiny.n_head_kv = 4;
	tiny.n_layer = 32;
	save_model(&tiny, test_path("tiny.gguf"));
	s = CHAT_START(.model = "tiny.gguf", .args = {"-c", "16777216"}, .cols = 120);
	WAIT(s, chat_shows(s, "memory"));
	chat_ask(s, "/model " GOOD_MODEL);
	SAY_SHOWS(s, "hello", "warm 9");
	chat_quit(s);
}

/* Another file under the same name: the turn does not mix the two. */
static void test_replaced_while_running(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;

	tiny.n_ctx = 512;
	save_model(&tiny, test_path("changes.gguf"));
	s = CHAT_OPEN(.model = "changes.gguf", .args = {"-n", "5"}, .cols = 120);
	chat_ask(s, "hi");
	tiny.seed++;
	save_model(&tiny, test_path("changes.gguf"));
	PRESS_WAIT(s, "again<Enter>", chat_shows(s, "changes.gguf"));
	screen_keys(s, "<C-a><C-k>");
	chat_ask(s, "/model changes.gguf");
	chat_ask(s, "hello again");
	chat_quit(s);
}

/* A model cut short while it is loaded: the turn that meets that ends with a message. (In the middle of a
 * reply: tests/hostile/test_in_use.) */
static void test_truncated_while_loaded(void)
{
	struct tiny_model tiny = tiny_model_default();
	struct screen *s;

	tiny.n_embd = 64;
	tiny.n_layer = 4;
	tiny.n_ff = 256;
	tiny.n_ctx = 2048;
	save_model(&tiny, test_path("shrinks.gguf"));
	s = CHAT_OPEN(.model = "shrinks.gguf", .args = {"--temp", "1", "--seed", "3"}, .cols = 120);
	EXPECT(truncate(test_path("shrinks.gguf"), 4096) == 0, " ");
	SAY_SHOWS(s, "hi", "shrinks.gguf: ");
	EXPECT(s->job.state == JOB_RUNNING, " ");
	screen_quiet(s, 50);
	screen_keys(s, "<C-a><C-k>");
	ASK_SHOWS(s, "/model " GOOD_MODEL, "synthetic");
	SAY_SHOWS(s, "go on", "warm 9");
	chat_quit(s);
}

/* ---- the picker ---- */

static void save_named(const char *name, const char *path)
{
	struct tiny_model tiny = tiny_model_default();
	struct gguf_writer *w;
	struct error err;

	tiny.n_ctx = 256;
	w = tiny_model_writer(&tiny);
	EXPECT(w, " ");
	gguf_writer_set_string(w, "general.name", name, strlen(name));
	if (gguf_writer_save(w, path, &err))
		test_fail(__FILE__, __LINE__, "%s", err.text);
	gguf_writer_free(w);
}

static void make_models(void)
{
	test_make_directory(screen_home(".lmstudio/models/ann/small"));
	test_make_directory(screen_home("cache/llama.cpp"));
	save_named("Small One", screen_home(".lmstudio/models/ann/small/1.gguf"));
	save_named("Other \033[31mRed", screen_home("cache/llama.cpp/2.gguf"));
	test_write_text(screen_home("cache/llama.cpp/letter.gguf"), "Dear all,\n");
}

static void close_picker(struct screen *s)
{
	PRESS_HIDES(s, "<Esc>", "Filter:");
}

static void open_picker(struct screen *s)
{
	PRESS_SHOWS(s, "<F6>", "Small One");
}

/* Switching keeps the conversation; what was loaded last comes first. */
static void test_picker(void)
{
	struct screen *s;

	make_models();
	s = CHAT_OPEN(.model = GOOD_MODEL, .rows = 30, .cols = 120);
	ASK_SHOWS(s, "before", "warm 9");
	open_picker(s);
	EXPECT(screen_has(s, "Other ^[[31mRed"), " ");
	EXPECT(screen_has(s, "damaged") && screen_has(s, "fits") && screen_has(s, "F32"), " ");
	EXPECT(screen_row_of(s, "Small One") < screen_row_of(s, "letter.gguf"), "what cannot be run is last");
	PRESS_HIDES(s, "small", "letter.gguf");
	EXPECT(screen_has(s, ".lmstudio/models/ann/small/1.gguf"), "details in the foot");
	screen_keys(s, "<Enter>");
	WAIT(s, !screen_has(s, "Filter:") && screen_has(s, "Small One") && chat_is_ready(s));
	EXPECT(chat_shows(s, "before") && chat_shows(s, "warm 9"), "the conversation is intact");
	SAY_SHOWS(s, "/models", "loaded");
	EXPECT(screen_row_of(s, "Filter:") + 1 == screen_row_of(s, "loaded"), "it comes first");
	PRESS_HIDES(s, "letter", "Red");
	EXPECT(screen_has(s, "not a GGUF file"), "why not");
	PRESS_WAIT(s, "<Enter>", chat_shows(s, "letter.gguf cannot be loaded: not a GGUF file"));
	EXPECT(chat_is_ready(s), "the loaded model stays");
	chat_quit_fresh(s);

	s = CHAT_OPEN(.model = GOOD_MODEL, .rows = 30, .cols = 120);
	open_picker(s);
	WAIT(s, screen_row_of(s, "Filter:") + 1 == screen_row_of(s, "Small One"));
	EXPECT(screen_has(s, "last loaded"), " ");
	close_picker(s);
	chat_quit(s);
}

/* The list is there at once, and the reply goes on. */
static void test_picker_while_a_reply_runs(void)
{
	struct screen *s;

	make_models();
	s = CHAT_OPEN(.model = "synthetic:rate=20,tokens=1000", .rows = 30, .cols = 120);
	SAY_SHOWS(s, "go", "warm 2");
	open_picker(s);
	PRESS_SHOWS(s, "<Enter>", "a reply is under way");
	chat_send(s, "<Esc>");
	chat_quit(s);
}

static void test_no_model_anywhere(void)
{
	struct screen *s = CHAT_START(.rows = 40, .cols = 120, .env = {"SOTTO_TEST_MEMORY=8589934592"});

	WAIT_TEXT(s, "No model was found on this machine: F6 shows some to fetch.");
	EXPECT(screen_has(s, "No model yet. F6 shows"), " ");
	EXPECT(screen_has(s, "Enter fetches Qwen3.5 4B (2.74 GB, about 6 tokens a second here)."), "how fast it will be");
	PRESS_SHOWS(s, "<F6>", "to fetch");
	WAIT(s, screen_has(s, "sotto pull unsloth/Qwen3.5-4B-GGUF:Q4_K_M") && screen_has(s, "needs"));
	EXPECT(screen_row_of(s, "Qwen3.5 4B ") < screen_row_of(s, "guide (built in)"), "first what suits it");
	/* what there is to load is the guide */
	SEND_SHOWS(s, "<End><Enter>", "You are talking to the guide");
	chat_quit(s);
	make_models();
	s = CHAT_START(.cols = 100);
	WAIT_TEXT(s, "3 model files were found on this machine: F6 shows them.");
	open_picker(s);
	chat_send(s, "small<Enter>");
	chat_quit(s);
}

static void test_picker_in_every_size(void)
{
	static const int sizes[][2] = {{5, 20}, {6, 24}, {8, 24}, {10, 40}, {24, 80}, {50, 200}, {5, 20}};
	struct screen *s;

	make_models();
	s = CHAT_OPEN(.model = GOOD_MODEL);
	PRESS_SHOWS(s, "<F6>", "Small One");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		screen_resize(s, sizes[i][0], sizes[i][1]);
		WAIT(s, s->rows == sizes[i][0] && screen_has(s, "Filter:"));
		PRESS_WAIT(s, "<Down><Down><Up><Up><End>", screen_has(s, "letter"));
		PRESS_WAIT(s, "<Home>", screen_has(s, "Other"));
	}
	screen_resize(s, 24, 80);
	WAIT(s, screen_has(s, "Esc close"));
	close_picker(s);
	chat_wait_ready(s);
	chat_quit(s);
}

static void test_no_save_leaves_no_trace(void)
{
	struct screen *s;

	make_models();
	s = CHAT_OPEN(.model = "home/cache/llama.cpp/2.gguf", .args = {"--no-save"});
	chat_quit(s);
	EXPECT(access(screen_home("state/sotto/models"), F_OK) != 0, " ");
	s = CHAT_OPEN(.model = "home/cache/llama.cpp/2.gguf");
	chat_quit(s);
	EXPECT(access(screen_home("state/sotto/models"), F_OK) == 0, " ");
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"bad-models", test_bad_models, 0},
		{"bad-model-at-start", test_bad_model_at_start, 0},
		{"no-model", test_no_model, 0},
		{"tiny-model", test_tiny_model, 0},
		{"images-are-left-out", test_images_are_left_out, 0},
		{"changes-are-told-once", test_changes_are_told_once, 0},
		{"hostile-metadata", test_hostile_metadata, 0},
		{"too-little-memory", test_too_little_memory, 0},
		{"replaced-while-running", test_replaced_while_running, 0},
		{"picker", test_picker, 0},
		{"picker-while-a-reply-runs", test_picker_while_a_reply_runs, 0},
		{"no-model-anywhere", test_no_model_anywhere, 0},
		{"picker-in-every-size", test_picker_in_every_size, 0},
		{"no-save-leaves-no-trace", test_no_save_leaves_no_trace, 0},
		{"truncated-while-loaded", test_truncated_while_loaded, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
