#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_value.h"
#include "engine/options.h"
#include "turn/engine_params.h"
#include "turn/turn.h"

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

static bool is_base(const void *ctx, const char *name)
{
	return ctx && strcmp(name, "rope-freq-base") == 0;
}

/* Whatever changes what a model computes is in the record, and comes back from it. */
Test(engine_params, what_is_recorded_comes_back)
{
	static const char *const others[] = {
		[OPTION_INT] = "7", [OPTION_FLOAT] = "0.30000001", [OPTION_ENUM] = "yarn",
		[OPTION_STRING] = "\"a.b=str:x y='z'\" c=int:1"};
	char text[MODEL_OPTIONS_MAX], again[MODEL_OPTIONS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < engine_n_options; i++) {
		const struct option *row = &engine_options[i];
		struct engine_params p = engine_params_default(), q = engine_params_default();
		struct option_value value;

		if (!(row->flags & OPTION_RECORDED))
			continue;
		n++;
		cr_expect_str_eq(engine_params_recorded(&p, text, sizeof text), "none");
		cr_assert_eq(option_parse(row, others[row->type], &value, NULL), STATUS_OK, "%s", row->name);
		cr_assert_eq(option_store(row, &p, &value, NULL), STATUS_OK);
		engine_params_recorded(&p, text, sizeof text);
		cr_expect(strstr(text, row->name), "%s", text);
		cr_assert_eq(engine_params_take_recorded(&q, text, is_base, NULL, NULL), STATUS_OK);
		cr_expect_str_eq(engine_params_recorded(&q, again, sizeof again), text);
		/* What a record does not have goes, and what is not known changes nothing. */
		cr_assert_eq(engine_params_take_recorded(&q, NULL, is_base, NULL, NULL), STATUS_OK);
		cr_assert_eq(engine_params_take_recorded(&q, "#00", is_base, NULL, NULL), STATUS_OK);
		cr_expect_str_eq(engine_params_recorded(&q, again, sizeof again), text);
		cr_assert_eq(engine_params_take_recorded(&q, "none", is_base, "", NULL), STATUS_OK);
		cr_expect_str_eq(engine_params_recorded(&q, again, sizeof again),
		                 strcmp(row->name, "rope-freq-base") == 0 ? text : "none");
		engine_params_free(&p);
		engine_params_free(&q);
	}
	cr_expect_eq(n, 10);
}

Test(engine_params, a_record_that_is_too_long_is_a_hash)
{
	struct engine_params p = engine_params_default(), q = p;
	char a[MODEL_OPTIONS_MAX], b[MODEL_OPTIONS_MAX], text[2][1000];

	memset(text, 'x', sizeof text);
	text[0][999] = text[1][999] = '\0';
	text[1][998] = 'y';
	p.override_kv = text[0];
	q.override_kv = text[1];
	cr_expect_eq(strlen(engine_params_recorded(&p, a, sizeof a)), 17);
	cr_expect_eq(a[0], '#');
	cr_expect_str_neq(engine_params_recorded(&q, b, sizeof b), a);
}
