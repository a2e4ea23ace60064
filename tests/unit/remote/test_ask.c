#include <criterion/criterion.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "remote/ask.h"
#include "remote/dialect.h"
#include "remote/retry.h"

#include "fake_http.h"

/* ---- time ---- */

static uint64_t now;

static uint64_t tell_time(void)
{
	return now;
}

static void pass_time(uint64_t ms)
{
	now += ms;
}

static const struct remote_clock clock_of_tests = {tell_time, pass_time};

/* ---- whoever asks ---- */

struct asker {
	struct buf told; /* the events as a line */
	size_t n_told;
	char sent[1024];
	size_t cancel_after; /* events; 0: never */
	bool wants_answer;
	struct token last; /* without what it points to */
};

static bool is_cancelled(void *ctx)
{
	const struct asker *asker = ctx;

	return asker->cancel_after && asker->n_told >= asker->cancel_after;
}

static void give_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	(void)ctx;
	(void)n;
	*out = sampler_params_default();
	out->seed = 7;
}

static bool wants_answer(void *ctx)
{
	return ((const struct asker *)ctx)->wants_answer;
}

static void put_token(struct buf *out, const struct token *token)
{
	if (token->recants)
		buf_puts(out, "<recants>");
	if (!token->len)
		return;
	buf_printf(out, token->reasoning ? "(%.*s)" : "[%.*s]", (int)token->len, token->bytes);
	if (token->n_candidates)
		buf_printf(out, "{%zu}", token->n_candidates);
}

static enum status tell(void *ctx, const struct event *event, struct error *err)
{
	struct asker *asker = ctx;
	struct buf *out = &asker->told;

	(void)err;
	asker->n_told++;
	switch (event->kind) {
	case EVENT_WAITING: buf_printf(out, "wait:%s;", event->u.waiting.text); break;
	case EVENT_SENT: snprintf(asker->sent, sizeof asker->sent, "%s", event->u.sent); break;
	case EVENT_BEGIN: buf_printf(out, "begin:%" PRId64 ";", event->u.begin.seed); break;
	case EVENT_TOKEN:
		asker->last = event->u.token;
		put_token(out, &event->u.token);
		break;
	case EVENT_LEARNT: buf_puts(out, "learnt;"); break;
	case EVENT_NOTE: buf_printf(out, "note:%s;", event->u.note); break;
	case EVENT_PREFILLING: buf_printf(out, "%u/%u;", event->u.prefilling.done, event->u.prefilling.total); break;
	case EVENT_ASIDE: buf_printf(out, "aside:%s;", event->u.aside.text); break;
	case EVENT_FITTED: break;
	default: buf_puts(out, "?"); break;
	}
	return STATUS_OK;
}

/* ---- a turn ---- */

static const struct message question[] = {{.role = ROLE_USER, .text = "Hi", .len = 2}};
static const struct turn plain_turn = {.messages = question, .n_messages = 1, .n_predict = -1};

static char name[] = "box", url[] = "http://127.0.0.1:1", model_id[] = "m";
static struct server_model models[] = {{.id = model_id, .price_in = 1, .price_out = 2, .price_cached = -1}};
static const struct server_config config = {.name = name, .url = url, .models = models, .n_models = 1};

static struct remote make_remote(void)
{
	struct remote remote = {.server = &config, .url = url, .host = "127.0.0.1:1", .model = model_id,
	                        .dialect = &dialect_openai, .clock = &clock_of_tests};

	cr_assert_eq(dialect_openai.open(&remote, NULL), STATUS_OK);
	return remote;
}

struct outcome {
	struct asker asker;
	struct backend_result result;
	enum status status;
	struct error err;
};

static struct outcome ask(struct remote *remote, const struct turn *turn, const struct fake_answer *answers, size_t n)
{
	struct outcome out = {.asker = {.told = {.max = KIB(64)}}};
	const struct backend_host host = {.ctx = &out.asker, .cancelled = is_cancelled, .params = give_params,
	                                  .event = tell, .wants_answer = wants_answer};

