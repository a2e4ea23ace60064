#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "remote/list_parse.h"

/* What a server answers, and what is taken of its first model; n: how many there are. */
struct expected {
	const char *id, *type, *why, *where;
	uint64_t n_bytes, n_params;
	uint32_t n_ctx;
	double price_in, price_out; /* 0: not known */
	enum remote_state state;
};
static const struct {
	const char *name, *json;
	size_t n;
	struct expected first;
} rows[] = {
	{"llama-server",
         "{\"models\":[{\"name\":\"x\",\"model\":\"x\"}],\"object\":\"list\",\"data\":[{\"id\":"
         "\"qwen."
         "gguf\",\"aliases\":[\"q\"],"
         "\"object\":\"model\",\"owned_by\":\"llamacpp\",\"meta\":{\"vocab_type\":2,\"n_vocab\":"
         "151936,"
         "\"n_ctx\":8192,"
         "\"n_ctx_train\":32768,\"n_params\":494032768,\"size\":531067904,\"ftype\":\"Q8_0\"}}]}",
         1,
         {.id = "qwen.gguf",
          .n_ctx = 8192,
          .n_params = 494032768,
          .n_bytes = 531067904,
          .type = "Q8_0",
          .state = REMOTE_UNKNOWN}},
	{"llama-server that trains only",
         "{\"data\":[{\"id\":\"a\",\"meta\":{\"n_ctx_train\":4096}}]}",
         1,
         {.id = "a", .n_ctx = 4096, .state = REMOTE_UNKNOWN}},
	{"router: loaded",
         "{\"data\":[{\"id\":\"a\",\"status\":{\"value\":\"loaded\",\"args\":[\"-c\",\"4096\"]},"
         "\"meta\":{\"n_ctx\":4096}},"
         "{\"id\":\"b\",\"status\":{\"value\":\"unloaded\"}}]}",
         2,
         {.id = "a", .n_ctx = 4096, .state = REMOTE_LOADED}},
	{"router: failed",
         "{\"data\":[{\"id\":\"a\",\"status\":{\"value\":\"unloaded\",\"failed\":true,\"exit_"
         "code\":1}}"
         "]}",
         1,
         {.id = "a", .state = REMOTE_FAILED, .why = "the server failed to load it (exit code 1)"}},
	{"router: loading",
         "{\"data\":[{\"id\":\"a\",\"status\":{\"value\":\"loading\"}}]}",
         1,
         {.id = "a", .state = REMOTE_IDLE, .why = "it is being loaded"}},
	{"vLLM",
         "{\"object\":\"list\",\"data\":[{\"id\":\"Qwen/"
         "Qwen3-8B\",\"object\":\"model\",\"created\":1,\"owned_by\":\"vllm\","
         "\"root\":\"Qwen/"
         "Qwen3-8B\",\"parent\":null,\"max_model_len\":40960,\"permission\":[{\"id\":\"modelperm-"
         "1\"}]}"
         "]}",
         1,
         {.id = "Qwen/Qwen3-8B", .n_ctx = 40960, .state = REMOTE_UNKNOWN}},
	{"Ollama, /api/tags",
         "{\"models\":[{\"name\":\"llama3.2:latest\",\"model\":\"llama3.2:latest\",\"modified_at\":"
         "\"2026\",\"size\":2019393189,"
         "\"digest\":\"a80c\",\"details\":{\"format\":\"gguf\",\"family\":\"llama\",\"families\":["
         "\"llama\"],"
         "\"parameter_size\":\"3.2B\",\"quantization_level\":\"Q4_K_M\"}}]}",
         1,
         {.id = "llama3.2:latest",
          .n_bytes = 2019393189,
          .n_params = 3200000000,
          .type = "Q4_K_M",
          .state = REMOTE_UNKNOWN}},
	{"Ollama, elsewhere",
         "{\"models\":[{\"name\":\"gpt-oss:120b-cloud\",\"remote_host\":\"https://"
         "ollama.com:443\",\"remote_model\":\"gpt-oss:120b\"}]}",
         1,
         {.id = "gpt-oss:120b-cloud", .where = "ollama.com", .state = REMOTE_UNKNOWN}},
	{"Ollama, /api/ps",
         "{\"models\":[{\"name\":\"a:latest\",\"model\":\"a:latest\",\"size\":1,\"size_vram\":1,"
         "\"context_length\":4096}]}",
         1,
         {.id = "a:latest", .n_bytes = 1, .n_ctx = 4096, .state = REMOTE_UNKNOWN}},
	{"LM Studio, /api/v1/models",
         "{\"models\":[{\"type\":\"embedding\",\"key\":\"nomic\"},{\"type\":\"llm\",\"publisher\":"
         "\"qwen\",\"key\":\"qwen/qwen3-4b\","
         "\"display_name\":\"Qwen3 "
         "4B\",\"quantization\":{\"name\":\"4bit\",\"bits_per_weight\":4},\"size_bytes\":"
         "2279000000,"
         "\"params_string\":\"4B\",\"loaded_instances\":[{\"id\":\"qwen/"
         "qwen3-4b\",\"config\":{\"context_length\":4096}}],"
         "\"max_context_length\":262144,\"capabilities\":{\"vision\":false}}]}",
         1,
         {.id = "qwen/qwen3-4b",
          .n_ctx = 4096,
          .n_bytes = 2279000000,
          .n_params = 4000000000,
          .type = "4bit",
          .state = REMOTE_LOADED}},
	{"LM Studio, nothing loaded",
         "{\"models\":[{\"type\":\"llm\",\"key\":\"a\",\"loaded_instances\":[],\"max_context_"
         "length\":"
         "262144}]}",
         1,
         {.id = "a", .n_ctx = 262144, .state = REMOTE_IDLE}},
	{"LM Studio, /api/v0/models",
         "{\"object\":\"list\",\"data\":[{\"id\":\"qwen2-vl\",\"object\":\"model\",\"type\":"
         "\"vlm\","
         "\"arch\":\"qwen2_vl\","
         "\"quantization\":\"4bit\",\"state\":\"not-loaded\",\"max_context_length\":32768},{\"id\":"
         "\"e\",\"type\":\"embeddings\"}]}",
         1,
         {.id = "qwen2-vl", .n_ctx = 32768, .type = "4bit", .state = REMOTE_IDLE}},
	{"OpenRouter",
         "{\"data\":[{\"id\":\"openai/gpt-5\",\"name\":\"OpenAI: GPT-5\",\"context_length\":400000,"
         "\"architecture\":{\"modality\":\"text->text\",\"output_modalities\":[\"text\"]},"
         "\"pricing\":{\"prompt\":\"0.00000125\",\"completion\":\"0.00001\",\"request\":\"0\"},"
         "\"top_provider\":{\"context_length\":399999}},"
         "{\"id\":\"paints\",\"architecture\":{\"output_modalities\":[\"image\"]}}]}",
         1,
         {.id = "openai/gpt-5",
          .n_ctx = 400000,
          .price_in = 1.25,
          .price_out = 10,
          .state = REMOTE_UNKNOWN}},
	{"Together, a list by itself",
         "[{\"id\":\"meta/llama\",\"object\":\"model\",\"type\":\"chat\",\"context_length\":8192,"
         "\"pricing\":{\"hourly\":0,\"input\":0.2,\"output\":0.4}},{\"id\":\"e\",\"type\":"
         "\"embedding\"}]",
         1,
         {.id = "meta/llama",
          .n_ctx = 8192,
          .price_in = 0.2,
          .price_out = 0.4,
          .state = REMOTE_UNKNOWN}},
	{"Groq",
         "{\"data\":[{\"id\":\"llama\",\"active\":true,\"context_window\":131072},{\"id\":\"gone\","
         "\"active\":false}]}",
         1,
         {.id = "llama", .n_ctx = 131072, .state = REMOTE_UNKNOWN}},
	{"Mistral",
         "{\"data\":[{\"id\":\"mistral-embed\",\"capabilities\":{\"completion_chat\":false}},{"
         "\"id\":"
         "\"large\","
         "\"capabilities\":{\"completion_chat\":true},\"max_context_length\":131072,\"type\":"
         "\"base\"}]"
         "}",
         1,
         {.id = "large", .n_ctx = 131072, .state = REMOTE_UNKNOWN}},
	{"OpenAI",
         "{\"data\":[{\"id\":\"text-embedding-3-small\",\"owned_by\":\"system\"},{\"id\":\"whisper-"
         "1\"},"
         "{\"id\":\"gpt-5\",\"object\":\"model\",\"owned_by\":\"system\"},{\"id\":\"tts-1-hd\"}]}",
         1,
         {.id = "gpt-5", .state = REMOTE_UNKNOWN}},
	{"Ollama, a model that only embeds",
         "{\"models\":[{\"name\":\"nomic-embed-text\",\"capabilities\":[\"embedding\"]},{\"name\":"
         "\"a\",\"capabilities\":"
         "[\"vision\",\"completion\"]}]}",
         1,
         {.id = "a", .state = REMOTE_UNKNOWN}},
	{"strange values",
         "{\"data\":[null,7,\"text\",[1],{\"id\":7},{\"id\":\"\"},{\"id\":\"a\\u0000b\"},"
         "{\"id\":\"a\\nb\"},{\"id\":\"\\u001b[31m\"},{\"id\":"
         "\"ok\",\"max_model_len\":-5,"
         "\"context_length\":\"many\",\"pricing\":{\"prompt\":\"-1\",\"completion\":\"free\"},"
         "\"meta\":"
         "null,\"size\":1e300}]}",
         1,
         {.id = "ok", .n_bytes = INT64_MAX, .state = REMOTE_UNKNOWN}},
	{"nothing", "{\"object\":\"list\",\"data\":[]}", 0, {.id = NULL}},
	{"nothing but models",
         "{\"data\":[],\"models\":[{\"name\":\"m\"}]}",
         1,
         {.id = "m", .state = REMOTE_UNKNOWN}},
};

