#include "trace/rotation.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "model/model.h"
#include "model/ropes.h"

static enum status fill(struct rotation *out, const struct rope_set *set, size_t pos, struct error *err)
{
	float *table = alloc_array(set->n_pairs, 2 * sizeof *table);

	*out = (struct rotation){.pairing = set->pairing, .magnitude = set->magnitude, .n = set->n_pairs,
	                         .pairs = alloc_array(set->n_pairs, sizeof *out->pairs)};
	if (!table || !out->pairs) {
		free(table);
		return error_no_memory(err, "for the rotation");
	}
	rope_table(set->frequency, set->n_pairs, pos, 1, set->magnitude, table);
	for (size_t i = 0; i < out->n; i++)
		out->pairs[i] = (struct rotated_pair){
			.first = set->pairing == ROPE_ADJACENT ? 2 * i : i,
			.second = set->pairing == ROPE_ADJACENT ? 2 * i + 1 : i + out->n,
			.frequency = set->frequency[i], .angle = (double)pos * set->frequency[i],
			.cosine = table[2 * i], .sine = table[2 * i + 1]};
	free(table);
	return STATUS_OK;
}

enum status rotation_make(struct rotation *out, const struct model *model, size_t n_ctx, size_t set, size_t pos,
                          struct error *err)
{
	struct ropes ropes;
	enum status status = model_ropes(&ropes, model, n_ctx, err);

	*out = (struct rotation){.n = 0};
	if (status)
		return status;
	status = fill(out, &ropes.sets[set], pos, err);
	ropes_deinit(&ropes);
	return status;
}

void rotation_free(struct rotation *rotation)
{
	free(rotation->pairs);
	*rotation = (struct rotation){.n = 0};
}
