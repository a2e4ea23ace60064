#include "config/servers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/data_name.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/name_list.h"
#include "base/server_path.h"
#include "base/sys.h"
#include "config/secret_file.h"
#include "config/servers_entry.h"
#include "config/servers_mask.h"
#include "config/yaml_lines.h"

/* ---- freeing ---- */

static void free_secret_text(char *text)
{
	if (text)
		secret_wipe(text, strlen(text));
	free(text);
}

void server_config_free(struct server_config *server)
{
	free(server->name);
	free(server->url);
	free(server->dialect);
	free(server->key_env);
	free(server->key_file);
	for (char **word = server->key_command; word && *word; word++)
		free_secret_text(*word);
	free(server->key_command);
	secret_free(server->key);
	for (size_t i = 0; i < server->n_headers; i++) {
		free(server->headers[i].name);
		free(server->headers[i].plain);
		secret_free(server->headers[i].secret);
	}
	free(server->headers);
	free(server->ca);
	for (size_t i = 0; i < server->n_models; i++) {
		free(server->models[i].id);
		free(server->models[i].chat_template);
	}
	free(server->models);
	free(server->file);
	*server = (struct server_config){.n_models = 0};
}

void servers_free(struct servers *servers)
{
	for (size_t i = 0; i < servers->n; i++)
		server_config_free(&servers->items[i]);
	free(servers->items);
	*servers = (struct servers){.n = 0};
}

/* ---- reading ---- */

enum status servers_path(struct buf *out, const char *path, struct error *err)
{
	if (!path || !path[0])
		return sys_user_path(SYS_DIR_CONFIG, "/servers.yaml", out, err);
	return home_path_put(out, path)
	               ? error_set(err, STATUS_CONFIG, "the path of the file of servers is too long") : STATUS_OK;
}

/* The file being read. */
struct reading {
	struct servers *servers;
	const char *path;
	struct server_source source;
};

static const struct server_config *find(const struct servers *servers, const char *name, size_t len)
{
	for (size_t i = 0; i < servers->n; i++)
		if (strlen(servers->items[i].name) == len && memcmp(servers->items[i].name, name, len) == 0)
			return &servers->items[i];
	return NULL;
}

static enum status check_name(const struct reading *reading, struct yaml_reader *reader, const char *name,
                              size_t line, struct error *err)
{
	const struct server_config *before = find(reading->servers, name, strlen(name));

	if (!data_name_is_valid(name, strlen(name))) /* not quoted: a key may have come to stand there */
		return yaml_fail(reader, line, STATUS_CONFIG, err, "a server's name has letters, digits, '.', '_' and "
		                 "'-', 63 at most, and begins with a letter or digit");
	if (before)
		return yaml_fail(reader, line, STATUS_CONFIG, err, "there is a server '%s' in line %zu already", name,
		                 before->line);
	if (reading->servers->n == LIMIT_SERVERS)
		return yaml_fail(reader, line, STATUS_LIMIT, err, "more than %d servers", LIMIT_SERVERS);
	return STATUS_OK;
}

static enum status take_server(void *ctx, struct yaml_reader *reader, const char *name, size_t line,
                               const struct yaml_item *value, struct error *err)
{
	struct reading *reading = ctx;
	struct servers *servers = reading->servers;
	struct server_config server = {.line = line};
	enum status status = check_name(reading, reader, name, line, err);

	if (status)
		return status;
	server.name = alloc_strndup(name, strlen(name));
	server.file = alloc_strndup(reading->path, strlen(reading->path));
	if (!server.name || !server.file)
		status = error_no_memory(err, NULL);
	else
		status = server_read_entry(&server, reader, value, &reading->source, err);
	if (!status) {
		struct server_config *items =
			realloc(servers->items, (servers->n + 1) * sizeof *items); /* LIMIT_SERVERS at most */

		if (items) {
			servers->items = items;
			items[servers->n++] = server;
			return STATUS_OK;
		}
		status = error_no_memory(err, NULL);
	}
	server_config_free(&server);
	return status;
}

enum status servers_read_text(struct servers *out, const char *path, const char *text, size_t len, bool is_private,
                              struct buf *problems, struct error *err)
{
	char *masked = alloc_strndup(text, len);
	struct reading reading = {out, path, {text, masked, is_private}};
	enum status status;

