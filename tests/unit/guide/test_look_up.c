#include "guide/guide_internal.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "support/random.h"

static const char text[] =
	"noise: [how, do, i, the, it, and]\nfacts:\n"
	"  - {id: open, text: F2 opens the sliders., keys: [F2], do: [open sliders]}\n"
	"  - {id: close, text: Esc shuts panels., keys: [Esc], do: [shut panels]}\n"
	"  - {id: top, text: Likely words alone., about: [top-p], options: {top-p: 1}}\n"
	"  - {id: twin, text: Likely words alone., about: [top-p], options: {top-p: 1}}\n"
	"  - {id: talk, alone: true, text: Small talk., ask: [hello there, thanks, tell me about yourself]}\n";

static struct guide guide; /* of no weights: each fact is new */

static void read_text(const char *facts)
{
	struct error err;

	cr_assert_eq(facts_read(&guide.facts, "text", facts, strlen(facts), &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(phrases_make(&guide.phrases, &guide.facts, &err), STATUS_OK, "%s", err.text);
}

static void set_up(void)
{
	read_text(text);
}

static void tear_down(void)
{
	phrases_deinit(&guide.phrases);
	facts_deinit(&guide.facts);
}

TestSuite(look_up, .init = set_up, .fini = tear_down);

static size_t find(const char *question, size_t before, struct guide_hit *hits)
{
	return guide_look_up(&guide, question, strlen(question), before, hits);
}

/* The ids found, a blank after each. */
static void check(const char *question, const char *expected)
{
	struct guide_hit hits[GUIDE_ENTRIES];
	size_t n = find(question, GUIDE_NOTHING, hits);
	struct buf seen = {.max = KIB(1)};

	buf_puts(&seen, "");
	for (size_t i = 0; i < n; i++)
		buf_printf(&seen, "%s ", facts_id(&guide.facts, hits[i].fact));
	cr_assert_str_eq(buf_text(&seen), expected, "%s: %s", question, buf_text(&seen));
	buf_free(&seen);
}

Test(look_up, finds_phrases_names_and_texts)
{
	check("open sliders", "open ");
	check("How do I OPEN the sliders??", "open ");
	check("f2", "open ");
	check("Esc shuts panels.", "close ");
	check("top-p", "top twin ");
	check("--top-p", "top twin ");
	check("", "");
	check("?!", "");
	check("how do i", "");
	check("open the sliders to cook", "open ");             /* 2 * 2 of 2 + 4 words */
	check("open the sliders to cook soup in the pan", "");
	check("the capital of some country far away is where", "");
}

Test(look_up, of_the_same_words_is_surest)
{
	struct guide_hit same[GUIDE_ENTRIES], more[GUIDE_ENTRIES], later[GUIDE_ENTRIES];

	cr_assert_eq(find("open sliders", GUIDE_NOTHING, same), 1);
	cr_assert_eq(find("open sliders now", GUIDE_NOTHING, more), 1);
	cr_assert_eq(find("open sliders", 1, later), 1);
	cr_assert_gt(more[0].score, 0);
	cr_assert_lt(fabs(more[0].score - 0.6 * same[0].score), 1e-12); /* 2 * 2 of 2 + 3 words */
	cr_assert_eq(later[0].score, same[0].score);
}

/* Beside another entry there is no small talk. */
Test(look_up, shows_an_entry_that_is_alone_by_itself_or_not_at_all)
{
	check("hello there", "talk ");
	check("thanks for that", "");
	check("shut panels, thanks", "close ");
}

/* Nothing to look in: no entry is read, either. */
Test(look_up_in_nothing, finds_nothing, .fini = tear_down)
{
	struct guide_hit hits[GUIDE_ENTRIES];

	read_text("noise: []\nfacts: []\n");
	cr_assert_eq(find("hello", GUIDE_NOTHING, hits), 0);
}

/* Whatever it is, it is answered, soon, and the words that are known still count. */
static void check_hostile(const char *bytes, size_t len)
{
	struct guide_hit hits[GUIDE_ENTRIES];
	char *exact = malloc(len ? len : 1); /* so that a byte too many is seen */
	clock_t begin = clock(); /* of this process alone */

	cr_assert(exact);
	memcpy(exact, bytes, len);
	cr_assert_leq(guide_look_up(&guide, exact, len, 0, hits), GUIDE_ENTRIES);
	cr_assert_leq(guide_look_up(&guide, exact, len, GUIDE_NOTHING, hits), GUIDE_ENTRIES);
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
