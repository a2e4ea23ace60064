/* What is evaluated: token ids, a text, or a saved chat as the model sees it. */
#ifndef SOTTO_CLI_EVALUATE_INPUT_H
#define SOTTO_CLI_EVALUATE_INPUT_H

#include "cli/evaluate.h"

/* One of the four; the others NULL. */
struct evaluate_input {
	const char *ids;  /* separated by blanks or commas */
	const char *text; /* as it is: no chat template, BOS where the vocabulary wants it */
	const char *file; /* that has such a text; "-" is standard input */
	const char *chat; /* id, title or path of a saved chat: its last branch, with its last reply if there is one */
};

/* As evaluation_open, with the ids of that; with a chat, its model where the command line names none. A model on a
 * server is refused: it shows nothing of what it computes. Opens the vocabulary, too, where the model has one. */
int evaluation_open_input(struct evaluation *evaluation, struct cli_setup *setup, const struct evaluate_input *input);
/* The same without anything to evaluate. */
int evaluation_open_without(struct evaluation *evaluation, const struct cli_setup *setup);

#endif
