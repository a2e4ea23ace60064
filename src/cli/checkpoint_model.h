/* Where -m names a folder of safetensors: the file that was converted of it, or the offer to convert it. */
#ifndef SOTTO_CLI_CHECKPOINT_MODEL_H
#define SOTTO_CLI_CHECKPOINT_MODEL_H

#include "cli/setup.h"

/* For commands that ask nothing: the model becomes the file that was made of the folder before. STATUS_UNSUPPORTED: there
 * is none; the error says the command. */
enum status checkpoint_model_find(struct cli_setup *setup, struct error *err) MUST_CHECK;
/* For the chat, before its screen opens: says what would be made, asks, and makes it. 0: go on, or an exit status. */
int checkpoint_model_offer(struct cli_setup *setup);

#endif
