/* The system's calls (base/io.h), some of which fail. Syncs do nothing, since no power is cut here; a
 * close that fails has closed, as on Linux. */
#ifndef SOTTO_TESTS_SUPPORT_FAULTER_H
#define SOTTO_TESTS_SUPPORT_FAULTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/io.h"

struct faulter {
	struct io_ops ops; /* faulter_init's; a test may put others in their place */
	size_t calls, at;  /* how many were made; number `at` gives an error. 0: none does */
	int error;         /* which; 0: none */
	int shorten;       /* if it is a write, it takes this many bytes; -1: all but one; 0: all */
	bool forever;      /* all calls after it, too */
	bool fired;
	char called[64];   /* a letter each: see faulter.c */
};

/* Sets `ops`, which are about this faulter until the next one is initialised. It must stay where it is. */
void faulter_init(struct faulter *faulter);
/* For calls of a test's own: counts one. True: it fails, and errno is set. */
bool faulter_fails(char letter);

#endif
