#include "engine/loaded.h"


void loaded_close(struct loaded *loaded)
{
	backend_close(loaded->backend);
	engine_params_free(&loaded->params);
	*loaded = (struct loaded){.n_loads = loaded->n_loads};
}

/* Opens a model where there is none. Takes over `params`, unless it fails. */
static enum status open_model(struct loaded *loaded, struct engine_params *params,
                              const struct backend_host *host, struct error *err)
{
	struct loaded fresh = {.n_loads = loaded->n_loads + 1};
	enum status status = backend_open(&fresh.backend, params, host, &fresh.info, err);

	if (status)
		return status;
	fresh.params = *params;
	fresh.info.generation = fresh.n_loads;
	*params = (struct engine_params){0};
	*loaded = fresh;
	return STATUS_OK;
}

enum status loaded_replace(struct loaded *loaded, const struct engine_params *params,
                           const struct backend_host *host, const struct backend_host *firm,
                           struct error *err)
{
	struct loaded fresh = {.n_loads = loaded->n_loads};
	struct engine_params wanted, before;
	enum status status = engine_params_copy(&wanted, params, err);

	if (status)
		return status;
	wanted.beside = loaded->backend != NULL;
	status = open_model(&fresh, &wanted, host, err);
	if (!status) {
		loaded_close(loaded);
		*loaded = fresh;
	} else if (status == STATUS_NOMEM && loaded->backend) {
		before = loaded->params;
		loaded->params = (struct engine_params){0};
		loaded_close(loaded);
		before.beside = wanted.beside = false;
		status = open_model(loaded, &wanted, host, err);
		/* If this fails too, no model is left in memory, as `info` says. */
		if (status && open_model(loaded, &before, firm, NULL))
			loaded_close(loaded);
		engine_params_free(&before);
	}
	engine_params_free(&wanted);
	return status;
}
