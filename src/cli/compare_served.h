/* sotto compare --server: a model on this machine beside one on a server, as far as that tells of its tokens. */
#ifndef SOTTO_CLI_COMPARE_SERVED_H
#define SOTTO_CLI_COMPARE_SERVED_H

#include <stdbool.h>

#include "cli/compare_text.h"
#include "cli/setup.h"

struct served_params {
	const struct text_params *text;
	const char *server; /* NAME or NAME/MODEL */
	bool json, csv;
};

/* The exit status, with its errors printed. */
int compare_served(struct cli_setup *setup, const struct served_params *params);

#endif
