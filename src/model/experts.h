/* Which experts a token goes through, and the tokens of each. Private to this folder. */
#ifndef SOTTO_MODEL_EXPERTS_H
#define SOTTO_MODEL_EXPERTS_H

#include <stdint.h>

#include "kernels/matmul.h"
#include "model/plan.h"

enum { EXPERTS_MAX = 1024 };

/* For one token: turns scores[plan->n] into routes and gives the n_used chosen experts, best
 * first (of equals the lowest number), with their weights. `bias` [n] is added only for the
 * choice; NULL: none. */
void route_token(const struct experts_plan *plan, float *scores, const float *bias,
                 uint32_t *chosen, float *route);

/* The tokens of one expert. */
struct expert_batch {
	uint32_t expert;
	uint32_t first, n;       /* pairs, in the order of place[] */
	struct activations in;   /* input of its feed-forward, then its hidden values */
	struct matrix gate, up, down;
};

#endif