	fake_http_begin(answers, n);
	out.status = remote_run(remote, turn, BACKEND_REPLY, &host, &out.result, &out.err);
	cr_assert_eq(fake_http_calls(), n, "%zu calls; %s", fake_http_calls(), buf_text(&out.asker.told));
	return out;
}
#define ASK(remote, turn, answers) ask(remote, turn, answers, sizeof(answers) / sizeof (answers)[0])

static void assert_told(struct outcome *out, const char *expected)
{
	cr_assert_eq(out->status, STATUS_OK, "%s", out->err.text);
	cr_assert_str_eq(buf_text(&out->asker.told), expected);
	buf_free(&out->asker.told);
}

static void assert_failed(struct outcome *out, enum status status, const char *text)
{
	cr_assert_eq(out->status, status, "%d: %s", out->status, out->err.text);
	cr_assert_str_eq(out->err.text, text);
	cr_assert_eq(out->result.reason, DONE_ERROR);
	buf_free(&out->asker.told);
}

#define TEXT(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}\n\n"
#define THOUGHT(text) "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"" text "\"}}]}\n\n"
#define END "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
#define USAGE "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":4,\"prompt_tokens_details\":{\"cached_tokens\":8}}}\n\n"
#define DONE "data: [DONE]\n\n"

Test(ask, tells_a_reply)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {{.code = 200, .body = TEXT("Hel") TEXT("lo") END USAGE DONE}};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	assert_told(&out, "begin:7;[Hel][lo]");
	cr_assert_eq(out.result.reason, DONE_END);
	cr_assert_eq(out.result.stats.n_prompt, 9);
	cr_assert_eq(out.result.stats.n_cached, 8);
	cr_assert_eq(out.result.stats.n_evaluated, 1);
	cr_assert_eq(out.result.stats.n_generated, 4);
	cr_assert_eq(out.result.stats.n_ctx_used, 13);
	cr_assert_not(out.result.stats.estimated);
	cr_assert_not(out.result.stats.cached_unknown);
	cr_assert(out.result.stats.has_cost);
	cr_assert_float_eq(out.result.stats.cost, 17e-6, 1e-12);
	cr_assert_str_eq(fake_http_path(0), "/v1/chat/completions");
	cr_assert_str_eq(out.asker.sent, "{\"model\": \"m\", \"stream\": true, \"temperature\": 0.8, \"top_p\": 0.95, "
	                 "\"presence_penalty\": 0, \"frequency_penalty\": 0, \"seed\": 7, "
	                 "\"stream_options\": {\"include_usage\": true}}");
}

/* Logarithms of probabilities, so that they are all of the sum; of a token without one its candidate's. */
Test(ask, tells_candidates)
{
#define LOGPROBS(own) "data: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"logprobs\":{\"content\":[{" own \
		"\"top_logprobs\":[{\"token\":\"a\",\"logprob\":-0.5},{\"token\":\"b\",\"logprob\":-2},{}]}]}}]}\n\n"
	const struct {
		const char *body, *told;
		double raw_p;
		bool has_sum;
	} cases[] = {{LOGPROBS("\"logprob\":-3,") END DONE, "begin:7;[b]{2}", exp(-3), true},
	             {LOGPROBS("") END DONE, "begin:7;[b]{2}", exp(-2), true},
	             {TEXT("b") END DONE, "begin:7;[b]", 0, false}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct remote remote = make_remote();
		const struct fake_answer answers[] = {{.code = 200, .body = cases[i].body}};
		struct outcome out = ASK(&remote, &plain_turn, answers);

		assert_told(&out, cases[i].told);
		cr_assert_float_eq(out.asker.last.raw_p, cases[i].raw_p, 1e-6);
		cr_assert(cases[i].has_sum ? out.asker.last.log_sum == 0 : isnan(out.asker.last.log_sum));
		cr_assert(isnan(out.asker.last.entropy));
	}
}

