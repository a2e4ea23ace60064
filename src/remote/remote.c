#include "remote/remote.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/server_path.h"
#include "remote/ask.h"
#include "remote/call.h"
#include "remote/estimate.h"
#include "remote/fields.h"
#include "remote/list.h"
#include "remote/probe.h"
#include "remote/retry.h"
#include "remote/waiting.h"

/* "NAME" or "NAME/MODEL" of a model's path. */
struct address {
	const char *server;
	size_t server_len;
	const char *model; /* "": the first one */
};

static struct address read_address(const char *path)
{
	const char *server = path + strlen(SERVER_PATH);
	size_t n = strcspn(server, "/");

	return (struct address){.server = server, .server_len = n, .model = server[n] ? server + n + 1 : ""};
}

/* ---- which model ---- */

/* Ollama's names may lack their tag. */
static bool is_called(const struct remote_model *model, const char *name)
{
	size_t n = strlen(name);

	return strncmp(model->id, name, n) == 0 && (!model->id[n] || strcmp(model->id + n, ":latest") == 0);
}

/* A file's path by its last part, which is what is shown of it. */
static const struct remote_model *find_shown(const struct remote_list *list, const char *name)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(remote_model_name(list->items[i].id), name) == 0)
			return &list->items[i];
	return NULL;
}

static bool can_be_used(const struct remote_model *model)
{
	return model->id[0] && model->state != REMOTE_FAILED;
}

/* The one of that name; without one the first, if any is loaded the first of these. */
static const struct remote_model *choose(const struct remote_list *list, const char *name)
{
	const struct remote_model *first = NULL;

	for (size_t i = 0; i < list->n; i++) {
		const struct remote_model *model = &list->items[i];

		if (name[0] && is_called(model, name))
			return model;
		if (name[0] || !can_be_used(model))
			continue;
		if (model->state == REMOTE_LOADED)
			return model;
		first = first ? first : model;
	}
	return name[0] ? find_shown(list, name) : first;
}

/* Says which models there are. */
static enum status refuse_name(const struct remote *remote, const struct remote_list *list, const char *name,
                               struct error *err)
{
	enum { NAMES_MAX = 6 };
	struct buf names = {.max = ERROR_TEXT_MAX / 2};
	size_t n = list->n < NAMES_MAX ? list->n : NAMES_MAX;

	for (size_t i = 0; i < n; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", remote_model_name(list->items[i].id));
	error_set(err, STATUS_NOTFOUND, "%s: there is no model '%.128s'; it has: %s%s", remote->server->name, name,
	          buf_text(&names), n < list->n ? ", ..." : "");
	buf_free(&names);
	return STATUS_NOTFOUND;
}

static enum status take_model(struct remote *remote, const struct remote_model *model, const char *name,
                              struct error *err)
{
	const struct server_model *said;
	const char *id = model ? model->id : name;

	remote->model = strdup(id);
	if (!remote->model)
		return error_no_memory(err, NULL);
	if (model) {
		remote->info.n_ctx = model->n_ctx;
		remote->product = model->title;
	}
	said = server_find_model(remote->server, id);
	if (said)
		remote->info.n_ctx = list_context_within(remote->info.n_ctx, said->n_ctx);
	return STATUS_OK;
}

/* A name that a hosted server does not list may be one that it knows all the same. */
static enum status find_model(struct remote *remote, const char *name, struct error *err)
{
	struct remote_list list = {.n = 0};
	enum status status = remote->dialect->list ? remote->dialect->list(remote, &list, err) : STATUS_OK;
	const struct remote_model *model;

	if (!status) {
		model = choose(&list, name);
		if (!model && name[0] && list.n && remote->distance != HTTP_FAR &&
		    !server_find_model(remote->server, name))
			status = refuse_name(remote, &list, name, err);
		else if (!model && !name[0] && remote->server->n_models)
			status = take_model(remote, NULL, remote->server->models[0].id, err);
		else if (!model && !name[0])
			status = error_set(err, STATUS_NOTFOUND, "%s: it has no model that could be used", remote->server->name);
		else
			status = take_model(remote, model, name, err);
	}
	list_empty(&list);
	return status;
}

/* ---- what is told of it ---- */

static void describe(struct remote *remote)
{
	struct model_info *info = &remote->info;
	struct model_identity *identity = &info->identity;
	uint64_t hash = hash_more(HASH_BEGIN, remote->url, strlen(remote->url) + 1);

	hash = hash_more(hash, remote->model, strlen(remote->model));
	info->n_notes = 0;
	snprintf(identity->file, sizeof identity->file, "%016" PRIx64, hash);
	snprintf(identity->server, sizeof identity->server, "%s", remote->server->name);
	snprintf(identity->model, sizeof identity->model, "%s", remote->model);
	snprintf(identity->dialect, sizeof identity->dialect, "%s", remote->dialect->name);
	snprintf(info->name, sizeof info->name, "%s", remote_model_name(remote->model));
	snprintf(info->place, sizeof info->place, "%.24s (%.36s)", remote->server->name, remote->host);
	snprintf(info->template_name, sizeof info->template_name, "%s", TEMPLATE_OWN);
	info->is_unverified = remote->server->is_unverified;
	info->n_notes = 0; /* it may be opened again */
	info->capabilities = CAPABILITY_BRANCH;
	if (remote->key && remote->distance != HTTP_HERE && strncmp(remote->url, "http://", 7) == 0)
		model_info_note(info, NOTE_WARNING, "%s gets its key, and all that you write, without encryption: its url is "
		                "http, not https", remote->server->name);
}

/* What the user, or servers.yaml, says of the context goes as far as the server has it. */
static void limit_context(struct remote *remote)
{
	struct model_info *info = &remote->info;

	info->n_ctx = info->identity.n_ctx = list_context_within(info->n_ctx, remote->wanted_ctx);
}

/* ---- opening ---- */

/* The server's entry in servers.yaml. */
static enum status find_server(struct servers *servers, const struct engine_params *params,
                               const struct server_config **out, struct error *err)
{
	const struct address address = read_address(params->model);

	return servers_open(servers, params->servers, address.server, address.server_len, out, err);
}

static void close_dialect(struct remote *remote)
{
	if (remote->own && remote->dialect->close)
		remote->dialect->close(remote);
	remote->own = NULL;
}

static enum status open_model(struct remote *remote, const char *name, struct error *err)
{
	enum status status = STATUS_OK;

