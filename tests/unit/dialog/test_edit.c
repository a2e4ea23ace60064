#include <string.h>

#include "dialog/leaf.h"
#include "dialog/outgoing.h"
#include "talk.h"

static void give(const char *name)
{
	struct attached file;
	struct error err;

	attached_init(&file);
	cr_assert_eq(attached_add(&file, name, "x", 1, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(dialog_files_add(&talk.files, &file, &err), STATUS_OK, "%s", err.text);
	attached_free(&file);
}

/* "a b": the given files. */
static void expect_files(const char *expected)
{
	struct buf names = {.max = 100};

	for (size_t i = 0; i < talk.files.given.list.n; i++)
		buf_printf(&names, "%s%s", i ? " " : "", talk.files.given.list.items[i].name);
	cr_expect_str_eq(buf_text(&names), expected, "'%s'", buf_text(&names));
	buf_free(&names);
}

static void edit_message(uint32_t message)
{
	struct error err;

	cr_assert_eq(dialog_edit_message(&talk, message, tree_node(talk.tree, message), &err), STATUS_OK, "%s", err.text);
	cr_expect(talk.edit.message == message && !talk.edit.queued, "one at a time");
}

static void edit_queued(size_t number)
{
	struct error err;

	cr_assert_eq(dialog_edit_queued(&talk, number, &err), STATUS_OK, "%s", err.text);
	cr_expect(talk.edit.queued == number && !talk.edit.message, "one at a time");
}

/* A message in the chat with a file, one in the queue with another, and a file for the next one. */
static void begin(void)
{
	struct outgoing message;
	struct error err;

	talk_begin();
	give("sent");
	cr_assert_eq(dialog_files_join(&talk.files, "one", 3, &message, &err), STATUS_OK);
	cr_assert_eq(dialog_send(&talk, &message, &err), STATUS_OK, "%s", err.text);
	outgoing_free(&message);
	talk_reply("first");
	dialog_files_clear(&talk.files);
	give("queued");
	cr_assert_eq(dialog_files_join(&talk.files, "two", 3, &message, &err), STATUS_OK);
	cr_assert_eq(dialog_queue_add(&talk, &message), QUEUE_TAKEN);
	dialog_files_clear(&talk.files);
	give("next");
}

TestSuite(dialog_edit, .init = begin, .fini = talk_end);

Test(dialog_edit, sets_the_files_of_the_next_message_aside)
{
	edit_message(1);
	expect_files("sent");
	edit_queued(1);
	expect_files("queued");
	edit_message(1);
	expect_files("sent");
	dialog_edit_end(&talk);
	cr_expect_not(dialog_is_editing(&talk));
	expect_files("next");
	dialog_edit_end(&talk);
	expect_files("next");
}

/* What a command does with files meanwhile is about the next message. */
Test(dialog_edit, goes_on_behind_a_command_that_fails)
{
	struct dialog_edit_paused paused;

	for (int has_failed = 0; has_failed < 2; has_failed++) {
		edit_message(1);
		dialog_edit_pause(&talk, &paused);
		cr_expect_not(dialog_is_editing(&talk));
		expect_files("next");
		dialog_edit_resume(&talk, &paused, has_failed);
		cr_expect_eq(talk.edit.message, has_failed ? 1 : 0);
		expect_files(has_failed ? "sent" : "next");
	}
	dialog_edit_end(&talk);
	expect_files("next");
	edit_message(1);
	dialog_edit_pause(&talk, &paused);
	edit_queued(1);
	dialog_edit_resume(&talk, &paused, true);
	cr_expect_eq(talk.edit.queued, 1);
	expect_files("queued");
}

/* The files of the message that was edited are kept, too. */
Test(dialog_edit, can_become_a_new_message)
{
	edit_queued(1);
	give("more");
	dialog_edit_to_new(&talk);
	cr_expect_not(dialog_is_editing(&talk));
	expect_files("queued more next");
	edit_message(1);
	dialog_edit_end(&talk);
	expect_files("queued more next");
}

/* The message may be none of the path's there; one of the queue is on none. */
Test(dialog_edit, of_a_message_of_the_chat_ends_where_the_path_changes)
{
	edit_message(1);
	dialog_go_to(&talk, 1);
	cr_expect_not(dialog_is_editing(&talk));
	expect_files("next");
	edit_queued(1);
	dialog_go_to(&talk, 2);
	cr_expect_eq(talk.edit.queued, 1);
	expect_files("queued");
	cr_expect_eq(dialog_continue(&talk), CONTINUE_WELL);
	cr_expect_eq(talk.edit.queued, 1);
	edit_message(1);
	cr_expect_eq(dialog_continue(&talk), CONTINUE_WELL);
	cr_expect_not(dialog_is_editing(&talk));
}

Test(dialog_edit, ends_with_its_message_in_the_queue)
{
	edit_queued(1);
	dialog_queue_remove(&talk, 0);
	cr_expect_not(dialog_is_editing(&talk));
	expect_files("next");
}

Test(dialog_edit, ends_with_the_chat)
{
	struct opened chat;

	edit_message(1);
	cr_assert_eq(dialog_open_new(&talk, &chat, NULL), STATUS_OK);
	dialog_hold(&talk, &chat);
	cr_expect_not(dialog_is_editing(&talk));
	expect_files("next");
}
