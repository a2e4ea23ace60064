/* Chat templates for model files that have none, under the names llama.cpp gives
 * them (--chat-template NAME). The formats follow its llama-chat.cpp of November
 * 2026 or, for those it does not have, the models' own; the Jinja texts are ours. */
#ifndef SOTTO_ENCODE_BUILTIN_TEMPLATES_H
#define SOTTO_ENCODE_BUILTIN_TEMPLATES_H

#include <stdbool.h>
#include <stddef.h>

#include "gguf/reader.h"
#include "tokenizer/tokenizer.h"

enum { BUILTIN_TOKENS_MAX = 4, BUILTIN_STOPS_MAX = 3 };

struct builtin_template {
	const char *name;
	const char *text; /* Jinja */
	/* How to recognise a model trained with it: all that is given must match. A
	 * row that gives nothing is only used by name. */
	const char *architecture;               /* general.architecture begins with this */
	bool experts;                           /* ARCHITECTURE.expert_count is greater than 0 */
	const char *pre;                        /* tokenizer.ggml.pre */
	const char *tokens[BUILTIN_TOKENS_MAX]; /* special tokens of the vocabulary; NULL-terminated */
	/* Strings that end a reply, besides the vocabulary's end tokens; NULL-terminated. */
	const char *stops[BUILTIN_STOPS_MAX];
};

/* In the order in which they are tried; the last is "plain". */
extern const struct builtin_template builtin_templates[];
extern const size_t builtin_n_templates;

/* NULL if there is none of that name. */
const struct builtin_template *builtin_template_find(const char *name);
/* The one that fits a model; NULL if none does. */
const struct builtin_template *builtin_template_detect(const struct gguf *gguf,
                                                       const struct tokenizer *tokenizer);
/* One of a template's tokens that is not a special token of the vocabulary; NULL if all are. */
const char *builtin_template_lacks(const struct builtin_template *row,
                                   const struct tokenizer *tokenizer);

#endif
