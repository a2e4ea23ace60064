#include "engine/backend.h"

#include <stdlib.h>
#include <string.h>

#include "base/sys.h"
#include "engine/engine.h"
#include "engine/synthetic.h"
#include "engine/turn_log.h"

static const struct backend_ops *const backends[] = {&synthetic_backend, &engine_backend};

/* The one that takes a path; the engine's own takes all that no other does. */
static const struct backend_ops *find_by_path(const char *path, const struct backend_ops *const *others)
{
	for (; others && *others; others++)
		if (strncmp(path, (*others)->prefix, strlen((*others)->prefix)) == 0)
			return *others;
	for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++)
		if (strncmp(path, backends[i]->prefix, strlen(backends[i]->prefix)) == 0)
			return backends[i];
	return NULL;
}

bool backend_is_file(const char *path, const struct backend_ops *const *others)
{
	return find_by_path(path, others) == &engine_backend;
}

/* The one that takes what params->model names. */
static enum status find(const struct engine_params *params, const struct backend_ops *const *others,
                        const struct backend_ops **out, struct error *err)
{
	if (!params->model || !params->model[0])
		return error_set(err, STATUS_USAGE, "no model is given: use -m FILE");
	*out = find_by_path(params->model, others);
	return *out ? STATUS_OK : error_set(err, STATUS_UNSUPPORTED, "%s: there is no backend for this path", params->model);
}

enum status backend_check(const struct engine_params *params, const struct backend_ops *const *others,
                          struct error *err)
{
	const struct backend_ops *ops;
	enum status status = find(params, others, &ops, err);

	return status || !ops->check ? status : ops->check(params, err);
}

enum status backend_open(struct backend **out, const struct engine_params *params,
                         const struct backend_host *host, struct model_info *info,
                         struct error *err)
{
	const struct backend_ops *ops;
	uint64_t begun = sys_now_us();
	enum status status = find(params, host->others, &ops, err);

	*out = NULL;
	*info = (struct model_info){0};
	if (!status)
		status = ops->open(out, params, host, info, err);
	if (!status && host->decorate)
		host->decorate(out, info);
	turn_log_opened(host->log, info, (double)(sys_now_us() - begun) / 1000.0, status, err);
	return status;
}

enum status backend_run(struct backend *backend, const struct turn *turn,
                        enum backend_mode mode, const struct backend_host *host,
                        struct backend_result *result, struct error *err)
{
	enum status status;

	*result = (struct backend_result){.reason = DONE_ERROR};
	turn_log_begun(host->log, turn, mode);
	status = backend->ops->run(backend, turn, mode, host, result, err);
	turn_log_ended(host->log, result, status, err);
	return status;
}

enum status backend_inspect(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                            struct inspection *out, struct error *err)
{
	return backend->ops->inspect(backend, turn, host, out, err);
}

void backend_close(struct backend *backend)
{
	if (backend)
		backend->ops->close(backend);
}
