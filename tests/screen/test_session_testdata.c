/* The whole thread with a real model: text streams, a slider changes what
 * comes, a theme is chosen, and the next day the conversation is there.
 * Needs ../shared/testdata (or $SOTTO_TESTDATA); skipped without it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "screen/chat.h"
#include "support/testdata.h"

static const char *model_path(void)
{
	static char path[600];

	snprintf(path, sizeof(path), "%s/models/stories260K-q8_0.gguf", testdata_root());
	if (access(path, R_OK) != 0)
		test_skip("skipped: looked for %s", path);
	return path;
}

static void test_days(void)
{
	struct chat_options options = {.model = model_path(), .args = {"-n", "60"}, .rows = 40};
	struct screen *s = chat_open_with(&options);
	unsigned colors;

	EXPECT(screen_has(s, "stories"), "the model's name");
	PRESS_SHOWS(s, "<F2>", "top-k");
	PRESS_HIDES(s, "0<Esc>", "top-k"); /* temperature: greedy */
	screen_quiet(s, 60);
	chat_say(s, "Once upon a time there was a little girl");
	WAIT(s, chat_is_ready(s) && chat_journal_has("role: \"assistant\""));
	chat_say(s, "/theme dark");
	colors = s->checker.n_colors;
	screen_quiet(s, 100);
	EXPECT(s->checker.n_colors >= colors, " ");
	chat_quit_fresh(s);

	options.args[2] = "-C";
	s = chat_open_with(&options);
	WAIT(s, chat_shows(s, "Once upon a time there was a little girl"));
	chat_ask(s, "They went to the park");
	chat_quit(s);
	EXPECT(chat_n_journals() == 1, " ");
	EXPECT(chat_journal_has("Once upon a time there was a little girl"), " ");
}

/* The reply below its label, which has its number among the takes. */
static const char *reply_in(const char *snapshot)
{
	const char *label = strstr(snapshot, "\nstories260K"), *end = label ? strchr(label + 1, '\n') : NULL;

	return end ? end : "no reply is shown";
}

/* Greedy twice is the same, and a slider makes a difference. */
static void test_sampling(void)
{
	struct screen *s = CHAT_OPEN(.model = model_path(), .args = {"-n", "30", "--temp", "0"},
	                             .rows = 50);
	char *first, *second, *third;

	SAY_WAIT(s, "The cat sat", chat_is_ready(s) && chat_journal_has("role: \"assistant\""));
	first = screen_snapshot(s);
	chat_ask(s, "/regen");
	screen_quiet(s, 100);
	second = screen_snapshot(s);
	chat_say(s, "/set temp 2");
	chat_say(s, "/set min-p 0");
	chat_say(s, "/set top-k 0");
	chat_say(s, "/set top-p 1");
	chat_ask(s, "/regen");
	screen_quiet(s, 100);
	third = screen_snapshot(s);
	EXPECT(strncmp(reply_in(first), reply_in(second), 50) == 0, "greedy is repeatable:\n%s\n%s", first,
	       second);
	EXPECT(strcmp(second, third) != 0, "the temperature does nothing");
	free(first);
	free(second);
	free(third);
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"days", test_days, 0},
		{"sampling", test_sampling, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
