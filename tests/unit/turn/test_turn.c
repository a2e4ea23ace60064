#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "turn/turn.h"

Test(turn, a_copy_outlives_what_it_was_made_from)
{
	int32_t ids[] = {1, 2, 3};
	char texts[3][8] = {"one", "two", "thought"}, stop[] = "STOP", breakers[] = ": ;", bias[] = "a+1", order[] = "dry", kwargs[] = "{}";
	struct message messages[] = {
		{.role = ROLE_USER, .text = texts[0], .len = 3},
		{.role = ROLE_ASSISTANT, .text = texts[1], .len = 3, .ids = ids, .n_ids = 3,
		 .reasoning = texts[2], .reasoning_len = 7, .n_reasoning_ids = 2},
		{.role = ROLE_USER, .text = NULL, .len = 0},
	};
	struct turn_part parts[] = {{.from = 0, .begins = true, .params = {.seed = 8}}, {.from = 5, .params = {.top_k = 3}}};
	const char *stops[] = {stop}, *answers[] = {"yes", "no"};
	struct turn turn = {.messages = messages, .n_messages = 3, .stops = stops,
	                    .parts = parts, .n_parts = 2, .n_stops = 1, .answers = answers, .n_answers = 2, .n_predict = 7, .dry_breakers = breakers, .logit_bias = bias, .samplers = order,
	                    .reasoning = {REASONING_OFF, EFFORT_HIGH, 0, kwargs}};
	struct turn *copy;
	struct error err;

	cr_assert_eq(turn_copy(&copy, &turn, &err), STATUS_OK);
	memset(ids, 0, sizeof ids);
	memset(texts, '!', sizeof texts);
	memset(stop, '!', 4);
	memset(breakers, '!', 3);
	memset(bias, '!', 3);
	memset(order, '!', 3);
	memset(kwargs, '!', 2);
	memset(messages, 0, sizeof messages);
	memset(parts, 0, sizeof parts);
	stops[0] = answers[0] = answers[1] = NULL;
	cr_assert_eq(copy->n_messages, 3);
	cr_assert_eq(copy->n_predict, 7);
	cr_assert_eq(copy->reasoning.mode, REASONING_OFF);
	cr_assert_eq(copy->reasoning.effort, EFFORT_HIGH);
	cr_assert_eq(memcmp(copy->messages[0].text, "one", 3), 0);
	cr_assert_eq(memcmp(copy->messages[1].text, "two", 3), 0);
	cr_assert_eq(memcmp(copy->messages[1].reasoning, "thought", 7), 0);
	cr_assert_eq(copy->messages[1].n_reasoning_ids, 2);
	cr_assert_eq(copy->messages[1].ids[2], 3);
	cr_assert_eq(copy->messages[2].len, 0);
	cr_assert_str_eq(copy->stops[0], "STOP");
	cr_assert_eq(copy->n_parts, 2);
	cr_assert(copy->parts[0].begins && copy->parts[0].params.seed == 8);
	cr_assert(copy->parts[1].from == 5 && copy->parts[1].params.top_k == 3);
	cr_assert_eq(copy->n_answers, 2);
	cr_assert_str_eq(copy->answers[0], "yes");
	cr_assert_str_eq(copy->answers[1], "no");
	cr_assert_str_eq(copy->dry_breakers, ": ;");
	cr_assert_str_eq(copy->logit_bias, "a+1");
	cr_assert_str_eq(copy->samplers, "dry");
	cr_assert_str_eq(copy->reasoning.template_kwargs, "{}");
	free(copy);
}

Test(turn, an_impossible_size_is_no_memory)
{
	struct message message = {.len = SIZE_MAX / 2, .reasoning_len = SIZE_MAX / 2 + 1};
	struct turn turn = {.messages = &message, .n_messages = 1};
	struct turn *copy;
	struct error err;

	cr_assert_eq(turn_copy(&copy, &turn, &err), STATUS_NOMEM);
	cr_assert_null(copy);
}

Test(turn, a_note_is_one_line)
{
	struct model_info info = {.n_notes = 0};

	model_info_note(&info, NOTE_PLAIN, "it says '%s'", "a\nYou\x1b\t");
	cr_expect_eq(info.n_notes, 1);
	cr_expect_str_eq(info.notes[0].text, "it says 'a You  '");
}