Test(ask, tells_the_same_however_it_is_cut)
{
	static const char body[] = THOUGHT("hm \xf0\x9f\x98\x80") TEXT("H\xc3\xa9") TEXT("\xf0\x9f") TEXT("\x98\x80!") END USAGE DONE;

	for (size_t piece = 1; piece < sizeof body; piece++) {
		struct remote remote = make_remote();
		const struct fake_answer answers[] = {{.code = 200, .body = body, .piece = piece}};
		struct outcome out = ASK(&remote, &plain_turn, answers);

		assert_told(&out, "begin:7;(hm \xf0\x9f\x98\x80)[H\xc3\xa9][\xf0\x9f\x98\x80!]");
		cr_assert_eq(out.result.reason, DONE_END);
	}
}

Test(ask, joins_characters_that_were_cut_in_halves)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {{.code = 200, .body = TEXT("a\\ud83d") TEXT("\\ude00b") TEXT("\\ud83d") END}};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	assert_told(&out, "begin:7;[a][\xf0\x9f\x98\x80" "b][\xef\xbf\xbd]");
}

Test(ask, tells_how_a_reply_ended)
{
#define ENDS(reason) TEXT("a") "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"" reason "\"}]}\n\n"
	static const struct {
		const char *body;
		enum done_reason reason;
	} cases[] = {
		{ENDS("stop"), DONE_END},
		{ENDS("length"), DONE_LENGTH},
		{ENDS("content_filter"), DONE_FILTERED},
		{TEXT("a"), DONE_EARLY},
		{TEXT("a") DONE, DONE_EARLY},
		{END, DONE_END},
		/* text behind the end is none */
		{TEXT("a") END DONE TEXT("b"), DONE_END},
		{TEXT("a") "data: {\"error\":{\"message\":\"Context size has been exceeded.\"}}\n\n", DONE_CONTEXT},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct remote remote = make_remote();
		const struct fake_answer answers[] = {{.code = 200, .body = cases[i].body}};
		struct outcome out = ASK(&remote, &plain_turn, answers);

		assert_told(&out, strstr(cases[i].body, "\"a\"") ? "begin:7;[a]" : "");
		cr_assert_eq(out.result.reason, cases[i].reason, "%s", cases[i].body);
	}
}

Test(ask, does_not_mind_a_cut_behind_the_end)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {{.code = 200, .trouble = HTTP_BROKEN, .body = TEXT("a") END}};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	assert_told(&out, "begin:7;[a]");
	cr_assert_eq(out.result.reason, DONE_END);
}

Test(ask, divides_thoughts_in_the_text)
{
	static const struct {
		const char *body, *told;
	} cases[] = {
		{TEXT("<thi") TEXT("nk>\\nhm") TEXT("</think>") TEXT("\\n\\nHi") END, "(hm)[Hi]"},
		{TEXT("hm</think>Hi") END, "(hm)[Hi]"},
		{TEXT("[THINK]hm[/THINK]Hi") END, "(hm)[Hi]"},
		{TEXT("<") END, "[<]"},
		{TEXT("Here are") TEXT(" two") END, "[Here are][ two]"},
		/* a field of its own: marks in the text are text */
		{THOUGHT("hm") TEXT("<think> is a mark") END, "(hm)[<think> is a mark]"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct remote remote = make_remote();
		const struct fake_answer answers[] = {{.code = 200, .body = cases[i].body}};
		struct outcome out = ASK(&remote, &plain_turn, answers);
		const char *told = buf_text(&out.asker.told);

		cr_assert_eq(out.status, STATUS_OK);
		cr_assert(strstr(told, "begin:7;"));
		cr_assert_str_eq(strstr(told, "begin:7;") + 8, cases[i].told, "of %s", cases[i].body);
		buf_free(&out.asker.told);
	}
}

Test(ask, tells_no_echo_of_a_continued_reply)
{
	static const struct message begun[] = {{.role = ROLE_USER, .text = "Hi", .len = 2},
	                                       {.role = ROLE_ASSISTANT, .text = "Hello wo", .len = 8}};
	static const struct {
		const char *body, *told;
	} cases[] = {
		{TEXT("Hel") TEXT("lo world") END, "begin:7;[rld]"},
		{TEXT("rld") END, "begin:7;[rld]"},
		{TEXT("Hel") TEXT("p") END, "begin:7;[Help]"},
		{TEXT("Hello wo") TEXT("Hello wo") END, "begin:7;[Hello wo]"},
	};
	const struct turn turn = {.messages = begun, .n_messages = 2, .n_predict = -1, .continued = true};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct remote remote = make_remote();
		const struct fake_answer answers[] = {{.code = 200, .body = cases[i].body}};
		struct outcome out;

		snprintf(remote.host, sizeof remote.host, "api.mistral.ai");
		cr_assert_eq(dialect_openai.open(&remote, NULL), STATUS_OK);
		out = ASK(&remote, &turn, answers);
		assert_told(&out, cases[i].told);
	}
}

