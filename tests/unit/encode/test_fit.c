#include <criterion/criterion.h>
#include <string.h>

#include "encode/fit.h"

static struct message message(enum role role)
{
	return (struct message){.role = role, .text = "x", .len = 1};
}

Test(fit, fit_leaves_out_whole_turns_from_the_oldest_on)
{
	/* System 10, then turns of 20 + 30, 5 + 5 + 5 (two replies), 7. */
	const struct message messages[] = {
		message(ROLE_SYSTEM), message(ROLE_USER),      message(ROLE_ASSISTANT),
		message(ROLE_USER),   message(ROLE_ASSISTANT), message(ROLE_ASSISTANT),
		message(ROLE_USER),
	};
	const uint32_t tokens[] = {10, 20, 30, 5, 5, 5, 7};
	static const struct {
		size_t fixed, room, step;
		enum status status;
		const char *keep;
		uint32_t n_dropped;
	} rows[] = {
		{0, 82, 1, STATUS_OK, "1111111", 0},
		{0, 1000, 1, STATUS_OK, "1111111", 0},
		{0, 81, 1, STATUS_OK, "1001111", 2},
		{1, 82, 1, STATUS_OK, "1001111", 2},
		{0, 32, 1, STATUS_OK, "1001111", 2},
		{0, 31, 1, STATUS_OK, "1000001", 5},
		{0, 17, 1, STATUS_OK, "1000001", 5},
		{0, 16, 1, STATUS_CONTEXT, "1000001", 5},
		{4, 20, 1, STATUS_CONTEXT, "1000001", 5},
		{0, 0, 1, STATUS_CONTEXT, "1000001", 5},
		{0, 81, 50, STATUS_OK, "1001111", 2}, /* 50 go at once */
		{0, 32, 50, STATUS_OK, "1001111", 2}, /* still those */
		{0, 31, 50, STATUS_OK, "1000001", 5}, /* 51 are 100 */
		{0, 81, 51, STATUS_OK, "1000001", 5},
		{0, 81, 1000, STATUS_OK, "1000001", 5},
	};
	struct turn turn = {.messages = messages, .n_messages = 7};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		bool keep[7];
		char text[8] = "";
		uint32_t n_dropped;
		struct error err;
		enum status status = fit_messages(&turn, tokens, rows[i].fixed, rows[i].room, rows[i].step, keep,
		                                  &n_dropped, &err);

		for (size_t m = 0; m < 7; m++)
			text[m] = keep[m] ? '1' : '0';
		cr_assert_eq(status, rows[i].status, "row %zu", i);
		cr_assert_str_eq(text, rows[i].keep, "row %zu", i);
		cr_assert_eq(n_dropped, rows[i].n_dropped, "row %zu", i);
	}
}

Test(fit, fit_keeps_the_system_message_that_is_in_force)
{
	const struct message messages[] = {
		message(ROLE_SYSTEM), message(ROLE_USER), message(ROLE_ASSISTANT), message(ROLE_SYSTEM),
		message(ROLE_USER), message(ROLE_ASSISTANT), message(ROLE_SYSTEM), message(ROLE_USER),
	};
	const uint32_t tokens[] = {1, 1, 1, 1, 1, 1, 1, 1};
	static const char *const keeps[] = {NULL, NULL, NULL, "10000011", "10000011", "10001111",
	                                    "10001111", "10001111", "11111111"};
	struct turn turn = {.messages = messages, .n_messages = 8};

	for (size_t room = 2; room <= 8; room++) {
		bool keep[8];
		char text[9] = "";
		uint32_t n_dropped;
		enum status status = fit_messages(&turn, tokens, 0, room, 1, keep, &n_dropped, NULL);

		cr_assert_eq(status, room < 3 ? STATUS_CONTEXT : STATUS_OK, "%zu", room);
		for (size_t m = 0; m < 8; m++)
			text[m] = keep[m] ? '1' : '0';
		if (!status)
			cr_assert_str_eq(text, keeps[room], "%zu: %s", room, text);
	}
}

Test(fit, fit_of_raw_text_never_leaves_anything_out)
{
	const struct message messages[] = {message(ROLE_USER), message(ROLE_USER)};
	const uint32_t tokens[] = {5, 5};
	struct turn turn = {.messages = messages, .n_messages = 2, .raw = true};
	bool keep[2];
	uint32_t n_dropped;
	struct error err;

	cr_assert_eq(fit_messages(&turn, tokens, 0, 9, 1, keep, &n_dropped, &err), STATUS_CONTEXT);
	cr_assert_eq(fit_messages(&turn, tokens, 0, 10, 1, keep, &n_dropped, &err), STATUS_OK);
	cr_assert_eq(n_dropped, 0);
}

