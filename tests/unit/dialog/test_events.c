#include <stdio.h>
#include <string.h>

#include "dialog/leaf.h"
#include "dialog/marks.h"
#include "dialog/model.h"
#include "dialog/recorded.h"
#include "talk.h"

TestSuite(dialog_events, .init = talk_begin, .fini = talk_end);

static const struct reply_run *run_of(uint32_t id)
{
	const struct node *node = tree_node(talk.tree, id);

	return node->n_runs ? &node->runs[node->n_runs - 1] : NULL;
}

Test(dialog_events, become_a_reply_with_its_run)
{
	talk_say("one");
	talk_reply("first");
	cr_assert_not_null(run_of(2));
	cr_expect_eq(run_of(2)->begin.seed, 1);
	cr_expect_str_eq(run_of(2)->ended, "end");
	cr_expect_eq(tree_node(talk.tree, 2)->state, NODE_COMPLETE);
	cr_expect(talk.turn.has_reply);
	cr_expect_eq(talk.turn.reply, 0);
}

static const struct {
	enum done_reason reason;
	enum node_state state;
} ends[] = {
	{DONE_END, NODE_COMPLETE}, {DONE_STOP, NODE_COMPLETE}, {DONE_LENGTH, NODE_COMPLETE},
	{DONE_CONTEXT, NODE_COMPLETE}, {DONE_EARLY, NODE_INTERRUPTED}, {DONE_FILTERED, NODE_COMPLETE},
	{DONE_CANCELLED, NODE_INTERRUPTED}, {DONE_ERROR, NODE_INTERRUPTED},
};

Test(dialog_events, end_a_reply_in_every_way)
{
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		const struct node *node;

		talk_say("again");
		talk_ask();
		talk_token("text");
		node = tree_node(talk.tree, talk.turn.reply);
		cr_expect_eq(node->state, NODE_STREAMING);
		cr_expect_eq(talk_done(ends[i].reason, STATUS_IO), TURN_HAS_ENDED);
		cr_expect_eq(node->state, ends[i].state, "%zu", i);
	}
}

Test(dialog_events, without_a_token_leave_no_reply)
{
	talk_say("one");
	talk_ask();
	cr_expect_eq(talk_done(DONE_CANCELLED, STATUS_OK), TURN_HAS_ENDED);
	cr_expect_not(talk.turn.has_reply);
	talk_expect_path("you: one");
}

/* Another reply stands beside the first; if it does not come, the first is back. */
Test(dialog_events, of_another_take)
{
	const struct node *old;

	talk_say("one");
	cr_expect(dialog_take_again(&talk, 0, &old), "a message without a reply is answered");
	cr_expect_null(old);
	talk_reply("first");
	cr_expect(dialog_take_again(&talk, 0, &old));
	cr_expect_eq(old->id, 2);
	cr_expect_eq(talk.turn.take, 1);
	talk_expect_path("you: one");
	cr_expect(dialog_turn_cannot_run(&talk));
	talk_expect_path("you: one|model: first");
	cr_expect(dialog_take_again(&talk, 2, &old));
	talk_ask();
	talk_done(DONE_CANCELLED, STATUS_OK);
	talk_expect_path("you: one|model: first");
	cr_expect(dialog_take_again(&talk, 0, &old));
	talk_reply("second");
	talk_expect_saved("you: one|model: second");
	talk_sampler.seed = 10;
	cr_expect(dialog_take_again(&talk, 1, &old));
	talk_ask();
	cr_expect_eq(talk_turn.turn.sampler.seed, 12, "a fixed seed is another one for each take");
	talk_done(DONE_CANCELLED, STATUS_OK);
}

