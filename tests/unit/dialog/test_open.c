#include <stdlib.h>
#include <string.h>

#include "talk.h"

TestSuite(dialog_open, .init = talk_begin, .fini = talk_end);

static char *open_and_hold(const char *name)
{
	struct opened chat;
	struct error err;

	cr_assert_eq(dialog_open_saved(&talk, name, &chat, &err), STATUS_OK, "%s", err.text);
	cr_assert_not_null(chat.tree);
	cr_expect_eq(chat.n_damaged, 0);
	dialog_hold(&talk, &chat);
	EXPECT_FACTS(FACT_OPTIONS);
	return strdup(journal_id(talk.journal));
}

static void begin_anew(void)
{
	struct opened chat;
	struct error err;

	cr_assert_eq(dialog_open_new(&talk, &chat, &err), STATUS_OK, "%s", err.text);
	dialog_hold(&talk, &chat);
	EXPECT_FACTS(FACT_OPTIONS);
	cr_expect_not(talk.store.recorded);
}

Test(dialog_open, finds_a_chat_by_its_name_or_the_last)
{
	struct error err;
	struct opened chat;
	char *id, *same;

	cr_expect_eq(dialog_open_saved(&talk, NULL, &chat, &err), STATUS_NOTFOUND);
	talk_say("one");
	talk_reply("first");
	cr_assert_eq(dialog_open_saved(&talk, NULL, &chat, &err), STATUS_OK);
	cr_expect_null(chat.tree, "it is held already");
	cr_expect_eq(dialog_store_title(&talk, "plans", &err), STATUS_OK);
	begin_anew();
	id = open_and_hold("plans");
	talk_expect_path("you: one|model: first");
	talk_say("two");
	talk_expect_saved("you: one|model: first|you: two");
	begin_anew();
	cr_expect_neq(dialog_open_saved(&talk, "no such chat", &chat, &err), STATUS_OK);
	talk_expect_path("");
	same = open_and_hold("");
	cr_expect_str_eq(id, same);
	free(same);
	free(id);
}

/* Its lock, which is ours, does not matter. */
Test(dialog_open, reads_a_chat_that_is_held)
{
	struct opened chat;
	struct error err;

	talk_say("one");
	cr_assert_eq(dialog_open_read(journal_id(talk.journal), &chat, &err), STATUS_OK, "%s", err.text);
	cr_expect_null(chat.journal);
	dialog_hold(&talk, &chat);
	talk_expect_path("you: one");
	EXPECT_FACTS(FACT_OPTIONS);
}

Test(dialog_open, begins_another_chat_like_this_one)
{
	struct opened chat;
	struct error err;
	struct buf title = {.max = 1000};

	talk_say("one");
	talk_reply("first");
	talk_say("two");
	dialog_put_fork_title(&talk, &title);
	cr_expect_str_eq(buf_text(&title), "one (fork)");
	cr_assert_eq(dialog_open_fork(&talk, 2, &chat, &err), STATUS_OK, "%s", err.text);
	talk_expect_path("you: one|model: first|you: two");
	dialog_hold(&talk, &chat);
	dialog_store_tree(&talk, buf_text(&title));
	EXPECT_FACTS(FACT_OPTIONS);
	talk_expect_path("you: one|model: first");
	talk_expect_saved("you: one|model: first");
	cr_expect_str_eq(journal_get_title(talk.journal), "one (fork)");
	talk_say("other");
	talk_expect_saved("you: one|model: first|you: other");
	buf_free(&title);
}

Test(dialog_open, writes_nothing_where_chats_are_not_saved)
{
	struct opened chat;
	struct error err;

	talk_say("one");
	begin_anew();
	talk.config.saves = false;
	free(open_and_hold(NULL));
	dialog_close_journal(&talk);
	talk_say("two");
	talk_reply("second");
	talk_expect_path("you: one|you: two|model: second");
	cr_expect_not(dialog_has_unsaved(&talk));
	cr_assert_eq(dialog_open_new(&talk, &chat, &err), STATUS_OK);
	cr_expect_null(chat.journal);
	dialog_hold(&talk, &chat);
}
