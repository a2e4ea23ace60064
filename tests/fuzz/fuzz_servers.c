/* What servers send: streams, in pieces of two sizes, which must not matter, with the chunks that are in them; and lists
 * of models. */
#include <string.h>

#include "base/limits.h"
#include "fuzz/fuzz.h"
#include "remote/chunk.h"
#include "remote/list_parse.h"
#include "remote/stream.h"

struct reading {
	struct chunk chunk;
	struct buf documents, text;
};

static enum status take(void *ctx, const char *json, size_t len, struct error *err)
{
	struct reading *reading = ctx;
	struct chunk *chunk = &reading->chunk;
	enum status status;

	FUZZ_CHECK(len && json[0] == '{');
	buf_append(&reading->documents, json, len);
	chunk_clear(chunk);
	status = chunk_read_openai(chunk, json, len, err);
	FUZZ_CHECK(status == STATUS_OK || (status == STATUS_FORMAT && err->text[0]));
	FUZZ_CHECK(memchr(chunk->id, '\0', sizeof chunk->id) && memchr(chunk->refused, '\0', sizeof chunk->refused));
	FUZZ_CHECK(chunk->n_ids <= CHUNK_IDS_MAX && chunk->n_candidates <= TOKEN_CANDIDATES_MAX);
	FUZZ_CHECK(!chunk->error.status || memchr(chunk->error.text, '\0', sizeof chunk->error.text));
	buf_append(&reading->text, buf_text(&chunk->text), chunk->text.len);
	return STATUS_OK;
}

static enum status read_stream(const char *bytes, size_t size, size_t piece, struct reading *out)
{
	struct stream stream;
	struct error err = {0};
	enum status status = STATUS_OK;

	chunk_init(&out->chunk);
	buf_init(&out->documents, MIB(64));
	buf_init(&out->text, MIB(64));
	stream_init(&stream, take, out);
	for (size_t at = 0; at < size && !status; at += piece)
		status = stream_push(&stream, bytes + at, piece < size - at ? piece : size - at, &err);
	if (!status)
		status = stream_end(&stream, &err);
	FUZZ_CHECK(!status || err.text[0]);
	stream_free(&stream);
	chunk_free(&out->chunk);
	return status;
}

static void read_streams(const char *bytes, size_t size)
{
	struct reading whole, pieces;
	enum status status = read_stream(bytes, size, size ? size : 1, &whole);

	FUZZ_CHECK(status == read_stream(bytes, size, 1 + size % 13, &pieces));
	FUZZ_CHECK(whole.documents.len == pieces.documents.len && whole.text.len == pieces.text.len);
	FUZZ_CHECK(!whole.documents.len || memcmp(whole.documents.data, pieces.documents.data, whole.documents.len) == 0);
	buf_free(&whole.documents);
	buf_free(&whole.text);
	buf_free(&pieces.documents);
	buf_free(&pieces.text);
}

static void read_list(const char *bytes, size_t size)
{
	struct list_answer answer = {0};
	struct error err = {0};

	if (list_parse(&answer, bytes, size, &err)) {
		FUZZ_CHECK(err.text[0]);
	} else {
		for (size_t i = 0; i < answer.list.n; i++)
			FUZZ_CHECK(answer.list.items[i].id);
		FUZZ_CHECK(memchr(answer.owner, '\0', sizeof answer.owner));
	}
	list_answer_free(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_streams((const char *)data, size);
	read_list((const char *)data, size);
	return 0;
}
