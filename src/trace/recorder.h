/* Keeps what passes through chosen places of a forward pass, by position, so that figures can be made of it. */
#ifndef SOTTO_TRACE_RECORDER_H
#define SOTTO_TRACE_RECORDER_H

#include <stddef.h>

#include "base/error.h"
#include "model/probe.h"

struct record {
	enum probe_place place;
	size_t layer;
	size_t n, width; /* rows, by position, and floats of each; of PROBE_STATE only the last row that was seen */
	size_t pos;      /* of the last row */
	float *data;     /* owned, [n][width] */
	size_t cap;      /* floats */
};

struct recorder {
	struct record *records; /* owned */
	size_t n, cap;
	enum status status;     /* STATUS_NOMEM: something is missing */
};

/* All zero at first. recorder_free in every case. */
void recorder_free(struct recorder *recorder);
/* Before the evaluation; asking twice is asking once. */
void recorder_want(struct recorder *recorder, enum probe_place place, size_t layer);
/* For session_set_probe; what is evaluated again takes the place of what was. */
struct probe recorder_probe(struct recorder *recorder);

/* NULL: nobody wanted it, or it has not been seen. Borrowed until the next evaluation. */
const struct record *recorder_find(const struct recorder *recorder, enum probe_place place, size_t layer);
enum status recorder_status(const struct recorder *recorder, struct error *err) MUST_CHECK;

#endif
