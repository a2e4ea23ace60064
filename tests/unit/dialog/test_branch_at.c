/* Another reply that begins as one does. */
#include <string.h>

#include "dialog/branch_at.h"
#include "dialog/kept.h"
#include "dialog/leaf.h"
#include "talk.h"

static struct error err;

static void tell_token(int32_t id, const char *text, bool reasoning)
{
	const struct token_candidate candidates[] = {{.id = id, .logit = 2, .chosen_p = 1, .text = "x", .len = 1},
	                                             {.id = id + 100, .logit = 1, .text = " other", .len = 6}};
	const struct event event = {.kind = EVENT_TOKEN,
	                            .u.token = {.id = id, .bytes = text, .len = strlen(text), .reasoning = reasoning,
	                                        .candidates = candidates, .n_candidates = 2,
	                                        .n_generated = talk.turn.n_tokens + 1}};

	cr_expect_eq(dialog_event(&talk, &event, 1000000, &err), TURN_GOES_ON);
}

static void tell_begin(void)
{
	const struct event event = {.kind = EVENT_BEGIN, .u.begin = {.seed = 1}};

	cr_expect_eq(dialog_event(&talk, &event, 1000000, &err), TURN_GOES_ON);
}

/* "hm " is thought, "one two three" said, a token for each word. */
static void begin(void)
{
	talk_begin();
	talk_say("hello");
	talk_ask();
	tell_begin();
	tell_token(1, "hm ", true);
	tell_token(2, "one ", false);
	tell_token(3, "two ", false);
	tell_token(4, "three", false);
	cr_expect_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	talk_expect_path("you: hello|model: one two three");
}

TestSuite(dialog_branch_at, .init = begin, .fini = talk_end);

static void branch(size_t k, int32_t id)
{
	cr_assert_eq(dialog_branch_at(&talk, 2, k, id, " other", 6, &err), STATUS_OK, "%s", err.text);
	talk_ask();
	tell_begin();
}

Test(dialog_branch_at, asks_for_the_rest_behind_the_token)
{
	const struct message *last;

	branch(3, 104);
	last = &talk_turn.turn.messages[talk_turn.turn.n_messages - 1];
	cr_expect(talk_turn.turn.continued && talk_turn.turn.has_first);
	cr_expect_eq(talk_turn.turn.first, 104);
	cr_expect_eq(last->n_ids, 3);
	cr_expect_eq(last->n_reasoning_ids, 1);
	cr_expect(last->len == strlen("one two ") && memcmp(last->text, "one two ", last->len) == 0);
	cr_expect_eq(last->reasoning_len, strlen("hm "));
	tell_token(104, " other", false);
	cr_expect_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	talk_expect_path("you: hello|model: one two  other");
	talk_expect_saved("you: hello|model: one two  other");
	cr_expect_eq(tree_node(talk.tree, 3)->runs[0].from_id, 3);
	cr_expect(tree_node(talk.tree, 3)->runs[0].has_first && tree_node(talk.tree, 3)->runs[0].first == 104);
	cr_expect_eq(tree_node(talk.tree, 3)->n_ids, 4);
	cr_expect_str_eq(tree_node(talk.tree, 3)->reasoning, "hm ");
	cr_expect_eq(kept_n(dialog_kept_reply(&talk, 3)), 4);
	cr_expect_eq(kept_token(dialog_kept_reply(&talk, 3), 3)->id, 104);
	cr_expect_eq(kept_n(dialog_kept_reply(&talk, 2)), 4, "the old one's stay");
}

/* Blanks at the end of what is thought, say, which no token of the reply it comes from had. */
Test(dialog_branch_at, takes_what_was_held_back_before_it)
{
	struct event event = {.kind = EVENT_TOKEN, .u.token = {.id = 1, .bytes = "\n\n", .len = 2, .reasoning = true, .rest = true}};
	const struct kept_reply *kept;
	const struct node *reply;

	branch(1, 102);
	cr_expect_eq(dialog_event(&talk, &event, 1000000, &err), TURN_GOES_ON);
	tell_token(102, "so", true);
	cr_expect_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	reply = tree_node(talk.tree, 3);
	cr_expect_eq(reply->n_ids, 2);
	cr_expect_eq(reply->n_reasoning_ids, 2);
	cr_expect_str_eq(reply->reasoning, "hm \n\nso");
	cr_expect_eq(reply->runs[0].from_id, 1);
	kept = dialog_kept_reply(&talk, 3);
	cr_assert_not_null(kept);
	cr_assert_eq(kept_n(kept), 2);
	cr_expect_eq(kept_token(kept, 0)->n_bytes + kept_token(kept, 1)->n_bytes, reply->reasoning_len);
}

Test(dialog_branch_at, begins_anew_with_the_first_token)
{
	branch(0, 101);
	cr_expect(!talk_turn.turn.continued && talk_turn.turn.has_first && talk_turn.turn.first == 101);
	tell_token(101, "well", false);
	cr_expect_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	talk_expect_path("you: hello|model: well");
}

Test(dialog_branch_at, leaves_nothing_where_no_token_comes)
{
	branch(2, 103);
	cr_expect_eq(talk_done(DONE_CANCELLED, STATUS_OK), TURN_HAS_ENDED);
	talk_expect_path("you: hello|model: one two three");
	cr_expect_eq(tree_n(talk.tree), 2);
	talk_expect_saved("you: hello|model: one two three");
}

Test(dialog_branch_at, is_over_with_the_next_message)
{
	branch(2, 103);
	tell_token(103, "more", false);
	cr_expect_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	talk_say("and?");
	talk_ask();
	cr_expect(!talk_turn.turn.has_first && !talk_turn.turn.continued);
	cr_expect_eq(talk_turn.turn.n_messages, 3);
}

/* The ids mean nothing to a model that did not make the reply: the text does. */
Test(dialog_branch_at, goes_by_the_text_with_another_model)
{
	const struct message *last;

	strcpy(talk_model.identity.file, "another");
	branch(2, 103);
	last = &talk_turn.turn.messages[talk_turn.turn.n_messages - 1];
	cr_expect(talk_turn.turn.continued && !talk_turn.turn.has_first);
	cr_expect(last->len == strlen("one  other") && memcmp(last->text, "one  other", last->len) == 0);
	cr_expect_eq(last->n_ids, 0);
	tell_token(9, "wise", false);
	cr_expect_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	talk_expect_path("you: hello|model: one  otherwise");
	cr_expect_eq(kept_n(dialog_kept_reply(&talk, 3)), 4, "two, the one put there, and the new one");
}

Test(dialog_branch_at, says_what_cannot_be)
{
	cr_expect_eq(dialog_branch_at(&talk, 2, 4, 1, "x", 1, &err), STATUS_USAGE, "there is no such token");
	cr_expect_eq(dialog_branch_at(&talk, 1, 0, 1, "x", 1, &err), STATUS_USAGE, "it is no reply");
	strcpy(talk_model.identity.file, "another");
	cr_expect_eq(dialog_branch_at(&talk, 2, 1, 1, "\xe2\x96", 2, &err), STATUS_USAGE, "half a character");
	talk_model.capabilities = 0;
	cr_expect_eq(dialog_branch_at(&talk, 2, 1, 1, "x", 1, &err), STATUS_UNSUPPORTED);
	talk_expect_path("you: hello|model: one two three");
}
