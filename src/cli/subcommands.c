#include "cli/subcommands.h"

#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/nearest.h"

static const struct {
	const char *name, *help;
} subcommands[] = {
#define X(name, help) {#name, help},
	SUBCOMMANDS(X)
#undef X
};
enum { N_SUBCOMMANDS = sizeof subcommands / sizeof subcommands[0] };

char *cli_subcommands_text(void)
{
	struct buf out;

	buf_init(&out, KIB(64));
	buf_puts(&out, "Commands (sotto COMMAND --help tells more):\n");
	for (size_t i = 0; i < N_SUBCOMMANDS; i++)
		buf_printf(&out, "  %-12s %s\n", subcommands[i].name, subcommands[i].help);
	return buf_take(&out, NULL);
}

bool cli_subcommand(size_t index, const char **name, const char **help)
{
	if (index >= N_SUBCOMMANDS)
		return false;
	*name = subcommands[index].name;
	*help = subcommands[index].help;
	return true;
}

const char *cli_nearest_subcommand(const char *word)
{
	struct nearest nearest;

	nearest_init(&nearest, word, strlen(word));
	for (size_t i = 0; i < N_SUBCOMMANDS; i++)
		nearest_offer(&nearest, subcommands[i].name);
	return nearest_best(&nearest);
}
