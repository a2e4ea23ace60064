/* A fetch of the byte server's file, for the tests that kill it or cut its power. */
#ifndef SOTTO_TESTS_CRASH_FETCHING_H
#define SOTTO_TESTS_CRASH_FETCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "crash/byte_server.h"

struct fetching {
	const struct byte_server *server;
	uint64_t size;
	char digest[65];
	void (*tick)(void *ctx); /* NULL, or called again and again while it runs, by any of its threads */
	void *ctx;
};

enum status fetching_run(const struct fetching *fetching, const char *path, struct error *err);
/* "": what lies at this path is not there or whole, and what its state claims is there. Else what is wrong. */
const char *fetching_judge(const struct fetching *fetching, const char *path);
bool fetching_is_there(const char *path);
/* Whether bytes are the file's from there on. */
bool fetching_is_right(const void *bytes, uint64_t from, size_t n);

#endif
