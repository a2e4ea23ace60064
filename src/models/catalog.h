/* The model files of this machine: those that were loaded before, and what lies
 * where llama.cpp, Hugging Face, LM Studio, ollama and sotto keep theirs.
 *
 * Of each file no more than its header is looked at. A file that several paths
 * lead to stands there once; what is no model of its own (projectors, adapters,
 * vocabularies) is left out. The one header of models/ that the UI includes. */
#ifndef SOTTO_MODELS_CATALOG_H
#define SOTTO_MODELS_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "engine/params.h"

enum catalog_state {
	MODEL_FITS,        /* with the context that is asked for */
	MODEL_TIGHT,       /* with a smaller one: n_ctx */
	MODEL_TOO_LARGE,   /* weights would be read from the file: slow, and no speed is estimated */
	MODEL_UNSUPPORTED, /* `why` says of what this version cannot do */
	MODEL_DAMAGED,     /* or cannot be read */
};

struct catalog_entry {
	char *path;            /* absolute; owned, as all strings here */
	char *name;            /* as ollama calls it, general.name or the file's name; not sanitised */
	char *why;             /* UNSUPPORTED, DAMAGED: one line, not sanitised; else NULL */
	char architecture[32]; /* not sanitised */
	char type[16];         /* "Q4_K_M", or the commonest block type */
	enum catalog_state state;
	uint64_t file_bytes;   /* of all its parts */
	uint32_t n_parts;      /* files that it is split into, which stand there as one */
	uint64_t n_params;
	uint64_t n_active;     /* of them, those that a token takes part with; 0: unknown */
	bool has_experts;      /* so that these are not all */
	uint32_t n_ctx_train;  /* 0: unknown */
	uint32_t n_ctx;        /* that `memory` is for; 0: unknown */
	uint64_t memory;       /* weights, cache and scratch; 0: unknown */
	uint64_t token_bytes;  /* of them, what each token takes: models/speed.h; 0: unknown */
	double speed;          /* tokens a second as estimated; 0: unknown */
	int64_t used;          /* when it was last loaded, seconds since the epoch; 0: never */
	bool is_current;       /* the file that params->model names */
	bool is_guide;         /* the model that comes with sotto */
};

struct catalog {
	/* Those loaded last first, then what can be run, by name; what cannot comes
	 * behind it, and last the guide. */
	struct catalog_entry *entries;
	size_t n;
	size_t n_found; /* without the guide */
	size_t n_unreadable; /* folders that could not be looked into */
	bool is_cut;         /* a limit was hit: there may be more */
	uint64_t available;  /* memory for a model, in bytes; 0: unknown */
	double weight_rate;  /* bytes of weights that go through this machine in a second; 0: unknown */
};

/* "fits", "tight", "too large", "unsupported", "damaged". */
const char *catalog_state_name(enum catalog_state state);

/* Asked often; true ends the search with STATUS_CANCELLED. */
typedef bool (*catalog_cancelled)(void *ctx);

/* Takes its time (disks): not for the UI's thread, which has worker_post_catalog.
 * `params` say which context to count with, and which model is the current one. */
enum status catalog_scan(struct catalog **out, const struct engine_params *params,
                         catalog_cancelled cancelled, void *ctx, struct error *err) MUST_CHECK;
void catalog_free(struct catalog *catalog); /* NULL is fine */

/* The entries' speeds, which a search leaves open, from what speed_measure gave. */
void catalog_set_weight_rate(struct catalog *catalog, double weight_rate);

/* What the guide, the model that comes with sotto, is called wherever a model is
 * named, and its path in the data directory. STATUS_NOTFOUND, with the path all
 * the same, where there is no such file. */
#define CATALOG_GUIDE "guide"
enum status catalog_guide_path(struct buf *out, struct error *err) MUST_CHECK;

/* Remembers that a model was loaded now. Its path is kept in a small file in
 * the state directory, which is replaced as a whole. Any thread. */
enum status catalog_remember(const char *path, struct error *err) MUST_CHECK;

/* Which model to get for this much memory and this speed (0: unknown), and the
 * command that does it: a few lines. */
enum status catalog_advice(struct buf *out, uint64_t available, double weight_rate);

#endif
