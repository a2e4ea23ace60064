/* What a llama-server says while it makes a reply, an event a line, of any bytes; and the same bytes as an answer of
 * /tokenize. The vocabulary is the bytes and a control token. */
#include <string.h>

#include "base/limits.h"
#include "fuzz/fuzz.h"
#include "remote/llama_server.h"

enum { CONTROL = 256, N_VOCAB };

static const char name[] = "<|end|>", chat[] = "{{ messages[0].content }}<|end|>";
static const unsigned char *answer; /* that tokens are read from, too */
static size_t answer_len;

static enum status put(struct outside *known, int32_t id, struct error *err)
{
	char byte = (char)id;

	return id == CONTROL ? outside_put_piece(known, id, name, strlen(name), err)
	                     : outside_put_piece(known, id, &byte, 1, err);
}

static enum status tokenise(void *ctx, struct outside_ask *asks, size_t n, unsigned flags, struct outside *known,
                            struct error *err)
{
	struct token_list ids = {0};
	struct error ignored;

	(void)ctx;
	if (llama_read_tokens(known, (const char *)answer, answer_len, &ids, &ignored))
		FUZZ_CHECK(ignored.text[0]);
	token_list_free(&ids);
	for (size_t i = 0; i < n; i++)
		for (size_t at = 0; at < asks[i].len; at++) {
			bool control = flags & ENCODE_SPECIAL && asks[i].len - at >= strlen(name) &&
			               memcmp(asks[i].text + at, name, strlen(name)) == 0;
			int32_t id = control ? CONTROL : (unsigned char)asks[i].text[at];

			at += control ? strlen(name) - 1 : 0;
			if (put(known, id, err) || token_list_push(&asks[i].ids, id))
				return STATUS_NOMEM;
		}
	return STATUS_OK;
}

static enum status name_ids(void *ctx, const int32_t *ids, size_t n, struct outside *known, struct error *err)
{
	enum status status = STATUS_OK;

	(void)ctx;
	for (size_t i = 0; i < n && !status; i++)
		status = put(known, ids[i], err);
	return status;
}

static void read_events(struct remote *remote, const char *text, size_t size)
{
	struct chunk chunk;
	struct error err;

	chunk_init(&chunk);
	while (size) {
		const char *end = memchr(text, '\n', size);
		size_t len = end ? (size_t)(end - text) : size;

		chunk_clear(&chunk);
		if (llama_read(remote, text, len, &chunk, &err))
			FUZZ_CHECK(err.text[0]);
		FUZZ_CHECK(chunk.n_ids <= CHUNK_IDS_MAX && chunk.n_candidates <= TOKEN_CANDIDATES_MAX);
		for (size_t i = 0; i < chunk.n_candidates; i++)
			FUZZ_CHECK(chunk.candidates[i].len <= sizeof chunk.candidates[i].text);
		text += len + (end != NULL);
		size -= len + (end != NULL);
	}
	chunk_free(&chunk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct outside_ops ops = {.tokenise = tokenise, .name = name_ids};
	const struct outside_names names = {.eos = name, .n_vocab = N_VOCAB};
	struct llama_server llama = {.mode = LLAMA_RAW, .separator = TOKEN_NONE, .reply = {.held = TOKEN_NONE}};
	struct remote remote = {.own = &llama};
	struct error err;

	answer = data;
	answer_len = size;
	llama.remote = &remote;
	FUZZ_CHECK(tokenizer_open_outside(&llama.tokenizer, &ops, NULL, &names, &err) == STATUS_OK);
	FUZZ_CHECK(chat_template_open_text(&llama.tmpl, "own", chat, strlen(chat), llama.tokenizer, &err) == STATUS_OK);
	read_events(&remote, (const char *)data, size);
	llama_reply_free(&llama.reply);
	chat_template_close(llama.tmpl);
	tokenizer_close(llama.tokenizer);
	return 0;
}
