/* What `sotto compare` and `sotto perplexity` look at: a text, ids, chats as the model sees them. */
#ifndef SOTTO_CLI_COMPARE_TEXT_H
#define SOTTO_CLI_COMPARE_TEXT_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/setup.h"
#include "cli/text_input.h"
#include "compare/text.h"
#include "dialog/dialog.h"
#include "gguf/reader.h"
#include "tokenizer/tokenizer.h"

struct text_params {
	struct text_input input;
	int32_t chats;
};

/* The options of a command whose params begin with that, as `text`. */
#define TEXT_OPTIONS(params) \
	TEXT_INPUT_OPTIONS(params, text.input), \
	{"chats", NULL, OPTION_INT, CLI_ROW(params, text.chats, 0), .min = 0, .max = 10000, .def = "0", .arg = "N", \
	 .help = "the last N saved chats that have a reply, in the place of a text"}

/* The file of a model and its vocabulary, without its weights. STATUS_USAGE: none is named. */
struct text_model {
	struct gguf *gguf;
	struct tokenizer *tokenizer;
};
enum status text_model_open(struct text_model *out, const struct engine_params *params, struct error *err) MUST_CHECK;
void text_model_close(struct text_model *model);
/* Whether ids mean the same in both. STATUS_USAGE names the first token that is another one. */
enum status text_models_agree(const struct text_model *a, const struct text_model *b, struct error *err) MUST_CHECK;

/* What windows begin with; negative: nothing. */
int32_t text_bos(const struct text_model *model);

/* Whether exactly one of text, ids and chats is given (STATUS_USAGE); whether it is chats. */
enum status text_check(const struct text_params *params, const struct cli_setup *setup, struct error *err) MUST_CHECK;
bool text_is_chats(const struct text_params *params, const struct cli_setup *setup);
/* Windows of `size` tokens as llama-perplexity has them, where the text is long enough and `size` is not 0; otherwise
 * one of all tokens. Of a chat one, in which what replies say counts, of -c N tokens or the model's trained context at
 * most. */
enum status text_read(struct compared_text *out, const struct text_params *params, const struct cli_setup *setup,
                      const struct text_model *model, size_t size, struct error *err) MUST_CHECK;

/* The parts of that: chats by name (the words of the command line) and the newest `n_newest`; a chat, to be read only
 * (dialog_deinit in every case). */
enum status text_add_chats(struct compared_text *out, int32_t n_newest, const struct cli_setup *setup,
                           const struct text_model *model, struct error *err) MUST_CHECK;
enum status text_open_chat(struct dialog *dialog, const char *name, const struct cli_setup *setup,
                           struct error *err) MUST_CHECK;

/* Appends, in quotes, the last part of what is before token `at` + 1 of the text. */
void text_put_before(struct buf *out, const struct text_model *model, const struct compared_text *text, size_t at);
/* The last part of a path. */
const char *text_file_name(const char *path);
/* The window in which a token of the text is, and how many come before it there. */
size_t text_window_of(const struct compared_text *text, size_t at, size_t *pos);

#endif
