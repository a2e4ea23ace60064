/* What went through the places of a model while some tokens were evaluated, one after the other from the first on. Which
 * token a row is of is counted, not asked as in trace/recorder.h: what the engine takes for its position may be wrong. */
#ifndef SOTTO_DOCTOR_RECORD_H
#define SOTTO_DOCTOR_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "model/probe.h"

enum { RECORD_PLACES = PROBE_FINAL + 1 };

struct recorded {
	size_t width;
	size_t n;     /* rows so far */
	float *rows;  /* owned: [n_tokens][width]; NULL: never seen */
};

struct record {
	size_t n_tokens, n_layer;
	struct recorded *places; /* owned: [RECORD_PLACES][n_layer + 1] */
	size_t *begin, *end;     /* owned, [n_tokens]: the micro-batch that each token was in */
	bool lacks_memory;       /* something could not be kept */
	struct probe probe;      /* to give to a session */
};

/* False without memory. record_free in every case. */
bool record_init(struct record *record, size_t n_tokens, size_t n_layer);
void record_free(struct record *record);
/* A row of a place; NULL: it was not seen. */
const float *record_row(const struct record *record, enum probe_place place, size_t layer, size_t pos);
size_t record_width(const struct record *record, enum probe_place place, size_t layer);

#endif
