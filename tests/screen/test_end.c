/* Every way out, and what is on the disk afterwards. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/sys.h"
#include "screen/chat.h"

#define BUSY_MODEL "synthetic:rate=200,tokens=100000,prefill_ms=50,load_ms=50"

static void pump_for(struct screen *s, uint64_t ms)
{
	uint64_t end = sys_now_ms() + ms;

	for (uint64_t now = sys_now_ms(); now < end && s->job.state == JOB_RUNNING; now = sys_now_ms())
		screen_pump(s, (int)(end - now));
}

/* Quits with `keys` or `sig` at random moments of loading, prefill and decode;
 * screen_finish looks at the terminal. */
static void quit_at_any_moment(const char *keys, int sig, int expected)
{
	uint64_t random = (uint64_t)sig * 77 + 12345;
	int n = test_is_long() ? 200 : 10;

	for (int i = 0; i < n; i++) {
		struct screen *s = CHAT_START(.model = BUSY_MODEL);

		printf("round %d\n", i);
		/* Not before it has begun to run: the signal's default, or a terminal
		 * that still edits lines, would be the test's own doing. */
		WAIT(s, s->checker.modes & MODE_PASTE);
		pump_for(s, test_random(&random) % 60);
		if (i % 2) {
			screen_keys(s, "hello<Enter>");
			pump_for(s, test_random(&random) % 250);
		}
		if (keys)
			screen_keys(s, keys);
		else
			kill(s->job.program, sig);
		screen_finish(s, expected);
	}
}

static void test_quit_command(void)
{
	quit_at_any_moment("<C-a><C-k>/quit<Enter>", 0, 0);
}

static void test_quit_key(void)
{
	quit_at_any_moment("<C-a><C-k><C-d>", 0, 0);
}

static void test_terminated(void)
{
	quit_at_any_moment(NULL, SIGTERM, 143);
}

static void test_hung_up_signal(void)
{
	quit_at_any_moment(NULL, SIGHUP, 129);
}

/* The chat stays in the terminal, as text: its last lines, unless none are wanted. */
static void test_what_stays(void)
{
	static const char *const options[][2] = {{"--scrollback=1000"}, {"--scrollback=7"}, {"--scrollback=0"}, {"--no-save"}};

	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		struct screen *s = CHAT_OPEN(.model = "synthetic:mode=echo,tokens=1000",
		                             .args = {options[i][0]});
		static const char last[] = "You:\n**second**\n\nsynthetic (echo):\n**second**\n\n";

		ASK_WAIT(s, "first", screen_count(s, "first") == 2);
		ASK_WAIT(s, "**second**", screen_count(s, "second") == 2);
		PRESS_HIDES(s, "/quit<Enter>", CHAT_READY); /* the bar */
		if (i < 3)
			WAIT_TEXT(s, "Continue this chat with:");
		EXPECT(screen_has(s, "You:\nfirst\n\nsynthetic (echo):\nfirst\n\nYou:\n**second**\n") == (i == 0), "%zu", i);
		EXPECT(screen_has(s, last) == (i < 2), "%zu", i);
		EXPECT(screen_has(s, "(2 earlier messages left out)\n\nYou:\n**second**") == (i == 1), "%zu", i);
		EXPECT(screen_has(s, "You:") == (i < 2), "%zu", i);
		screen_finish(s, 0);
	}
}

/* What is not asked for is a screenful: its end, how to go on and the shell's prompt are all on the screen. */
static void test_a_screenful_stays(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:mode=echo,tokens=1000");
	int rows = 0;

	for (int i = 0; i < 30; i++)
		screen_keys(s, "x<C-j>");
	SEND_WAIT(s, "end<Enter>", screen_count(s, "end") == 1);
	PRESS_SHOWS(s, "/quit<Enter>", "Continue this chat with:");
	for (int i = 0; i < s->rows; i++)
		rows += screen_row(s, i)[0] != '\0';
	EXPECT(strncmp(screen_row(s, 0), "(1 earlier message left out)", 28) == 0, "%s", screen_row(s, 0));
	EXPECT(rows >= s->rows - 6, "%d rows of %d", rows, s->rows);
	screen_finish(s, 0);
}

