/* OpenAI's chat completions, as anything with a "/v1" speaks them. */
#ifndef SOTTO_REMOTE_DIALECT_OPENAI_H
#define SOTTO_REMOTE_DIALECT_OPENAI_H

#include "remote/dialect.h"

extern const struct dialect dialect_openai;

#endif
