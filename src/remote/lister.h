/* Which models the configured servers have, asked for as a job, so that no server holds the screen up: GETs that
 * load nothing, all servers at once, 5 s at most for each request and 10 for each server.
 *
 * Threads: one thread owns the lister and makes all calls. */
#ifndef SOTTO_REMOTE_LISTER_H
#define SOTTO_REMOTE_LISTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/job.h"

enum remote_state {
	REMOTE_LOADED,
	REMOTE_IDLE,     /* it is loaded when it is first asked: that takes time */
	REMOTE_UNKNOWN,  /* the server does not say */
	REMOTE_FAILED,   /* the server cannot be asked, or the model failed to load: `why` */
	REMOTE_OFFERED,  /* a server that runs on this machine and is not configured: `why` says what to write where */
};

/* A model of a server; or with id "" the server itself, where it has no model, FAILED or OFFERED. */
struct remote_model {
	char *server;     /* its name; owned, like all strings here. OFFERED: a name to give it */
	char *id;         /* not sanitised */
	char *path;       /* "server:NAME/ID" */
	char *where;      /* the host; "ollama.com" where the server hands it on */
	const char *title; /* of the dialect, "llama-server"; NULL: not known. Static */
	char *why;        /* one line, not sanitised; NULL: nothing to say */
	char *type;       /* "Q4_K_M"; NULL: the server does not say */
	uint64_t n_bytes, n_params; /* 0: it does not say */
	uint32_t n_ctx;   /* as loaded, or at most; 0: it does not say */
	double price_in, price_out; /* -1: not known */
	enum remote_state state;
	bool is_unverified; /* the certificate is not looked at */
	enum status status; /* of FAILED: what went wrong (a wrong key is STATUS_DECLINED) */
};

struct remote_list {
	struct remote_model *items; /* [n]: in the file's order, each server's models as it lists them */
	size_t n;
	size_t n_servers;  /* that are configured */
	bool has_more;     /* a server has more than LIMIT_LISTED_MODELS, of which the others are missing */
};

void remote_list_free(struct remote_list *list); /* NULL is fine */
/* An id as it is shown: the last part of one that is a path, "qwen.gguf" of "/models/qwen.gguf". Borrowed; not
 * sanitised. */
const char *remote_model_name(const char *id);
const char *remote_state_name(enum remote_state state); /* "loaded", "not loaded", "", "failed", "offered" */

struct lister { /* {0} is one that does not ask */
	struct job job;   /* to be polled: job_fd */
	char *file;       /* of servers, owned; NULL: the usual one */
	bool offers;      /* look for servers on this machine's usual ports, too */
	struct remote_list *list; /* owned */
	struct error err;
};

/* STATUS_BUSY if it asks already. `offers`: only where the user has asked to see models or servers. */
enum status lister_start(struct lister *lister, const char *file, bool offers, struct error *err) MUST_CHECK;
enum status lister_take(struct lister *lister, struct remote_list **list, struct error *err) MUST_CHECK;
void lister_end(struct lister *lister); /* {0} is fine */

/* The same, waited for. `name` NULL: all servers. */
enum status remote_list_ask(struct remote_list **out, const char *file, const char *name, bool offers,
                            bool (*cancelled)(void *ctx), void *ctx, struct error *err) MUST_CHECK;

/* Everything about one server, in plain words, a line each, as `sotto servers check` prints it: whether it is
 * reachable, the key, its dialect, models and contexts, what sotto can do with it and what not, and why. STATUS_OK:
 * it can be used; otherwise the lines end with what to do. */
enum status remote_explain(const char *file, const char *name, struct buf *out, bool (*cancelled)(void *ctx),
                           void *ctx, struct error *err) MUST_CHECK;

#endif
