#include "remote/list_parse.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json_walk.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/sanitize.h"
#include "base/words.h"

/* A model as it is read. Of what several fields say, that of the highest rank is kept. */
struct draft {
	char id[LIMIT_MODEL_ID + 1], type[32], host[128], status[24];
	int id_rank, context_rank;
	int texts;     /* -1: no word of modalities, 0: no text among them, 1: text */
	int completes; /* the same of capabilities, and completion */
	uint64_t n_ctx, n_bytes, n_params, exit_code;
	double price_in, price_out;
	bool is_other; /* no model to talk to */
	bool has_failed, knows_instances, has_instance;
};

/* In the order in which they are believed. */
enum { LIST_NONE = -1, LIST_DATA, LIST_MODELS, LIST_BARE, LIST_COUNT };

struct parser {
	struct list_answer *out;
	struct remote_list lists[LIST_COUNT];
	size_t caps[LIST_COUNT];
	bool has[LIST_COUNT];
	struct draft draft;
};

typedef void take_field(struct parser *parser, const struct json_item *item, double argument);

/* No name has control characters in it, such as a line break. */
static bool copy_text(char *out, size_t size, const struct json_item *item)
{
	if (item->kind != JSON_STRING || item->len == 0 || item->len >= size ||
	    sanitize_has_controls(item->text, item->len))
		return false;
	memcpy(out, item->text, item->len + 1);
	return true;
}

static void take_id(struct parser *parser, const struct json_item *item, double rank)
{
	if ((int)rank > parser->draft.id_rank &&
	    copy_text(parser->draft.id, sizeof parser->draft.id, item))
		parser->draft.id_rank = (int)rank;
}

static void take_owner(struct parser *parser, const struct json_item *item, double unused)
{
	(void)unused;
	if (!parser->out->owner[0])
		(void)copy_text(parser->out->owner, sizeof parser->out->owner, item);
}

static void take_context(struct parser *parser, const struct json_item *item, double rank)
{
	uint64_t n;

	if ((int)rank > parser->draft.context_rank && json_read_count(item, UINT32_MAX, &n) && n > 0) {
		parser->draft.n_ctx = n;
		parser->draft.context_rank = (int)rank;
	}
}

static void take_bytes(struct parser *parser, const struct json_item *item, double unused)
{
	(void)unused;
	(void)json_read_count(item, INT64_MAX, &parser->draft.n_bytes);
}

/* 8030261248, or "8.0B", "494.03M". */
static void take_params(struct parser *parser, const struct json_item *item, double unused)
{
	char text[24];
	size_t n;
	double unit, value;

	(void)unused;
	if (json_read_count(item, INT64_MAX, &parser->draft.n_params) ||
	    !copy_text(text, sizeof text, item))
		return;
	n = strlen(text);
	unit = text[n - 1] == 'B' ? 1e9 : text[n - 1] == 'M' ? 1e6 : 0;
	text[n - 1] = '\0';
	if (unit > 0 && number_parse_double(text, &value) && value > 0 && value < 1e9)
		parser->draft.n_params = (uint64_t)(value * unit);
}

static void take_type(struct parser *parser, const struct json_item *item, double unused)
{
	(void)unused;
	(void)copy_text(parser->draft.type, sizeof parser->draft.type, item);
}

/* `unit`: what makes dollars for a million tokens of it. */
static double price_of(double old, const struct json_item *item, double unit)
{
	double value;

	if (item->kind != JSON_NUMBER && item->kind != JSON_STRING)
		return old;
	return number_parse_double(item->text, &value) && value >= 0 && value < 1e6 ? value * unit
	                                                                            : old;
}

static void take_price_in(struct parser *parser, const struct json_item *item, double unit)
{
	parser->draft.price_in = price_of(parser->draft.price_in, item, unit);
}

static void take_price_out(struct parser *parser, const struct json_item *item, double unit)
{
	parser->draft.price_out = price_of(parser->draft.price_out, item, unit);
}

static void take_status(struct parser *parser, const struct json_item *item, double is_router)
{
	if (copy_text(parser->draft.status, sizeof parser->draft.status, item) && is_router > 0)
		parser->out->is_router = true;
}

static void take_failed(struct parser *parser, const struct json_item *item, double unused)
{
	(void)unused;
	parser->draft.has_failed = item->kind == JSON_TRUE;
}

static void take_exit_code(struct parser *parser, const struct json_item *item, double unused)
{
	(void)unused;
	(void)json_read_count(item, UINT32_MAX, &parser->draft.exit_code);
}