Test(ask, ends_at_stop_strings_that_the_server_lets_through)
{
	static const char *const stops[] = {"User:"};
	struct remote remote = make_remote();
	struct turn turn = plain_turn;
	const struct fake_answer answers[] = {{.code = 200, .body = TEXT("Hi\\nUs") TEXT("er: no") TEXT("never"), .hangs = true}};
	struct outcome out;

	turn.stops = stops;
	turn.n_stops = 1;
	out = ASK(&remote, &turn, answers);
	cr_assert(strstr(fake_http_body(0), "\"stop\": [\"User:\"]"));
	assert_told(&out, "begin:7;[Hi\n]");
	cr_assert_eq(out.result.reason, DONE_STOP);
}

Test(ask, has_enough_of_blanks)
{
	const char *const blank = TEXT(" ");
	struct remote remote = make_remote();
	struct fake_answer answer = {.code = 200};
	struct buf body = {.max = MIB(8)};
	struct outcome out;

	for (int i = 0; i < 18000; i++)
		buf_puts(&body, blank);
	answer.body = buf_text(&body);
	out = ask(&remote, &plain_turn, &answer, 1);
	cr_assert_eq(out.status, STATUS_LIMIT, "%d %s %zu", out.status, out.err.text, body.len);
	buf_free(&out.asker.told);
	buf_free(&body);
}

Test(ask, takes_an_answer_that_is_no_stream)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {
		{.code = 200, .body = "{\n  \"choices\": [{\"message\": {\"content\": \"Hi\"}, \"finish_reason\": \"stop\"}],\n"
		                      "  \"usage\": {\"prompt_tokens\": 3, \"completion_tokens\": 1}\n}"}};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	assert_told(&out, "begin:7;[Hi]");
	cr_assert_eq(out.result.reason, DONE_END);
	cr_assert_eq(out.result.stats.n_prompt, 3);
}

Test(ask, says_what_it_waits_for)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {{.code = 200, .waits_ms = 12000, .body = TEXT("a") END}};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	assert_told(&out, "wait:waiting for box: no answer yet (12 s);begin:7;[a]");
}

Test(ask, asks_a_busy_server_again)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {
		{.code = 429, .retry_after_ms = 2000, .body = "{\"error\":{\"message\":\"slow down\"}}"},
		{.code = 0, .trouble = HTTP_REFUSED, .retry_after_ms = 1},
		{.code = 200, .body = TEXT("a") END}};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	assert_told(&out, "wait:box is busy: asked again in 2 s (1 of 5);wait:box is busy: asked again in 1 s (1 of 5);"
	                  "wait:nothing listens at box: asked again in 1 s (2 of 5);begin:7;[a]");
}

Test(ask, waits_for_a_server_that_loads)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {
		{.code = 503, .body = "{\"error\":{\"message\":\"Loading model\",\"type\":\"unavailable_error\",\"code\":503}}"},
		{.code = 503, .body = "{\"error\":{\"message\":\"Loading model\",\"type\":\"unavailable_error\",\"code\":503}}"},
		{.code = 200, .body = TEXT("a") END}};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	assert_told(&out, "wait:box is loading its model;wait:box is loading its model;begin:7;[a]");
}

