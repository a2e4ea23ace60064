#include <criterion/criterion.h>
#include <string.h>

#include "sampler/filters.h"
#include "sampler/order.h"

Test(order, names_are_llama_cpps_in_all_spellings)
{
	static const char *const same[] = {
		"penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature",
		"Penalties;DRY;top-n-sigma;top-k;typ-p;top-p;min-p;XTC;temp",
		"penalties; dry; topnsigma; topk; typical; nucleus; minp; xtc; temperature;",
	};
	struct sampler_order usual = sampler_order_default(), order;

	cr_assert_eq(usual.n, sampler_n_filters + 3);
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		cr_assert_eq(sampler_order_parse(&order, same[i], NULL), STATUS_OK);
		cr_expect_eq(order.n, usual.n);
		cr_expect_eq(memcmp(order.steps, usual.steps, usual.n * sizeof *usual.steps), 0, "%s", same[i]);
	}
	cr_assert_eq(sampler_order_parse(&order, "temperature;penalties", NULL), STATUS_OK);
	cr_expect_eq(order.n, 2);
	cr_expect_eq(order.steps[0], STEP_TEMPERATURE);
	cr_expect_eq(order.steps[1], STEP_PENALTIES);
	cr_expect(!sampler_order_has(&order, STEP_DRY));
	cr_assert_eq(sampler_order_parse(&order, "", NULL), STATUS_OK);
	cr_expect_eq(order.n, 0);
}

Test(order, what_is_no_sampler_is_refused)
{
	struct sampler_order order;
	struct error err;

	cr_expect_eq(sampler_order_parse(&order, "top_k;tfs_z;min_p", &err), STATUS_USAGE);
	cr_expect(strstr(err.text, "'tfs_z'"), "%s", err.text);
	cr_expect_eq(sampler_order_parse(&order, "top_k,min_p", &err), STATUS_USAGE);
	cr_expect_str_eq(err.text, "unknown sampler 'top_k,min_p'; known: penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;"
	                           "xtc;temperature");
	cr_expect_eq(sampler_order_parse(&order, "a-name-that-is-longer-than-all-others-are", &err),
	             STATUS_USAGE);
	cr_expect_eq(sampler_order_parse(&order, "dry;dry;dry;dry;dry;dry;dry;dry;dry;dry;dry;dry;dry;dry;"
	                                         "dry;dry;dry", &err), STATUS_USAGE);
}
