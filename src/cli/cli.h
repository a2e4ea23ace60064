/* The command line: argv to settings to a subcommand, each in a file of its own.
 * Only here and in main may the process exit. */
#ifndef SOTTO_CLI_CLI_H
#define SOTTO_CLI_CLI_H

/* Runs the program; returns its exit status. */
int cli_main(int argc, char **argv);

#endif
