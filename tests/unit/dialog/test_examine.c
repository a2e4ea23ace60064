/* Going through a reply once more. */
#include <string.h>

#include "dialog/examine.h"
#include "dialog/kept.h"
#include "talk.h"

static struct error err;
static struct chat_turn turn;

static void begin(void)
{
	talk_begin();
	talk_model.capabilities |= CAPABILITY_LOGITS | CAPABILITY_IDS | CAPABILITY_EXAMINE;
	talk_say("hello");
	talk_reply("well");
	talk_say("and?");
	talk_reply("no more");
	dialog_kept_drop(&talk, 2);
}

static void end(void)
{
	chat_turn_free(&turn);
	talk_end();
}

TestSuite(dialog_examine, .init = begin, .fini = end);

static bool tell(enum event_kind kind, enum done_reason reason)
{
	struct event event = {.kind = kind, .turn = 70};

	if (kind == EVENT_BEGIN)
		event.u.begin = (struct turn_begin){.seed = 1};
	else if (kind == EVENT_TOKEN)
		event.u.token = (struct token){.id = 7, .bytes = "well", .len = 4};
	else
		event.u.done.reason = reason;
	return dialog_examine_event(&talk, &event);
}

/* The conversation up to that reply, which is to be gone through; the chat stays where it is. */
Test(dialog_examine, asks_for_the_reply_with_what_it_answered)
{
	cr_assert_eq(dialog_build_examine(&talk, 2, &turn, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(turn.turn.n_messages, 2);
	cr_expect_eq(turn.turn.messages[1].role, ROLE_ASSISTANT);
	talk_expect_path("you: hello|model: well|you: and?|model: no more");
}

/* As each of its turns sampled it, whatever is set now. */
Test(dialog_examine, asks_with_what_made_the_reply)
{
	struct node *reply = tree_node(talk.tree, 2);
	struct reply_run run = {.from_id = 1, .begin = {.seed = 9, .params = {.top_k = 4}}, .has_begun = true};
	const struct sampler_params params = {.top_k = 6};

	reply->runs[0].n_predict = 33;
	reply->runs[0].logit_bias = strdup("a+1");
	cr_assert(run_add_change(&reply->runs[0], 1, &params, 2));
	cr_assert_eq(tree_add_run(reply, &run), STATUS_OK);
	cr_assert_eq(dialog_build_examine(&talk, 2, &turn, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(turn.turn.n_predict, 33);
	cr_expect_str_eq(turn.turn.logit_bias, "a+1");
	cr_assert_eq(turn.turn.n_parts, 3);
	cr_expect(turn.turn.parts[0].from == 0 && turn.turn.parts[0].begins && turn.turn.parts[0].params.seed == 1);
	cr_expect(turn.turn.parts[1].from == 1 && !turn.turn.parts[1].begins && turn.turn.parts[1].params.top_k == 6);
	cr_expect(turn.turn.parts[2].from == 1 && turn.turn.parts[2].begins && turn.turn.parts[2].params.seed == 9);
}

Test(dialog_examine, keeps_what_is_told)
{
	dialog_examine_runs(&talk, 2, 70);
	cr_expect_not(tell(EVENT_BEGIN, DONE_END));
	cr_expect_not(tell(EVENT_TOKEN, DONE_END));
	cr_expect_eq(talk.examine.n_done, 1);
	cr_expect(tell(EVENT_DONE, DONE_END));
	cr_assert_not_null(dialog_kept_reply(&talk, 2));
	cr_expect_eq(kept_n(dialog_kept_reply(&talk, 2)), 1);
	talk_expect_path("you: hello|model: well|you: and?|model: no more");
	cr_expect_eq(talk.examine.turn, 0);
}

Test(dialog_examine, knows_what_the_user_chose)
{
	tree_node(talk.tree, 2)->runs[0].has_first = true;
	dialog_examine_runs(&talk, 2, 70);
	cr_expect_not(tell(EVENT_BEGIN, DONE_END));
	cr_expect_not(tell(EVENT_TOKEN, DONE_END));
	cr_expect_not(tell(EVENT_TOKEN, DONE_END));
	cr_expect(kept_token(dialog_kept_reply(&talk, 2), 0)->flags & KEPT_PICKED);
	cr_expect_not(kept_token(dialog_kept_reply(&talk, 2), 1)->flags & KEPT_PICKED);
}

Test(dialog_examine, keeps_nothing_of_a_part)
{
	dialog_examine_runs(&talk, 2, 70);
	cr_expect_not(tell(EVENT_BEGIN, DONE_END));
	cr_expect_not(tell(EVENT_TOKEN, DONE_END));
	cr_expect(tell(EVENT_DONE, DONE_CANCELLED));
	cr_expect_null(dialog_kept_reply(&talk, 2));
}

Test(dialog_examine, says_what_cannot_be)
{
	cr_expect_eq(dialog_build_examine(&talk, 1, &turn, &err), STATUS_USAGE, "it is no reply");
	tree_node(talk.tree, 2)->dropped = true;
	cr_expect_eq(dialog_build_examine(&talk, 2, &turn, &err), STATUS_USAGE, "it is not sent");
	tree_node(talk.tree, 2)->dropped = false;
	talk_model.capabilities &= ~(unsigned)CAPABILITY_EXAMINE;
	cr_expect_eq(dialog_build_examine(&talk, 2, &turn, &err), STATUS_UNSUPPORTED);
}

/* Before the model went on, the user had written the beginning. */
Test(dialog_examine, knows_what_the_user_wrote)
{
	struct node *reply = tree_node(talk.tree, 2);
	const struct kept_reply *kept;

	reply->runs[0].from_text = 4;
	dialog_examine_runs(&talk, 2, 70);
	cr_assert_not(tell(EVENT_BEGIN, DONE_END));
	cr_assert_not(tell(EVENT_TOKEN, DONE_END));
	cr_assert_not(tell(EVENT_TOKEN, DONE_END));
	kept = dialog_kept_reply(&talk, 2);
	cr_assert_eq(kept_n(kept), 2);
	cr_expect(kept_token(kept, 0)->flags & KEPT_PICKED);
	cr_expect_not(kept_token(kept, 1)->flags & KEPT_PICKED, "the model went on");
}
