/* A fetch for tests: of a file that the test server makes by a rule, into a folder of its own. Pauses are short, and a
 * part is 64 KiB, so that all that is larger than 256 KiB comes by four connections. */
#ifndef SOTTO_TESTS_FETCHING_H
#define SOTTO_TESTS_FETCHING_H

#include "pull/fetch.h"
#include "support/hub_server/hub_server.h"

enum { FETCHING_PART = 65536 };

struct fetching {
	struct hub_server *server; /* owned */
	char folder[64], path[96]; /* "/tmp/..." */
	struct fetch fetch;
	struct fetch_progress progress;
	uint64_t size;
	uint64_t cancel_at;        /* as soon as so many bytes are there; 0: never */
	unsigned n_located;
	bool is_cancelled;
	char waited[256];          /* what it told last */
	enum status status;
	struct error err;
};

void fetching_begin(struct fetching *fetching, const struct hub_options *options, uint64_t size);
void fetching_end(struct fetching *fetching);
/* Runs it, as another process would that has not run before. */
void fetching_run(struct fetching *fetching);
/* The file is there, with the server's bytes, and nothing else is in its folder. */
void fetching_expect_whole(struct fetching *fetching);
/* There is no such file. */
void fetching_expect_none(const struct fetching *fetching);
unsigned fetching_n_files(const struct fetching *fetching); /* in its folder */
/* Bytes of `path` are those of the server's file from there on. */
bool fetching_is_equal(struct fetching *fetching, const char *path, uint64_t from, uint64_t to);
const char *fetching_part(const struct fetching *fetching);  /* paths of what lies beside it */
const char *fetching_state(const struct fetching *fetching);

#endif