Test(dialog_events, continue_a_reply)
{
	cr_expect_eq(dialog_continue(&talk), CONTINUE_NOTHING);
	talk_say("one");
	cr_expect_eq(dialog_continue(&talk), CONTINUE_UNANSWERED);
	talk_ask();
	talk_token("fir");
	talk_done(DONE_CANCELLED, STATUS_OK);
	cr_expect_eq(dialog_set_dropped(&talk, tree_node(talk.tree, 2), false, true), 1);
	cr_expect_eq(dialog_continue(&talk), CONTINUE_DROPPED);
	dialog_set_dropped(&talk, tree_node(talk.tree, 2), false, false);
	cr_expect_eq(dialog_continue(&talk), CONTINUE_WELL);
	talk_ask();
	cr_expect(talk_turn.turn.continued);
	talk_done(DONE_ERROR, STATUS_IO);
	cr_expect_eq(tree_node(talk.tree, 2)->state, NODE_INTERRUPTED, "as it was");
	cr_expect_eq(dialog_continue(&talk), CONTINUE_WELL);
	talk_reply("st");
	talk_expect_saved("you: one|model: first");
	cr_expect_eq(tree_node(talk.tree, 2)->state, NODE_COMPLETE);
}

Test(dialog_events, continue_only_where_the_model_can)
{
	talk_say("one");
	talk_reply("first");
	talk_model.capabilities = 0;
	cr_expect_eq(dialog_continue(&talk), CONTINUE_CANNOT);
	talk.model = NULL; /* none is loaded yet */
	cr_expect_eq(dialog_continue(&talk), CONTINUE_WELL);
}

/* ---- servers ---- */

static void expect_recorded(uint32_t id, size_t index, const char *texts, bool continued)
{
	struct chat_turn turn;
	struct error err;
	struct buf seen = {.max = 4096};

	cr_assert_eq(dialog_build_recorded_turn(&talk, tree_node(talk.tree, id), index, &turn, &err), STATUS_OK,
	             "%s", err.text);
	for (size_t i = 0; i < turn.turn.n_messages; i++)
		buf_printf(&seen, "%s%.*s", i ? "|" : "", (int)turn.turn.messages[i].len, turn.turn.messages[i].text);
	cr_expect_str_eq(buf_text(&seen), texts, "'%s'", buf_text(&seen));
	cr_expect_eq(turn.turn.continued, continued);
	cr_expect_eq(turn.turn.sampler.seed, 1);
	cr_expect_eq(turn.turn.reasoning.clock, tree_node(talk.tree, id)->runs[index].wish.clock);
	buf_free(&seen);
	chat_turn_free(&turn);
}

static void tell(const struct event *event)
{
	struct error err;

	cr_expect_eq(dialog_event(&talk, event, 0, &err), TURN_GOES_ON);
}

/* What a server was sent is told before the first token, and once more if it is sent again without what it refuses. */
static void tell_server_reply(const char *text, enum done_reason reason)
{
	struct event token = {.kind = EVENT_TOKEN, .u.token = {.id = -1, .bytes = text, .len = strlen(text)}};

	talk_ask();
	tell(&(struct event){.kind = EVENT_WAITING, .u.waiting = {"waiting", false}});
	tell(&(struct event){.kind = EVENT_SENT, .u.sent = "{\"top_k\":40}"});
	tell(&(struct event){.kind = EVENT_LEARNT, .u.model = &talk_model});
	tell(&(struct event){.kind = EVENT_SENT, .u.sent = "{}"});
	tell(&(struct event){.kind = EVENT_BEGIN, .u.begin = {.seed = 1}});
	token.u.token.n_generated = talk.turn.n_tokens + 1;
	tell(&token);
	talk_done(reason, STATUS_OK);
}

static void be_on_a_server(bool is)
{
	snprintf(talk_model.identity.server, sizeof talk_model.identity.server, "%s", is ? "box" : "");
	snprintf(talk_model.identity.model, sizeof talk_model.identity.model, "%s", is ? "org/big" : "");
}

Test(dialog_events, of_a_server_record_what_it_was_sent)
{
	be_on_a_server(true);
	talk_say("one");
	tell_server_reply("first", DONE_EARLY);
	cr_assert_not_null(run_of(2));
	cr_expect_str_eq(run_of(2)->sent, "{}");
	cr_expect_str_eq(run_of(2)->model.server, "box");
	cr_expect_str_eq(run_of(2)->model.model, "org/big");
	cr_expect_str_eq(run_of(2)->ended, "early");
	cr_expect_eq(tree_node(talk.tree, 2)->n_ids, 0);
	talk_expect_saved("you: one|model: first");
}

