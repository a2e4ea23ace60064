/* vLLM, SGLang, and servers that speak OpenAI's /v1 and little more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "support/server/internal.h"
#include "support/server/vocabulary.h"

static bool is(const struct play_request *request, const char *method, const char *path)
{
	return strcmp(request->method, method) == 0 && strcmp(request->path, path) == 0;
}

static bool knows_model(const struct play_request *request, struct answer *out)
{
	const char *model = json_tree_text(request->json, "model", "");

	if (strcmp(request->method, "POST") != 0 || strcmp(model, request->spec->model) == 0 || strstr(request->path, "token"))
		return true;
	play_put_json(out, 404, "{\"error\":{\"message\":\"The model `%.100s` does not exist.\",\"type\":\"NotFoundError\","
	            "\"param\":\"model\",\"code\":404}}", model);
	return false;
}

/* More than fits is refused by vLLM and SGLang; false: it fits. */
static bool refuses_limit(const struct reply *reply, struct answer *out)
{
	long n_ctx = reply->spec->n_ctx, n = (long)reply->n_prompt;

	if (reply->limit < 0 || n + reply->limit <= n_ctx ||
	    (strcmp(reply->spec->dialect, "vllm") != 0 && strcmp(reply->spec->dialect, "sglang") != 0))
		return false;
	play_put_json(out, 400, "{\"error\":{\"message\":\"This model's maximum context length is %ld tokens. However, you requested "
	              "%ld output tokens and your prompt contains %ld input tokens, for a total of %ld tokens. Please reduce the "
	              "length of the input prompt or the number of requested output tokens.\",\"type\":\"BadRequestError\","
	              "\"param\":\"max_tokens\",\"code\":400}}", n_ctx, reply->limit, n, n + reply->limit);
	return true;
}

static void chat(const struct play_request *request, const struct chat_style *style, struct answer *out)
{
	struct reply reply;

	play_ask(&reply, request->spec, request->json);
	if (!play_chat_refuses(&reply, out) && !refuses_limit(&reply, out)) {
		long room = request->spec->n_ctx - (long)reply.n_prompt;

		reply.limit = reply.limit < 0 || reply.limit > room ? room : reply.limit;
		play_make(&reply);
		play_chat_answer(&reply, style, request->json, out);
	}
	play_free(&reply);
}

/* /v1/completions: of a text or of ids. Without a limit it makes 16 tokens. */
static void complete(const struct play_request *request, struct answer *out)
{
	const struct chat_style style = {.completes = true, .has_ids = true};
	struct buf prompt = {.max = MIB(16)};
	struct reply reply;
	size_t n_prompt;

	play_chat_prompt(json_tree_find(request->json, "prompt"), true, &prompt, &n_prompt);
	play_ask_raw(&reply, request->spec, request->json, buf_text(&prompt));
	reply.n_prompt = n_prompt;
	reply.limit = reply.limit < 0 ? 16 : reply.limit;
	if (!play_chat_refuses(&reply, out) && !refuses_limit(&reply, out)) {
		play_make(&reply);
		play_chat_answer(&reply, &style, request->json, out);
	}
	play_free(&reply);
	buf_free(&prompt);
}

/* As Hugging Face's tokenizers spell bytes: those that are printable in Latin-1 by themselves, the others from U+0100 on. */
static uint32_t spelled(unsigned char byte)
{
	uint32_t n = 0;

	if ((byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae)
		return byte;
	for (unsigned b = 0; b < byte; b++)
		n += !((b >= '!' && b <= '~') || (b >= 0xa1 && b <= 0xac) || b >= 0xae);
	return 0x100 + n;
}

static void put_token_strs(struct json_writer *json, const int32_t *ids, size_t n)
{
	struct buf token = {.max = 256}, text = {.max = 1024};

	json_put_begin(json, "token_strs", '[');
	for (size_t i = 0; i < n; i++) {
		buf_clear(&token);
		buf_clear(&text);
		vocabulary_append(&token, ids[i]);
		for (size_t k = 0; k < token.len; k++) {
			uint32_t cp = spelled((unsigned char)token.data[k]);

			if (cp >= 0x80)
				buf_putc(&text, (char)(0xC0 | cp >> 6));
			buf_putc(&text, (char)(cp >= 0x80 ? 0x80 | (cp & 0x3F) : cp));
		}
		json_put_text(json, NULL, text.data, text.len);
	}
	json_put_end(json, ']');
	buf_free(&token);
	buf_free(&text);
}

static void tokenizer_info(struct answer *out)
{
	struct json_writer json = {.out = &out->body};

	play_put_json(out, 200, "%s", "");
	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "tokenizer_class", "PreTrainedTokenizerFast");
	json_put_string(&json, "chat_template", play_chat_template_source);
	json_put_string(&json, "bos_token", NULL);
	json_put_string(&json, "eos_token", "<|im_end|>");
	json_put_end(&json, '}');
}