/* The window is closed: gone at once, not when the reply ends, and the conversation is on the disk. */
static void test_hang_up(void)
{
	for (int round = 0; round < 4; round++) {
		struct screen *s = CHAT_START(.model = "synthetic:rate=200,tokens=100000",
		                              .leads_session = round % 2 != 0);

		chat_wait_ready(s);
		chat_say(s, "remember this");
		if (round < 2)
			WAIT_TEXT(s, "warm 20");
		shell_job_hang_up(&s->job);
		WAIT_NOW(s, 20000, s->job.state == JOB_ENDED);
		/* By itself, or by the signal that comes with the closing. */
		EXPECT(WIFEXITED(s->job.wait_status) || WTERMSIG(s->job.wait_status) == SIGHUP,
		       "wait status %x", (unsigned)s->job.wait_status);
		screen_free(s);
		EXPECT(chat_journal_has("remember this"), "the message is on the disk");
		EXPECT(round >= 2 || chat_journal_has("warm 20"), "the reply too");
	}
}

static void test_continue(void)
{
	const char *model = "synthetic:rate=1000,tokens=30";
	struct screen *s = chat_open(model);

	ASK_SHOWS(s, "What happened yesterday?", "warm 29");
	chat_quit(s);
	EXPECT(chat_n_journals() == 1, "%zu chats", chat_n_journals());

	s = CHAT_OPEN(.model = model, .args = {"-C"});
	WAIT(s, chat_shows(s, "What happened yesterday?") && chat_shows(s, "warm 29"));
	ASK_WAIT(s, "And today?", screen_count(s, "warm 29") == 2);
	chat_quit(s);
	EXPECT(chat_n_journals() == 1, "%zu chats", chat_n_journals());

	s = chat_open(model); /* without -C: a new one */
	EXPECT(!screen_has(s, "yesterday"), " ");
	chat_quit(s);
	s = CHAT_OPEN(.model = model, .args = {"--continue"});
	WAIT(s, chat_shows(s, "And today?"));
	chat_quit(s);
}

/* A chat that somebody else wrote in is read all the same, and that is said. */
static void test_continue_edited(void)
{
	const char *model = "synthetic:rate=1000,tokens=10";
	struct screen *s = chat_open(model);
	char command[600];

	ASK_SHOWS(s, "The first of May", "warm 9");
	chat_quit(s);
	snprintf(command, sizeof(command), "sed -i 's/first of May/tenth of June/' '%s'/*.yaml",
	         screen_home("data/sotto/chats"));
	EXPECT(system(command) == 0, "%s", command);
	s = CHAT_OPEN(.model = model, .args = {"-C"});
	WAIT(s, chat_shows(s, "The tenth of June"));
	WAIT_TEXT(s, "1 part of this chat's file was edited by hand");
	chat_quit(s);
}

static void test_continue_nothing(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=1000,tokens=10", .args = {"-C"});

	SAY_SHOWS(s, "hello", "warm 9");
	chat_quit(s);
}

/* Ends before a chat begins: the reason stays on the terminal. */
static void expect_no_chat(const char *name, const char *reason)
{
	struct screen *s = SCREEN_START(.args = {"-m", "synthetic:", "--resume", name});

	WAIT_TEXT(s, reason);
	screen_finish(s, 2);
}

static void test_nothing_to_open(void)
{
	struct screen *s = SCREEN_START(.args = {"-m", "/nope.gguf"});

	WAIT_TEXT(s, "sotto: /nope.gguf: cannot open");
	screen_finish(s, 3);
	s = SCREEN_START(.args = {"-m", "/dev/null"});
	WAIT_TEXT(s, "not a regular file");
	screen_finish(s, 3);
	expect_no_chat("zzz", "sotto: there is no chat 'zzz'");
	expect_no_chat("/nope.yaml", "sotto: /nope.yaml: cannot open");
	EXPECT(chat_n_journals() == 0, "%zu chats", chat_n_journals());
}

