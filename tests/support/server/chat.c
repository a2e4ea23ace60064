/* Answers of OpenAI's kind, and the template that the server plays to have. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "support/server/internal.h"
#include "support/server/vocabulary.h"

const char play_chat_template_source[] =
	"{%- for message in messages -%}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
	"{%- endfor -%}{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}"
	"{%- if enable_thinking is defined and enable_thinking is false -%}{{ '<think>\\n\\n</think>\\n\\n' }}{%- endif -%}"
	"{%- endif -%}";

void play_chat_template(const struct json_tree *messages, bool generation, bool thinking, struct buf *out)
{
	for (const struct json_tree *message = messages ? messages->child : NULL; message; message = message->next)
		buf_printf(out, "<|im_start|>%s\n%s<|im_end|>\n", json_tree_text(message, "role", ""),
		           json_tree_text(message, "content", ""));
	if (generation)
		buf_printf(out, "<|im_start|>assistant\n%s", thinking ? "" : "<think>\n\n</think>\n\n");
}

static void add_id(int32_t id, bool marked, struct buf *text, size_t *n_tokens)
{
	if (marked && vocabulary_is_control(id))
		buf_putc(text, CONTROL_MARK);
	vocabulary_append(text, id);
	++*n_tokens;
}

static void add_part(const struct json_tree *part, bool marked, struct buf *text, size_t *n_tokens)
{
	size_t n = 0;
	int32_t *ids = part->kind == JSON_STRING ? vocabulary_encode(part->text, part->len, true, &n) : NULL;

	if (part->kind == JSON_NUMBER)
		add_id((int32_t)strtol(part->text, NULL, 10), marked, text, n_tokens);
	for (size_t i = 0; i < n; i++)
		add_id(ids[i], marked, text, n_tokens);
	free(ids);
}

void play_chat_prompt(const struct json_tree *prompt, bool marked, struct buf *text, size_t *n_tokens)
{
	*n_tokens = 0;
	if (prompt && prompt->kind == JSON_STRING)
		add_part(prompt, marked, text, n_tokens);
	for (const struct json_tree *part = prompt ? prompt->child : NULL; part; part = part->next)
		add_part(part, marked, text, n_tokens);
}

static void put_ids(struct json_writer *json, const char *key, const char *text, bool special)
{
	size_t n;
	int32_t *ids = vocabulary_encode(text, strlen(text), special, &n);

	json_put_begin(json, key, '[');
	for (size_t i = 0; i < n; i++)
		json_put_number(json, NULL, "%d", (int)ids[i]);
	json_put_end(json, ']');
	free(ids);
}

static void put_logprob(struct json_writer *json, const char *token, double logprob)
{
	json_put_string(json, "token", token);
	json_put_number(json, "id", "%d", (int)vocabulary_first(token, strlen(token), true, &(size_t){0}));
	json_put_number(json, "logprob", "%g", logprob);
	json_put_begin(json, "bytes", '[');
	for (const char *p = token; *p; p++)
		json_put_number(json, NULL, "%d", (unsigned char)*p);
	json_put_end(json, ']');
}

void play_put_candidates(struct json_writer *json, const char *key, const char *token)
{
	json_put_begin(json, key, '[');
	json_put_begin(json, NULL, '{');
	put_logprob(json, token, -0.287682);
	json_put_begin(json, "top_logprobs", '[');
	for (int i = 0; i < 2; i++) {
		json_put_begin(json, NULL, '{');
		put_logprob(json, i ? " the" : token, i ? -1.386294 : -0.287682);
		json_put_end(json, '}');
	}
	json_put_end(json, ']');
	json_put_end(json, '}');
	json_put_end(json, ']');
}

static void put_logprobs(struct json_writer *json, const char *token)
{
	json_put_begin(json, "logprobs", '{');
	play_put_candidates(json, "content", token);
	json_put_end(json, '}');
}

/* Those of /v1/completions: a token's text is the key. */
static void put_old_logprobs(struct json_writer *json, const char *token)
{
	json_put_begin(json, "logprobs", '{');
	json_put_begin(json, "tokens", '[');
	json_put_string(json, NULL, token);
	json_put_end(json, ']');
	json_put_begin(json, "token_logprobs", '[');
	json_put_number(json, NULL, "%g", -0.287682);
	json_put_end(json, ']');
	json_put_begin(json, "top_logprobs", '[');
	json_put_begin(json, NULL, '{');
	json_put_number(json, token, "%g", -0.287682);
	json_put_number(json, " the", "%g", -1.386294);
	json_put_end(json, '}');
	json_put_end(json, ']');
	json_put_end(json, '}');
}

