/* How a stretch of plain text becomes tokens. Inside of tokenizer/. */
#ifndef SOTTO_TOKENIZER_ENCODE_H
#define SOTTO_TOKENIZER_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tokenizer/pretokenize.h"
#include "tokenizer/special.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocab.h"

/* Appends the tokens that were found in the text and those of what lies between them.
 * `at_border`: the text is at a start or behind such a token. `pre`: BPE only. */
enum status encode_fragments(const struct vocab *vocab, const struct pretokenizer *pre,
                             const char *text, const struct fragment_list *fragments,
                             bool at_border, struct token_list *out, struct error *err) MUST_CHECK;

/* token_list_push with an error's text. */
enum status encode_push(struct token_list *out, int32_t id, struct error *err) MUST_CHECK;

#endif
