#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "chat/tree.h"
#include "chat_support.h"

static struct tree *tree;

static void set_up(void)
{
	tree = tree_create();
}

static void tear_down(void)
{
	tree_free(tree);
}

TestSuite(tree, .init = set_up, .fini = tear_down);

static uint32_t add(uint32_t parent, enum role role, const char *text)
{
	return chat_add(tree, parent, role, text);
}

Test(tree, ids_are_dense_and_the_newest_is_the_leaf)
{
	cr_assert_eq(tree_n(tree), 0);
	cr_assert_eq(tree_leaf(tree), 0);
	cr_assert_null(tree_node(tree, 0));
	cr_assert_null(tree_node(tree, 1));
	cr_assert_eq(tree_path(tree, NULL, 0), 0);
	cr_assert_eq(add(0, ROLE_SYSTEM, "s"), 1);
	cr_assert_eq(add(1, ROLE_USER, "u"), 2);
	cr_assert_eq(add(2, ROLE_ASSISTANT, ""), 3);
	cr_assert_eq(tree_leaf(tree), 3);
	cr_assert_str_eq(tree_node(tree, 3)->text, "");
	cr_assert_null(tree_node(tree, 4));
}

Test(tree, branches_share_their_beginning)
{
	uint32_t ids[4], user = add(0, ROLE_USER, "u");
	uint32_t first = add(user, ROLE_ASSISTANT, "one");
	uint32_t second = add(user, ROLE_ASSISTANT, "two");

	cr_assert_eq(tree_path(tree, ids, 4), 2);
	cr_assert_eq(ids[0], user);
	cr_assert_eq(ids[1], second);
	tree_set_leaf(tree, first);
	cr_assert_eq(tree_path(tree, ids, 4), 2);
	cr_assert_eq(ids[1], first);
	tree_set_leaf(tree, 77);
	cr_assert_eq(tree_leaf(tree), first, "an unknown id changes nothing");
	tree_set_leaf(tree, 0);
	cr_assert_eq(tree_path(tree, ids, 4), 0);
	tree_set_leaf(tree, second);
	ids[0] = ids[1] = 99;
	cr_assert_eq(tree_path(tree, ids, 1), 2, "the whole length is told");
	cr_assert_eq(ids[0], user);
	cr_assert_eq(ids[1], 99, "but no more written than fits");
}

Test(tree, the_newest_message_is_taken_out)
{
	uint32_t user = add(0, ROLE_USER, "u"), old = add(user, ROLE_ASSISTANT, "one");

	tree_drop_last(tree);
	cr_assert_eq(tree_n(tree), 1);
	cr_assert_eq(tree_leaf(tree), user);
	cr_assert_null(tree_node(tree, old));
	cr_assert_eq(tree_first_child(tree, user), 0);
	cr_assert_eq(add(user, ROLE_ASSISTANT, "first"), old);
	add(user, ROLE_ASSISTANT, "second");
	tree_set_leaf(tree, old);
	tree_drop_last(tree);
	cr_assert_eq(tree_leaf(tree), old, "of another branch");
	cr_assert_eq(tree_node(tree, old)->next, 0);
	cr_assert_eq(tree_node(tree, user)->last_child, old);
	for (int i = 0; i < 3; i++)
		tree_drop_last(tree);
	cr_assert_eq(tree_n(tree), 0);
	cr_assert_eq(tree_leaf(tree), 0);
	cr_assert_eq(tree_first_child(tree, 0), 0);
	cr_assert_eq(add(0, ROLE_USER, "again"), 1);
}

Test(tree, nodes_stay_where_they_are)
{
	struct node *first = tree_node(tree, add(0, ROLE_USER, "first"));

	for (uint32_t i = 1; i < 5000; i++)
		add(i, ROLE_USER, "x");
	cr_assert_eq(tree_node(tree, 1), first);
	cr_assert_str_eq(first->text, "first");
	cr_assert_eq(tree_path(tree, NULL, 0), 5000);
}

Test(tree, text_and_ids_grow)
{
	struct node *node = tree_node(tree, add(0, ROLE_ASSISTANT, ""));

	for (int i = 0; i < 1000; i++) {
		cr_assert_eq(tree_append(node, "ab", 2), STATUS_OK);
		cr_assert_eq(tree_append_id(node, i), STATUS_OK);
	}
	cr_assert_eq(node->len, 2000);
	cr_assert_eq(strlen(node->text), 2000);
	cr_assert_eq(node->n_ids, 1000);
	cr_assert_eq(node->ids[999], 999);
}

