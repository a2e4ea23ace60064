/* What the files of Ollama's dialect share. Inside of remote/. */
#ifndef SOTTO_REMOTE_DIALECT_OLLAMA_H
#define SOTTO_REMOTE_DIALECT_OLLAMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "remote/dialect.h"

enum { OLLAMA_USUAL_CONTEXT = 8192, OLLAMA_STOPS_MAX = 16, OLLAMA_STOP_MAX = 63 };

/* What is known of the model in use: the dialect's own of a `struct remote`. */
struct ollama_model {
	uint32_t n_ctx; /* sent with each request; 0: not known, of a model that runs elsewhere */
	uint32_t n_ctx_max; /* what the model can; 0: not said */
	bool is_guess;      /* n_ctx is */
	bool thinks;
	bool always_thinks; /* gpt-oss: it cannot be switched off */
	bool has_levels;    /* of effort */
	bool is_elsewhere;  /* Ollama hands it on to another server */
	char host[64];      /* where it runs then */
	char stops[OLLAMA_STOPS_MAX][OLLAMA_STOP_MAX + 1]; /* [n_stops]: of the Modelfile */
	size_t n_stops;
	bool is_loaded;    /* with n_ctx, as far as is known */
	uint64_t asked_ms; /* when a reply was asked for; 0: not yet */
	int32_t n_predict; /* of the reply under way */
};

/* ---- ollama_show.c ---- */

/* Reads an answer of /api/show; n_ctx is the Modelfile's then, 0 if it has none. */
void ollama_read_show(struct ollama_model *out, const char *json, size_t len);
/* Whether two names are of one model. */
bool ollama_is_same(const char *a, const char *b);

#endif
