#include "base/log.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"

static char folder[64], path[128];

static void begin(void)
{
	snprintf(folder, sizeof folder, "/tmp/sotto-log-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(path, sizeof path, "%s/log", folder);
}

static void end(void)
{
	unlink(path);
	rmdir(folder);
}

TestSuite(log, .init = begin, .fini = end);

/* What was logged, without the times. */
static void check(const char *expected)
{
	struct buf lines = {.max = KIB(64)};
	struct error err;
	size_t len;
	char *text;

	cr_assert_eq(sys_read_file(path, KIB(64), &text, &len, &err), STATUS_OK, "%s", err.text);
	for (char *at = text, *next; *at; at = next) {
		next = strchr(at, '\n') + 1;
		cr_assert_gt(next - at, 11, "%s", at);
		buf_append(&lines, at + 11, (size_t)(next - at) - 11);
	}
	cr_assert_str_eq(buf_text(&lines), expected);
	buf_free(&lines);
	free(text);
}

static struct log *make(const char *words)
{
	struct log *log;
	struct error err;

	cr_assert_eq(log_create(&log, path, &err), STATUS_OK);
	cr_assert_eq(log_use(log, words, &err), STATUS_OK, "%s", err.text);
	return log;
}

Test(log, has_lines_about_what_is_asked_for)
{
	struct log *log = make("engine,cache");
	struct stat st;

	log_line(log, LOG_ENGINE, "opened %d", 1);
	log_line(log, LOG_UI, "a key");
	log_line(log, LOG_CACHE, "kept\033[31m\n%s", "all");
	log_text(log, LOG_ENGINE, "prompt", "secret", 6);
	cr_assert(log_has(log, LOG_CACHE) && !log_has(log, LOG_SAMPLER) && !log_has_text(log));
	check("engine   opened 1\ncache    kept^[[31m all\n");
	cr_assert_eq(stat(path, &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
	log_free(log);
}

Test(log, has_text_only_if_that_is_asked_for)
{
	struct log *log = make("template,text");

	log_text(log, LOG_TEMPLATE, "prompt", "a\n\nb", 4);
	check("template prompt| a\ntemplate prompt| \ntemplate prompt| b\n");
	log_set_text(log, false);
	log_text(log, LOG_TEMPLATE, "prompt", "c", 1);
	check("template prompt| a\ntemplate prompt| \ntemplate prompt| b\n");
	log_free(log);
}

Test(log, may_be_changed)
{
	struct log *log = make("all");
	struct buf text = {.max = KIB(1)};
	char expected[256];
	struct error err;

	log_line(log, LOG_UI, "1");
	snprintf(expected, sizeof expected, "engine, cache, sampler, template, ui; to %s", path);
	log_describe(log, &text);
	cr_assert_str_eq(buf_text(&text), expected);
	cr_assert_eq(log_use(log, "off", &err), STATUS_OK);
	log_line(log, LOG_UI, "2");
	buf_clear(&text);
	log_describe(log, &text);
	cr_assert_str_eq(buf_text(&text), "nothing");
	cr_assert_eq(log_use(log, "ui,text", &err), STATUS_OK);
	log_line(log, LOG_UI, "3");
	check("ui       1\nui       3\n");
	buf_free(&text);
	log_free(log);
}

Test(log, stays_as_it_was_where_it_cannot_be_written)
{
	struct log *log = make("ui");
	struct error err;

	cr_assert_eq(log_use(log, "ui=/nowhere/log", &err), STATUS_IO);
	cr_assert(strstr(err.text, "cannot write the log /nowhere/log: ") != NULL, "%s", err.text);
	log_line(log, LOG_UI, "1");
	check("ui       1\n");
	log_free(log);
}

/* Lines in a chat would be damage to it. */
Test(log, is_not_added_to_what_is_no_log)
{
	struct log *log = make("ui");
	char other[160], words[200];
	struct error err;
	FILE *file;

	snprintf(other, sizeof other, "%s/chat.yaml", folder);
	snprintf(words, sizeof words, "ui=%s", other);
	cr_assert_not_null(file = fopen(other, "w"));
	fputs("--- # sotto\ntype: \"chat\"\n", file);
	fclose(file);
	cr_assert_eq(log_use(log, words, &err), STATUS_USAGE);
	cr_assert(strstr(err.text, "is no log: name another file"), "%s", err.text);
	log_line(log, LOG_UI, "1");
	log_free(log);
	log = make("ui"); /* what is one goes on */
	log_line(log, LOG_UI, "2");
	check("ui       1\nui       2\n");
	cr_assert_eq(unlink(other), 0);
	log_free(log);
}

Test(log, waits_for_nobody_to_read_it, .timeout = 60)
{
	struct log *log = make("ui");
	char pipe[160], words[200];
	struct error err;
	int fd;

	snprintf(pipe, sizeof pipe, "%s/pipe", folder);
	snprintf(words, sizeof words, "ui=%s", pipe);
	cr_assert_eq(mkfifo(pipe, 0600), 0);
	cr_assert_eq(log_use(log, words, &err), STATUS_IO);
	cr_assert_geq(fd = open(pipe, O_RDONLY | O_NONBLOCK), 0);
	cr_assert_eq(log_use(log, words, &err), STATUS_OK, "%s", err.text);
	for (int i = 0; i < 10000; i++) /* more than a pipe holds */
		log_line(log, LOG_UI, "%d", i);
	close(fd);
	cr_assert_eq(unlink(pipe), 0);
	log_free(log);
}

Test(log, words_are_checked)
{
	static const char *const good[] = {"ui", "all", "off", "text", "ui,cache=FILE", "all,text=a=b,c"};
	static const char *const bad[] = {"", "u", "ui,", ",ui", "off=FILE", "ui=", "ui cache", "ui,,cache", "=FILE"};
	struct error err;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		cr_expect_eq(log_check(good[i], &err), STATUS_OK, "%s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		cr_expect_eq(log_check(bad[i], &err), STATUS_USAGE, "%s", bad[i]);
	cr_assert_eq(log_check("kache", &err), STATUS_USAGE);
	cr_assert_str_eq(err.text, "found 'kache', expected engine, cache, sampler, template, ui, text or all, several with "
	                           "commas between them, or off");
}

Test(log, may_be_none)
{
	cr_assert(!log_has(NULL, LOG_UI) && !log_has_text(NULL));
	log_line(NULL, LOG_UI, "1");
	log_text(NULL, LOG_UI, "2", "3", 1);
	log_free(NULL);
}