/* Who goes on with a reply may be another kind of model; the conversation is the same. */
Test(dialog_events, of_servers_and_files_mix)
{
	const struct node *reply;

	talk_say("one");
	talk_reply("fi");
	reply = tree_node(talk.tree, 2);
	cr_expect_eq(reply->n_ids, 1);
	be_on_a_server(true);
	cr_assert_eq(dialog_continue(&talk), CONTINUE_WELL);
	tell_server_reply("rs", DONE_EARLY);
	cr_expect_eq(reply->n_ids, 0);
	be_on_a_server(false);
	cr_assert_eq(dialog_continue(&talk), CONTINUE_WELL);
	cr_expect_eq(reply->state, NODE_INTERRUPTED);
	talk_reply("t");
	cr_expect(reply->n_ids == 0 && reply->n_reasoning_ids == 0 && reply->state == NODE_COMPLETE);
	cr_expect_eq(reply->n_runs, 3);
	cr_expect(run_is_remote(&reply->runs[1]) && !run_is_remote(&reply->runs[2]) && !reply->runs[2].sent);
	cr_expect_eq(reply->runs[2].from_text, 4);
	cr_expect_eq(reply->runs[2].from_id, 0);
	talk_say("two");
	talk_ask();
	cr_assert_eq(talk_turn.turn.n_messages, 3);
	cr_expect_eq(talk_turn.turn.messages[1].n_ids, 0, "its text alone is sent");
	cr_expect_str_eq(talk_turn.turn.messages[1].text, "first");
	talk_done(DONE_CANCELLED, STATUS_OK);
	talk_expect_saved("you: one|model: first|you: two");
	expect_recorded(2, 0, "one", false);
	expect_recorded(2, 2, "one|firs", true);
}

Test(dialog_events, follow_the_leaf)
{
	talk_say("one");
	talk_reply("first");
	talk_say("two");
	dialog_go_to(&talk, 2);
	talk_expect_saved("you: one|model: first");
	dialog_go_to(&talk, 3);
	talk_expect_saved("you: one|model: first|you: two");
}

Test(dialog_events, may_stop_before_the_end)
{
	talk_say("one");
	talk_ask();
	dialog_interrupt(&talk);
	talk_token("first");
	dialog_interrupt(&talk);
	cr_expect_eq(tree_node(talk.tree, 2)->state, NODE_INTERRUPTED);
	talk_expect_saved("you: one|model: first");
}

/* ---- summaries ---- */

static void refuse(void)
{
	static const bool left_out[] = {true, true, false};
	const struct event fitted = {.kind = EVENT_FITTED, .u.fitted = {left_out, 3}};
	struct error err;

	cr_expect_eq(dialog_event(&talk, &fitted, 0, &err), TURN_GOES_ON);
	cr_expect_eq(talk.turn.n_left_out, 2);
}

