/* Inside the server: what there is (content.c), what is answered (play_*.c), how it is sent (connection.c). */
#ifndef SOTTO_TESTS_HUB_SERVER_INTERNAL_H
#define SOTTO_TESTS_HUB_SERVER_INTERNAL_H

#include <pthread.h>

#include "base/buf.h"
#include "base/limits.h"
#include "support/hub_server/hub_server.h"

/* Bytes; they live as long as the server. */
struct hub_content {
	char *front; /* owned */
	size_t n_front;
	uint64_t size;
	char digest[65];
	struct hub_content *next;
};

struct hub_entry {
	char *path; /* owned; of a layer its kind */
	bool is_small;
	const struct hub_content *content;
};

struct hub_repository {
	char *name, *licence; /* owned; "library/toy:1b" of ollama's */
	bool is_ollama;
	enum hub_access access;
	char commit[65];
	struct hub_entry *entries; /* [n], owned */
	size_t n, cap;
};

struct hub_trap {
	struct hub_fault fault; /* its texts are owned */
	unsigned count;
};

struct hub_server {
	struct hub_options options;
	char url[64], storage[64];
	int listeners[2];
	pthread_t threads[2];
	int log, gate[2], stop[2];
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Under `lock`. */
	struct hub_repository *repositories;
	size_t n_repositories, cap_repositories;
	struct hub_content *contents;
	struct hub_trap *traps;
	size_t n_traps, cap_traps;
	struct hub_request **requests;
	size_t n_requests, cap_requests;
	unsigned n_signed, n_expired; /* signatures are 1 .. n_signed; up to n_expired they are void */
	unsigned *uses;               /* [n_signed] */
	size_t cap_uses;
	unsigned n_connections, n_still;
};

struct hub_answer {
	int code;
	struct buf headers; /* "Name: value\r\n" each, but for lengths and connection */
	struct buf body;
	const struct hub_content *content; /* or this, from .. to - 1 */
	uint64_t from, to;
	bool is_head;
	struct hub_fault fault; /* HUB_ANYTHING and HUB_ANSWERS with code 0: none. Of the server's texts */
};

struct hub_call {
	const char *method, *target, *headers;
	char *path;        /* of the target, percent-decoded */
	const char *query; /* "" */
	enum hub_place place;
};

/* content.c */
const struct hub_content *hub_content_add(struct hub_server *server, const void *bytes, size_t n, uint64_t size, bool is_git);
/* Bytes from an offset on that lie side by side. */
const char *hub_content_at(const struct hub_content *content, uint64_t at, size_t *n);
struct hub_repository *hub_find(struct hub_server *server, const char *name, bool is_ollama);
const struct hub_entry *hub_find_entry(const struct hub_repository *repository, const char *path);
void hub_content_free(struct hub_server *server);

/* connection.c */
void hub_connection(struct hub_server *server, int fd, bool is_storage);
void hub_fatal(const char *what) __attribute__((noreturn));
char *hub_copy(const char *text);
bool hub_has_token(const struct hub_call *call);
/* The value of a header into a buffer; false: there is none. */
bool hub_header(const char *headers, const char *name, char *out, size_t size);
void hub_put_error(struct hub_answer *out, int code, const char *error_code, const char *message);
/* Sends to the storage, by an address that is signed. */
void hub_put_signed(struct hub_server *server, struct hub_answer *out, int code, const struct hub_content *content);

/* play_*.c: false if there is no such path. Under the lock. */
enum hub_place hub_place_of(const char *path, bool is_storage);
void hub_play_api(struct hub_server *server, const struct hub_call *call, struct hub_answer *out);
void hub_play_resolve(struct hub_server *server, const struct hub_call *call, struct hub_answer *out);
void hub_play_ollama(struct hub_server *server, const struct hub_call *call, struct hub_answer *out);
void hub_play_storage(struct hub_server *server, const struct hub_call *call, struct hub_answer *out);

#endif
