/* Each call of the write path fails once, with each error, and each write is cut short: a step that
 * did not save says so, the next try works, nothing that was saved is lost or there
 * twice. And if the power is cut after that, what was promised is there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crash/power.h"
#include "crash/rehearsal.h"

static const struct {
	int error, shorten;
	const char *name;
} faults[] = {
	{ENOSPC, 0, "ENOSPC"}, {EIO, 0, "EIO"}, {EINTR, 0, "EINTR"}, {EDQUOT, 0, "EDQUOT"},
	{EROFS, 0, "EROFS"}, {EACCES, 0, "EACCES"}, {EMFILE, 0, "EMFILE"}, {EFBIG, 0, "EFBIG"},
	{0, 1, "a write of one byte"}, {0, 600, "a write of 600 bytes"}, {0, -1, "all but one byte"},
};
enum { N_FAULTS = sizeof faults / sizeof faults[0] };

/* The power is cut after each promise, and what no sync has made durable is gone. */
static const char *cut_power(const struct rehearsal *rehearsal)
{
	static unsigned char nothing[65536];
	struct power_state state = {.n_names = 0};
	const char *why = "";
	size_t n, done = 0;
	const struct disk_op *ops = disk_ops(&n);

	for (size_t cut = rehearsal->first_op + 1; cut <= n && !*why; cut++) {
		if (ops[cut - 1].kind != DISK_PROMISE)
			continue;
		done++;
		if (power_n_open(ops, cut) > sizeof nothing)
			rehearsal_fail("more things at once than there is room for");
		power_build(&state, ops, cut, nothing);
		power_put(&state, rehearsal_folder("state"));
		why = rehearsal_judge(rehearsal, rehearsal_folder("state"), done, done, false);
	}
	power_free(&state);
	return why;
}

struct sums {
	size_t n_runs, n_told;
};

static void try_fault(struct rehearsal *rehearsal, size_t which, size_t at, struct sums *sums)
{
	struct disk_fault fault = {.at = at, .error = faults[which].error,
	                           .shorten = faults[which].shorten};
	const char *why;
	size_t n_told;

	n_told = rehearsal_run_faulty(rehearsal, &fault, &why);
	sums->n_told += n_told;
	sums->n_runs += disk_has_fired();
	/* A folder that may not be opened cannot be synced, and nobody is told. */
	if (!*why && disk_has_fired() && (n_told || fault.error != EACCES))
		why = cut_power(rehearsal);
	if (*why)
		rehearsal_fail("%s: %s at call %zu: %s", rehearsal->scenario->name, faults[which].name, at,
		               why);
}

int main(int argc, char **argv)
{
	struct sums all = {0, 0};

	rehearsal_begin();
	for (size_t i = 0; i < n_scenarios; i++) {
		struct sums sums = {0, 0};
		struct rehearsal rehearsal;
		const char *why;
		size_t n_calls;

		if (argc > 1 && !strstr(scenarios[i].name, argv[1]))
			continue;
		rehearsal_learn(&rehearsal, &scenarios[i]);
		rehearsal_run_faulty(&rehearsal, &(struct disk_fault){.at = 0}, &why);
		n_calls = disk_n_calls();
		for (size_t which = 0; which < N_FAULTS; which++)
			for (size_t at = 1; at <= n_calls; at++)
				try_fault(&rehearsal, which, at, &sums);
		printf("%s: %zu calls, %zu faults, %zu failed steps told\n", scenarios[i].name, n_calls,
		       sums.n_runs, sums.n_told);
		fflush(stdout);
		if (sums.n_told == 0)
			rehearsal_fail("%s: no fault was ever told", scenarios[i].name);
		all.n_runs += sums.n_runs;
		all.n_told += sums.n_told;
		rehearsal_forget(&rehearsal);
	}
	rehearsal_end();
	printf("%zu faults, %zu failed steps told, nothing lost\n", all.n_runs, all.n_told);
	return 0;
}
