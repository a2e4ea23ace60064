#include "config/servers_entry.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/sanitize.h"
#include "base/words.h"

enum status entry_wrong(const struct server_entry *entry, size_t line, struct error *err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	error_vset(err, STATUS_CONFIG, fmt, args);
	va_end(args);
	error_prefix(err, "%s", entry->server->name);
	return yaml_locate(entry->reader, line, STATUS_CONFIG, err);
}

enum status entry_check_text(const struct server_entry *entry, const char *key, const struct yaml_item *value,
                              struct error *err)
{
	enum status status = yaml_check_comment(entry->reader, value, err);

	if (status)
		return status;
	if (value->kind != YAML_SCALAR || yaml_is_null(value) || !value->len)
		return entry_wrong(entry, value->line, err, "%s: expected a text", key);
	if (value->len > LIMIT_SERVER_TEXT)
		return entry_wrong(entry, value->line, err, "%s: longer than %d bytes", key, LIMIT_SERVER_TEXT);
	if (sanitize_has_controls(value->text, value->len))
		return entry_wrong(entry, value->line, err, "%s: has a line break or another control character", key);
	return STATUS_OK;
}

enum status entry_take_text(const struct server_entry *entry, const char *key, const struct yaml_item *value,
                             char **out, struct error *err)
{
	enum status status = entry_check_text(entry, key, value, err);

	if (status)
		return status;
	*out = alloc_strndup(value->text, value->len);
	return *out ? STATUS_OK : error_no_memory(err, NULL);
}

enum status entry_take_path(const struct server_entry *entry, const char *key, const struct yaml_item *value,
                             char **out, struct error *err)
{
	const char *file = entry->server->file, *slash = strrchr(file, '/');
	enum status status = entry_check_text(entry, key, value, err);
	struct buf path = {.max = KIB(64)};

	if (status)
		return status;
	if (value->text[0] != '/' && value->text[0] != '~' && slash)
		buf_append(&path, file, (size_t)(slash - file) + 1);
	home_path_put(&path, value->text);
	*out = buf_take(&path, NULL);
	buf_free(&path);
	return *out ? STATUS_OK : error_no_memory(err, NULL);
}

/* ---- keys of a server ---- */

static bool begins_with(const char *text, const char *word)
{
	return strncasecmp(text, word, strlen(word)) == 0;
}

/* What can be said without asking net/http.h, which looks at the rest. */
static enum status read_url(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	enum status status = entry_take_text(entry, "url", value, &entry->server->url, err);
	const char *url = entry->server->url, *host;

	if (status)
		return status;
	if (begins_with(url, "unix://"))
		return url[strlen("unix://")] == '/' ? STATUS_OK
			: entry_wrong(entry, value->line, err, "url: a socket is named by its whole path, as in unix:///run/llama.sock");
	host = begins_with(url, "http://") ? url + strlen("http://")
		: begins_with(url, "https://") ? url + strlen("https://") : NULL;
	if (!host || !host[0] || strchr("/:", host[0]))
		return entry_wrong(entry, value->line, err, "url: expected http://HOST:PORT, https://HOST or unix:///PATH");
	if (strchr(url, ' '))
		return entry_wrong(entry, value->line, err, "url: has a blank");
	if (memchr(host, '@', strcspn(host, "/")))
		return entry_wrong(entry, value->line, err, "url: takes no name and password: use key-env, key-command or key-file");
	if (strpbrk(host, "?#"))
		return entry_wrong(entry, value->line, err, "url: takes no '?' and no '#': a key goes into key-env, key-command "
		             "or key-file");
	return STATUS_OK;
}

static enum status read_dialect(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	return entry_take_text(entry, "dialect", value, &entry->server->dialect, err);
}

static bool is_variable(const char *text, size_t len)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";

	return len && !number_is_digit(text[0]) && strspn(text, letters) == len;
}

/* As it stands in the file: servers_environment looks for it there. */
static enum status read_key_env(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	size_t quotes = value->plain ? 0 : 2;

	if (value->kind != YAML_SCALAR || !is_variable(value->text, value->len) ||
	    value->to - value->from != value->len + quotes)
		return entry_wrong(entry, value->line, err, "key-env: expected the name of a variable, such as BOX_KEY");
	return entry_take_text(entry, "key-env", value, &entry->server->key_env, err);
}

static enum status read_key_file(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	return entry_take_path(entry, "key-file", value, &entry->server->key_file, err);
}

