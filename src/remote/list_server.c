/* The models of one server, completed by what servers.yaml says of them. */
#include <stdlib.h>
#include <string.h>

#include "remote/call.h"
#include "remote/list.h"
#include "remote/list_items.h"
#include "remote/probe.h"

static bool complete(struct remote_model *model, const struct server_config *server,
                     const char *where)
{
	if (!model->server)
		model->server = strdup(server->name);
	if (!model->path)
		model->path = list_path(server->name, model->id);
	if (!model->where)
		model->where = strdup(where);
	model->is_unverified = server->is_unverified;
	return model->server && model->path && model->where;
}

static const struct remote_model *find(const struct remote_list *list, const char *id)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i].id, id) == 0)
			return &list->items[i];
	return NULL;
}

/* What servers.yaml says of models: it is asked last, but believed where prices are concerned, and of a
 * context that is smaller than what the server has. */
static bool add_configured(struct remote_list *list, const struct server_config *server)
{
	for (size_t i = 0; i < server->n_models; i++)
		if (!find(list, server->models[i].id) && !list_add(list, server->models[i].id))
			return false;
	for (size_t i = 0; i < list->n; i++) {
		const struct server_model *model = server_find_model(server, list->items[i].id);
		struct remote_model *item = &list->items[i];

		if (!model)
			continue;
		item->n_ctx = list_context_within(item->n_ctx, model->n_ctx);
		if (model->price_in >= 0)
			item->price_in = model->price_in;
		if (model->price_out >= 0)
			item->price_out = model->price_out;
	}
	return true;
}

enum status remote_list_failure(struct remote_list *out, const struct server_config *server,
                                const struct error *why, struct error *err)
{
	struct remote_model *model;
	char host[128];

	(void)http_host(server->url, host, sizeof host);
	model = list_add(out, "");
	if (!model || !complete(model, server, host) || !(model->why = strdup(why->text)))
		return error_no_memory(err, "for the list of models");
	model->state = REMOTE_FAILED;
	model->status = why->status;
	return STATUS_OK;
}

static enum status ask(struct remote *remote, struct remote_list *list, struct error *err)
{
	enum status status = STATUS_OK;

	if (remote->distance != HTTP_FAR)
		remote_probe_forget(remote); /* another one may have been started there since */
	if (!remote->dialect)
		status = remote_probe(remote, &remote->dialect, err);
	if (!status)
		status = remote->dialect->list(remote, list, err);
	if (status)
		remote_probe_forget(remote);
	return status;
}

static enum status finish(struct remote *remote, struct remote_list *list, struct error *err)
{
	if (!add_configured(list, remote->server))
		return error_no_memory(err, "for the list of models");
	for (size_t i = 0; i < list->n; i++) {
		if (!complete(&list->items[i], remote->server, remote->host))
			return error_no_memory(err, "for the list of models");
		if (!list->items[i].title)
			list->items[i].title = remote->dialect->title;
	}
	if (list->n > 0)
		return STATUS_OK;
	return error_set(err, STATUS_NOTFOUND,
	                 strcmp(remote->dialect->name, "ollama") == 0
	                         ? "%s: it has no model yet: ollama pull NAME gets one"
	                         : "%s: it has no model: start it with one",
	                 remote->server->name);
}

enum status remote_list_server(struct remote *remote, struct remote_list *out, struct error *err)
{
	struct remote_list own = {.n = 0};
	struct error why;
	enum status status = ask(remote, &own, &why);

	if (!status)
		status = finish(remote, &own, &why);
	if (!status)
		return list_append(out, &own, err);
	list_empty(&own);
	if (status != STATUS_NOMEM && status != STATUS_CANCELLED)
		return remote_list_failure(out, remote->server, &why, err);
	return error_set(err, status, "%s", why.text);
}
