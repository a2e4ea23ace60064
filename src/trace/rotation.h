/* The rotation of a position: what the engine turns pairs of a head's elements by, for each rope set of the model. */
#ifndef SOTTO_TRACE_ROTATION_H
#define SOTTO_TRACE_ROTATION_H

#include <stddef.h>

#include "base/error.h"
#include "kernels/rope.h"

struct model;

struct rotated_pair {
	size_t first, second; /* elements of a head */
	double frequency;     /* radians a position */
	double angle;         /* radians: position times frequency, not reduced */
	float cosine, sine;   /* as the engine has them, times the set's magnitude */
};

struct rotation {
	enum rope_pairing pairing;
	float magnitude;
	size_t n;                   /* pairs */
	struct rotated_pair *pairs; /* owned */
};

/* Of the model's rope set number `set`, in a context of n_ctx tokens, whose length may choose the frequencies.
 * rotation_free in every case. */
enum status rotation_make(struct rotation *out, const struct model *model, size_t n_ctx, size_t set, size_t pos,
                          struct error *err) MUST_CHECK;
void rotation_free(struct rotation *rotation);

#endif
