/* What the servers of published models get wrong, with their bytes: what happens, in which words; that no name shows a
 * file that is not whole, and that a second try, healed, gives the right bytes. Listings are in test_traps_listing.c,
 * cuts at every length in test_traps_cut.c. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "trap_bench.h"

#define BYTES(...) {HUB_BYTES, __VA_ARGS__}
/* So many times. */
#define CODE(place, code_, headers_, n_) {place, HUB_ANSWERS, .code = (code_), .headers = (headers_), .text = "no", .n = (n_)}
#define ALWAYS(place, code, headers) CODE(place, code, headers, 0)

enum { PART = 20000 };

static void try_all(const struct trap *traps, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		trap_try(&traps[i], 0);
		trap_try(&traps[i], PART);
	}
}
#define TRY_ALL(traps) try_all(traps, sizeof traps / sizeof traps[0])

static const struct trap redirects[] = {
	{"no fault"},
	{"no fault, of ollama", TRAP_OLLAMA},
	{"the key goes to the hub alone", TRAP_GATED, .token = HUB_TOKEN},
	{"a small file, by a redirect to the same host", TRAP_SMALL},
	{"no key for a gated repository", TRAP_GATED, .status = STATUS_DECLINED, .words = "HF_TOKEN", .stays = true},
	{"another's key", TRAP_GATED, .token = "hf_other", .status = STATUS_DECLINED, .words = "licence", .stays = true},
	{"the hub sends round and round", .faults = {{HUB_RESOLVE, HUB_LOOPS}}, .status = STATUS_IO, .words = "redirect"},
	{"the storage sends round and round", .faults = {BYTES(HUB_LOOPS)}, .status = STATUS_IO, .words = "redirect"},
	{"ollama's registry sends round and round", TRAP_OLLAMA, .faults = {{HUB_BLOB, HUB_LOOPS}}, .status = STATUS_IO,
	 .words = "redirect"},
	{"to a file", .faults = {{HUB_RESOLVE, HUB_REDIRECTS, .text = "file:///etc/passwd"}}, .status = STATUS_IO, .words = "127.0.0.1"},
	{"to nowhere", .faults = {{HUB_RESOLVE, HUB_REDIRECTS, .text = ""}}, .status = STATUS_IO, .words = "127.0.0.1"},
	{"to what is no address", .faults = {{HUB_RESOLVE, HUB_REDIRECTS, .text = "http://"}}, .status = STATUS_IO,
	 .words = "127.0.0.1"},
	{"to an address with a user", .faults = {{HUB_RESOLVE, HUB_REDIRECTS, .text = "http://a:b@127.0.0.2:1/x"}},
	 .status = STATUS_IO, .words = "127.0.0"},
};

Test(traps, redirects, .timeout = 600)
{
	TRY_ALL(redirects);
}

static const struct trap expiry[] = {
	{"each address is good for one request", .options = {.signature_uses = 1}},
	{"expired once", .faults = {CODE(HUB_BYTES, 403, "", 1)}},
	{"expired in the middle", .options = {.signature_uses = 1}, .faults = {BYTES(HUB_CUTS, .at = 15000, .n = 3)}},
	{"401 once", .faults = {CODE(HUB_BYTES, 401, "", 1)}},
	{"ollama's, expired once", TRAP_OLLAMA, .faults = {CODE(HUB_BYTES, 403, "", 1)}},
	{"expired always", .faults = {ALWAYS(HUB_BYTES, 403, "")}, .status = STATUS_IO, .words = "403"},
	{"gone", .faults = {ALWAYS(HUB_BYTES, 404, "")}, .status = STATUS_IO, .words = "404"},
};

Test(traps, expiry, .timeout = 600)
{
	TRY_ALL(expiry);
}

