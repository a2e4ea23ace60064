#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"
#include "tokenizer/pretokenize.h"
#include "unit/tokenizer/util.h"

static size_t from_hex(const char *hex, char *out)
{
	size_t n = 0;
	unsigned byte;

	for (; sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
		out[n] = (char)byte;
	return n;
}

static void split(const char *name, const char *text, size_t len, struct word_list *words)
{
	const struct pre_row *row = pre_find(name, strlen(name));
	struct pretokenizer *pre;
	struct error err = {0};

	cr_assert_not_null(row, "%s", name);
	cr_assert_eq(pretokenizer_open(&pre, row, &err), STATUS_OK, "%s: %s", name, err.text);
	cr_assert_eq(pretokenizer_split(pre, text, len, words, &err), STATUS_OK, "%s: %s", name,
	             err.text);
	pretokenizer_close(pre);
}

Test(pretokenize, every_name_splits_as_in_the_vectors)
{
	FILE *file = fopen(TEST_SRCDIR "/tests/vectors/pretokenize.txt", "r");
	char line[4096], text[2048];
	size_t len = 0, n_lines = 0;

	cr_assert_not_null(file);
	while (fgets(line, sizeof line, file)) {
		char *name = strtok(line, " \n"), *end;
		struct word_list words = {0};
		size_t i = 0;

		if (!name || *name == '#')
			continue;
		if (strcmp(name, "text") == 0) {
			len = from_hex(strtok(NULL, "\n"), text);
			continue;
		}
		split(name, text, len, &words);
		for (; (end = strtok(NULL, " \n")) && i < words.n; i++)
			if (strtoul(end, NULL, 10) != words.ends[i])
				break;
		cr_expect(!end && i == words.n, "%s: word %zu ends at %u, expected %s, of %.*s", name, i,
		          i < words.n ? (unsigned)words.ends[i] : 0, end ? end : "none", (int)len, text);
		word_list_free(&words);
		n_lines++;
	}
	fclose(file);
	cr_expect_eq(n_lines, 11 * pre_table_len, "the vectors have %zu lines", n_lines);
}

Test(pretokenize, names_are_unique_and_others_unknown)
{
	for (size_t i = 0; i < pre_table_len; i++)
		cr_expect_eq(pre_find(pre_table[i].name, strlen(pre_table[i].name)), &pre_table[i],
		             "%s stands twice", pre_table[i].name);
	cr_expect_null(pre_find("gpt-3", 5));
	cr_expect_null(pre_find("gpt-", 4));
	cr_expect_null(pre_find("", 0));
}

/* Whatever the rules, the words are the text: none empty, none overlapping. */
Test(pretokenize, words_cover_random_text)
{
	struct test_random random = {5};
	struct word_list words = {0};
	char text[4 * 100];

	for (size_t i = 0; i < pre_table_len; i++) {
		for (size_t k = 0; k < 20; k++) {
			size_t len = random_text(&random, text, 100);
			uint32_t at = 0;

			split(pre_table[i].name, text, len, &words);
			for (size_t w = 0; w < words.n; w++) {
				cr_assert(words.ends[w] > at, "%s", pre_table[i].name);
				cr_assert((text[at] & 0xC0) != 0x80, "%s", pre_table[i].name);
				at = words.ends[w];
			}
			cr_assert_eq(at, len, "%s", pre_table[i].name);
		}
	}
	word_list_free(&words);
}
