#include "guide/facts.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "guide/guide.h"

static enum status read_text(struct facts *facts, const char *text, struct error *err)
{
	return facts_read(facts, "facts.yaml", text, strlen(text), err);
}

static void check_error(const char *text, const char *expected)
{
	struct facts facts;
	struct error err;

	cr_assert_neq(read_text(&facts, text, &err), STATUS_OK, "%s", text);
	cr_assert(strstr(err.text, expected), "%s", err.text);
	facts_deinit(&facts);
}

Test(facts, are_read)
{
	static const char text[] =
		"synonyms:\n  - [chat, talk]\n  - [memory, ram]\nnoise: [the, a]\nmore: {x: [y]}\nfacts:\n"
		"  - id: one\n    topic: t\n    text: \"F2 opens it.\"\n    keys: [F2]\n"
		"    options: {top-k: 40, model: }\n    says: [x]\n    do: [open (it|that)]\n"
		"    see: [two]\n    ask: [how]\n"
		"  - id: later\n    later: true\n    text: none\n"
		"  - id: two\n    back: one\n    text: Two.\n";
	struct facts facts;
	struct error err;

	cr_assert_eq(read_text(&facts, text, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(facts.n, 2);
	cr_assert_str_eq(facts_text(&facts, facts.items[0].id), "one");
	cr_assert_str_eq(facts_text(&facts, facts.items[0].text), "F2 opens it.");
	cr_assert_eq(facts.items[0].lists[FACT_OPTIONS].n, 2);
	cr_assert_str_eq(facts_item(&facts, facts.items[0].lists[FACT_OPTIONS].first + 1), "model");
	cr_assert_str_eq(facts_item(&facts, facts.items[0].lists[FACT_DO].first), "open (it|that)");
	cr_assert_eq(facts.items[0].lists[FACT_ABOUT].n, 0);
	cr_assert_str_eq(facts_text(&facts, facts.items[1].text), "Two.");
	cr_assert_eq(facts.n_synonyms, 2);
	cr_assert_str_eq(facts_item(&facts, facts.synonyms[1].first + 1), "ram");
	cr_assert_eq(facts.noise.n, 2);
	facts_deinit(&facts);
}

Test(facts, errors_name_the_line)
{
	check_error("", "the facts: expected");
	check_error("facts: 1\n", "facts.yaml:1: ");
	check_error("facts:\n  - one\n", "facts.yaml:2: a fact expected");
	check_error("synonyms:\n  - one\n", "facts.yaml:2: a list of synonyms expected");
	check_error("noise: [a, [b]]\n", "facts.yaml:1: a text expected");
	check_error("facts:\n  - id: a\n", "facts.yaml:2: a fact needs an id and a text");
	check_error("facts:\n  - id: a\n    text: [b]\n", "facts.yaml:3: text: expected");
	check_error("facts: []\n---\nfacts: []\n", "second document");
	check_error("facts: [\n", "facts.yaml:");
}

/* A phrase that stands for 2^n texts. */
static void open_phrase(size_t n, enum status expected)
{
	char path[] = "/tmp/sotto-facts-XXXXXX";
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");
	struct guide *guide = NULL;
	struct error err;

	cr_assert(file);
	fprintf(file, "facts:\n  - id: a\n    text: b\n    do: [\"");
	for (size_t i = 0; i < n; i++)
		fputs("(a|b) ", file);
	fprintf(file, "\"]\n");
	fclose(file);
	cr_assert_eq(guide_open(&guide, path, &err), expected, "%zu", n);
	if (expected)
		cr_assert(strstr(err.text, "too many"), "%s", err.text);
	else
		guide_close(guide);
	remove(path);
}

Test(facts, have_phrases_of_so_many_texts)
{
	open_phrase(9, STATUS_OK);
	open_phrase(10, STATUS_LIMIT); /* 1024 > LIMIT_GUIDE_EXPANSIONS */
}

Test(facts, of_the_source_tree_are_found)
{
	struct guide *guide;
	struct error err;

	cr_assert_eq(setenv("SOTTO_PKGDATADIR", TEST_SRCDIR, 1), 0);
	cr_assert_eq(guide_open(&guide, NULL, &err), STATUS_OK, "%s", err.text);
	cr_assert_gt(guide_n_facts(guide), 100);
	guide_close(guide);
	cr_assert_eq(setenv("SOTTO_PKGDATADIR", "/nonexistent", 1), 0);
	cr_assert_eq(guide_open(&guide, NULL, &err), STATUS_NOTFOUND);
	cr_assert(strstr(err.text, "facts.yaml"), "%s", err.text);
	guide_close(NULL);
}
