/* Where a server's key comes from. No key is ever in an error. */
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "base/words.h"
#include "config/secret_file.h"
#include "config/server_command.h"
#include "config/servers.h"

/* The first line, without blanks around it. */
static enum status take_line(struct secret **out, const char *text, size_t len, struct error *err)
{
	const char *end = memchr(text, '\n', len);

	len = end ? (size_t)(end - text) : len;
	words_trim(&text, &len);
	return len ? secret_create(out, text, len, err) : error_set(err, STATUS_FORMAT, "its first line is empty");
}

static enum status of_variable(struct secret **out, const char *name, struct error *err)
{
	const char *value = sys_variable(name);

	if (!value)
		return error_set(err, STATUS_CONFIG, "the variable %.60s, which has the key, is not set", name);
	if (take_line(out, value, strlen(value), err))
		error_prefix(err, "the key in %.60s", name);
	return err->status;
}

static enum status of_file(struct secret **out, const char *path, struct error *err)
{
	struct secret_file file;
	enum status status = secret_file_read(&file, path, LIMIT_SERVER_KEY, false, err);

	if (!status && !file.is_ours)
		status = error_set(err, STATUS_CONFIG, "key-file: %s belongs to another user", path);
	else if (!status && !file.is_private)
		status = error_set(err, STATUS_CONFIG, "key-file: others may read %s: `chmod 600 %s` keeps them from it", path,
		                   path);
	else if (!status && (status = take_line(out, file.text, file.len, err)))
		error_prefix(err, "the key in %s", path);
	else if (status)
		error_prefix(err, "key-file");
	secret_file_wipe(&file);
	return status;
}

static enum status of_command(struct secret **out, const struct server_config *server,
                              bool (*cancelled)(void *ctx), void *ctx, struct error *err)
{
	struct server_command command = {.argv = server->key_command, .servers = server->file,
	                                 .cancelled = cancelled, .ctx = ctx};
	enum status status = server_command_run(&command, err);

	if (!status && (status = take_line(out, command.text, command.len, err)))
		error_prefix(err, "the key that '%.60s' printed", server->key_command[0]);
	server_command_wipe(&command);
	return status;
}

enum status server_key(struct secret **out, const struct server_config *server, bool (*cancelled)(void *ctx),
                       void *ctx, struct error *err)
{
	enum status status = STATUS_OK;
	struct error own = {.status = STATUS_OK};

	*out = NULL;
	if (!err)
		err = &own;
	err->status = STATUS_OK;
	if (server->key)
		status = secret_create(out, secret_text(server->key), strlen(secret_text(server->key)), err);
	else if (server->key_env)
		status = of_variable(out, server->key_env, err);
	else if (server->key_file)
		status = of_file(out, server->key_file, err);
	else if (server->key_command)
		status = of_command(out, server, cancelled, ctx, err);
	if (status && status != STATUS_CANCELLED) {
		error_prefix(err, "%s", server->name);
		if (status != STATUS_NOMEM) /* it is no model that is missing or wrong */
			status = err->status = STATUS_CONFIG;
	}
	return status;
}

/* "Bearer KEY": the last word. */
static void mask_header(const char *value, char *text)
{
	const char *blank = strrchr(value, ' ');
	struct secret *secret;

	value = blank ? blank + 1 : value;
	if (secret_create(&secret, value, strlen(value), NULL))
		return;
	secret_mask(secret, text);
	secret_free(secret);
}

void server_mask(const struct server_config *server, const struct secret *key, char *text)
{
	secret_mask(key, text);
	for (size_t i = 0; i < server->n_headers; i++)
		if (server->headers[i].secret)
			mask_header(server->headers[i].value, text);
}
