/* One file: in parts, stopped and gone on with, and what servers get wrong on the way. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetching.h"
#include "support/faulter.h"
#include "support/folder.h"

enum { SMALL = 100 * 1000 + 7, LARGE = 1000 * 1000 + 3 };

Test(fetch, gets_a_file)
{
	struct fetching fetching;

	fetching_begin(&fetching, NULL, SMALL);
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	cr_expect_eq(hub_server_n_requests(fetching.server, HUB_BYTES), 1);
	cr_expect_eq(fetching.n_located, 1);
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	cr_expect_eq(hub_server_n_requests(fetching.server, HUB_BYTES), 1, "what is there is not fetched");
	fetching_end(&fetching);
}

Test(fetch, gets_an_empty_file)
{
	struct fetching fetching;

	fetching_begin(&fetching, NULL, 0);
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	fetching_end(&fetching);
}

Test(fetch, gets_a_large_file_in_parts)
{
	struct fetching fetching;

	fetching_begin(&fetching, NULL, LARGE);
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	cr_expect_geq(hub_server_n_requests(fetching.server, HUB_BYTES), LARGE / FETCHING_PART);
	cr_expect_eq(fetching.n_located, 1, "one asks for all");
	for (size_t i = 0; i < hub_server_n_requests(fetching.server, HUB_BYTES); i++)
		cr_expect_not_null(strstr(hub_server_request(fetching.server, HUB_BYTES, i)->headers, "range: bytes="));
	fetching_end(&fetching);
}

/* Stops a fetch when some bytes are there, and goes on until it is whole. */
static void stop_and_go_on(uint64_t size, uint64_t step)
{
	struct fetching fetching;
	uint64_t kept = 0;

	fetching_begin(&fetching, NULL, size);
	for (uint64_t at = step; at < size; at = kept + step) {
		fetching.cancel_at = at;
		fetching_run(&fetching);
		if (fetching.status == STATUS_OK)
			break; /* the rest came at once */
		cr_assert_eq(fetching.status, STATUS_CANCELLED, "%s", fetching.err.text);
		fetching_expect_none(&fetching);
		cr_expect_geq(fetch_kept(fetching.path), kept, "nothing is lost");
		kept = fetch_kept(fetching.path);
		cr_expect_eq(kept, atomic_load(&fetching.progress.done));
	}
	fetching.cancel_at = 0;
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	cr_expect_leq(atomic_load(&fetching.progress.fresh), size - kept, "only the rest is fetched");
	fetching_end(&fetching);
}

Test(fetch, goes_on_where_it_was_stopped)
{
	stop_and_go_on(SMALL, 10000);
	stop_and_go_on(SMALL, 1);
	stop_and_go_on(LARGE, 100000);
	stop_and_go_on(LARGE, FETCHING_PART + 1);
}

/* Of bytes that a digest vouches for nothing is thrown away for what an answer says; only where ranges are never heard of
 * it is fetched in one go. */
static const struct {
	struct hub_fault fault;
	enum status status;
	bool is_kept;
} misled[] = {
	{{HUB_BYTES, HUB_NO_RANGES, .n = 1}, STATUS_OK, true},
	{{HUB_BYTES, HUB_NO_RANGES}, STATUS_OK, false},
	{{HUB_BYTES, HUB_ANSWERS, .code = 416, .n = 1}, STATUS_OK, true},
	{{HUB_BYTES, HUB_ANSWERS, .code = 416}, STATUS_IO, true},
	{{HUB_BYTES, HUB_ANSWERS, .code = 200, .text = "<html>Log in", .n = 2}, STATUS_OK, true},
	{{HUB_BYTES, HUB_ANSWERS, .code = 200, .text = "<html>Log in"}, STATUS_IO, true},
	{{HUB_BYTES, HUB_WRONG_RANGE, .text = "bytes 30000-100007/100008", .n = 1}, STATUS_OK, true},
	{{HUB_BYTES, HUB_WRONG_RANGE, .text = "bytes 30000-100007/100008"}, STATUS_IO, true},
};

Test(fetch, keeps_what_a_digest_vouches_for)
{
	for (size_t i = 0; i < sizeof misled / sizeof *misled; i++) {
		struct fetching fetching;

		fetching_begin(&fetching, NULL, SMALL);
		hub_server_fault(fetching.server, &(struct hub_fault){HUB_BYTES, HUB_STANDS_STILL, .at = 30000, .n = 1});
		fetching.cancel_at = 30000;
		fetching_run(&fetching);
		cr_assert_eq(fetch_kept(fetching.path), 30000);
		fetching.cancel_at = 0;
		hub_server_heal(fetching.server);
		hub_server_fault(fetching.server, &misled[i].fault);
		fetching_run(&fetching);
		cr_expect_eq(fetching.status, misled[i].status, "%zu: %s", i, fetching.err.text);
		if (fetching.status) {
			cr_expect_eq(fetch_kept(fetching.path), 30000, "%zu", i);
			cr_expect_not_null(strstr(fetching.err.text, "not as large as was promised"), "%zu: %s", i, fetching.err.text);
			hub_server_heal(fetching.server);
			fetching_run(&fetching);
		}
		fetching_expect_whole(&fetching);
		cr_expect_eq(atomic_load(&fetching.progress.fresh), misled[i].is_kept ? SMALL - 30000 : SMALL, "%zu", i);
		fetching_end(&fetching);
	}
}

