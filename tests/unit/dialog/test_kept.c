/* The candidates of a chat's replies, and their file: it comes and goes with the chat. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "dialog/kept.h"
#include "journal/beside.h"
#include "journal/trash.h"
#include "talk.h"

static void begin(void)
{
	static const bool yes = true;

	talk_begin();
	talk.config.keeps_candidates = &yes;
	talk_model.capabilities |= CAPABILITY_LOGITS;
}

TestSuite(dialog_kept, .init = begin, .fini = talk_end);

/* A token with two candidates, as the n-th of its turn. */
static void tell(int32_t id, uint32_t n, const char *text)
{
	struct token_candidate candidates[] = {
		{.id = id, .logit = 2, .probability = 0.75F, .chosen_p = 1, .text = "yes", .len = 3},
		{.id = 5, .logit = 1, .probability = 0.25F, .cut_by = "top-k", .text = "no", .len = 2}};
	struct event event = {.kind = EVENT_TOKEN, .u.token = {
		.id = id, .probability = 1, .bytes = text, .len = strlen(text), .n_generated = n, .log_sum = 2.5F,
		.candidates = candidates, .n_candidates = 2}};
	struct error err;

	cr_assert_eq(dialog_event(&talk, &event, n * 1000, &err), TURN_GOES_ON);
}

static void tell_begin(void)
{
	static const int32_t tail[] = {1, 2, 3};
	struct event event = {.kind = EVENT_BEGIN,
	                      .u.begin = {.seed = 1, .n_prompt = 3, .n_vocab = 100, .tail = tail, .n_tail = 3}};
	struct error err;

	cr_assert_eq(dialog_event(&talk, &event, 0, &err), TURN_GOES_ON);
}

static void reply_with_candidates(void)
{
	talk_say("well?");
	talk_ask();
	tell_begin();
	tell(7, 1, "ye");
	tell(8, 2, "s");
	cr_assert_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
}

static bool has_file(char path[PATH_MAX])
{
	return journal_beside(journal_path(talk.journal), path, PATH_MAX) && access(path, F_OK) == 0;
}

static void expect_kept(uint32_t node)
{
	const struct kept_reply *reply = dialog_kept_reply(&talk, node);
	size_t n, len;
	bool is_whole;

	cr_assert_not_null(reply);
	cr_assert_eq(kept_n(reply), 2);
	cr_expect_eq(kept_token(reply, 1)->id, 8);
	cr_expect_eq(kept_token(reply, 1)->us, 1000);
	cr_expect_eq(kept_token(reply, 0)->n_candidates, 2);
	cr_expect_str_eq(kept_cut_name(kept_token(reply, 0)->candidates[1].cut_by), "top-k");
	cr_expect_eq(kept_n_vocab(reply), 100);
	cr_expect_eq(kept_tail(reply, &n, &is_whole)[2], 3);
	cr_expect(is_whole);
	cr_expect(memcmp(kept_text(reply, 5, &len), "no", 2) == 0 && len == 2);
}

static void hold(struct opened *chat)
{
	dialog_hold(&talk, chat);
	EXPECT_FACTS(FACT_OPTIONS);
}

static void open_again(void)
{
	struct opened chat;
	struct error err;
	char path[PATH_MAX];

	snprintf(path, sizeof path, "%s", journal_path(talk.journal));
	cr_assert_eq(dialog_open_new(&talk, &chat, &err), STATUS_OK, "%s", err.text);
	hold(&chat);
	cr_assert_eq(dialog_open_saved(&talk, path, &chat, &err), STATUS_OK, "%s", err.text);
	hold(&chat);
}

Test(dialog_kept, comes_back_with_the_chat)
{
	char path[PATH_MAX];

	reply_with_candidates();
	cr_assert(has_file(path));
	expect_kept(2);
	open_again();
	expect_kept(2);
}

Test(dialog_kept, goes_on_with_a_reply)
{
	reply_with_candidates();
	open_again();
	talk_ask(); /* continues it */
	tell_begin();
	tell(9, 1, "!");
	cr_assert_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	open_again();
	cr_assert_eq(kept_n(dialog_kept_reply(&talk, 2)), 3);
	cr_expect_eq(kept_token(dialog_kept_reply(&talk, 2), 2)->id, 9);
}