static void tokenize(const struct play_request *request, struct answer *out)
{
	const struct json_tree *messages = json_tree_find(request->json, "messages");
	struct buf text = {.max = MIB(16)};
	struct json_writer json = {.out = &out->body};
	size_t n;
	int32_t *ids;

	if (messages)
		play_chat_template(messages, json_tree_true(request->json, "add_generation_prompt", true),
		              json_tree_true(request->json, "chat_template_kwargs.enable_thinking", true), &text);
	else
		buf_puts(&text, json_tree_text(request->json, "prompt", ""));
	ids = vocabulary_encode(buf_text(&text), text.len, true, &n);
	play_put_json(out, 200, "%s", "");
	json_put_begin(&json, NULL, '{');
	json_put_number(&json, "count", "%zu", n);
	json_put_number(&json, "max_model_len", "%ld", request->spec->n_ctx);
	json_put_begin(&json, "tokens", '[');
	for (size_t i = 0; i < n; i++)
		json_put_number(&json, NULL, "%d", (int)ids[i]);
	json_put_end(&json, ']');
	if (json_tree_true(request->json, "return_token_strs", false))
		put_token_strs(&json, ids, n);
	else
		json_put_null(&json, "token_strs");
	json_put_end(&json, '}');
	free(ids);
	buf_free(&text);
}

static void detokenize(const struct play_request *request, const char *key, struct answer *out)
{
	struct buf text = {.max = MIB(16)};
	struct json_writer json = {.out = &out->body};
	size_t n;

	play_chat_prompt(json_tree_find(request->json, "tokens"), false, &text, &n);
	play_put_json(out, 200, "%s", "");
	json_put_begin(&json, NULL, '{');
	json_put_text(&json, key, buf_text(&text), text.len);
	json_put_end(&json, '}');
	buf_free(&text);
}

static void list(const struct spec *spec, struct answer *out, const char *more)
{
	play_put_json(out, 200, "{\"object\":\"list\",\"data\":[{\"id\":\"%s\",\"object\":\"model\",\"created\":1750000000,%s}]}", spec->model, more);
}

bool play_vllm(const struct play_request *request, struct answer *out)
{
	const struct chat_style style = {.thoughts = request->spec->n_inline ? NULL : "reasoning", .has_ids = true, .role = "assistant"};
	char more[128];

	snprintf(more, sizeof more, "\"owned_by\":\"vllm\",\"root\":\"toy\",\"max_model_len\":%ld", request->spec->n_ctx);
	if (!knows_model(request, out))
		return true;
	if (is(request, "GET", "/v1/models"))
		list(request->spec, out, more);
	else if (is(request, "GET", "/health"))
		out->code = 200;
	else if (is(request, "GET", "/version"))
		play_put_json(out, 200, "{\"version\":\"0.20.0\"}");
	else if (is(request, "GET", "/tokenizer_info") && request->spec->tells)
		tokenizer_info(out);
	else if (is(request, "POST", "/tokenize"))
		tokenize(request, out);
	else if (is(request, "POST", "/detokenize"))
		detokenize(request, "prompt", out);
	else if (is(request, "POST", "/v1/completions"))
		complete(request, out);
	else if (is(request, "POST", "/v1/chat/completions"))
		chat(request, &style, out);
	else
		return false;
	return true;
}

