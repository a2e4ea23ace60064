/* Converting a folder of safetensors, with a bar and notes on standard error: `sotto convert`, and what -m offers. */
#ifndef SOTTO_CLI_CONVERTING_H
#define SOTTO_CLI_CONVERTING_H

#include <stdbool.h>
#include <stddef.h>

#include "quantize/recipe.h"

struct converting {
	const char *folder, *out;
	const struct recipe *recipe; /* NULL: as the weights are */
	size_t n_threads;
	bool dry_run;                /* print the plan, write nothing */
	bool is_quiet;               /* no summary on standard output */
};

/* Returns the exit status, with errors printed. */
int converting_run(const struct converting *converting);

#endif
