#include "screen/chat.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "screen/served.h"

enum { STATUS_ABOVE = 11 };

struct screen *chat_start(const struct chat_options *options)
{
	struct screen_options screen = {
		.rows = options->rows,
		.cols = options->cols,
		.typed = options->typed,
		.leads_session = options->leads_session,
		.keyboard = options->keyboard,
		.other_terminal = options->other_terminal,
	};
	const char *model = options->model ? options->model : "", *servers;
	size_t n = 0;

	if (served_replaces(model, &model, &servers)) {
		screen.args[n++] = "--servers";
		screen.args[n++] = servers;
	}
	if (!options->names_no_model) {
		screen.args[n++] = "-m";
		screen.args[n++] = model;
	}
	for (size_t i = 0; i < SCREEN_MAX_ARGS - 6 && options->args[i]; i++)
		screen.args[n++] = options->args[i];
	memcpy(screen.env, options->env, sizeof(screen.env));
	return screen_start(&screen);
}

struct screen *chat_open_with(const struct chat_options *options)
{
	struct screen *s = chat_start(options);

	chat_wait_ready(s);
	return s;
}

struct screen *chat_open(const char *model)
{
	return CHAT_OPEN(.model = model);
}

const char *chat_guide_data(void)
{
	static const char *const links[][2] = {
		{"prompts", "prompts"},
		{"themes", "themes"},
		{"tests/vectors/guide-facts.yaml", "guide/facts.yaml"},
		{"tests/vectors/guide-facts.weights", "guide/facts.weights"},
	};
	static char variable[400];

	test_make_directory(test_path("pkg/models"));
	test_make_directory(test_path("pkg/guide"));
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		char target[400], name[64];

		snprintf(target, sizeof(target), "%s/%s", TEST_SRCDIR, links[i][0]);
		snprintf(name, sizeof(name), "pkg/%s", links[i][1]);
		EXPECT(symlink(target, test_path(name)) == 0, "%s", name);
	}
	snprintf(variable, sizeof(variable), "SOTTO_PKGDATADIR=%s", test_path("pkg"));
	return variable;
}

/* The status bar stands right above the input line, which has several rows at
 * the most; nothing that the tests write there looks like it. */
static bool status_has(struct screen *s, const char *word)
{
	int end = screen_cursor(s).row;

	for (int row = end > STATUS_ABOVE ? end - STATUS_ABOVE : 0; row <= end; row++)
		if (strstr(screen_row(s, row), word))
			return true;
	return false;
}

bool chat_is_ready(struct screen *s)
{
	return status_has(s, CHAT_READY);
}

/* While a frame is drawn, from top to bottom, the cursor is elsewhere, and the status bar may still
 * say what it said before. */
static bool cursor_is_at_line(struct screen *s)
{
	int row = screen_cursor(s).row;

	while (row > 0 && strncmp(screen_row(s, row), "  ", 2) == 0) /* a line of several rows */
		row--;
	return strchr(">:", screen_row(s, row)[0]) != NULL;
}

void chat_wait_ready(struct screen *s)
{
	screen_sync(s); /* it may be ready from before */
	WAIT(s, cursor_is_at_line(s) && chat_is_ready(s));
}

bool chat_line_has(struct screen *s, const char *text)
{
	const char *line = screen_row(s, screen_cursor(s).row);

	return !strstr(line, CHAT_EMPTY) && strstr(line, text);
}

bool chat_line_is_empty(struct screen *s)
{
	const char *line = screen_row(s, screen_cursor(s).row);

	return strcmp(line, ">") == 0 || strstr(line, CHAT_EMPTY);
}

bool chat_shows(struct screen *s, const char *text)
{
	int row = screen_row_of(s, text);

	return row >= 0 && row < screen_cursor(s).row && !strstr(screen_row(s, row), CHAT_QUEUED);
}

void chat_say(struct screen *s, const char *text)
{
	screen_keys(s, text);
	WAIT(s, chat_line_has(s, text));
	screen_keys(s, "<Enter>");
	screen_sync(s); /* a line that is refused stays */
}

long chat_tokens_in_bar(struct screen *s, int n_ctx)
{
	const char *line = screen_row(s, s->rows - 2), *begin;
	char total[20];

	snprintf(total, sizeof(total), "/%d", n_ctx);
	begin = strstr(line, total);
	while (begin && begin > line && begin[-1] >= '0' && begin[-1] <= '9')
		begin--;
	return begin ? strtol(begin, NULL, 10) : -1;
}