static void assert_text(const char *row, const char *what, const char *is, const char *expected)
{
	cr_assert(is == expected || (is && expected && strcmp(is, expected) == 0),
	          "%s: %s is '%s', not '%s'", row, what, is ? is : "-", expected ? expected : "-");
}

Test(list_parse, what_servers_say)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct expected *expected = &rows[i].first;
		const struct remote_model *is;
		struct list_answer answer;
		struct error err;

		cr_assert_eq(list_parse(&answer, rows[i].json, strlen(rows[i].json), &err),
		             STATUS_OK, "%s: %s", rows[i].name, err.text);
		cr_assert_eq(answer.list.n, rows[i].n, "%s: %zu", rows[i].name, answer.list.n);
		is = answer.list.items;
		if (rows[i].n > 0) {
			assert_text(rows[i].name, "id", is->id, expected->id);
			assert_text(rows[i].name, "type", is->type, expected->type);
			assert_text(rows[i].name, "why", is->why, expected->why);
			assert_text(rows[i].name, "where", is->where, expected->where);
			cr_assert_eq(is->n_ctx, expected->n_ctx, "%s: %u", rows[i].name, is->n_ctx);
			cr_assert_eq(is->n_bytes, expected->n_bytes, "%s", rows[i].name);
			cr_assert_eq(is->n_params, expected->n_params, "%s", rows[i].name);
			cr_assert_eq(is->state, expected->state, "%s", rows[i].name);
			cr_assert_float_eq(is->price_in,
			                   expected->price_in > 0 ? expected->price_in : -1, 1e-9,
			                   "%s", rows[i].name);
			cr_assert_float_eq(is->price_out,
			                   expected->price_out > 0 ? expected->price_out : -1, 1e-9,
			                   "%s", rows[i].name);
		}
		list_answer_free(&answer);
	}
}

