/* The model files on this machine: those loaded before, and those in the folders
 * where llama.cpp, Hugging Face, LM Studio, ollama and sotto keep theirs.
 *
 * Only the header of each file is read. A file that several paths lead to is
 * listed once; files that are not models by themselves (projectors, adapters,
 * vocabularies) are left out. This is the only header of this room that the UI
 * includes. */
#ifndef SOTTO_CATALOG_CATALOG_H
#define SOTTO_CATALOG_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "turn/engine_params.h"
#include "turn/turn.h"

enum catalog_state {
	MODEL_FITS,        /* in memory, with the requested context */
	MODEL_TIGHT,       /* only with a smaller context, n_ctx */
	MODEL_TOO_LARGE,   /* weights would be read from the file: slow, and no speed is estimated */
	MODEL_UNSUPPORTED, /* by this version, because of `why` */
	MODEL_DAMAGED,     /* or unreadable, because of `why` */
};

struct catalog_entry {
	char *path;            /* absolute; owned, like all strings here */
	char *name;            /* ollama's name, general.name or the file's name; not sanitised */
	char *why;             /* UNSUPPORTED, DAMAGED: one line, not sanitised; otherwise NULL */
	char architecture[32]; /* not sanitised */
	char type[16];         /* "Q4_K_M", or the commonest block type */
	enum catalog_state state;
	uint64_t file_bytes;   /* of all its parts */
	uint32_t n_parts;      /* how many files it is split into */
	uint64_t n_params;
	uint64_t n_active;     /* how many of them each token uses; 0: unknown */
	bool has_experts;      /* so that a token uses only some of them */
	uint32_t n_ctx_train;  /* 0: unknown */
	uint32_t n_ctx;        /* the context that `memory` is for; 0: unknown */
	uint64_t memory;       /* bytes of weights, cache and scratch; 0: unknown */
	uint64_t token_bytes;  /* how many of them each token reads (catalog/speed.h); 0: unknown */
	double speed;          /* estimated tokens a second; 0: unknown */
	int64_t used;          /* when it was last loaded, in seconds since the epoch; 0: never */
	bool is_current;       /* it is the file that params->model names */
	bool is_guide;         /* it is the model that comes with sotto */
};

struct catalog {
	/* First those loaded before, the latest first, then those that can be run, by name,
	 * then those that cannot, and the guide last. */
	struct catalog_entry *entries;
	size_t n;
	size_t n_found;      /* not counting the guide */
	size_t n_unreadable; /* folders that could not be read */
	bool is_cut;         /* a limit was reached: there may be more models */
	uint64_t available;  /* memory for a model, in bytes; 0: unknown */
	double weight_rate;  /* bytes of weights that this machine reads in a second; 0: unknown */
};

/* "fits", "tight", "too large", "unsupported", "damaged". */
const char *catalog_state_name(enum catalog_state state);

/* Called often; true ends the search with STATUS_CANCELLED. */
typedef bool (*catalog_cancelled)(void *ctx);

/* May be slow, as disks are: the UI's thread uses a searcher instead.
 * `params` give the context to count with and the current model. */
enum status catalog_scan(struct catalog **out, const struct engine_params *params,
                         catalog_cancelled cancelled, void *ctx, struct error *err) MUST_CHECK;
void catalog_free(struct catalog *catalog); /* NULL is fine */

/* Sets the entries' speeds, which a search leaves at 0. `weight_rate`: from speed_measure. */
void catalog_set_weight_rate(struct catalog *catalog, double weight_rate);

/* The name of the guide, the model that comes with sotto, wherever a model may be
 * named, and its path in the data directory. STATUS_NOTFOUND if there is no such
 * file; *out is its path even then. */
#define CATALOG_GUIDE "guide"
enum status catalog_guide_path(struct buf *out, struct error *err) MUST_CHECK;

/* Records that a model was loaded now, in a small file in the state directory, which
 * is replaced as a whole; not for one that is neither a file nor a server's. Any thread. */
enum status catalog_remember(const char *path, const struct model_identity *identity,
                             struct error *err) MUST_CHECK;
/* Where the model with this fingerprint (model_identity.file) and name is; with NULL for both, the one
 * recorded last. Whether a server still has its model is seen when it is opened. STATUS_NOTFOUND, or STATUS_IO where it is there but not to be read: *out is where it
 * was, empty where that was not recorded. */
enum status catalog_recall(struct buf *out, const char *file, const char *name,
                           struct error *err) MUST_CHECK;

/* Writes a few lines: which model to get for this much memory and this weight_rate
 * (0: unknown), and the command that downloads it. */
enum status catalog_advice(struct buf *out, uint64_t available, double weight_rate);

#endif
