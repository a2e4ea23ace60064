#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chat/branch.h"
#include "chat_support.h"

/* 1 system
 * |- 2 user
 * |  |- 3 reply
 * |  |  `- 6 user
 * |  |     `- 7 reply
 * |  `- 4 reply
 * |     |- 5 system
 * |     `- 8 user
 * `- 9 user
 * 10 system */
static struct tree *make_tree(void)
{
	static const struct {
		uint32_t parent;
		enum role role;
	} nodes[] = {{0, ROLE_SYSTEM}, {1, ROLE_USER}, {2, ROLE_ASSISTANT}, {2, ROLE_ASSISTANT},
	             {4, ROLE_SYSTEM}, {3, ROLE_USER}, {6, ROLE_ASSISTANT}, {4, ROLE_USER}, {1, ROLE_USER},
	             {0, ROLE_SYSTEM}};
	struct tree *tree = tree_create();

	for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++)
		chat_add(tree, nodes[i].parent, nodes[i].role, "text");
	return tree;
}

Test(branch, takes_have_one_parent_and_one_role)
{
	static const struct {
		uint32_t id;
		size_t index, n;
		uint32_t before, after;
	} cases[] = {
		{1, 1, 1, 0, 0}, {10, 1, 1, 0, 0}, /* system messages have none */
		{2, 1, 2, 0, 9}, {9, 2, 2, 2, 0}, {3, 1, 2, 0, 4}, {4, 2, 2, 3, 0},
		{5, 1, 1, 0, 0}, {8, 1, 1, 0, 0}, /* of different roles */
		{6, 1, 1, 0, 0}, {0, 1, 1, 0, 0}, {99, 1, 1, 0, 0},
	};
	struct tree *tree = make_tree();

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct branch_take take = branch_take_of(tree, cases[i].id);

		cr_expect(take.index == cases[i].index && take.n == cases[i].n, "%u: %zu/%zu", cases[i].id,
		          take.index, take.n);
		cr_expect_eq(branch_beside(tree, cases[i].id, -1), cases[i].before, "%u", cases[i].id);
		cr_expect_eq(branch_beside(tree, cases[i].id, 1), cases[i].after, "%u", cases[i].id);
	}
	tree_free(tree);
}

Test(branch, a_branch_ends_with_its_newest_message)
{
	static const uint32_t newest[] = {0, 9, 8, 7, 8, 5, 7, 7, 8, 9, 10};
	struct tree *tree = make_tree();

	for (uint32_t id = 0; id <= tree_n(tree); id++)
		cr_expect_eq(branch_newest(tree, id), newest[id], "%u: %u", id, branch_newest(tree, id));
	tree_free(tree);
}

Test(branch, the_last_fork_is_the_one_nearest_to_the_leaf)
{
	static const uint32_t forks[] = {0, 0, 2, 3, 4, 4, 3, 3, 4, 9, 0};
	struct tree *tree = make_tree();

	for (uint32_t leaf = 0; leaf <= tree_n(tree); leaf++) {
		tree_set_leaf(tree, leaf);
		cr_expect_eq(branch_last_fork(tree), forks[leaf], "%u: %u", leaf, branch_last_fork(tree));
	}
	tree_free(tree);
}

Test(branch, is_shown_where_the_path_goes)
{
	struct tree *tree = make_tree();

	tree_set_leaf(tree, 6);
	for (uint32_t id = 0; id <= tree_n(tree) + 1; id++)
		cr_expect_eq(branch_is_shown(tree, id), id == 1 || id == 2 || id == 3 || id == 6, "%u", id);
	tree_free(tree);
}

/* "1 2 >3 ..": a column for each level, > where a branch begins. */
static const char *rows_of(const struct tree *tree)
{
	static char text[200];
	struct branch_row *rows;
	size_t n, at = 0;

	rows = branch_rows(tree, &n);
	cr_assert_not_null(rows);
	text[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		for (uint32_t d = 1; d <= rows[i].depth; d++)
			text[at++] = d == rows[i].depth && rows[i].begins ? '>' : '.';
		at += (size_t)snprintf(text + at, sizeof text - at, "%u ", rows[i].id);
	}
	free(rows);
	return text;
}

