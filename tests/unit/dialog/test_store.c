#include <limits.h>
#include <stdio.h>

#include "talk.h"

TestSuite(dialog_store, .init = talk_begin, .fini = talk_end);

Test(dialog_store, has_a_message_before_it_is_asked_about)
{
	cr_expect_not(talk.store.recorded);
	talk_say("hello");
	cr_expect(talk.store.recorded);
	talk_expect_saved("you: hello");
	talk_reply("hi");
	talk_expect_saved("you: hello|model: hi");
	EXPECT_NO_FACTS();
	cr_expect_not(dialog_has_unsaved(&talk));
	cr_expect_eq(talk.store.retry_at, STORE_NEVER);
}

/* A failed write is told once, and tried again after 1, 2, 4 ... seconds, at most after a minute. */
Test(dialog_store, tries_again_what_could_not_be_written)
{
	uint64_t now = 5000, wait = 1000;

	talk_fails = true;
	talk_say("hello");
	EXPECT_FACTS(FACT_NOT_SAVED);
	cr_expect(dialog_has_unsaved(&talk));
	cr_expect_not(dialog_store_step(&talk, now), "the time is not known before");
	for (int i = 0; i < 8; i++) {
		cr_expect_eq(talk.store.retry_at, now + wait, "%d", i);
		cr_expect_not(dialog_store_step(&talk, talk.store.retry_at - 1));
		now = talk.store.retry_at;
		cr_expect(dialog_store_step(&talk, now));
		wait = wait * 2 < 60000 ? wait * 2 : 60000;
	}
	EXPECT_NO_FACTS();
	talk_reply("hi"); /* messages do not change when it is tried */
	cr_expect_eq(talk.store.retry_at, now + wait);
	EXPECT_NO_FACTS();
	talk_fails = false;
	cr_expect(dialog_store_step(&talk, talk.store.retry_at));
	EXPECT_FACTS(FACT_SAVED_AGAIN);
	cr_expect_eq(talk.store.retry_at, STORE_NEVER);
	talk_expect_saved("you: hello|model: hi");
}

static void copy(const char *name, const char *expected)
{
	char path[PATH_MAX];
	struct tree *tree;
	struct error err;
	size_t n_damaged;

	snprintf(path, sizeof path, "%s/%s", talk_folder(), name);
	cr_assert_eq(dialog_store_copy(&talk, path, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(journal_load(path, &tree, &n_damaged, NULL, &err), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(tree_node(tree, tree_leaf(tree))->text, expected);
	tree_free(tree);
}

Test(dialog_store, refuses_once_to_lose_messages)
{
	struct error err;

	cr_expect_not(dialog_refuses_to_lose(&talk));
	talk_fails = true;
	talk_say("hello");
	EXPECT_FACTS(FACT_NOT_SAVED);
	cr_expect(dialog_refuses_to_lose(&talk));
	cr_expect_not(dialog_refuses_to_lose(&talk), "the second time it is meant");
	talk_say("more");
	cr_expect(dialog_refuses_to_lose(&talk));
	cr_expect_neq(dialog_store_copy(&talk, "/none/chat.yaml", &err), STATUS_OK);
	cr_expect(dialog_has_unsaved(&talk), "there is no copy");
	copy("chat.yaml", "more");
	cr_expect_not(dialog_has_unsaved(&talk), "a copy has them");
	talk_ask();
	talk_token("he");
	copy("part.yaml", "he");
	cr_expect(dialog_has_unsaved(&talk), "the rest of the reply is not in the copy");
}

Test(dialog_store, names_the_chat)
{
	struct error err;

	cr_expect_eq(dialog_store_title(&talk, "plans", &err), STATUS_OK);
	cr_expect_str_eq(journal_get_title(talk.journal), "plans");
	cr_expect(talk.store.recorded);
	talk_fails = true;
	cr_expect_neq(dialog_store_title(&talk, "other plans", &err), STATUS_OK);
	EXPECT_FACTS(FACT_NOT_SAVED);
}
