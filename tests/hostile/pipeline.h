/* Everything the program does with a model file, in order, as far as it gets. */
#ifndef SOTTO_TESTS_PIPELINE_H
#define SOTTO_TESTS_PIPELINE_H

#include <stddef.h>

#include "base/error.h"

enum stage { STAGE_GGUF, STAGE_TOKENIZER, STAGE_MODEL, STAGE_DONE };

/* Opens the file from a block of exactly its size. Returns the status of the
 * first stage that refused it, STATUS_OK when all took it. The vocabulary is
 * used for some text both ways, the model for a few tokens. Stages after
 * `last` are left out; a file without tensors has no STAGE_MODEL. */
enum status pipeline_run(const void *data, size_t size, enum stage last, enum stage *refused,
                         struct error *err);

#endif
