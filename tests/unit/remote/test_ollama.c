#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"
#include "remote/dialect_ollama.h"
#include "remote/request.h"
#include "served.h"
#include "support/server/server.h"

static const struct message hello[] = {{.role = ROLE_USER, .text = "Hello", .len = 5}};

static struct turn ask(void)
{
	return (struct turn){.messages = hello,
	                     .n_messages = 1,
	                     .sampler = sampler_params_default(),
	                     .n_predict = -1};
}

static struct ollama_model show(const char *json)
{
	struct ollama_model model;

	ollama_read_show(&model, json, strlen(json));
	return model;
}

Test(ollama, what_a_model_says_of_itself)
{
	struct ollama_model m = show(
		"{\"parameters\":\"stop \\\"x\\\"\\nnum_ctx   16384\\n\",\"template\":\"{{ .Prompt "
		"}}\","
		"\"details\":{\"family\":\"qwen3\"},\"model_info\":{\"general.architecture\":"
		"\"qwen3\","
		"\"qwen3.context_length\":40960},\"capabilities\":[\"completion\",\"thinking\"]}");

	cr_assert_eq(m.n_ctx, 16384);
	cr_assert_eq(m.n_ctx_max, 40960);
	cr_assert_eq(m.n_stops, 1);
	cr_assert_str_eq(m.stops[0], "x");
	cr_assert(m.thinks && !m.always_thinks && !m.has_levels && !m.is_elsewhere);
	m = show("{\"details\":{\"family\":\"gptoss\"},\"capabilities\":[\"thinking\"],\"remote_"
	         "host\":\"https://ollama.com\"}");
	cr_assert(m.thinks && m.always_thinks && m.has_levels && m.is_elsewhere);
	cr_assert_str_eq(m.host, "ollama.com");
	cr_assert_eq(m.n_ctx, 0);
	m = show("{\"capabilities\":[\"completion\"]}");
	cr_assert_not(m.thinks);
	m = show("nonsense");
	cr_assert_eq(m.n_ctx, 0);
}

Test(ollama, names_of_one_model)
{
	cr_assert(ollama_is_same("llama3", "llama3"));
	cr_assert(ollama_is_same("llama3", "llama3:latest"));
	cr_assert(ollama_is_same("llama3:latest", "llama3"));
	cr_assert_not(ollama_is_same("llama3", "llama3:8b"));
	cr_assert_not(ollama_is_same("llama3", "llama32:latest"));
	cr_assert_not(ollama_is_same("llama3:8b", "llama3:8b:latest"));
}

