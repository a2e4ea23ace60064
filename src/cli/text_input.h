/* What a command is given to evaluate: a text, a file that has one, token ids, or saved chats. */
#ifndef SOTTO_CLI_TEXT_INPUT_H
#define SOTTO_CLI_TEXT_INPUT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/setup.h"
#include "dialog/dialog.h"
#include "tokenizer/tokenizer.h"

/* One of the three, unless chats are given; the others NULL. */
struct text_input {
	char *text, *file, *ids; /* owned by the options that fill it */
};

/* The options of a command whose params have one as `field`. */
#define TEXT_INPUT_OPTIONS(params, field) \
	{"prompt", "p", OPTION_STRING, CLI_ROW(params, field.text, 0), .arg = "TEXT", \
	 .help = "evaluate this text as it is, without a chat template"}, \
	{"file", "f", OPTION_STRING, CLI_ROW(params, field.file, OPTION_PATH), .arg = "FILE", \
	 .help = "read that text from here, without its last line break; - is standard input"}, \
	{"ids", NULL, OPTION_STRING, CLI_ROW(params, field.ids, 0), .arg = "IDS", \
	 .help = "evaluate these token ids, separated by blanks"}

bool text_input_is_given(const struct text_input *input);
/* STATUS_USAGE unless exactly one of the three and of `n_others` other ways is given. */
enum status text_input_check(const struct text_input *input, size_t n_others, struct error *err) MUST_CHECK;

/* Appends the text of -p or -f. The last line break of a file belongs to the file, as in llama.cpp. */
enum status text_input_read(const struct text_input *input, struct buf *text, struct error *err) MUST_CHECK;
/* Appends its ids, with BOS where the vocabulary wants one, or those of --ids, which need no tokenizer. */
enum status text_input_encode(const struct text_input *input, const struct tokenizer *tokenizer,
                              struct token_list *out, struct error *err) MUST_CHECK;
/* Appends ids separated by blanks or commas; their range is not known here. STATUS_USAGE for what is none. */
enum status text_input_ids(const char *ids, struct token_list *out, struct error *err) MUST_CHECK;

/* Holds a saved chat (its id, title or path), to be read only. STATUS_USAGE: there is none. */
enum status text_input_hold_chat(struct dialog *dialog, const char *name, struct error *err) MUST_CHECK;

#endif