Test(fetch, leaves_nothing_where_nothing_came)
{
	struct fetching fetching;

	fetching_begin(&fetching, NULL, SMALL);
	fetching.is_cancelled = true;
	fetching_run(&fetching);
	cr_expect_eq(fetching.status, STATUS_CANCELLED);
	cr_expect_eq(fetching_n_files(&fetching), 0);
	fetching_end(&fetching);
}

/* What is in the end fetched whole, by one connection and by four. */
static const struct hub_fault passing[] = {
	{HUB_BYTES, HUB_CUTS, .at = 0, .n = 3},
	{HUB_BYTES, HUB_CUTS, .at = 1, .n = 3},
	{HUB_BYTES, HUB_CUTS, .at = 4095, .n = 20},
	{HUB_BYTES, HUB_RESETS, .at = 5000, .n = 4},
	{HUB_BYTES, HUB_ANSWERS, .code = 500, .n = 3},
	{HUB_BYTES, HUB_ANSWERS, .code = 503, .headers = "Retry-After: 1\n", .n = 3},
	{HUB_BYTES, HUB_ANSWERS, .code = 403, .text = "expired", .n = 2},
	{HUB_BYTES, HUB_ANSWERS, .code = 401, .n = 1},
	{HUB_BYTES, HUB_ANSWERS, .code = 416, .n = 1},
	{HUB_BYTES, HUB_NO_RANGES},
	{HUB_BYTES, HUB_NO_RANGES, .first = 2},
	{HUB_BYTES, HUB_WRONG_RANGE, .text = "bytes 0-9/10", .n = 1},
	{HUB_BYTES, HUB_WRONG_RANGE, .text = "nonsense", .n = 3},
	{HUB_BYTES, HUB_SHIFTED, .n = 2},
	{HUB_BYTES, HUB_WRONG_BYTE, .at = 30000, .n = 1},
	{HUB_BYTES, HUB_ETAG, .text = "\"another\"", .first = 2},
	{HUB_BYTES, HUB_ETAG, .text = "W/\"weak\""},
	{HUB_BYTES, HUB_CHUNKED},
	{HUB_BYTES, HUB_GZIP, .n = 2},
	{HUB_RESOLVE, HUB_ANSWERS, .code = 503, .n = 2},
};

static void expect_whole_with(const struct hub_fault *fault, uint64_t size)
{
	struct fetching fetching;

	fetching_begin(&fetching, NULL, size);
	hub_server_fault(fetching.server, fault);
	fetching_run(&fetching);
	cr_expect_eq(fetching.status, STATUS_OK, "%s at %d: %s", hub_kind_names[fault->kind], (int)fault->at, fetching.err.text);
	if (fetching.status == STATUS_OK)
		fetching_expect_whole(&fetching);
	fetching_end(&fetching);
}

Test(fetch, lives_with_what_passes)
{
	for (size_t i = 0; i < sizeof passing / sizeof *passing; i++) {
		expect_whole_with(passing + i, SMALL);
		expect_whole_with(passing + i, LARGE);
	}
}

/* What nobody can help. */
static const struct {
	struct hub_fault fault;
	enum status status;
	const char *text;
	bool is_kept; /* of what came before something is there for the next time */
} lasting[] = {
	{{HUB_BYTES, HUB_WRONG_BYTE, .at = 30000}, STATUS_FORMAT, "what came is not what was promised (SHA-256 ", false},
	{{HUB_BYTES, HUB_ANSWERS, .code = 404}, STATUS_IO, "does not give the file (404)", false},
	{{HUB_BYTES, HUB_ANSWERS, .code = 403}, STATUS_IO, "refuses it (403)", false},
	{{HUB_BYTES, HUB_ANSWERS, .code = 503}, STATUS_IO, "cannot answer (503): try again later", false},
	{{HUB_BYTES, HUB_ANSWERS, .code = 416}, STATUS_FORMAT, "not as large as was promised", false},
	{{HUB_BYTES, HUB_ANSWERS, .code = 503, .first = 2}, STATUS_IO, "cannot answer (503): try again later", true},
	{{HUB_BYTES, HUB_LOOPS}, STATUS_IO, "sends us on and on: more than 5 redirects", false},
	{{HUB_BYTES, HUB_REDIRECTS, .text = "ftp://127.0.0.1/x"}, STATUS_IO, "sends us to an address that is not one", false},
	{{HUB_BYTES, HUB_GZIP}, STATUS_IO, "sends it compressed, although nobody asked for that", false},
	{{HUB_RESOLVE, HUB_ANSWERS, .code = 404}, STATUS_NOTFOUND, "no place (404)", false},
};

