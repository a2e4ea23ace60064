/* Any bytes as foreign text: what comes out is safe, the same for every cut,
 * and left alone by a second pass. */
#include <string.h>

#include "base/sanitize.h"
#include "fuzz/fuzz.h"
#include "support/safe_text.h"

enum { OUT_MAX = 1 << 24 };

static void check_pieces(const char *bytes, size_t n)
{
	struct safe_piece piece, again;
	size_t at = 0, hidden = 0;

	while (sanitize_next(bytes, n, at, &piece)) {
		FUZZ_CHECK(piece.start == at && piece.end > at && piece.end <= n);
		FUZZ_CHECK(piece.n >= 1 && piece.n <= LIMIT_CLUSTER);
		FUZZ_CHECK(sanitize_next(bytes + at, n - at, 0, &again));
		FUZZ_CHECK(again.kind == piece.kind && again.end == piece.end - at &&
		           again.n == piece.n && memcmp(again.cps, piece.cps, 4 * piece.n) == 0);
		hidden += piece.n_hidden;
		at = piece.end;
	}
	FUZZ_CHECK(at == n && hidden == sanitize_count_hidden(bytes, n));
}

static void check_same(const struct buf *a, const struct buf *b)
{
	FUZZ_CHECK(a->len == b->len && (!a->len || memcmp(a->data, b->data, a->len) == 0));
}

/* The first byte says how long the chunks are (0: from one to many). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *bytes = (const char *)data + 1;
	struct sanitize_stream stream;
	struct buf whole = {.max = OUT_MAX}, again = {.max = OUT_MAX}, chunks = {.max = OUT_MAX};
	size_t n = size ? size - 1 : 0, chunk, checked;

	if (!size)
		return 0;
	check_pieces(bytes, n);

	FUZZ_CHECK(sanitize_text(&whole, bytes, n) == STATUS_OK);
	FUZZ_CHECK(safe_text(buf_text(&whole), whole.len));
	FUZZ_CHECK(sanitize_text(&again, buf_text(&whole), whole.len) == STATUS_OK);
	check_same(&whole, &again);

	sanitize_stream_init(&stream);
	for (size_t at = 0; at < n; at += chunk) {
		chunk = data[0] ? data[0] : 1 + at % 7;
		if (chunk > n - at)
			chunk = n - at;
		checked = chunks.len;
		FUZZ_CHECK(sanitize_stream_push(&stream, bytes + at, chunk, &chunks) == STATUS_OK);
		FUZZ_CHECK(safe_text(buf_text(&chunks) + checked, chunks.len - checked));
	}
	FUZZ_CHECK(sanitize_stream_flush(&stream, &chunks) == STATUS_OK);
	check_same(&whole, &chunks);
	sanitize_stream_deinit(&stream);

	buf_clear(&again);
	FUZZ_CHECK(sanitize_line(&again, bytes, n) == STATUS_OK);
	FUZZ_CHECK(safe_text(buf_text(&again), again.len));
	FUZZ_CHECK(!again.len || (!memchr(again.data, '\n', again.len) &&
	                          !memchr(again.data, '\t', again.len)));
	buf_free(&whole);
	buf_free(&again);
	buf_free(&chunks);
	return 0;
}