static void take_instances(struct parser *parser, const struct json_item *item, double is_one)
{
	parser->draft.knows_instances |= item->kind == JSON_ARRAY;
	parser->draft.has_instance |= is_one > 0 && item->kind == JSON_OBJECT;
}

static void take_kind(struct parser *parser, const struct json_item *item, double unused)
{
	static const char others[] =
		"embedding embeddings image images moderation rerank audio transcribe video";

	(void)unused;
	if (item->kind == JSON_STRING)
		parser->draft.is_other |= words_have(others, item->text, item->len);
}

/* What is false of a model that does not chat, or that is not there any more. */
static void take_use(struct parser *parser, const struct json_item *item, double unused)
{
	(void)unused;
	parser->draft.is_other |= item->kind == JSON_FALSE;
}

static void take_modality(struct parser *parser, const struct json_item *item, double unused)
{
	(void)unused;
	if (item->kind == JSON_STRING)
		parser->draft.texts = parser->draft.texts == 1 || strcmp(item->text, "text") == 0;
}

static void take_capability(struct parser *parser, const struct json_item *item, double unused)
{
	(void)unused;
	if (item->kind == JSON_STRING)
		parser->draft.completes =
			parser->draft.completes == 1 || strcmp(item->text, "completion") == 0;
}

/* "https://ollama.com:443" as "ollama.com". */
static void take_host(struct parser *parser, const struct json_item *item, double unused)
{
	char url[128];
	const char *host;

	(void)unused;
	if (!copy_text(url, sizeof url, item))
		return;
	host = strstr(url, "://") ? strstr(url, "://") + 3 : url;
	snprintf(parser->draft.host, sizeof parser->draft.host, "%.*s", (int)strcspn(host, ":/"),
	         host);
}

/* Fields of a model, by their paths in it. Contexts: what it is loaded with says more than what it
 * could have. */
static const struct field {
	const char *path;
	take_field *take;
	double argument;
} fields[] = {
	{"id", take_id, 4},
	{"key", take_id, 3},
	{"model", take_id, 2},
	{"name", take_id, 1},
	{"owned_by", take_owner, 0},
	{"meta.n_ctx", take_context, 9},
	{"loaded_instances.*.config.context_length", take_context, 8},
	{"loaded_context_length", take_context, 7},
	{"max_model_len", take_context, 6},
	{"context_length", take_context, 5},
	{"context_window", take_context, 4},
	{"max_context_length", take_context, 3},
	{"top_provider.context_length", take_context, 2},
	{"meta.n_ctx_train", take_context, 1},
	{"meta.size", take_bytes, 0},
	{"size", take_bytes, 0},
	{"size_bytes", take_bytes, 0},
	{"meta.n_params", take_params, 0},
	{"details.parameter_size", take_params, 0},
	{"params_string", take_params, 0},
	{"meta.ftype", take_type, 0},
	{"details.quantization_level", take_type, 0},
	{"quantization", take_type, 0},
	{"quantization.name", take_type, 0},
	{"pricing.prompt", take_price_in, 1e6},
	{"pricing.completion", take_price_out, 1e6},
	{"pricing.input", take_price_in, 1},
	{"pricing.output", take_price_out, 1},
	{"status.value", take_status, 1},
	{"status.failed", take_failed, 0},
	{"status.exit_code", take_exit_code, 0},
	{"state", take_status, 0},
	{"loaded_instances", take_instances, 0},
	{"loaded_instances.*", take_instances, 1},
	{"type", take_kind, 0},
	{"capabilities.completion_chat", take_use, 0},
	{"capabilities.*", take_capability, 0},
	{"active", take_use, 0},
	{"architecture.output_modalities.*", take_modality, 0},
	{"remote_host", take_host, 0},
};

static enum remote_state state_of(const struct draft *draft)
{
	if (draft->has_failed)
		return REMOTE_FAILED;
	if (draft->has_instance || strcmp(draft->status, "loaded") == 0)
		return REMOTE_LOADED;
	return draft->knows_instances || draft->status[0] ? REMOTE_IDLE : REMOTE_UNKNOWN;
}

/* False: not enough memory. */
static bool explain(struct remote_model *model, const struct draft *draft)
{
	static const struct {
		const char *status, *why;
	} rows[] = {
		{"loading", "it is being loaded"},
		{"sleeping", "it sleeps until it is asked"},
		{"downloading", "the server is still downloading it"},
	};
	char text[64] = "the server failed to load it";

	if (draft->has_failed && draft->exit_code > 0)
		snprintf(text, sizeof text, "the server failed to load it (exit code %u)",
		         (unsigned)draft->exit_code);
	for (size_t i = 0; !draft->has_failed && i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(draft->status, rows[i].status) == 0)
			return (model->why = strdup(rows[i].why)) != NULL;
	return !draft->has_failed || (model->why = strdup(text)) != NULL;
}

