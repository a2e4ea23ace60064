/* Ollama by its own /api. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "support/server/internal.h"

static bool is(const struct play_request *request, const char *method, const char *path)
{
	return strcmp(request->method, method) == 0 && strcmp(request->path, path) == 0;
}

static void line(struct answer *out, const char *thinking, const char *content, bool probs, unsigned pause,
                 bool gated)
{
	struct json_writer json = {.out = &out->body};

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", "toy:latest");
	json_put_begin(&json, "message", '{');
	json_put_string(&json, "role", "assistant");
	json_put_string(&json, "content", content);
	if (thinking)
		json_put_string(&json, "thinking", thinking);
	json_put_end(&json, '}');
	if (probs)
		play_put_candidates(&json, "logprobs", thinking ? thinking : content);
	json_put_bool(&json, "done", false);
	json_put_end(&json, '}');
	buf_putc(&out->body, '\n');
	play_put_piece(out, pause, gated);
}

static void reply_lines(const struct reply *reply, bool probs, struct answer *out)
{
	out->code = 200;
	snprintf(out->type, sizeof out->type, "application/x-ndjson");
	for (size_t i = 0; i < reply->n; i++) {
		bool thought = i < reply->n_thoughts;

		line(out, thought ? reply->words[i] : NULL, thought ? "" : reply->words[i], probs, play_pause(reply), play_gated(reply, i));
	}
	buf_printf(&out->body, "{\"model\":\"toy:latest\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,"
	           "\"done_reason\":\"%s\",\"total_duration\":130000000,\"load_duration\":1000000,\"prompt_eval_count\":%zu,"
	           "\"prompt_eval_duration\":20000000,\"eval_count\":%zu,\"eval_duration\":100000000}\n",
	           reply->is_cut ? "length" : "stop", reply->n_prompt, reply->n);
	play_put_piece(out, 0, false);
}

static void ask(struct reply *reply, const struct spec *spec, const struct json_tree *json)
{
	play_ask(reply, spec, json);
	reply->temperature = json_tree_number(json, "options.temperature", 0.8);
	reply->limit = (long)json_tree_number(json, "options.num_predict", -1);
	reply->stops = json_tree_find(json, "options.stop");
	reply->thinks = spec->mode == MODE_THINK && json_tree_true(json, "think", true);
}

static void chat(const struct play_request *request, struct answer *out)
{
	struct spec spec = *request->spec;
	const struct json_tree *think = json_tree_find(request->json, "think");
	struct reply reply;

	spec.n_ctx = (long)json_tree_number(request->json, "options.num_ctx", (double)spec.n_ctx);
	ask(&reply, &spec, request->json);
	if (spec.mode != MODE_THINK && think && think->kind != JSON_FALSE)
		play_put_json(out, 400, "{\"error\":\"\\\"toy\\\" does not support thinking\"}");
	else if (!play_chat_refuses(&reply, out)) {
		long room = spec.n_ctx - (long)reply.n_prompt;

		reply.limit = reply.limit < 0 || reply.limit > room ? room : reply.limit;
		play_make(&reply);
		reply_lines(&reply, json_tree_true(request->json, "logprobs", false) && spec.probs, out);
	}
	play_free(&reply);
}

static void show(const struct play_request *request, struct answer *out)
{
	bool thinks = request->spec->mode == MODE_THINK;

	play_put_json(out, 200, "{\"parameters\":\"num_ctx                        %ld\\nstop                           \\\"<|im_end|>\\\"\","
	            "\"template\":\"{{ .Prompt }}\",\"details\":{\"family\":\"toy\",\"parameter_size\":\"1.2B\",\"quantization_level\":"
	            "\"Q4_K_M\"},\"model_info\":{\"general.architecture\":\"toy\",\"toy.context_length\":32768},\"capabilities\":"
	            "[\"completion\"%s]}", request->spec->n_ctx, thinks ? ",\"thinking\"" : "");
}

static bool knows_model(const struct play_request *request, struct answer *out)
{
	const char *model = json_tree_text(request->json, "model", "");

	if (strcmp(request->method, "POST") != 0 || strncmp(model, request->spec->model, strlen(request->spec->model)) == 0)
		return true;
	play_put_json(out, 404, "{\"error\":\"model \\\"%.100s\\\" not found, try pulling it first\"}", model);
	return false;
}

bool play_ollama(const struct play_request *request, struct answer *out)
{
	const char *model = request->spec->model;

	if (!knows_model(request, out))
		return true;
	if (is(request, "GET", "/api/version"))
		play_put_json(out, 200, "{\"version\":\"0.22.0\"}");
	else if (is(request, "GET", "/api/tags"))
		play_put_json(out, 200, "{\"models\":[{\"name\":\"%s:latest\",\"model\":\"%s:latest\",\"size\":770000000,\"digest\":\"abc\","
		            "\"details\":{\"family\":\"toy\",\"parameter_size\":\"1.2B\",\"quantization_level\":\"Q4_K_M\"}},{\"name\":"
		            "\"cloud:latest\",\"model\":\"cloud:latest\",\"remote_host\":\"https://ollama.com\",\"size\":300,\"details\":{}}]}", model, model);
	else if (is(request, "GET", "/api/ps"))
		play_put_json(out, 200, "{\"models\":[{\"name\":\"%s:latest\",\"model\":\"%s:latest\",\"size_vram\":770000000,"
		            "\"context_length\":%ld}]}", model, model, request->spec->n_ctx);
	else if (is(request, "GET", "/v1/models"))
		play_put_json(out, 200, "{\"object\":\"list\",\"data\":[{\"id\":\"%s:latest\",\"object\":\"model\",\"owned_by\":\"library\"}]}", model);
	else if (is(request, "GET", "/")) {
		out->code = 200;
		snprintf(out->type, sizeof out->type, "text/plain");
		buf_puts(&out->body, "Ollama is running");
	} else if (is(request, "POST", "/api/show"))
		show(request, out);
	else if (is(request, "POST", "/api/chat"))
		chat(request, out);
	else
		return false;
	return true;
}