static void ask_summary(void)
{
	struct error err;

	chat_turn_free(&talk_turn);
	cr_assert_eq(dialog_build_summary_turn(&talk, &talk_turn, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(talk_turn.turn.n_messages, 3, "what falls out, and the question");
	cr_expect_eq(talk_turn.turn.policy, CONTEXT_STOP);
	dialog_summary_runs(&talk, 99);
}

Test(dialog_events, of_a_turn_that_wants_a_summary)
{
	talk_engine.context_policy = CONTEXT_SUMMARY;
	talk_say("one");
	talk_reply("first");
	talk_say("two");
	talk_ask();
	cr_expect_eq(talk_turn.turn.policy, CONTEXT_SUMMARY);
	refuse();
	cr_expect_eq(talk_done(DONE_ERROR, STATUS_CONTEXT), TURN_WANTS_SUMMARY);
	ask_summary();
	talk_token("all of it");
	cr_expect_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_SUMMARY);
	talk_ask();
	cr_expect_neq(talk_turn.turn.policy, CONTEXT_SUMMARY, "there is no second one");
	talk_token("second");
	talk_done(DONE_END, STATUS_OK);
	talk_expect_saved("you: one|model: first|you: two|system: Summary of the conversation so far: all of it|"
	                  "model: second");
	cr_expect_eq(dialog_find_summary(&talk)->sums_up, 2);
}

static const struct {
	enum done_reason reason;
	enum status status, told;
	bool stopped;
	const char *text;
} failures[] = {
	{DONE_END, STATUS_OK, STATUS_FORMAT, false, " "},
	{DONE_END, STATUS_OK, STATUS_CANCELLED, true, "all"},
	{DONE_CANCELLED, STATUS_OK, STATUS_CANCELLED, false, "all"},
	{DONE_EARLY, STATUS_OK, STATUS_IO, false, "all"},
	{DONE_FILTERED, STATUS_OK, STATUS_DECLINED, false, "all"},
	{DONE_ERROR, STATUS_CONTEXT, STATUS_CONTEXT, false, ""},
	{DONE_ERROR, STATUS_IO, STATUS_IO, false, ""},
};

/* The message stays, unanswered; nothing else is added. */
Test(dialog_events, of_a_summary_that_fails)
{
	talk_engine.context_policy = CONTEXT_SUMMARY;
	talk_say("one");
	talk_reply("first");
	for (size_t i = 0; i < sizeof failures / sizeof failures[0]; i++) {
		struct error done_error, err;
		const struct event done = {.kind = EVENT_DONE, .u.done.reason = failures[i].reason, .error = &done_error};

		dialog_go_to(&talk, 2);
		talk_say("two");
		talk_ask();
		refuse();
		cr_expect_eq(talk_done(DONE_ERROR, STATUS_CONTEXT), TURN_WANTS_SUMMARY);
		ask_summary();
		talk_token(failures[i].text);
		if (failures[i].stopped)
			dialog_stop_turn(&talk);
		error_set(&done_error, failures[i].status, "failed");
		cr_expect_eq(dialog_event(&talk, &done, 0, &err), TURN_HAS_NO_SUMMARY, "%zu", i);
		cr_expect_eq(err.status, failures[i].told, "%zu: %s", i, err.text);
		talk_expect_path("you: one|model: first|you: two");
	}
}

/* What was marked and added since does not count, and is there afterwards. */
Test(dialog_events, let_a_reply_be_asked_for_as_it_was_recorded)
{
	struct node *first;

	talk_say("one");
	talk_reply("first");
	talk_say("two");
	talk_reply("sec");
	cr_assert_eq(dialog_continue(&talk), CONTINUE_WELL);
	talk_reply("ond");
	first = tree_node(talk.tree, 1);
	cr_expect_eq(dialog_set_dropped(&talk, first, true, true), 2);
	expect_recorded(4, 0, "one|first|two", false);
	expect_recorded(4, 1, "one|first|two|sec", true);
	expect_recorded(2, 0, "one", false);
	cr_expect(first->dropped);
	cr_expect_str_eq(tree_node(talk.tree, 4)->text, "second");
	cr_expect_eq(tree_node(talk.tree, 4)->len, 6);
	cr_expect_eq(tree_node(talk.tree, 4)->n_ids, 2);
}

/* The chat's model may be a server's: whether that is there is seen when it is opened. */
Test(dialog_events, of_a_server_name_it_for_the_next_time)
{
	struct buf path = {.max = 1024};
	const char *name;
	struct error err;

	be_on_a_server(true);
	snprintf(talk_model.identity.file, sizeof talk_model.identity.file, "00000000000000aa");
	talk_say("one");
	tell_server_reply("first", DONE_END);
	cr_assert_eq(dialog_chat_model(&talk, &path, &name, &err), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(buf_text(&path), "server:box/org/big");
	cr_expect_str_eq(name, "model on box");
	cr_expect(dialog_choose_chat_model(&talk, &name, &err));
	cr_expect_str_eq(talk_engine.model, "server:box/org/big");
	buf_free(&path);
}