static void expect_failure(size_t i, uint64_t size)
{
	struct fetching fetching;

	fetching_begin(&fetching, NULL, size);
	hub_server_fault(fetching.server, &lasting[i].fault);
	fetching_run(&fetching);
	cr_expect_eq(fetching.status, lasting[i].status, "%zu: %s", i, fetching.err.text);
	cr_expect_not_null(strstr(fetching.err.text, lasting[i].text), "%zu: %s", i, fetching.err.text);
	fetching_expect_none(&fetching);
	if (!lasting[i].is_kept)
		cr_expect_eq(fetching_n_files(&fetching), 0, "%zu: %u files", i, fetching_n_files(&fetching));
	hub_server_heal(fetching.server);
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	fetching_end(&fetching);
}

Test(fetch, gives_up_on_what_lasts)
{
	for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++) {
		if (!lasting[i].is_kept)
			expect_failure(i, SMALL);
		expect_failure(i, LARGE);
	}
}

Test(fetch, tells_both_digests)
{
	struct fetching fetching;
	char digest[DIGEST_TEXT_MAX] = "", expected[64];

	fetching_begin(&fetching, NULL, SMALL);
	memset(digest, 'a', 64);
	fetching.fetch.digest = digest;
	snprintf(expected, sizeof expected, "aaaaaaaaaaaa..., found %.12s...",
	         hub_server_digest(fetching.server, "owner/repo", "x.gguf"));
	fetching_run(&fetching);
	cr_expect_eq(fetching.status, STATUS_FORMAT);
	cr_expect_not_null(strstr(fetching.err.text, expected), "%s", fetching.err.text);
	cr_expect_eq(hub_server_n_requests(fetching.server, HUB_BYTES), 2, "tried once more");
	cr_expect_eq(fetching_n_files(&fetching), 0);
	fetching_end(&fetching);
}

Test(fetch, asks_anew_where_addresses_expire)
{
	struct fetching fetching;

	fetching_begin(&fetching, &(struct hub_options){.signature_uses = 1}, LARGE);
	hub_server_fault(fetching.server, &(struct hub_fault){HUB_BYTES, HUB_CUTS, .at = 50000});
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	cr_expect_geq(fetching.n_located, LARGE / 50000, "%u", fetching.n_located);
	fetching_end(&fetching);
}

Test(fetch, gives_a_silent_server_up_and_asks_again)
{
	struct fetching fetching;

	setenv("SOTTO_TEST_PULL_SILENCE", "200", 1);
	fetching_begin(&fetching, NULL, SMALL);
	hub_server_fault(fetching.server, &(struct hub_fault){HUB_BYTES, HUB_STANDS_STILL, .at = 20000, .n = 1});
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	cr_expect_not_null(strstr(fetching.waited, " is silent: asked again in "), "%s", fetching.waited);
	fetching_end(&fetching);
}

/* ---- what has its name ---- */

Test(fetch, overwrites_nothing_but_what_is_broken)
{
	static const struct {
		bool is_folder, has_digest;
		enum status status;
	} rows[] = {
		{true, true, STATUS_DECLINED}, {true, false, STATUS_DECLINED}, {false, false, STATUS_DECLINED}, {false, true, STATUS_OK},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fetching fetching;
		struct stat st;

		fetching_begin(&fetching, NULL, SMALL);
		fetching.fetch.digest = rows[i].has_digest ? fetching.fetch.digest : "";
		if (rows[i].is_folder)
			cr_assert_eq(mkdir(fetching.path, 0700), 0);
		else
			write_text(fetching.path, "the user's");
		fetching_run(&fetching);
		cr_expect_eq(fetching.status, rows[i].status, "%zu: %s", i, fetching.err.text);
		if (fetching.status == STATUS_OK) {
			fetching_expect_whole(&fetching);
		} else {
			cr_expect_eq(hub_server_n_requests(fetching.server, HUB_ANYTHING), 0, "%zu: before the first byte", i);
			cr_expect(stat(fetching.path, &st) == 0 && (rows[i].is_folder || st.st_size == 10), "%zu: it is there", i);
			cr_expect_eq(fetching_n_files(&fetching), 1, "%zu", i);
		}
		fetching_end(&fetching);
	}
}

/* ---- what opens as a model ---- */

