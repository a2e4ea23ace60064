/* Mutated streams of servers, into the reader of streams and the dialects: none may crash, hang or leak, what came
 * stays, and it makes no difference where they are cut into pieces. tests/remote/test_broken.c sends some of them
 * over HTTP.
 *
 * usage: test_streams [FIRST [COUNT]]
 * 5,000 by default, 100,000 with SOTTO_TEST_LONG; also every cut of each stream. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "hostile/streams.h"
#include "remote/chunk.h"
#include "remote/stream.h"

#ifdef SOTTO_SANITIZER
enum { SECONDS_A_STREAM = 60 };
#else
enum { SECONDS_A_STREAM = 10 };
#endif

static volatile sig_atomic_t current;

static void give_up(int signal)
{
	char text[64];
	int n = snprintf(text, sizeof text, "FAIL: stream %d hangs\n", (int)current);

	(void)signal;
	_exit(write(STDOUT_FILENO, text, (size_t)n) < 0 ? 2 : 1);
}

/* What was read. */
struct reading {
	struct chunk chunk;
	struct buf text, documents; /* reasoning and text; all documents, one after the other */
};

static enum status take(void *ctx, const char *json, size_t len, struct error *err)
{
	struct reading *reading = ctx;
	struct chunk *chunk = &reading->chunk;
	enum status status;

	buf_append(&reading->documents, json, len);
	chunk_clear(chunk);
	status = chunk_read_openai(chunk, json, len, err);
	if (status && status != STATUS_FORMAT)
		return status;
	if (status && !err->text[0]) {
		printf("FAIL: stream %d: refused without a word\n", (int)current);
		exit(1);
	}
	buf_append(&reading->text, buf_text(&chunk->reasoning), chunk->reasoning.len);
	buf_append(&reading->text, buf_text(&chunk->text), chunk->text.len);
	return STATUS_OK;
}

static enum status read_all(struct reading *out, const struct buf *bytes, struct test_random *random, size_t piece_max)
{
	struct stream stream;
	struct error err = {0};
	enum status status = STATUS_OK;
	size_t n;

	buf_clear(&out->text);
	buf_clear(&out->documents);
	stream_init(&stream, take, out);
	for (size_t at = 0; at < bytes->len && !status; at += n) {
		n = 1 + test_random_below(random, piece_max);
		n = n < bytes->len - at ? n : bytes->len - at;
		status = stream_push(&stream, bytes->data + at, n, &err);
	}
	if (!status)
		status = stream_end(&stream, &err);
	stream_free(&stream);
	if (status && !err.text[0]) {
		printf("FAIL: stream %d: an error without a word\n", (int)current);
		exit(1);
	}
	return status;
}

static bool same(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(buf_text(a), buf_text(b), a->len) == 0;
}

/* The events that were whole before the first change: their text is there. */
static size_t whole_events(const struct buf *seed, size_t first)
{
	size_t end = 0;

	for (size_t i = 0; i + 1 < first; i++)
		if (seed->data[i] == '\n' && seed->data[i + 1] == '\n')
			end = i + 2;
	return end;
}

static void expect_kept(const struct reading *is, struct reading *other, const struct buf *seed, size_t first)
{
	struct test_random random = {1};
	struct buf before = {.max = MIB(64)};

	buf_append(&before, seed->data, whole_events(seed, first));
	if (read_all(other, &before, &random, 4096)) {
		printf("FAIL: the beginning of stream %d is refused\n", (int)current);
		exit(1);
	}
	if (other->text.len > is->text.len || memcmp(buf_text(&other->text), buf_text(&is->text), other->text.len) != 0) {
		printf("FAIL: stream %d: what came before the change is lost\nis:     %.300s\nwanted: %.300s\n", (int)current,
		       buf_text(&is->text), buf_text(&other->text));
		exit(1);
	}
	buf_free(&before);
}

static void try_one(struct reading readings[2], const struct buf *bytes, const struct buf *seed, size_t first)
{
	struct test_random random = {first + bytes->len};
	enum status statuses[2];

	alarm(SECONDS_A_STREAM);
	statuses[0] = read_all(&readings[0], bytes, &random, bytes->len + 1);
	statuses[1] = read_all(&readings[1], bytes, &random, bytes->len > 100000 ? 5000 : 7);
	if (statuses[0] != statuses[1] || !same(&readings[0].documents, &readings[1].documents) ||
	    !same(&readings[0].text, &readings[1].text)) {
		printf("FAIL: stream %d: other pieces, another reading (%d, %d)\n%.300s\n---\n%.300s\n", (int)current, (int)statuses[0],
		       (int)statuses[1], buf_text(&readings[0].documents), buf_text(&readings[1].documents));
		exit(1);
	}
	expect_kept(&readings[0], &readings[1], seed, first);
	alarm(0);
}

static size_t try_cuts(struct reading readings[2], const struct stream_seeds *seeds)
{
	struct buf cut = {.max = MIB(64)};
	size_t n = 0;

	for (size_t i = 0; i < seeds->n; i++) {
		const struct buf *seed = &seeds->items[i].bytes;

		for (size_t at = 0; at <= seed->len; at++, n++) {
			buf_clear(&cut);
			buf_append(&cut, seed->data, at);
			current = (sig_atomic_t)-(int)n;
			try_one(readings, &cut, seed, at);
		}
	}
	buf_free(&cut);
	return n;
}

/* A line that is too long: refused, at that size, and what came before it stays. */
static void try_huge_line(struct reading *reading)
{
	static const char first[] = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
	struct buf bytes = {.max = MIB(64)};
	struct test_random random = {5};

	buf_puts(&bytes, first);
	buf_puts(&bytes, "data: \"");
	for (size_t i = 0; i <= LIMIT_STREAM_LINE / 64; i++)
		buf_append(&bytes, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 64);
	if (read_all(reading, &bytes, &random, 100000) != STATUS_LIMIT || strcmp(buf_text(&reading->text), "Hi") != 0) {
		printf("FAIL: a huge line, or what came before it\n");
		exit(1);
	}
	buf_free(&bytes);
}

int main(int argc, char **argv)
{
	const char *is_long = getenv("SOTTO_TEST_LONG");
	size_t first = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	size_t count = argc > 2 ? strtoul(argv[2], NULL, 10) : argc > 1 ? 1 : is_long && *is_long ? 100000 : 5000, n_cuts = 0;
	struct stream_seeds seeds;
	struct reading readings[2] = {{.text = {.max = MIB(256)}, .documents = {.max = MIB(256)}},
	                              {.text = {.max = MIB(256)}, .documents = {.max = MIB(256)}}};
	struct buf bytes = {.max = MIB(64)};

	signal(SIGALRM, give_up);
	stream_seeds_make(&seeds);
	chunk_init(&readings[0].chunk);
	chunk_init(&readings[1].chunk);
	for (size_t i = first; i < first + count; i++) {
		struct test_random random = {i * 0x51ed27f5 + 1};
		size_t seed, at = stream_mutate(&seeds, &random, &seed, &bytes);

		current = (sig_atomic_t)i;
		try_one(readings, &bytes, &seeds.items[seed].bytes, at);
	}
	try_huge_line(&readings[0]);
	if (argc < 2)
		n_cuts = try_cuts(readings, &seeds);
	printf("%zu streams, %zu cuts\n", count, n_cuts);
	for (int i = 0; i < 2; i++) {
		chunk_free(&readings[i].chunk);
		buf_free(&readings[i].text);
		buf_free(&readings[i].documents);
	}
	buf_free(&bytes);
	stream_seeds_free(&seeds);
	return 0;
}