static const struct trap codes[] = {
	{"408 once", .faults = {CODE(HUB_BYTES, 408, "", 1)}},
	{"429 once, how long as the hub says it", .faults = {CODE(HUB_BYTES, 429, "RateLimit: \"api\";r=0;t=3\n", 1)}},
	{"429 once, seconds", .faults = {CODE(HUB_BYTES, 429, "Retry-After: 2\n", 1)}},
	{"429 once, a date that is over", .faults = {CODE(HUB_BYTES, 429, "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\n", 1)}},
	{"429 once, nonsense", .faults = {CODE(HUB_BYTES, 429, "Retry-After: -5\nRateLimit: x;t=\n", 1)}},
	{"500 once", .faults = {CODE(HUB_BYTES, 500, "", 1)}},
	{"502 twice", .faults = {CODE(HUB_BYTES, 502, "", 2)}},
	{"503 once", .faults = {CODE(HUB_BYTES, 503, "", 1)}},
	{"504 once", .faults = {CODE(HUB_BYTES, 504, "", 1)}},
	{"503 for ever", .faults = {ALWAYS(HUB_BYTES, 503, "")}, .status = STATUS_IO, .words = "503"},
	{"429 for ever", .faults = {ALWAYS(HUB_BYTES, 429, "Retry-After: 1\n")}, .status = STATUS_IO, .words = "429"},
	{"429 for a day", .faults = {ALWAYS(HUB_BYTES, 429, "Retry-After: 86400\n")}, .status = STATUS_IO, .words = "429"},
	{"416 once", .faults = {CODE(HUB_BYTES, 416, "Content-Range: bytes */150001\n", 1)}},
	{"416 for ever", .faults = {ALWAYS(HUB_BYTES, 416, "Content-Range: bytes */7\n")}, .status = STATUS_FORMAT,
	 .words = "not as large as was promised"},
	{"204", .faults = {ALWAYS(HUB_BYTES, 204, "")}, .status = STATUS_IO, .words = "has no bytes to send"},
	{"503 once from the hub", .faults = {CODE(HUB_RESOLVE, 503, "", 1)}},
	{"429 once from the hub", .faults = {CODE(HUB_RESOLVE, 429, "RateLimit: \"resolvers\";r=0;t=1\n", 1)}},
	{"503 once from the registry", TRAP_OLLAMA, .faults = {CODE(HUB_MANIFEST, 503, "", 1), CODE(HUB_BLOB, 502, "", 1)}},
	{"404 from the hub for the file", .faults = {ALWAYS(HUB_RESOLVE, 404, "X-Error-Code: EntryNotFound\n")},
	 .status = STATUS_NOTFOUND, .words = "x-Q4_K_M.gguf"},
};

Test(traps, codes, .timeout = 600)
{
	TRY_ALL(codes);
}

static const struct trap ranges[] = {
	{"ranges are not heard of", .faults = {BYTES(HUB_NO_RANGES)}},
	{"... and the first one is cut", .faults = {BYTES(HUB_CUTS, .at = 70000, .n = 1), BYTES(HUB_NO_RANGES)}},
	{"Content-Range is another, once", .faults = {BYTES(HUB_WRONG_RANGE, .text = "bytes 0-9/10", .n = 1)}},
	{"... says no size", .faults = {BYTES(HUB_WRONG_RANGE, .text = "bytes 0-9/*", .n = 1)}},
	{"... is nonsense", .faults = {BYTES(HUB_WRONG_RANGE, .text = "lines 1-2", .n = 1)}},
	{"... is empty", .faults = {BYTES(HUB_WRONG_RANGE, .text = "", .n = 1)}},
	{"... has numbers beyond all", .faults = {BYTES(HUB_WRONG_RANGE, .text = "bytes 99999999999999999999999-1/5", .n = 1)}},
	{"other bytes than Content-Range says, once", .faults = {BYTES(HUB_CUTS, .at = 1000, .n = 1), BYTES(HUB_SHIFTED, .n = 1)}},
	{"no ETag", .faults = {BYTES(HUB_ETAG, .text = "")}},
	{"a weak ETag", .faults = {BYTES(HUB_CUTS, .at = 5000, .n = 1), BYTES(HUB_ETAG, .text = "W/\"%\"")}},
	{"an ETag without quotes", .faults = {BYTES(HUB_CUTS, .at = 5000, .n = 1), BYTES(HUB_ETAG, .text = "%")}},
	{"another ETag after a cut", .faults = {BYTES(HUB_CUTS, .at = 5000, .n = 1), BYTES(HUB_ETAG, .text = "\"other\"", .n = 1)}},
	{"the hub's ETag is weak", .faults = {{HUB_RESOLVE, HUB_ETAG, .text = "W/\"%\""}}},
	{"the hub's ETag has no quotes", .faults = {{HUB_RESOLVE, HUB_ETAG, .text = "%"}}},
	{"the hub has no ETag", .faults = {{HUB_RESOLVE, HUB_ETAG, .text = ""}}},
	{"no Content-Length", .faults = {BYTES(HUB_CHUNKED)}},
	{"Content-Length is too small, once", .faults = {BYTES(HUB_LENGTH, .at = 100, .n = 1)}},
	{"Content-Length is too large, once", .faults = {BYTES(HUB_LENGTH, .at = 1000000, .n = 1)}},
	{"nothing, once", .faults = {BYTES(HUB_LENGTH, .at = 0, .n = 1)}},
	{"said to be gzip", .faults = {BYTES(HUB_GZIP)}, .status = STATUS_IO, .words = "127.0.0.2"},
	{"bytes one at a time at the end", .faults = {BYTES(HUB_CRAWLS, .at = 149000)}},
	{"reset in the middle", .faults = {BYTES(HUB_RESETS, .at = 9999, .n = 2)}},
	{"cut for ever at the start", .faults = {BYTES(HUB_CUTS, .at = 0)}, .status = STATUS_IO, .words = "127.0.0.2"},
	{"stands still, once", .faults = {BYTES(HUB_STANDS_STILL, .at = 9999, .n = 1)}},
	{"stands still before the first byte, once", .faults = {BYTES(HUB_STANDS_STILL, .at = 0, .n = 1)}},
};

