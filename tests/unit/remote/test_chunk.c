#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "remote/chunk.h"

/* A chunk as a line: what is not there is not printed. */
static void print(const struct chunk *chunk, struct buf *out)
{
	static const char *const ends[] = {"", " END", " STOP", " LENGTH", " CONTEXT", " FILTERED"};

	buf_printf(out, "%s", buf_text(&chunk->text));
	if (chunk->reasoning.len)
		buf_printf(out, " (%s)", buf_text(&chunk->reasoning));
	buf_puts(out, ends[chunk->end]);
	if (chunk->usage.is_known)
		buf_printf(out, " %u+%u", chunk->usage.n_prompt, chunk->usage.n_generated);
	if (chunk->usage.knows_cached)
		buf_printf(out, " cached %u", chunk->usage.n_cached);
	if (chunk->usage.n_reasoning)
		buf_printf(out, " thought %u", chunk->usage.n_reasoning);
	if (chunk->usage.knows_cost)
		buf_printf(out, " $%g", chunk->usage.cost);
	if (chunk->progress.is_known)
		buf_printf(out, " %u/%u", chunk->progress.done, chunk->progress.total);
	if (chunk->error.status)
		buf_printf(out, "%s%s", chunk->error.status == STATUS_CONTEXT ? "TOO LONG: " : "ERROR: ", chunk->error.text);
	if (chunk->n_ctx)
		buf_printf(out, " [%u of %u]", chunk->n_prompt, chunk->n_ctx);
	if (chunk->refused[0])
		buf_printf(out, " {%s}", chunk->refused);
}

#define DELTA(delta) "{\"choices\":[{\"index\":0,\"finish_reason\":null,\"delta\":" delta "}]}"
#define USAGE(usage) "{\"choices\":[],\"usage\":" usage "}"

