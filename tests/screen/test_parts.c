/* Getting about in the transcript: from message to message, and through the code blocks and links of a
 * picked one, which are copied and opened. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "screen/chat.h"

static const char reply[] = "Two ways:\n\n```sh\nls -l\n```\n\nSee [the page](https://a.example/x?y=1&z=2) or "
                            "[this](javascript:alert), or https://b.example.\n\n- a list:\n\n  ```c\n  int x;\n  ```\n\n"
                            "the end";

static struct screen *open_with_reply(const char *env)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:mode=echo,tokens=100000,n_ctx=100000",
	                             .cols = 120, .rows = 40, .env = {env});

	s->checker.wants_copies = true;
	chat_paste(s, reply, strlen(reply));
	SEND_WAIT(s, "<Enter>", chat_journal_has("state: \"complete\""));
	return s;
}

static void expect_copied(const struct screen *s, const char *text)
{
	const struct buf *copied = &s->checker.copied.text;

	EXPECT(strcmp(buf_text(copied), text) == 0, "copied '%s'", buf_text(copied));
}

/* The text stands somewhere in reverse. */
static bool is_reversed(struct screen *s, const char *text)
{
	for (int row = 0; row < screen_cursor(s).row; row++) {
		int col = screen_col_of(s, row, text);

		if (col >= 0 && screen_cell(s, row, col).attrs.reverse)
			return true;
	}
	return false;
}

static void test_copying(void)
{
	struct screen *s = open_with_reply(NULL);

	EXPECT(screen_has(s, " 2 \xe2\x94\x80\xe2\x94\x80\n  int x;"), "the blocks' numbers");
	PRESS_QUIET(s, "<Tab>", 30); /* nothing is picked: readline's */
	PRESS_SHOWS(s, "<M-Up>", "Alt+R another reply");
	PRESS_SHOWS(s, "<Enter>", "copied the picked message: ");
	expect_copied(s, reply);
	PRESS_SHOWS(s, "<Tab>", "code block 1 (sh): Enter copies it, /write 1 FILE writes it");
	WAIT(s, is_reversed(s, "ls -l"));
	PRESS_SHOWS(s, "<Enter>", "copied code block 1 (sh): 5 characters");
	expect_copied(s, "ls -l");
	PRESS_SHOWS(s, "<BackTab>", "the whole message: Enter copies it");
	PRESS_SHOWS(s, "<BackTab>", "code block 2 (c): Enter copies it");
	WAIT(s, is_reversed(s, "int x;") && !is_reversed(s, "ls -l"));
	PRESS_SHOWS(s, "<Enter>", "copied code block 2 (c): 6 characters");
	expect_copied(s, "int x;");
	screen_keys(s, "<Tab><Tab><Tab>"); /* the message, block 1, the first link */
	WAIT_TEXT(s, "a link: Enter opens a.example, Alt+Y copies the address: https://a.example/x?y=1&z=2");
	WAIT(s, is_reversed(s, "See the page"));
	PRESS_SHOWS(s, "<M-y>", "copied the address: 27 characters");
	expect_copied(s, "https://a.example/x?y=1&z=2");
	PRESS_SHOWS(s, "<Tab>", "this link is not opened (only http, https and mailto are)");
	screen_keys(s, "<Enter>");
	WAIT_TEXT(s, "only http, https and mailto links are opened; Alt+Y copies the address");
	PRESS_WAIT(s, "<Esc>", !is_reversed(s, "See the page")); /* the message itself */
	PRESS_SHOWS(s, "<M-Up>", "Alt+E edit"); /* the message above, which has the same parts */
	PRESS_SHOWS(s, "/copy 2<Enter>", "copied code block 2 (c)");
	PRESS_QUIET(s, "<Esc>", 100); /* a key right behind it would be Alt and that key */
	PRESS_SHOWS(s, "/copy<Enter>", "copied the last reply");
	chat_quit_fresh(s);
}

/* A program that writes its arguments to a file. */
static const char *browser(char *env, size_t size, int status)
{
	const char *path = test_path("browser");
	FILE *file = fopen(path, "w");

	fprintf(file, "#!/bin/sh\nprintf '%%s|' \"$@\" >> %s\nexit %d\n", test_path("opened"), status);
	fclose(file);
	chmod(path, 0755);
	snprintf(env, size, "BROWSER=/nowhere/b:%s --new %%s", test_path("browser"));
	return env;
}