Test(traps, ranges, .timeout = 600)
{
	TRY_ALL(ranges);
}

static const struct trap bytes[] = {
	{"a wrong byte, once", .faults = {BYTES(HUB_WRONG_BYTE, .at = 140000, .n = 1)}},
	{"a wrong byte, always", .faults = {BYTES(HUB_WRONG_BYTE, .at = 140000)}, .status = STATUS_FORMAT, .words = "SHA-256"},
	{"a wrong byte in the header", .faults = {BYTES(HUB_WRONG_BYTE, .at = 0)}, .status = STATUS_FORMAT, .words = "SHA-256"},
	{"a wrong last byte", .faults = {BYTES(HUB_WRONG_BYTE, .at = 150000)}, .status = STATUS_FORMAT, .words = "SHA-256"},
	{"a wrong byte, always, of ollama's", TRAP_OLLAMA, .faults = {BYTES(HUB_WRONG_BYTE, .at = 77)}, .status = STATUS_FORMAT,
	 .words = "SHA-256"},
	{"not a GGUF", TRAP_NOT_GGUF, .status = STATUS_FORMAT, .words = "GGUF", .stays = true},
};

Test(traps, bytes, .timeout = 600)
{
	TRY_ALL(bytes);
}

/* Nothing is asked where the user has said so. */
Test(traps, offline, .timeout = 600)
{
	struct trap_bench *bench = trap_bench_open(&(struct hub_options){0}, 0);
	struct error err;

	setenv("HF_HUB_OFFLINE", "1", 1);
	cr_assert_eq(trap_bench_get(bench, TRAP_HUB, &err), STATUS_DECLINED);
	cr_assert(strstr(err.text, "HF_HUB_OFFLINE"));
	cr_assert_eq(hub_server_n_requests(trap_bench_server(bench), HUB_ANYTHING), 0);
	trap_bench_close(bench);
}

/* What is wrong is thrown away: the next fetch begins anew. */
Test(traps, nothing_wrong_is_kept, .timeout = 600)
{
	struct trap_bench *bench = trap_bench_open(&(struct hub_options){0}, 0);
	struct error err;

	hub_server_fault(trap_bench_server(bench), &(struct hub_fault)BYTES(HUB_WRONG_BYTE, .at = 10));
	cr_assert_eq(trap_bench_get(bench, TRAP_HUB, &err), STATUS_FORMAT);
	cr_assert_eq(trap_bench_kept(bench), 0);
	trap_bench_close(bench);
}