/* No model to talk to. OpenAI's list says nothing of its models but their ids. */
static bool is_other(const struct draft *draft)
{
	static const char *const names[] = {
		"text-embedding-", "whisper-",         "dall-e-",          "tts-",
		"gpt-image-",      "omni-moderation-", "text-moderation-", "sora-"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strncmp(draft->id, names[i], strlen(names[i])) == 0)
			return true;
	return draft->is_other || draft->texts == 0 || draft->completes == 0;
}

static enum status keep(struct parser *parser, int which, struct error *err)
{
	const struct draft *draft = &parser->draft;
	struct remote_list *list = &parser->lists[which];
	struct remote_model model = {
		.n_bytes = draft->n_bytes,
		.n_params = draft->n_params,
		.n_ctx = (uint32_t)draft->n_ctx,
		.price_in = draft->price_in,
		.price_out = draft->price_out,
		.state = state_of(draft),
	};

	if (draft->id_rank == 0 || is_other(draft))
		return STATUS_OK;
	if (list->n >= LIMIT_LISTED_MODELS) {
		list->has_more = true;
		return STATUS_OK;
	}
	if (alloc_grow(&list->items, &parser->caps[which], list->n + 1, sizeof *list->items,
	               LIMIT_LISTED_MODELS) &&
	    (model.id = strdup(draft->id)) != NULL &&
	    (!draft->type[0] || (model.type = strdup(draft->type)) != NULL) &&
	    (!draft->host[0] || (model.where = strdup(draft->host)) != NULL) &&
	    explain(&model, draft)) {
		list->items[list->n++] = model;
		return STATUS_OK;
	}
	remote_model_free(&model);
	return error_no_memory(err, "for the list of models");
}

/* Which list a path is in, and what of the path is behind a model of it: "data.3.id" has "id". */
static int list_of(const char *path, const char **rest)
{
	static const char *const names[LIST_COUNT] = {"data.", "models.", ""};

	for (int i = 0; i < LIST_COUNT; i++) {
		size_t n = strlen(names[i]);
		size_t digits =
			strncmp(path, names[i], n) == 0 ? strspn(path + n, "0123456789") : 0;

		if (digits > 0 && (!path[n + digits] || path[n + digits] == '.')) {
			*rest = path + n + digits + (path[n + digits] == '.');
			return i;
		}
	}
	return LIST_NONE;
}

static enum status visit(void *ctx, const char *path, const struct json_item *item,
                         struct error *err)
{
	struct parser *parser = ctx;
	const char *rest;
	int which = list_of(path, &rest);

	if (item->kind == JSON_ARRAY) {
		parser->has[LIST_DATA] |= strcmp(path, "data") == 0;
		parser->has[LIST_MODELS] |= strcmp(path, "models") == 0;
		parser->has[LIST_BARE] |= path[0] == '\0';
	}
	if (which == LIST_NONE)
		return STATUS_OK;
	if (!rest[0] && item->kind == JSON_OBJECT)
		parser->draft = (struct draft){
			.texts = -1, .completes = -1, .price_in = -1, .price_out = -1};
	if (!rest[0] && item->kind == JSON_OBJECT_END)
		return keep(parser, which, err);
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
		if (json_path_is(rest, fields[i].path))
			fields[i].take(parser, item, fields[i].argument);
	return STATUS_OK;
}

enum status list_parse(struct list_answer *out, const char *json, size_t len, struct error *err)
{
	struct parser parser = {.out = out};
	enum status status;
	int which = LIST_BARE;

	*out = (struct list_answer){.owner = ""};
	status = json_walk(json, len, visit, &parser, err);
	if (!status && !parser.has[LIST_DATA] && !parser.has[LIST_MODELS] && !parser.has[LIST_BARE])
		status = error_set(err, STATUS_FORMAT, "no list of models is in it");
	if (parser.has[LIST_DATA] && (parser.lists[LIST_DATA].n > 0 || !parser.has[LIST_MODELS]))
		which = LIST_DATA;
	else if (parser.has[LIST_MODELS])
		which = LIST_MODELS;
	for (int i = 0; i < LIST_COUNT; i++)
		if (!status && i == which) {
			out->list = parser.lists[i];
		} else {
			list_empty(&parser.lists[i]);
		}
	return status;
}

void list_answer_free(struct list_answer *answer)
{
	list_empty(&answer->list);
}