Test(branch, the_path_is_the_main_line_of_the_drawn_tree)
{
	struct tree *tree = make_tree(), *empty = tree_create();

	tree_set_leaf(tree, 7);
	cr_expect_str_eq(rows_of(tree), "1 >9 2 >4 .8 3 6 7 ");
	tree_set_leaf(tree, 8);
	cr_expect_str_eq(rows_of(tree), "1 >9 2 >3 .6 .7 4 8 ");
	tree_set_leaf(tree, 9);
	cr_expect_str_eq(rows_of(tree), "1 >2 .>3 ..6 ..7 .4 .8 9 ", "the newest goes on with a line");
	tree_set_leaf(tree, 10);
	cr_expect_str_eq(rows_of(tree), ">1 .>2 ..>3 ...6 ...7 ..4 ..8 .9 10 ", "a message of the path's");
	tree_set_leaf(tree, 5);
	cr_expect_str_eq(rows_of(tree), "1 >9 2 >3 .6 .7 4 >8 5 ");
	tree_set_leaf(tree, 2);
	cr_expect_str_eq(rows_of(tree), "1 >9 2 >3 .6 .7 4 8 ", "below the leaf, too");
	tree_set_leaf(tree, 0);
	cr_expect_str_eq(rows_of(tree), "1 >2 .>3 ..6 ..7 .4 .8 9 ");
	cr_expect_str_eq(rows_of(empty), "");
	tree_free(tree);
	tree_free(empty);
}

/* The path of the tree above to message 6, with all that a message can have. */
static void adorn(struct tree *tree)
{
	struct node *system = tree_node(tree, 1), *reply = tree_node(tree, 3);
	struct reply_run run = {.has_begun = true, .begin.seed = 9};
	const struct sampler_params params = {.top_k = 3};

	for (uint32_t id = 1; id <= tree_n(tree); id++)
		tree_node(tree, id)->created = 1234;
	cr_assert_eq(tree_set_origin(system, "tutor a=b"), STATUS_OK);
	system->whole = true;
	cr_assert_eq(tree_set_model(reply, "a model"), STATUS_OK);
	cr_assert_eq(tree_append_token(reply, &(struct token){.id = 41, .bytes = "hm", .len = 2, .reasoning = true}), STATUS_OK);
	cr_assert_eq(tree_append_token(reply, &(struct token){.id = 42, .bytes = " yes", .len = 4}), STATUS_OK);
	reply->state = NODE_INTERRUPTED;
	reply->dropped = tree_node(tree, 2)->pinned = true;
	reply->has_params = true;
	reply->params.seed = 7;
	run.stops = strdup("END");
	run_set_sent(&run, "{}");
	snprintf(run.model.server, sizeof run.model.server, "box");
	cr_assert(run_add_change(&run, 1, &params, 5));
	cr_assert_eq(tree_add_run(reply, &run), STATUS_OK);
}

/* How the reply was made is copied, too: the fork can be replayed. */
static void expect_run(const struct node *reply)
{
	cr_assert_eq(reply->n_runs, 1);
	cr_expect(reply->runs[0].has_begun);
	cr_expect_eq(reply->runs[0].begin.seed, 9);
	cr_expect_str_eq(reply->runs[0].stops, "END");
	cr_expect_str_eq(reply->runs[0].sent, "{}");
	cr_expect_str_eq(reply->runs[0].model.server, "box");
	cr_assert_eq(reply->runs[0].n_changes, 1);
	cr_expect_eq(reply->runs[0].changes[0].at, 1);
	cr_expect_eq(reply->runs[0].changes[0].text, 5);
	cr_expect_eq(reply->runs[0].changes[0].params.top_k, 3);
}

Test(branch, a_copy_has_the_path_alone)
{
	struct tree *tree = make_tree(), *copy, *expected = tree_create();

	for (uint32_t parent = 0; parent < 4; parent++)
		chat_add(expected, parent, parent == 0 ? ROLE_SYSTEM : parent == 2 ? ROLE_ASSISTANT : ROLE_USER,
		         "text");
	adorn(expected);
	adorn(tree);
	tree_set_leaf(tree, 6);
	copy = branch_copy(tree);
	cr_assert_not_null(copy);
	chat_assert_same(copy, expected, "the copy");
	expect_run(tree_node(copy, 3));
	tree_free(copy);
	tree_free(expected);
	tree_node(tree, 6)->role = ROLE_SYSTEM; /* a summary */
	tree_node(tree, 6)->sums_up = 3;
	copy = branch_copy(tree);
	cr_assert_not_null(copy);
	cr_assert_eq(tree_node(copy, 4)->sums_up, 3);
	tree_free(copy);
	tree_set_leaf(tree, 0);
	copy = branch_copy(tree);
	cr_assert(copy && tree_n(copy) == 0, "of an empty path");
	tree_free(copy);
	tree_free(tree);
}