/* What follows a beginning without candidates would be taken for its first tokens. */
Test(dialog_kept, keeps_no_rest_without_its_beginning)
{
	reply_with_candidates();
	dialog_kept_drop(&talk, 2);
	talk_ask();
	tell_begin();
	tell(9, 1, "!");
	cr_assert_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	cr_expect_null(dialog_kept_reply(&talk, 2));
}

Test(dialog_kept, is_not_missed)
{
	char path[PATH_MAX];

	reply_with_candidates();
	cr_assert(has_file(path));
	unlink(path);
	open_again();
	cr_expect_null(dialog_kept_reply(&talk, 2));
	talk_expect_path("you: well?|model: yes");
	reply_with_candidates();
	expect_kept(4);
	cr_expect(has_file(path));
}

/* Those of another reply than the chat has: it has been changed by hand, say. */
Test(dialog_kept, is_of_the_replies_that_the_chat_has)
{
	char path[PATH_MAX], aside[PATH_MAX];

	reply_with_candidates();
	cr_assert(has_file(path));
	snprintf(aside, sizeof aside, "%s/aside", talk_folder());
	cr_assert_eq(rename(path, aside), 0);
	open_again();
	talk_say("more");
	talk_reply("no");
	open_again();
	cr_assert_eq(rename(aside, path), 0);
	expect_kept(2);
	cr_expect_null(dialog_kept_reply(&talk, 4));
}

/* It is open in another sotto, whose file stays as it is. */
Test(dialog_kept, goes_into_the_copy_of_a_chat_in_use)
{
	struct opened chat;
	struct error err;
	char original[PATH_MAX], path[PATH_MAX], copy[PATH_MAX];
	struct stat before, after;
	int fd;

	reply_with_candidates();
	cr_assert(has_file(path));
	snprintf(original, sizeof original, "%s", journal_path(talk.journal));
	cr_assert_eq(stat(path, &before), 0);
	cr_assert_eq(dialog_open_new(&talk, &chat, &err), STATUS_OK);
	hold(&chat);
	fd = open(original, O_RDONLY);
	cr_assert(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0);
	cr_assert_eq(dialog_open_saved(&talk, original, &chat, &err), STATUS_OK, "%s", err.text);
	hold(&chat);
	expect_kept(2);
	reply_with_candidates();
	cr_assert(has_file(copy));
	cr_expect_str_neq(copy, path);
	cr_expect(stat(path, &after) == 0 && after.st_size == before.st_size);
	close(fd);
	open_again();
	expect_kept(2);
	expect_kept(4);
}

Test(dialog_kept, goes_into_a_fork)
{
	struct opened chat;
	struct error err;
	char path[PATH_MAX], fork[PATH_MAX];

	talk_say("first");
	talk_ask();
	cr_assert_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED); /* without a reply */
	reply_with_candidates();
	cr_assert(has_file(path));
	cr_assert_eq(dialog_open_fork(&talk, tree_leaf(talk.tree), &chat, &err), STATUS_OK);
	hold(&chat);
	dialog_store_tree(&talk, "fork");
	expect_kept(tree_leaf(talk.tree));
	cr_assert(has_file(fork));
	cr_expect_str_neq(path, fork);
	open_again();
	expect_kept(tree_leaf(talk.tree));
	cr_expect_eq(access(path, F_OK), 0);
}

