#include "cli/evaluate.h"

#include "cli/print.h"
#include "engine/engine.h"

int evaluation_open(struct evaluation *e, const struct engine_params *params)
{
	struct error err;

	if (!params->model || !params->model[0])
		return cli_fail_with(STATUS_USAGE, "no model is given: use -m FILE");
	if (compute_open(&e->compute, params->isa, (size_t)params->n_threads, &err))
		return cli_fail(&err);
	if (engine_open_model(&e->model, params, &e->compute, NULL, NULL, &err))
		return cli_fail_model(&err);
	if (model_memory(e->model).lock_error.status)
		cli_note("%s", model_memory(e->model).lock_error.text);
	if (session_create(&e->session, e->model, &e->compute, params, &err))
		return cli_fail(&err);
	return 0;
}

void evaluation_close(struct evaluation *e)
{
	session_free(e->session);
	tokenizer_close(e->tokenizer);
	compute_close(&e->compute);
	model_close(e->model);
	token_list_free(&e->ids);
	*e = (struct evaluation){0};
}
