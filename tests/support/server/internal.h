/* Inside the test server: an answer, as the plays (play_*.c) make it and the transports (by_microhttpd.c, by_socket.c)
 * send it. */
#ifndef SOTTO_TESTS_SERVER_INTERNAL_H
#define SOTTO_TESTS_SERVER_INTERNAL_H

#include <pthread.h>

#include "base/buf.h"
#include "base/json.h"
#include "support/server/server.h"
#include "support/server/tree.h"

/* A part of a body that is sent at once. */
struct piece {
	size_t end;     /* in the body */
	unsigned pause; /* milliseconds before it */
	bool gated;     /* sent when the server is released */
};

struct answer {
	int code;
	char type[64];
	char headers[512]; /* "Name: value\n" each */
	struct buf body;
	struct piece *pieces; /* [n_pieces]; none: all at once, with a Content-Length */
	size_t n_pieces, cap_pieces;
	enum server_end end;
	bool busy, verbatim;
};

enum server_mode { MODE_WORDS, MODE_ECHO, MODE_THINK };

/* The specification. */
struct spec {
	char dialect[16], model[64];
	enum server_mode mode;
	long tokens, think, n_inline, n_ctx, n_predict, hold, busy, rate, loading, router, keys, probs, tells;
};

/* A reply, as it is asked for. */
struct reply {
	const struct spec *spec;
	const char *last;     /* the last message of the user; for echo */
	double temperature;
	char *kept;           /* owned; what `last` points to, or NULL */
	bool thinks;
	bool in_thoughts;     /* the prompt has the opening mark already */
	bool is_begun;        /* the reply goes on with one that has n_begun words */
	long n_begun;
	long limit;           /* of tokens; < 0: none */
	const struct json_tree *stops; /* a string or an array of them; NULL: none */
	size_t n_prompt;      /* tokens */
	/* Made by play_make: [n] words, thoughts first. */
	char **words;         /* owned */
	size_t n, n_thoughts;
	bool is_cut;          /* by the limit */
	const char *stopped;  /* by this string, which it does not have; NULL: it was not */
};

struct play_request {
	const struct spec *spec;
	const char *method, *path; /* without the query */
	const char *query;
	const struct json_tree *json;   /* NULL: none, or it is not JSON */
};

struct play {
	const char *dialect;
	const char *reply_paths[3]; /* of requests for a reply */
	/* False: there is no such path. */
	bool (*answer)(const struct play_request *request, struct answer *out);
};
extern const struct play server_plays[]; /* ended by one without dialect */
const struct play *play_find(const char *dialect);

bool play_openai(const struct play_request *request, struct answer *out);
bool play_vllm(const struct play_request *request, struct answer *out);
bool play_sglang(const struct play_request *request, struct answer *out);
bool play_llama(const struct play_request *request, struct answer *out);
bool play_ollama(const struct play_request *request, struct answer *out);

/* answer.c */
void play_put_json(struct answer *out, int code, const char *format, ...) PRINTF_LIKE(3, 4);
void play_put_piece(struct answer *out, unsigned pause, bool gated); /* what the body has got since the last one */
/* "data: ...\n\n", as a piece. */
void play_put_event(struct answer *out, const char *json, unsigned pause, bool gated);
void play_answer_free(struct answer *out);

/* reply.c */
void play_make(struct reply *reply);
void play_free(struct reply *reply);
/* The settings of a chat request of OpenAI's kind. */
void play_ask(struct reply *reply, const struct spec *spec, const struct json_tree *json);
/* The last message of a role; "". */
const char *play_last(const struct json_tree *messages, const char *role);
size_t play_count(const struct json_tree *messages); /* tokens, with markup */
/* The reply to a prompt as text in ChatML, its control tokens marked. */
void play_ask_raw(struct reply *reply, const struct spec *spec, const struct json_tree *json, const char *prompt);
unsigned play_pause(const struct reply *reply);
bool play_gated(const struct reply *reply, size_t word);
void play_spec(struct spec *spec, const char *text);

/* chat.c: an answer of OpenAI's kind, streamed or not. */
struct chat_style {
	const char *thoughts;  /* field of the delta; NULL: between marks in the text */
	bool has_ids;          /* token_ids, where they are asked for */
	bool has_timings;      /* llama-server's */
	bool usage_in_last;    /* in the chunk with the finish reason; otherwise in one without choices */
	bool completes;        /* choices[].text, of /v1/completions */
	const char *role;      /* of the first delta; NULL: there is none */
};
void play_chat_answer(const struct reply *reply, const struct chat_style *style, const struct json_tree *json, struct answer *out);
/* The prompt of a request: a text, ids, or both mixed. With `marked` there is CONTROL_MARK before each control token, so
 * that a text of its name is another thing. */
enum { CONTROL_MARK = '\x1d' };
void play_chat_prompt(const struct json_tree *prompt, bool marked, struct buf *text, size_t *n_tokens);
/* The text of messages in the server's template; with `generation` the head of a reply. */
void play_chat_template(const struct json_tree *messages, bool generation, bool thinking, struct buf *out);
/* Two candidates for a token, in OpenAI's way. */
void play_put_candidates(struct json_writer *json, const char *key, const char *token);
extern const char play_chat_template_source[];
/* Puts a 400 for a prompt that is too long, in the dialect's words; false: it fits. */
bool play_chat_refuses(const struct reply *reply, struct answer *out);

/* scenarios.c */
struct scenario {
	const char *name, *spec;
	struct server_act acts[6]; /* ended by one without body */
};
extern const struct scenario server_scenarios[]; /* ended by one without name */
const struct scenario *scenario_find(const char *name); /* NULL: none */

/* A request that is being answered. */
struct exchange {
	struct server_request *request;
	struct answer answer;
	size_t next; /* piece */
};

struct test_server {
	struct server_options options;
	struct spec spec;
	const struct play *play;
	const struct server_act *scenario_acts;
	size_t n_scenario_acts;
	char url[64];
	uint16_t port;
	int log;
	void *transport;
	int gate[2];    /* a pipe: readable once it is released */
	int stop[2];    /* ... once it stops */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Under `lock`. */
	struct server_request **requests; /* [n_requests] */
	size_t n_requests, cap_requests;
	long n_loading;
};

/* server.c: a request has come, whole. Its answer is made. */
void server_take(struct test_server *server, struct exchange *exchange, const char *method, const char *path,
                 struct buf *headers, struct buf *body);
/* Before the answer's head. False: the client has gone, or the server stops. */
bool server_wait_busy(struct test_server *server, struct exchange *exchange, int socket);
/* The next piece of the answer's body, after its pause or gate: from *at for the length returned. 0: no more; -1: the
 * client has gone, or the connection is to be closed. */
long server_next(struct test_server *server, struct exchange *exchange, int socket, size_t *at);
void server_finish(struct test_server *server, struct exchange *exchange, bool by_client);
void server_fatal(const char *what) __attribute__((noreturn));

/* Transports. */
bool by_microhttpd_start(struct test_server *server);
void by_microhttpd_stop(struct test_server *server);
bool by_socket_start(struct test_server *server);
void by_socket_stop(struct test_server *server);

extern const char server_ca[], server_certificate[], server_key_pem[], server_other_certificate[];

#endif
