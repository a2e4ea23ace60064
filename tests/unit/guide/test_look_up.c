#include "guide/look_up.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "support/random.h"

static const char text[] =
	"synonyms:\n  - [memory, ram]\nnoise: [how, do, i, the, it, and]\nelsewhere: [cook, soup]\nfacts:\n"
	"  - {id: open, text: F2 opens the sliders., keys: [F2], do: [open sliders]}\n"
	"  - {id: close, text: Esc shuts panels., keys: [Esc], do: [shut panels]}\n"
	"  - {id: step, text: Arrows move by a notch., do: [move by a notch]}\n"
	"  - {id: ram, text: Memory is shown below., about: [memory]}\n"
	"  - {id: top, text: Likely words alone., about: [top-p], options: {top-p: 1}}\n"
	"  - {id: twin, text: Likely words alone., about: [top-p], options: {top-p: 1}}\n"
	"  - {id: talk, alone: true, text: Small talk., ask: [hello there, thanks, tell me about yourself]}\n";

static struct facts facts;
static struct index table;
static struct ranker ranker; /* of no weights */

static void set_up(void)
{
	struct error err;

	cr_assert_eq(facts_read(&facts, "text", text, sizeof text - 1, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(index_make(&table, &facts, &err), STATUS_OK, "%s", err.text);
}

static void tear_down(void)
{
	index_deinit(&table);
	facts_deinit(&facts);
}

TestSuite(look_up, .init = set_up, .fini = tear_down);

static size_t find(const char *question, struct guide_hit *hits)
{
	return look_up(&table, &facts, &ranker, question, strlen(question), GUIDE_NOTHING, hits);
}

/* The ids found, a blank after each. */
static void check(const char *question, const char *expected)
{
	struct guide_hit hits[GUIDE_ENTRIES];
	size_t n = find(question, hits);
	struct buf seen;

	buf_init(&seen, KIB(1));
	buf_puts(&seen, "");
	for (size_t i = 0; i < n; i++)
		buf_printf(&seen, "%s ", facts_text(&facts, facts.items[hits[i].fact].id));
	cr_assert_str_eq(buf_text(&seen), expected, "%s: %s", question, buf_text(&seen));
	buf_free(&seen);
}

Test(look_up, finds_phrases_names_synonyms_and_slips)
{
	check("open sliders", "open ");
	check("How do I OPEN the sliders??", "open ");
	check("f2", "open ");
	check("ram shown", "ram ");
	check("slidres", "open ");
	check("top p", "top twin ");
	check("--top-p", "top twin ");
	check("", "");
	check("?!", "");
	check("how do i", "");
	check("open the sliders to cook", "");
	check("open sliders of the soup", "");
	check("open the zebra in far countries to cook", "");
	check("the capital of some country far away is where", "");
}

Test(look_up, of_an_exact_phrase_is_at_most_one_and_its_bag)
{
	struct guide_hit hits[GUIDE_ENTRIES];

	cr_assert_eq(find("open sliders", hits), 1);
	cr_assert_lt(fabs(hits[0].score - (1.8 + 4 * 0.3)), 1e-12); /* and what is above 1.5 again */
}

/* What is told beside a question takes nothing from it. */
Test(look_up, knows_what_one_clause_asks)
{
	struct guide_hit hits[GUIDE_ENTRIES];

	check("my cat ate soup in far countries how do I open the sliders", "");
	check("My cat ate soup in far countries. How do I open the sliders?", "open ");
	check("how do I open the sliders, my cat ate soup in far countries", "open ");
	check("my cat ate soup\nopen the sliders\nfar countries", "open ");
	check("cook the soup. the top-p, zebra", "");   /* too few words */
	check("my cat ate soup.open the sliders", ""); /* the mark ends no clause */
	find("so, shut panels", hits);
	cr_assert_lt(hits[0].score, 3); /* "shut panels" alone is no clause */
	check("open the sliders, a, b, c, d, e, f, g, h", "");
	check("open the sliders,\n\n, a, b, c, d, e, f", "open ");
}

/* Beside another entry there is no small talk. */
Test(look_up, shows_an_entry_that_is_alone_by_itself_or_not_at_all)
{
	check("hello there", "talk ");
	check("hello, shut panels", "close ");
	check("thanks for the soup", "");
	check("thanks for the zebra and soup", "");
}

/* Nothing to look in: no entry is read, either. */
Test(look_up_in_nothing, finds_nothing)
{
	static const char none[] = "synonyms: []\nnoise: []\nfacts: []\n";
	struct guide_hit hits[GUIDE_ENTRIES];
	struct error err;

	cr_assert_eq(facts_read(&facts, "none", none, sizeof none - 1, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(index_make(&table, &facts, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(find("hello", hits), 0);
	tear_down();
}

/* Whatever it is, it is answered, soon, and the words that are known still count. */
static void check_hostile(const char *bytes, size_t len)
{
	struct guide_hit hits[GUIDE_ENTRIES];
	char *exact = malloc(len ? len : 1); /* so that a byte too many is seen */
	clock_t begin = clock(); /* of this process alone */

	cr_assert(exact);
	memcpy(exact, bytes, len);
	cr_assert_leq(look_up(&table, &facts, &ranker, exact, len, 0, hits), GUIDE_ENTRIES);
	cr_assert_leq(look_up(&table, &facts, &ranker, exact, len, GUIDE_NOTHING, hits), GUIDE_ENTRIES);
	cr_assert_lt(clock() - begin, 2 * CLOCKS_PER_SEC);
	free(exact);
}

static void check_repeated(const char *part, size_t n)
{
	size_t len = strlen(part);
	char *bytes = malloc(n * len);

	cr_assert(bytes);
	for (size_t i = 0; i < n; i++)
		memcpy(bytes + i * len, part, len);
	check_hostile(bytes, n * len);
	free(bytes);
}

Test(look_up, takes_any_bytes)
{
	static const char *const parts[] = {
		"a", "a ", "open sliders ", "slidres ", "o", "-", "/", "--", "'", "a-", "-a ", "a.b", ".",
		"\xff", "\xe2\x80\x99", "\xe2\x80", "\xe2", "it ", "zebra ", "notch. ",
	};
	static const size_t counts[] = {0, 1, 2, 3, 47, 48, 49, 4095, 4096, 4097, 10000, 1000000};

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
			check_repeated(parts[i], counts[k]);
	check_hostile("a\0b /\0-\0", 8);
}

Test(look_up, takes_random_bytes)
{
	static const char alphabet[] = "aeiost2 -/'.+_\xe2\x80\x99\xff\0(\"\n";
	char bytes[300];
	struct test_random random = {1};

	for (int i = 0; i < 3000; i++) {
		size_t len = test_random_below(&random, sizeof bytes);

		for (size_t k = 0; k < len; k++)
			bytes[k] = alphabet[test_random_below(&random, sizeof alphabet - 1)];
		check_hostile(bytes, len);
	}
}

Test(look_up_without_facts, finds_nothing, .init = NULL)
{
	struct guide_hit hits[GUIDE_ENTRIES];
	struct facts none;
	struct index empty;
	struct error err;

	cr_assert_eq(facts_read(&none, "text", "facts: []\n", 10, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(index_make(&empty, &none, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(look_up(&empty, &none, &ranker, "it", 2, GUIDE_NOTHING, hits), 0);
	index_deinit(&empty);
	facts_deinit(&none);
}