static bool has_opened(const char *arguments)
{
	char text[256] = "";
	FILE *file = fopen(test_path("opened"), "r");

	if (file) {
		text[fread(text, 1, sizeof text - 1, file)] = '\0';
		fclose(file);
	}
	return strcmp(text, arguments) == 0;
}

static void test_opening(void)
{
	char env[1024];
	struct screen *s = open_with_reply(browser(env, sizeof env, 0));

	PRESS_SHOWS(s, "<M-Up><Tab><Tab>", "a link: Enter opens a.example");
	PRESS_SHOWS(s, "<Enter>", "Enter again opens a.example");
	EXPECT(has_opened(""), "never by itself");
	PRESS_SHOWS(s, "<Enter>", "opened with browser: https://a.example/x?y=1&z=2");
	WAIT(s, has_opened("--new|https://a.example/x?y=1&z=2|"));
	PRESS_SHOWS(s, "<Tab><Tab>", "a link: Enter opens b.example");
	PRESS_SHOWS(s, "<Enter>", "opened with browser: https://b.example"); /* asked for once */
	WAIT(s, has_opened("--new|https://a.example/x?y=1&z=2|--new|https://b.example|"));
	chat_quit_fresh(s);
}

static void test_opening_fails(void)
{
	char env[1024];
	struct screen *s = open_with_reply(browser(env, sizeof env, 3));

	PRESS_SHOWS(s, "<M-Up><Tab><Tab>", "a link: Enter opens a.example");
	PRESS_SHOWS(s, "<Enter>", "Enter again opens a.example");
	screen_keys(s, "<Enter>");
	WAIT_TEXT(s, "browser could not open it (exit status 3); Alt+Y copies the address");
	chat_quit(s);
}

/* The place in the bar, and from message to message. */
static void test_moving(void)
{
	struct screen *s = CHAT_OPEN(.model = "synthetic:mode=echo,tokens=100000,n_ctx=100000",
	                             .rows = 12);
	char text[64];

	for (int i = 1; i <= 3; i++) {
		snprintf(text, sizeof text, "A%d<C-j>b<C-j>c<C-j>d<C-j>e<C-j>f<C-j>g<C-j>END%d<Enter>", i, i);
		screen_keys(s, text);
		snprintf(text, sizeof text, "END%d", i);
		WAIT(s, chat_is_ready(s) && screen_has(s, text));
		screen_quiet(s, 60);
		chat_wait_ready(s);
	}
	WAIT_GONE(s, "%"); /* no place at the end */
	screen_keys(s, "draft<M-PgUp>"); /* also with something in the line */
	WAIT(s, strncmp(screen_row(s, 1), "A3", 2) == 0);
	WAIT_TEXT(s, "%");
	screen_keys(s, "<M-PgUp>");
	WAIT(s, strncmp(screen_row(s, 0), "You", 3) == 0 && strncmp(screen_row(s, 1), "A3", 2) == 0);
	PRESS_SHOWS(s, "<C-Home>", " 0%");
	screen_keys(s, "<M-PgDn>");
	WAIT(s, strncmp(screen_row(s, 0), "synthetic", 9) == 0 && strncmp(screen_row(s, 1), "A1", 2) == 0);
	screen_keys(s, "<M-PgDn>");
	WAIT(s, strncmp(screen_row(s, 0), "You", 3) == 0 && strncmp(screen_row(s, 1), "A2", 2) == 0);
	PRESS_HIDES(s, "<C-End>", "%");
	EXPECT(screen_has(s, "END3") && chat_line_has(s, "draft"), " ");
	chat_quit_fresh(s);
}

int main(int argc, char **argv)
{
	static const struct screen_test tests[] = {
		{"copying", test_copying, 0},
		{"opening", test_opening, 0},
		{"opening-fails", test_opening_fails, 0},
		{"moving", test_moving, 0},
	};

	return run_tests(argc, argv, tests, sizeof(tests) / sizeof(tests[0]));
}
