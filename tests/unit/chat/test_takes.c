/* Where two takes part, and why. */
#include <criterion/criterion.h>
#include <string.h>

#include "chat/takes.h"
#include "chat_support.h"

static struct tree *tree;
static uint32_t asked;

static void begin(void)
{
	tree = tree_create();
	cr_assert_not_null(tree);
	asked = chat_add(tree, 0, ROLE_USER, "q");
}

static void end(void)
{
	tree_free(tree);
}

TestSuite(takes, .init = begin, .fini = end);

/* A reply under `parent` of as many ids as there are numbers in `ids`. */
static uint32_t reply(uint32_t parent, const char *text, const int32_t *ids, size_t n, struct reply_run run)
{
	uint32_t id = chat_add(tree, parent, ROLE_ASSISTANT, text);
	struct node *node = tree_node(tree, id);

	for (size_t i = 0; i < n; i++)
		cr_assert_eq(tree_append_id(node, ids[i]), STATUS_OK);
	run.has_begun = true;
	cr_assert_eq(tree_add_run(node, &run), STATUS_OK);
	return id;
}

#define IDS(...) (const int32_t[]){__VA_ARGS__}, sizeof (const int32_t[]){__VA_ARGS__} / sizeof (int32_t)

static struct reply_run run(float temp, int64_t seed)
{
	struct reply_run made = {.begin = {.params = sampler_params_default(), .seed = seed}, .n_predict = -1};

	made.begin.params.temp = temp;
	return made;
}

/* "temp 0.5|0.8, seed 1|2" */
static void expect_reasons(const struct takes *takes, const char *expected)
{
	struct buf text = {.max = 4096};

	for (size_t i = 0; i < takes->n_reasons; i++)
		buf_printf(&text, "%s%s %s|%s", i ? ", " : "", takes->reasons[i].what, takes->reasons[i].a,
		           takes->reasons[i].b);
	cr_expect_str_eq(buf_text(&text), expected, "'%s'", buf_text(&text));
	buf_free(&text);
}

static struct takes compare(uint32_t a, uint32_t b)
{
	struct takes takes;

	takes_compare(&takes, tree, a, b);
	return takes;
}

Test(takes, part_at_a_token)
{
	uint32_t a = reply(asked, "the den is here", IDS(1, 2, 3, 4), run(0.5f, 1));
	uint32_t b = reply(asked, "the den was", IDS(1, 2, 5), run(0.5f, 2));
	struct takes takes = compare(a, b);

	cr_expect(takes.by_tokens && takes.is_known && !takes.is_same);
	cr_expect_eq(takes.n_shared, 2);
	cr_expect_eq(takes.shared.text, strlen("the den "));
	expect_reasons(&takes, "seed 1|2");
}

Test(takes, name_options_by_both_values)
{
	struct reply_run other = run(0.75f, 1);
	uint32_t a, b;
	struct takes takes;

	other.begin.params.top_k = 5;
	a = reply(asked, "x", IDS(1), run(0.5f, 1));
	b = reply(asked, "y", IDS(2), other);
	takes = compare(a, b);
	cr_expect_eq(takes.n_shared, 0);
	expect_reasons(&takes, "temp 0.5|0.75, top-k 40|5");
}

/* Those in force where they part; what changed behind that is no reason. */
Test(takes, take_the_options_of_that_token)
{
	struct reply_run late = run(0.5f, 1), early = run(0.5f, 1);
	struct sampler_params params = late.begin.params;
	uint32_t a, b, c;
	struct takes takes;

	params.temp = 1;
	cr_assert(run_add_change(&late, 3, &params, 0));
	cr_assert(run_add_change(&early, 2, &params, 0));
	a = reply(asked, "a b c d", IDS(1, 2, 3, 4), run(0.5f, 1));
	b = reply(asked, "a b x", IDS(1, 2, 9), late);
	c = reply(asked, "a b y", IDS(1, 2, 8), early);
	takes = compare(a, b);
	expect_reasons(&takes, "");
	takes = compare(a, c);
	expect_reasons(&takes, "temp 0.5|1");
}

Test(takes, no_seed_decides_at_temperature_0)
{
	struct takes takes = compare(reply(asked, "x", IDS(1), run(0, 1)), reply(asked, "y", IDS(2), run(0, 2)));

	expect_reasons(&takes, "");
}

