/* A server for tests: it plays llama-server, vLLM, SGLang, Ollama and others that speak OpenAI's /v1, over HTTP or
 * TLS on this machine, with what they get wrong. What it says is made of a specification like that of the synthetic
 * backend (engine/synthetic.h), its tokens of a vocabulary of its own (vocabulary.h); acts put something else in the
 * place of chosen answers. It keeps all requests for the test to look at.
 *
 *     struct test_server *server = test_server_start(&(struct server_options){.spec = "dialect=ollama,tokens=5"});
 *     ... test_server_url(server) ...
 *     test_server_stop(server);
 *
 * Specification, "KEY=VALUE,...":
 * scenario   a row of scenarios.c: its specification and acts come first
 * dialect    llama-server (default), vllm, sglang, ollama, openai, lmstudio, tabby, kobold, hosted
 * model      its id; "toy"
 * mode       words (default: "cold 0 cold 1 ..." at temperature 0, else "warm 0 ..."), echo (repeats the last message
 *            of the user), think (first "thought 0 thought 1 ...", unless it is told not to)
 * tokens     words of a reply, with those of one that goes on; 64.  think: words of the thoughts; 8
 * inline     1: thoughts stand in the text, between <think> and </think>; 2: only the closing mark comes
 * n_ctx      4096.  n_predict: of the server, where the request does not say; none
 * hold       after N words it waits until it is released; 0 = never
 * busy       1: nothing of a reply is sent, no head either, before it is released
 * rate       words a second; 0 = as fast as it can
 * loading    the first N requests for anything are answered with 503 "Loading model"
 * router     1: llama-server as a router: the models "alpha", loaded, and "beta", not loaded
 * keys       1: requests need the key "sk-CANARY"
 * probs      0: candidates are not known
 * tells      0: vLLM without --enable-tokenizer-info-endpoint
 *
 * Threads: all calls may be made by any thread. Without memory, or a free port, the process ends: it is a test. */
#ifndef SOTTO_TESTS_SERVER_H
#define SOTTO_TESTS_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SERVER_KEY "sk-CANARY-0123456789abcdef"

struct test_server;

/* How an answer ends. */
enum server_end {
	SERVER_ENDS,   /* as HTTP has it */
	SERVER_CUTS,   /* the connection is closed in the middle of it */
	SERVER_RESETS, /* the same with a reset */
	SERVER_HOLDS,  /* it does not end before it is released, or the client goes */
};

#define SERVER_AS_USUAL "\x01" /* what the dialect says */
#define SERVER_NOTHING "\x02"  /* not a byte */

/* An answer of the test's own. Texts are borrowed. */
struct server_act {
	const char *path; /* of the requests that it is for, without query; NULL: those for a reply */
	unsigned at;      /* which of these, from 1; 0: all that no other act is for */
	int code;         /* 0: 200 */
	const char *type; /* content-type; NULL: what the body looks like; "": none */
	const char *headers; /* more, "Name: value\n" each */
	const char *body; /* or one of these two */
	size_t len;       /* 0: to its NUL */
	size_t piece;     /* bytes at a time; 0: all at once */
	enum server_end end;
	bool busy;        /* nothing is sent before it is released */
	bool verbatim;    /* the body is all that is sent, status line and head included. Only of raw servers */
};

struct server_options {
	const char *spec;
	const struct server_act *acts; /* [n_acts], borrowed */
	size_t n_acts;
	bool tls;       /* with the certificate of test_server_ca() */
	bool wrong_host; /* TLS: a certificate for another host */
	bool raw;       /* bytes as acts say, by a socket of its own: no TLS, a request a connection */
	const char *greeting; /* raw: sent before anything is read ("SSH-2.0-x\r\n"); NULL: none */
	const char *unix_path; /* raw: a socket of the file system; NULL: TCP */
	const char *log; /* a file that requests are appended to, and "CLOSED /path" where the client goes; NULL: none */
	uint16_t port;  /* 0: any */
};

struct server_request {
	char *method, *path; /* with the query */
	char *headers;       /* "name: value\n" each, names in lower case */
	char *body;          /* NUL-terminated */
	size_t body_len;
	bool closed;         /* the client closed the connection before the answer had ended */
	bool finished;       /* the answer has been sent, or the connection is closed */
};

/* NULL with a word on stderr if this build has no libmicrohttpd and it is not raw. */
struct test_server *test_server_start(const struct server_options *options);
void test_server_stop(struct test_server *server); /* closes all connections; NULL is fine */
uint16_t test_server_port(const struct test_server *server);
const char *test_server_url(const struct test_server *server); /* without a path */
/* Lets everything go on that waits for that, now and later. */
void test_server_release(struct test_server *server);

size_t test_server_n_requests(struct test_server *server, const char *path); /* of a path; NULL: all */
/* The index-th of a path, or NULL; lives as long as the server. */
const struct server_request *test_server_request(struct test_server *server, const char *path, size_t index);
/* The newest request for a reply; NULL: none. */
const struct server_request *test_server_asked(struct test_server *server);
/* Waits, for up to ten seconds, for the request to come, to have an answer or to be closed by the client. */
bool test_server_wait(struct test_server *server, const char *path, size_t index);
bool test_server_wait_finished(struct test_server *server, const struct server_request *request);

/* A file in PEM of the authority that signed the server's certificate: its text. */
const char *test_server_ca(void);

#endif