/* The context is always said, so that nothing is cut without a word. */
Test(ollama, says_what_is_not_to_be_cut)
{
	struct served served;
	struct remote_request request;
	struct turn turn = ask();
	struct error err = {.status = STATUS_OK};

	turn.sampler.top_k = 0;
	turn.sampler.repeat_last_n = -1;
	served_open(&served, &dialect_ollama, "dialect=ollama,n_ctx=7000", NULL, "toy", &err);
	cr_assert_eq(err.status, STATUS_OK, "%s", err.text);
	cr_assert_eq(served.remote.info.n_ctx, 7000);
	cr_assert_not(served.remote.info.capabilities &
	              (CAPABILITY_REASONING | CAPABILITY_COUNTS | CAPABILITY_IDS));
	cr_assert_not_null(model_info_idle(&served.remote.info, "dry-multiplier"));
	cr_assert_null(model_info_idle(&served.remote.info, "seed"));
	cr_assert_null(model_info_idle(&served.remote.info, "reasoning"));
	cr_assert_eq(served_write(&served, &turn, &request, &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(buf_text(&request.path), "/api/chat");
	cr_assert(served_has(&request, "\"num_ctx\": 7000"), "%s", buf_text(&request.body));
	cr_assert(served_has(&request, "\"truncate\": false") &&
	          served_has(&request, "\"shift\": false"));
	cr_assert(served_has(&request, "\"seed\": 7") && served_has(&request, "\"top_k\": 0"));
	cr_assert(served_has(&request, "\"repeat_last_n\": 7000"));
	cr_assert(served_has(&request, "\"stream\": true"));
	cr_assert_not(served_has(&request, "think"));
	cr_assert_not(served_has(&request, "keep_alive"));
	cr_assert_not(served_has(&request, "num_predict"));
	cr_assert(request.is_estimate);
	remote_request_free(&request);
	served_close(&served);
}

/* Who waits is told that the model is being loaded. */
Test(ollama, a_model_that_is_not_loaded)
{
	struct served served;
	struct remote_request request;
	struct turn turn = ask();
	struct chunk out;
	struct error err = {.status = STATUS_OK};
	const char *line = "{\"message\":{\"content\":\"a\"},\"done\":false}";

	chunk_init(&out);
	served_open(&served, &dialect_ollama, "dialect=ollama,n_ctx=7000",
	            "  models:\n    toy: {context: 9000}\n", "toy", &err);
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(served_write(&served, &turn, &request, &err), STATUS_OK, "%s",
		             err.text);
		cr_assert_eq(served.remote.is_loading,
		             i == 0); /* it is loaded with another context */
		remote_request_free(&request);
		cr_assert_eq(dialect_ollama.read(&served.remote, line, strlen(line), &out, &err),
		             STATUS_OK);
		cr_assert_not(served.remote.is_loading);
	}
	chunk_free(&out);
	served_close(&served);
}

/* A request's stop strings would take the place of the model's own. */
Test(ollama, stop_strings_of_both)
{
	static const char *const stops[] = {"END"};
	struct served served;
	struct remote_request request;
	struct turn turn = ask();
	struct error err = {.status = STATUS_OK};

	served_open(&served, &dialect_ollama, "dialect=ollama", NULL, "toy", &err);
	cr_assert_eq(served_write(&served, &turn, &request, &err), STATUS_OK, "%s", err.text);
	cr_assert_not(served_has(&request, "\"stop\""));
	remote_request_free(&request);
	turn.stops = stops;
	turn.n_stops = 1;
	cr_assert_eq(served_write(&served, &turn, &request, &err), STATUS_OK, "%s", err.text);
	cr_assert(served_has(&request, "\"stop\": [\"<|im_end|>\", \"END\"]"), "%s",
	          buf_text(&request.body));
	remote_request_free(&request);
	served_close(&served);
}

Test(ollama, context_of_servers_yaml_comes_first)
{
	struct served served;
	struct error err = {.status = STATUS_OK};

	served_open(&served, &dialect_ollama, "dialect=ollama,n_ctx=7000",
	            "  models:\n    toy: {context: 9000}\n", "toy", &err);
	cr_assert_eq(served.remote.info.n_ctx, 9000);
	served_close(&served);
	served_open(&served, &dialect_ollama, "dialect=ollama,n_ctx=7000",
	            "  models:\n    toy: {context: 99000}\n", "toy", &err);
	cr_assert_eq(served.remote.info.n_ctx, 32768); /* what the model can */
	served_close(&served);
}

Test(ollama, thinking_as_the_model_can)
{
	static const struct {
		enum reasoning_mode mode;
		enum effort effort;
		const char *has;
	} rows[] = {
		{REASONING_AUTO, EFFORT_AUTO, NULL},
		{REASONING_ON, EFFORT_AUTO, "\"think\": true"},
		{REASONING_OFF, EFFORT_AUTO, "\"think\": false"},
		{REASONING_OFF, EFFORT_HIGH, "\"think\": false"},
		{REASONING_AUTO, EFFORT_HIGH, NULL}, /* it has no levels */
	};
	struct served served;
	struct error err = {.status = STATUS_OK};

	served_open(&served, &dialect_ollama, "dialect=ollama,mode=think", NULL, "toy:latest",
	            &err);
	cr_assert(served.remote.info.capabilities & CAPABILITY_REASONING);
	cr_assert(served.remote.info.capabilities & CAPABILITY_SWITCH);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct turn turn = ask();
		struct remote_request request;

		turn.reasoning =
			(struct reasoning_wish){.mode = rows[i].mode, .effort = rows[i].effort};
		cr_assert_eq(served_write(&served, &turn, &request, &err), STATUS_OK, "%s",
		             err.text);
		cr_assert_eq(served_has(&request, "\"think\""), rows[i].has != NULL, "row %zu", i);
		cr_assert(!rows[i].has || served_has(&request, rows[i].has), "row %zu", i);
		remote_request_free(&request);
	}
	served_close(&served);
}