Test(takes, a_choice_comes_first)
{
	struct reply_run branch = run(0.5f, 2);
	uint32_t a = reply(asked, "a b c", IDS(1, 2, 3), run(0.5f, 1)), b;
	struct takes takes;

	branch.from_id = 1;
	branch.has_first = true;
	branch.first = 7;
	b = reply(asked, "a x c", IDS(1, 7, 3), branch);
	takes = compare(a, b);
	cr_expect_eq(takes.n_shared, 1);
	expect_reasons(&takes, "the token sampled|your choice");
}

Test(takes, an_edited_message_and_another_model_and_template)
{
	uint32_t again = chat_add(tree, 0, ROLE_USER, "  q, but\nlonger");
	struct reply_run other = run(0.5f, 1);
	uint32_t a = reply(asked, "same text", IDS(1, 2), run(0.5f, 1)), b;
	struct takes takes;

	strcpy(other.model.file, "f2");
	strcpy(other.model.tmpl, "t2");
	b = reply(again, "same words", IDS(1, 3), other);
	cr_assert_eq(tree_set_model(tree_node(tree, a), "one"), STATUS_OK);
	cr_assert_eq(tree_set_model(tree_node(tree, b), "two"), STATUS_OK);
	takes = compare(a, b);
	cr_expect_not(takes.by_tokens, "the ids of another vocabulary mean nothing");
	cr_expect_eq(takes.shared.text, strlen("same "));
	expect_reasons(&takes, "your message q|q, but, model one|two, the model's file |f2, chat template |t2");
}

/* Wherever the messages above part, and in whatever order they were added. */
Test(takes, a_message_that_was_edited_later)
{
	uint32_t a = reply(asked, "one", IDS(1), run(0.5f, 1));
	uint32_t next = chat_add(tree, a, ROLE_USER, "and?"), again = chat_add(tree, 0, ROLE_USER, "r");
	uint32_t b = reply(next, "two", IDS(2), run(0.5f, 1)), c = reply(again, "three", IDS(3), run(0.5f, 1));
	struct takes takes = compare(c, a);

	expect_reasons(&takes, "your message r|q");
	takes = compare(b, c);
	expect_reasons(&takes, "your message q|r");
}

Test(takes, whole_characters_of_texts)
{
	uint32_t a = reply(asked, "\xc3\xa4", NULL, 0, run(0.5f, 1)), b = reply(asked, "\xc3\xb6", NULL, 0, run(0.5f, 1));
	struct takes takes = compare(a, b);

	cr_expect_eq(takes.shared.text, 0);
	cr_expect_not(takes.is_same);
}

Test(takes, the_same_reply)
{
	uint32_t a = reply(asked, "x y", IDS(1, 2), run(0.5f, 1)), b = reply(asked, "x y", IDS(1, 2), run(0.5f, 2));
	struct takes takes = compare(a, b);

	cr_expect(takes.is_same);
}

/* Of a reply that the user has begun only the tokens behind that are known: texts are compared. */
Test(takes, one_that_the_user_has_begun)
{
	struct reply_run begun = run(0.5f, 1);
	struct takes takes;

	begun.from_text = 2;
	takes = compare(reply(asked, "a b c", IDS(1, 2, 3), run(0.5f, 1)), reply(asked, "a x c", IDS(1, 3), begun));
	cr_expect_not(takes.by_tokens);
	cr_expect_eq(takes.shared.text, 2);
	expect_reasons(&takes, "its beginning the model's|put there by you");
}

/* The length alone: why one ended. */
Test(takes, one_is_longer)
{
	struct reply_run cut = run(0.5f, 1);
	struct takes takes;

	cut.n_predict = 1;
	strcpy(cut.ended, "length");
	takes = compare(reply(asked, "x y", IDS(1, 2), run(0.5f, 1)), reply(asked, "x", IDS(1), cut));
	cr_expect_eq(takes.n_shared, 1);
	expect_reasons(&takes, "predict -1|1, its end |length");
}

Test(takes, are_found)
{
	uint32_t a = reply(asked, "a", IDS(1), run(1, 1)), b = reply(asked, "b", IDS(2), run(1, 2)), ids[4];
	uint32_t next = chat_add(tree, b, ROLE_USER, "and?"), edited = chat_add(tree, b, ROLE_USER, "and then?");
	uint32_t c = reply(next, "c", IDS(3), run(1, 3)), d = reply(edited, "d", IDS(4), run(1, 4));

	cr_expect_eq(takes_other(tree, a), b);
	cr_expect_eq(takes_others(tree, c, ids, 4), 1);
	cr_expect_eq(ids[0], d);
	cr_expect_eq(takes_other(tree, d), c);
	cr_expect_eq(takes_others(tree, asked, ids, 4), 0);
}