/* What fails while it is loaded leaves the chat open, and is not forgotten at its end. */
static void test_model_that_fails(void)
{
	struct screen *s = CHAT_START(.model = "synthetic:fail=load");

	WAIT_TEXT(s, "made to fail");
	PRESS_SHOWS(s, "/quit<Enter>", "sotto: the model given with -m could not be loaded");
	screen_finish(s, 3);

	s = CHAT_START(.model = "synthetic:fail=load");
	WAIT_TEXT(s, "made to fail");
	chat_send(s, "/model synthetic:<Enter>");
	chat_quit(s);

	s = CHAT_START(.names_no_model = true, .env = {"SOTTO_MODEL=/nope.gguf"});
	WAIT_TEXT(s, "cannot open"); /* nobody has asked for it just now */
	chat_quit(s);
}

static void test_says_what_has_no_effect(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:",
	                             .args = {"-T", "concise", "--system-prompt", "Be."},
	                             .env = {"SOTTO_TEMPP=1"});

	WAIT_TEXT(s, "SOTTO_TEMPP has no effect, did you mean SOTTO_TEMP?");
	WAIT_TEXT(s, "--system-prompt has no effect together with a template");
	chat_quit(s);
}

static void test_no_save(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:rate=1000,tokens=10",
	                             .args = {"--no-save"});
	char command[600];

	EXPECT(screen_has(s, CHAT_NO_SAVE), "the badge");
	ASK_SHOWS(s, "a secret", "warm 9");
	chat_quit(s);
	EXPECT(chat_n_journals() == 0, " ");
	snprintf(command, sizeof(command), "grep -rqs 'a secret' '%s'", screen_home(""));
	EXPECT(system(command) != 0, "a trace was left");
}

#ifndef SOTTO_SANITIZER /* which has these signals for itself */
static void test_crash_restores(void)
{
	static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct screen *s = chat_open("synthetic:rate=200,tokens=100000");

		SAY_SHOWS(s, "Count.", "warm 5");
		kill(s->job.program, signals[i]);
		screen_finish(s, 128 + signals[i]);
	}
}
#endif

/* kill -9 at a random moment of a conversation: what stood above the input
 * line had been saved. */
static void test_kill(void)
{
	uint64_t random = 2026;
	int n_kills = test_is_long() ? 50 : 8, n_sent = 0;
	bool shown[2000] = {false};

	for (int k = 0; k < n_kills; k++) {
		struct screen *s = CHAT_START(.model = "synthetic:rate=400,tokens=40",
		                              .args = {"-C"}, .rows = 50, .cols = 100);
		uint64_t end;
		char text[32];
		char *journal;

		chat_wait_ready(s);
		end = sys_now_ms() + test_stretch(30 + test_random(&random) % 500);
		while (sys_now_ms() < end || !shown[1]) {
			snprintf(text, sizeof(text), "msg-%04d-end", ++n_sent);
			screen_keys(s, text);
			screen_keys(s, "<Enter>");
			while (sys_now_ms() < end || !shown[1]) {
				screen_pump(s, 3);
				if (!shown[n_sent] && chat_shows(s, text) && !chat_line_has(s, text))
					shown[n_sent] = true;
				if (shown[n_sent] && chat_is_ready(s))
					break;
			}
		}
		kill(s->job.program, SIGKILL);
		WAIT(s, s->job.state == JOB_ENDED);
		screen_free(s);
		journal = chat_journal();
		for (int i = 1; i <= n_sent; i++) {
			snprintf(text, sizeof(text), "msg-%04d-end", i);
			EXPECT(!shown[i] || (journal && strstr(journal, text)), "%s was shown and is lost", text);
		}
		free(journal);
	}
	EXPECT(n_sent >= n_kills, "the session was too short");
}