/* Turns of 10 tokens each, after a system message of 5; `pinned` has a '1' for each pinned turn. */
static const char *kept(enum context_policy policy, const char *pinned, size_t room, size_t step)
{
	static char text[20];
	struct message messages[9] = {message(ROLE_SYSTEM)};
	const uint32_t tokens[9] = {5, 4, 6, 4, 6, 4, 6, 4, 6};
	struct turn turn = {.messages = messages, .n_messages = 9, .policy = policy};
	bool keep[9];
	uint32_t n_dropped;
	enum status status;

	for (size_t i = 1; i < 9; i++) {
		messages[i] = message(i % 2 ? ROLE_USER : ROLE_ASSISTANT);
		messages[i].pinned = i % 2 && pinned[i / 2] == '1';
	}
	status = fit_messages(&turn, tokens, 0, room, step, keep, &n_dropped, NULL);
	cr_assert(keep[0]);
	for (size_t i = 0; i < 4; i++) {
		cr_assert_eq(keep[1 + 2 * i], keep[2 + 2 * i], "whole turns");
		text[i] = keep[1 + 2 * i] ? '1' : '0';
		n_dropped -= keep[1 + 2 * i] ? 0 : 2;
	}
	cr_assert_eq(n_dropped, 0);
	strcpy(text + 4, status ? " error" : "");
	return text;
}

Test(fit, each_policy_at_each_border)
{
	static const struct {
		enum context_policy policy;
		const char *pinned;
		size_t room, step;
		const char *kept;
	} rows[] = {
		{CONTEXT_ROLL, "0000", 45, 1, "1111"},      {CONTEXT_ROLL, "0000", 44, 1, "0111"},
		{CONTEXT_ROLL, "0000", 35, 1, "0111"},      {CONTEXT_ROLL, "0000", 34, 1, "0011"},
		{CONTEXT_ROLL, "0000", 15, 1, "0001"},      {CONTEXT_ROLL, "0000", 14, 1, "0001 error"},
		{CONTEXT_ROLL, "0000", 44, 11, "0011"},     {CONTEXT_ENDS, "0000", 45, 1, "1111"},
		{CONTEXT_ENDS, "0000", 44, 1, "1011"},      {CONTEXT_ENDS, "0000", 35, 1, "1011"},
		{CONTEXT_ENDS, "0000", 34, 1, "1001"},      {CONTEXT_ENDS, "0000", 25, 1, "1001"},
		{CONTEXT_ENDS, "0000", 24, 1, "0001"},      {CONTEXT_ENDS, "0000", 15, 1, "0001"},
		{CONTEXT_ENDS, "0000", 14, 1, "0001 error"}, {CONTEXT_ENDS, "0000", 44, 11, "1001"},
		/* A pinned turn stays; the next one goes. */
		{CONTEXT_ROLL, "1000", 44, 1, "1011"},      {CONTEXT_ROLL, "1000", 34, 1, "1001"},
		{CONTEXT_ROLL, "1000", 25, 1, "1001"},      {CONTEXT_ROLL, "1000", 24, 1, "1001 error"},
		{CONTEXT_ROLL, "0010", 34, 1, "0011"},      {CONTEXT_ROLL, "0010", 24, 1, "0011 error"},
		{CONTEXT_ROLL, "0001", 24, 1, "0001"},      {CONTEXT_ENDS, "0100", 44, 1, "1101"},
		{CONTEXT_ENDS, "0100", 34, 1, "0101"},      {CONTEXT_ENDS, "1111", 44, 1, "1111 error"},
		/* Those that leave nothing out choose as the first one does. */
		{CONTEXT_STOP, "0000", 44, 1, "0111"},      {CONTEXT_SUMMARY, "0000", 34, 1, "0011"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		cr_assert_str_eq(kept(rows[i].policy, rows[i].pinned, rows[i].room, rows[i].step), rows[i].kept,
		                 "row %zu", i);
}

/* As many of the first turns as take a quarter of the room stay. */
Test(fit, ends_keeps_the_first_turns)
{
	struct message messages[20];
	uint32_t tokens[20], n_dropped;
	struct turn turn = {.messages = messages, .n_messages = 20, .policy = CONTEXT_ENDS};
	static const struct {
		size_t room;
		const char *kept;
	} rows[] = {{199, "11110111111111111111"}, {169, "11110000111111111111"}, {80, "11000000000000111111"},
	            {79, "10000000000000111111"}, {20, "10000000000000000001"}, {19, "00000000000000000001"}};

	for (size_t i = 0; i < 20; i++) {
		messages[i] = message(ROLE_USER);
		tokens[i] = 10;
	}
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		bool keep[20];
		char text[21] = "";

		cr_assert_eq(fit_messages(&turn, tokens, 0, rows[i].room, 1, keep, &n_dropped, NULL), STATUS_OK);
		for (size_t m = 0; m < 20; m++)
			text[m] = keep[m] ? '1' : '0';
		cr_assert_str_eq(text, rows[i].kept, "room %zu", rows[i].room);
	}
}

Test(fit, policies_that_leave_nothing_out_refuse)
{
	struct turn turn = {.policy = CONTEXT_ROLL};
	struct error err;

	cr_assert_eq(fit_permit(&turn, 2, 100, 90, &err), STATUS_OK);
	turn.policy = CONTEXT_ENDS;
	cr_assert_eq(fit_permit(&turn, 2, 100, 90, &err), STATUS_OK);
	turn.policy = CONTEXT_SUMMARY;
	cr_assert_eq(fit_permit(&turn, 2, 100, 90, &err), STATUS_CONTEXT);
	turn.policy = CONTEXT_STOP;
	cr_assert_eq(fit_permit(&turn, 0, 90, 90, &err), STATUS_OK);
	cr_assert_eq(fit_permit(&turn, 2, 100, 90, &err), STATUS_CONTEXT);
	cr_assert_str_eq(err.text, "the conversation has 100 tokens, the context has room for 90, and the "
	                 "context policy 'stop' leaves nothing out");
}
