/* The power is cut after every call of the write path, in every state that may then be on the disk
 * (power.h): what was said to be saved is there, everything can be read, and the next message goes
 * in. Then each sync and each rename is left out once, and the same test must notice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crash/power.h"
#include "crash/rehearsal.h"

enum { BITS_MAX = 4096, SHORT_WRITES = 900, GO_ON_EVERY = 8 };

struct cuts {
	struct rehearsal *rehearsal;
	size_t most;         /* states of one cut */
	size_t n_states;     /* that differ */
	uint64_t *seen;      /* hashes of state and promise: a table of `n_seen` */
	size_t n_seen;
	uint64_t random;
	char trouble[1000];  /* "": none */
};

/* True: new. */
static bool note_state(struct cuts *cuts, uint64_t hash, size_t done)
{
	size_t at;

	hash = (hash + done) * 0x9E3779B97F4A7C15u;
	hash += hash == 0;
	for (at = hash % cuts->n_seen; cuts->seen[at]; at = (at + 1) % cuts->n_seen)
		if (cuts->seen[at] == hash)
			return false;
	cuts->seen[at] = hash;
	cuts->n_states++;
	if (cuts->n_states * 2 > cuts->n_seen)
		rehearsal_fail("more states than there is room for");
	return true;
}

static void say_where(struct cuts *cuts, const struct disk_op *ops, size_t cut, size_t done,
                      const char *why)
{
	static const char *const kinds[] = {"mkdir", "creat", "write", "truncate", "rename", "link",
	                                    "unlink", "sync", "sync of a folder", "promise", "withdrawal"};
	const struct disk_op *last = cut ? &ops[cut - 1] : NULL;

	snprintf(cuts->trouble, sizeof cuts->trouble,
	         "%s: a cut after call %zu (%s %s), %zu steps promised: %s",
	         cuts->rehearsal->scenario->name, cut, last ? kinds[last->kind] : "",
	         last && last->path ? last->path : "", done, why);
}

/* All states of one cut; false: one of them is wrong. */
static bool try_cut(struct cuts *cuts, struct power_state *state, const struct disk_op *ops,
                    size_t cut, size_t done, bool is_withdrawn)
{
	const struct scenario *scenario = cuts->rehearsal->scenario;
	size_t n = power_n_open(ops, cut), n_choices = power_n_choices(n, cuts->most);
	size_t begun = done < scenario->n_steps ? done + 1 : done;
	static unsigned char bits[BITS_MAX];
	const char *why;

	if (n > BITS_MAX)
		rehearsal_fail("more things at once than there is room for: %zu", n);
	for (size_t choice = 0; choice < n_choices; choice++) {
		power_choose(bits, n, choice, n_choices, &cuts->random);
		power_build(state, ops, cut, bits);
		if (!note_state(cuts, state->hash, done - is_withdrawn))
			continue;
		power_put(state, rehearsal_folder("state"));
		why = rehearsal_judge(cuts->rehearsal, rehearsal_folder("state"), done - is_withdrawn, begun, false);
		if (!*why && scenario->go_on && cuts->n_states % GO_ON_EVERY == 0)
			why = scenario->go_on();
		if (*why) {
			say_where(cuts, ops, cut, done, why);
			return false;
		}
	}
	return true;
}

/* Every cut from `ops[from]` on; false: a state is wrong. */
static bool try_cuts(struct cuts *cuts, size_t from)
{
	struct power_state state = {.n_names = 0};
	size_t n, done = 0, cut = cuts->rehearsal->first_op;
	const struct disk_op *ops = disk_ops(&n);
	const char *why;
	bool ok = true, is_withdrawn = false;

	for (; cut <= n && ok; cut++) {
		if (cut > 0 && (ops[cut - 1].kind == DISK_PROMISE || ops[cut - 1].kind == DISK_WITHDRAW))
			is_withdrawn = ops[cut - 1].kind == DISK_WITHDRAW;
		done += cut > 0 && ops[cut - 1].kind == DISK_PROMISE;
		if (cut >= from)
			ok = try_cut(cuts, &state, ops, cut, done, is_withdrawn);
	}
	/* Without a cut it is all there. */
	if (ok) {
		why = rehearsal_judge(cuts->rehearsal, rehearsal_folder("live"), done, done, true);
		ok = !*why;
		if (!ok)
			say_where(cuts, ops, n, done, why);
	}
	power_free(&state);
	return ok;
}

static void forget_states(struct cuts *cuts)
{
	memset(cuts->seen, 0, cuts->n_seen * sizeof *cuts->seen);
	cuts->n_states = 0;
}

