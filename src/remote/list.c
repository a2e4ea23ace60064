#include "remote/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "remote/call.h"
#include "remote/probe.h"
#include "remote/route.h"

enum status remote_list_get(struct remote *remote, const char *route, struct list_answer *out, int *code,
                            struct error *err)
{
	struct http_answer answer;
	enum status status;

	*out = (struct list_answer){.owner = ""};
	status = remote_call(remote, remote->http, remote_route(remote->url, route), NULL,
	                     REMOTE_CALL_MS, &answer, err);
	if (code)
		*code = answer.code;
	if (!status) {
		status = list_parse(out, buf_text(&answer.body), answer.body.len, err);
		if (status == STATUS_FORMAT)
			status = probe_refuse(remote, &answer, err);
	}
	http_answer_free(&answer);
	return status;
}

/* A number of another route, 0 if there is none; `text` of `size` takes a string of it (NULL: none). */
static uint32_t ask_number(struct remote *remote, const char *route, const char *number_at,
                           const char *text_at, char *text, size_t size)
{
	struct {
		uint32_t number;
		char text[LIMIT_MODEL_ID + 1];
	} found = {.number = 0};
	const struct json_place places[] = {
		{number_at, JSON_PLACE_U32, 0, 0},
		{text_at ? text_at : "", JSON_PLACE_TEXT, sizeof found.number, sizeof found.text},
	};

	if (remote_call_values(remote, route, NULL, REMOTE_CALL_MS, places, 2, &found, NULL, NULL))
		found.number = 0;
	if (text)
		snprintf(text, size, "%s", found.text);
	return found.number;
}

static void set_states(struct remote_list *list, enum remote_state state)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].state == REMOTE_UNKNOWN)
			list->items[i].state = state;
}

static void set_contexts(struct remote_list *list, uint32_t n_ctx)
{
	for (size_t i = 0; i < list->n; i++)
		if (list->items[i].n_ctx == 0)
			list->items[i].n_ctx = n_ctx;
}

const char *remote_list_product(const struct list_answer *answer, unsigned port)
{
	static const struct {
		const char *owner, *product;
	} owners[] = {
		{"organization_owner", "LM Studio"},
		{"tabbyAPI", "TabbyAPI"},
		{"koboldcpp", "KoboldCpp"},
		{"llamafile", "llamafile"},
	};

	for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++)
		if (strcasecmp(answer->owner, owners[i].owner) == 0)
			return owners[i].product;
	if (answer->list.n > 0 && strncmp(answer->list.items[0].id, "koboldcpp/", 10) == 0)
		return "KoboldCpp";
	return port == 1234 ? "LM Studio" : NULL;
}

/* Its own list knows contexts and what is loaded; older versions have another one. */
static enum status ask_lm_studio(struct remote *remote, struct list_answer *list, struct error *err)
{
	static const char *const routes[] = {"/api/v1/models", "/api/v0/models"};

	for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
		struct list_answer own;
		enum status status = remote_list_get(remote, routes[i], &own, NULL, err);

		if (!status && own.list.n > 0) {
			list_answer_free(list);
			*list = own;
			return STATUS_OK;
		}
		list_answer_free(&own);
		if (status == STATUS_CANCELLED)
			return status;
	}
	return STATUS_OK; /* what /v1/models says is still true */
}

/* One of its models is loaded; the others are folders. */
static void ask_tabby(struct remote *remote, struct remote_list *list)
{
	char id[LIMIT_MODEL_ID + 1];
	uint32_t n_ctx =
		ask_number(remote, "/v1/model", "parameters.max_seq_len", "id", id, sizeof id);

	for (size_t i = 0; i < list->n && id[0]; i++) {
		bool is_loaded = strcmp(list->items[i].id, id) == 0;

		list->items[i].state = is_loaded ? REMOTE_LOADED : REMOTE_IDLE;
		if (is_loaded)
			list->items[i].n_ctx = n_ctx;
	}
}

enum status remote_list_openai(struct remote *remote, struct remote_list *out, struct error *err)
{
	struct list_answer answer;
	int code;
	enum status status = remote_list_get(remote, "/v1/models", &answer, &code, err);
	const char *product;

	if (status == STATUS_CONFIG && code == 404 && remote->server->n_models > 0)
		return STATUS_OK; /* servers.yaml has the list */
	product = status ? NULL : remote_list_product(&answer, remote_port(remote->url));
	if (product && strcmp(product, "LM Studio") == 0) {
		status = ask_lm_studio(remote, &answer, err);
	} else if (product && strcmp(product, "TabbyAPI") == 0) {
		ask_tabby(remote, &answer.list);
	} else if (product && strcmp(product, "KoboldCpp") == 0) {
		set_contexts(&answer.list, ask_number(remote, "/api/extra/true_max_context_length",
		                                      "value", NULL, NULL, 0));
		set_states(&answer.list, REMOTE_LOADED);
	}
	for (size_t i = 0; !status && product && i < answer.list.n; i++)
		answer.list.items[i].title = product;
	if (status)
		list_answer_free(&answer);
	else
		*out = answer.list;
	return status;
}

enum status remote_list_loaded(struct remote *remote, struct remote_list *out, struct error *err)
{
	struct list_answer answer;
	enum status status = remote_list_get(remote, "/v1/models", &answer, NULL, err);

	set_states(&answer.list, answer.is_router ? REMOTE_IDLE : REMOTE_LOADED);
	*out = answer.list;
	return status;
}

enum status remote_list_ollama(struct remote *remote, struct remote_list *out, struct error *err)
{
	struct list_answer tags, loaded;
	enum status status = remote_list_get(remote, "/api/tags", &tags, NULL, err);

	if (status)
		return status;
	status = remote_list_get(remote, "/api/ps", &loaded, NULL, NULL);
	list_overlay(&tags.list, &loaded.list, REMOTE_LOADED);
	if (!status)
		set_states(&tags.list, REMOTE_IDLE);
	list_answer_free(&loaded);
	for (size_t i = 0; i < tags.list.n; i++)
		if (tags.list.items[i].where)
			tags.list.items[i].state = REMOTE_UNKNOWN; /* another server loads it */
	*out = tags.list;
	return status == STATUS_CANCELLED ? error_set(err, status, "stopped") : STATUS_OK;
}
