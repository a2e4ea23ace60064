/* kill -9 at any point of a session with everything in it that is saved, and eight programs that
 * talk into one chat. What stood on the screen as said is in the chat, once. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "journal/journal.h"
#include "screen/chat.h"

#define MODEL "synthetic:rate=900,tokens=60"

enum { MESSAGES_MAX = 20000, TEXT_MAX = 48 };

/* What was sent, and how far it came. */
struct session {
	struct screen *s;
	uint64_t random;
	uint64_t killed_at; /* ms; but not before so many were shown: */
	int n_wanted, n_shown;
	int n_sent, n_actions, n_exports;
	bool shown[MESSAGES_MAX];
	char *screens[MESSAGES_MAX]; /* owned; how it was shown */
	bool exported;  /* "written to" was on the screen */
};

static void name(char *text, int i)
{
	snprintf(text, TEXT_MAX, "msg-%05d-end", i);
}

static bool is_over(const struct session *session)
{
	return (sys_now_ms() >= session->killed_at && session->n_shown >= session->n_wanted) ||
	       session->s->job.state != JOB_RUNNING;
}

/* It stands in the conversation, in a row of its own: not in the input line, where it may be back
 * after Esc, in the queue or in a panel's filter. */
static bool is_said(struct screen *s, const char *text)
{
	int line = screen_cursor(s).row;

	while (line > 0 && strncmp(screen_row(s, line), "> ", 2) != 0)
		line--;
	for (int row = 0; row < line; row++)
		if (strcmp(screen_row(s, row), text) == 0)
			return true;
	return false;
}

/* Looks at the screen for a while: what is said there counts. */
static void watch(struct session *session, int ms)
{
	uint64_t end = sys_now_ms() + (uint64_t)ms;
	char text[TEXT_MAX];

	do {
		screen_pump(session->s, 2);
		for (int i = session->n_sent; i > 0 && i > session->n_sent - 4; i--) {
			name(text, i);
			if (!session->shown[i] && is_said(session->s, text)) {
				session->shown[i] = true;
				session->n_shown++;
				session->screens[i] = screen_snapshot(session->s);
			}
		}
	} while (!is_over(session) && sys_now_ms() < end);
}

static void wait_ready(struct session *session)
{
	uint64_t end = sys_now_ms() + test_stretch(5000);

	while (!is_over(session) && !chat_is_ready(session->s) && sys_now_ms() < end)
		watch(session, 2);
}

static void send(struct session *session, const char *before)
{
	char text[TEXT_MAX];

	EXPECT(session->n_sent + 1 < MESSAGES_MAX, " ");
	name(text, ++session->n_sent);
	screen_keys(session->s, before);
	screen_keys(session->s, text);
	screen_keys(session->s, "<Enter>");
	watch(session, 5 + (int)(test_random(&session->random) % 120));
}

static void command(struct session *session, const char *line)
{
	screen_keys(session->s, "<C-a><C-k>");
	screen_keys(session->s, line);
	screen_keys(session->s, "<Enter>");
	watch(session, 5 + (int)(test_random(&session->random) % 40));
}

static void export(struct session *session)
{
	char line[600];

	snprintf(line, sizeof line, "/export! md ./export.md");
	wait_ready(session);
	command(session, line);
	session->exported |= screen_has(session->s, "written to");
	session->n_exports++;
}

static void act(struct session *session)
{
	static const char *const keys[] = {"<Esc>", "<M-r>", "<M-Left>", "<M-Right>", "<F5>"};
	uint32_t chance = test_random(&session->random) % 16;

	session->n_actions++;
	if (chance < 6) {
		send(session, "<C-a><C-k>");
	} else if (chance < 11) {
		screen_keys(session->s, keys[chance - 6]);
		watch(session, 30);
		if (chance == 10)
			screen_keys(session->s, "<Esc>");
	} else if (chance == 11) {
		wait_ready(session);
		screen_keys(session->s, "<C-a><C-k><M-e>"); /* the last message again, other words */
		watch(session, 30);
		send(session, "<C-a><C-k>");
	} else if (chance == 12) {
		command(session, "/rename a title");
	} else if (chance == 13) {
		command(session, "/undo");
	} else if (chance == 14) {
		screen_keys(session->s, "<C-a><C-k>half a thought");
		watch(session, 20);
	} else {
		export(session);
	}
	if (chance % 3 == 0)
		wait_ready(session);
}

/* The chats' files, in any order. */
static size_t list_chats(char paths[][600], size_t most)
{
	DIR *folder = opendir(screen_home("data/sotto/chats"));
	struct dirent *entry;
	size_t n = 0;

	while (folder && (entry = readdir(folder))) {
		size_t len = strlen(entry->d_name);

		if (len < 5 || strcmp(entry->d_name + len - 5, ".yaml") != 0)
			continue;
		EXPECT(n < most, "more than %zu chats", most);
		snprintf(paths[n++], 600, "%s/%s", screen_home("data/sotto/chats"), entry->d_name);
	}
	if (folder)
		closedir(folder);
	return n;
}

static struct tree *read_chat(const char *path, size_t *n_damaged)
{
	struct tree *tree;
	struct error err;
	char *text;
	size_t len;

