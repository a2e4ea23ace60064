/* What a program saves, step by step: the rows that test_power and test_faults go through. A new
 * kind of file is a new row in scenarios.c. */
#ifndef SOTTO_TESTS_SCENARIO_H
#define SOTTO_TESTS_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

enum { FOUND_MAX = 16 };

/* What is there, as texts: one for each chat, or one for all the files of the scenario. */
struct found {
	struct buf texts[FOUND_MAX];
	size_t n;
	struct buf trouble; /* why something cannot be read; "": all can */
};

void found_init(struct found *found);
void found_free(struct found *found);
/* The next text, empty. */
struct buf *found_add(struct found *found);

struct scenario {
	const char *name;
	const char *sources; /* the files of src that sync or rename, and are put to the test here */
	size_t n_steps;
	/* What a step has saved may be gone after a power cut; but there is always what one of the
	 * steps left, and never half of it. */
	bool weak;
	/* The first step writes a whole chat: before it is done there may be any part of it, which
	 * can be read (what it is a copy of stays). */
	bool in_part;
	/* A line with this in it may be found in place of one that the step under way changes; NULL:
	 * there is none such. */
	const char *between;
	/* Makes what is there before; that is durable. Its result goes to the others. */
	void *(*begin)(void);
	/* STATUS_OK: it is saved. */
	enum status (*step)(void *state, size_t step, struct error *err);
	/* After a step that failed; NULL: the step itself, once more. */
	enum status (*retry)(void *state, size_t step, struct error *err);
	void (*end)(void *state);
	/* Looks at the folders of the environment. */
	void (*describe)(struct found *found);
	/* Goes on with what was found; NULL: nothing to go on with. "": that worked. */
	const char *(*go_on)(void);
};

extern const struct scenario scenarios[];
extern const size_t n_scenarios;

/* Points the environment's folders (HOME, XDG_*, SOTTO_DATA_DIR) into this one. */
void scenario_home(const char *folder);
/* A path below that folder. One of eight buffers. */
const char *scenario_path(const char *name);

#endif