static size_t try_all(struct cuts *cuts, size_t write_max)
{
	struct disk_fault fault = {.write_max = write_max};

	forget_states(cuts);
	if (rehearsal_run(cuts->rehearsal, &fault) < cuts->rehearsal->scenario->n_steps)
		rehearsal_fail("%s: a step fails without a fault", cuts->rehearsal->scenario->name);
	if (!try_cuts(cuts, 0))
		rehearsal_fail("%s", cuts->trouble);
	return cuts->n_states;
}

/* Each sync and rename of the last run, left out: the cuts must show it. */
static size_t leave_out_each(struct cuts *cuts, bool is_told)
{
	const struct scenario *scenario = cuts->rehearsal->scenario;
	size_t n = disk_n_syncs(), n_missed = 0;

	for (size_t i = 1; i <= n; i++) {
		struct disk_fault fault = {.leave_out = i};
		size_t done = rehearsal_run(cuts->rehearsal, &fault);

		if (!disk_has_fired())
			rehearsal_fail("%s: sync %zu was not reached", scenario->name, i);
		forget_states(cuts);
		if (done == scenario->n_steps && try_cuts(cuts, disk_left_out_at())) {
			fprintf(stderr, "%s: without %s, the %zuth of %zu, nothing is noticed\n",
			        scenario->name, disk_left_out_name(), i, n);
			n_missed++;
		} else if (is_told) {
			printf("  without %s: %.200s\n", disk_left_out_name(), cuts->trouble);
		}
	}
	if (n_missed)
		rehearsal_fail("%s: %zu syncs or renames might as well not be there", scenario->name,
		               n_missed);
	return n;
}

/* Every file of src that syncs or renames is named by a scenario. */
static void check_sources(void)
{
	static const char *const others[] = {
		"src/base/io.c",           /* the calls themselves */
		"src/pull/fetch_finish.c", /* test_fetch_power */
		"src/pull/fetch_state.c",
		"src/pull/hub_cache.c",    /* tests/unit/pull/test_hub_cache */
		"src/quantize/part_file.c", /* tests/unit/quantize/test_save */
	};
	FILE *list = popen("cd '" TEST_SRCDIR "' && grep -rlE --include='*.c' "
	                   "'(^|[^a-z_]|io_)(fdatasync|fsync|sync_folder|rename|link)\\(' src | sort", "r");
	char name[300];
	size_t n = 0;

	if (!list)
		rehearsal_fail("the sources cannot be listed");
	while (fgets(name, sizeof name, list)) {
		bool is_covered = false;

		name[strcspn(name, "\n")] = '\0';
		for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
			is_covered |= strcmp(name, others[i]) == 0;
		for (size_t i = 0; i < n_scenarios; i++)
			is_covered |= strstr(scenarios[i].sources, name) != NULL;
		if (!is_covered)
			rehearsal_fail("%s syncs or renames, and no row of scenario.c is about it", name);
		n++;
	}
	if (pclose(list) != 0 || n < sizeof others / sizeof others[0])
		rehearsal_fail("the sources cannot be listed");
}

int main(int argc, char **argv)
{
	bool long_form = getenv("SOTTO_TEST_LONG") != NULL;
	struct cuts cuts = {.most = long_form ? 8192 : 512, .n_seen = (size_t)1 << (long_form ? 22 : 18), .random = 1};
	size_t n_states = 0, n_left_out = 0;

	cuts.seen = calloc(cuts.n_seen, sizeof *cuts.seen);
	if (!cuts.seen)
		return 1;
	rehearsal_begin();
	check_sources();
	for (size_t i = 0; i < n_scenarios; i++) {
		struct rehearsal rehearsal;
		size_t n, syncs;

		if (argc > 1 && !strstr(scenarios[i].name, argv[1]))
			continue;
		rehearsal_learn(&rehearsal, &scenarios[i]);
		cuts.rehearsal = &rehearsal;
		n = try_all(&cuts, SHORT_WRITES);
		n += try_all(&cuts, 0);
		syncs = leave_out_each(&cuts, argc > 2);
		printf("%s: %zu states, %zu syncs and renames\n", scenarios[i].name, n, syncs);
		fflush(stdout);
		n_states += n;
		n_left_out += syncs;
		rehearsal_forget(&rehearsal);
	}
	rehearsal_end();
	free(cuts.seen);
	printf("%zu states after a power cut, nothing lost; each of %zu syncs and renames is needed\n",
	       n_states, n_left_out);
	if (argc == 1 && n_states < 20000)
		rehearsal_fail("only %zu states", n_states);
	return 0;
}
