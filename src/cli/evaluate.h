/* What `sotto logits`, `trace` and `bench` share: a session for a model and, for the
 * first two, token ids from the command line. */
#ifndef SOTTO_CLI_EVALUATE_H
#define SOTTO_CLI_EVALUATE_H

#include <stddef.h>
#include <stdint.h>

#include "cli/setup.h"
#include "engine/session.h"
#include "kernels/compute.h"
#include "model/model.h"
#include "tokenizer/tokenizer.h"

/* The options that these commands use (cli_command.acts). */
#define EVALUATION_ACTS \
	"model ctx-size batch-size threads isa repack mlock cache-type-k cache-type-v kv-cache " CLI_MODEL_ACTS

struct evaluation {
	int32_t *ids; /* owned, as everything below */
	size_t n_ids;
	struct model *model;
	struct compute compute;
	struct session *session;
	struct tokenizer *tokenizer; /* NULL: not opened (evaluate_input.h opens it), or there is none */
};

/* Reads ids separated by blanks or commas, opens the model that the settings
 * name and a session for it. Returns 0, or the exit status with the
 * error already printed. `evaluation` is all zero; evaluation_close in every case. */
int evaluation_open(struct evaluation *evaluation, const struct engine_params *params,
                    const char *ids);
/* Only reads the ids. STATUS_USAGE for what is none. */
enum status evaluation_read_ids(struct evaluation *evaluation, const char *text, struct error *err) MUST_CHECK;
/* Without ids. */
int evaluation_open_model(struct evaluation *evaluation, const struct engine_params *params);
/* Only the ids. */
enum status evaluation_read_ids(struct evaluation *evaluation, const char *text, struct error *err) MUST_CHECK;
void evaluation_close(struct evaluation *evaluation);

#endif
