#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "talk.h"

TestSuite(dialog_queue, .init = talk_begin, .fini = talk_end);

static enum queue_answer add(const char *text)
{
	struct outgoing message = {.text = strdup(text), .len = strlen(text)};
	enum queue_answer answer = dialog_queue_add(&talk, &message);

	cr_expect_eq(!message.text, answer == QUEUE_TAKEN, "what is not taken is the caller's");
	outgoing_free(&message);
	return answer;
}

static void expect_joined(const char *expected)
{
	struct attached files;
	struct buf words = {.max = 1000};

	attached_init(&files);
	cr_expect_eq(dialog_queue_join(&talk, &words, &files), STATUS_OK);
	cr_expect_str_eq(buf_text(&words), expected);
	buf_free(&words);
	attached_free(&files);
}

Test(dialog_queue, keeps_the_order)
{
	struct outgoing other = {.text = strdup("two!"), .len = 4};
	struct node node = {.text = (char *)"zero", .len = 4};
	struct error err;

	add("one");
	add("two");
	add("three");
	cr_expect_eq(dialog_edit_queued(&talk, 2, &err), STATUS_OK);
	expect_joined("one\nthree");
	cr_expect_eq(dialog_queue_replace(&talk, &other), QUEUE_TAKEN);
	cr_expect(dialog_queue_put_first(&talk, &node));
	cr_expect_str_eq(dialog_queue_edited(&talk)->text, "two!", "the same is edited");
	dialog_queue_remove(&talk, 0);
	cr_expect_eq(talk.edit.queued, 2);
	dialog_queue_remove(&talk, 1);
	cr_expect_null(dialog_queue_edited(&talk));
	expect_joined("one\nthree");
}

/* All of it fits one message, and with it the input line. */
Test(dialog_queue, has_limits)
{
	char *long_text = malloc(LIMIT_MESSAGE);

	memset(long_text, 'x', LIMIT_MESSAGE);
	long_text[LIMIT_MESSAGE - 2] = '\0';
	cr_expect_eq(add("one"), QUEUE_TAKEN);
	cr_expect_eq(add(long_text), QUEUE_IS_TOO_LONG);
	long_text[LIMIT_MESSAGE - 6] = '\0';
	cr_expect_eq(add(long_text), QUEUE_TAKEN);
	dialog_queue_clear(&talk);
	for (int i = 0; i < QUEUE_MAX; i++)
		cr_expect_eq(add("a"), QUEUE_TAKEN);
	cr_expect_eq(add("a"), QUEUE_IS_FULL);
	free(long_text);
}
