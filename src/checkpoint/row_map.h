/* Orders of rows, for tensors whose rows the engine wants otherwise than the laboratory. */
#ifndef SOTTO_CHECKPOINT_ROW_MAP_H
#define SOTTO_CHECKPOINT_ROW_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "checkpoint/outputs.h"

enum row_order {
	ROWS_AS_THEY_ARE,
	/* Of each of n_heads heads: row 2i + j is row i of half j (elements that are rotated together become
	   neighbours). */
	ROWS_IN_PAIRS,
	/* After `before` rows: heads of `dim` rows, n_heads groups of per_head, become per_head groups of n_heads. */
	ROWS_IN_TURNS,
};
struct row_map {
	enum row_order order;
	uint64_t n_heads, per_head, dim, before;
};

/* Whether it is an order of n rows. */
bool row_map_fits(const struct row_map *map, uint64_t n);

/* The rows of a tensor in this order, all of them; of a vector the elements. False: no memory. The map fits. */
bool output_add_mapped(struct output *output, const struct safetensor *tensor, const struct row_map *map);
/* The elements of each row in this order. */
bool output_map_columns(struct output *output, const struct row_map *map);

#endif
