#include "crash/rehearsal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crash/power.h"
#include "support/folder.h"

static char root[64];

void rehearsal_fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, "\nthe files are in %s\n", root);
	exit(1);
}

/* In memory, since the states are many. */
void rehearsal_begin(void)
{
	make_memory_folder(root, sizeof root, "power");
	if (mkdir(rehearsal_folder("live"), 0700) != 0 ||
	    mkdir(rehearsal_folder("state"), 0700) != 0)
		rehearsal_fail("%s: %s", root, strerror(errno));
}

void rehearsal_end(void)
{
	power_empty(root);
	rmdir(root);
}

const char *rehearsal_folder(const char *name)
{
	static char paths[2][100];
	static size_t next;
	char *path = paths[next++ % 2];

	snprintf(path, sizeof paths[0], "%s/%s", root, name);
	return path;
}

static void *set_up(struct rehearsal *rehearsal, const struct disk_fault *fault)
{
	const char *live = rehearsal_folder("live");
	void *state;

	power_empty(live);
	scenario_home(live);
	disk_record(live);
	state = rehearsal->scenario->begin();
	disk_settle();
	disk_set_fault(fault);
	(void)disk_ops(&rehearsal->first_op);
	return state;
}

static bool is_known(const struct rehearsal *rehearsal, const char *text, size_t from, size_t to)
{
	for (size_t i = from; i <= to; i++)
		if (strcmp(rehearsal->after[i], text) == 0)
			return true;
	return false;
}

/* The text that is new since the step before. */
static char *learn_step(const struct rehearsal *rehearsal, size_t step)
{
	char *text = NULL;
	struct found found;

	disk_pause();
	found_init(&found);
	rehearsal->scenario->describe(&found);
	if (found.trouble.len)
		rehearsal_fail("%s: %s", rehearsal->scenario->name, buf_text(&found.trouble));
	for (size_t i = 0; i < found.n; i++) {
		if (step && is_known(rehearsal, buf_text(&found.texts[i]), 0, step - 1))
			continue;
		if (text)
			rehearsal_fail("%s: step %zu has left two texts", rehearsal->scenario->name, step);
		text = strdup(buf_text(&found.texts[i]));
	}
	if (!text && step)
		rehearsal_fail("%s: step %zu has saved nothing", rehearsal->scenario->name, step);
	found_free(&found);
	disk_resume();
	return text ? text : strdup("");
}

void rehearsal_learn(struct rehearsal *rehearsal, const struct scenario *scenario)
{
	struct error err;
	void *state;

	*rehearsal = (struct rehearsal){.scenario = scenario};
	if (scenario->n_steps > STEPS_MAX)
		rehearsal_fail("%s: too many steps", scenario->name);
	state = set_up(rehearsal, NULL);
	rehearsal->after[0] = learn_step(rehearsal, 0);
	for (size_t step = 0; step < scenario->n_steps; step++) {
		if (scenario->step(state, step, &err))
			rehearsal_fail("%s, step %zu: %s", scenario->name, step, err.text);
		rehearsal->after[step + 1] = learn_step(rehearsal, step + 1);
	}
	scenario->end(state);
}

void rehearsal_forget(struct rehearsal *rehearsal)
{
	for (size_t i = 0; i <= STEPS_MAX; i++)
		free(rehearsal->after[i]);
}

size_t rehearsal_run(struct rehearsal *rehearsal, const struct disk_fault *fault)
{
	const struct scenario *scenario = rehearsal->scenario;
	void *state = set_up(rehearsal, fault);
	size_t done = 0;
	struct error err;

	while (done < scenario->n_steps && scenario->step(state, done, &err) == STATUS_OK) {
		disk_promise();
		done++;
	}
	disk_pause();
	scenario->end(state);
	return done;
}

/* Line by line: as before or after the step, or between the two. */
static bool is_between(const char *text, const char *before, const char *after, const char *between)
{
	while (*text && *before && *after) {
		size_t n = strcspn(text, "\n") + 1, n_before = strcspn(before, "\n") + 1;
		size_t n_after = strcspn(after, "\n") + 1;
		bool changes = n_before != n_after || memcmp(before, after, n_before) != 0;
		const char *mark = strstr(text, between);

		if (!(n == n_before && memcmp(text, before, n) == 0) &&
		    !(n == n_after && memcmp(text, after, n) == 0) &&
		    !(changes && mark && mark < text + n))
			return false;
		text += n;
		before += n_before;
		after += n_after;
	}
	return !*text && !*before && !*after;
}

const char *rehearsal_judge(const struct rehearsal *rehearsal, const char *folder, size_t done,
                            size_t begun, bool exact)
{
	static char why[400];
	const char *between = rehearsal->scenario->between;
	size_t first = rehearsal->scenario->weak && !exact ? 0 : done;
	bool kept = is_known(rehearsal, "", first, begun);
	struct found found;

	why[0] = '\0';
	scenario_home(folder);
	found_init(&found);
	rehearsal->scenario->describe(&found);
	if (found.trouble.len)
		snprintf(why, sizeof why, "%.300s", buf_text(&found.trouble));
	for (size_t i = 0; i < found.n && !why[0]; i++) {
		const char *text = buf_text(&found.texts[i]);

		kept |= is_known(rehearsal, text, first, begun);
		if (rehearsal->scenario->in_part && done == 0)
			continue;
		if (between && is_between(text, rehearsal->after[done], rehearsal->after[begun], between)) {
			kept = true;
			continue;
		}
		if (!is_known(rehearsal, text, 0, begun))
			snprintf(why, sizeof why, "there is what no step has left, %zu bytes: ...%.300s",
			         strlen(text), text + (strlen(text) > 300 ? strlen(text) - 300 : 0));
	}
	if (!why[0] && !kept)
		snprintf(why, sizeof why, "what step %zu has saved is not there", done);
	found_free(&found);
	return why;
}

static const char *judge_live(const struct rehearsal *rehearsal, size_t done, size_t begun)
{
	const char *why;

	disk_pause();
	why = rehearsal_judge(rehearsal, rehearsal_folder("live"), done, begun, false);
	disk_resume();
	return why;
}

/* One step, and once more if it fails. */
static const char *try_step(struct rehearsal *rehearsal, void *state, size_t step, size_t *n_failed)
{
	const struct scenario *scenario = rehearsal->scenario;
	bool had_fired = disk_has_fired();
	struct error err = {0};
	const char *why;

	if (scenario->step(state, step, &err)) {
		++*n_failed;
		if (!err.text[0])
			return "it fails and does not say why";
		why = judge_live(rehearsal, step - disk_is_withdrawn(), step + 1);
		if (*why)
			return why;
		err.text[0] = '\0';
		if (scenario->retry ? scenario->retry(state, step, &err) : scenario->step(state, step, &err))
			return "the next try fails as well";
	}
	disk_promise();
	return disk_has_fired() && !had_fired ? judge_live(rehearsal, step + 1, step + 1) : "";
}

size_t rehearsal_run_faulty(struct rehearsal *rehearsal, const struct disk_fault *fault,
                            const char **why)
{
	const struct scenario *scenario = rehearsal->scenario;
	void *state = set_up(rehearsal, fault);
	size_t n_failed = 0;

	*why = "";
	for (size_t step = 0; step < scenario->n_steps && !**why; step++)
		*why = try_step(rehearsal, state, step, &n_failed);
	if (!**why)
		*why = judge_live(rehearsal, scenario->n_steps, scenario->n_steps);
	disk_pause();
	scenario->end(state);
	return n_failed;
}
