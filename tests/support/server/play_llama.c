/* llama-server, alone or as a router. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "support/server/internal.h"
#include "support/server/vocabulary.h"

static const char head[] = "Server: llama.cpp\n";

static bool is_get(const struct play_request *request, const char *path)
{
	return strcmp(request->method, "GET") == 0 && strcmp(request->path, path) == 0;
}

static bool is_post(const struct play_request *request, const char *path)
{
	return strcmp(request->method, "POST") == 0 && strcmp(request->path, path) == 0;
}

static void refuse(struct answer *out, int code, const char *type, const char *message)
{
	play_put_json(out, code, "{\"error\":{\"code\":%d,\"message\":\"%s\",\"type\":\"%s\"}}", code, message, type);
}

static void models(const struct spec *spec, struct answer *out)
{
	const char *meta = "\"meta\":{\"vocab_type\":2,\"n_vocab\":%d,\"n_ctx\":%ld,\"n_ctx_train\":32768,\"n_embd\":64,"
	                   "\"n_params\":1235814432,\"size\":770000000,\"ftype\":\"Q4_K - Medium\"}";
	char text[512];

	snprintf(text, sizeof text, meta, VOCABULARY_SIZE, spec->n_ctx);
	if (spec->router)
		play_put_json(out, 200, "{\"data\":[{\"id\":\"alpha\",\"object\":\"model\",\"owned_by\":\"llamacpp\",\"status\":{\"value\":"
		            "\"loaded\"},%s},{\"id\":\"beta\",\"object\":\"model\",\"owned_by\":\"llamacpp\",\"status\":{\"value\":"
		            "\"unloaded\"}}],\"object\":\"list\"}", text);
	else
		play_put_json(out, 200, "{\"models\":[{\"name\":\"%s\",\"model\":\"%s\"}],\"object\":\"list\",\"data\":[{\"id\":\"%s\","
		              "\"aliases\":[],\"object\":\"model\",\"created\":1750000000,\"owned_by\":\"llamacpp\",%s}]}",
		              spec->model, spec->model, spec->model, text);
}

static void props(const struct play_request *request, struct answer *out)
{
	const struct spec *spec = request->spec;
	struct json_writer json = {.out = &out->body};

	if (spec->router && !strstr(request->query, "model=")) {
		play_put_json(out, 200, "{\"role\":\"router\",\"default_generation_settings\":{\"n_ctx\":0},\"build_info\":\"b9749-toy\"}");
		return;
	}
	if (strstr(request->query, "model=beta") && strstr(request->query, "autoload=false")) {
		refuse(out, 400, "invalid_request_error", "model is not loaded");
		return;
	}
	play_put_json(out, 200, "%s", "");
	json_put_begin(&json, NULL, '{');
	json_put_begin(&json, "default_generation_settings", '{');
	json_put_number(&json, "n_ctx", "%ld", spec->n_ctx);
	json_put_begin(&json, "params", '{');
	json_put_number(&json, "temperature", "%g", 0.8);
	json_put_end(&json, '}');
	json_put_end(&json, '}');
	json_put_number(&json, "total_slots", "%d", 1);
	json_put_string(&json, "model_alias", spec->model);
	json_put_string(&json, "model_path", "/models/toy.gguf");
	json_put_string(&json, "chat_template", play_chat_template_source);
	json_put_string(&json, "bos_token", "<s>");
	json_put_string(&json, "eos_token", "<|im_end|>");
	json_put_string(&json, "build_info", "b9749-toy");
	json_put_bool(&json, "is_sleeping", false);
	json_put_bool(&json, "endpoint_slots", true);
	json_put_end(&json, '}');
}

static void put_piece(struct json_writer *json, int32_t id)
{
	struct buf text = {.max = 64};

	vocabulary_append(&text, id);
	json_put_begin(json, NULL, '{');
	json_put_number(json, "id", "%d", (int)id);
	if (id < 256 && id > 127) { /* no text: bytes */
		json_put_begin(json, "piece", '[');
		json_put_number(json, NULL, "%d", (int)id);
		json_put_end(json, ']');
	} else {
		json_put_text(json, "piece", text.data, text.len);
	}
	json_put_end(json, '}');
	buf_free(&text);
}

