/* The chat templates of a checkpoint. Private to this folder. */
#ifndef SOTTO_CHECKPOINT_VOCABULARY_TEMPLATE_H
#define SOTTO_CHECKPOINT_VOCABULARY_TEMPLATE_H

#include "checkpoint/conversion.h"

/* tokenizer.chat_template, .NAME, and tokenizer.chat_templates. `config`: tokenizer_config.json, without which the
 * reference takes no template at all. */
void template_write(struct conversion *c, const struct settings_tree *config);

#endif