Test(tree, a_message_ends_at_its_limit)
{
	char *text = malloc(LIMIT_MESSAGE + 1);
	struct error err;
	uint32_t id;

	memset(text, 'x', LIMIT_MESSAGE + 1);
	cr_assert_eq(tree_add(tree, 0, ROLE_USER, text, LIMIT_MESSAGE + 1, &id, &err), STATUS_LIMIT);
	cr_assert_eq(tree_n(tree), 0);
	cr_assert_eq(tree_add(tree, 0, ROLE_USER, text, LIMIT_MESSAGE, &id, &err), STATUS_OK);
	cr_assert_eq(tree_append(tree_node(tree, id), "", 0), STATUS_OK);
	cr_assert_eq(tree_append(tree_node(tree, id), "y", 1), STATUS_LIMIT);
	cr_assert_eq(tree_node(tree, id)->len, LIMIT_MESSAGE);
	free(text);
}

Test(tree, ids_of_tokens_and_messages_end_at_their_limits)
{
	struct node *node = tree_node(tree, add(0, ROLE_ASSISTANT, ""));
	struct error err;

	for (size_t i = 0; i < LIMIT_NODE_IDS; i++)
		if (tree_append_id(node, 1) != STATUS_OK)
			cr_assert(false, "token %zu", i);
	cr_assert_eq(tree_append_id(node, 1), STATUS_LIMIT);
	for (size_t i = 1; i < LIMIT_NODES; i++)
		if (tree_add(tree, 1, ROLE_USER, "", 0, NULL, &err) != STATUS_OK)
			cr_assert(false, "message %zu", i);
	cr_assert_eq(tree_add(tree, 1, ROLE_USER, "", 0, NULL, &err), STATUS_LIMIT);
}

Test(tree, a_parent_has_to_exist)
{
	struct error err;
	uint32_t id;

	cr_assert_eq(tree_add(tree, 1, ROLE_USER, "x", 1, &id, &err), STATUS_NOTFOUND);
	cr_assert_eq(tree_n(tree), 0);
}

/* Children, oldest first, as digits; the links back have to agree. */
static const char *children(uint32_t parent)
{
	static char list[32];
	uint32_t id = tree_first_child(tree, parent), before = 0;
	size_t n = 0;

	for (; id && n + 1 < sizeof list; id = tree_node(tree, id)->next) {
		cr_assert_eq(tree_node(tree, id)->previous, before);
		cr_assert_eq(tree_node(tree, id)->parent, parent);
		list[n++] = (char)('0' + id);
		before = id;
	}
	list[n] = '\0';
	cr_assert(!parent || tree_node(tree, parent)->last_child == before);
	return list;
}

Test(tree, a_parent_knows_its_children)
{
	cr_assert_str_eq(children(0), "");
	cr_assert_eq(tree_first_child(tree, 7), 0);
	for (uint32_t i = 0; i < 6; i++)
		add(i < 2 ? 0 : 1 + i % 2, ROLE_USER, "x");
	cr_assert_str_eq(children(0), "12");
	cr_assert_str_eq(children(1), "35");
	cr_assert_str_eq(children(2), "46");
	tree_set_parent(tree, 3, 2); /* the first, the last and the only one are moved */
	cr_assert_str_eq(children(1), "5");
	cr_assert_str_eq(children(2), "463");
	tree_set_parent(tree, 5, 0);
	cr_assert_str_eq(children(1), "");
	cr_assert_str_eq(children(0), "125");
	tree_set_parent(tree, 6, 0);
	cr_assert_str_eq(children(2), "43");
	tree_set_parent(tree, 3, 0);
	cr_assert_str_eq(children(2), "4");
	cr_assert_str_eq(children(0), "12563");
	tree_set_parent(tree, 2, 4); /* a parent is older */
	tree_set_parent(tree, 2, 2);
	tree_set_parent(tree, 99, 0);
	tree_set_parent(tree, 1, 0);
	cr_assert_str_eq(children(0), "12563");
}

Test(tree, labels_can_be_pinned)
{
	setenv("SOTTO_TEST_CLOCK", "1234567890", 1);
	cr_assert_eq(tree_node(tree, add(0, ROLE_USER, "x"))->created, 1234567890);
}

