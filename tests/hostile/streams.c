#include "hostile/streams.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "support/server/internal.h"

static void add(struct stream_seeds *seeds, const char *dialect, const char *bytes, size_t len)
{
	struct stream_seed *seed = &seeds->items[seeds->n++];

	if (seeds->n > SEEDS_MAX)
		abort();
	seed->dialect = dialect;
	buf_init(&seed->bytes, MIB(64));
	buf_append(&seed->bytes, bytes, len);
}

/* What the test server says to a request. */
static void add_play(struct stream_seeds *seeds, const char *dialect, const char *spec_text, const char *path, const char *body)
{
	struct spec spec = {.model = "toy", .tokens = 64, .think = 8, .n_ctx = 4096, .n_predict = -1, .probs = 1};
	struct json_tree *json = json_tree_parse(body, strlen(body));
	struct play_request request = {.spec = &spec, .method = "POST", .path = path, .query = "", .json = json};
	struct answer answer = {.body = {.max = MIB(16)}};

	play_spec(&spec, spec_text);
	if (!play_find(spec.dialect)->answer(&request, &answer) || answer.code != 200)
		abort();
	add(seeds, dialect, answer.body.data, answer.body.len);
	play_answer_free(&answer);
	json_tree_free(json);
}

#define MESSAGES "\"messages\":[{\"role\":\"user\",\"content\":\"Gr\xc3\xbc\xc3\x9f" "e \xf0\x9f\x98\x80 you\"}],\"model\":\"toy\""
#define STREAM MESSAGES ",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"logprobs\":true,\"return_token_ids\":true"
#define CHAT "/v1/chat/completions"

void stream_seeds_make(struct stream_seeds *seeds)
{
	static const char *const own[] = {
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"Hm\"}]}]}}]}\r\n\r\n"
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}]},\"finish_reason\":\"stop\"}]}\r\n\r\n",
		"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: {\"error\":{\"code\":502,\"message\":\"Provider returned error\","
		"\"metadata\":{\"raw\":\"upstream\"}}}\n\n",
		"\n\n{\"choices\":[{\"index\":0,\"message\":{\"content\":\"Hi\",\"reasoning_content\":\"Hm\"},\"finish_reason\":\"stop\"}],\"usage\":"
		"{\"prompt_tokens\":9,\"completion_tokens\":3,\"cost\":0.5}}\n",
		": OPENROUTER PROCESSING\n\nevent: message\nid: 1\nretry: 3\ndata: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\ndata: {\"choices\":"
		"[{\"delta\":{\"content\":\" you\"}}]}\n\ndata: [DONE]",
	};

	seeds->n = 0;
	add_play(seeds, "openai", "dialect=openai,tokens=6", CHAT, "{" STREAM "}");
	add_play(seeds, "openai", "dialect=hosted,mode=echo", CHAT, "{" STREAM "}");
	add_play(seeds, "openai", "dialect=tabby,mode=think,think=3,tokens=3", CHAT, "{" STREAM "}");
	add_play(seeds, "openai", "dialect=openai,mode=think,think=3,tokens=3,inline=1", CHAT, "{" STREAM "}");
	add_play(seeds, "openai", "dialect=llama-server,mode=think,think=3,tokens=3", CHAT, "{" STREAM "}");
	add_play(seeds, "openai", "dialect=openai,tokens=3", CHAT, "{" MESSAGES "}");
	add_play(seeds, "vllm", "dialect=vllm,tokens=5", "/v1/completions", "{" STREAM ",\"prompt\":[256,2008,10,72]}");
	add_play(seeds, "vllm", "dialect=vllm,mode=think,think=3,tokens=3", CHAT, "{" STREAM "}");
	add_play(seeds, "llama-server", "dialect=llama-server,tokens=5", "/completion",
	         "{\"prompt\":[256,2008,10,72],\"n_probs\":2,\"return_progress\":true,\"stream\":true}");
	add_play(seeds, "llama-server", "dialect=llama-server,mode=think,think=3,tokens=3", "/completion",
	         "{\"prompt\":\"<|im_start|>assistant\\n\",\"n_probs\":2,\"post_sampling_probs\":true,\"stream\":true}");
	add_play(seeds, "ollama", "dialect=ollama,mode=think,think=3,tokens=3", "/api/chat", "{" MESSAGES "}");
	add_play(seeds, "ollama", "dialect=ollama,mode=echo", "/api/chat", "{" MESSAGES "}");
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		add(seeds, "openai", own[i], strlen(own[i]));
}