static void put_usage(struct json_writer *json, const struct reply *reply)
{
	json_put_begin(json, "usage", '{');
	json_put_number(json, "prompt_tokens", "%zu", reply->n_prompt);
	json_put_number(json, "completion_tokens", "%zu", reply->n);
	json_put_number(json, "total_tokens", "%zu", reply->n_prompt + reply->n);
	json_put_begin(json, "prompt_tokens_details", '{');
	json_put_number(json, "cached_tokens", "%d", reply->n_prompt > 4 ? 4 : 0);
	json_put_end(json, '}');
	json_put_end(json, '}');
}

static void put_timings(struct json_writer *json, const struct reply *reply)
{
	json_put_begin(json, "timings", '{');
	json_put_number(json, "cache_n", "%d", reply->n_prompt > 4 ? 4 : 0);
	json_put_number(json, "prompt_n", "%zu", reply->n_prompt > 4 ? reply->n_prompt - 4 : reply->n_prompt);
	json_put_number(json, "prompt_ms", "%d", 20);
	json_put_number(json, "predicted_n", "%zu", reply->n);
	json_put_number(json, "predicted_ms", "%d", 100);
	json_put_end(json, '}');
}

/* What one chunk is about. */
struct chunk_of {
	const char *thought, *text; /* NULL: none */
	const char *ids;            /* text whose ids are told; NULL */
	const char *finish;         /* NULL: none yet */
	bool is_first, has_usage, has_choices, has_logprobs;
};

static void put_delta(struct json_writer *json, const struct chat_style *style, const struct chunk_of *chunk, const char *name)
{
	if (style->completes) {
		json_put_string(json, "text", chunk->text ? chunk->text : "");
		return;
	}
	json_put_begin(json, name, '{');
	if (chunk->is_first && style->role)
		json_put_string(json, "role", style->role);
	if (chunk->is_first && style->role && style->has_timings)
		json_put_null(json, "content");
	else if (chunk->is_first && style->role && !chunk->text)
		json_put_string(json, "content", "");
	if (chunk->thought && style->thoughts)
		json_put_string(json, style->thoughts, chunk->thought);
	if (chunk->text)
		json_put_string(json, "content", chunk->text);
	json_put_end(json, '}');
}

static void put_choice(struct json_writer *json, const struct reply *reply, const struct chat_style *style,
                       const struct chunk_of *chunk, const char *name)
{
	json_put_begin(json, NULL, '{');
	json_put_number(json, "index", "%d", 0);
	put_delta(json, style, chunk, name);
	if (chunk->has_logprobs && chunk->text && reply->spec->probs)
		(style->completes ? put_old_logprobs : put_logprobs)(json, chunk->text);
	if (chunk->ids)
		put_ids(json, "token_ids", chunk->ids, true);
	json_put_string(json, "finish_reason", chunk->finish);
	json_put_end(json, '}');
}

static void make_chunk(struct buf *out, const struct reply *reply, const struct chat_style *style,
                       const struct chunk_of *chunk, const char *name)
{
	struct json_writer json = {.out = out};

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "id", "chatcmpl-1");
	json_put_string(&json, "object", strcmp(name, "delta") == 0 ? "chat.completion.chunk" : "chat.completion");
	json_put_begin(&json, "choices", '[');
	if (chunk->has_choices)
		put_choice(&json, reply, style, chunk, name);
	json_put_end(&json, ']');
	if (chunk->has_usage)
		put_usage(&json, reply);
	if (style->has_timings && (chunk->finish || chunk->has_usage))
		put_timings(&json, reply);
	json_put_end(&json, '}');
}

static void event(struct answer *out, const struct reply *reply, const struct chat_style *style, struct chunk_of chunk,
                  unsigned pause, bool gated)
{
	struct buf json = {.max = MIB(4)};

	make_chunk(&json, reply, style, &chunk, "delta");
	play_put_event(out, json.data, pause, gated);
	buf_free(&json);
}

