#include "checkpoint/row_map.h"

#include "base/alloc.h"

bool row_map_fits(const struct row_map *map, uint64_t n)
{
	uint64_t heads;

	switch (map->order) {
	case ROWS_AS_THEY_ARE: return true;
	case ROWS_IN_PAIRS: return map->n_heads && n % map->n_heads == 0 && n / map->n_heads % 2 == 0;
	case ROWS_IN_TURNS:
		return map->before <= n && !__builtin_mul_overflow(map->n_heads, map->per_head, &heads) &&
		       !__builtin_mul_overflow(heads, map->dim, &heads) && heads == n - map->before;
	}
	return false;
}

/* Which row of the n comes at place i. */
static uint64_t row_at(const struct row_map *map, uint64_t n, uint64_t i)
{
	uint64_t length, at, head;

	switch (map->order) {
	case ROWS_AS_THEY_ARE: break;
	case ROWS_IN_PAIRS:
		length = n / map->n_heads;
		at = i % length;
		return i - at + at % 2 * (length / 2) + at / 2;
	case ROWS_IN_TURNS:
		if (i < map->before)
			break;
		head = (i - map->before) / map->dim;
		at = (i - map->before) % map->dim;
		head = head % map->n_heads * map->per_head + head / map->n_heads;
		return map->before + head * map->dim + at;
	}
	return i;
}

/* As few runs as there are: a run goes on while the step stays the same. */
static bool add_rows(struct output *output, const struct safetensor *tensor, const struct row_map *map)
{
	uint64_t n = tensor->n_rows, i = 0;

	while (i < n) {
		uint64_t first = row_at(map, n, i), last = first, step = 1, length = 1;

		for (; i + length < n; length++) {
			uint64_t next = row_at(map, n, i + length);

			if (next <= last || (length > 1 && next - last != step))
				break;
			step = next - last;
			last = next;
		}
		if (!output_add_run(output, tensor, first, step, length))
			return false;
		i += length;
	}
	return true;
}

bool output_map_columns(struct output *output, const struct row_map *map)
{
	uint64_t n = output->ne[0];

	if (map->order == ROWS_AS_THEY_ARE)
		return true;
	output->columns = alloc_array(n, sizeof output->columns[0]);
	for (uint64_t i = 0; output->columns && i < n; i++)
		output->columns[i] = (uint32_t)row_at(map, n, i);
	return output->columns != NULL;
}

bool output_add_mapped(struct output *output, const struct safetensor *tensor, const struct row_map *map)
{
	if (tensor->n_dims <= 1)
		return output_add_run(output, tensor, 0, 1, 1) && output_map_columns(output, map);
	if (map->order == ROWS_AS_THEY_ARE)
		return output_add_run(output, tensor, 0, 1, tensor->n_rows);
	return add_rows(output, tensor, map);
}