Test(ask, stops_waiting_when_it_is_cancelled)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {{.code = 429, .retry_after_ms = 60000, .body = "{}"}};
	struct outcome out = {.asker = {.told = {.max = KIB(64)}, .cancel_after = 4}};
	const struct backend_host host = {.ctx = &out.asker, .cancelled = is_cancelled, .params = give_params, .event = tell};

	fake_http_begin(answers, 1);
	cr_assert_eq(remote_run(&remote, &plain_turn, BACKEND_REPLY, &host, &out.result, &out.err), STATUS_OK);
	cr_assert_eq(out.result.reason, DONE_CANCELLED);
	cr_assert_eq(fake_http_calls(), 1);
	buf_free(&out.asker.told);
}

Test(ask, gives_up_in_the_end)
{
	struct remote remote = make_remote();
	const struct fake_answer busy = {.code = 503, .retry_after_ms = 1, .body = "{\"error\":\"full\"}"};
	const struct fake_answer answers[] = {busy, busy, busy, busy, busy, busy};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	assert_failed(&out, STATUS_IO, "box: full (503)");
}

Test(ask, does_not_ask_again_what_was_refused)
{
	static const struct {
		struct fake_answer answer;
		enum status status;
		const char *text;
	} cases[] = {
		{{.code = 401, .body = "{\"error\":{\"message\":\"no\"}}"}, STATUS_DECLINED,
		 "box: the server wants a key (401): give it one by key-env or key-command in servers.yaml"},
		{{.code = 402, .body = "{\"error\":{\"message\":\"pay\"}}"}, STATUS_DECLINED, "box: the account has no credit (402): pay"},
		{{.code = 404, .body = "{\"error\":{\"message\":\"The model `m` does not exist.\"}}"}, STATUS_NOTFOUND,
		 "box: there is no model 'm' (it says: The model `m` does not exist)"},
		{{.code = 400, .body = "{\"error\":{\"message\":\"bad\\nthing.\"}}"}, STATUS_IO, "box: bad thing (400)"},
		{{.code = 500, .body = ""}, STATUS_IO, "box: the server answers 500 without saying why"},
		{{.code = 429, .retry_after_ms = 500000, .body = "{\"error\":\"quota\"}"}, STATUS_BUSY,
		 "box: too many requests (429): try again in 500 s (it says: quota)"},
		{{.code = 200, .body = DONE}, STATUS_IO, "box: the server ended without an answer"},
		{{.code = 200, .body = "<html>\n<body>Hello"}, STATUS_FORMAT,
		 "box: its answer is not a reply of a model: '<html>': check its url in servers.yaml"},
		{{.code = 200, .body = "data: {\"error\":{\"message\":\"Provider returned error\",\"code\":502}}\n\n"}, STATUS_IO,
		 "box: Provider returned error"},
		{{.code = 0, .trouble = HTTP_NO_HOST}, STATUS_IO, "box: the line is bad"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct remote remote = make_remote();
		struct outcome out = ask(&remote, &plain_turn, &cases[i].answer, 1);

		cr_assert_str_eq(buf_text(&out.asker.told), "");
		assert_failed(&out, cases[i].status, cases[i].text);
	}
}

Test(ask, keeps_what_came_before_the_line_broke)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {{.code = 200, .trouble = HTTP_BROKEN, .body = TEXT("Hel") TEXT("lo")}};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	cr_assert_str_eq(buf_text(&out.asker.told), "begin:7;[Hel][lo]");
	cr_assert_eq(out.result.stats.n_generated, 2);
	cr_assert(out.result.stats.estimated);
	assert_failed(&out, STATUS_IO, "box: the line is bad");
}

