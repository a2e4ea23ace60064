#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>

#include "base/limits.h"
#include "base/sys.h"
#include "line/line_history.h"
#include "support/folder.h"

static char dir[64], path[128];

static void begin(void)
{
	strcpy(dir, "/tmp/sotto-history-XXXXXX");
	cr_assert_not_null(mkdtemp(dir));
	setenv("XDG_STATE_HOME", dir, 1);
	snprintf(path, sizeof path, "%s/sotto/history", dir);
}

static void end(void)
{
	remove_folder(dir);
}

TestSuite(line_history, .init = begin, .fini = end);

static const char *const lines[] = {"plain", "two\nlines", "back\\slash", "\\n is not a newline",
                                    "\346\227\245\346\234\254", "#123 no time stamp", "\\", " "};
enum { N_LINES = sizeof lines / sizeof lines[0] };

Test(line_history, comes_back_as_it_was)
{
	struct stat st;
	mode_t before = umask(0);

	cr_assert_eq(line_history_load(NULL), STATUS_OK);
	for (size_t i = 0; i < N_LINES; i++)
		cr_assert_eq(line_history_add(lines[i], true, NULL), STATUS_OK);
	umask(before);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_mode & 0777, 0600);
	clear_history();
	cr_assert_eq(line_history_load(NULL), STATUS_OK);
	cr_assert_eq(history_length, (int)N_LINES);
	for (int i = 0; i < N_LINES; i++)
		cr_expect_str_eq(history_get(history_base + i)->line, lines[i]);
}

Test(line_history, leaves_out_repetitions_and_what_is_not_to_be_kept)
{
	struct stat st;

	cr_assert_eq(line_history_load(NULL), STATUS_OK);
	cr_assert_eq(line_history_add("secret", false, NULL), STATUS_OK);
	cr_expect_neq(stat(path, &st), 0, "nothing is written");
	cr_expect_eq(history_length, 1);
	cr_assert_eq(line_history_add("a", true, NULL), STATUS_OK);
	cr_assert_eq(line_history_add("a", true, NULL), STATUS_OK);
	cr_expect_eq(history_length, 2);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_size, 2);
}

Test(line_history, an_entry_over_the_limit_stays_out_of_the_file)
{
	char *text = malloc(LINE_HISTORY_ENTRY_MAX + 1);
	struct stat st;

	cr_assert_not_null(text);
	memset(text, 'x', LINE_HISTORY_ENTRY_MAX);
	text[LINE_HISTORY_ENTRY_MAX - 1] = '\0'; /* with its newline exactly the limit */
	cr_assert_eq(line_history_load(NULL), STATUS_OK);
	cr_assert_eq(line_history_add(text, true, NULL), STATUS_OK);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_size, LINE_HISTORY_ENTRY_MAX);
	memset(text, 'y', LINE_HISTORY_ENTRY_MAX);
	text[LINE_HISTORY_ENTRY_MAX] = '\0';
	cr_assert_eq(line_history_add(text, true, NULL), STATUS_OK);
	cr_assert_eq(stat(path, &st), 0);
	cr_expect_eq(st.st_size, LINE_HISTORY_ENTRY_MAX);
	cr_expect_eq(history_length, 2);
	free(text);
}

Test(line_history, a_file_that_has_grown_too_long_is_cut_to_the_latest)
{
	size_t n = 2 * LINE_HISTORY_KEPT + 1, len, count = 0;
	char *text;
	FILE *file;

	cr_assert_eq(line_history_add("0", true, NULL), STATUS_OK); /* makes the directory */
	file = fopen(path, "w");
	cr_assert_not_null(file);
	for (size_t i = 0; i < n; i++)
		fprintf(file, "line %zu\n", i);
	fclose(file);
	clear_history();
	cr_assert_eq(line_history_load(NULL), STATUS_OK);
	cr_expect_eq(history_length, LINE_HISTORY_KEPT);
	cr_assert_eq(sys_read_file(path, MIB(1), &text, &len, NULL), STATUS_OK);
	for (size_t i = 0; i < len; i++)
		count += text[i] == '\n';
	cr_expect_eq(count, LINE_HISTORY_KEPT);
	cr_expect_eq(strncmp(text, "line 2001\n", 10), 0, "%.12s", text);
	free(text);
}

Test(line_history, a_damaged_file_gives_what_can_be_read)
{
	static const char bytes[] = "one\n\n\\\\\\n\\x\\\nlast without an end\\";

	cr_assert_eq(line_history_add("0", true, NULL), STATUS_OK);
	write_text(path, bytes);
	clear_history();
	cr_assert_eq(line_history_load(NULL), STATUS_OK);
	cr_assert_eq(history_length, 3);
	cr_expect_str_eq(history_get(history_base)->line, "one");
	cr_expect_str_eq(history_get(history_base + 1)->line, "\\\n\\x\\");
	cr_expect_str_eq(history_get(history_base + 2)->line, "last without an end\\");
}

Test(line_history, says_when_it_cannot_write)
{
	struct error err;

	setenv("XDG_STATE_HOME", "/dev/null", 1);
	cr_expect_neq(line_history_add("x", true, &err), STATUS_OK);
	cr_expect(strlen(err.text) > 0);
	cr_expect_eq(history_length, 1, "the list has it all the same");
}