/* Tokens of a text, or one that is given as an id. */
static void put_tokens(struct json_writer *json, const struct json_tree *body, const struct json_tree *content)
{
	bool pieces = json_tree_true(body, "with_pieces", false);
	size_t n = 0;
	int32_t *ids = NULL, id = 0;

	if (content->kind == JSON_STRING)
		ids = vocabulary_encode(content->text, content->len, json_tree_true(body, "parse_special", true), &n);
	else if (content->kind == JSON_NUMBER)
		id = (int32_t)strtol(content->text, NULL, 10), n = 1;
	for (size_t i = 0; i < n; i++)
		if (pieces)
			put_piece(json, ids ? ids[i] : id);
		else
			json_put_number(json, NULL, "%d", (int)(ids ? ids[i] : id));
	free(ids);
}

static void tokenize(const struct json_tree *body, struct answer *out)
{
	struct json_writer json = {.out = &out->body};
	const struct json_tree *content = json_tree_find(body, "content");

	play_put_json(out, 200, "%s", "");
	json_put_begin(&json, NULL, '{');
	json_put_begin(&json, "tokens", '[');
	if (content && content->kind != JSON_ARRAY)
		put_tokens(&json, body, content);
	for (const struct json_tree *part = content ? content->child : NULL; part; part = part->next)
		put_tokens(&json, body, part);
	json_put_end(&json, ']');
	json_put_end(&json, '}');
}

static void put_text(struct answer *out, const char *key, const struct buf *text)
{
	struct json_writer json = {.out = &out->body};

	play_put_json(out, 200, "%s", "");
	json_put_begin(&json, NULL, '{');
	json_put_text(&json, key, buf_text(text), text->len);
	json_put_end(&json, '}');
}

static void detokenize(const struct json_tree *body, struct answer *out)
{
	struct buf text = {.max = MIB(16)};
	size_t n;

	play_chat_prompt(json_tree_find(body, "tokens"), false, &text, &n);
	put_text(out, "content", &text);
	buf_free(&text);
}

static void apply_template(const struct json_tree *body, struct answer *out)
{
	struct buf text = {.max = MIB(16)};

	play_chat_template(json_tree_find(body, "messages"), json_tree_true(body, "add_generation_prompt", true),
	              json_tree_true(body, "chat_template_kwargs.enable_thinking", true), &text);
	put_text(out, "prompt", &text);
	buf_free(&text);
}

/* Values that the real one refuses. */
static bool refuses_field(const struct json_tree *body, struct answer *out)
{
	const struct json_tree *thinking = json_tree_find(body, "chat_template_kwargs.enable_thinking");
	const struct json_tree *breakers = json_tree_find(body, "dry_sequence_breakers");
	double seed = json_tree_number(body, "seed", 0);

	if (json_tree_number(body, "repeat_last_n", 0) < 0 || json_tree_number(body, "dry_penalty_last_n", 0) < 0)
		refuse(out, 400, "invalid_request_error", "Field 'repeat_last_n': must be at least 0");
	else if (seed < -1 || seed > 4294967295.0)
		refuse(out, 400, "invalid_request_error", "Field 'seed': out of range");
	else if (thinking && thinking->kind == JSON_STRING)
		refuse(out, 400, "invalid_request_error", "invalid type for enable_thinking (expected boolean, got string)");
	else if (breakers && (breakers->kind != JSON_ARRAY || !breakers->child))
		refuse(out, 400, "invalid_request_error", "dry_sequence_breakers must be a non-empty array of strings");
	else if (json_tree_find(body, "top_logprobs") && !json_tree_true(body, "logprobs", false))
		refuse(out, 400, "invalid_request_error", "top_logprobs requires logprobs to be set to true");
	else
		return false;
	return true;
}