Test(ask, drops_a_field_that_the_model_refuses)
{
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {
		{.code = 400, .body = "{\"error\":{\"message\":\"Unsupported parameter\",\"param\":\"temperature\"}}"},
		{.code = 422, .body = "{\"detail\":[{\"loc\":[\"body\",\"seed\"],\"msg\":\"Extra inputs are not permitted\"}]}"},
		{.code = 200, .body = TEXT("a") END}};
	const struct fake_answer later[] = {{.code = 200, .body = TEXT("b") END}};
	struct outcome out = ASK(&remote, &plain_turn, answers);

	assert_told(&out, "learnt;learnt;begin:7;[a]");
	cr_assert(strstr(fake_http_body(0), "\"temperature\""));
	cr_assert_null(strstr(fake_http_body(1), "\"temperature\""));
	cr_assert_null(strstr(fake_http_body(2), "\"seed\""));
	cr_assert_str_eq(model_info_idle(&remote.info, "temp"), "refused by this model");
	out = ASK(&remote, &plain_turn, later);
	assert_told(&out, "begin:7;[b]");
	cr_assert_null(strstr(fake_http_body(0), "\"temperature\""));
}

/* How likely tokens were is an extra, without which there is a reply all the same. */
Test(ask, does_without_candidates_where_they_are_refused)
{
	struct remote remote = {.server = &config, .url = url, .host = "api.openai.com", .model = model_id,
	                        .dialect = &dialect_openai, .clock = &clock_of_tests};
	const struct turn turn = {.messages = question, .n_messages = 1, .n_predict = -1, .n_candidates = 20};
	const struct fake_answer answers[] = {
		{.code = 403, .body = "{\"error\":{\"message\":\"You are not allowed to request logprobs from this model\"}}"},
		{.code = 200, .body = TEXT("a") END}};
	struct outcome out;

	cr_assert_eq(dialect_openai.open(&remote, NULL), STATUS_OK);
	cr_assert(remote.info.capabilities & CAPABILITY_LOGITS);
	out = ASK(&remote, &turn, answers);
	assert_told(&out, "learnt;begin:7;[a]");
	cr_assert(strstr(fake_http_body(0), "\"top_logprobs\": 20") || strstr(fake_http_body(0), "\"top_logprobs\":20"));
	cr_assert_null(strstr(fake_http_body(1), "logprobs"));
	cr_assert_eq(remote.info.capabilities & CAPABILITY_LOGITS, 0);
}

Test(ask, leaves_more_out_where_the_context_is_smaller)
{
	static char text[8000];
	struct remote remote = make_remote();
	const struct fake_answer answers[] = {
		{.code = 400, .body = "{\"error\":{\"type\":\"exceed_context_size_error\",\"message\":\"request (6000 tokens) exceeds "
		                      "the available context size\",\"n_prompt_tokens\":6000,\"n_ctx\":4096}}"},
		{.code = 200, .body = TEXT("a") END}};
	struct message messages[3];
	const struct turn turn = {.messages = messages, .n_messages = 3, .n_predict = -1};
	struct outcome out;

	memset(text, 'x', sizeof text);
	messages[0] = (struct message){.role = ROLE_USER, .text = text, .len = sizeof text};
	messages[1] = (struct message){.role = ROLE_ASSISTANT, .text = text, .len = sizeof text};
	messages[2] = (struct message){.role = ROLE_USER, .text = "last", .len = 4};
	out = ASK(&remote, &turn, answers);
	assert_told(&out, "learnt;begin:7;[a]");
	cr_assert_eq(remote.info.n_ctx, 4096);
	cr_assert(strlen(fake_http_body(1)) < 1000);
	cr_assert_eq(out.result.stats.n_dropped, 2);
}

Test(ask, says_that_a_prompt_is_too_long)
{
	struct remote remote = make_remote();
	const struct turn turn = plain_turn; /* there is nothing to leave out */
	const struct fake_answer answers[] = {
		{.code = 400, .body = "{\"error\":{\"message\":\"This model's maximum context length is 512 tokens. However, your "
		                      "messages resulted in 600 tokens.\",\"code\":\"context_length_exceeded\"}}"}};
	struct outcome out;

	out = ASK(&remote, &turn, answers);
	assert_failed(&out, STATUS_CONTEXT, "box: the prompt has 600 tokens, the model's context has room for 512");
}

