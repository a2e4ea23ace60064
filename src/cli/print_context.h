/* What fills the context, as a table on standard error. */
#ifndef SOTTO_CLI_PRINT_CONTEXT_H
#define SOTTO_CLI_PRINT_CONTEXT_H

#include "base/error.h"
#include "chat/tree.h"
#include "engine/backend.h"

/* Of the turn that is made of the tree's path. Nothing is evaluated. */
enum status cli_print_context(struct backend *backend, const struct turn *turn,
                              const struct tree *tree, struct error *err) MUST_CHECK;

#endif
