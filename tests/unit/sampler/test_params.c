#include <criterion/criterion.h>
#include <stdlib.h>

#include "sampler/params.h"

Test(sampler_params, defaults_are_those_of_llama_cpp)
{
	struct sampler_params p = sampler_params_default();

	cr_assert_eq(p.temp, 0.8f);
	cr_assert_eq(p.top_k, 40);
	cr_assert_eq(p.top_p, 0.95f);
	cr_assert_eq(p.min_p, 0.05f);
	cr_assert_eq(p.typical, 1.0f);
	cr_assert_eq(p.top_n_sigma, -1.0f);
	cr_assert_eq(p.xtc_probability, 0.0f);
	cr_assert_eq(p.xtc_threshold, 0.1f);
	cr_assert_eq(p.repeat_penalty, 1.0f);
	cr_assert_eq(p.repeat_last_n, 64);
	cr_assert_eq(p.presence_penalty, 0.0f);
	cr_assert_eq(p.frequency_penalty, 0.0f);
	cr_assert_eq(p.dry_multiplier, 0.0f);
	cr_assert_eq(p.dry_base, 1.75f);
	cr_assert_eq(p.dry_allowed_length, 2);
	cr_assert_eq(p.dry_penalty_last_n, 64);
	cr_assert_eq(p.dynatemp_range, 0.0f);
	cr_assert_eq(p.dynatemp_exp, 1.0f);
	cr_assert_eq(p.mirostat, 0);
	cr_assert_eq(p.mirostat_ent, 5.0f);
	cr_assert_eq(p.mirostat_lr, 0.1f);
	cr_assert_eq(p.seed, -1);
}

Test(sampler_params, rows_are_complete_and_their_defaults_in_range)
{
	for (size_t i = 0; i < sampler_n_options; i++) {
		const struct option *row = &sampler_options[i];
		double def = strtod(row->def, NULL);

		cr_assert_not_null(row->help, "%s", row->name);
		cr_assert(row->min < row->max && row->step > 0, "%s", row->name);
		cr_assert(def >= row->min && def <= row->max, "%s", row->name);
		cr_assert(row->flags & OPTION_LIVE, "%s", row->name);
	}
}