Test(dialog_kept, goes_to_the_trash_and_back)
{
	struct journal_entry *entries;
	struct opened chat;
	struct error err;
	char chat_path[PATH_MAX], path[PATH_MAX], trashed[PATH_MAX];
	size_t n, n_removed;

	reply_with_candidates();
	cr_assert(has_file(path));
	snprintf(chat_path, sizeof chat_path, "%s", journal_path(talk.journal));
	cr_assert_eq(dialog_open_new(&talk, &chat, &err), STATUS_OK);
	hold(&chat);
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(trash_put(chat_path, &io_system, &err), STATUS_OK, "%s", err.text);
		cr_expect_neq(access(path, F_OK), 0);
		cr_assert_eq(trash_list(&entries, &n, &err), STATUS_OK);
		cr_assert_eq(n, 1);
		cr_assert(journal_beside(entries[0].path, trashed, sizeof trashed));
		cr_expect_eq(access(trashed, F_OK), 0);
		if (i == 0)
			cr_assert_eq(trash_restore(entries[0].path, &io_system, &err), STATUS_OK, "%s", err.text);
		else
			cr_assert_eq(trash_empty(entries, n, &n_removed, &io_system, &err), STATUS_OK);
		cr_expect_neq(access(trashed, F_OK), 0);
		cr_expect_eq(access(path, F_OK), i == 0 ? 0 : -1);
		journal_list_free(entries, n);
	}
}

/* The chat goes on in a file of another name. */
Test(dialog_kept, does_not_outlive_a_file_that_is_removed)
{
	char before[PATH_MAX], after[PATH_MAX];

	reply_with_candidates();
	cr_assert(has_file(before));
	cr_assert_eq(unlink(journal_path(talk.journal)), 0);
	reply_with_candidates();
	cr_assert(has_file(after));
	cr_expect_str_neq(before, after);
	cr_expect_neq(access(before, F_OK), 0);
	open_again();
	expect_kept(2);
	expect_kept(4);
}

/* There is no folder of chats for now. */
static void take_home(bool away)
{
	char aside[PATH_MAX];

	snprintf(aside, sizeof aside, "%s/away", talk_folder());
	cr_assert_eq(away ? rename(chat_folder(), aside) : remove(chat_folder()), 0);
	if (away)
		fclose(fopen(chat_folder(), "w"));
	else
		cr_assert_eq(rename(aside, chat_folder()), 0);
}

/* Says something more, which has to go into the rescue folder. */
static void go_aside(char path[PATH_MAX])
{
	take_home(true);
	talk_say("well?");
	dialog_store_retry(&talk);
	EXPECT_FACTS(FACT_NOT_SAVED, FACT_SAVED_ASIDE);
	talk_ask();
	tell_begin();
	tell(7, 1, "ye");
	tell(8, 2, "s");
	cr_assert_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	cr_assert(has_file(path));
}

/* Into the rescue folder and home again, in one session or, with nothing asked about it, in another one. */
static void come_home(bool is_closed)
{
	char home[PATH_MAX], aside[PATH_MAX], now[PATH_MAX];

	reply_with_candidates();
	cr_assert(has_file(home));
	go_aside(aside);
	cr_assert_str_neq(home, aside);
	if (is_closed)
		open_again();
	take_home(false);
	if (is_closed)
		open_again();
	talk_say("more");
	talk_reply("no");
	EXPECT_FACTS(FACT_SAVED_AGAIN);
	cr_expect(has_file(now));
	cr_expect_str_eq(now, home);
	cr_expect_neq(access(aside, F_OK), 0);
	open_again();
	expect_kept(2);
	expect_kept(4);
}

Test(dialog_kept, goes_to_the_rescue_folder_and_back)
{
	come_home(false);
}

Test(dialog_kept, comes_home_in_another_session)
{
	come_home(true);
}

Test(dialog_kept, stays_in_memory_where_nothing_is_saved)
{
	journal_close(talk.journal);
	talk.journal = NULL;
	reply_with_candidates();
	expect_kept(2);
}

Test(dialog_kept, asks_for_candidates_where_there_are_any)
{
	const bool no = false, *yes = talk.config.keeps_candidates;

	cr_expect_eq(dialog_kept_wanted(&talk), TOKEN_CANDIDATES_MAX);
	strcpy(talk_model.identity.server, "box");
	cr_expect_eq(dialog_kept_wanted(&talk), 20);
	talk.config.keeps_candidates = &no;
	cr_expect_eq(dialog_kept_wanted(&talk), 0);
	reply_with_candidates();
	cr_expect_null(dialog_kept_reply(&talk, 2));
	talk.config.keeps_candidates = yes;
	talk_model.capabilities &= ~(unsigned)CAPABILITY_LOGITS;
	cr_expect_eq(dialog_kept_wanted(&talk), 0);
}