	if (!masked)
		return error_no_memory(err, "to read %s", path);
	servers_mask_keys(masked, len);
	status = yaml_read_secret_entries(path, masked, len, take_server, &reading, problems, err);
	secret_wipe(masked, len);
	free(masked);
	return status;
}

static enum status read_file(struct servers *out, const char *path, bool is_usual, struct buf *problems,
                             struct error *err)
{
	struct secret_file file;
	enum status status = secret_file_read(&file, path, LIMIT_YAML_BYTES, true, err);

	if (status == STATUS_NOTFOUND && is_usual)
		return STATUS_OK;
	if (!status && file.is_open) /* it says which programs are run, and who gets the keys */
		status = error_set(err, STATUS_CONFIG, "%s: everybody may write it: `chmod go-w` keeps others from that", path);
	if (!status)
		status = servers_read_text(out, path, file.text, file.len, file.is_private, problems, err);
	secret_file_wipe(&file);
	return yaml_as_config(status, err);
}

enum status servers_read(struct servers *out, const char *path, struct buf *problems, struct error *err)
{
	bool is_usual = !path || !path[0];
	struct buf whole = {.max = KIB(64)};
	enum status status;

	*out = (struct servers){.n = 0};
	status = servers_path(&whole, path, err);
	if (status == STATUS_NOTFOUND && is_usual) /* nobody's folder has none */
		status = STATUS_OK;
	else if (!status)
		status = read_file(out, buf_text(&whole), is_usual, problems, err);
	buf_free(&whole);
	if (status)
		servers_free(out);
	return status;
}

/* ---- finding ---- */

static enum status not_found(const struct servers *servers, const char *name, size_t len, struct error *err)
{
	struct name_list names = {.n = 0};

	if (!len)
		return error_set(err, STATUS_NOTFOUND, "which server? `sotto servers` lists them, and " SERVER_PATH
		                 "NAME takes one");
	if (!servers->n)
		return error_set(err, STATUS_NOTFOUND, "there is no server '%.*s': servers.yaml names none; `sotto servers` "
		                 "says how to begin", (int)(len < 60 ? len : 60), name);
	for (size_t i = 0; i < servers->n; i++)
		if (!name_list_add(&names, servers->items[i].name, strlen(servers->items[i].name)))
			break;
	return name_list_unknown(&names, "server", name, len, STATUS_NOTFOUND, err);
}

enum status servers_find(const struct servers *servers, const char *name, size_t len,
                         const struct server_config **out, struct error *err)
{
	*out = find(servers, name, len);
	return *out ? STATUS_OK : not_found(servers, name, len, err);
}

/* Behind what the error says already. */
static enum status add_problem(struct error *err, const char *problems)
{
	struct error before;

	if (!err)
		return STATUS_NOTFOUND;
	before = *err;
	return error_set(err, STATUS_NOTFOUND, "%.300s; besides, %.*s", before.text, (int)strcspn(problems, "\n"), problems);
}

/* The line of the problems that is about the server, as wrong() in servers_entry.c writes them; NULL: none is. */
static const char *find_problem(const char *problems, const char *name, size_t len)
{
	for (const char *line = problems; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		size_t end = strcspn(line, "\n");

		for (const char *at = line; (at = strstr(at, ": ")) && at < line + end; at++)
			if (strncmp(at + 2, name, len) == 0 && at[2 + len] == ':')
				return line;
	}
	return NULL;
}

enum status servers_open(struct servers *servers, const char *path, const char *name, size_t len,
                         const struct server_config **out, struct error *err)
{
	struct buf problems = {.max = KIB(64)};
	enum status status = servers_read(servers, path, &problems, err);

	if (!status)
		status = servers_find(servers, name, len, out, err);
	if (status == STATUS_NOTFOUND && problems.len) {
		const char *text = buf_text(&problems), *problem = len ? find_problem(text, name, len) : NULL;

		if (!problem && !servers->n)
			problem = text; /* nothing of it could be read */
		if (problem)
			status = error_set(err, STATUS_CONFIG, "%.*s", (int)strcspn(problem, "\n"), problem);
		else
			status = add_problem(err, text);
	}
	buf_free(&problems);
	return status;
}

const struct server_model *server_find_model(const struct server_config *server, const char *id)
{
	for (size_t i = 0; i < server->n_models; i++)
		if (strcmp(server->models[i].id, id) == 0)
			return &server->models[i];
	return NULL;
}
