/* The kinds of backends besides the engine's own (engine/backend.h). */
#ifndef SOTTO_CLI_BACKENDS_H
#define SOTTO_CLI_BACKENDS_H

#include "engine/backend.h"

extern const struct backend_ops *const cli_backends[]; /* NULL-terminated */

#endif
