/* How a kind of server is talked to: a dialect is a file and a row in dialects.c. The rest of the room
 * (remote.c: opening; ask.c: a reply, its phases, retries; list.c) is the same for all of them. */
#ifndef SOTTO_REMOTE_DIALECT_H
#define SOTTO_REMOTE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/json.h"
#include "config/servers.h"
#include "engine/backend.h"
#include "net/http.h"
#include "remote/lister.h"

/* One option of sotto, and how a dialect spells it. Options without a row are not sent, and their sliders are
 * dimmed: `why` in the row that has no field, else a usual sentence. */
struct remote_field {
	const char *option; /* "top-k"; also "seed", "stop", "logit-bias", "samplers", "reasoning", "effort" */
	const char *field;  /* "top_k"; NULL: it is not sent, because of `why` */
	double off;         /* what is sent in the place of sotto's own value for off (option.off), -1 for SGLang's
	                     * top_k; NAN: the same value */
	double min;         /* the least that the server takes; smaller ones are sent as `below`; NAN: none */
	double below;
	const char *why;
};

/* What one event of a stream says. The dialect appends and sets; remote/ask.c uses and clears it. */
enum chunk_end { CHUNK_GOES_ON, CHUNK_END, CHUNK_STOP, CHUNK_LENGTH, CHUNK_CONTEXT, CHUNK_FILTERED };
struct chunk {
	struct buf text, reasoning; /* UTF-8 or not, not sanitised */
	int32_t ids[64];            /* [n_ids]: of `text`, where the server tells them */
	size_t n_ids;
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX]; /* of the first token of `text` */
	size_t n_candidates;
	float probability;
	enum chunk_end end;
	bool is_last;               /* nothing follows: [DONE], done:true, stop:true */
	struct {
		bool is_known, knows_cached, knows_cost;
		uint32_t n_prompt, n_cached, n_generated, n_reasoning;
		double cost;            /* dollars */
		double prefill_ms, decode_ms; /* 0: not told */
	} usage;
	struct {
		bool is_known;
		uint32_t done, total, cached;
	} progress;                 /* of the prompt */
	struct error error;         /* status STATUS_OK: none. Of the server: not sanitised, the key not yet masked */
};

/* An answer to the first question, GET MODELS. */
struct probe {
	const char *server;   /* header; "" */
	const char *body;     /* of /v1/models, "" where that has failed */
	size_t len;
	int code;
	uint16_t port;
};

struct remote;

/* A request for a reply. */
struct remote_ask {
	const struct turn *turn;
	const struct sampler_params *params; /* as they are when it is sent */
	int64_t seed;
	enum backend_mode mode;
};

struct dialect {
	const char *name;  /* in servers.yaml: "llama-server" */
	const char *title; /* for people: "llama-server (llama.cpp)" */
	uint16_t ports[4]; /* where it usually listens on this machine; 0: no more */
	bool is_ndjson;    /* its stream is a JSON object a line, not server-sent events */
	const struct remote_field *fields;
	size_t n_fields;
	/* How sure an answer makes it: 0 no, 1 perhaps, 2 surely. */
	int (*knows)(const struct probe *probe);
	/* Its models, by GETs that load none. */
	enum status (*list)(struct remote *remote, struct remote_list *out, struct error *err);
	/* What must be known of remote->model before the first request: context, template, capabilities. Loads no model. */
	enum status (*open)(struct remote *remote, const struct backend_host *host, struct error *err);
	void (*close)(struct remote *remote); /* frees remote->own; NULL: nothing to free */
	/* Writes path and body of a request. remote->dropped says which fields the server has refused. Also decides what is left out of the
	 * conversation, and tells it (EVENT_FITTED, EVENT_NOTE). */
	enum status (*write)(struct remote *remote, const struct remote_ask *ask, const struct backend_host *host,
	                     struct buf *path, struct buf *body, struct backend_result *result, struct error *err);
	/* One event, or one line, of the answer; also the whole of an answer that is not a stream. STATUS_FORMAT: it
	 * makes no sense, and is passed over. */
	enum status (*read)(struct remote *remote, const char *json, size_t len, struct chunk *out, struct error *err);
	enum status (*inspect)(struct remote *remote, const struct turn *turn, struct inspection *out,
	                       struct error *err);
	/* "Answer now": ends the reasoning of the reply under way, whose id is `id`. NULL: it cannot. */
	enum status (*answer_now)(struct remote *remote, const char *id, struct error *err);
};

extern const struct dialect *const dialects[]; /* NULL-terminated */
const struct dialect *dialect_find(const char *name); /* NULL: none */

/* Text and counts of the conversation as chat messages, for dialects that send these (remote/messages.c, estimate.c). */

/* A server with its model, opened: a backend. */
struct remote {
	struct backend base;
	struct server_config *server; /* owned */
	struct secret *key;           /* owned; NULL: none */
	struct http *http;            /* owned */
	struct http_target target;    /* points into `server` and `key` */
	enum http_distance distance;
	const struct dialect *dialect;
	char *model;                  /* id in requests; owned */
	struct model_info info;       /* as the host was told */
	unsigned dropped;             /* bit i: fields[i] was refused by this model, and is not sent */
	double bytes_per_token;       /* for estimates; corrected by each usage that comes back */
	const struct backend_host *host; /* of the call under way */
	void *own;                    /* the dialect's; owned by it */
};

#endif
