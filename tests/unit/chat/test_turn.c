#include <criterion/criterion.h>
#include <string.h>

#include "chat/turn.h"
#include "engine/options.h"
#include "turn/engine_params.h"

static struct tree *tree;
static struct engine_params engine;
static struct sampler_params sampler;
static struct chat_turn turn;
static struct error err;

static void init(void)
{
	tree = tree_create();
	cr_assert(tree);
	engine = engine_params_default();
	sampler = sampler_params_default();
}

static void fini(void)
{
	tree_free(tree);
}

TestSuite(turn, .init = init, .fini = fini);

static void add(enum role role, const char *text)
{
	cr_assert_eq(tree_add(tree, tree_leaf(tree), role, text, strlen(text), NULL, &err), STATUS_OK);
}

static struct chat_turn_source source(const char *draft)
{
	return (struct chat_turn_source){.tree = tree, .draft = draft, .draft_len = strlen(draft),
	                                 .engine = &engine, .sampler = &sampler};
}

static void build(const char *draft)
{
	struct chat_turn_source from = source(draft);

	cr_assert_eq(chat_turn_build(&turn, &from, &err), STATUS_OK);
}

Test(turn, a_summary_is_for_those_who_can_make_one)
{
	struct chat_turn_source from = source("");

	engine.context_policy = CONTEXT_SUMMARY;
	add(ROLE_USER, "hello");
	tree_node(tree, 1)->pinned = true;
	cr_assert_eq(chat_turn_build(&turn, &from, &err), STATUS_OK);
	cr_assert_eq(turn.turn.policy, CONTEXT_SUMMARY);
	cr_assert(turn.messages[0].pinned);
	chat_turn_free(&turn);
	from.no_summary = true;
	cr_assert_eq(chat_turn_build(&turn, &from, &err), STATUS_OK);
	cr_assert_eq(turn.turn.policy, CONTEXT_ROLL);
	chat_turn_free(&turn);
	add(ROLE_ASSISTANT, "a reply");
	from.no_summary = false;
	from.continues = true;
	cr_assert_eq(chat_turn_build(&turn, &from, &err), STATUS_OK);
	cr_assert_eq(turn.turn.policy, CONTEXT_ROLL, "the rest of a reply needs no summary");
	chat_turn_free(&turn);
	engine.context_policy = CONTEXT_STOP;
	cr_assert_eq(chat_turn_build(&turn, &from, &err), STATUS_OK);
	cr_assert_eq(turn.turn.policy, CONTEXT_STOP);
	chat_turn_free(&turn);
}

Test(turn, has_what_the_settings_say_and_the_path)
{
	static const char *const stops[] = {"one", "two"};
	struct chat_turn_source from = source("");

	engine.n_predict = 17;
	engine.reasoning = REASONING_OFF;
	engine.effort = EFFORT_LOW;
	sampler.temp = 0.25f;
	from.stops = stops;
	from.n_stops = 2;
	add(ROLE_SYSTEM, "be brief");
	add(ROLE_USER, "hello");
	cr_assert_eq(chat_turn_build(&turn, &from, &err), STATUS_OK);
	cr_assert_eq(turn.turn.n_predict, 17);
	cr_assert_eq(turn.turn.reasoning.mode, REASONING_OFF);
	cr_assert_eq(turn.turn.reasoning.effort, EFFORT_LOW);
	cr_assert_float_eq(turn.turn.sampler.temp, 0.25f, 0);
	cr_assert_eq(turn.turn.n_stops, 2);
	cr_assert_str_eq(turn.turn.stops[1], "two");
	cr_assert_eq(turn.turn.n_messages, 2);
	cr_assert_eq(turn.turn.messages[0].role, ROLE_SYSTEM);
	cr_assert_str_eq(turn.turn.messages[1].text, "hello");
	cr_assert(!turn.turn.answered);
	chat_turn_free(&turn);
}

Test(turn, ends_at_the_strings_of_the_settings_too)
{
	static const char *const stops[] = {"one"};
	static const char words[] = "two \"User: \" '' \"\\\\n\\\\n\" \\t";
	static const char *const expected[] = {"one", "two", "User: ", "\n\n", "\t"};
	struct chat_turn_source from = source("");

	engine.stop = (char *)(uintptr_t)words;
	from.stops = stops;
	from.n_stops = 1;
	cr_assert_eq(chat_turn_build(&turn, &from, &err), STATUS_OK);
	cr_assert_eq(turn.turn.n_stops, 5, "%zu", turn.turn.n_stops);
	for (size_t i = 0; i < 5; i++)
		cr_expect_str_eq(turn.turn.stops[i], expected[i]);
	chat_turn_free(&turn);
}

Test(turn, is_answered_by_a_reply_to_somebody)
{
	build("");
	cr_assert_eq(turn.turn.n_messages, 0);
	cr_assert(!turn.turn.answered);
	chat_turn_free(&turn);
	add(ROLE_ASSISTANT, "an opening");
	build("");
	cr_assert(!turn.turn.answered, "nobody has asked");
	chat_turn_free(&turn);
	add(ROLE_USER, "hello");
	add(ROLE_ASSISTANT, "hi");
	build("");
	cr_assert(turn.turn.answered);
	cr_assert_eq(turn.turn.n_messages, 3);
	chat_turn_free(&turn);
	build("and now?");
	cr_assert(!turn.turn.answered, "the draft asks");
	cr_assert_eq(turn.turn.n_messages, 4);
	cr_assert_eq(turn.turn.messages[3].role, ROLE_USER);
	cr_assert_str_eq(turn.turn.messages[3].text, "and now?");
	chat_turn_free(&turn);
}

Test(turn, goes_on_with_a_reply_if_it_is_to)
{
	struct chat_turn_source from = source("");

	add(ROLE_USER, "hello");
	add(ROLE_ASSISTANT, "hi");
	from.continues = true;
	cr_assert_eq(chat_turn_build(&turn, &from, &err), STATUS_OK);
	cr_assert(turn.turn.continued && !turn.turn.answered);
	cr_assert_eq(turn.turn.n_messages, 2);
	chat_turn_free(&turn);
	build("");
	cr_assert(!turn.turn.continued && turn.turn.answered);
	chat_turn_free(&turn);
}
