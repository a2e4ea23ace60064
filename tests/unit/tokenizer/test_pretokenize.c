#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
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

static void split(const struct pre_row *row, const char *text, size_t len, struct word_list *words)
{
	struct pretokenizer *pre;
	struct error err = {0};

	cr_assert_eq(pretokenizer_open(&pre, row, &err), STATUS_OK, "%s: %s", row->names, err.text);
	cr_assert_eq(pretokenizer_split(pre, text, len, words, &err), STATUS_OK, "%s: %s", row->names,
	             err.text);
	pretokenizer_close(pre);
}

Test(pretokenize, every_name_splits_as_in_the_vectors)
{
	FILE *file = fopen(TEST_SRCDIR "/tests/vectors/pretokenize.txt", "r");
	char line[4096], text[2048];
	size_t len = 0, n_lines = 0, n_names = 0;

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
		cr_assert_not_null(pre_find(name, strlen(name)), "%s", name);
		split(pre_find(name, strlen(name)), text, len, &words);
		for (; (end = strtok(NULL, " \n")) && i < words.n; i++)
			if (strtoul(end, NULL, 10) != words.ends[i])
				break;
		cr_expect(!end && i == words.n, "%s: word %zu ends at %u, expected %s, of %.*s", name, i,
		          i < words.n ? (unsigned)words.ends[i] : 0, end ? end : "none", (int)len, text);
		word_list_free(&words);
		n_lines++;
	}
	fclose(file);
	for (size_t i = 0; i < pre_table_len; i++)
		for (const char *names = pre_table[i].names; words_list_next(&names, &len); names += len)
			n_names++;
	cr_expect_eq(n_lines, 11 * n_names, "the vectors have %zu lines", n_lines);
}

Test(pretokenize, names_are_unique_and_others_unknown)
{
	size_t len;

	for (size_t i = 0; i < pre_table_len; i++)
		for (const char *names = pre_table[i].names; words_list_next(&names, &len); names += len)
			cr_expect_eq(pre_find(names, len), &pre_table[i], "%.*s stands twice", (int)len,
			             names);
	cr_expect_null(pre_find("gpt-3", 5));
	cr_expect_null(pre_find("gpt-2 phi-2", 11));
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

			split(&pre_table[i], text, len, &words);
			for (size_t w = 0; w < words.n; w++) {
				cr_assert(words.ends[w] > at, "%s", pre_table[i].names);
				cr_assert((text[at] & 0xC0) != 0x80, "%s", pre_table[i].names);
				at = words.ends[w];
			}
			cr_assert_eq(at, len, "%s", pre_table[i].names);
		}
	}
	word_list_free(&words);
}
