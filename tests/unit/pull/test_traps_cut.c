/* A connection that ends after n bytes, of every kind of n: the same fetch goes on, and one that was stopped there is gone
 * on with later. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "trap_bench.h"

enum { PART = 20000, N_RANDOM = 30, MODEL_BYTES = 150001, LAST = MODEL_BYTES % PART };

static void try_cut(enum hub_kind kind, uint64_t at, size_t part)
{
	struct trap_bench *bench = trap_bench_open(&(struct hub_options){0}, part);
	struct error err;

	hub_server_fault(trap_bench_server(bench), &(struct hub_fault){HUB_BYTES, kind, .at = at, .n = 1});
	cr_expect(trap_bench_get(bench, TRAP_HUB, &err) == STATUS_OK, "cut at %llu: %s", (unsigned long long)at, err.text);
	cr_expect(trap_bench_is_equal(bench, TRAP_HUB), "cut at %llu: other bytes", (unsigned long long)at);
	cr_expect(!trap_bench_wrong(bench), "cut at %llu", (unsigned long long)at);
	trap_bench_close(bench);
}

/* Stopped after n bytes; what has come is kept, and not asked for again. */
static void try_stop(uint64_t at, size_t part)
{
	struct trap_bench *bench = trap_bench_open(&(struct hub_options){0}, part);
	struct hub_server *server = trap_bench_server(bench);
	struct error err;

	hub_server_fault(server, &(struct hub_fault){HUB_BYTES, HUB_STANDS_STILL, .at = at});
	cr_expect(trap_bench_get_stopped(bench, TRAP_HUB, &err) == STATUS_CANCELLED, "stopped at %llu: %s", (unsigned long long)at,
	          err.text);
	cr_expect(!trap_bench_wrong(bench), "stopped at %llu", (unsigned long long)at);
	hub_server_heal(server);
	cr_expect(trap_bench_get(bench, TRAP_HUB, &err) == STATUS_OK, "stopped at %llu: %s", (unsigned long long)at, err.text);
	cr_expect(trap_bench_is_equal(bench, TRAP_HUB), "stopped at %llu: other bytes", (unsigned long long)at);
	cr_expect(!trap_bench_wrong(bench), "stopped at %llu, later", (unsigned long long)at);
	trap_bench_close(bench);
}

Test(traps_cut, powers_of_two, .timeout = 600)
{
	for (uint64_t n = 1; n < MODEL_BYTES; n *= 2)
		for (int off = -1; off <= 1; off++) {
			try_cut(HUB_CUTS, n + (uint64_t)off, 0);
			if (n < PART)
				try_cut(HUB_CUTS, n + (uint64_t)off, PART);
		}
}

Test(traps_cut, at_random, .timeout = 600)
{
	struct test_random random = {.state = 2026};

	for (int i = 0; i < N_RANDOM; i++) {
		try_cut(i % 2 ? HUB_CUTS : HUB_RESETS, test_random_below(&random, MODEL_BYTES), 0);
		try_cut(i % 2 ? HUB_CUTS : HUB_RESETS, test_random_below(&random, PART), PART);
	}
}

Test(traps_cut, stopped_and_gone_on_with, .timeout = 600)
{
	struct test_random random = {.state = 37};

	for (uint64_t n = 1; n < MODEL_BYTES; n *= 2)
		for (int off = -1; off <= 1; off++)
			try_stop(n + (uint64_t)off, 0);
	for (int i = 0; i < N_RANDOM; i++)
		try_stop(test_random_below(&random, LAST), PART);
}

/* Bytes that have come are not asked for again. */
Test(traps_cut, goes_on_where_it_was, .timeout = 600)
{
	struct trap_bench *bench = trap_bench_open(&(struct hub_options){0}, 0);
	struct hub_server *server = trap_bench_server(bench);
	const struct hub_request *request;
	struct error err;

	hub_server_fault(server, &(struct hub_fault){HUB_BYTES, HUB_CUTS, .at = 100000, .n = 1});
	cr_assert_eq(trap_bench_get(bench, TRAP_HUB, &err), STATUS_OK);
	request = hub_server_request(server, HUB_BYTES, 1);
	cr_assert(request && strstr(request->headers, "range: bytes=100000-"), "%s", request ? request->headers : "no request");
	trap_bench_close(bench);
}
