#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

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

Test(engine_params, a_copy_owns_every_string)
{
	struct engine_params p = engine_params_default(), copy;

	for (size_t i = 0; i < engine_n_options; i++)
		if (engine_options[i].type == OPTION_STRING && strcmp(engine_options[i].name, "isa") != 0)
			*(char **)((char *)&p + engine_options[i].offset) = strdup(engine_options[i].name);
	p.n_ctx = 77;
	cr_assert_eq(engine_params_copy(&copy, &p, NULL), STATUS_OK);
	cr_expect_eq(copy.n_ctx, 77);
	cr_expect_null(copy.isa, "what is not there is not there in the copy");
	for (size_t i = 0; i < engine_n_options; i++) {
		const char *from, *to;

		if (engine_options[i].type != OPTION_STRING)
			continue;
		from = *(char **)((char *)&p + engine_options[i].offset);
		to = *(char **)((char *)&copy + engine_options[i].offset);
		if (!from)
			continue;
		cr_assert_str_eq(to, engine_options[i].name);
		cr_assert_neq(to, from);
	}
	engine_params_free(&p);
	engine_params_free(&copy);
	cr_expect_null(copy.model);
}
