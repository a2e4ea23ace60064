/* Which experts a token goes through, and the tokens of each. Private to this folder. */
#ifndef SOTTO_MODEL_EXPERTS_H
#define SOTTO_MODEL_EXPERTS_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/matmul.h"
#include "model/plan.h"

enum { EXPERTS_MAX = 1024 };

/* Of one token: from its scores[plan->n], which become routes, the n_used chosen experts, the best
 * first, of equals the one with the lowest number, and how much each counts. `bias` [n] is added
 * for the choice alone; NULL: none. */
void route_token(const struct experts_plan *plan, float *scores, const float *bias,
                 uint32_t *chosen, float *route);

/* The tokens of one expert. */
struct expert_batch {
	uint32_t expert;
	uint32_t first, n;       /* pairs, in the order of place[] */
	struct activations in;   /* what its feed-forward begins with; its hidden values then */
	struct matrix gate, up, down;
};

#endif
