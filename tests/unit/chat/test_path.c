#include <stdlib.h>
#include <string.h>

#include "chat/path.h"
#include "chat_support.h"

/* Adds to the leaf: "s" a system message, "S" one for the whole conversation,
 * "-" and "=" such ones without a text, "u" and "a" the others. */
static void add(struct tree *tree, char kind)
{
	enum role role = kind == 'u' ? ROLE_USER : kind == 'a' ? ROLE_ASSISTANT : ROLE_SYSTEM;
	uint32_t id = chat_add(tree, tree_leaf(tree), role, strchr("-=", kind) ? "" : "text");

	tree_node(tree, id)->whole = kind == 'S' || kind == '=';
}

/* What of the path is sent, as places on it from 1. */
static void assert_sent(const char *path, const char *expected)
{
	struct tree *tree = tree_create();
	char got[32] = "";
	uint32_t *ids;
	size_t n;

	for (const char *at = path; *at; at++)
		add(tree, *at);
	ids = path_sent(tree, &n);
	cr_assert_not_null(ids);
	for (size_t i = 0; i < n; i++)
		got[i] = (char)('0' + ids[i]);
	cr_assert_str_eq(got, expected, "of %s", path);
	free(ids);
	tree_free(tree);
}

Test(path, system_messages_stand_where_they_were_given)
{
	assert_sent("", "");
	assert_sent("uaua", "1234");
	assert_sent("suasua", "123456");
	assert_sent("ssu", "123");
}

Test(path, one_for_the_whole_conversation_takes_the_place_of_those_before)
{
	assert_sent("Sua", "123");
	assert_sent("suaSu", "4235");
	assert_sent("suasSu", "5236");
	assert_sent("suSasu", "32456");
	assert_sent("SuaSu", "4235");
	assert_sent("uS", "21");
}

Test(path, empty_ones_are_not_sent)
{
	assert_sent("-u", "2");
	assert_sent("sua-u", "1235");
	assert_sent("sua=u", "235");
	assert_sent("Sua=us", "2356");
	assert_sent("=", "");
}

/* What is sent of "suauaua" with these marks, and a summary under it. */
static void assert_marked(const char *pinned, const char *dropped, const char *path, uint32_t sums_up,
                          const char *expected)
{
	struct tree *tree = tree_create();
	char got[32] = "";
	uint32_t *ids;
	size_t n;

	for (const char *at = path; *at; at++) {
		add(tree, *at == '+' ? 's' : *at);
		tree_node(tree, tree_leaf(tree))->sums_up = *at == '+' ? sums_up : 0;
	}
	for (; *pinned; pinned++)
		tree_node(tree, (uint32_t)(*pinned - '0'))->pinned = true;
	for (; *dropped; dropped++)
		tree_node(tree, (uint32_t)(*dropped - '0'))->dropped = true;
	ids = path_sent(tree, &n);
	cr_assert_not_null(ids);
	for (size_t i = 0; i < n; i++)
		got[i] = (char)('0' + ids[i]);
	cr_assert_str_eq(got, expected, "of %s", path);
	free(ids);
	ids = path_said(tree, &n);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(tree_node(tree, ids[i])->sums_up, 0);
	cr_assert_eq(n, strlen(path) - (strchr(path, '+') != NULL), "all that was said");
	free(ids);
	tree_free(tree);
}

Test(path, dropped_messages_are_not_sent)
{
	assert_marked("", "23", "suaua", 0, "145");
	assert_marked("2", "23", "suaua", 0, "145");
	assert_marked("", "45", "suaua", 0, "123");
	assert_marked("", "4", "suau", 0, "1234"); /* it is to be answered */
	assert_marked("", "4", "suaus", 0, "12345");
	assert_marked("", "24", "uaua", 0, "13");
}

Test(path, a_summary_stands_where_the_messages_did_that_it_sums_up)
{
	assert_marked("", "", "suauau+", 3, "17456");
	assert_marked("", "", "suauau+a", 5, "1768");
	assert_marked("2", "", "suauau+", 5, "1726");
	assert_marked("", "4", "suauau+", 3, "1756");
	assert_marked("", "", "uau+", 2, "43");
}

Test(path, a_summary_is_no_system_message)
{
	struct tree *tree = tree_create();

	for (const char *at = "suau"; *at; at++)
		add(tree, *at);
	cr_assert_eq(path_summed_up(tree), 0);
	add(tree, 's');
	tree_node(tree, 5)->sums_up = 3;
	cr_assert_eq(path_system(tree)->id, 1);
	cr_assert_eq(path_summed_up(tree), 3);
	add(tree, '-'); /* an empty one takes it back */
	tree_node(tree, 6)->sums_up = 3;
	tree_node(tree, 6)->whole = false;
	cr_assert_eq(path_summed_up(tree), 0);
	tree_free(tree);
}

Test(path, its_system_message_is_the_last)
{
	struct tree *tree = tree_create();

	cr_assert_null(path_system(tree));
	for (const char *at = "ssuas"; *at; at++)
		add(tree, *at);
	cr_assert_eq(path_system(tree)->id, 5);
	cr_assert(path_has_talk_before(tree, tree_node(tree, 5)));
	cr_assert_not(path_has_talk_before(tree, tree_node(tree, 2)));
	tree_set_leaf(tree, 4);
	cr_assert_eq(path_system(tree)->id, 2);
	chat_add(tree, 0, ROLE_USER, "another beginning");
	cr_assert_null(path_system(tree));
	tree_free(tree);
}

Test(path, the_last_reply_is_found)
{
	struct tree *tree = tree_create();

	cr_assert_null(path_reply(tree));
	for (const char *at = "suasu"; *at; at++)
		add(tree, *at);
	cr_assert_eq(path_reply(tree)->id, 3);
	tree_set_leaf(tree, 2);
	cr_assert_null(path_reply(tree), "of the path alone");
	tree_free(tree);
}

Test(path, messages_of_the_user_are_counted_from_the_end)
{
	struct tree *tree = tree_create();

	cr_assert_null(path_user(tree, 1, 0));
	for (const char *at = "suauau"; *at; at++)
		add(tree, *at);
	cr_assert_eq(path_user(tree, 1, 0)->id, 6);
	cr_assert_eq(path_user(tree, 2, 0)->id, 4);
	cr_assert_eq(path_user(tree, 3, 0)->id, 2);
	cr_assert_null(path_user(tree, 4, 0));
	cr_assert_null(path_user(tree, INT64_MAX, 0));
	cr_assert_eq(path_user(tree, 2, 3)->id, 4);
	cr_assert_null(path_user(tree, 3, 3), "what an opening says does not count");
	chat_add(tree, 3, ROLE_USER, "instead of the second");
	cr_assert_eq(path_user(tree, 1, 0)->id, 7);
	cr_assert_eq(path_user(tree, 2, 0)->id, 2, "of the path alone");
	tree_free(tree);
}