static void put_probabilities(struct json_writer *json, const char *word, bool post)
{
	const char *const texts[] = {word, " the"};

	json_put_begin(json, "completion_probabilities", '[');
	json_put_begin(json, NULL, '{');
	for (int i = 0; i < 3; i++) {
		const char *text = texts[i == 2];

		if (i == 1)
			json_put_begin(json, post ? "top_probs" : "top_logprobs", '[');
		if (i >= 1)
			json_put_begin(json, NULL, '{');
		json_put_number(json, "id", "%d", (int)vocabulary_first(text, strlen(text), true, &(size_t){0}));
		json_put_string(json, "token", text);
		json_put_begin(json, "bytes", '[');
		for (const char *p = text; *p; p++)
			json_put_number(json, NULL, "%d", (unsigned char)*p);
		json_put_end(json, ']');
		json_put_number(json, post ? "prob" : "logprob", "%g", post ? (i == 2 ? 0.25 : 0.75) : (i == 2 ? -1.386294 : -0.287682));
		if (i >= 1)
			json_put_end(json, '}');
	}
	json_put_end(json, ']');
	json_put_end(json, '}');
	json_put_end(json, ']');
}

/* *n_predicted: tokens so far, also those that are not told. */
static void part(struct answer *out, const struct reply *reply, const struct json_tree *body, const char *text, size_t index,
                 size_t *n_predicted)
{
	struct buf event = {.max = MIB(1)};
	struct json_writer json = {.out = &event};
	size_t n;
	int32_t *ids = vocabulary_encode(text, strlen(text), false, &n);
	bool is_split = n > 1 && (unsigned char)text[0] >= 0x80; /* bytes of one character: only the last is told */

	json_put_begin(&json, NULL, '{');
	json_put_number(&json, "index", "%d", 0);
	json_put_string(&json, "content", text);
	json_put_begin(&json, "tokens", '[');
	for (size_t i = is_split ? n - 1 : 0; i < n && json_tree_true(body, "return_tokens", true); i++)
		json_put_number(&json, NULL, "%d", (int)ids[i]);
	json_put_end(&json, ']');
	json_put_bool(&json, "stop", false);
	json_put_number(&json, "id_slot", "%d", 0);
	*n_predicted += n;
	json_put_number(&json, "tokens_predicted", "%zu", *n_predicted);
	json_put_number(&json, "tokens_evaluated", "%zu", reply->n_prompt);
	if (json_tree_number(body, "n_probs", 0) > 0 && reply->spec->probs)
		put_probabilities(&json, text, json_tree_true(body, "post_sampling_probs", false));
	json_put_end(&json, '}');
	play_put_event(out, event.data, play_pause(reply), play_gated(reply, index));
	free(ids);
	buf_free(&event);
}

/* The token that ends a reply: its id without a text. */
static void eos(struct answer *out, const struct reply *reply, size_t *n_predicted)
{
	char event[256];

	snprintf(event, sizeof event, "{\"index\":0,\"content\":\"\",\"tokens\":[%d],\"stop\":false,\"id_slot\":0,\"tokens_predicted\":%zu,"
	         "\"tokens_evaluated\":%zu}", (int)vocabulary_control("<|im_end|>"), ++*n_predicted, reply->n_prompt);
	play_put_event(out, event, 0, false);
}

static void last(struct answer *out, const struct reply *reply, bool context, size_t n_predicted)
{
	struct buf event = {.max = MIB(1)};
	const char *type = reply->stopped ? "word" : reply->is_cut ? "limit" : "eos";

	buf_printf(&event, "{\"index\":0,\"content\":\"\",\"tokens\":[],\"id_slot\":0,\"stop\":true,\"stop_type\":\"%s\","
	           "\"stopping_word\":\"%s\",\"truncated\":%s,\"tokens_cached\":%zu,\"tokens_evaluated\":%zu,\"tokens_predicted\":%zu,"
	           "\"timings\":{\"cache_n\":4,\"prompt_n\":%zu,\"prompt_ms\":20.0,\"predicted_n\":%zu,\"predicted_ms\":100.0}}",
	           type, reply->stopped ? reply->stopped : "", context ? "true" : "false", reply->n_prompt + n_predicted,
	           reply->n_prompt, n_predicted, reply->n_prompt > 4 ? reply->n_prompt - 4 : 0, n_predicted);
	play_put_event(out, event.data, 0, false);
	buf_free(&event);
}

static void progress(struct answer *out, const struct reply *reply)
{
	char event[256];

	for (int i = 0; i < 2; i++) {
		snprintf(event, sizeof event, "{\"index\":0,\"content\":\"\",\"tokens\":[],\"stop\":false,\"prompt_progress\":{\"total\":%zu,"
		         "\"cache\":%d,\"processed\":%zu,\"time_ms\":%d}}", reply->n_prompt, 4, i ? reply->n_prompt : 4, i * 20);
		play_put_event(out, event, 0, false);
	}
}

