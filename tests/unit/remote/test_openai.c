#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/dialect.h"
#include "remote/hosts.h"
#include "remote/request.h"

#include "fake_http.h"

#define MESSAGE(r, t) {.role = ROLE_##r, .text = t, .len = sizeof(t) - 1}

static char name[] = "box", url[] = "https://host/v1", base[] = "https://host", model_id[] = "m";
static const struct server_config config = {.name = name, .url = url};

static struct remote make_remote(const char *host, enum http_distance distance, const char *product)
{
	struct remote remote = {.server = &config, .url = base, .model = model_id, .dialect = &dialect_openai,
	                        .distance = distance, .product = product, .info = {.n_ctx = 4096}};

	snprintf(remote.host, sizeof remote.host, "%s", host);
	cr_assert_eq(dialect_openai.open(&remote, NULL), STATUS_OK);
	return remote;
}

static const struct fake_answer counted = {.code = 200, .body = "{\"tokens\": [1, 2], \"length\": 37, \"value\": 200}"};

/* The body, which the caller frees. */
static char *write_body(struct remote *remote, const struct turn *turn, const char *path)
{
	const struct remote_ask ask = {.turn = turn, .params = sampler_params_default(), .seed = 7};
	struct remote_request request;
	struct error err = {.text = ""};
	char *body;

	remote_request_init(&request);
	cr_assert_eq(dialect_openai.write(remote, &ask, &request, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(buf_text(&request.path), path);
	body = buf_take(&request.body, NULL);
	remote_request_free(&request);
	return body;
}

static const struct message messages[] = {MESSAGE(SYSTEM, "Be brief."), MESSAGE(USER, "Hi"), MESSAGE(ASSISTANT, "He")};

/* Words that a request has, and that it has not, each ending with a blank. */
static const struct {
	const char *host;
	enum http_distance distance;
	const char *product, *has, *lacks;
} cases[] = {
	{"api.openai.com:443", HTTP_FAR, NULL,
	 "temperature top_p max_completion_tokens seed logprobs top_logprobs reasoning_effort stream_options ", "max_tokens top_k min_p "},
	{"eu.api.openai.com", HTTP_FAR, NULL, "max_completion_tokens ", "max_tokens "},
	{"notapi.openai.com.example", HTTP_FAR, NULL, "max_tokens ", "max_completion_tokens logprobs reasoning_effort "},
	{"openrouter.ai", HTTP_FAR, NULL, "top_k min_p repetition_penalty reasoning usage ", "stream_options "},
	{"api.groq.com", HTTP_FAR, NULL, "max_completion_tokens seed ", "presence_penalty frequency_penalty logit_bias logprobs "},
	{"api.mistral.ai", HTTP_FAR, NULL, "random_seed max_tokens ", "\"seed top_k min_p logit_bias logprobs stream_options "},
	{"api.together.xyz", HTTP_FAR, NULL, "context_length_exceeded_behavior top_k ", "logprobs "},
	{"api.anthropic.com", HTTP_FAR, NULL, "temperature max_tokens ", "presence_penalty seed logit_bias reasoning_effort "},
	{"localhost:1234", HTTP_HERE, "LM Studio", "top_k repeat_penalty max_tokens ", "typical_p dry_multiplier "},
	{"localhost:5000", HTTP_HERE, "TabbyAPI", "dry_range penalty_range xtc_probability dry_sequence_breakers ", "top_n_sigma "},
	{"localhost:5001", HTTP_HERE, "KoboldCpp", "rep_pen rep_pen_range typical mirostat_mode ", "frequency_penalty repetition_penalty "},
	{"localhost:8080", HTTP_HERE, "llamafile", "temperature seed ", "top_k logprobs "},
	{"localhost:9999", HTTP_HERE, NULL, "temperature top_p seed max_tokens ", "top_k min_p logprobs reasoning_effort "},
};

Test(openai, sends_what_a_server_knows)
{
	const struct turn turn = {.messages = messages, .n_messages = 2, .n_predict = 100, .n_candidates = 5,
	                          .reasoning = {.mode = REASONING_ON, .effort = EFFORT_LOW}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct remote remote = make_remote(cases[i].host, cases[i].distance, cases[i].product);
		char *body;

		fake_http_begin(&counted, 1);
		body = write_body(&remote, &turn, "/v1/chat/completions");
		for (int wanted = 0; wanted < 2; wanted++)
			for (const char *at = wanted ? cases[i].has : cases[i].lacks; *at; at += strcspn(at, " ") + 1) {
				char field[64];

				snprintf(field, sizeof field, "%s%.*s\"", *at == '"' ? "" : "\"", (int)strcspn(at, " "), at);
				cr_assert_eq(strstr(body, field) != NULL, wanted, "%s: %s in %s", cases[i].host, field, body);
			}
		free(body);
	}
}

Test(openai, tables_have_no_row_twice)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct remote remote = make_remote(cases[i].host, cases[i].distance, cases[i].product);

		cr_assert_leq(remote.n_fields, REMOTE_FIELDS_MAX);
		for (size_t a = 0; a < remote.n_fields; a++)
			for (size_t b = 0; b < a; b++)
				cr_assert(!remote.fields[a].field || !remote.fields[b].field ||
				          strcmp(remote.fields[a].field, remote.fields[b].field) != 0 ||
				          strcmp(remote.fields[a].option, remote.fields[b].option) != 0,
				          "%s of %s", remote.fields[a].option, cases[i].host);
	}
}

