/* A server for tests that plays Hugging Face's API and ollama's registry on one port, and on another one the storage to
 * which both send for the bytes of models, by signed addresses. What it gets wrong is said by faults.
 *
 *     struct hub_server *server = hub_server_start(&(struct hub_options){0});
 *     hub_server_put(server, "owner/repo", "x-Q4_K_M.gguf", bytes, n, 0);
 *     hub_server_put_layer(server, "library/toy:1b", "model", bytes, n, 0);
 *     hub_server_fault(server, &(struct hub_fault){HUB_BYTES, HUB_CUTS, .at = 1000, .n = 1});
 *     ... HF_ENDPOINT=hub_server_url(server), "ollama:URL/library/toy:1b" ...
 *     hub_server_stop(server);
 *
 * Threads: all calls may be made by any thread; a thread a connection answers. Without memory, or a free port, the
 * process ends: it is a test. */
#ifndef SOTTO_TESTS_HUB_SERVER_H
#define SOTTO_TESTS_HUB_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HUB_TOKEN "hf_CANARYCANARYCANARYCANARYCANARY0123"

struct hub_server;

struct hub_options {
	size_t page;              /* entries of a page of a listing; 0: 1000 */
	unsigned signature_uses;  /* after so many requests an address that was signed has expired; 0: never */
	uint64_t rate;            /* bytes a second of a connection to the storage; 0: as fast as it can */
	const char *log;          /* a file that requests are appended to; NULL: none */
	uint16_t port;            /* 0: any */
};

/* What a request is for. */
enum hub_place {
	HUB_ANYTHING,
	HUB_REFS,     /* /api/models/REPO/refs */
	HUB_TREE,     /* /api/models/REPO/tree/REVISION */
	HUB_INFO,     /* /api/models/REPO */
	HUB_RESOLVE,  /* /REPO/resolve/REVISION/PATH, which sends to the storage, or of small files to the next */
	HUB_SMALL,    /* /api/resolve-cache/models/REPO/REVISION/PATH */
	HUB_MANIFEST, /* /v2/NAMESPACE/MODEL/manifests/TAG */
	HUB_BLOB,     /* /v2/NAMESPACE/MODEL/blobs/DIGEST, which sends to the storage */
	HUB_BYTES,    /* the storage */
	HUB_N_PLACES
};

enum hub_kind {
	HUB_ANSWERS,      /* `code`, `headers` and `text` are the answer */
	HUB_CUTS,         /* the connection is closed after `at` bytes of the body */
	HUB_RESETS,       /* ... is reset */
	HUB_STANDS_STILL, /* after `at` bytes nothing more comes, until it is released or the client goes */
	HUB_CRAWLS,       /* after `at` bytes they come one at a time */
	HUB_NO_RANGES,    /* ranges are not heard of: 200, and all of it */
	HUB_WRONG_RANGE,  /* Content-Range is `text` ("bytes 0-9/10") */
	HUB_SHIFTED,      /* the bytes are those that begin one further on, Content-Range is what was asked */
	HUB_ETAG,         /* ETag (of HUB_RESOLVE, X-Linked-Etag) is `text`, where "%" is the digest; "": there is none */
	HUB_WRONG_BYTE,   /* the byte at `at` of the file is another one */
	HUB_LENGTH,       /* Content-Length is `at`; the connection ends after so many bytes, or all there are */
	HUB_CHUNKED,      /* no Content-Length: in chunks */
	HUB_GZIP,         /* says that it is compressed, although nobody asked for that */
	HUB_REDIRECTS,    /* to `text` */
	HUB_LOOPS,        /* to itself, with another query each time */
	HUB_N_KINDS
};

/* Of the requests for `place` whose path has `path` (NULL: any), numbers first .. first + n - 1, from 1. The first that
 * is for a request is taken; all count. Texts are copied. */
struct hub_fault {
	enum hub_place place;
	enum hub_kind kind;
	uint64_t at;
	const char *text, *headers; /* "Name: value\n" each */
	int code;
	const char *path;
	unsigned first, n; /* 0: 1, and all that follow */
};

struct hub_request {
	enum hub_place place;
	char *method, *target; /* path and query */
	char *headers;         /* "name: value\n" each, names in lower case */
};

struct hub_server *hub_server_start(const struct hub_options *options);
void hub_server_stop(struct hub_server *server); /* closes all connections; NULL is fine */
const char *hub_server_url(const struct hub_server *server);     /* "http://127.0.0.1:PORT" */
const char *hub_server_storage(const struct hub_server *server); /* the other one: "http://127.0.0.2:PORT" */

/* A file of a repository; one of the same path is replaced, and the commit is another then. Bytes are copied; `size`:
 * more than n, the rest made by a rule, fast and without memory. Less than 1 KiB and no .gguf: it is kept in git. */
void hub_server_put(struct hub_server *server, const char *repository, const char *path, const void *bytes, size_t n,
                    uint64_t size);
enum hub_access { HUB_OPEN, HUB_GATED /* HUB_TOKEN reads files */, HUB_PRIVATE /* HUB_TOKEN, or it is not there */ };
void hub_server_describe(struct hub_server *server, const char *repository, enum hub_access access, const char *licence);
/* A layer of a model of ollama's: "model", "template", "system", "params", "license", "projector" ... */
void hub_server_put_layer(struct hub_server *server, const char *model, const char *kind, const void *bytes, size_t n,
                          uint64_t size);
/* The digest of a file or layer (kind) by which it is served; "": there is none. Lives as long as the server. */
const char *hub_server_digest(struct hub_server *server, const char *repository, const char *path);
const char *hub_server_commit(struct hub_server *server, const char *repository);
/* The bytes of it, made by the rule where they are not there: for comparing. */
void hub_server_read(struct hub_server *server, const char *repository, const char *path, uint64_t from, void *out, size_t n);

void hub_server_fault(struct hub_server *server, const struct hub_fault *fault);
void hub_server_heal(struct hub_server *server);    /* no faults any more */
void hub_server_expire(struct hub_server *server);  /* all addresses that were signed so far */
void hub_server_release(struct hub_server *server); /* what stands still goes on, now and later */

size_t hub_server_n_requests(struct hub_server *server, enum hub_place place);
/* The index-th for a place, or NULL; lives as long as the server. */
const struct hub_request *hub_server_request(struct hub_server *server, enum hub_place place, size_t index);
/* Waits, for up to ten seconds, for that request; or until one stands still. */
bool hub_server_wait(struct hub_server *server, enum hub_place place, size_t index);
bool hub_server_wait_still(struct hub_server *server);
/* Whether an Authorization has come to the storage. */
bool hub_server_is_leaked(struct hub_server *server);

/* models.c: what a user can try. On the hub "tiny/toy-GGUF", several sizes, one of them split, with a vision file;
 * "tiny/gated-GGUF", "tiny/private-GGUF" (HUB_TOKEN); "tiny/toy", safetensors; "tiny/pickles"; all repositories of
 * catalog/recommended_models.h. Of ollama "library/toy:latest", "library/toy:1b" with what comes beside a model, and
 * "library/mlx:latest", which is no GGUF. All models are one, of random weights, each with a seed of its own; `size`:
 * bytes of the recommended ones; 0: as small as they are. */
void hub_server_put_usual(struct hub_server *server, uint64_t size);
/* A tiny model's file; the caller frees it. */
char *hub_tiny_model(uint64_t seed, size_t *n);

extern const char *const hub_place_names[HUB_N_PLACES], *const hub_kind_names[HUB_N_KINDS];

#endif
