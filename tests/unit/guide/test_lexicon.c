#include "guide/lexicon.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *const known[] = {"theme", "save", "temperatur", "tokenizer", "/model", "them", "theft"};
enum { N = sizeof known / sizeof known[0] };

static void fill(struct lexicon *lexicon)
{
	uint32_t numbers[N], id;

	lexicon_init(lexicon);
	for (size_t i = 0; i < N; i++) {
		cr_assert_eq(lexicon_add(lexicon, known[i], strlen(known[i]), &id), STATUS_OK);
		cr_assert_eq(id, i);
		lexicon->words[id].idf = 1;
	}
	cr_assert_eq(lexicon_add(lexicon, "save", 4, &id), STATUS_OK);
	cr_assert_eq(id, 1);
	lexicon->words[3].head = 1;
	cr_assert_eq(lexicon_sort(lexicon, numbers), STATUS_OK);
	for (uint32_t i = 0; i < N; i++)
		cr_assert_eq(numbers[i], lexicon_find(lexicon, known[i], strlen(known[i])));
}

static void check_nearest(const struct lexicon *lexicon, const char *word, const char *expected)
{
	uint32_t id = lexicon_nearest(lexicon, word, strlen(word));

	if (!expected) {
		cr_assert_eq(id, LEXICON_NONE, "%s", word);
		return;
	}
	cr_assert_neq(id, LEXICON_NONE, "%s", word);
	cr_assert(strncmp(lexicon_text(lexicon, id), expected, lexicon->words[id].len) == 0, "%s", word);
}

Test(lexicon, is_in_the_order_of_the_alphabet)
{
	static const char *const sorted[] = {"/model", "save", "temperatur", "theft", "them", "theme",
	                                     "tokenizer"};
	struct lexicon lexicon;

	fill(&lexicon);
	for (uint32_t i = 0; i < N; i++)
		cr_assert_eq(lexicon_find(&lexicon, sorted[i], strlen(sorted[i])), i);
	cr_assert_eq(lexicon.words[6].head, 1); /* "save" */
	cr_assert_eq(lexicon_find(&lexicon, "the", 3), LEXICON_NONE);
	cr_assert_eq(lexicon_find(&lexicon, "", 0), LEXICON_NONE);
	lexicon_deinit(&lexicon);
}

Test(lexicon, knows_what_a_mistyped_word_means)
{
	struct lexicon lexicon;

	fill(&lexicon);
	check_nearest(&lexicon, "themw", "them");       /* the first of those at one letter */
	check_nearest(&lexicon, "thieft", "theft");
	check_nearest(&lexicon, "tehft", "theft");      /* a swap is one */
	check_nearest(&lexicon, "saev", NULL);          /* too short */
	check_nearest(&lexicon, "xheme", NULL);         /* another first letter */
	check_nearest(&lexicon, "tmprtr", NULL);
	check_nearest(&lexicon, "temprtur", "temperatur"); /* two letters in a long word */
	check_nearest(&lexicon, "tkenzer", NULL);          /* not in a short one */
	check_nearest(&lexicon, "/modle", "/model");
	lexicon_deinit(&lexicon);
}