static const struct {
	const char *json, *expected;
} cases[] = {
	/* deltas */
	{DELTA("{\"role\":\"assistant\",\"content\":null}"), ""},
	{DELTA("{}"), ""},
	{DELTA("{\"content\":\"Hi\"}"), "Hi"},
	{DELTA("{\"content\":\"Hi\",\"obfuscation\":\"xyz\"}"), "Hi"},
	{DELTA("{\"refusal\":\"I cannot\",\"content\":null}"), "I cannot"},
	{DELTA("{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]}"), "ab"},
	{"{\"choices\":[{\"index\":0,\"text\":\"Hi\"}]}", "Hi"},
	{"{\"choices\":null}", ""},
	{"{\"choices\":[]}", ""},
	{"{\"choices\":[{\"index\":0},{\"index\":1,\"delta\":{\"content\":\"other\"}}]}", ""},
	{"{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"},\"finish_reason\":\"stop\"}]}", ""},
	/* thoughts */
	{DELTA("{\"reasoning_content\":\"hm\"}"), " (hm)"},
	{DELTA("{\"reasoning\":\"hm\",\"content\":\"\"}"), " (hm)"},
	{DELTA("{\"reasoning\":\"hm\",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"hm\"}]}"), " (hm)"},
	{DELTA("{\"reasoning_details\":[{\"summary\":\"so\"}],\"reasoning_content\":\"hm\"}"), " (hm)"},
	{DELTA("{\"reasoning_details\":[{\"summary\":\"so\"}]}"), " (so)"},
	{DELTA("{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"hm\"}]},"
	       "{\"type\":\"text\",\"text\":\"Hi\"}]}"), "Hi (hm)"},
	/* an answer that is no stream */
	{"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"Hi\",\"reasoning_content\":\"hm\"},"
	 "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1}}", "Hi (hm) END 9+1"},
	/* ends */
	{"{\"choices\":[{\"finish_reason\":\"stop\",\"delta\":{}}]}", " END"},
	{"{\"choices\":[{\"finish_reason\":\"stop\",\"stop_reason\":\"User:\",\"delta\":{}}]}", " STOP"},
	{"{\"choices\":[{\"finish_reason\":\"stop\",\"matched_stop\":151645,\"delta\":{}}]}", " END"},
	{"{\"choices\":[{\"finish_reason\":\"length\",\"delta\":{}}]}", " LENGTH"},
	{"{\"choices\":[{\"finish_reason\":\"content_filter\",\"delta\":{}}]}", " FILTERED"},
	{"{\"choices\":[{\"finish_reason\":\"SAFETY\",\"delta\":{}}]}", " FILTERED"},
	{"{\"choices\":[{\"finish_reason\":\"tool_calls\",\"delta\":{}}]}", " END"},
	{"{\"choices\":[{\"finish_reason\":\"\",\"delta\":{}}]}", ""},
	{"{\"choices\":[{\"finish_reason\":\"error\",\"delta\":{}}]}",
	 " ENDERROR: the server ended the reply with an error"},
	/* usage */
	{USAGE("{\"prompt_tokens\":9,\"completion_tokens\":1,\"total_tokens\":10,"
	       "\"prompt_tokens_details\":{\"cached_tokens\":8}}"), " 9+1 cached 8"},
	{USAGE("{\"prompt_tokens\":9,\"completion_tokens\":5,\"completion_tokens_details\":{\"reasoning_tokens\":4}}"),
	 " 9+5 thought 4"},
	{USAGE("{\"prompt_tokens\":9,\"completion_tokens\":1,\"prompt_cache_hit_tokens\":7}"), " 9+1 cached 7"},
	{USAGE("{\"prompt_tokens\":9,\"completion_tokens\":1,\"cost\":0.0021}"), " 9+1 $0.0021"},
	{"{\"choices\":[],\"x_groq\":{\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}}", " 3+4"},
	{"{\"usage\":null,\"choices\":[]}", ""},
	{"{\"choices\":[],\"timings\":{\"cache_n\":5,\"prompt_n\":4,\"prompt_ms\":1.5,\"predicted_n\":2,\"predicted_ms\":3}}",
	 " 9+2 cached 5"},
	{USAGE("{\"prompt_tokens\":-9,\"completion_tokens\":1e300}"), " 0+4294967295"},
	/* progress */
	{"{\"choices\":[],\"prompt_progress\":{\"total\":100,\"cache\":20,\"processed\":50,\"time_ms\":3}}", " 50/100"},
	{"{\"choices\":[],\"x_prefill_progress\":0.25}", " 25/100"},
	/* errors */
	{"{\"error\":null,\"choices\":[]}", ""},
	{"{\"error\":\"no memory\"}", "ERROR: no memory"},
	{"{\"error\":{\"code\":400,\"message\":\"Unsupported parameter: 'temperature'\",\"param\":\"temperature\"}}",
	 "ERROR: Unsupported parameter: 'temperature' {temperature}"},
	{"{\"error\":{\"message\":\"Provider returned error\",\"code\":429,\"metadata\":{\"raw\":\"slow down\"}}}",
	 "ERROR: Provider returned error: slow down"},
	{"{\"error\":{}}", "ERROR: the server reports an error without saying which"},
	{"{\"x_groq\":{\"error\":{\"message\":\"over\"}},\"choices\":[]}", "ERROR: over"},
	{"{\"x_groq\":{\"error\":\"over capacity\"},\"choices\":[]}", "ERROR: over capacity"},
	{"{\"choices\":null,\"error_type\":\"overloaded\",\"error_message\":\"busy\"}", "ERROR: busy"},
	{"{\"choices\":[{\"error\":{\"message\":\"upstream\",\"code\":502},\"finish_reason\":\"error\"}]}",
	 " ENDERROR: upstream"},
	{"{\"object\":\"error\",\"message\":\"no such model\",\"type\":\"NotFoundError\",\"code\":404}",
	 "ERROR: no such model"},
	{"{\"object\":\"error\",\"message\":\"It exceeds the model's maximum context length of 4096 tokens.\",\"code\":400}",
	 "TOO LONG: It exceeds the model's maximum context length of 4096 tokens. [0 of 4096]"},
	{"{\"detail\":\"Not Found\"}", "ERROR: Not Found"},
	{"{\"detail\":[{\"loc\":[\"body\",\"top_k\"],\"msg\":\"Extra inputs are not permitted\"}]}",
	 "ERROR: Extra inputs are not permitted {top_k}"},
	{"{\"detail\":{\"msg\":\"Server is busy\"}}", "ERROR: Server is busy"},
	{"{\"error\":{\"message\":\"This model's maximum context length is 8192 tokens. However, your messages resulted in "
	 "9000 tokens.\",\"code\":\"context_length_exceeded\"}}",
	 "TOO LONG: This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. "
	 "[9000 of 8192]"},
	{"{\"error\":{\"code\":400,\"message\":\"request (5000 tokens) exceeds the available context size (4096 tokens)\","
	 "\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":5000,\"n_ctx\":4096}}",
	 "TOO LONG: request (5000 tokens) exceeds the available context size (4096 tokens) [5000 of 4096]"},
	/* a text about errors is none */
	{DELTA("{\"content\":\"{\\\"error\\\": 1} and \\\"detail\\\"\"}"), "{\"error\": 1} and \"detail\""},
};

