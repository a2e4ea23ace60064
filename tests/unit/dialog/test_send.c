#include <stdio.h>
#include <string.h>

#include "dialog/outgoing.h"
#include "talk.h"

TestSuite(dialog_send, .init = talk_begin, .fini = talk_end);

static bool send_edited(uint32_t message, const char *text)
{
	struct outgoing outgoing = {.text = (char *)text, .len = strlen(text)};
	struct error err;
	bool asks;

	cr_assert_eq(dialog_edit_message(&talk, message, tree_node(talk.tree, message), &err), STATUS_OK);
	cr_assert_eq(dialog_send_edited(&talk, &outgoing, &asks, &err), STATUS_OK, "%s", err.text);
	dialog_edit_end(&talk);
	return asks;
}

/* What comes with a model is used where nobody has set anything, "" too. */
Test(dialog_send, begins_a_chat_with_the_models_system_message)
{
	snprintf(talk_model.system, sizeof talk_model.system, "be a model");
	cr_assert_str_eq(dialog_system_message(&talk), "be a model");
	talk.config.system_prompt = "";
	cr_assert_str_eq(dialog_system_message(&talk), "");
	talk.config.system_prompt = "be kind";
	cr_assert_str_eq(dialog_system_message(&talk), "be kind");
	talk.config.system_prompt = NULL;
	talk.config.is_raw = true;
	cr_assert_null(dialog_system_message(&talk));
	talk.config.is_raw = false;
	talk_say("one");
	talk_expect_path("system: be a model|you: one");
}

Test(dialog_send, begins_a_chat_with_the_system_prompt)
{
	talk.config.system_prompt = "be kind";
	cr_expect_str_eq(dialog_system_message(&talk), "be kind");
	talk_say("one");
	talk_say("two");
	talk_expect_path("system: be kind|you: one|you: two");
	talk_expect_saved("system: be kind|you: one|you: two");
}

Test(dialog_send, puts_another_wording_beside_the_old_one)
{
	talk_say("one");
	talk_reply("first");
	talk_say("two");
	talk_reply("second");
	cr_expect(send_edited(3, "two!"));
	talk_expect_path("you: one|model: first|you: two!");
	talk_reply("third");
	talk_expect_saved("you: one|model: first|you: two!|model: third");
	cr_expect_eq(tree_n(talk.tree), 6, "nothing is lost");
}

Test(dialog_send, refuses_a_changed_reply_where_the_model_cannot_go_on)
{
	struct outgoing outgoing = {.text = (char *)"fir", .len = 3};
	struct error err;
	bool asks;

	talk_say("one");
	talk_reply("first");
	talk_model.capabilities = 0;
	cr_assert_eq(dialog_edit_message(&talk, 2, tree_node(talk.tree, 2), &err), STATUS_OK);
	cr_expect_eq(dialog_send_edited(&talk, &outgoing, &asks, &err), STATUS_UNSUPPORTED);
	cr_expect_eq(tree_n(talk.tree), 2);
	talk_model.name[0] = '\0'; /* none is loaded */
	cr_expect_eq(dialog_send_edited(&talk, &outgoing, &asks, &err), STATUS_OK);
}

Test(dialog_send, goes_on_from_a_changed_reply)
{
	talk_say("one");
	talk_reply("first");
	cr_expect(send_edited(2, "fir"));
	talk_ask();
	cr_expect(talk_turn.turn.continued);
	talk_token("e");
	cr_expect_eq(talk_done(DONE_END, STATUS_OK), TURN_HAS_ENDED);
	talk_expect_saved("you: one|model: fire");
	cr_expect_str_eq(tree_node(talk.tree, 3)->model, "model");
}

/* As if it had not been sent: what the file had is what it has, and a chat without a message has none. */
Test(dialog_send, takes_back_what_was_not_asked_about)
{
	talk.config.system_prompt = "be kind";
	talk_say("one");
	cr_expect(dialog_turn_cannot_run(&talk));
	talk_expect_path("");
	cr_expect_eq(tree_n(talk.tree), 0);
	cr_expect_not(talk.store.recorded);
	cr_expect_eq(talk.store.n_stored, 0);
	EXPECT_FACTS(FACT_OPTIONS); /* the system message has gone, too */
	talk_say("one");
	talk_reply("first");
	talk_say("two");
	cr_expect(dialog_turn_cannot_run(&talk));
	talk_expect_path("system: be kind|you: one|model: first");
	talk_expect_saved("system: be kind|you: one|model: first");
	cr_expect(talk.store.recorded);
	talk_say("three");
	talk_expect_saved("system: be kind|you: one|model: first|you: three");
	EXPECT_NO_FACTS();
}

/* What is too long now may have been sent long ago. */
Test(dialog_send, gives_back_what_was_refused)
{
	struct dialog_sent sent;
	struct error err;

	talk_say("one");
	talk_ask();
	cr_expect_eq(talk_done(DONE_ERROR, STATUS_CONTEXT), TURN_HAS_ENDED);
	cr_expect_eq(dialog_refused(&talk, true, &sent)->id, 1);
	cr_expect_eq(sent.message, 1);
	cr_expect_eq(dialog_refused(&talk, true, &sent)->id, 1, "it is not the one that was sent any more");
	cr_expect_eq(sent.message, 0);
	cr_expect_null(dialog_refused(&talk, false, &sent));
	cr_expect_eq(dialog_edit_message(&talk, 1, tree_node(talk.tree, 1), &err), STATUS_OK);
	cr_expect_null(dialog_refused(&talk, true, &sent));
}

Test(dialog_send, does_not_take_back_what_something_follows)
{
	struct dialog_sent sent;

	talk_say("one");
	sent = talk.turn.sent;
	talk_reply("first");
	cr_expect_not(dialog_take_back(&talk, &sent));
	talk_expect_saved("you: one|model: first");
}