static void completion(const struct play_request *request, struct answer *out)
{
	const struct json_tree *body = request->json;
	struct buf prompt = {.max = MIB(16)};
	struct reply reply;
	size_t n_prompt, n_predicted = 0;
	long room;
	bool context;

	play_chat_prompt(json_tree_find(body, "prompt"), true, &prompt, &n_prompt);
	play_ask_raw(&reply, request->spec, body, buf_text(&prompt));
	reply.n_prompt = n_prompt;
	if (refuses_field(body, out) || play_chat_refuses(&reply, out))
		goto out;
	room = request->spec->n_ctx - (long)n_prompt;
	context = reply.limit < 0 || reply.limit > room;
	reply.limit = context ? room : reply.limit;
	play_make(&reply);
	out->code = 200;
	snprintf(out->type, sizeof out->type, "text/event-stream");
	if (json_tree_true(body, "return_progress", false))
		progress(out, &reply);
	if (reply.n_thoughts && !reply.in_thoughts)
		part(out, &reply, body, "<think>", 0, &n_predicted);
	for (size_t i = 0; i < reply.n; i++) {
		if (i == reply.n_thoughts && i)
			part(out, &reply, body, "</think>", i, &n_predicted);
		part(out, &reply, body, reply.words[i], i, &n_predicted);
	}
	if (!reply.is_cut && !reply.stopped)
		eos(out, &reply, &n_predicted);
	last(out, &reply, context && reply.is_cut, n_predicted);
out:
	play_free(&reply);
	buf_free(&prompt);
}

static void chat(const struct play_request *request, struct answer *out)
{
	const struct chat_style style = {.thoughts = request->spec->n_inline ? NULL : "reasoning_content", .has_timings = true,
	                                 .role = "assistant"};
	struct reply reply;
	long room;

	play_ask(&reply, request->spec, request->json);
	if (refuses_field(request->json, out) || play_chat_refuses(&reply, out))
		return;
	room = request->spec->n_ctx - (long)reply.n_prompt;
	reply.limit = reply.limit < 0 || reply.limit > room ? room : reply.limit;
	play_make(&reply);
	play_chat_answer(&reply, &style, request->json, out);
	play_free(&reply);
}

static bool knows_model(const struct play_request *request, struct answer *out)
{
	const char *model = json_tree_text(request->json, "model", "");
	char message[256];

	if (!request->spec->router || strcmp(request->method, "POST") != 0 || strcmp(model, "alpha") == 0 || strcmp(model, "beta") == 0)
		return true;
	snprintf(message, sizeof message, "model '%.100s' not found", model);
	refuse(out, 400, "invalid_request_error", message);
	return false;
}

bool play_llama(const struct play_request *request, struct answer *out)
{
	snprintf(out->headers, sizeof out->headers, "%s", head);
	if (!knows_model(request, out))
		return true;
	if (is_get(request, "/health") || is_get(request, "/v1/health"))
		play_put_json(out, 200, "{\"status\":\"ok\"}");
	else if (is_get(request, "/v1/models") || is_get(request, "/models"))
		models(request->spec, out);
	else if (is_get(request, "/props"))
		props(request, out);
	else if (is_get(request, "/slots"))
		play_put_json(out, 200, "[{\"id\":0,\"n_ctx\":%ld,\"is_processing\":false}]", request->spec->n_ctx);
	else if (is_post(request, "/tokenize"))
		tokenize(request->json, out);
	else if (is_post(request, "/detokenize"))
		detokenize(request->json, out);
	else if (is_post(request, "/apply-template"))
		apply_template(request->json, out);
	else if (is_post(request, "/completion"))
		completion(request, out);
	else if (is_post(request, "/v1/chat/completions"))
		chat(request, out);
	else if (is_post(request, "/v1/chat/completions/input_tokens"))
		play_put_json(out, 200, "{\"input_tokens\":%zu}", play_count(json_tree_find(request->json, "messages")));
	else if (is_post(request, "/v1/chat/completions/control"))
		play_put_json(out, 200, "{\"success\":true}");
	else
		return false;
	return true;
}
