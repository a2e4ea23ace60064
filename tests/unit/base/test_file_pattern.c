#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file_pattern.h"
#include "base/limits.h"
#include "base/text_file.h"
#include "support/folder.h"

static char folder[40];
static struct error err;

static void enter_folder(void)
{
	static const char *const files[] = {"a.c", "b.c", "b.h", ".hidden.c", "src/c.c", "src/d e.c",
	                                    "src/deep/f.c", "src/deep/.git/g.c", "src/[x].c"};

	strcpy(folder, "/tmp/sotto-pattern-XXXXXX");
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
	cr_assert_eq(mkdir("src", 0700) | mkdir("src/deep", 0700) | mkdir("src/deep/.git", 0700) |
	             mkdir("src/folder.c", 0700), 0);
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		write_bytes(files[i], "x", 1);
	cr_assert_eq(symlink("..", "src/up"), 0);
	cr_assert_eq(symlink("c.c", "src/link.c"), 0);
}

static void leave_folder(void)
{
	remove_folder(folder);
}

TestSuite(file_pattern, .init = enter_folder, .fini = leave_folder, .timeout = 600);

static void expect(const char *pattern, const char *expected)
{
	struct name_list names = {.n = 0};
	struct buf all = {.max = KIB(4)};

	cr_assert_eq(file_pattern_expand(&names, pattern, 100, &err), STATUS_OK, "%s: %s", pattern, err.text);
	for (size_t i = 0; i < names.n; i++)
		buf_printf(&all, "%s%s", i ? "|" : "", names.items[i]);
	cr_assert_str_eq(buf_text(&all), expected, "%s: %s", pattern, buf_text(&all));
	name_list_free(&names);
	buf_free(&all);
}

Test(file_pattern, names_what_a_shell_would)
{
	char absolute[80], found[80];

	expect("a.c", "a.c");
	expect("none.c", "");
	expect("*.c", "a.c|b.c");
	expect("b.?", "b.c|b.h");
	expect("[ac].c", "a.c");
	expect(".*.c", ".hidden.c");
	expect("src/*.c", "src/[x].c|src/c.c|src/d e.c|src/link.c");
	expect("./src//c*", "./src/c.c");
	expect("*/deep/*", "src/deep/f.c");
	expect("src", "");
	expect("src/", "");
	expect("none/*", "");
	expect("src/\\[x].c", "src/[x].c");
	snprintf(absolute, sizeof absolute, "%s/s*/c.?", folder);
	snprintf(found, sizeof found, "%s/src/c.c", folder);
	expect(absolute, found);
}

/* Neither hidden folders nor links, which may lead in circles. */
Test(file_pattern, two_stars_are_any_number_of_folders)
{
	expect("**/*.c", "a.c|b.c|src/[x].c|src/c.c|src/d e.c|src/deep/f.c|src/link.c");
	expect("src/**", "src/[x].c|src/c.c|src/d e.c|src/deep/f.c");
	expect("**/deep/*.c", "src/deep/f.c");
	expect("src/**/f.c", "src/deep/f.c");
	expect("**/**/f.c", "src/deep/f.c");
	expect("a**", "a.c");
	expect("**/**", "a.c|b.c|b.h|src/[x].c|src/c.c|src/d e.c|src/deep/f.c");
}

/* A pasted text may begin with @ and be anything. */
Test(file_pattern, many_stars_are_as_one)
{
	enum { N = 1000000 };
	char *pattern = malloc(3 * N + 8);

	cr_assert_not_null(pattern);
	for (size_t i = 0; i < N; i++)
		memcpy(pattern + 3 * i, "**/", 3);
	strcpy(pattern + 3 * N, "f.c");
	expect(pattern, "src/deep/f.c");
	free(pattern);
}

Test(file_pattern, too_many_files_are_refused)
{
	struct name_list names = {.n = 0};

	cr_assert_eq(file_pattern_expand(&names, "**", 3, &err), STATUS_LIMIT);
	cr_assert_str_eq(err.text, "**: matches more than 3 files");
	name_list_free(&names);
	cr_assert(file_pattern_has_wildcards("a/?") && file_pattern_has_wildcards("[x]"));
	cr_assert_not(file_pattern_has_wildcards("a/b.c"));
}

