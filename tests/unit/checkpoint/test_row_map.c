/* Orders of rows, each alone: which row of the tensor comes at which place, and how few runs say so. */
#include <criterion/criterion.h>

#include "checkpoint/outputs.h"
#include "checkpoint/row_map.h"

enum { ROWS_MAX = 24 };

static void check(const char *what, struct row_map map, uint64_t n, const uint64_t expected[], size_t n_runs)
{
	struct safetensor tensor = {.name = "x", .n_dims = 2, .n_rows = n, .n_cols = 1, .shape = {n, 1}};
	struct outputs outputs = {0};
	struct output *output = outputs_add(&outputs, "x", 2, (uint64_t[]){1, n});
	uint64_t at = 0;

	cr_assert(row_map_fits(&map, n), "%s", what);
	cr_assert(output_add_mapped(output, &tensor, &map));
	for (size_t i = 0; i < output->n_runs; i++)
		for (uint64_t j = 0; j < output->runs[i].n; j++, at++)
			cr_assert_eq(output->runs[i].first + j * output->runs[i].step, expected[at], "%s: place %llu", what,
			             (unsigned long long)at);
	cr_assert_eq(at, n, "%s", what);
	cr_assert_eq(output->n_runs, n_runs, "%s: %zu runs", what, output->n_runs);
	outputs_free(&outputs);
}

Test(row_map, rows_become_what_the_engine_reads)
{
	check("as they are", (struct row_map){.order = ROWS_AS_THEY_ARE}, 4, (const uint64_t[]){0, 1, 2, 3}, 1);
	check("two heads of six", (struct row_map){.order = ROWS_IN_PAIRS, .n_heads = 2}, 12,
	      (const uint64_t[]){0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11}, 6);
	check("fewer heads, of the same length", (struct row_map){.order = ROWS_IN_PAIRS, .n_heads = 1}, 6,
	      (const uint64_t[]){0, 3, 1, 4, 2, 5}, 3);
	/* 2 keys with 3 values each, of 2 rows: values of the first key, then of the second, become pairs of both. */
	check("value heads", (struct row_map){ROWS_IN_TURNS, 2, 3, 2, 0}, 12,
	      (const uint64_t[]){0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11}, 6);
	check("after others", (struct row_map){ROWS_IN_TURNS, 2, 3, 1, 4}, 10,
	      (const uint64_t[]){0, 1, 2, 3, 4, 7, 5, 8, 6, 9}, 4);
}

Test(row_map, elements_of_vectors_are_mapped_as_rows_are)
{
	struct safetensor tensor = {.name = "x", .n_dims = 1, .n_rows = 1, .n_cols = 6, .shape = {6}};
	struct row_map map = {ROWS_IN_TURNS, 2, 3, 1, 0};
	struct outputs outputs = {0};
	struct output *output = outputs_add(&outputs, "x", 1, (uint64_t[]){6});

	cr_assert(output_add_mapped(output, &tensor, &map));
	cr_assert_eq(output->n_runs, 1);
	for (uint32_t i = 0; i < 6; i++)
		cr_assert_eq(output->columns[i], ((const uint32_t[]){0, 3, 1, 4, 2, 5})[i]);
	outputs_free(&outputs);
}

Test(row_map, what_is_no_number_of_heads_does_not_fit)
{
	const struct row_map pairs = {.order = ROWS_IN_PAIRS, .n_heads = 2}, none = {.order = ROWS_IN_PAIRS};
	const struct row_map turns = {ROWS_IN_TURNS, 2, 3, 2, 0}, large = {ROWS_IN_TURNS, UINT64_MAX, 3, 2, 0};
	const struct row_map behind = {ROWS_IN_TURNS, 2, 3, 2, 13};

	cr_assert_not(row_map_fits(&pairs, 7));
	cr_assert_not(row_map_fits(&pairs, 6)); /* heads of 3 rows have no halves */
	cr_assert_not(row_map_fits(&none, 8));
	cr_assert_not(row_map_fits(&turns, 11));
	cr_assert_not(row_map_fits(&large, 12));
	cr_assert_not(row_map_fits(&behind, 12));
}
