/* Chat templates for model files that carry none, by the names that llama.cpp
 * has for them (--chat-template NAME). The forms follow its llama-chat.cpp of
 * November 2026, and where it has none the models' own; the Jinja texts are ours. */
#ifndef SOTTO_PROMPT_BUILTIN_TEMPLATES_H
#define SOTTO_PROMPT_BUILTIN_TEMPLATES_H

#include <stdbool.h>
#include <stddef.h>

#include "gguf/reader.h"
#include "tokenizer/tokenizer.h"

enum { BUILTIN_TOKENS_MAX = 4, BUILTIN_STOPS_MAX = 3 };

struct builtin_template {
	const char *name;
	const char *text; /* Jinja */
	/* What tells that a model was trained on it: all that is given must hold. A
	 * row that gives nothing is taken by name only. */
	const char *architecture;               /* general.architecture begins so */
	bool experts;                           /* ARCHITECTURE.expert_count is there and not 0 */
	const char *pre;                        /* tokenizer.ggml.pre */
	const char *tokens[BUILTIN_TOKENS_MAX]; /* in the vocabulary, as no plain text; NULL-terminated */
	/* Strings that end a reply beside the vocabulary's own ends; NULL-terminated. */
	const char *stops[BUILTIN_STOPS_MAX];
};

/* In the order in which they are tried; the last one is "plain". */
extern const struct builtin_template builtin_templates[];
extern const size_t builtin_n_templates;

/* NULL: there is none by that name. */
const struct builtin_template *builtin_template_find(const char *name);
/* What suits a model; NULL when nothing does. */
const struct builtin_template *builtin_template_detect(const struct gguf *gguf,
                                                       const struct tokenizer *tokenizer);
/* One of a template's tokens that the vocabulary has not, or as plain text; NULL: it has all. */
const char *builtin_template_lacks(const struct builtin_template *row,
                                   const struct tokenizer *tokenizer);

#endif
