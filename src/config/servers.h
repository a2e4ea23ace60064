/* servers.yaml: the servers whose models one may use besides the files of this machine.
 *
 *     box:
 *       url: http://127.0.0.1:8080        # or https://HOST/v1, or unix:///run/llama.sock
 *       dialect: llama-server             # else it is found out
 *       key-env: BOX_KEY                  # or key-command: [pass, show, box], key-file: ~/box.key, key: ...
 *       headers: {X-Team: blue}
 *       ca: ~/company.pem
 *       verify: no                        # its certificate is not looked at; always shown
 *       models:                           # what the server does not say, by id
 *         qwen-72b: {context: 32768, price-in: 0.4, price-out: 1.2, chat-template: ~/qwen.jinja}
 *
 * Paths may begin with ~; others are in the file's folder. Read anew whenever a server is used: a change needs no
 * restart. */
#ifndef SOTTO_CONFIG_SERVERS_H
#define SOTTO_CONFIG_SERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/secret.h"

struct server_model {
	char *id;            /* owned, like all strings here */
	uint32_t n_ctx;      /* 0: not said */
	double price_in, price_out, price_cached; /* dollars for a million tokens; -1: not said */
	char *chat_template; /* a file's path; NULL: the server's own */
};

struct server_header {
	char *name;
	const char *value;     /* one of these two */
	char *plain;
	struct secret *secret; /* by its name the value is a key */
};

struct server_config {
	char *name;        /* letters, digits, '-', '_', '.' */
	char *url;
	char *dialect;     /* NULL: it is found out */
	char *key_env, *key_file; /* at most one of these four is set */
	char **key_command; /* argv, NULL-terminated */
	struct secret *key; /* in clear in the file, which nobody else may read then */
	struct server_header *headers; /* [n_headers] */
	size_t n_headers;
	char *ca;
	bool is_unverified;
	struct server_model *models; /* [n_models] */
	size_t n_models;
	char *file;        /* where it stands, and */
	size_t line;       /* in which line */
};

struct servers {
	struct server_config *items; /* [n], in the file's order */
	size_t n;
};

/* `path` NULL: servers.yaml in the user's configuration folder, where none is no error: there are no servers.
 * With `problems` (lines that say what is wrong; no key is ever in them) a server that is wrong is left out, the others are read; with NULL
 * the first problem is an error, STATUS_CONFIG. */
enum status servers_read(struct servers *out, const char *path, struct buf *problems, struct error *err) MUST_CHECK;
void servers_free(struct servers *servers);
/* The file's path, for people. */
enum status servers_path(struct buf *out, const char *path, struct error *err) MUST_CHECK;
/* STATUS_NOTFOUND names those that there are, and the nearest. */
enum status servers_find(const struct servers *servers, const char *name, size_t len,
                         const struct server_config **out, struct error *err) MUST_CHECK;
/* Both at once, for who wants one server: what is wrong with others does not matter. Where its own entry is wrong:
 * STATUS_CONFIG with that, and where nothing of the file could be read, with the first that is wrong; where it is not
 * among the others, both are said. *servers is to be freed in any case. */
enum status servers_open(struct servers *servers, const char *path, const char *name, size_t len,
                         const struct server_config **out, struct error *err) MUST_CHECK;
void server_config_free(struct server_config *server); /* its strings and its key; {0} is fine */
/* What servers.yaml says of a model; NULL: nothing. */
const struct server_model *server_find_model(const struct server_config *server, const char *id);

/* The environment for a program that is started: without the variables that key-env names anywhere in the file,
 * whatever else is wrong in it, and without those of Hugging Face's token. The strings are the environment's own: free(*out) is enough. The variables stay
 * in this process: another server may share one, and each use of a server reads its key anew. */
enum status servers_environment(char ***out, const char *path, struct error *err) MUST_CHECK;

/* The server's key, from where its configuration says; *out NULL: it has none. A command runs without a shell, at
 * most 30 s, once a call; `cancelled` may end it. */
enum status server_key(struct secret **out, const struct server_config *server, bool (*cancelled)(void *ctx),
                       void *ctx, struct error *err) MUST_CHECK;
/* secret_mask for all that is a key of the server: its own (NULL: none), and its headers'. */
void server_mask(const struct server_config *server, const struct secret *key, char *text);

#endif
