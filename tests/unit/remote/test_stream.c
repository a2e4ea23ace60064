#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "remote/stream.h"

static enum status note(void *ctx, const char *json, size_t len, struct error *err)
{
	(void)err;
	buf_append(ctx, json, len);
	buf_puts(ctx, "|");
	return STATUS_OK;
}

/* The documents of a stream that comes in pieces of `piece` bytes, after a first one of `first`. */
static void read_stream(const char *text, size_t len, size_t first, size_t piece, struct stream *stream,
                        struct buf *out)
{
	size_t at = 0, n = first;

	stream_init(stream, note, out);
	for (; at < len; at += n, n = piece) {
		n = n < len - at ? n : len - at;
		cr_assert_eq(stream_push(stream, text + at, n, NULL), STATUS_OK);
	}
	cr_assert_eq(stream_end(stream, NULL), STATUS_OK);
}

static const struct {
	const char *text, *documents;
	bool is_done, is_strange;
} cases[] = {
	{"data: {\"a\":1}\n\n", "{\"a\":1}|", false, false},
	{"data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: [DONE]\n\n", "{\"a\":1}|{\"b\":2}|", true, false},
	{"data:{\"a\":1}\r\n\r\ndata: [DONE]\r\n\r\n", "{\"a\":1}|", true, false},
	{"data: {\"a\":1}\r\rdata: {\"b\":2}\r\r", "{\"a\":1}|{\"b\":2}|", false, false},
	{"\xef\xbb\xbf" "data: {\"a\":1}\n\n", "{\"a\":1}|", false, false},
	{": OPENROUTER PROCESSING\n\n: keep-alive\n\ndata: {}\n\n", "{}|", false, false},
	{"event: message\nid: 7\nretry: 10\ndata: {\"a\":1}\n\n", "{\"a\":1}|", false, false},
	/* an event with no data, or with empty data */
	{"event: ping\n\ndata\n\ndata:\n\ndata: {}\n\n", "{}|", false, false},
	/* KoboldCpp: no line end behind [DONE]; the last event without one */
	{"data: {\"a\":1}\n\ndata: [DONE]", "{\"a\":1}|", true, false},
	{"data: {\"a\":1}\n\ndata: {\"b\":2}", "{\"a\":1}|{\"b\":2}|", false, false},
	{"data: {\"a\":1}\n\ndata: {\"b\":", "{\"a\":1}|", false, true},
	/* a forgotten empty line; a document over several lines */
	{"data: {\"a\":1}\ndata: {\"b\":2}\n\n", "{\"a\":1}|{\"b\":2}|", false, false},
	{"data: {\"a\":1}{\"b\":2}\n\n", "{\"a\":1}|{\"b\":2}|", false, false},
	{"data: {\"a\":1}data: {\"b\":2}\n\n", "{\"a\":1}|{\"b\":2}|", false, false},
	{"data: {\"a\":\ndata: [1,\ndata: 2]}\n\n", "{\"a\":\n[1,\n2]}|", false, false},
	{"data: {\"a\":1}\ndata: [DONE]\n\n", "{\"a\":1}|", true, false},
	/* of two documents in an event the first has no end */
	{"data: {\"a\":1\ndata: {\"b\":2}\n\ndata: {\"c\":3}\n\n", "{\"b\":2}|{\"c\":3}|", false, true},
	/* lines of JSON */
	{"{\"a\":1}\n{\"b\":2}\n", "{\"a\":1}|{\"b\":2}|", false, false},
	{"{\"a\":1}\r\n{\"b\":2}", "{\"a\":1}|{\"b\":2}|", false, false},
	{"{\"a\":1}{\"b\":2}\n", "{\"a\":1}|{\"b\":2}|", false, false},
	{"data: {\"a\":1}\n\n{\"error\":\"x\"}\n", "{\"a\":1}|{\"error\":\"x\"}|", false, false},
	/* a whole answer over many lines */
	{"{\n  \"a\": [\n    1\n  ],\n  \"b\": \"}\\\"{\"\n}\n", "{\n  \"a\": [\n    1\n  ],\n  \"b\": \"}\\\"{\"\n}|", false, false},
	/* a line that has no end does not take the next ones with it */
	{"{\"a\":[1\n{\"b\":2}\n", "{\"b\":2}|", false, true},
	{"{\"a\":\"x\n{\"b\":2}\n", "{\"b\":2}|", false, true},
	{"{\"a\":[1\ndata: {\"b\":2}\n\n", "{\"b\":2}|", false, true},
	/* behind the end there may be more */
	{"data: [DONE]\n\ndata: {\"usage\":{}}\n\n", "{\"usage\":{}}|", true, false},
	{"[DONE]\n", "", true, false},
	/* something else */
	{"<html>\n<body>no</body>\n", "", false, true},
	{"data: hello\n\n", "", false, true},
	{"", "", false, false},
	{"\n\n\n", "", false, false},
};