Test(ask, learns_the_context_where_nothing_may_be_left_out)
{
	static const enum context_policy policies[] = {CONTEXT_SUMMARY, CONTEXT_STOP};
	const struct fake_answer answers[] = {
		{.code = 400, .body = "{\"error\":{\"message\":\"This model's maximum context length is 512 tokens. However, your "
		                      "messages resulted in 600 tokens.\",\"code\":\"context_length_exceeded\"}}"}};

	for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++) {
		struct remote remote = make_remote();
		struct turn turn = plain_turn;
		struct outcome out;

		turn.policy = policies[i];
		out = ASK(&remote, &turn, answers);
		cr_assert_eq(out.status, STATUS_CONTEXT);
		cr_assert_str_eq(buf_text(&out.asker.told), "learnt;");
		cr_assert_eq(remote.info.n_ctx, 512);
		buf_free(&out.asker.told);
	}
}

Test(ask, does_nothing_to_warm_a_server)
{
	struct remote remote = make_remote();
	struct asker asker = {.told = {.max = KIB(1)}};
	const struct backend_host host = {.ctx = &asker, .cancelled = is_cancelled, .params = give_params, .event = tell};
	struct backend_result result;

	fake_http_begin(NULL, 0);
	cr_assert_eq(remote_run(&remote, &plain_turn, BACKEND_WARM, &host, &result, NULL), STATUS_OK);
	cr_assert_eq(fake_http_calls(), 0);
	cr_assert_eq(asker.n_told, 0);
}

/* ---- a dialect that can be told to answer ---- */

static char answered_id[32];

static enum status end_thinking(struct remote *remote, const char *id, struct error *err)
{
	(void)remote;
	(void)err;
	snprintf(answered_id, sizeof answered_id, "%s", id);
	return STATUS_OK;
}

static enum status begin_again(struct remote *remote, const char *id, struct error *err)
{
	remote->again = true;
	return end_thinking(remote, id, err);
}

Test(ask, has_the_answer_now)
{
	struct remote remote = make_remote();
	struct dialect dialect = dialect_openai;
	const struct fake_answer answers[] = {
		{.code = 200, .piece = 20, .body = "data: {\"id\":\"r1\",\"choices\":[{\"delta\":{\"reasoning\":\"hm\"}}]}\n\n" TEXT("Hi") END}};
	struct outcome out = {.asker = {.told = {.max = KIB(64)}, .wants_answer = true}};
	const struct backend_host host = {.ctx = &out.asker, .cancelled = is_cancelled, .params = give_params, .event = tell,
	                                  .wants_answer = wants_answer};

	dialect.answer_now = end_thinking;
	remote.dialect = &dialect;
	fake_http_begin(answers, 1);
	out.status = remote_run(&remote, &plain_turn, BACKEND_REPLY, &host, &out.result, &out.err);
	cr_assert_str_eq(answered_id, "r1");
	assert_told(&out, "begin:7;(hm)[Hi]");
}

Test(ask, goes_on_with_the_same_reply_by_another_request)
{
	struct remote remote = make_remote();
	struct dialect dialect = dialect_openai;
	const struct fake_answer answers[] = {{.code = 200, .body = THOUGHT("hm"), .hangs = true},
	                                      {.code = 200, .body = TEXT("Hi") END}};
	struct outcome out = {.asker = {.told = {.max = KIB(64)}, .wants_answer = true}};
	const struct backend_host host = {.ctx = &out.asker, .cancelled = is_cancelled, .params = give_params, .event = tell,
	                                  .wants_answer = wants_answer};

	dialect.answer_now = begin_again;
	remote.dialect = &dialect;
	fake_http_begin(answers, 2);
	out.status = remote_run(&remote, &plain_turn, BACKEND_REPLY, &host, &out.result, &out.err);
	assert_told(&out, "begin:7;(hm)[Hi]");
	cr_assert_eq(out.result.reason, DONE_END);
	cr_assert_eq(out.result.stats.n_generated, 2);
}

/* ---- when it asks again ---- */

