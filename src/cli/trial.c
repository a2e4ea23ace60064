#include "cli/trial.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "engine/options.h"
#include "engine/session.h"
#include "kernels/compute.h"
#include "model/model.h"
#include "tokenizer/tokenizer.h"

enum { N_TOKENS = 8, CONTEXT = 64 };

static enum status check_logits(const float *logits, size_t n, struct error *err)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(logits[i]))
			return error_set(err, STATUS_FORMAT, "the model computes what is not a number: its weights are damaged, or not what"
			                 " config.json says");
	return STATUS_OK;
}

static enum status evaluate(const struct model *model, struct error *err)
{
	struct engine_params params = engine_params_default();
	size_t n_vocab = model_plan(model)->n_vocab;
	struct session *session = NULL;
	int32_t tokens[N_TOKENS];
	struct compute compute;
	enum status status = compute_open(&compute, NULL, 0, err);

	if (status)
		return status;
	params.n_ctx = CONTEXT;
	for (size_t i = 0; i < N_TOKENS; i++)
		tokens[i] = (int32_t)(i * n_vocab / N_TOKENS);
	status = session_create(&session, model, &compute, &params, err);
	if (!status)
		status = session_eval(session, tokens, N_TOKENS, 0, NULL, err);
	if (!status)
		status = check_logits(session_logits(session), n_vocab, err);
	session_free(session);
	compute_close(&compute);
	engine_params_free(&params);
	return status;
}

/* Of a large model: by the header alone, since loading it would take all of its weights. */
static enum status check_plan(const struct gguf *gguf, struct error *err)
{
	struct plan *plan = alloc_array(1, sizeof *plan); /* too large for a stack */
	enum status status = plan ? model_check(plan, gguf, err) : error_no_memory(err, NULL);

	free(plan);
	return status;
}

/* Takes the gguf. */
static enum status load(struct gguf *gguf, struct error *err)
{
	const struct model_load load = {.packing = PACKING_NONE, .n_ctx = CONTEXT};
	struct model *model;
	enum status status = model_open(&model, gguf, &load, err);

	if (status) {
		gguf_close(gguf);
		return status;
	}
	status = evaluate(model, err);
	model_close(model);
	return status;
}

static enum status try_gguf(struct gguf *gguf, struct error *err)
{
	struct tokenizer *tokenizer = NULL;
	enum status status = tokenizer_open(&tokenizer, gguf, err);

	tokenizer_close(tokenizer);
	if (!status && gguf_file_size(gguf) < MIB(1024))
		return load(gguf, err);
	if (!status)
		status = check_plan(gguf, err);
	gguf_close(gguf);
	return status;
}

enum status trial_model(const char *path, struct error *err)
{
	struct gguf *gguf;
	enum status status = gguf_open(&gguf, path, err);

	if (!status)
		status = try_gguf(gguf, err);
	if (status)
		error_prefix(err, "the file that was made does not work and is not kept");
	return status;
}