Test(stream, takes_what_servers_send_cut_anywhere)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t len = strlen(cases[i].text);

		for (size_t first = 1; first <= len + 1; first++)
			for (size_t piece = 1; piece <= len; piece += piece > 3 ? len : 1) {
				struct buf out = {.max = KIB(1)};
				struct stream stream;

				read_stream(cases[i].text, len, first, piece, &stream, &out);
				cr_assert_str_eq(buf_text(&out), cases[i].documents, "of '%s' cut at %zu, then every %zu",
				                 cases[i].text, first, piece);
				cr_assert_eq(stream.is_done, cases[i].is_done, "%s", cases[i].text);
				cr_assert_eq(stream.strange[0] != '\0', cases[i].is_strange, "%s: %s", cases[i].text,
				             stream.strange);
				stream_free(&stream);
				buf_free(&out);
			}
	}
}

/* Pushes a text `times` times. */
static enum status push_again(struct stream *stream, const char *text, size_t len, size_t times)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < times && !status; i++)
		status = stream_push(stream, text, len, NULL);
	return status;
}

Test(stream, has_limits)
{
	static char block[KIB(64)];
	const char *const begins[] = {"", "data: ", "{\"a\": \""};
	struct buf out = {.max = 16};
	struct stream stream;

	memset(block, 'x', sizeof block);
	for (size_t i = 0; i < 3; i++) {
		stream_init(&stream, note, &out);
		cr_assert_eq(stream_push(&stream, begins[i], strlen(begins[i]), NULL), STATUS_OK);
		cr_assert_eq(push_again(&stream, block, sizeof block, LIMIT_STREAM_LINE / sizeof block - 1), STATUS_OK);
		cr_assert_eq(push_again(&stream, block, sizeof block, 2), STATUS_LIMIT);
		stream_free(&stream);
	}
	memset(block, '\n', sizeof block);
	stream_init(&stream, note, &out);
	cr_assert_eq(push_again(&stream, block, sizeof block, LIMIT_STREAM / sizeof block), STATUS_OK);
	cr_assert_eq(stream_push(&stream, "\n", 1, NULL), STATUS_LIMIT);
	stream_free(&stream);
	/* an event of many lines; a document of many lines */
	for (size_t i = 0; i < 2; i++) {
		const char *line = i ? " [\n" : "data: xxxxxxxxxxxxxxxx\n";

		stream_init(&stream, note, &out);
		cr_assert_eq(stream_push(&stream, i ? "{\n" : "", i ? 2 : 0, NULL), STATUS_OK);
		cr_assert_eq(push_again(&stream, line, strlen(line), LIMIT_STREAM_LINE / 3 + 10), STATUS_LIMIT);
		stream_free(&stream);
	}
	buf_free(&out);
}

static enum status refuse(void *ctx, const char *json, size_t len, struct error *err)
{
	(void)ctx;
	(void)json;
	(void)len;
	return error_set(err, STATUS_CANCELLED, "no");
}

Test(stream, passes_on_the_takers_error)
{
	struct stream stream;

	stream_init(&stream, refuse, NULL);
	cr_assert_eq(stream_push(&stream, "data: {}\n\n", 10, NULL), STATUS_CANCELLED);
	stream_free(&stream);
}
