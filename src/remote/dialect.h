/* How a kind of server is talked to: a dialect is a file and a row in dialects.c. The rest of the room is the same
 * for all of them: opening (remote.c), a reply with its phases and retries (ask.c), what servers have (list.c).
 *
 * What most dialects share, each in a file of its own, which a dialect's functions call as they like:
 *   fields.h    sampling options as JSON, by the dialect's table
 *   messages.h  the conversation as JSON messages
 *   raw.h       a prompt that is made here and sent as ids
 *   estimate.h  tokens of a conversation that nobody counts exactly
 *   chunk.h     what an event of OpenAI's kind says
 *   call.h      a short request: to list, to count, to ask */
#ifndef SOTTO_REMOTE_DIALECT_H
#define SOTTO_REMOTE_DIALECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "config/servers.h"
#include "encode/chat_template.h"
#include "encode/reasoning.h"
#include "engine/backend.h"
#include "net/http.h"
#include "remote/chunk.h"
#include "remote/lister.h"
#include "tokenizer/tokenizer.h"

/* One option of sotto, and how a dialect spells it (fields.h writes it). An option without a row is not sent, and its
 * slider is dimmed. Of several rows for one option the first counts that the model has not refused. Besides the
 * sampling options there are:
 *   "predict"               the most tokens; not sent without a limit, unless `off` says how, or for raw texts
 *   "stop"                  a list of texts
 *   "logit-bias"            an object, {"15043": 1.5}
 *   "samplers"              their order, a list of llama.cpp's names
 *   "dry-sequence-breaker"  a list of texts
 *   "reasoning"             true or false; where `off` is a text ("\"none\""), that if it is off, else nothing
 *   "effort"                a text; if it has the field of "reasoning", it wins over that, but for off
 *   "chat-template-kwargs"  members of the object: the field is "chat_template_kwargs.*"
 *   "candidates"            "logprobs": true, with "top_logprobs" beside it
 *   "continue"              "continue_final_message": true, with "add_generation_prompt" beside it: of a continued turn
 *   "usage"                 true: that the reply's tokens are told */
struct remote_field {
	const char *option; /* "top-k" */
	const char *field;  /* "top_k"; "options.top_k": in an object, whose rows stand together. "": the dialect writes
	                     * it by itself. NULL: it is not sent, because of `why` */
	const char *off;    /* JSON that is sent where the option is off: "-1" for vLLM's top_k. NULL: sotto's own
	                     * value for that */
	bool below_is_context; /* the context's size is sent in the place of a negative number */
	double max;         /* larger numbers are sent as this one; of "stop", "candidates": how many. 0: there is no limit */
	bool takes_texts;   /* of "logit-bias": texts, too, not only ids; false in the place of -inf */
	const char *why;    /* in plain words, static; NULL: a usual sentence */
};

enum { REMOTE_FIELDS_MAX = 64 };

/* An answer to the first question, GET MODELS. */
struct probe {
	const char *server;   /* header; "" */
	const char *body;     /* of /v1/models, "" where that has failed */
	size_t len;
	bool is_list;         /* the body is a list of models, */
	const char *owner;    /* ... and so the first of them is owned_by; "" */
	int code;
	uint16_t port;
};

struct remote;

/* A reply that is wanted. Borrowed. */
struct remote_ask {
	const struct turn *turn;
	struct sampler_params params; /* as they are when it is sent */
	int64_t seed;                 /* 0 or more: what params.seed says, or a new one; -1: not yet chosen, of a request that
	                               * is only shown */
	enum backend_mode mode;
};

/* What is sent for it: a dialect's `write` fills it in (request.h). All is owned. */
struct remote_request {
	struct buf path, body;
	bool *keep;            /* [turn->n_messages]: those that are sent; NULL: all. Also set where the context policy
	                        * refuses the turn, which is `refused` then */
	bool refused;
	unsigned changes;      /* enum prompt_change (encode/shape.h) */
	uint32_t n_prompt, n_dropped;
	bool is_estimate;      /* n_prompt is */
	uint64_t prompt_hash;  /* of ids; a dialect that sends none leaves it 0, and it becomes that of the body */
	enum reasoning_start start;
	bool echoes;           /* the server may repeat a continued reply before it goes on */
	struct token_list begun; /* ids at the prompt's end that a continued reply begins with: they are not told again */
};

