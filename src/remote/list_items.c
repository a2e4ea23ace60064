#include "remote/list_items.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/server_path.h"
#include "base/text_ends.h"
#include "turn/engine_params.h"

const char *remote_state_name(enum remote_state state)
{
	switch (state) {
	case REMOTE_LOADED: return "loaded";
	case REMOTE_IDLE: return "not loaded";
	case REMOTE_UNKNOWN: break;
	case REMOTE_FAILED: return "failed";
	case REMOTE_OFFERED: return "offered";
	}
	return "";
}

/* "org/model" is a name, not a path. */
static bool is_path(const char *id)
{
	if (id[0] == '/' || id[0] == '~' || strncmp(id, "./", 2) == 0 || strncmp(id, "../", 3) == 0)
		return true;
	if (strlen(id) > 3 && id[1] == ':' && (id[2] == '\\' || id[2] == '/'))
		return true;
	return text_has_extension(id, ".gguf");
}

const char *remote_model_name(const char *id)
{
	const char *name = id;

	if (!is_path(id))
		return id;
	for (const char *at = id; *at; at++)
		if ((*at == '/' || *at == '\\') && at[1])
			name = at + 1;
	return name;
}

uint32_t list_context_within(uint32_t n_ctx, uint32_t most)
{
	return most && (!n_ctx || most < n_ctx) ? most : n_ctx;
}

char *list_path(const char *server, const char *id)
{
	struct buf path = {.max = SIZE_MAX / 2};

	buf_printf(&path, SERVER_PATH "%s%s%s", server, id[0] ? "/" : "", id);
	return buf_take(&path, NULL);
}

void remote_model_free(struct remote_model *model)
{
	free(model->server);
	free(model->id);
	free(model->path);
	free(model->where);
	free(model->why);
	free(model->type);
}

void list_empty(struct remote_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		remote_model_free(&list->items[i]);
	free(list->items);
	*list = (struct remote_list){.n = 0};
}

void remote_list_free(struct remote_list *list)
{
	if (list)
		list_empty(list);
	free(list);
}

struct remote_model *list_add(struct remote_list *list, const char *id)
{
	struct remote_model *items = realloc(list->items, (list->n + 1) * sizeof *items);
	struct remote_model model = {
		.id = strdup(id), .price_in = -1, .price_out = -1, .state = REMOTE_UNKNOWN};

	if (items)
		list->items = items;
	if (!items || !model.id) {
		free(model.id);
		return NULL;
	}
	items[list->n] = model;
	return &items[list->n++];
}

enum status list_append(struct remote_list *out, struct remote_list *from, struct error *err)
{
	struct remote_model *items = realloc(out->items, (out->n + from->n + 1) * sizeof *items);

	if (!items) {
		list_empty(from);
		return error_no_memory(err, "for the list of models");
	}
	out->items = items;
	if (from->n > 0)
		memcpy(items + out->n, from->items, from->n * sizeof *items);
	out->n += from->n;
	out->has_more |= from->has_more;
	free(from->items);
	*from = (struct remote_list){.n = 0};
	return STATUS_OK;
}

static void overlay(struct remote_model *model, const struct remote_model *with,
                    enum remote_state state)
{
	model->state = with->state == REMOTE_UNKNOWN ? state : with->state;
	if (with->n_ctx > 0)
		model->n_ctx = with->n_ctx;
	if (model->n_bytes == 0)
		model->n_bytes = with->n_bytes;
	if (model->n_params == 0)
		model->n_params = with->n_params;
	if (!model->type && with->type)
		model->type = strdup(with->type); /* without memory it is not shown */
}

void list_overlay(struct remote_list *list, const struct remote_list *with, enum remote_state state)
{
	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 0; k < with->n; k++)
			if (strcmp(list->items[i].id, with->items[k].id) == 0)
				overlay(&list->items[i], &with->items[k], state);
}
