/* A scenario carried out on a recorded disk, and whether what is found afterwards keeps to what its
 * steps said. */
#ifndef SOTTO_TESTS_REHEARSAL_H
#define SOTTO_TESTS_REHEARSAL_H

#include "crash/disk.h"
#include "crash/scenario.h"

enum { STEPS_MAX = 16 };

struct rehearsal {
	const struct scenario *scenario;
	/* What is to be found after so many steps: the text that was not there before. Made by
	 * rehearsal_learn. */
	char *after[STEPS_MAX + 1]; /* owned */
	size_t first_op;            /* of the last run: where its steps begin in the disk's record */
};

/* Makes an empty folder for the test, with "live" and "state" in it; and removes it. */
void rehearsal_begin(void);
void rehearsal_end(void);
const char *rehearsal_folder(const char *name); /* "live", "state" */
/* Says what is wrong, and ends the program; the folders stay. */
void rehearsal_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Runs the scenario without a fault, and keeps what is there after each step. */
void rehearsal_learn(struct rehearsal *rehearsal, const struct scenario *scenario);
void rehearsal_forget(struct rehearsal *rehearsal);
/* Once more, with a fault from the first step on. Returns how many steps were promised, in a row;
 * the disk's record is complete. */
size_t rehearsal_run(struct rehearsal *rehearsal, const struct disk_fault *fault);

/* Once more, with a call that fails: a step that says so is tried again until all are promised.
 * Returns how many failed, and "" or what was wrong on the way: nothing was told, the next try does
 * not work either, or what is there is not what was said. */
size_t rehearsal_run_faulty(struct rehearsal *rehearsal, const struct disk_fault *fault,
                            const char **why);

/* Looks at the folder: "" if it holds what `done` steps have saved, and nothing that `begun` steps
 * did not write; otherwise what is wrong. `exact`: also with a scenario that promises little. */
const char *rehearsal_judge(const struct rehearsal *rehearsal, const char *folder, size_t done,
                            size_t begun, bool exact);

#endif