Test(ollama, says_which_model_is_missing)
{
	struct served served;
	struct error err = {.status = STATUS_OK};

	served_open(&served, &dialect_ollama, "dialect=ollama", NULL, "nope", &err);
	cr_assert_eq(err.status, STATUS_NOTFOUND);
	cr_assert_str_eq(err.text, "box: there is no model 'nope': ollama pull nope gets it");
	served_close(&served);
}

static void read_line(struct chunk *out, struct remote *remote, const char *json)
{
	struct error err;

	chunk_clear(out);
	cr_assert_eq(dialect_ollama.read(remote, json, strlen(json), out, &err), STATUS_OK, "%s",
	             err.text);
}

Test(ollama, lines_of_a_reply)
{
	struct ollama_model model = {.n_ctx = 4096, .n_predict = -1};
	struct remote remote = {.own = &model};
	struct chunk out;
	struct error err;

	chunk_init(&out);
	read_line(&out, &remote,
	          "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"Hi\","
	          "\"thinking\":\"hm\"},\"done\":false}");
	cr_assert_str_eq(buf_text(&out.text), "Hi");
	cr_assert_str_eq(buf_text(&out.reasoning), "hm");
	cr_assert(!out.is_last && out.end == CHUNK_GOES_ON && !out.usage.is_known);
	read_line(&out, &remote,
	          "{\"message\":{\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\",\"load_"
	          "duration\":5,"
	          "\"prompt_eval_count\":9,\"prompt_eval_duration\":2000000,\"eval_count\":3,"
	          "\"eval_duration\":4000000}");
	cr_assert(out.is_last && out.end == CHUNK_END && out.usage.is_known);
	cr_assert_eq(out.usage.n_prompt, 9);
	cr_assert_eq(out.usage.n_generated, 3);
	cr_assert_float_eq(out.usage.prefill_ms, 2, 1e-9);
	cr_assert_float_eq(out.usage.decode_ms, 4, 1e-9);
	/* The end of its context is called "length", too. */
	read_line(&out, &remote,
	          "{\"done\":true,\"done_reason\":\"length\",\"prompt_eval_count\":9,\"eval_"
	          "count\":4087}");
	cr_assert_eq(out.end, CHUNK_CONTEXT);
	model.n_predict = 3;
	read_line(&out, &remote,
	          "{\"done\":true,\"done_reason\":\"length\",\"prompt_eval_count\":9,\"eval_"
	          "count\":3}");
	cr_assert_eq(out.end, CHUNK_LENGTH);
	read_line(&out, &remote, "{\"done\":true}"); /* it does not always say why */
	cr_assert(out.is_last && out.end == CHUNK_END);
	read_line(&out, &remote,
	          "{\"error\":\"an error was encountered while running the model\"}");
	cr_assert_eq(out.error.status, STATUS_IO);
	read_line(&out, &remote,
	          "{\"error\":\"the prompt is longer than the context length currently available "
	          "to the model\"}");
	cr_assert_eq(out.error.status, STATUS_CONTEXT);
	read_line(&out, &remote,
	          "{\"message\":{\"content\":\"a\"},\"logprobs\":[{\"token\":\"a\",\"logprob\":0,"
	          "\"top_logprobs\":[{\"token\":\"a\",\"logprob\":0},{\"token\":\"b\",\"logprob\":-"
	          "1}]}]}");
	cr_assert_eq(out.n_candidates, 2);
	cr_assert_eq(memcmp(out.candidates[1].text, "b", 2), 0);
	cr_assert_eq(dialect_ollama.read(&remote, "{\"mess", 6, &out, &err), STATUS_FORMAT);
	chunk_free(&out);
}

Test(ollama, refuses_what_it_cannot)
{
	static const struct message cut[] = {
		{.role = ROLE_USER, .text = "a", .len = 1},
		{.role = ROLE_ASSISTANT, .text = "", .reasoning = "hm", .reasoning_len = 2}};
	struct turn turn = ask();
	struct served served;
	struct remote_request request;
	struct error err = {.status = STATUS_OK};

	served_open(&served, &dialect_ollama, "dialect=ollama,mode=think", NULL, "toy", &err);
	turn.raw = true;
	cr_assert_eq(served_write(&served, &turn, &request, &err), STATUS_DECLINED);
	remote_request_free(&request);
	turn = ask();
	turn.messages = cut;
	turn.n_messages = 2;
	turn.continued = true;
	cr_assert_eq(served_write(&served, &turn, &request, &err), STATUS_DECLINED);
	remote_request_free(&request);
	served_close(&served);
}
