#include <criterion/criterion.h>
#include <string.h>

#include "chat/run.h"
#include "chat_support.h"

static struct model_info model = {.identity = {.file = "abc", .isa = "avx2", .n_ctx = 99}, .options = "none"};

Test(run, is_prepared_from_the_turn)
{
	const char *stops[] = {"END", "two words"};
	struct message messages[] = {{.role = ROLE_USER}, {.role = ROLE_ASSISTANT, .len = 7, .n_ids = 3,
	                                                   .reasoning_len = 2}};
	struct turn turn = {.messages = messages, .n_messages = 2, .continued = true, .stops = stops,
	                    .n_stops = 2, .samplers = "top_k", .logit_bias = "", .n_predict = 5,
	                    .reasoning = {.mode = REASONING_OFF, .template_kwargs = "{}"}};
	struct tree *tree = tree_create();
	struct reply_run run;

	cr_assert_eq(run_prepare(&run, &turn, tree, &model, NULL), STATUS_OK);
	cr_expect_eq(run.from_id, 3);
	cr_expect_eq(run.from_text, 7);
	cr_expect_eq(run.from_reasoning, 2);
	cr_expect_str_eq(run.model.file, "abc");
	cr_expect_str_eq(run.samplers, "top_k");
	cr_expect_null(run.logit_bias);
	cr_expect_str_eq(run.options, "none");
	cr_expect_str_eq(run.template_kwargs, "{}");
	cr_expect_null(run.wish.template_kwargs);
	cr_expect_str_eq(run.stops, "END \"two words\"");
	cr_expect_eq(run.n_predict, 5);
	cr_expect_eq(run.wish.mode, REASONING_OFF);
	cr_expect_neq(run.wish.clock, 0);
	cr_expect_eq(run.wish.clock, turn.reasoning.clock); /* what is recorded is what the template sees */
	cr_expect(!run.has_begun);
	run_free(&run);
	turn.continued = false;
	turn.n_stops = 0;
	cr_assert_eq(run_prepare(&run, &turn, tree, &model, NULL), STATUS_OK);
	cr_expect_eq(run.from_id, 0);
	cr_expect_null(run.stops);
	run_free(&run);
	tree_free(tree);
}

Test(run, changes_hold_from_their_token_on)
{
	struct reply_run run = {.begin = {.params = sampler_params_default(), .seed = 7}, .has_begun = true};
	struct sampler_params params = run.begin.params, third;

	params.temp = 2;
	params.seed = 3;
	cr_assert(run_add_change(&run, 4, &params, 0));
	params.top_k = 1;
	cr_assert(run_add_change(&run, 4, &params, 0)); /* before the same token: the last one holds */
	params.top_p = 0.5f;
	cr_assert(run_add_change(&run, 9, &params, 0));
	cr_expect_eq(run.n_changes, 2);
	third = run_params_at(&run, 3);
	cr_expect(sampler_params_equal(&run.begin.params, &third));
	cr_expect_eq(run_params_at(&run, 4).top_k, 1);
	cr_expect_eq(run_params_at(&run, 8).top_k, 1);
	cr_expect_neq(run_params_at(&run, 8).top_p, 0.5f);
	cr_expect_eq(run_params_at(&run, 9).top_p, 0.5f);
	cr_expect_eq(run_params_at(&run, 1000).top_p, 0.5f);
	cr_expect_eq(run_params_at(&run, 0).seed, 7);
	cr_expect_eq(run_params_at(&run, 9).seed, 7);
	run_free(&run);
}

/* Each of the sampling options counts, but the seed. */
Test(run, any_other_parameter_is_another_one)
{
	for (size_t i = 0; i < sampler_n_options; i++) {
		struct sampler_params a = sampler_params_default(), b = a;
		bool is_seed = strcmp(sampler_options[i].name, "seed") == 0;

		((unsigned char *)&b)[sampler_options[i].offset] ^= 1;
		cr_expect_eq(sampler_params_equal(&a, &b), is_seed, "%s", sampler_options[i].name);
	}
}

/* As they were when it was sent, whatever was done to them since; those of other branches are left alone. */
Test(run, knows_the_marks_of_its_path)
{
	struct tree *tree = tree_create();
	struct run_marks then = {.known = false}, none = {.known = false};
	uint32_t first = chat_add(tree, 0, ROLE_USER, "a"), second = chat_add(tree, first, ROLE_ASSISTANT, "b"),
	         third = chat_add(tree, second, ROLE_USER, "c"), other = chat_add(tree, second, ROLE_USER, "d");

	tree_set_leaf(tree, third);
	tree_node(tree, first)->dropped = tree_node(tree, third)->pinned = tree_node(tree, other)->pinned = true;
	run_marks_take(&then, tree);
	cr_assert(then.known);
	cr_assert_eq(then.n, 2);
	cr_expect(then.items[0].message == first && then.items[0].dropped && !then.items[0].pinned);
	cr_expect(then.items[1].message == third && then.items[1].pinned && !then.items[1].dropped);
	tree_node(tree, first)->dropped = tree_node(tree, third)->pinned = false;
	tree_node(tree, second)->dropped = tree_node(tree, third)->dropped = true;
	run_marks_set(&none, tree);
	cr_expect(tree_node(tree, second)->dropped, "not known: as it is");
	run_marks_set(&then, tree);
	cr_expect(tree_node(tree, first)->dropped && tree_node(tree, third)->pinned);
	cr_expect(!tree_node(tree, second)->dropped && !tree_node(tree, third)->dropped);
	cr_expect(tree_node(tree, other)->pinned);
	run_marks_take(&none, tree);
	run_marks_free(&none);
	none.known = true;
	run_marks_set(&none, tree);
	cr_expect(!tree_node(tree, first)->dropped && !tree_node(tree, third)->pinned && tree_node(tree, other)->pinned);
	run_marks_free(&then);
	tree_free(tree);
}
