/* A bar on standard error of how much is done of a long piece of work; only on a terminal. */
#ifndef SOTTO_CLI_BAR_H
#define SOTTO_CLI_BAR_H

#include <stddef.h>
#include <stdint.h>

#include "cli/status_line.h"

struct bar {
	struct status_line line;
	uint64_t drawn; /* when, in ms */
	const char *name; /* for bar_progress: what is done; borrowed */
};

struct bar bar_begin(void);
/* At most ten times a second. `name`: a foreign text, what is at hand. */
void bar_show(struct bar *bar, uint64_t done, uint64_t all, const char *name, size_t len);
/* The same as a callback, whose ctx is the bar. */
void bar_progress(void *ctx, size_t done, size_t all);
void bar_end(struct bar *bar);

#endif