Test(openai, goes_on_with_a_reply_where_the_server_can)
{
	const struct turn turn = {.messages = messages, .n_messages = 3, .n_predict = -1, .continued = true};
	const struct remote_ask ask = {.turn = &turn};
	struct remote mistral = make_remote("api.mistral.ai", HTTP_FAR, NULL);
	struct remote tabby = make_remote("localhost", HTTP_HERE, "TabbyAPI");
	struct remote other = make_remote("localhost", HTTP_HERE, NULL);
	struct remote_request request;
	char *body;

	fake_http_begin(&counted, 1);
	cr_assert(mistral.info.capabilities & CAPABILITY_CONTINUE);
	body = write_body(&mistral, &turn, "/v1/chat/completions");
	cr_assert(strstr(body, "\"content\": \"He\", \"prefix\": true}"), "%s", body);
	free(body);
	body = write_body(&tabby, &turn, "/v1/chat/completions");
	cr_assert(strstr(body, "\"continue_final_message\": true, \"add_generation_prompt\": false"), "%s", body);
	free(body);
	cr_assert_not(other.info.capabilities & CAPABILITY_CONTINUE);
	remote_request_init(&request);
	cr_assert_eq(dialect_openai.write(&other, &ask, &request, NULL), STATUS_DECLINED);
	remote_request_free(&request);
}

Test(openai, continues_raw_texts)
{
	static const struct message raw[] = {MESSAGE(USER, "Once upon"), MESSAGE(USER, " a time")};
	const struct turn turn = {.messages = raw, .n_messages = 2, .n_predict = -1, .raw = true};
	struct remote remote = make_remote("localhost", HTTP_HERE, NULL);
	char *body = write_body(&remote, &turn, "/v1/completions");

	cr_assert(strstr(body, "\"prompt\": \"Once upon a time\""), "%s", body);
	cr_assert_null(strstr(body, "messages"));
	cr_assert(strstr(body, "\"max_tokens\": 40"), "%s", body);
	free(body);
}

Test(openai, keeps_the_version_of_a_base_that_has_one)
{
	static char gemini[] = "https://generativelanguage.googleapis.com/v1beta/openai";
	const struct turn turn = {.messages = messages, .n_messages = 2, .n_predict = -1};
	struct remote remote = make_remote("generativelanguage.googleapis.com", HTTP_FAR, NULL);

	remote.url = gemini;
	free(write_body(&remote, &turn, "/chat/completions"));
}

Test(openai, has_servers_count_that_can)
{
	const struct turn turn = {.messages = messages, .n_messages = 2, .n_predict = -1};
	const struct fake_answer broken = {.code = 500, .body = ""};
	struct message_count counts[2];
	struct inspection out = {.purpose = INSPECT_GAUGE, .messages = counts};
	struct remote remote = make_remote("localhost", HTTP_HERE, "TabbyAPI");

	cr_assert(remote.info.capabilities & CAPABILITY_COUNTS);
	fake_http_begin(&counted, 1);
	cr_assert_eq(dialect_openai.inspect(&remote, &turn, &out, NULL), STATUS_OK);
	cr_assert_eq(out.total, 37 + 3); /* and what asks for the reply */
	cr_assert_not(out.estimated);
	cr_assert_str_eq(fake_http_path(0), "/v1/token/encode");
	cr_assert(strstr(fake_http_body(0), "\"text\": ["), "%s", fake_http_body(0));
	/* what is known is not asked again */
	cr_assert_eq(dialect_openai.inspect(&remote, &turn, &out, NULL), STATUS_OK);
	cr_assert_eq(fake_http_calls(), 1);
	remote = make_remote("localhost", HTTP_HERE, "TabbyAPI");
	fake_http_begin(&broken, 1);
	cr_assert_eq(dialect_openai.inspect(&remote, &turn, &out, NULL), STATUS_OK);
	cr_assert(out.estimated);
	remote = make_remote("localhost", HTTP_HERE, "KoboldCpp");
	fake_http_begin(&counted, 1);
	cr_assert_eq(dialect_openai.inspect(&remote, &turn, &out, NULL), STATUS_OK);
	cr_assert(out.estimated);
	cr_assert_str_eq(fake_http_path(0), "/api/extra/tokencount");
	cr_assert_str_eq(fake_http_body(0), "{\"prompt\": \"Be brief.Hi\"}");
}

Test(openai, says_what_each_server_can)
{
	struct remote openai = make_remote("api.openai.com", HTTP_FAR, NULL);
	struct remote other = make_remote("localhost", HTTP_HERE, NULL);

	cr_assert(openai.info.capabilities & CAPABILITY_LOGITS);
	cr_assert(openai.info.capabilities & CAPABILITY_EFFORT);
	cr_assert_not(openai.has_inline_thoughts);
	cr_assert_not(other.info.capabilities & (CAPABILITY_LOGITS | CAPABILITY_EFFORT | CAPABILITY_SWITCH));
	cr_assert(other.has_inline_thoughts);
	cr_assert_not(other.info.capabilities & (CAPABILITY_IDS | CAPABILITY_COUNTS | CAPABILITY_LIVE_PARAMS));
}
