/* What servers send, any bytes: a stream gives the same documents however it is cut, each is read or passed over, and
 * what is told of a reply is UTF-8. Lists of models, too. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "remote/dialect.h"
#include "remote/list_parse.h"
#include "remote/llama_server.h"
#include "remote/reply.h"
#include "remote/request.h"
#include "remote/stream.h"
#include "support/server/vocabulary.h"
#include "tokenizer/outside.h"

static enum status collect(void *ctx, const char *json, size_t len, struct error *err)
{
	(void)err;
	FUZZ_CHECK(len >= 2 && json[0] == '{');
	buf_append(ctx, json, len);
	buf_putc(ctx, '\n');
	return STATUS_OK;
}

/* All documents, in pieces of `piece` bytes. */
static void read_documents(const char *bytes, size_t size, size_t piece, struct buf *out)
{
	struct stream stream;
	enum status status = STATUS_OK;

	stream_init(&stream, collect, out);
	for (size_t at = 0; at < size && !status; at += piece)
		status = stream_push(&stream, bytes + at, size - at < piece ? size - at : piece, NULL);
	if (!status)
		status = stream_end(&stream, NULL);
	FUZZ_CHECK(!status);
	stream_free(&stream);
}

static void check_cuts(const char *bytes, size_t size)
{
	struct buf whole = {.max = LIMIT_STREAM}, cut = {.max = LIMIT_STREAM};

	read_documents(bytes, size, size ? size : 1, &whole);
	for (size_t piece = 1; piece <= 7; piece += 3) {
		buf_clear(&cut);
		read_documents(bytes, size, piece, &cut);
		FUZZ_CHECK(cut.len == whole.len && (!cut.len || memcmp(cut.data, whole.data, cut.len) == 0));
	}
	buf_free(&whole);
	buf_free(&cut);
}

/* ---- a vocabulary that is elsewhere, for llama-server's replies by ids ---- */

static enum status name(void *ctx, const int32_t *ids, size_t n, struct outside *known, struct error *err)
{
	enum status status = STATUS_OK;

	(void)ctx;
	for (size_t i = 0; i < n && !status; i++) {
		struct buf piece = {.max = 256};

		vocabulary_append(&piece, ids[i]);
		status = outside_put_piece(known, ids[i], buf_text(&piece), piece.len, err);
		buf_free(&piece);
	}
	return status == STATUS_FORMAT ? STATUS_OK : status; /* an id that there is not */
}

static enum status tokenise(void *ctx, struct outside_ask *asks, size_t n, unsigned flags, struct outside *known,
                            struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < n && !status; i++) {
		size_t n_ids;
		int32_t *ids = vocabulary_encode(asks[i].text, asks[i].len, flags & ENCODE_SPECIAL, &n_ids);

		for (size_t k = 0; k < n_ids && !status; k++)
			status = token_list_push(&asks[i].ids, ids[k]);
		if (!status)
			status = name(ctx, ids, n_ids, known, err);
		free(ids);
	}
	return status;
}

static const struct outside_ops vocabulary = {.tokenise = tokenise, .name = name};

/* Kept: opening one takes long. */
static struct tokenizer *vocabulary_tokenizer(void)
{
	static struct tokenizer *one;
	static const struct outside_names names = {.bos = "<s>", .eos = "<|im_end|>", .n_vocab = VOCABULARY_SIZE};

	if (!one)
		FUZZ_CHECK(!tokenizer_open_outside(&one, &vocabulary, NULL, &names, NULL));
	return one;
}

static struct chat_template *vocabulary_template(void)
{
	static const char text[] = "{{ '<|im_start|>' }}<think>{{ messages }}</think>{{ '<|im_end|>' }}";
	static struct chat_template *one;

	if (!one)
		FUZZ_CHECK(!chat_template_open_text(&one, TEMPLATE_OWN, text, sizeof text - 1, vocabulary_tokenizer(), NULL));
	return one;
}

/* ---- a reply ---- */

struct reading {
	struct remote *remote;
	struct reply reply;
	struct chunk chunk;
	enum status (*read)(struct remote *remote, const char *json, size_t len, struct chunk *out, struct error *err);
};

static enum status take(void *ctx, const char *json, size_t len, struct error *err)
{
	struct reading *r = ctx;
	enum status status;

	chunk_clear(&r->chunk);
	status = r->read(r->remote, json, len, &r->chunk, err);
	FUZZ_CHECK(!status || status == STATUS_FORMAT);
	FUZZ_CHECK(r->chunk.n_candidates <= TOKEN_CANDIDATES_MAX && r->chunk.n_ids <= CHUNK_IDS_MAX);
	return status ? STATUS_OK : reply_take(&r->reply, &r->chunk, 0, err);
}

static enum status check_event(void *ctx, const struct event *event, struct error *err)
{
	(void)ctx;
	(void)err;
	if (event->kind == EVENT_TOKEN)
		FUZZ_CHECK(utf8_valid(event->u.token.bytes, event->u.token.len));
	return STATUS_OK;
}

static const struct message question[] = {{.role = ROLE_USER, .text = "Hi", .len = 2}};
static const char *const stops[] = {"stop", "\n\n"};

static void check_reply(const char *bytes, size_t size, const struct dialect *dialect)
{
	static char name[] = "box";
	static const struct server_config config = {.name = name};
	const struct turn turn = {.messages = question, .n_messages = 1, .n_predict = 100, .stops = stops, .n_stops = 2};
	const struct remote_ask ask = {.turn = &turn};
	const struct backend_host host = {.event = check_event};
	struct remote remote = {.server = &config, .dialect = dialect, .has_inline_thoughts = true};
	struct llama_server llama = {.remote = &remote, .mode = size % 2 ? LLAMA_CHAT : LLAMA_RAW, .tokenizer = vocabulary_tokenizer(),
	                             .tmpl = vocabulary_template()};
	struct reading r = {.remote = &remote, .read = dialect->read};
	struct remote_request request;
	struct turn_stats stats = {.n_prompt = 0};
	struct stream stream;
	bool in_character;

	if (strcmp(dialect->name, "llama-server") == 0)
		remote.own = &llama;
	if (remote.own && llama.mode == LLAMA_RAW) {
		remote.tokenizer = llama.tokenizer;
		remote.tmpl = llama.tmpl;
	}
	remote_request_init(&request);
	reply_init(&r.reply, &remote, &ask, &host, &stats);
	reply_send(&r.reply, &request, 0);
	chunk_init(&r.chunk);
	stream_init(&stream, take, &r);
	FUZZ_CHECK(!stream_push(&stream, bytes, size, NULL) && !stream_end(&stream, NULL));
	FUZZ_CHECK(!reply_end(&r.reply, size % 2, 0, &in_character, NULL));
	chunk_clear(&r.chunk);
	chunk_read_error(&r.chunk, bytes, size, true);
	stream_free(&stream);
	chunk_free(&r.chunk);
	reply_free(&r.reply);
	llama_reply_free(&llama.reply);
	remote_request_free(&request);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data;
	struct list_answer list;

	if (size > MIB(1))
		return 0;
	check_cuts(bytes, size);
	for (size_t i = 0; dialects[i]; i++)
		check_reply(bytes, size, dialects[i]);
	if (!list_parse(&list, bytes, size, NULL))
		list_answer_free(&list);
	return 0;
}