	if (!remote->dialect)
		status = remote_probe(remote, &remote->dialect, err);
	if (!status && !remote->model)
		status = find_model(remote, name, err);
	if (status)
		return status;
	describe(remote);
	remote->fields = remote->dialect->fields;
	remote->n_fields = remote->dialect->n_fields;
	status = remote->dialect->open(remote, err);
	if (status) {
		close_dialect(remote);
		return status;
	}
	limit_context(remote);
	fields_list_idle(remote, &remote->info);
	return STATUS_OK;
}

/* A server that is loading is asked again until it has. */
static enum status open_patiently(struct remote *remote, const char *name, const struct backend_host *host,
                                  struct error *err)
{
	struct retry retry = {.n = 0};
	enum status status;
	int64_t ms;

	for (;;) {
		remote->is_loading = false;
		status = open_model(remote, name, err);
		ms = status && remote->is_loading ? retry_wait(&retry, &remote->refused, true, 0) : -1;
		if (ms < 0) {
			if (status && status != STATUS_CANCELLED)
				remote_probe_forget(remote); /* another kind of server may be there next time */
			return status;
		}
		if (!waiting_pause(remote, host, &remote->refused, (uint64_t)ms, 0))
			return error_set(err, STATUS_CANCELLED, "loading was cancelled");
	}
}

static void close_remote(struct backend *backend)
{
	struct remote *remote = (struct remote *)backend;

	close_dialect(remote);
	remote_disconnect(remote);
	servers_free(&remote->servers);
	free(remote->model);
	free(remote);
}

static enum status open_remote(struct backend **out, const struct engine_params *params,
                               const struct backend_host *host, struct model_info *info, struct error *err)
{
	const struct address address = read_address(params->model);
	const struct server_config *server;
	struct servers servers = {.n = 0};
	struct remote *remote = alloc_array(1, sizeof *remote);
	enum status status;

	if (!remote)
		return error_no_memory(err, NULL);
	status = find_server(&servers, params, &server, err);
	if (!status) {
		status = remote_connect(remote, server, host->cancelled, host->ctx, err);
		remote->wanted_ctx = params->n_ctx > 0 ? (uint32_t)params->n_ctx : 0;
	}
	remote->base.ops = &remote_backend;
	remote->servers = servers;
	remote->told = host;
	if (!status)
		status = open_patiently(remote, address.model, host, err);
	remote->told = NULL;
	if (status) {
		close_remote(&remote->base);
		return status;
	}
	*info = remote->info;
	*out = &remote->base;
	return STATUS_OK;
}

/* ---- the rest ---- */

/* Whether there is such a server; nothing is asked. */
static enum status check_remote(const struct engine_params *params, struct error *err)
{
	const struct server_config *server;
	struct servers servers = {.n = 0};
	enum status status = find_server(&servers, params, &server, err);

	servers_free(&servers);
	return status;
}

static enum status run(struct backend *backend, const struct turn *turn, enum backend_mode mode,
                       const struct backend_host *host, struct backend_result *result, struct error *err)
{
	return remote_run((struct remote *)backend, turn, mode, host, result, err);
}

static enum status inspect(struct backend *backend, const struct turn *turn, const struct backend_host *host,
                           struct inspection *out, struct error *err)
{
	struct remote *remote = (struct remote *)backend;

	remote->cancelled = host->cancelled;
	remote->cancel_ctx = host->ctx;
	return remote->dialect->inspect ? remote->dialect->inspect(remote, turn, out, err)
	                                : estimate_inspect(remote, turn, out, err);
}

const struct backend_ops remote_backend = {
	.prefix = SERVER_PATH,
	.check = check_remote,
	.open = open_remote,
	.run = run,
	.inspect = inspect,
	.close = close_remote,
};
