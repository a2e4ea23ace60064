/* Files that are GGUF and no language model that sotto runs: what each is, and what to do. */
#ifndef SOTTO_MODEL_KINDS_H
#define SOTTO_MODEL_KINDS_H

#include "gguf/reader.h"

/* "a LoRA adapter ...: ..."; NULL: nothing is known against it. */
const char *kind_of_other(const struct gguf *gguf);

#endif
