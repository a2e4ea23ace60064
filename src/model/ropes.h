/* The rope sets of a model, for the context that a session has. */
#ifndef SOTTO_MODEL_ROPES_H
#define SOTTO_MODEL_ROPES_H

#include <stddef.h>

#include "base/error.h"
#include "model/plan.h"
#include "model/weights.h"

struct rope_set {
	enum rope_pairing pairing;
	size_t n_pairs;
	float magnitude;
	double *frequency; /* [n_pairs], owned: radians a position */
};

struct ropes {
	struct rope_set sets[PLAN_MAX_ROPES];
};

/* STATUS_FORMAT for factors that are no positive numbers. */
enum status ropes_init(struct ropes *ropes, const struct weights *weights, size_t n_ctx,
                       struct error *err) MUST_CHECK;
void ropes_deinit(struct ropes *ropes);

#endif
