/* The command line: argv to a command, each of which is in a file of its own. */
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "cli/completions.h"
#include "cli/setup.h"
#include "cli/subcommands.h"

static const struct cli_command *const commands[] = {
#define X(name, help) &cli_##name,
	SUBCOMMANDS(X)
#undef X
};

/* The width and class of characters need a UTF-8 locale, even if none is set. */
static void set_locale(void)
{
	if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		if (!setlocale(LC_CTYPE, "C.UTF-8"))
			setlocale(LC_CTYPE, "en_US.UTF-8");
}

/* A subcommand's options may also come before its name. */
static int run_subcommand(const struct cli_command *command, int argc, char **argv, int at)
{
	char *name = argv[at];

	memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof *argv);
	argv[1] = name;
	return cli_run_command(command, argc - 1, argv + 1);
}

/* `sotto --complete chats --ex`: as if the command stood before the flag. The last word is the one
 * to complete, and no command yet. */
static int find_completed(int argc, char **argv)
{
	int at = argc > 3 ? cli_find_word(argc - 2, argv + 1) : 0;

	return at ? at + 1 : 0;
}

int main(int argc, char **argv)
{
	int at;

	set_locale();
	if (argc > 1 && strcmp(argv[1], CLI_COMPLETE) == 0)
		at = find_completed(argc, argv);
	else
		at = cli_find_word(argc, argv);
	for (size_t i = 0; at && i < cli_n_subcommands; i++)
		if (strcmp(argv[at], cli_subcommands[i].name) == 0)
			return run_subcommand(commands[i], argc, argv, at);
	return cli_run_command(&cli_chat, argc, argv);
}