void chat_send(struct screen *s, const char *keys)
{
	screen_keys(s, keys);
	chat_wait_ready(s);
}

void chat_ask(struct screen *s, const char *text)
{
	chat_say(s, text);
	chat_wait_ready(s);
}

void chat_paste(struct screen *s, const char *text, size_t len)
{
	enum { PASTED_MS = 20 }; /* keys that come so soon after a paste are part of it */
	VTermPos before = screen_cursor(s);
	char row[1024];

	snprintf(row, sizeof row, "%s", screen_row(s, before.row));
	screen_paste(s, text, len);
	WAIT(s, screen_cursor(s).row != before.row || screen_cursor(s).col != before.col ||
	        strcmp(screen_row(s, before.row), row) != 0);
	screen_quiet(s, 3 * PASTED_MS);
}

void chat_quit(struct screen *s)
{
	screen_keys(s, "<C-a><C-k>/quit<Enter>");
	screen_finish(s, 0);
}

void chat_expect_fresh(struct screen *s)
{
	unsigned n_clears;
	char *before, *after;
	VTermPos cursor_before, cursor_after;

	screen_keys(s, "<F12>"); /* does nothing; any key ends a message in the status bar */
	screen_quiet(s, 100);
	before = screen_snapshot(s);
	cursor_before = screen_cursor(s);
	n_clears = s->checker.n_clears;
	screen_scramble(s);
	screen_keys(s, "<C-l>");
	WAIT(s, s->checker.n_clears > n_clears);
	WAIT(s, !screen_has(s, "?scrambled?"));
	screen_quiet(s, 60);
	after = screen_snapshot(s);
	cursor_after = screen_cursor(s);
	if (strcmp(before, after) != 0)
		test_fail(__FILE__, __LINE__, "a fresh draw differs; there was:\n%s", before);
	EXPECT(cursor_before.row == cursor_after.row && cursor_before.col == cursor_after.col,
	       "the cursor was at %d,%d", cursor_before.row, cursor_before.col);
	free(before);
	free(after);
}

void chat_quit_fresh(struct screen *s)
{
	chat_expect_fresh(s);
	chat_quit(s);
}

static bool is_chat(const char *name)
{
	size_t len = strlen(name);

	return len > 5 && strcmp(name + len - 5, ".yaml") == 0;
}

size_t chat_n_journals(void)
{
	DIR *dir = opendir(screen_home("data/sotto/chats"));
	struct dirent *entry;
	size_t n = 0;

	while (dir && (entry = readdir(dir)) != NULL)
		n += is_chat(entry->d_name);
	if (dir)
		closedir(dir);
	return n;
}

char *chat_journal(void)
{
	DIR *dir = opendir(screen_home("data/sotto/chats"));
	struct timespec newest = {0};
	struct dirent *entry;
	char best[600] = "";
	size_t n;

	while (dir && (entry = readdir(dir)) != NULL) {
		char path[600];
		struct stat st;

		snprintf(path, sizeof(path), "%s/%s", screen_home("data/sotto/chats"), entry->d_name);
		if (!is_chat(entry->d_name) || stat(path, &st) != 0)
			continue;
		if (!best[0] || st.st_mtim.tv_sec > newest.tv_sec ||
		    (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec > newest.tv_nsec)) {
			newest = st.st_mtim;
			memcpy(best, path, sizeof(best));
		}
	}
	if (dir)
		closedir(dir);
	return best[0] ? test_read_file(best, &n) : NULL;
}

/* A backslash at the end of a line joins it with the next, without its blanks. */
static void unfold(char *text)
{
	char *to = text;

	for (const char *from = text; *from;) {
		if (from[0] == '\\' && from[1] == '\n') {
			from += 2;
			from += strspn(from, " ");
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

size_t chat_journal_count(const char *text)
{
	char *journal = chat_journal();
	size_t n = 0;

	if (journal)
		unfold(journal);
	for (const char *p = journal; p && (p = strstr(p, text)) != NULL; p += strlen(text))
		n++;
	free(journal);
	return n;
}

bool chat_journal_has(const char *text)
{
	return chat_journal_count(text) > 0;
}
