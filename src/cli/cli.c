#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static const struct {
	const char *name;
	cli_command run;
	const char *help;
} subcommands[] = {
	{NULL, NULL, NULL},
};

int cli_fail(const struct error *err)
{
	fprintf(stderr, "sotto: %s\n", err->text);
	return status_exit_code(err->status);
}

int cli_main(int argc, char **argv)
{
	if (argc > 1)
		for (size_t i = 0; subcommands[i].name; i++)
			if (strcmp(argv[1], subcommands[i].name) == 0)
				return subcommands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "sotto: nothing to run yet\n");
	return 2;
}