/* A reply keeps the label of the model that made it. */
static void test_who_replied(void)
{
	struct screen *s = chat_open("synthetic:rate=20,tokens=10");

	SAY_SHOWS(s, "question one", "warm 1");
	EXPECT(chat_shows(s, "synthetic (words)"), "while it streams");
	chat_wait_ready(s);
	chat_ask(s, "/model synthetic:mode=echo");
	ASK_WAIT(s, "question two", chat_shows(s, "synthetic (echo)"));
	EXPECT(chat_shows(s, "synthetic (words)"), "the first reply's");
	chat_quit(s);
	s = CHAT_OPEN(.model = "synthetic:mode=long", .args = {"-C"});
	WAIT(s, chat_shows(s, "synthetic (words)") && chat_shows(s, "synthetic (echo)"));
	EXPECT(screen_count(s, "synthetic (long)") == 1, "in the bar only");
	chat_quit(s);
}

/* The row of the list of chats that has all three texts. */
static bool has_row(struct screen *s, const char *title, const char *model, const char *count)
{
	for (int row = 0; row < s->rows; row++) {
		const char *text = screen_row(s, row), *at = strstr(text, title);

		at = at ? strstr(at, model) : NULL;
		if (at && strstr(at + strlen(model), count))
			return true;
	}
	return false;
}

static void test_two_at_once(void)
{
	const char *model = "synthetic:rate=1000,tokens=10", *told;
	struct screen *a = chat_open(model), *b;
	char *journal, id[32] = "", path[64];
	size_t n;

	SAY_SHOWS(a, "from the first", "warm 9");
	b = CHAT_OPEN(.model = model, .args = {"-C"}, .cols = 120);
	WAIT(b, chat_shows(b, "from the first"));
	told = strstr(screen_text(b), "goes to a copy, ");
	if (told)
		sscanf(told, "goes to a copy, %31s", id);
	EXPECT(id[0], "the copy's id is told");
	ASK_WAIT(b, "from the second", screen_count(b, "warm 9") == 2);
	snprintf(path, sizeof(path), "data/sotto/chats/%s.yaml", id);
	journal = test_read_file(screen_home(path), &n);
	EXPECT(journal && strstr(journal, "from the second"), "%s is the copy", path);
	free(journal);
	PRESS_SHOWS(b, "<F5>", "2 chats");
	EXPECT(has_row(b, "from the first", "synthetic (words)", "4") &&
	       has_row(b, "from the first", "synthetic (words)", " 2 "), "rows that differ");
	EXPECT(screen_has(b, id), "the selected one's id");
	EXPECT(has_row(b, "from the first", "4", "open here") &&
	       !has_row(b, "from the first", " 2 ", "open here"), "the one on the screen");
	PRESS_HIDES(b, "<Esc>", "last used");
	SAY_SHOWS(b, "/list", "(4 messages, synthetic (words))");
	SAY_WAIT(a, "the first again", screen_count(a, "warm 9") == 2);
	chat_quit(b);
	chat_quit(a);
	EXPECT(chat_n_journals() == 2, "%zu chats: the second goes its own way", chat_n_journals());
	journal = chat_journal();
	EXPECT(journal && !(strstr(journal, "from the second") && strstr(journal, "the first again")), " ");
	free(journal);
}

