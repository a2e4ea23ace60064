/* The guide itself, as who starts the program for the first time meets it: no
 * model is named, and real text streams. */

#include <stdio.h>
#include <unistd.h>

#include "screen/chat.h"

#define GUIDE_NAME "guide (built in)"
#define SLIDERS "How do I open the sampler sliders?"
#define ANSWER "F2 opens the sampler sliders: temperature, top-p and the rest"
/* The whole reply, as the file has it. */
#define WHOLE "\"" ANSWER "; a change acts on the next token, even in mid-reply.\""

/* The model that ships, with help that stays as it is. */
static const char *make_data(void)
{
	const char *data = chat_guide_data();

	EXPECT(symlink(TEST_SRCDIR "/models/guide.gguf", test_path(CHAT_GUIDE_MODEL)) == 0, " ");
	return data;
}

static struct screen *open_guide(const char *data, const char *argument, const char *value)
{
	struct screen *s = CHAT_START(.names_no_model = true, .rows = 40, .cols = 100,
	                              .env = {data},
	                              .args = {"--seed", "1", "-n", "60", argument, value});

	WAIT_TEXT(s, GUIDE_NAME);
	chat_wait_ready(s);
	return s;
}

/* Until there is a reply, all of it, in the file too. */
static void ask(struct screen *s, const char *question)
{
	/* Records of replies: one that takes long has several. */
	static const char role[] = "role: \"assistant\"";
	size_t before = chat_journal_count(role);

	SAY_WAIT(s, question, chat_journal_count(role) > before && chat_is_ready(s));
}

/* It says what the help says, the next day too. */
static void test_days(void)
{
	const char *data = make_data();
	struct screen *s = open_guide(data, "--temp", "0");

	ask(s, SLIDERS);
	EXPECT(screen_row_of(s, ANSWER) > screen_row_of(s, SLIDERS), "the reply");
	EXPECT(chat_journal_has(ANSWER), " ");
	chat_quit_fresh(s);

	s = open_guide(data, "-C", NULL);
	WAIT(s, chat_shows(s, SLIDERS));
	EXPECT(screen_has(s, ANSWER), " ");
	ask(s, "How do I quit?");
	EXPECT(screen_has(s, "/quit") && chat_journal_has("/quit"), " ");
	chat_quit(s);
	EXPECT(chat_n_journals() == 1, " ");
}

/* What it knows it says in the entry's own words, whatever the sampling. */
static void test_sampling(void)
{
	struct screen *s = open_guide(make_data(), "--temp", "0");
	size_t greedy;

	ask(s, SLIDERS);
	greedy = chat_journal_count(WHOLE);
	EXPECT(greedy > 0, "the reply");
	ask(s, "/regen");
	EXPECT(chat_journal_count(WHOLE) > greedy, "another reply at temperature 0");
	greedy = chat_journal_count(WHOLE);
	chat_say(s, "/set min-p 0");
	chat_say(s, "/set temp 2");
	ask(s, "/regen");
	EXPECT(chat_journal_count(WHOLE) > greedy, "other words than the entry's");
	chat_quit(s);
}

/* As /show has it. */
static void expect_setting(struct screen *s, const char *name, const char *value, const char *origin)
{
	char command[64], row[96];

	snprintf(command, sizeof command, "/show %s", name);
	snprintf(row, sizeof row, "%-18s %-12s %s", name, value, origin);
	SAY_WAIT(s, command, chat_shows(s, row));
}

/* What a model recommends goes with it, what somebody has set stays. */
static void test_recommended(void)
{
	struct screen *s = open_guide(make_data(), "--top-p", "0.9");

	expect_setting(s, "top-k", "0", "model");
	expect_setting(s, "top-p", "0.9", "command line");
	chat_ask(s, "/model synthetic:");
	expect_setting(s, "top-k", "40", "default");
	expect_setting(s, "top-p", "0.9", "command line");
	ASK_SHOWS(s, "/model guide", GUIDE_NAME);
	expect_setting(s, "min-p", "0.3", "model");
	chat_quit(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"days", test_days, 0},
		{"sampling", test_sampling, 0},
		{"recommended", test_recommended, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
