/* The subcommands: cli_NAME is one, in a file of its own. */
#ifndef SOTTO_CLI_SUBCOMMANDS_H
#define SOTTO_CLI_SUBCOMMANDS_H

#include <stddef.h>

/* Name, and what it does. */
#define SUBCOMMANDS(X) \
	X(run, "answer a prompt or continue a text, on standard output") \
	X(doctor, "find out why a model answers badly: check its file, the engine, its template") \
	X(logits, "write the logits of every position of a list of token ids") \
	X(trace, "print what passes through a model: layers, rotations, attention, experts, states") \
	X(compare, "tell how far a model is from another one over a text, or over your chats") \
	X(perplexity, "tell how surprised a model is by a text, in llama-perplexity's terms") \
	X(tokenize, "print the token ids of a text") \
	X(render, "print what a chat template makes of a conversation") \
	X(chats, "list the saved chats, find one, print one in another format") \
	X(replay, "print how each reply of a chat was made, or make it again and compare") \
	X(models, "list the model files on this machine, or what to download") \
	X(pull, "fetch a published model by its name, or list what there is under it") \
	X(servers, "list the models of servers, or tell all about one server") \
	X(info, "print the metadata, tensors and memory needs of a model file") \
	X(convert, "make a GGUF file of a model as laboratories publish it (safetensors)") \
	X(quantize, "write a model file whose weights take fewer bits") \
	X(bench, "measure how fast a model is, and how fast the machine could be")

#define X(name, help) extern const struct cli_command cli_##name;
SUBCOMMANDS(X)
#undef X
extern const struct cli_command cli_chat; /* without a subcommand */

/* In the order of the list. */
struct cli_subcommand {
	const char *name, *help;
};
extern const struct cli_subcommand cli_subcommands[];
extern const size_t cli_n_subcommands;

#endif