/* Messages wait in a queue for the reply; each can be taken back, none is lost. */
static void test_queue(void)
{
	const char *slow = "synthetic:rate=20,tokens=100000", *fast = "synthetic:mode=echo";
	struct screen *s = chat_open("synthetic:rate=10,tokens=12");

	SAY_SHOWS(s, "one", "warm 0");
	chat_say(s, "two");
	chat_say(s, "three");
	SAY_WAIT(s, "four", screen_count(s, CHAT_QUEUED) == 3);
	EXPECT(screen_has(s, "Up edits"), " ");
	PRESS_WAIT(s, "<Up>", chat_line_has(s, "four") && screen_count(s, CHAT_QUEUED) == 2);
	PRESS_WAIT(s, "<C-a>1<Enter>", screen_count(s, CHAT_QUEUED) == 3);
	PRESS_WAIT(s, "<Up><C-u>", screen_count(s, CHAT_QUEUED) == 2); /* taken back for good */
	PRESS_WAIT(s, "draft", chat_line_has(s, "draft"));
	WAIT(s, chat_shows(s, "three") && !screen_has(s, CHAT_QUEUED));
	EXPECT(chat_shows(s, "two") && chat_line_has(s, "draft"), "in their order");
	WAIT(s, chat_is_ready(s));
	EXPECT(chat_journal_count("\"1four\"") == 0, " ");
	chat_quit(s);

	/* Stopped: all of it comes back; then left in mid-reply, and found again. */
	s = chat_open(slow);
	SAY_SHOWS(s, "begin", "warm 1");
	chat_say(s, "//later");
	chat_say(s, "and later");
	PRESS_WAIT(s, "<Esc>", screen_has(s, "//later") && chat_line_has(s, "and later"));
	screen_keys(s, "<C-c>");
	SAY_WAIT(s, "again", screen_count(s, "warm 1") >= 2);
	chat_say(s, "//first draft");
	SAY_WAIT(s, "second draft", screen_count(s, CHAT_QUEUED) == 2);
	chat_quit(s);
	for (int round = 0; round < 2; round++) {
		s = CHAT_START(.model = fast, .args = {"-C"});
		WAIT(s, screen_has(s, "//first draft") && chat_line_has(s, "second draft"));
		WAIT_TEXT(s, "is back in the input line");
		if (round == 0) /* as long as nothing is sent */
			chat_quit(s);
	}
	chat_wait_ready(s);
	SEND_WAIT(s, "!<Enter>", chat_shows(s, "/first draft") && chat_shows(s, "second draft!"));
	PRESS_WAIT(s, "half a thought", chat_line_has(s, "half a thought"));
	kill(s->job.program, SIGTERM);
	screen_finish(s, 143);
	s = CHAT_START(.model = fast, .args = {"-C"});
	WAIT(s, chat_line_has(s, "half a thought"));
	EXPECT(!screen_has(s, "//first draft"), "that one was sent");
	chat_quit(s);
}

#define NOWHERE "XDG_DATA_HOME=/dev/null", "XDG_STATE_HOME=/dev/null"

/* The bar says for a while that the history cannot be written; any key ends that. */
static void wait_ready(struct screen *s)
{
	chat_send(s, "<F12>");
}

static struct screen *open_nowhere(const struct chat_options *options)
{
	struct screen *s = chat_start(options);

	WAIT(s, s->checker.modes & MODE_PASTE);
	wait_ready(s);
	return s;
}