/* Words are no shell's, but ~ at the beginning of one is the home folder all the same. */
static enum status add_word(struct server_entry *entry, size_t line, const char *text, size_t *n, struct error *err)
{
	struct server_config *server = entry->server;
	struct buf word = {.max = KIB(64)};

	if (*n == LIMIT_SERVER_COMMAND)
		return entry_wrong(entry, line, err, "key-command: more than %d words", LIMIT_SERVER_COMMAND);
	if (home_path_put(&word, text))
		return entry_wrong(entry, line, err, "key-command: a word is too long");
	buf_puts(&word, ""); /* an empty word, too */
	server->key_command[*n] = buf_take(&word, NULL);
	if (!server->key_command[*n])
		return error_no_memory(err, NULL);
	++*n;
	return STATUS_OK;
}

static enum status split_command(struct server_entry *entry, const struct yaml_item *value, size_t *n,
                                 struct error *err)
{
	enum status status = entry_check_text(entry, "key-command", value, err);
	const char *text = value->text;
	size_t left = value->len;
	bool found = true;
	struct buf word = {.max = KIB(8)};

	while (!status && found) {
		status = words_next(&text, &left, &word, &found, err);
		if (status)
			status = entry_wrong(entry, value->line, err, "key-command: a quotation mark is not closed");
		else if (found)
			status = add_word(entry, value->line, buf_text(&word), n, err);
	}
	buf_free(&word);
	return status;
}

static enum status read_key_command(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	struct yaml_item item = *value;
	enum status status = STATUS_OK;
	size_t n = 0, line = value->line;

	entry->server->key_command = alloc_array(LIMIT_SERVER_COMMAND + 1, sizeof(char *));
	if (!entry->server->key_command)
		return error_no_memory(err, NULL);
	if (value->kind == YAML_MAP_BEGIN)
		return entry_wrong(entry, line, err, "key-command: expected a command or a list of its words");
	if (value->kind == YAML_SCALAR)
		status = split_command(entry, value, &n, err);
	while (!status && value->kind == YAML_LIST_BEGIN) {
		status = yaml_next_value(entry->reader, &item, err);
		if (status || item.kind == YAML_LIST_END)
			break;
		status = item.kind != YAML_SCALAR || strpbrk(item.text, "\r\n")
			? entry_wrong(entry, item.line, err, "key-command: expected a list of words")
			: add_word(entry, item.line, item.text, &n, err);
	}
	if (!status && (!n || !entry->server->key_command[0][0]))
		status = entry_wrong(entry, line, err, "key-command: names no program");
	return status;
}

static enum status check_private(const struct server_entry *entry, const char *name, size_t line,
                                 struct error *err)
{
	struct buf file = {.max = KIB(64)};
	enum status status = STATUS_OK;

	home_path_put_short(&file, entry->server->file);
	if (!entry->source->is_private)
		status = entry_wrong(entry, line, err, "%s: a key in clear, in a file that is not yours alone: "
		                     "`chmod 600 %s` keeps others from reading it", name, buf_text(&file));
	buf_free(&file);
	return status;
}

/* As it stands in the file, without quotation marks; false: that is not what YAML would make of it. */
static bool find_secret(const struct server_entry *entry, const struct yaml_item *value, const char **text,
                        size_t *len)
{
	const char *masked = yaml_source(entry->reader, value, len);
	char quote;

	*text = entry->source->text + (masked - entry->source->masked);
	quote = *len >= 2 && strchr("\"'", (*text)[0]) ? (*text)[0] : '\0';
	if (value->plain != !quote)
		return false; /* a text of several lines */
	*text += quote ? 1 : 0;
	*len -= quote ? 2 : 0;
	return !memchr(*text, '\n', *len) && !memchr(*text, '\r', *len) && !(quote && memchr(*text, quote, *len)) &&
	       !(quote == '"' && memchr(*text, '\\', *len));
}

enum status entry_take_secret(const struct server_entry *entry, const char *name, const struct yaml_item *value,
                              struct secret **out, struct error *err)
{
	enum status status = yaml_check_comment(entry->reader, value, err);
	const char *text;
	struct error bad;
	size_t len;

