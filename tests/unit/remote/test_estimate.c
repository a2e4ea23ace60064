#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "remote/estimate.h"
#include "remote/request.h"

/* A conversation of questions and answers of `len` bytes each. */
static struct message *make_messages(size_t n, size_t len)
{
	static char text[KIB(64)];
	struct message *messages = calloc(n, sizeof *messages);

	memset(text, 'x', sizeof text);
	for (size_t i = 0; i < n; i++)
		messages[i] = (struct message){.role = i % 2 ? ROLE_ASSISTANT : ROLE_USER, .text = text, .len = len};
	return messages;
}

static uint32_t estimate(const struct remote *remote, const struct turn *turn)
{
	struct remote_request request;
	uint32_t n;

	remote_request_init(&request);
	cr_assert_eq(estimate_fit(remote, turn, &request, NULL), STATUS_OK);
	cr_assert(request.is_estimate);
	n = request.n_prompt;
	remote_request_free(&request);
	return n;
}

Test(estimate, is_corrected_by_what_servers_count)
{
	struct message *messages = make_messages(3, 40000);
	const struct turn turn = {.messages = messages, .n_messages = 3, .n_predict = -1};
	struct remote remote = {.n_fields = 0};

	cr_assert_gt(estimate(&remote, &turn), 30000);
	estimate_correct(&remote, &turn, NULL, 60015);
	cr_assert_float_eq(remote.bytes_per_token, 2, 0.01);
	cr_assert_float_eq((double)estimate(&remote, &turn), 60015, 300);
	free(messages);
}

Test(estimate, learns_little_from_short_texts)
{
	struct remote remote = {.bytes_per_token = 4};

	estimate_correct_text(&remote, 300, 300);
	cr_assert_float_eq(remote.bytes_per_token, 2.5, 1e-6);
	remote.bytes_per_token = 4;
	estimate_correct_text(&remote, 20, 5000);
	estimate_correct_text(&remote, 2000, 0);
	cr_assert_eq(remote.bytes_per_token, 4);
}

Test(estimate, is_exact_for_what_was_counted)
{
	struct message *messages = make_messages(4, 400);
	struct turn turn = {.messages = messages, .n_messages = 1, .n_predict = -1};
	const struct remote_request request = {.n_dropped = 0};
	struct remote remote = {.bytes_per_token = 4};
	uint32_t before;

	estimate_remember(&remote, &turn, &request, 250, 180, 400);
	cr_assert_eq(estimate(&remote, &turn), 250);
	/* with its reply */
	turn.n_messages = 2;
	turn.answered = true;
	cr_assert_eq(estimate(&remote, &turn), 250 - 3 + 184);
	/* and the next question */
	turn.n_messages = 3;
	turn.answered = false;
	before = estimate(&remote, &turn);
	cr_assert_gt(before, 250 + 184);
	/* another reply; another question */
	messages[1].len = 100;
	cr_assert_lt(estimate(&remote, &turn), before);
	messages[0].len = 399;
	turn.n_messages = 1;
	cr_assert_neq(estimate(&remote, &turn), 250);
	free(messages);
}

Test(estimate, leaves_out_the_oldest_turns)
{
	struct message *messages = make_messages(21, 400);
	struct turn turn = {.messages = messages, .n_messages = 21, .n_predict = -1};
	struct remote remote = {.bytes_per_token = 4, .info = {.n_ctx = 1024}};
	struct remote_request request;

	remote_request_init(&request);
	cr_assert_eq(estimate_fit(&remote, &turn, &request, NULL), STATUS_OK);
	cr_assert_not(request.keep[0]);
	cr_assert(request.keep[20]);
	cr_assert_leq(request.n_prompt, 768);
	cr_assert_gt(request.n_dropped, 0);
	remote_request_free(&request);

	turn.policy = CONTEXT_STOP;
	cr_assert_eq(estimate_fit(&remote, &turn, &request, NULL), STATUS_CONTEXT);
	cr_assert(request.refused);
	remote_request_free(&request);

	remote.info.n_ctx = 0;
	cr_assert_eq(estimate_fit(&remote, &turn, &request, NULL), STATUS_OK);
	cr_assert_eq(request.n_dropped, 0);
	remote_request_free(&request);
	free(messages);
}

Test(estimate, lets_the_server_say_that_a_message_is_too_long)
{
	struct message *messages = make_messages(1, KIB(60));
	const struct turn turn = {.messages = messages, .n_messages = 1, .n_predict = -1};
	struct remote remote = {.bytes_per_token = 4, .info = {.n_ctx = 1024}};
	struct remote_request request;

	remote_request_init(&request);
	cr_assert_eq(estimate_fit(&remote, &turn, &request, NULL), STATUS_OK);
	cr_assert(request.keep[0]);
	remote_request_free(&request);
	free(messages);
}

Test(estimate, tells_what_each_message_takes)
{
	struct message *messages = make_messages(3, 400);
	struct message_count counts[3];
	struct turn turn = {.messages = messages, .n_messages = 3, .n_predict = -1};
	struct remote remote = {.bytes_per_token = 4, .info = {.n_ctx = 4096}};
	struct inspection out = {.purpose = INSPECT_COUNTS, .messages = counts};

	messages[0].files_len = 40;
	cr_assert_eq(estimate_inspect(&remote, &turn, &out, NULL), STATUS_OK);
	cr_assert(out.estimated);
	cr_assert_eq(counts[0].tokens, 104);
	cr_assert_eq(counts[0].markup, 4);
	cr_assert_eq(counts[0].files, 10);
	cr_assert_eq(out.total, 315);
	cr_assert_eq(out.reserve, 1024);
	cr_assert_eq(out.n_dropped, 0);
	/* a file that waits to be sent */
	turn = (struct turn){.messages = messages, .n_messages = 1, .raw = true};
	cr_assert_eq(estimate_inspect(&remote, &turn, &out, NULL), STATUS_OK);
	cr_assert_eq(out.total, 100);
	free(messages);
}

Test(request, is_recorded_without_the_conversation)
{
	struct remote_request request;
	struct buf out = {.max = KIB(4)};

	remote_request_init(&request);
	buf_puts(&request.body, "{\n \"model\": \"m\", \"messages\": [{\"role\": \"user\", \"content\": \"]}\"}], \"temperature\": 0.5,"
	                        "\"stop\": [\"a\", \"b\"], \"prompt\": [1, 2], \"options\": {\"messages\": 1}}");
	cr_assert_eq(remote_request_print_sent(&request, &out, NULL), STATUS_OK);
	cr_assert_str_eq(buf_text(&out), "{\"model\": \"m\", \"temperature\": 0.5, \"stop\": [\"a\", \"b\"], "
	                                 "\"options\": {\"messages\": 1}}");
	buf_free(&out);
	remote_request_free(&request);
}