Test(list_parse, what_tells_servers_apart)
{
	struct list_answer answer;

	cr_assert_eq(list_parse(&answer, rows[0].json, strlen(rows[0].json), NULL), STATUS_OK);
	cr_assert_not(answer.is_router);
	cr_assert_str_eq(answer.owner, "llamacpp");
	list_answer_free(&answer);
	cr_assert_eq(list_parse(&answer, rows[2].json, strlen(rows[2].json), NULL), STATUS_OK);
	cr_assert(answer.is_router);
	list_answer_free(&answer);
}

Test(list_parse, what_is_no_list)
{
	static const char *const wrong[] = {"",
	                                    "<html></html>",
	                                    "{}",
	                                    "7",
	                                    "{\"data\": {}}",
	                                    "{\"error\": \"no\"}",
	                                    "{\"data\":[{\"id\":\"a\"}",
	                                    "{\"data\":[{\"id\":\"a\"}]} {}"};

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct list_answer answer;
		struct error err;

		cr_assert_eq(list_parse(&answer, wrong[i], strlen(wrong[i]), &err), STATUS_FORMAT,
		             "%s", wrong[i]);
		cr_assert_eq(answer.list.n, 0);
		list_answer_free(&answer);
	}
}

Test(list_parse, limits)
{
	struct buf json = {.max = MIB(4)};
	struct list_answer answer;
	struct error err;

	buf_puts(&json, "[{\"id\":\"");
	for (size_t i = 0; i <= LIMIT_MODEL_ID; i++)
		buf_putc(&json, 'x');
	buf_puts(&json, "\"},{\"id\":\"");
	for (size_t i = 0; i < LIMIT_MODEL_ID; i++)
		buf_putc(&json, 'y');
	buf_puts(&json, "\"}");
	for (size_t i = 0; i < LIMIT_LISTED_MODELS; i++)
		buf_printf(&json, ",{\"id\":\"%zu\"}", i);
	buf_puts(&json, "]");
	cr_assert_eq(list_parse(&answer, buf_text(&json), json.len, &err), STATUS_OK);
	cr_assert_eq(answer.list.n, LIMIT_LISTED_MODELS);
	cr_assert(answer.list.has_more);
	cr_assert_eq(answer.list.items[0].id[0], 'y');
	list_answer_free(&answer);
	buf_free(&json);
}

