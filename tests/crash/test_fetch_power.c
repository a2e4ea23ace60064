/* The power is cut after every call of a download, in every state that may then be on the disk (power.h): the name never
 * shows a file that is not whole, what the state claims is there, and a fetch that was said to be done is. From some of
 * the states it goes on, and is byte-equal in the end. Then each sync and rename that keeps this is left out once, and
 * the same test must notice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "crash/fetching.h"
#include "crash/power.h"
#include "crash/rehearsal.h"

enum { SIZE = 50000, PART = 15000, SHORT_WRITES = 3000, BITS_MAX = 4096, GO_ON_EVERY = 16 };

struct cuts {
	struct fetching fetching;
	struct power_state state;
	size_t most;      /* states of one cut */
	uint64_t *seen;   /* [n_states]: their hashes */
	size_t n_states, cap;
	size_t n_tried, n_gone_on;
	uint64_t random;
	char trouble[300]; /* "": none */
};

static bool is_new(struct cuts *cuts)
{
	uint64_t hash = cuts->state.hash;

	for (size_t i = 0; i < cuts->n_states; i++)
		if (cuts->seen[i] == hash)
			return false;
	if (cuts->n_states == cuts->cap) {
		cuts->cap = cuts->cap ? 2 * cuts->cap : 1024;
		cuts->seen = realloc(cuts->seen, cuts->cap * sizeof *cuts->seen);
		CHECK(cuts->seen, "memory");
	}
	cuts->seen[cuts->n_states++] = hash;
	return true;
}

static const char *go_on(struct cuts *cuts, const char *path)
{
	struct error err;

	cuts->n_gone_on++;
	if (fetching_run(&cuts->fetching, path, &err) != STATUS_OK) {
		fprintf(stderr, "%s\n", err.text);
		return "it does not go on";
	}
	return !fetching_is_there(path) ? "it is not there in the end" : fetching_judge(&cuts->fetching, path);
}

static const char *try_state(struct cuts *cuts, bool is_promised, bool goes_on)
{
	const char *folder = rehearsal_folder("state"), *why;
	char path[200];

	cuts->n_tried++;
	power_put(&cuts->state, folder);
	snprintf(path, sizeof path, "%s/file", folder);
	why = fetching_judge(&cuts->fetching, path);
	if (!*why && is_promised && !fetching_is_there(path))
		why = "it was said to be done, and is gone";
	if (!*why && goes_on && cuts->n_tried % GO_ON_EVERY == 0)
		why = go_on(cuts, path);
	return why;
}

/* All states of one cut. */
static bool try_cut(struct cuts *cuts, const struct disk_op *ops, size_t cut, bool is_promised, bool goes_on)
{
	size_t n = power_n_open(ops, cut), n_choices = power_n_choices(n, cuts->most);
	static unsigned char bits[BITS_MAX];

	CHECK(n <= BITS_MAX, "%zu things that may be there", n);
	for (size_t choice = 0; choice < n_choices; choice++) {
		const char *why;

		power_choose(bits, n, choice, n_choices, &cuts->random);
		power_build(&cuts->state, ops, cut, bits);
		if (!is_new(cuts))
			continue;
		why = try_state(cuts, is_promised, goes_on);
		if (*why) {
			snprintf(cuts->trouble, sizeof cuts->trouble, "a cut after call %zu: %s", cut, why);
			return false;
		}
	}
	return true;
}

static bool try_cuts(struct cuts *cuts, bool goes_on)
{
	size_t n;
	const struct disk_op *ops = disk_ops(&n);
	bool is_promised = false, ok = true;

	disk_pause();
	cuts->n_states = 0;
	for (size_t cut = 0; cut <= n && ok; cut++) {
		/* The promise is no call: a state before it says nothing of what it promises. */
		if (cut > 0 && ops[cut - 1].kind == DISK_PROMISE) {
			is_promised = true;
			cuts->n_states = 0;
		}
		ok = try_cut(cuts, ops, cut, is_promised, goes_on);
	}
	return ok;
}

/* One fetch on the recorded disk. */
static void record(struct cuts *cuts, const struct disk_fault *fault)
{
	const char *live = rehearsal_folder("live");
	struct error err;
	char path[200];

	power_empty(live);
	disk_record(live);
	disk_set_fault(fault);
	snprintf(path, sizeof path, "%s/file", live);
	CHECK(fetching_run(&cuts->fetching, path, &err) == STATUS_OK, "%s", err.text);
	disk_promise();
}

/* Each state has two syncs and a rename, and so has the file. What is needed is that the bytes are there before a state
 * claims them, and all of the file's. A state that is lost or half costs only work. */
static void leave_out_each(struct cuts *cuts)
{
	size_t n = disk_n_syncs(), n_noticed = 0, n_states = (n - 3) / 3;

	for (size_t i = 1; i <= n; i++) {
		struct disk_fault fault = {.leave_out = i};

		record(cuts, &fault);
		n_noticed += !try_cuts(cuts, false);
	}
	printf("%zu of %zu syncs and renames keep the promise\n", n_noticed, n);
	CHECK(n_states == SIZE / PART, "%zu states", n_states);
	CHECK(n_noticed == n_states + 3, "not %zu of them", n_states + 3);
}

int main(void)
{
	struct byte_server server;
	struct cuts cuts = {.fetching = {.server = &server, .size = SIZE}, .random = 1};
	char part[16];

	snprintf(part, sizeof part, "%d", PART);
	setenv("SOTTO_TEST_PULL_PART", part, 1);
	cuts.most = getenv("SOTTO_TEST_LONG") ? 4096 : 256;
	byte_server_digest(SIZE, cuts.fetching.digest);
	byte_server_start(&server, SIZE);
	rehearsal_begin();
	record(&cuts, &(struct disk_fault){.write_max = SHORT_WRITES});
	if (!try_cuts(&cuts, true))
		rehearsal_fail("%s", cuts.trouble);
	printf("%zu states after a power cut, from %zu it went on\n", cuts.n_tried, cuts.n_gone_on);
	CHECK(cuts.n_gone_on > 50, "only %zu", cuts.n_gone_on);
	record(&cuts, NULL);
	leave_out_each(&cuts);
	rehearsal_end();
	power_free(&cuts.state);
	free(cuts.seen);
	byte_server_stop(&server);
	return 0;
}