Test(file_pattern, a_deep_tree_ends)
{
	struct name_list names = {.n = 0};
	char path[512] = "src";

	for (int i = 0; i < 100; i++) {
		strcat(path, "/d");
		cr_assert_eq(mkdir(path, 0700), 0);
	}
	cr_assert_eq(file_pattern_expand(&names, "**/d/f.c", 10, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(names.n, 0);
	name_list_free(&names);
}

static void expect_text(const char *bytes, size_t n, const char *expected)
{
	char *text;
	size_t len;

	write_bytes("t", bytes, n);
	cr_assert_eq(text_file_read("t", KIB(4), &text, &len, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(len, strlen(expected));
	cr_assert_str_eq(text, expected);
	free(text);
}

static void expect_refused(const char *bytes, size_t n, const char *why)
{
	char *text;
	size_t len;

	write_bytes("t", bytes, n);
	cr_assert_eq(text_file_read("t", KIB(4), &text, &len, &err), STATUS_FORMAT, "%s", why);
	cr_assert_not_null(strstr(err.text, why), "%s", err.text);
	cr_assert_eq(strncmp(err.text, "t: ", 3), 0);
}

#define BYTES(s) s, sizeof(s) - 1

Test(file_pattern, text_is_told_by_its_content)
{
	char *text;
	size_t len;

	expect_text(BYTES("plain\n"), "plain\n");
	expect_text(BYTES("\xef\xbb\xbfone\r\ntwo\rthree"), "one\ntwo\nthree");
	expect_text(BYTES("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
	expect_text(BYTES("\033[31mred\033[0m \f"), "\033[31mred\033[0m \f");
	/* A diff of files in two encodings: what is no UTF-8 is replaced, if it is little. */
	expect_text(BYTES("-caf\xe9 au lait\n+caf\xc3\xa9\r\n"), "-caf\xef\xbf\xbd au lait\n+caf\xc3\xa9\n");
	expect_text(BYTES("0123456789 \xe2\x9c\r\x93 0123456789 0123456789"),
	            "0123456789 \xef\xbf\xbd\n\xef\xbf\xbd 0123456789 0123456789");
	expect_refused(BYTES(""), "is empty");
	expect_refused(BYTES("\xef\xbb\xbf"), "is empty");
	expect_refused(BYTES("a\0b"), "a binary file, not text");
	expect_refused(BYTES("\177ELF\001\001\001"), "a binary file, not text");
	expect_refused(BYTES("gr\xfc\xdf e"), "not UTF-8");
	expect_refused(BYTES("\xff\xfeh\0i\0"), "UTF-16");
	expect_refused(BYTES("%PDF-1.7\n"), "pdftotext");
	cr_assert_eq(text_file_read("src", KIB(4), &text, &len, &err), STATUS_IO);
	cr_assert_eq(text_file_read("nothing", KIB(4), &text, &len, &err), STATUS_NOTFOUND);
	cr_assert_eq(mkfifo("pipe", 0600), 0);
	cr_assert_eq(text_file_read("pipe", KIB(4), &text, &len, &err), STATUS_IO, "it does not wait");
}

Test(file_pattern, a_long_file_is_refused_at_the_limit)
{
	char *bytes = malloc(KIB(4) + 1), *text;
	size_t len;

	memset(bytes, 'x', KIB(4) + 1);
	write_bytes("t", bytes, KIB(4));
	cr_assert_eq(text_file_read("t", KIB(4), &text, &len, &err), STATUS_OK, "%s", err.text);
	free(text);
	write_bytes("t", bytes, KIB(4) + 1);
	cr_assert_eq(text_file_read("t", KIB(4), &text, &len, &err), STATUS_LIMIT);
	cr_assert_str_eq(err.text, "t: is longer than the 4 KiB there is room for");
	free(bytes);
}
