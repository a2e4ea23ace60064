#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chat/attach.h"
#include "dialog/mention.h"
#include "talk.h"

static void begin(void)
{
	talk_begin();
	cr_assert_eq(chdir(talk_folder()), 0);
	chat_write("a.txt", "alpha\n", 6);
	chat_write("b.txt", "beta\n", 5);
	chat_write("c.bin", "\0\1\2", 3);
}

static void end(void)
{
	cr_assert_eq(chdir("/"), 0);
	talk_end();
}

TestSuite(dialog_files, .init = begin, .fini = end);

static void give(const char *names)
{
	struct attached files;
	struct error err;
	size_t n_left_out = 0;

	attached_init(&files);
	cr_assert_eq(attach_named(&files, names, strlen(names), &n_left_out, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(dialog_files_add(&talk.files, &files, &err), STATUS_OK, "%s", err.text);
	attached_free(&files);
}

static void expect_message(const char *words, const char *expected)
{
	struct outgoing message;
	struct error err;

	cr_assert_eq(dialog_files_join(&talk.files, words, strlen(words), &message, &err), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(message.text, expected, "'%s'", message.text);
	outgoing_free(&message);
}

Test(dialog_files, go_with_the_message)
{
	give("a.txt b.txt");
	cr_expect_eq(dialog_files_n(&talk.files), 2);
	chat_write("a.txt", "omega\n", 6);
	give("a.txt"); /* in the place of the old one */
	expect_message("look", "look\n\nFile: b.txt\n```\nbeta\n```\n\nFile: a.txt\n```\nomega\n```\n");
	dialog_files_remove(&talk.files, 0);
	expect_message("look", "look\n\nFile: a.txt\n```\nomega\n```\n");
	dialog_files_clear(&talk.files);
	expect_message("look", "look");
}

/* One after the other; what was counted for other lists, or by another model, is not believed. */
Test(dialog_files, are_counted)
{
	struct message block;

	cr_expect_not(dialog_files_next(&talk.files, 1, &block));
	give("a.txt b.txt");
	cr_expect(dialog_files_next(&talk.files, 1, &block));
	cr_expect_eq(strncmp(block.text, "File: a.txt\n", 12), 0);
	dialog_files_asked(&talk.files, true);
	cr_expect_not(dialog_files_next(&talk.files, 1, &block), "one at a time");
	cr_expect_str_eq(dialog_files_counted(&talk.files, 10, false)->name, "a.txt");
	cr_expect(dialog_files_next(&talk.files, 1, &block));
	cr_expect_eq(strncmp(block.text, "File: b.txt\n", 12), 0);
	dialog_files_asked(&talk.files, true);
	dialog_files_remove(&talk.files, 0);
	cr_expect_null(dialog_files_counted(&talk.files, 20, false));
	cr_expect(dialog_files_next(&talk.files, 1, &block));
	dialog_files_asked(&talk.files, true);
	cr_expect_not_null(dialog_files_counted(&talk.files, 20, false));
	cr_expect_eq(dialog_files_tokens(&talk.files), 20);
	cr_expect_not(dialog_files_next(&talk.files, 1, &block));
	cr_expect(dialog_files_next(&talk.files, 2, &block));
}

Test(dialog_files, that_could_not_be_counted_are_left_alone)
{
	struct message block;

	give("a.txt b.txt");
	for (int i = 0; i < 2; i++) {
		cr_expect(dialog_files_next(&talk.files, 1, &block));
		dialog_files_asked(&talk.files, true);
		dialog_files_not_counted(&talk.files);
		cr_expect_not(dialog_files_next(&talk.files, 1, &block));
		if (!i)
			dialog_files_remove(&talk.files, 0); /* other lists */
	}
	cr_expect(dialog_files_next(&talk.files, 2, &block), "another model");
}

static void update(const char *line)
{
	dialog_mentions_update(&talk, line, strlen(line));
}

Test(dialog_files, are_mentioned_in_the_line)
{
	update("see @a.txt, and @c.bin and @none.txt");
	cr_expect_eq(talk.files.mentioned.list.n, 1);
	update("see @a.txt and @b.txt.");
	cr_expect_eq(talk.files.mentioned.list.n, 2);
	give("a.txt"); /* it is not there twice */
	update("see @a.txt and @b.txt!");
	update("see @b.txt and @a.txt");
	cr_expect_eq(dialog_files_n(&talk.files), 2);
	update("see none");
	cr_expect_eq(talk.files.mentioned.list.n, 0);
}

static const struct {
	const char *line;
	bool doubted;
	enum status status;
} lines[] = {
	{"no mention", false, STATUS_OK},
	{"see @a.txt", true, STATUS_OK}, /* it was not shown yet */
	{"see @none.txt", true, STATUS_NOTFOUND},
	{"see @c.bin", true, STATUS_FORMAT},
	{"see @*.txt", true, STATUS_OK}, /* a pattern at the end */
	{"write to me@example.org", false, STATUS_OK},
};

Test(dialog_files, are_doubted_once)
{
	struct error err;

	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		const char *line = lines[i].line;

		dialog_files_clear(&talk.files);
		cr_expect_eq(dialog_mentions_doubt(&talk, line, strlen(line), &err), lines[i].doubted, "%s", line);
		cr_expect_eq(err.status, lines[i].status, "%s: %s", line, err.text);
		cr_expect_not(dialog_mentions_doubt(&talk, line, strlen(line), &err), "%s", line);
	}
}
