/* What commands that evaluate tokens share: a session for a model. */
#ifndef SOTTO_CLI_EVALUATE_H
#define SOTTO_CLI_EVALUATE_H

#include "cli/setup.h"
#include "engine/session.h"
#include "kernels/compute.h"
#include "model/model.h"
#include "tokenizer/tokenizer.h"

/* The options that these commands use (cli_command.acts). */
#define EVALUATION_ACTS \
	"model ctx-size batch-size threads isa repack mlock cache-type-k cache-type-v kv-cache " CLI_MODEL_ACTS

struct evaluation {
	struct token_list ids; /* for who fills them; owned, as everything below */
	struct model *model;
	struct compute compute;
	struct session *session;
	struct tokenizer *tokenizer; /* NULL: not opened (`sotto trace` opens it), or there is none */
};

/* Opens the model that the settings name and a session for it. Returns 0, or the exit status with the error already
 * printed. `evaluation` has no model yet; evaluation_close in every case. */
int evaluation_open(struct evaluation *evaluation, const struct engine_params *params);
void evaluation_close(struct evaluation *evaluation);

#endif