struct dialect {
	const char *name;  /* in servers.yaml: "llama-server" */
	const char *title; /* for people: "llama-server (llama.cpp)" */
	bool warms;        /* BACKEND_WARM is sent, too; otherwise nothing is */
	const struct remote_field *fields; /* [n_fields <= REMOTE_FIELDS_MAX]: of most of its servers (remote->fields) */
	size_t n_fields;
	/* How sure an answer makes it: 0 no, 1 perhaps, 2 surely. */
	int (*knows)(const struct probe *probe);
	/* Its models, by GETs that load none. */
	enum status (*list)(struct remote *remote, struct remote_list *out, struct error *err);
	/* What must be known of remote->model before the first request: context, template, capabilities: it fills in
	 * remote->info. Loads no model. */
	enum status (*open)(struct remote *remote, struct error *err);
	void (*close)(struct remote *remote); /* frees remote->own, which is not NULL; NULL: nothing to free */
	/* Writes a request; whoever calls it (request.h) looks whether the buffers have held it. remote->dropped says which fields the server has refused. Also decides what is left out of
	 * the conversation; the caller tells it. */
	enum status (*write)(struct remote *remote, const struct remote_ask *ask, struct remote_request *out,
	                     struct error *err);
	/* One JSON document of the answer; also an answer that is no stream, and the body of an error, whose reason is
	 * then out->error. STATUS_FORMAT: it makes no sense, and is passed over. */
	enum status (*read)(struct remote *remote, const char *json, size_t len, struct chunk *out, struct error *err);
	/* NULL: estimate_inspect. */
	enum status (*inspect)(struct remote *remote, const struct turn *turn, struct inspection *out,
	                       struct error *err);
	/* "Answer now": ends the reasoning of the reply under way, whose id is `id` ("": none was told), by a request on
	 * remote->aside, or by setting remote->again. NULL: it cannot. */
	enum status (*answer_now)(struct remote *remote, const char *id, struct error *err);
};

extern const struct dialect dialect_llama_server, dialect_vllm, dialect_sglang, dialect_ollama, dialect_openai;
extern const struct dialect *const dialects[]; /* NULL-terminated; the last one takes whatever is left */
const struct dialect *dialect_find(const char *name); /* NULL: none */

/* What a server has counted last, with a reply or by itself: a conversation that begins with the same messages is estimated by it. */
struct remote_count {
	bool is_exact;      /* it was counted by itself, not with a reply: there is none to it */
	uint64_t hash;      /* of the messages that were answered, [n_messages]; 0 of them: nothing is known */
	size_t n_messages;
	uint32_t n_prompt;  /* tokens of all of them, as they were sent */
	size_t reply_len;   /* bytes of the reply's answer, ... */
	uint32_t n_reply;   /* and tokens, without its thoughts */
};

/* A server with its model, opened: a backend. A list of models has one without a model. */
struct remote {
	struct backend base;
	struct servers servers;       /* owned: where `server` is; empty if that is borrowed */
	const struct server_config *server;
	struct secret *key;           /* owned; NULL: none */
	struct http *http;            /* owned: of replies, and of all that comes before or between them */
	struct http *aside;           /* owned: of requests while a reply streams; remote_aside */
	struct http_target target;    /* points into server, key, `url` and `headers` */
	struct http_header *headers;  /* owned: the server's */
	char *url;                    /* remote_base of the server's; owned */
	char host[128];               /* as it is shown, "box.example:8080" */
	enum http_distance distance;
	const struct dialect *dialect;
	char *model;                  /* id in requests; owned */
	struct model_info info;       /* as the host was told */
	const struct remote_field *fields; /* [n_fields]: the dialect's, unless its `open` says otherwise */
	size_t n_fields;
	const char *product;          /* what the list of models calls it, "LM Studio"; NULL: nothing. Static */
	uint64_t dropped;             /* bit i: fields[i] was refused by this model, and is not sent */
	double bytes_per_token;       /* for estimates; corrected by each usage that comes back */
	struct remote_count counted;
	bool has_reasoned;            /* reasoning has come in a field of its own: none is looked for in texts */
	bool has_inline_thoughts;     /* set by `open`: they may come between markers in the text, where no field has them */
	/* Set by `open` where ids mean something (the dialect owns them), else NULL: chunks with ids are spelled by the
	 * tokenizer, and divided by the template's markers, stops and end marker. */
	const struct tokenizer *tokenizer;
	const struct chat_template *tmpl;
	/* Set in `answer_now` or `read`: the call under way ends, `write` is called anew, and the same reply goes on. */
	bool again;
	const struct remote_clock *clock; /* NULL: the real one (retry.h) */
	bool has_learnt;              /* set in `write` or `read`: `info` has changed, which is told then */
	bool is_loading;              /* the last refusal was a 503: the server loads its model, and may be asked again. Or
	                               * set in `write`: the request will have the model loaded */
	/* How the last short request (call.h) has failed, by code, trouble and retry_after_ms alone; code 0 and
	 * HTTP_FINE: it has not. */
	struct http_answer refused;
	bool is_asleep;               /* set in `open` and `write`: the model is not loaded, and `info` a guess before it is */
	uint32_t wanted_ctx;          /* the user's ctx-size; 0: not said */
	/* Whom to ask whether to stop: set by whoever calls any of this, at each call. */
	bool (*cancelled)(void *ctx);
	void *cancel_ctx;
	const struct backend_host *told; /* what calls wait for, before a model is open and a reply begins; NULL: nobody is */
	void *own;                    /* the dialect's; owned by it */
};

#endif