Test(tree, a_models_name_is_cut_at_the_limit)
{
	struct node *node;
	char name[LIMIT_MODEL_LABEL + 3];
	uint32_t id;

	cr_assert_eq(tree_add(tree, 0, ROLE_ASSISTANT, "", 0, &id, NULL), STATUS_OK);
	node = tree_node(tree, id);
	memset(name, 'x', sizeof name);
	name[LIMIT_MODEL_LABEL] = '\0';
	cr_assert_eq(tree_set_model(node, name), STATUS_OK);
	cr_assert_str_eq(node->model, name);
	memcpy(name + LIMIT_MODEL_LABEL - 1, "\xc3\xa4", 3); /* a character across the limit */
	cr_assert_eq(tree_set_model(node, name), STATUS_OK);
	cr_assert_eq(strlen(node->model), LIMIT_MODEL_LABEL - 1);
	cr_assert_eq(tree_set_model(node, ""), STATUS_OK);
	cr_assert_null(node->model);
}

Test(tree, a_reply_grows_by_tokens)
{
	struct sampler_params params = sampler_params_default();
	struct node *node;
	uint32_t id, question = add(0, ROLE_USER, "x");

	params.seed = 7;
	cr_assert_eq(tree_add_reply(tree, &params, "a model", &id), STATUS_OK);
	node = tree_node(tree, id);
	cr_assert(node->parent == question && node->role == ROLE_ASSISTANT);
	cr_assert(node->state == NODE_STREAMING && node->has_params && node->params.seed == 7);
	cr_assert_str_eq(node->model, "a model");
	cr_assert_eq(tree_append_token(node, &(struct token){.id = 1, .bytes = "", .reasoning = true}), STATUS_OK);
	cr_assert_eq(tree_append_token(node, &(struct token){.id = 2, .bytes = "hm", .len = 2, .reasoning = true}), STATUS_OK);
	cr_assert_eq(tree_append_token(node, &(struct token){.id = 3, .bytes = "Yes", .len = 3}), STATUS_OK);
	cr_assert_str_eq(node->reasoning, "hm");
	cr_assert_str_eq(node->text, "Yes");
	cr_assert(node->n_ids == 3 && node->n_reasoning_ids == 2);
}

/* A token in two pieces counts once; what is recanted was reasoning. */
Test(tree, a_reply_may_recant)
{
	static const struct token tokens[] = {
		{.id = 1, .bytes = "Hm", .len = 2, .unsure = true},
		{.id = 2, .bytes = " so", .len = 3, .reasoning = true, .recants = true},
		{.id = 2, .bytes = "Yes", .len = 3, .rest = true}, {.id = 3, .bytes = ".", .len = 1}};
	struct sampler_params params = sampler_params_default();
	struct node *node;
	uint32_t id;

	add(0, ROLE_USER, "x");
	cr_assert_eq(tree_add_reply(tree, &params, "a model", &id), STATUS_OK);
	node = tree_node(tree, id);
	for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++)
		cr_assert_eq(tree_append_token(node, &tokens[i]), STATUS_OK);
	cr_assert_str_eq(node->reasoning, "Hm so");
	cr_assert_str_eq(node->text, "Yes.");
	cr_assert(node->n_ids == 3 && node->n_reasoning_ids == 2);
}

/* A server may tell text without ids: then no ids are kept, whatever came before or comes later. */
Test(tree, a_token_without_an_id_leaves_a_reply_without_ids)
{
	const struct token tokens[] = {
		{.id = 1, .bytes = "hm", .len = 2, .reasoning = true}, {.id = 2, .bytes = "One", .len = 3},
		{.id = -1, .bytes = " two", .len = 4}, {.id = 3, .bytes = " three", .len = 6},
		{.id = -1, .bytes = "!", .len = 1, .rest = true},
		{.id = 4, .bytes = " so", .len = 3, .reasoning = true, .recants = true},
	};
	struct node *node = tree_node(tree, add(0, ROLE_ASSISTANT, ""));

	for (size_t i = 0; i < 2; i++)
		cr_assert_eq(tree_append_token(node, &tokens[i]), STATUS_OK);
	cr_assert(node->n_ids == 2 && node->n_reasoning_ids == 1 && !node->ids_unknown);
	for (size_t i = 2; i < 5; i++) {
		cr_assert_eq(tree_append_token(node, &tokens[i]), STATUS_OK);
		cr_expect(node->n_ids == 0 && node->n_reasoning_ids == 0 && node->ids_unknown, "token %zu", i);
	}
	cr_expect_str_eq(node->text, "One two three!");
	cr_expect_str_eq(node->reasoning, "hm");
	cr_assert_eq(tree_append_token(node, &tokens[5]), STATUS_OK);
	cr_expect(node->n_ids == 0 && node->n_reasoning_ids == 0);
	cr_expect_str_eq(node->text, "");
	cr_expect_str_eq(node->reasoning, "hmOne two three! so");
}