	EXPECT(sys_read_file(path, LIMIT_TRANSCRIPT, &text, &len, &err) == STATUS_OK, "%s", err.text);
	EXPECT(journal_parse(text, len, &tree, n_damaged, NULL, &err) == STATUS_OK, "%s", err.text);
	free(text);
	return tree;
}

static size_t count(const struct tree *tree, const char *text)
{
	size_t n = 0;

	for (uint32_t id = 1; id <= tree_n(tree); id++)
		n += tree_node(tree, id)->role == ROLE_USER && strcmp(tree_node(tree, id)->text, text) == 0;
	return n;
}

/* Everything that was shown stands in the one chat, once; so does what was sent and not yet
 * shown, if at all. */
static void check_chat(const struct session *session, int kill_number)
{
	char paths[2][600], text[TEXT_MAX];
	size_t n = list_chats(paths, 2), n_damaged;
	struct tree *tree;

	if (n == 0) {
		EXPECT(session->n_sent == 0 || !session->shown[1], "kill %d: no chat is left", kill_number);
		return;
	}
	EXPECT(n == 1, "kill %d: the chat goes on in another", kill_number);
	tree = read_chat(paths[0], &n_damaged);
	for (int i = 1; i <= session->n_sent; i++) {
		size_t times;

		name(text, i);
		times = count(tree, text);
		EXPECT(times <= 1, "kill %d: %s stands there %zu times", kill_number, text, times);
		EXPECT(times == 1 || !session->shown[i], "kill %d: %s was shown and is lost:\n%s",
		       kill_number, text, session->screens[i]);
	}
	tree_free(tree);
}

static void check_export(const struct session *session)
{
	size_t n;
	char *text = test_read_file(test_path("export.md"), &n);

	EXPECT(text || !session->exported, "what was written is there");
	EXPECT(!text || n > 0, "an empty file");
	EXPECT(!text || text[n - 1] == '\n', "half a file");
	free(text);
}

static void test_killed(void)
{
	struct session *session = calloc(1, sizeof *session);
	int n_kills = test_is_long() ? 200 : 30;

	EXPECT(session, "memory");
	session->random = 20261125;
	for (int k = 0; k < n_kills; k++) {
		session->n_wanted = k; /* some are killed at once, others make up for them */
		session->s = CHAT_START(.model = MODEL, .args = {"-C"}, .rows = 40, .cols = 100);
		session->killed_at = sys_now_ms() + test_stretch(1 + test_random(&session->random) % 900);
		WAIT(session->s, session->s->checker.modes & MODE_PASTE);
		while (!is_over(session))
			act(session);
		kill(session->s->job.program, SIGKILL);
		WAIT_NOW(session->s, 20000, session->s->job.state == JOB_ENDED);
		screen_free(session->s);
		check_chat(session, k);
		check_export(session);
	}
	printf("%d kills, %d actions, %d messages sent, %d shown and kept, %d exports\n", n_kills,
	       session->n_actions, session->n_sent, session->n_shown, session->n_exports);
	session->s = CHAT_OPEN(.model = MODEL, .args = {"-C"});
	chat_quit(session->s);
	for (int i = 0; i <= session->n_sent; i++)
		free(session->screens[i]);
	free(session);
}

/* Each has the chat on the screen; the first goes on in it, the others are told that theirs goes to
 * a copy. Everything said is there, once. */
static void test_eight_in_one_chat(void)
{
	enum { PROGRAMS = 8, ROUNDS = 3 };
	struct screen *screens[PROGRAMS];
	char paths[PROGRAMS + 2][600], text[TEXT_MAX];
	size_t n, n_damaged, times[PROGRAMS * ROUNDS] = {0};

	screens[0] = chat_open(MODEL);
	chat_ask(screens[0], "the beginning");
	for (int p = 1; p < PROGRAMS; p++) {
		screens[p] = CHAT_OPEN(.model = MODEL, .args = {"-C"}, .cols = 120);
		WAIT_TEXT(screens[p], "is open in another sotto", "goes to a copy");
		EXPECT(chat_shows(screens[p], "the beginning"), "it is shown all the same");
	}
	for (int round = 0; round < ROUNDS; round++)
		for (int p = 0; p < PROGRAMS; p++) {
			name(text, p * ROUNDS + round);
			chat_ask(screens[p], text);
		}
	for (int p = 0; p < PROGRAMS; p++)
		chat_quit(screens[p]);
	n = list_chats(paths, PROGRAMS + 2);
	EXPECT(n == PROGRAMS, "%zu chats", n);
	for (size_t i = 0; i < n; i++) {
		struct tree *tree = read_chat(paths[i], &n_damaged);

		EXPECT(n_damaged == 0, "%s is damaged", paths[i]);
		EXPECT(count(tree, "the beginning") == 1, "%s", paths[i]);
		for (int m = 0; m < PROGRAMS * ROUNDS; m++) {
			name(text, m);
			times[m] += count(tree, text);
		}
		tree_free(tree);
	}
	for (int m = 0; m < PROGRAMS * ROUNDS; m++)
		EXPECT(times[m] == 1, "message %d stands there %zu times", m, times[m]);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"killed", test_killed, 900},
		{"eight-in-one-chat", test_eight_in_one_chat, 120},
	};

	return run_tests(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
