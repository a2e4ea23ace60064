/* The subcommands: cli_NAME runs one, in a file of its own. */
#ifndef SOTTO_CLI_SUBCOMMANDS_H
#define SOTTO_CLI_SUBCOMMANDS_H

#include <stdbool.h>
#include <stddef.h>

/* Name, and what it does. */
#define SUBCOMMANDS(X) \
	X(run, "answer a prompt or continue a text, on standard output") \
	X(logits, "write the logits of every position of a list of token ids") \
	X(trace, "print what passes through the layers for a list of token ids") \
	X(tokenize, "print the token ids of a text") \
	X(render, "print what a chat template makes of a conversation") \
	X(chats, "list the saved chats, find one, print one in another format") \
	X(replay, "print how each reply of a chat was made, or make it again and compare") \
	X(models, "list the model files on this machine, or what to download") \
	X(info, "print the metadata, tensors and memory needs of a model file") \
	X(quantize, "write a model file whose weights take fewer bits") \
	X(bench, "measure how fast a model is, and how fast the machine could be")

/* argv[0] is its name. Prints its own errors to stderr and returns the exit status. */
#define X(name, help) int cli_##name(int argc, char **argv);
SUBCOMMANDS(X)
#undef X
int cli_chat(int argc, char **argv); /* without a subcommand */

/* The subcommands and what they do, a line each, for --help. Free the text. */
char *cli_subcommands_text(void);
/* The subcommands one by one; false: there are no more. */
bool cli_subcommand(size_t index, const char **name, const char **help);
/* The subcommand that a mistyped word most likely means; NULL for none. */
const char *cli_nearest_subcommand(const char *word);

#endif
