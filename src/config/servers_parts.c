/* Headers and models of a server. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/number.h"
#include "config/servers_entry.h"
#include "config/servers_mask.h"

/* ---- headers ---- */

/* A token of HTTP. */
static bool is_header_name(const char *text, size_t len)
{
	static const char token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-.^_`|~";

	return len && len <= 128 && strspn(text, token) == len;
}

/* Those that a request has anyway. */
static bool is_ours(const char *name)
{
	static const char *const names[] = {"accept-encoding", "connection", "content-encoding", "content-length",
	                                    "content-type", "expect", "host", "te", "trailer", "transfer-encoding",
	                                    "upgrade"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcasecmp(names[i], name) == 0)
			return true;
	return false;
}

static enum status check_header(const struct server_entry *entry, const struct yaml_item *key, struct error *err)
{
	const struct server_config *server = entry->server;

	if (!is_header_name(key->text, key->len))
		return entry_wrong(entry, key->line, err, "headers: expected 'Name: value'");
	if (is_ours(key->text))
		return entry_wrong(entry, key->line, err, "headers: %s is not to be set", key->text);
	for (size_t i = 0; i < server->n_headers; i++)
		if (strcasecmp(server->headers[i].name, key->text) == 0)
			return entry_wrong(entry, key->line, err, "headers: one is given twice");
	if (server->n_headers == LIMIT_SERVER_HEADERS)
		return entry_wrong(entry, key->line, err, "more than %d headers", LIMIT_SERVER_HEADERS);
	return STATUS_OK;
}

static enum status read_header_value(struct server_entry *entry, struct server_header *header,
                                     const struct yaml_item *value, struct error *err)
{
	bool is_secret = servers_is_secret_name(header->name, strlen(header->name));
	enum status status = is_secret ? entry_take_secret(entry, "headers", value, &header->secret, err)
	                               : entry_take_text(entry, "headers", value, &header->plain, err);

	if (!status)
		header->value = is_secret ? secret_text(header->secret) : header->plain;
	return status;
}

static enum status read_header(void *ctx, struct yaml_reader *reader, const struct yaml_item *key,
                               struct error *err)
{
	struct server_entry *entry = ctx;
	struct server_header *header = &entry->server->headers[entry->server->n_headers];
	enum status status = check_header(entry, key, err);
	struct yaml_item value;

	if (status)
		return status;
	header->name = alloc_strndup(key->text, key->len);
	if (!header->name)
		return error_no_memory(err, NULL);
	entry->server->n_headers++;
	status = yaml_next_value(reader, &value, err);
	return status ? status : read_header_value(entry, header, &value, err);
}

enum status entry_read_headers(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	if (yaml_is_null(value))
		return STATUS_OK;
	if (value->kind != YAML_MAP_BEGIN)
		return entry_wrong(entry, value->line, err, "headers: expected lines 'Name: value', indented");
	entry->server->headers = alloc_array(LIMIT_SERVER_HEADERS + 1, sizeof *entry->server->headers);
	if (!entry->server->headers)
		return error_no_memory(err, NULL);
	return yaml_read_entries(entry->reader, read_header, entry, err);
}

/* ---- models ---- */

static enum status read_context(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	const int64_t most = 1 << 28;
	int64_t number;

	if (value->kind != YAML_SCALAR || !number_parse_int(value->text, &number) || number < 1 || number > most)
		return entry_wrong(entry, value->line, err, "context: expected a number of tokens, such as 32768");
	entry->model->n_ctx = (uint32_t)number;
	return STATUS_OK;
}

static enum status read_price(struct server_entry *entry, const char *key, double *out, const struct yaml_item *value,
                              struct error *err)
{
	if (value->kind != YAML_SCALAR || !number_parse_double(value->text, out) || !(*out >= 0 && *out <= 1e6))
		return entry_wrong(entry, value->line, err, "%s: expected dollars for a million tokens, such as 0.4", key);
	return STATUS_OK;
}

static enum status read_price_in(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	return read_price(entry, "price-in", &entry->model->price_in, value, err);
}

static enum status read_price_out(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	return read_price(entry, "price-out", &entry->model->price_out, value, err);
}

static enum status read_price_cached(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	return read_price(entry, "price-cached", &entry->model->price_cached, value, err);
}

static enum status read_chat_template(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	return entry_take_path(entry, "chat-template", value, &entry->model->chat_template, err);
}

static enum status read_model_key(void *ctx, struct yaml_reader *reader, const struct yaml_item *key,
                                  struct error *err)
{
	static const struct entry_row rows[] = {
		{"context", read_context}, {"price-in", read_price_in}, {"price-out", read_price_out},
		{"price-cached", read_price_cached}, {"chat-template", read_chat_template},
	};
	struct server_entry *entry = ctx;

	(void)reader;
	return entry_read_row(entry, rows, sizeof rows / sizeof rows[0], &entry->seen_of_model, key, err);
}

static enum status begin_model(struct server_entry *entry, const struct yaml_item *key, struct error *err)
{
	struct server_config *server = entry->server;
	enum status status = entry_check_text(entry, "models", key, err);

	if (status)
		return status;
	if (server_find_model(server, key->text))
		return entry_wrong(entry, key->line, err, "a model is given twice");
	if (server->n_models == LIMIT_SERVER_MODELS)
		return entry_wrong(entry, key->line, err, "more than %d models", LIMIT_SERVER_MODELS);
	entry->model = &server->models[server->n_models];
	*entry->model = (struct server_model){.price_in = -1, .price_out = -1, .price_cached = -1};
	entry->model->id = alloc_strndup(key->text, key->len);
	if (!entry->model->id)
		return error_no_memory(err, NULL);
	server->n_models++;
	entry->seen_of_model = 0;
	return STATUS_OK;
}

static enum status read_model(void *ctx, struct yaml_reader *reader, const struct yaml_item *key,
                              struct error *err)
{
	struct server_entry *entry = ctx;
	enum status status = begin_model(entry, key, err);
	struct yaml_item value;

	if (!status)
		status = yaml_next_value(reader, &value, err);
	if (status || yaml_is_null(&value))
		return status;
	if (value.kind != YAML_MAP_BEGIN)
		return entry_wrong(entry, value.line, err, "models: expected 'MODEL: {context: 32768}'");
	return yaml_read_entries(reader, read_model_key, entry, err);
}

enum status entry_read_models(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	if (yaml_is_null(value))
		return STATUS_OK;
	if (value->kind != YAML_MAP_BEGIN)
		return entry_wrong(entry, value->line, err, "models: expected 'MODEL: {context: 32768}'");
	entry->server->models = alloc_array(LIMIT_SERVER_MODELS + 1, sizeof *entry->server->models);
	if (!entry->server->models)
		return error_no_memory(err, NULL);
	return yaml_read_entries(entry->reader, read_model, entry, err);
}
