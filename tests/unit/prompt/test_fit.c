#include <criterion/criterion.h>
#include <string.h>

#include "prompt/fit.h"

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