bool play_sglang(const struct play_request *request, struct answer *out)
{
	const struct chat_style style = {.thoughts = request->spec->n_inline ? NULL : "reasoning_content", .has_ids = true, .role = "assistant"};
	char more[128];

	snprintf(more, sizeof more, "\"owned_by\":\"sglang\",\"root\":\"toy\",\"max_model_len\":%ld", request->spec->n_ctx);
	if (json_tree_number(request->json, "top_k", 1) == 0)
		play_put_json(out, 400, "{\"object\":\"error\",\"message\":\"top_k must be -1 (disable) or at least 1, got 0\","
		            "\"type\":\"BadRequestError\",\"param\":null,\"code\":400}");
	else if (!knows_model(request, out))
		return true;
	else if (is(request, "GET", "/v1/models"))
		list(request->spec, out, more);
	else if (is(request, "POST", "/v1/tokenize") || is(request, "POST", "/tokenize"))
		tokenize(request, out);
	else if (is(request, "POST", "/v1/detokenize") || is(request, "POST", "/detokenize"))
		detokenize(request, "text", out);
	else if (is(request, "POST", "/abort_request"))
		play_put_json(out, 200, "{}");
	else if (is(request, "POST", "/v1/completions"))
		complete(request, out);
	else if (is(request, "POST", "/v1/chat/completions"))
		chat(request, &style, out);
	else
		return false;
	return true;
}

/* What others than vLLM have besides. */
static bool answer_list(const struct play_request *request, struct answer *out)
{
	const char *dialect = request->spec->dialect;
	long n_ctx = request->spec->n_ctx;

	if (strcmp(dialect, "lmstudio") == 0 && is(request, "GET", "/api/v1/models"))
		play_put_json(out, 200, "{\"models\":[{\"type\":\"llm\",\"key\":\"toy\",\"display_name\":\"Toy\",\"max_context_length\":32768,"
		            "\"loaded_instances\":[{\"id\":\"toy\",\"config\":{\"context_length\":%ld}}],\"capabilities\":{\"vision\":false}},"
		            "{\"type\":\"llm\",\"key\":\"idle\",\"max_context_length\":8192,\"loaded_instances\":[]}]}", n_ctx);
	else if (strcmp(dialect, "tabby") == 0 && is(request, "GET", "/v1/model"))
		play_put_json(out, 200, "{\"id\":\"toy\",\"object\":\"model\",\"owned_by\":\"tabbyAPI\",\"parameters\":{\"max_seq_len\":%ld,"
		            "\"prompt_template_content\":\"{{ messages }}\"}}", n_ctx);
	else if (strcmp(dialect, "tabby") == 0 && is(request, "GET", "/.well-known/serviceinfo"))
		play_put_json(out, 200, "{\"version\":0.1,\"software\":{\"name\":\"TabbyAPI\",\"repository\":\"x\"}}");
	else if (strcmp(dialect, "kobold") == 0 && is(request, "GET", "/api/extra/version"))
		play_put_json(out, 200, "{\"result\":\"KoboldCpp\",\"version\":\"1.98\"}");
	else if (strcmp(dialect, "kobold") == 0 && is(request, "GET", "/api/extra/true_max_context_length"))
		play_put_json(out, 200, "{\"value\":%ld}", n_ctx);
	else
		return false;
	return true;
}

static const char *owner(const char *dialect)
{
	static const char *const owners[][2] = {
		{"lmstudio", "\"owned_by\":\"organization_owner\""},
		{"tabby", "\"owned_by\":\"tabbyAPI\""},
		{"kobold", "\"owned_by\":\"koboldcpp\""},
		{"hosted", "\"name\":\"Toy\",\"context_length\":4096,\"pricing\":{\"prompt\":\"0.0000004\",\"completion\":\"0.0000012\"}"},
	};

	for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++)
		if (strcmp(dialect, owners[i][0]) == 0)
			return owners[i][1];
	return "\"owned_by\":\"somebody\"";
}

bool play_openai(const struct play_request *request, struct answer *out)
{
	const char *dialect = request->spec->dialect;
	struct chat_style style = {.thoughts = request->spec->n_inline ? NULL : "reasoning_content", .role = "assistant"};

	if (strcmp(dialect, "tabby") == 0) {
		style.role = NULL;
		style.usage_in_last = true;
	}
	if (answer_list(request, out) || !knows_model(request, out))
		return true;
	if (is(request, "GET", "/v1/models"))
		list(request->spec, out, owner(dialect));
	else if (is(request, "POST", "/v1/chat/completions"))
		chat(request, &style, out);
	else
		return false;
	return true;
}
