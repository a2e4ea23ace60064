/* Whether a file that was made works as a model. */
#ifndef SOTTO_CLI_TRIAL_H
#define SOTTO_CLI_TRIAL_H

#include "base/error.h"

/* Opens it as the chat would: the plan with every tensor's shape, the tokenizer; of a file of less than a GiB a few tokens
 * are evaluated, too, and their logits have to be numbers. Weights stay in the file, so that this takes little memory. */
enum status trial_model(const char *path, struct error *err) MUST_CHECK;

#endif
