/* A folder of safetensors in the place of a model: asked about once, made beside the chat, used from then on. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "screen/chat.h"
#include "support/tiny_checkpoint.h"

#define MADE "tiny-Q8_0.gguf"

static void make_folder(void)
{
	tiny_checkpoint_write(&(struct tiny_checkpoint){.family = tiny_family_find("qwen3"), .dtype = "BF16", .n_shards = 2},
	                      test_path("tiny"));
}

static bool is_made(void)
{
	return access(test_path(MADE), R_OK) == 0;
}

/* /model FOLDER without a model: a question, Enter, and it is there. */
static void test_made_and_loaded(void)
{
	struct screen *s;

	make_folder();
	s = CHAT_START(.rows = 24, .cols = 90);
	WAIT_TEXT(s, "No model yet");
	PRESS_SHOWS(s, "/model tiny<Enter>", "Make " MADE, "150.6 KiB", "as its laboratory publishes it", "Enter make  Esc close");
	EXPECT(!is_made(), "nothing is made without a word of the user");
	screen_keys(s, "<Enter>");
	chat_wait_ready(s);
	EXPECT(is_made(), " ");
	chat_expect_fresh(s);
	chat_quit(s);
	/* Now it is there: no question. */
	s = CHAT_START(.rows = 24, .cols = 90);
	WAIT_TEXT(s, "No model yet");
	screen_keys(s, "/model tiny<Enter>");
	chat_wait_ready(s);
	EXPECT(!screen_has(s, "Make "), " ");
	chat_quit(s);
}

/* The model that is in use stays; Esc makes nothing. */
static void test_beside_a_model(void)
{
	struct screen *s;

	make_folder();
	s = CHAT_OPEN(.model = "synthetic:rate=1000,tokens=10", .rows = 24, .cols = 90);
	PRESS_SHOWS(s, "/model tiny<Enter>", "Make " MADE);
	screen_keys(s, "<Esc>");
	WAIT_GONE(s, "Make " MADE);
	ASK_SHOWS(s, "hello", "warm 9");
	EXPECT(!is_made(), " ");
	PRESS_SHOWS(s, "/model tiny<Enter>", "Make " MADE);
	PRESS_SHOWS(s, "<Enter>", MADE " is made: /model ");
	EXPECT(is_made(), " ");
	ASK_SHOWS(s, "again", "warm");
	chat_quit(s);
}

/* What cannot be converted says why, and the chat goes on. */
static void test_refused(void)
{
	struct screen *s;

	make_folder();
	test_write_text(test_path("tiny/config.json"),
	                "{\"architectures\":[\"Qwen3ForCausalLM\"],\"quantization_config\":{\"quant_method\":\"awq\"}}");
	s = CHAT_OPEN(.model = "synthetic:rate=1000,tokens=10", .rows = 24, .cols = 90);
	PRESS_SHOWS(s, "/model tiny<Enter>", "the model is quantised by AWQ");
	screen_keys(s, "<C-a><C-k>");
	ASK_SHOWS(s, "hello", "warm 9");
	chat_quit(s);
}

/* -m FOLDER: asked before the screen opens. */
static void test_after_m(void)
{
	struct screen *s;

	make_folder();
	s = CHAT_START(.model = "tiny", .rows = 24, .cols = 90);
	WAIT_TEXT(s, "as its laboratory publishes it", MADE " (150.6 KiB). Enter makes it, q does not:");
	screen_keys(s, "<Enter>");
	chat_wait_ready(s);
	EXPECT(is_made(), " ");
	chat_quit(s);
}

static void test_in_lines(void)
{
	struct screen *s;

	make_folder();
	s = CHAT_START(.model = "synthetic:rate=1000,tokens=10", .args = {"--accessible"}, .rows = 60, .cols = 90);
	WAIT(s, strncmp(screen_row(s, screen_cursor(s).row), "You:", 4) == 0);
	PRESS_SHOWS(s, "/model tiny<Enter>", "Make " MADE);
	PRESS_SHOWS(s, "1<Enter>", MADE " is made");
	EXPECT(is_made(), " ");
	screen_keys(s, "/quit<Enter>");
	WAIT(s, s->job.state == JOB_ENDED);
	screen_finish(s, 0);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"made and loaded", test_made_and_loaded, 0},
		{"beside a model", test_beside_a_model, 0},
		{"refused", test_refused, 0},
		{"after -m", test_after_m, 0},
		{"in lines", test_in_lines, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