Test(list_parse, one_list_over_another)
{
	const char *tags = "{\"models\":[{\"name\":\"a\",\"size\":5},{\"name\":\"b\",\"size\":6}]}";
	const char *ps = "{\"models\":[{\"name\":\"b\",\"size\":7,\"context_length\":4096},{"
			 "\"name\":\"c\"}]}";
	struct list_answer list, with;

	cr_assert_eq(list_parse(&list, tags, strlen(tags), NULL), STATUS_OK);
	cr_assert_eq(list_parse(&with, ps, strlen(ps), NULL), STATUS_OK);
	list_overlay(&list.list, &with.list, REMOTE_LOADED);
	cr_assert_eq(list.list.n, 2);
	cr_assert_eq(list.list.items[0].state, REMOTE_UNKNOWN);
	cr_assert_eq(list.list.items[1].state, REMOTE_LOADED);
	cr_assert_eq(list.list.items[1].n_ctx, 4096);
	cr_assert_eq(list.list.items[1].n_bytes, 6);
	list_answer_free(&list);
	list_answer_free(&with);
}

Test(list_parse, names_that_lists_show)
{
	static const char *const names[][2] = {
		{"toy", "toy"},
		{"Qwen/Qwen3-8B", "Qwen/Qwen3-8B"},
		{"llama3.2:latest", "llama3.2:latest"},
		{"/models/qwen.gguf", "qwen.gguf"},
		{"models/qwen.gguf", "qwen.gguf"},
		{"/srv/models/Qwen3-8B", "Qwen3-8B"},
		{"C:\\models\\qwen.gguf", "qwen.gguf"},
		{"./x/", "x/"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		cr_assert_str_eq(remote_model_name(names[i][0]), names[i][1]);
}
