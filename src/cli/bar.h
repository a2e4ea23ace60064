/* A bar on standard error of how much is done of a long piece of work; only on a terminal. */
#ifndef SOTTO_CLI_BAR_H
#define SOTTO_CLI_BAR_H

#include <stdint.h>

#include "cli/status_line.h"

struct bar {
	struct status_line line;
	uint64_t drawn; /* when, in ms */
};

struct bar bar_begin(void);
/* At most ten times a second. `name`: a foreign text, what is at hand. */
void bar_show(struct bar *bar, uint64_t done, uint64_t all, const char *name, size_t len);
void bar_end(struct bar *bar);

#endif