	if (status)
		return status;
	if (value->kind != YAML_SCALAR || yaml_is_null(value) || !value->len)
		return entry_wrong(entry, value->line, err, "%s: expected a text", name);
	status = check_private(entry, name, value->line, err);
	if (status)
		return status;
	if (!find_secret(entry, value, &text, &len))
		return entry_wrong(entry, value->line, err, "%s: a key stands in one line, without backslashes and doubled "
		                   "quotation marks", name);
	if (len > LIMIT_SERVER_TEXT)
		return entry_wrong(entry, value->line, err, "%s: longer than %d bytes", name, LIMIT_SERVER_TEXT);
	if (secret_create(out, text, len, &bad))
		return entry_wrong(entry, value->line, err, "%s: %s", name, bad.text);
	return STATUS_OK;
}

static enum status read_key(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	return entry_take_secret(entry, "key", value, &entry->server->key, err);
}

/* ---- TLS ---- */

static enum status read_ca(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	return entry_take_path(entry, "ca", value, &entry->server->ca, err);
}

static enum status read_verify(struct server_entry *entry, const struct yaml_item *value, struct error *err)
{
	static const char *const words[][2] = {{"no", "yes"}, {"off", "on"}, {"false", "true"}};

	for (size_t i = 0; i < sizeof words / sizeof words[0] && value->kind == YAML_SCALAR; i++)
		for (size_t yes = 0; yes < 2; yes++)
			if (strcasecmp(value->text, words[i][yes]) == 0) {
				entry->server->is_unverified = !yes;
				return STATUS_OK;
			}
	return entry_wrong(entry, value->line, err, "verify: expected yes or no");
}

/* ---- the table ---- */

enum status entry_read_row(struct server_entry *entry, const struct entry_row *rows, size_t n, unsigned *seen,
                            const struct yaml_item *key, struct error *err)
{
	struct nearest nearest;
	struct yaml_item value;
	enum status status;
	size_t i = 0;

	nearest_init(&nearest, key->text, key->len);
	for (; i < n && strcmp(rows[i].name, key->text) != 0; i++)
		nearest_offer(&nearest, rows[i].name);
	if (i == n && nearest_best(&nearest))
		return entry_wrong(entry, key->line, err, "there is no '%.40s'%s", key->text, nearest_hint(&nearest));
	if (i == n) /* whatever that is */
		return entry_wrong(entry, key->line, err, "a name that is none of those known (sotto-servers(5) lists them)");
	if (*seen & 1u << i)
		return entry_wrong(entry, key->line, err, "%s is given twice", rows[i].name);
	*seen |= 1u << i;
	status = yaml_next_value(entry->reader, &value, err);
	return status ? status : rows[i].read(entry, &value, err);
}

static enum status read_server_key(void *ctx, struct yaml_reader *reader, const struct yaml_item *key,
                                   struct error *err)
{
	static const struct entry_row rows[] = {
		{"url", read_url}, {"dialect", read_dialect}, {"key-env", read_key_env},
		{"key-command", read_key_command}, {"key-file", read_key_file}, {"key", read_key},
		{"headers", entry_read_headers}, {"ca", read_ca}, {"verify", read_verify}, {"models", entry_read_models},
	};
	struct server_entry *entry = ctx;

	(void)reader;
	return entry_read_row(entry, rows, sizeof rows / sizeof rows[0], &entry->seen, key, err);
}

/* What does not go together, or is missing. */
static enum status check_whole(const struct server_entry *entry, struct error *err)
{
	const struct server_config *server = entry->server;
	int n_keys = (server->key_env != NULL) + (server->key_file != NULL) + (server->key_command != NULL) +
	             (server->key != NULL);

	if (!server->url)
		return entry_wrong(entry, server->line, err, "has no url");
	if (n_keys > 1)
		return entry_wrong(entry, server->line, err, "has several keys: only one of key-env, key-command, key-file and "
		             "key may be there");
	for (size_t i = 0; n_keys && i < server->n_headers; i++)
		if (strcasecmp(server->headers[i].name, "Authorization") == 0)
			return entry_wrong(entry, server->line, err, "has a key and a header Authorization, which is where the key goes");
	return STATUS_OK;
}

enum status server_read_entry(struct server_config *server, struct yaml_reader *reader, const struct yaml_item *value,
                              const struct server_source *source, struct error *err)
{
	struct server_entry entry = {.server = server, .reader = reader, .source = source};
	enum status status;

	if (value->kind != YAML_MAP_BEGIN)
		return entry_wrong(&entry, value->line, err, "expected lines below it, indented: 'url: http://HOST:PORT'");
	status = yaml_read_entries(reader, read_server_key, &entry, err);
	return status ? status : check_whole(&entry, err);
}
