#include <criterion/criterion.h>

#include "engine/params.h"

Test(engine_params, defaults_come_from_the_table)
{
	struct engine_params p = engine_params_default();

	cr_assert_null(p.model);
	cr_assert_eq(p.n_ctx, 0);
	cr_assert_eq(p.n_batch, 0);
	cr_assert_eq(p.n_threads, 0);
	cr_assert_eq(p.n_predict, -1);
	cr_assert_eq(p.kv_type_k, KV_F16);
	cr_assert_eq(p.kv_type_v, KV_F16);
	cr_assert(p.kv_cache);
}

Test(engine_params, every_default_is_within_its_range)
{
	for (size_t i = 0; i < engine_n_options; i++) {
		const struct option *row = &engine_options[i];

		cr_assert_not_null(row->help);
		if (row->type == OPTION_INT) {
			double def = strtod(row->def, NULL);

			cr_assert(def >= row->min && def <= row->max, "%s", row->name);
		}
	}
}