static const char *finish(const struct reply *reply)
{
	return reply->is_cut ? "length" : "stop";
}

static void stream(const struct reply *reply, const struct chat_style *style, const struct json_tree *json, struct answer *out)
{
	const char *const between[] = {"<think>\n", "\n</think>\n\n"};
	bool ids = style->has_ids && json_tree_true(json, "return_token_ids", false);
	bool probs = json_tree_true(json, "logprobs", false) || json_tree_number(json, "logprobs", 0) > 0;
	bool usage = json_tree_true(json, "stream_options.include_usage", false);
	bool marks = !style->thoughts && reply->n_thoughts && reply->spec->n_inline != 2 && !reply->in_thoughts;

	snprintf(out->type, sizeof out->type, "text/event-stream");
	out->code = 200;
	if (style->role)
		event(out, reply, style, (struct chunk_of){.is_first = true, .has_choices = true}, 0, false);
	if (marks)
		event(out, reply, style, (struct chunk_of){.text = between[0], .ids = ids ? between[0] : NULL, .has_choices = true}, 0, false);
	for (size_t i = 0; i < reply->n; i++) {
		bool thought = i < reply->n_thoughts && style->thoughts;
		const char *word = reply->words[i];

		if (i == reply->n_thoughts && i > 0 && !style->thoughts)
			event(out, reply, style, (struct chunk_of){.text = between[1], .ids = ids ? between[1] : NULL, .has_choices = true}, 0, false);
		event(out, reply, style, (struct chunk_of){.thought = thought ? word : NULL, .text = thought ? NULL : word,
		                                           .ids = ids ? word : NULL, .has_choices = true, .has_logprobs = probs},
		      play_pause(reply), play_gated(reply, i));
	}
	event(out, reply, style, (struct chunk_of){.finish = finish(reply), .has_choices = true,
	                                           .has_usage = usage && style->usage_in_last}, 0, false);
	if (usage && !style->usage_in_last)
		event(out, reply, style, (struct chunk_of){.has_usage = true}, 0, false);
	play_put_event(out, "[DONE]", 0, false);
}

static void whole(const struct reply *reply, const struct chat_style *style, struct answer *out)
{
	struct buf texts[2] = {{.max = MIB(16)}, {.max = MIB(16)}};

	for (size_t i = 0; i < reply->n; i++)
		buf_puts(&texts[i >= reply->n_thoughts], reply->words[i]);
	play_put_json(out, 200, "%s", "");
	make_chunk(&out->body, reply, style,
	           &(struct chunk_of){.thought = texts[0].len ? texts[0].data : NULL, .text = buf_text(&texts[1]),
	                              .finish = finish(reply), .has_choices = true, .has_usage = true}, "message");
	buf_free(&texts[0]);
	buf_free(&texts[1]);
}

void play_chat_answer(const struct reply *reply, const struct chat_style *style, const struct json_tree *json, struct answer *out)
{
	if (json_tree_true(json, "stream", false))
		stream(reply, style, json, out);
	else
		whole(reply, style, out);
}

bool play_chat_refuses(const struct reply *reply, struct answer *out)
{
	const struct spec *spec = reply->spec;
	size_t n = reply->n_prompt;

	if (n < (size_t)spec->n_ctx)
		return false;
	if (strcmp(spec->dialect, "llama-server") == 0)
		play_put_json(out, 400, "{\"error\":{\"code\":400,\"message\":\"request (%zu tokens) exceeds the available context size "
		            "(%ld tokens), try increasing it\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":%zu,"
		            "\"n_ctx\":%ld}}", n, spec->n_ctx, n, spec->n_ctx);
	else if (strcmp(spec->dialect, "ollama") == 0)
		play_put_json(out, 400, "{\"error\":\"the input length exceeds the context length\"}");
	else
		play_put_json(out, 400, "{\"error\":{\"message\":\"This model's maximum context length is %ld tokens. However, you "
		            "requested 0 output tokens and your prompt contains at least %zu input tokens, for a total of at least "
		            "%zu tokens. Please reduce the length of the input prompt.\",\"type\":\"BadRequestError\",\"param\":null,"
		            "\"code\":400}}", spec->n_ctx, n, n);
	return true;
}