/* Messages that are nowhere but in memory are not left without a question. */
static void test_unsaved_is_kept(void)
{
	static const char *const keys[] = {"/quit<Enter>", "<C-d>", "<C-c><C-c>"};
	struct screen *s;
	char *copy;
	size_t n;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		s = open_nowhere(&(struct chat_options){.model = "synthetic:tokens=5", .env = {NOWHERE}});
		SAY_SHOWS(s, "precious words", "warm 4");
		wait_ready(s);
		PRESS_SHOWS(s, keys[i], "would be lost", "/quit! or a second /quit leaves");
		if (i == 0) {
			SAY_SHOWS(s, "/save ./copy.yaml", "written to");
			copy = test_read_file(test_path("copy.yaml"), &n);
			EXPECT(strstr(copy, "precious words") && strstr(copy, "warm 4"), " ");
			free(copy);
			chat_quit(s);
		} else if (i == 1) {
			screen_keys(s, "/quit!<Enter>");
			screen_finish(s, 0);
		} else {
			screen_keys(s, "<C-d>"); /* the second time it leaves */
			screen_finish(s, 0);
		}
	}
	/* A new message is asked about anew; what is not to be saved is not asked about. */
	s = open_nowhere(&(struct chat_options){.model = "synthetic:tokens=5", .env = {NOWHERE}});
	SAY_SHOWS(s, "first", "warm 4");
	wait_ready(s);
	SAY_SHOWS(s, "/save ./copy.yaml", "written to");
	SAY_WAIT(s, "second", screen_count(s, "warm 4") == 2);
	wait_ready(s);
	PRESS_SHOWS(s, "<C-d>", "would be lost");
	screen_keys(s, "/q!<Enter>");
	screen_finish(s, 0);
	s = open_nowhere(&(struct chat_options){
		.model = "synthetic:tokens=5", .args = {"--no-save"}, .env = {NOWHERE},
	});
	SAY_SHOWS(s, "first", "warm 4");
	wait_ready(s);
	chat_quit(s);
}

/* Writing is tried once more when the screen is gone already: no signal ends the program then. */
static void test_full_disk(void)
{
	struct rlimit all, little;
	struct screen *s;

	EXPECT(getrlimit(RLIMIT_FSIZE, &all) == 0, " ");
	little = (struct rlimit){.rlim_cur = 1024, .rlim_max = all.rlim_max};
	EXPECT(setrlimit(RLIMIT_FSIZE, &little) == 0, " ");
	s = chat_open("synthetic:tokens=300");
	EXPECT(setrlimit(RLIMIT_FSIZE, &all) == 0, " ");
	SAY_SHOWS(s, "a reply of more bytes than there is room for", "NOT SAVED");
	wait_ready(s);
	screen_keys(s, "/quit!<Enter>");
	screen_finish(s, 0);
}

/* Ended from outside: the spare folder, or a word of what is lost. */
static void test_unsaved_and_terminated(void)
{
	static const char *const data[] = {"XDG_DATA_HOME=/dev/null", "XDG_DATA_HOME=/dev/null"};
	static const char *const state[] = {"XDG_STATE_HOME=/dev/null", "HOME"};
	static const char *const said[] = {"could not be saved", "is saved in"};

	for (size_t i = 0; i < 2; i++) {
		struct screen *s = open_nowhere(&(struct chat_options){
			.model = "synthetic:tokens=5", .env = {data[i], state[i]}, .cols = 150,
		});

		SAY_SHOWS(s, "precious words", "warm 4");
		wait_ready(s);
		kill(s->job.program, SIGTERM);
		WAIT_TEXT(s, said[i]);
		screen_finish(s, 143);
	}
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"what-stays", test_what_stays, 0},
		{"a-screenful-stays", test_a_screenful_stays, 0},
		{"quit-command", test_quit_command, 600},
		{"quit-key", test_quit_key, 600},
		{"terminated", test_terminated, 600},
		{"hung-up-signal", test_hung_up_signal, 600},
		{"hang-up", test_hang_up, 0},
		{"continue", test_continue, 0},
		{"continue-edited", test_continue_edited, 0},
		{"continue-nothing", test_continue_nothing, 0},
		{"nothing-to-open", test_nothing_to_open, 0},
		{"model-that-fails", test_model_that_fails, 0},
		{"says-what-has-no-effect", test_says_what_has_no_effect, 0},
		{"no-save", test_no_save, 0},
#ifndef SOTTO_SANITIZER
		{"crash-restores", test_crash_restores, 0},
#endif
		{"kill", test_kill, 600},
		{"who-replied", test_who_replied, 0},
		{"queue", test_queue, 0},
		{"unsaved-is-kept", test_unsaved_is_kept, 0},
		{"full-disk", test_full_disk, 0},
		{"unsaved-and-terminated", test_unsaved_and_terminated, 0},
		{"two-at-once", test_two_at_once, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
