/* Whether a file that was made works as a model. */
#ifndef SOTTO_CLI_TRIAL_H
#define SOTTO_CLI_TRIAL_H

#include "base/error.h"

/* Its tokenizer is opened and its plan made; a file of less than a GiB is loaded, which checks every tensor's shape, and
 * evaluates a few tokens, whose logits have to be numbers. So it takes little memory whatever the size. */
enum status trial_model(const char *path, struct error *err) MUST_CHECK;

#endif
