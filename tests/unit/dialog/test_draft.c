#include <string.h>

#include "dialog/outgoing.h"
#include "talk.h"

TestSuite(dialog_draft, .init = talk_begin, .fini = talk_end);

static bool save(const char *line)
{
	return dialog_draft_save(&talk, NULL, line, strlen(line), false);
}

static void hold_anew(bool saved)
{
	struct opened chat;
	struct error err;

	cr_assert_eq(saved ? dialog_open_saved(&talk, NULL, &chat, &err) : dialog_open_new(&talk, &chat, &err), STATUS_OK,
	             "%s", err.text);
	dialog_hold(&talk, &chat);
}

static void expect_loaded(const char *expected)
{
	struct outgoing draft;

	dialog_draft_load(&talk, &draft);
	cr_expect_eq(draft.len, strlen(expected), "'%s'", draft.text ? draft.text : "");
	cr_expect_str_eq(draft.text ? draft.text : "", expected);
	outgoing_free(&draft);
}

/* After a pause, and in any case after ten seconds. */
Test(dialog_draft, is_written_when_nobody_types)
{
	dialog_draft_touch(&talk, 1000);
	cr_expect_eq(talk.draft.due, 2000);
	for (uint64_t now = 1500; now < 20000; now += 500)
		dialog_draft_touch(&talk, now);
	cr_expect_eq(talk.draft.due, 11000);
	save("text");
	cr_expect_eq(talk.draft.due, 0);
}

Test(dialog_draft, comes_back_with_the_chat)
{
	struct outgoing queued = {.text = strdup("queued"), .len = 6};

	talk_say("one");
	cr_expect_eq(dialog_queue_add(&talk, &queued), QUEUE_TAKEN);
	cr_expect(save("typed"));
	expect_loaded("queued\ntyped"); /* as after a crash */
	dialog_draft_keep(&talk, "typed", 5);
	dialog_draft_leave(&talk);
	cr_expect_eq(talk.queue.n, 0);
	hold_anew(false);
	hold_anew(true);
	expect_loaded("queued\ntyped"); /* the journal has it */
	talk_say("two");
	hold_anew(false);
	hold_anew(true);
	expect_loaded(""); /* a message ends it */
}

/* What is typed in a chat that never begins is found by the next process; here it is the same one. */
Test(dialog_draft, of_a_chat_without_messages_has_a_file_of_its_own)
{
	cr_expect(save("typed"));
	cr_expect_neq(talk.draft.key[0], '\0');
	cr_expect(dialog_draft_save(&talk, NULL, "", 0, true), "a command is in its way");
	cr_expect_neq(talk.draft.key[0], '\0');
	talk_say("one");
	cr_expect(save("more"));
	expect_loaded("more"); /* now it is the chat's */
	cr_expect(save(""));
	cr_expect_eq(talk.draft.key[0], '\0');
	expect_loaded("");
}

/* The chat has no message without it, and no draft then: the draft is already where it is to be looked for. */
Test(dialog_draft, has_a_refused_message_before_it_is_taken_back)
{
	struct dialog_sent sent;
	char key[DRAFT_KEY_MAX];

	talk_say("one");
	sent = talk.turn.sent;
	cr_expect(save("one"));
	memcpy(key, talk.draft.key, sizeof key);
	cr_expect(dialog_draft_save(&talk, &sent, "one", 3, false));
	cr_expect_str_neq(talk.draft.key, key, "it is not the chat's");
	cr_expect(talk.store.recorded, "nothing has been taken back");
	memcpy(key, talk.draft.key, sizeof key);
	cr_expect(dialog_take_back(&talk, &sent));
	cr_expect(save("one"));
	cr_expect_str_eq(talk.draft.key, key);
	talk_expect_path("");
}

Test(dialog_draft, is_not_written_where_chats_are_not_saved)
{
	talk.config.saves = false;
	cr_expect(save("typed"));
	cr_expect_eq(talk.draft.key[0], '\0');
}
