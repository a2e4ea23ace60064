/* Fetching from the test hub as a user does, in a home of its own, with the hub's faults: what test_traps*.c stand on. */
#ifndef SOTTO_TESTS_TRAP_BENCH_H
#define SOTTO_TESTS_TRAP_BENCH_H

#include <stdbool.h>

#include "base/error.h"
#include "support/hub_server/hub_server.h"

enum { TRAP_FAULTS_MAX = 3 };

/* Names that a row may ask for; all are of one small model but the last, which says that it is. */
#define TRAP_HUB "trap/x-GGUF"
#define TRAP_OLLAMA "ollama:x"
#define TRAP_NOT_GGUF "trap/text-GGUF"
#define TRAP_GATED "trap/gated-GGUF"
#define TRAP_SMALL "trap/small:safetensors"

struct trap {
	const char *what;
	const char *model;   /* NULL: TRAP_HUB */
	struct hub_fault faults[TRAP_FAULTS_MAX]; /* ended by one that answers nothing: {0} */
	enum status status;
	const char *words;   /* in the error; NULL: it is done */
	const char *token;   /* HF_TOKEN */
	struct hub_options options;
	bool stays;          /* it is wrong after the faults are healed, too */
};

struct trap_bench;
/* `part`: of SOTTO_TEST_PULL_PART; 0: one connection. */
struct trap_bench *trap_bench_open(const struct hub_options *options, size_t part);
void trap_bench_close(struct trap_bench *bench);
struct hub_server *trap_bench_server(struct trap_bench *bench);

/* Looks for the model and fetches what is chosen. */
enum status trap_bench_get(struct trap_bench *bench, const char *model, struct error *err);
/* The same, stopped as soon as the server stands still. */
enum status trap_bench_get_stopped(struct trap_bench *bench, const char *model, struct error *err);
/* The path of the last one that was done is of the bytes that the server has. */
bool trap_bench_is_equal(struct trap_bench *bench, const char *model);
/* What is not as it has to be, for a message: a name that shows a file that is not whole, bytes outside the folders,
 * a key at the storage. NULL: nothing. */
const char *trap_bench_wrong(struct trap_bench *bench);
/* Bytes of part files that are kept. */
unsigned long long trap_bench_kept(struct trap_bench *bench);

/* All of a row: the fetch with its faults, then, healed, the second. Expectations are the test's. */
void trap_try(const struct trap *trap, size_t part);

#endif