Test(chunk, reads_what_servers_say)
{
	struct chunk chunk;

	chunk_init(&chunk);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct buf out = {.max = KIB(4)};
		struct error err = {.text = ""};

		chunk_clear(&chunk);
		cr_assert_eq(chunk_read_openai(&chunk, cases[i].json, strlen(cases[i].json), &err), STATUS_OK, "%s: %s",
		             cases[i].json, err.text);
		print(&chunk, &out);
		cr_assert_str_eq(buf_text(&out), cases[i].expected, "of %s", cases[i].json);
		buf_free(&out);
	}
	chunk_free(&chunk);
}

Test(chunk, refuses_what_is_not_json)
{
	static const char *const wrong[] = {"", "{", "{} {}", "<html>", "{\"a\":}"};
	struct chunk chunk;

	chunk_init(&chunk);
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		cr_assert_eq(chunk_read_openai(&chunk, wrong[i], strlen(wrong[i]), NULL), STATUS_FORMAT);
	chunk_free(&chunk);
}

Test(chunk, takes_candidates)
{
	static const char json[] =
		"{\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"logprobs\":{\"content\":[{\"token\":\"Hi\",\"logprob\":-0.5,"
		"\"top_logprobs\":[{\"token\":\"Hi\",\"logprob\":-0.5,\"bytes\":[72,105],\"id\":7},"
		"{\"token\":\"Ho\",\"logprob\":-3.4e38}]},{\"token\":\"!\",\"logprob\":-9}]}}]}";
	struct chunk chunk;

	chunk_init(&chunk);
	cr_assert_eq(chunk_read_openai(&chunk, json, strlen(json), NULL), STATUS_OK);
	cr_assert_eq(chunk.n_candidates, 2);
	cr_assert_eq(chunk.candidates[0].id, 7);
	cr_assert_eq(chunk.candidates[0].len, 2);
	cr_assert_eq(memcmp(chunk.candidates[1].text, "Ho", 2), 0);
	cr_assert_float_eq(chunk.candidates[0].probability, expf(-0.5f), 1e-6);
	cr_assert_float_eq(chunk.probability, expf(-0.5f), 1e-6);
	cr_assert_eq(chunk.candidates[1].probability, 0);
	chunk_free(&chunk);
}

Test(chunk, keeps_half_a_character)
{
	static const char json[] = "{\"choices\":[{\"delta\":{\"content\":\"\xf0\x9f\"}}]}";
	struct chunk chunk;

	chunk_init(&chunk);
	cr_assert_eq(chunk_read_openai(&chunk, json, strlen(json), NULL), STATUS_OK);
	cr_assert_str_eq(buf_text(&chunk.text), "\xf0\x9f");
	chunk_free(&chunk);
}

Test(chunk, takes_any_message_of_a_refusal)
{
	static const char json[] = "{\"message\":\"Invalid API Key\",\"code\":\"invalid_api_key\"}";
	struct chunk chunk;

	chunk_init(&chunk);
	chunk_read_error(&chunk, json, strlen(json), false);
	cr_assert_eq(chunk.error.status, STATUS_OK);
	chunk_read_error(&chunk, json, strlen(json), true);
	cr_assert_str_eq(chunk.error.text, "Invalid API Key");
	chunk_free(&chunk);
}