Test(fetch, gives_no_name_to_what_is_no_model)
{
	struct fetching fetching;

	fetching_begin(&fetching, NULL, SMALL);
	fetching.fetch.is_gguf = true;
	fetching_run(&fetching);
	cr_expect_eq(fetching.status, STATUS_FORMAT, "%s", fetching.err.text);
	cr_expect_not_null(strstr(fetching.err.text, "file is not a model that can be loaded: "), "%s", fetching.err.text);
	cr_expect_eq(fetching_n_files(&fetching), 0);
	fetching_end(&fetching);
}

Test(fetch, gives_its_name_to_a_model)
{
	struct fetching fetching;
	size_t n;
	char *model = hub_tiny_model(1, &n);

	fetching_begin(&fetching, NULL, SMALL);
	hub_server_put(fetching.server, "owner/repo", "x.gguf", model, n, 0);
	fetching.size = fetching.fetch.size = n;
	fetching.fetch.digest = hub_server_digest(fetching.server, "owner/repo", "x.gguf");
	fetching.fetch.is_gguf = true;
	fetching_run(&fetching);
	fetching_expect_whole(&fetching);
	free(model);
	fetching_end(&fetching);
}

/* ---- states of others ---- */

Test(fetch, believes_no_state_that_cannot_be)
{
	static const char *const states[] = {
		"", "{", "[]", "{\"size\":100007,\"ranges\":[[0,50000]]}",
		"{\"size\":100007,\"digest\":\"%s\",\"ranges\":[[0]]}",
		"{\"size\":100007,\"digest\":\"%s\",\"ranges\":[[50000,0]]}",
		"{\"size\":100007,\"digest\":\"%s\",\"ranges\":[[0,50000],[40000,60000]]}",
		"{\"size\":100007,\"digest\":\"%s\",\"ranges\":[[0,100008]]}",
		"{\"size\":100007,\"digest\":\"%s\",\"ranges\":[[-1,5]]}",
		"{\"size\":100007,\"digest\":\"%s\",\"ranges\":[[0,1e300]]}",
		"{\"size\":5,\"digest\":\"%s\",\"ranges\":[[0,5]]}",
		"{\"size\":100007,\"digest\":\"%s\",\"ranges\":[[0,100007]]}", /* more than there is */
		"{\"size\":100007,\"digest\":\"%s\",\"ranges\":[[0,3],[1000,100007]]}", /* not what it says */
	};

	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		struct fetching fetching;
		char text[512];

		fetching_begin(&fetching, NULL, SMALL);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(text, sizeof text, states[i], fetching.fetch.digest);
#pragma GCC diagnostic pop
		write_text(fetching_state(&fetching), text);
		write_text(fetching_part(&fetching), "what was here before");
		snprintf(text, sizeof text, "%s.new", fetching_state(&fetching)); /* one that was killed has left it */
		write_text(text, "{\"si");
		fetching_run(&fetching);
		fetching_expect_whole(&fetching);
		fetching_end(&fetching);
	}
}

/* ---- the disk ---- */

Test(fetch, says_how_much_room_is_missing)
{
	struct error err;

	cr_expect_eq(fetch_check_room("/tmp", 1, &err), STATUS_OK);
	cr_expect_eq(fetch_check_room("/tmp", (uint64_t)1 << 50, &err), STATUS_LIMIT);
	cr_expect_not_null(strstr(err.text, "no room in /tmp: "), "%s", err.text);
	cr_expect_not_null(strstr(err.text, " GB are missing"), "%s", err.text);
}

/* Each call that fails: nothing half is shown, and the next fetch makes it whole. */
static void fail_each_call(int error)
{
	struct fetching fetching;
	struct faulter faulter;
	bool goes_on = true;

	for (size_t at = 1; goes_on; at++) {
		fetching_begin(&fetching, NULL, SMALL);
		faulter = (struct faulter){.at = at, .error = error};
		faulter_init(&faulter);
		fetching.fetch.io = &faulter.ops;
		fetching_run(&fetching);
		goes_on = faulter.fired;
		cr_expect(error != ENOSPC || !fetching.status || fetching.status == STATUS_LIMIT ||
		              strstr(fetching.err.text, "cannot be read"),
		          "call %zu: %d %s", at, fetching.status, fetching.err.text);
		if (fetching.status != STATUS_OK && access(fetching.path, F_OK) == 0)
			cr_expect(fetching_is_equal(&fetching, fetching.path, 0, SMALL), "call %zu", at);
		fetching.fetch.io = &io_system;
		fetching_run(&fetching);
		fetching_expect_whole(&fetching);
		fetching_end(&fetching);
		cr_assert_lt(at, 200);
	}
}

Test(fetch, lives_with_a_disk_that_refuses)
{
	fail_each_call(EIO);
}

Test(fetch, lives_with_a_full_disk)
{
	fail_each_call(ENOSPC);
}
