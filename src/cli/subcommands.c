#include "cli/subcommands.h"

const struct cli_subcommand cli_subcommands[] = {
#define X(name, help) {#name, help},
	SUBCOMMANDS(X)
#undef X
};
const size_t cli_n_subcommands = sizeof cli_subcommands / sizeof cli_subcommands[0];