void stream_seeds_free(struct stream_seeds *seeds)
{
	for (size_t i = 0; i < seeds->n; i++)
		buf_free(&seeds->items[i].bytes);
	seeds->n = 0;
}

static const char *const pieces[] = {
	"\r", "\n", "\r\n", "\n\n", ":", ": c\n", "data", "data:", "data: ", "[DONE]", "data: [DONE]\n\n", "\xef\xbb\xbf", "\"", "\\", "\\u", "\\ud83d",
	"\\u0000", "\xff", "\xc3", "\xf0\x9f", "{", "}", "[", "]", ",", "null", "true", "-1", "1e999", "99999999999999999999999", "0x", "NaN",
	"{}", "[]", "\"error\":", "\"error\":{\"message\":null},", "\"choices\":null,", "\"content\":", "\"finish_reason\":\"stop\",", "\"usage\":{},",
	"<think>", "</think>", "[THINK]", "<|channel|>analysis", "\x1b[31m", "\x1b]0;x\x07", "HTTP/1.1 200 OK\r\n\r\n", "<html>", "\x1f\x8b\x08\x00",
};

static void insert(struct buf *out, size_t at, const char *bytes, size_t n)
{
	struct buf tail = {.max = MIB(64)};

	buf_append(&tail, out->data + at, out->len - at);
	buf_remove(out, at, out->len - at);
	buf_append(out, bytes, n);
	buf_append(out, tail.data ? tail.data : "", tail.len);
	buf_free(&tail);
}

static void insert_many(struct buf *out, size_t at, const char *text, size_t times)
{
	struct buf many = {.max = MIB(64)};

	for (size_t i = 0; i < times; i++)
		buf_puts(&many, text);
	insert(out, at, many.data ? many.data : "", many.len);
	buf_free(&many);
}

/* Few of these: they are large. */
static void make_huge(struct buf *out, size_t at, struct test_random *random)
{
	switch (test_random_below(random, 7)) {
	case 0: insert_many(out, at, "data: {}\n\n", 10000); break;
	case 1: insert_many(out, at, ": comment\n", 50000); break;
	case 2: insert_many(out, at, "[", 100000); break;
	case 3: insert_many(out, at, "{\"a\":", 100000); break;
	case 4: insert_many(out, at, "xxxxxxxxxxxxxxxx", 70000); break; /* a line of more than 1 MiB */
	case 5: insert_many(out, at, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n", 10000); break;
	default: insert_many(out, at, "\n", 200000); break;
	}
}

static size_t change(const struct stream_seeds *seeds, struct test_random *random, struct buf *out)
{
	size_t at = test_random_below(random, out->len + 1), n = test_random_below(random, 40) + 1;
	const struct buf *other = &seeds->items[test_random_below(random, seeds->n)].bytes;
	const char *piece = pieces[test_random_below(random, sizeof pieces / sizeof pieces[0])];
	size_t from = test_random_below(random, other->len);
	char noise[40];

	n = n < other->len - from ? n : other->len - from;
	switch (test_random_below(random, 40)) {
	case 0: case 1: case 2: case 3: case 4: case 5: case 6: buf_remove(out, at, out->len - at); break;
	case 7: case 8: case 9: case 10: case 11: buf_remove(out, at, n); break;
	case 12: case 13: case 14: case 15: case 16: case 17:
		test_random_bytes(random, noise, sizeof noise);
		insert(out, at, noise, n < sizeof noise ? n : sizeof noise);
		break;
	case 18: case 19: case 20: case 21: case 22: case 23: insert(out, at, other->data + from, n); break;
	case 24: case 25: insert(out, at, other->data, other->len); break;
	case 26: case 27: case 28:
		if (at < out->len)
			out->data[at] = (char)(out->data[at] ^ (1 << test_random_below(random, 8)));
		break;
	case 29: make_huge(out, at, random); break;
	default: insert_many(out, at, piece, 1 + test_random_below(random, 3)); break;
	}
	return at;
}

size_t stream_mutate(const struct stream_seeds *seeds, struct test_random *random, size_t *seed, struct buf *out)
{
	size_t first, n_changes = 1 + test_random_below(random, 3);

	*seed = test_random_below(random, seeds->n);
	buf_clear(out);
	buf_append(out, seeds->items[*seed].bytes.data, seeds->items[*seed].bytes.len);
	first = out->len;
	for (size_t i = 0; i < n_changes; i++) {
		size_t at = change(seeds, random, out);

		first = at < first ? at : first;
	}
	return first;
}
