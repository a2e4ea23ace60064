/* What a model's README.md says about it in the YAML at its beginning: licence, tags, languages, what it was made of
 * (huggingface/hub-docs, modelcard.md). Foreign text: only the lines of the outermost level are read, as texts and
 * lists of texts; what is more than that is passed over. */
#ifndef SOTTO_CHECKPOINT_MODEL_CARD_H
#define SOTTO_CHECKPOINT_MODEL_CARD_H

#include <stddef.h>

#include "base/error.h"

struct model_card; /* NULL has nothing */

/* NULL: no memory, or no such lines at the text's beginning. */
struct model_card *model_card_parse(const char *text, size_t len);
void model_card_free(struct model_card *card);

/* How many texts a key has; 1 for what is no list. */
size_t model_card_n(const struct model_card *card, const char *key);
const char *model_card_at(const struct model_card *card, const char *key, size_t i); /* NULL: there are fewer */

#endif
