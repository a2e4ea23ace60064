#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "guide/guide_internal.h"

static enum status read_text(struct guide_facts *facts, const char *text, struct error *err)
{
	return facts_read(facts, "facts.yaml", text, strlen(text), err);
}

static void check_error(const char *text, const char *expected)
{
	struct guide_facts facts;
	struct error err;

	cr_assert_neq(read_text(&facts, text, &err), STATUS_OK, "%s", text);
	cr_assert(strstr(err.text, expected), "%s", err.text);
	facts_deinit(&facts);
}

Test(facts, are_read)
{
	static const char text[] =
		"synonyms:\n  - [chat, talk]\nnoise: [the, a]\nmore: {x: [y]}\nfacts:\n"
		"  - id: one\n    topic: t\n    keys: [F2]\n    text: \"F2 opens it.\"\n"
		"    options: {top-k: 40, model: }\n    says: [x]\n    do: [open it]\n"
		"    see: [two]\n    ask: [how]\n    commands: [quit]\n    subcommands: [run]\n"
		"  - id: two\n    back: one\n    text: Two.\n    alone: true\n    again: true\n    about: [two]\n";
	struct guide_facts facts;
	struct error err;

	cr_assert_eq(read_text(&facts, text, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(facts.n, 2);
	cr_assert_str_eq(facts_id(&facts, 0), "one");
	cr_assert_str_eq(facts_text(&facts, 0), "F2 opens it.");
	cr_assert_str_eq(facts.lists.data + facts.items[0].phrases,
	                 "F2\n--top-k\n--model\nopen it\nhow\n/quit\nsotto run\n");
	cr_assert(!facts.items[0].alone && !facts.items[0].again);
	cr_assert_str_eq(facts_text(&facts, 1), "Two.");
	cr_assert_str_eq(facts.lists.data + facts.items[1].phrases, "two\n");
	cr_assert(facts.items[1].alone && facts.items[1].again);
	cr_assert_str_eq(facts.lists.data + facts.noise, "the\na\n");
	facts_deinit(&facts);
}

Test(facts, errors_name_the_line)
{
	check_error("", "the facts: expected");
	check_error("facts: 1\n", "facts.yaml:1: ");
	check_error("facts:\n  - one\n", "facts.yaml:2: a fact expected");
	check_error("noise: [a, [b]]\n", "facts.yaml:1: a text expected");
	check_error("facts:\n  - id: a\n", "facts.yaml:2: a fact needs an id and a text");
	check_error("facts:\n  - id: a\n    text: [b]\n", "facts.yaml:3: text: expected");
	check_error("facts: []\n---\nfacts: []\n", "second document");
	check_error("facts: [\n", "facts.yaml:");
}

/* All noise is one text to the look-up. */
Test(facts, have_so_many_words_of_noise)
{
	struct phrases phrases;
	struct guide_facts facts;
	struct error err;

	for (size_t n = LIMIT_GUIDE_QUESTION; n <= LIMIT_GUIDE_QUESTION + 1; n++) {
		struct buf text = {.max = KIB(16)};

		buf_puts(&text, "noise: [");
		for (size_t i = 1; i < n; i++) /* and the end of its line */
			buf_putc(&text, 'a');
		cr_assert_eq(buf_puts(&text, "]\nfacts: []\n"), STATUS_OK);
		cr_assert_eq(read_text(&facts, buf_text(&text), &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(phrases_make(&phrases, &facts, &err),
		             n > LIMIT_GUIDE_QUESTION ? STATUS_LIMIT : STATUS_OK, "%zu", n);
		phrases_deinit(&phrases);
		facts_deinit(&facts);
		buf_free(&text);
	}
	cr_assert(strstr(err.text, "too many"), "%s", err.text);
}

Test(facts, of_the_source_tree_are_found)
{
	struct guide *guide;
	struct error err;

	cr_assert_eq(setenv("SOTTO_PKGDATADIR", TEST_SRCDIR, 1), 0);
	cr_assert_eq(guide_open(&guide, NULL, &err), STATUS_OK, "%s", err.text);
	cr_assert_gt(guide->facts.n, 100);
	guide_close(guide);
	cr_assert_eq(setenv("SOTTO_PKGDATADIR", "/nonexistent", 1), 0);
	cr_assert_eq(guide_open(&guide, NULL, &err), STATUS_NOTFOUND);
	cr_assert(strstr(err.text, "facts.yaml"), "%s", err.text);
	guide_close(NULL);
}