Test(retry, waits_longer_each_time)
{
	const struct http_answer busy = {.code = 503, .retry_after_ms = -1};
	struct retry retry = {.n = 0};

	for (int64_t ms = 1000; ms <= 16000; ms *= 2) {
		struct retry same = retry;
		int64_t least = retry_wait(&same, &busy, false, 0), most = 0;

		for (uint32_t chance = 1; chance < 20000; chance++) {
			int64_t found;

			same = retry;
			found = retry_wait(&same, &busy, false, chance);
			most = found > most ? found : most;
		}
		cr_assert_eq(least, ms - ms / 4);
		cr_assert_eq(most, ms + ms / 4);
		retry = same;
	}
	cr_assert_eq(retry_wait(&retry, &busy, false, 0), -1);
}

Test(retry, tells_what_is_worth_it)
{
	static const struct {
		int code;
		enum http_trouble trouble;
		int64_t retry_after_ms, expected;
	} cases[] = {
		{429, HTTP_FINE, 5000, 5000},   {503, HTTP_FINE, 120000, 120000}, {429, HTTP_FINE, 120001, -1},
		{502, HTTP_FINE, -1, 750},      {504, HTTP_FINE, -1, 750},        {500, HTTP_FINE, -1, -1},
		{400, HTTP_FINE, -1, -1},       {404, HTTP_FINE, 1, -1},          {0, HTTP_REFUSED, -1, 750},
		{200, HTTP_BROKEN, -1, 750},    {0, HTTP_NO_HOST, -1, -1},        {0, HTTP_TLS, -1, -1},
		{0, HTTP_NO_ROUTE, -1, -1},     {200, HTTP_SILENT, -1, -1},       {429, HTTP_FINE, 0, 1000},
		{503, HTTP_FINE, 999, 1000},    {429, HTTP_FINE, 1001, 1001},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct http_answer answer = {.code = cases[i].code, .trouble = cases[i].trouble,
		                                   .retry_after_ms = cases[i].retry_after_ms};
		struct retry retry = {.n = 0};

		cr_assert_eq(retry_wait(&retry, &answer, false, 0), cases[i].expected, "case %zu", i);
	}
}

static uint64_t tick(void)
{
	return ++now;
}

Test(ask, a_reply_has_ended_where_the_answer_has_not)
{
	static const struct remote_clock ticking = {tick, pass_time};
	const struct fake_answer answers[] = {{.code = 200, .body = TEXT("all") END USAGE DONE, .hangs = true}};
	struct remote remote = make_remote();
	struct outcome out;

	remote.clock = &ticking;
	out = ASK(&remote, &plain_turn, answers);
	assert_told(&out, "begin:7;[all]");
	cr_assert_eq(out.result.reason, DONE_END);
	cr_assert_eq(out.result.stats.n_prompt, 9);
}

Test(ask, counts_that_no_model_reaches_are_not_believed)
{
#define COUNTS(prompt, reply, thoughts) \
	"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":" prompt ",\"completion_tokens\":" reply \
	",\"completion_tokens_details\":{\"reasoning_tokens\":" thoughts "}}}\n\n"
	static const struct fake_answer strange[] = {
		{.code = 200, .body = TEXT("a") END COUNTS("4294967295", "4", "0") DONE},
		{.code = 200, .body = TEXT("a") END COUNTS("9", "1e300", "0") DONE},
	};
	static const struct fake_answer thoughts[] = {{.code = 200, .body = TEXT("a") END COUNTS("9", "4", "500") DONE}};
	struct remote remote = make_remote();
	struct outcome out;

	for (size_t i = 0; i < 2; i++) {
		out = ask(&remote, &plain_turn, &strange[i], 1);
		assert_told(&out, "begin:7;[a]");
		cr_assert(out.result.stats.estimated);
		cr_assert_lt(out.result.stats.n_prompt, 20);
		cr_assert_eq(out.result.stats.n_generated, 1);
	}
	out = ASK(&remote, &plain_turn, thoughts);
	assert_told(&out, "begin:7;[a]");
	cr_assert_eq(out.result.stats.n_reasoning, 4);
}
