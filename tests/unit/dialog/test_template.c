#include <stdio.h>
#include <string.h>

#include "chat/path.h"
#include "dialog/leaf.h"
#include "dialog/outgoing.h"
#include "talk.h"

TestSuite(dialog_template, .init = talk_begin, .fini = talk_end);

/* Writes a template and uses it. */
static enum status use(const char *name, const char *yaml, bool whole)
{
	const struct prompt_template *tmpl;
	struct prompt_values values = {0};
	struct prompt_library *library;
	struct error err;
	char path[256];
	enum status status;

	talk.config.prompt_dir = talk_folder();
	snprintf(path, sizeof path, "%s/%s.yaml", talk_folder(), name);
	chat_write(path, yaml, strlen(yaml));
	cr_assert_eq(prompt_library_open_for(&library, talk_folder(), name, strlen(name), &tmpl, &err), STATUS_OK, "%s", err.text);
	status = dialog_template_use(&talk, tmpl, &values, "m", whole, &err);
	cr_expect_eq(dialog_template_is(&talk, name, &values), !status);
	prompt_library_close(library);
	return status;
}

static const char formal[] = "name: formal\nsystem: Speak formally to {{ model }}.\noptions:\n  temp: 0.25\nstop: [END]\n"
                             "messages:\n  - user: Hello.\n  - assistant: Good day.\n";
static const char brief[] = "name: brief\nsystem: Be brief.\n";

Test(dialog_template, opens_a_chat)
{
	cr_expect_eq(use("formal", formal, false), STATUS_OK);
	talk_expect_path("system: Speak formally to m.|you: Hello.|model: Good day.");
	cr_expect(dialog_is_fresh(&talk));
	cr_expect_not(talk.store.recorded, "it is saved with the first message");
	cr_expect_float_eq(talk_sampler.temp, 0.25f, 1e-6f);
	cr_expect_str_eq(talk.template.name, "formal");
	cr_expect_eq(use("brief", brief, false), STATUS_OK); /* in its place */
	talk_expect_path("system: Be brief.");
	cr_expect_eq(use("formal", formal, false), STATUS_OK);
	talk_say("one");
	cr_expect_not(dialog_is_fresh(&talk));
	talk_expect_saved("system: Speak formally to m.|you: Hello.|model: Good day.|you: one");
	talk_ask();
	cr_expect_eq(talk_turn.turn.n_stops, 1);
	cr_expect_str_eq(talk_turn.turn.stops[0], "END");
	talk_done(DONE_CANCELLED, STATUS_OK);
}

Test(dialog_template, applies_from_here_on_or_to_the_whole_chat)
{
	struct error err;

	talk_say("one");
	talk_reply("first");
	cr_expect_eq(use("formal", formal, false), STATUS_OK);
	talk_expect_path("you: one|model: first|system: Speak formally to m.");
	cr_expect_eq(use("brief", brief, true), STATUS_OK); /* nothing was said under the other */
	talk_expect_path("you: one|model: first|system: Be brief.");
	cr_expect(path_system(talk.tree)->whole);
	cr_expect_float_neq(talk_sampler.temp, 0.25f, 1e-6f);
	talk_say("two");
	cr_expect_eq(dialog_template_leave(&talk, &err), STATUS_OK);
	cr_expect_null(talk.template.call);
	talk_expect_saved("you: one|model: first|system: Be brief.|you: two|system: ");
}

/* It is the path's: another branch has another one, or none. */
Test(dialog_template, follows_the_leaf)
{
	uint32_t formally, briefly;

	cr_expect_eq(use("formal", formal, false), STATUS_OK);
	talk_say("one");
	formally = tree_leaf(talk.tree);
	cr_expect_eq(use("brief", brief, false), STATUS_OK);
	briefly = tree_leaf(talk.tree);
	dialog_store_message(&talk, briefly);
	dialog_go_to(&talk, formally);
	cr_expect_str_eq(talk.template.name, "formal");
	cr_expect_float_eq(talk_sampler.temp, 0.25f, 1e-6f);
	dialog_go_to(&talk, briefly);
	cr_expect_str_eq(talk.template.name, "brief");
	dialog_go_to(&talk, 0);
	cr_expect_null(talk.template.name);
}

Test(dialog_template, says_once_that_its_file_is_another_one)
{
	char path[256];
	struct fact fact;

	cr_expect_eq(use("formal", formal, false), STATUS_OK);
	while (dialog_take_fact(&talk, &fact))
		;
	dialog_template_check(&talk);
	EXPECT_NO_FACTS();
	snprintf(path, sizeof path, "%s/formal.yaml", talk_folder());
	chat_write(path, brief, strlen(brief));
	talk_say("one");
	EXPECT_FACTS(FACT_TEMPLATE_CHANGED);
	talk_say("two");
	EXPECT_NO_FACTS();
	dialog_template_restore(&talk); /* the file is another template now */
	EXPECT_FACTS(FACT_OPTIONS, FACT_TEMPLATE_LOST);
	cr_expect_null(talk.template.call);
	cr_expect_str_eq(path_system(talk.tree)->text, "Speak formally to m.");
}

Test(dialog_template, says_that_its_file_is_gone)
{
	char path[256];
	struct fact fact;

	cr_expect_eq(use("formal", formal, false), STATUS_OK);
	while (dialog_take_fact(&talk, &fact))
		;
	snprintf(path, sizeof path, "%s/formal.yaml", talk_folder());
	cr_assert_eq(remove(path), 0);
	dialog_template_check(&talk);
	EXPECT_FACTS(FACT_TEMPLATE_GONE);
}

Test(dialog_template, gives_way_to_a_system_message)
{
	struct error err;

	cr_expect_eq(use("formal", formal, false), STATUS_OK);
	talk_say("one");
	cr_expect_eq(dialog_set_system(&talk, "Be kind.", false, &err), STATUS_OK);
	cr_expect_null(talk.template.call);
	cr_expect_str_eq(dialog_system_message(&talk), "Be kind.");
	cr_expect_eq(dialog_set_system(&talk, "", true, &err), STATUS_OK);
	cr_expect(path_system(talk.tree)->whole);
	talk_expect_saved("system: Speak formally to m.|you: Hello.|model: Good day.|you: one|system: Be kind.|system: ");
}
