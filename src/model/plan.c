#include "model/plan.h"

/* The largest of n layers' values, each a product of two. */
#define LARGEST(plan, a, b) \
	uint32_t max = 0; \
	for (uint32_t i = 0; i < (plan)->n_layer; i++) { \
		const struct layer_plan *l = &(plan)->layers[i]; \
	\
		if ((a) * (b) > max) \
			max = (a) * (b); \
	} \
	return max

uint32_t plan_max_ff(const struct plan *plan)
{
	LARGEST(plan, l->n_ff, 1);
}

uint32_t plan_max_q(const struct plan *plan)
{
	LARGEST(plan, l->n_head, l->head_dim_k);
}

uint32_t plan_max_heads(const struct plan *plan)
{
	LARGEST(plan, l->n_head, l->head_dim_v);
}

uint32_t plan_max_k(const struct plan *plan)
{
	LARGEST(plan, l->n_head_kv, l->head_dim_k);
}

uint32_t plan_max_v(const struct plan *plan)
{
	LARGEST(plan, l->n_head_kv, l->head_dim_v);
}
