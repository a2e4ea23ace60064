/* The same entries and scores as tools/guide/retrieve.py, over questions of
 * strangers and follow-ups (tests/vectors/guide-lookup.txt; each line: the fact that
 * answered the question before, if any, the question, ID=SCORE ...). */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guide/guide_internal.h"

/* One ID=SCORE of a line; moves on to the next. */
static void check_hit(const struct guide *guide, const struct guide_hit *hit, char **row,
                      const char *question)
{
	const char *id = *row;
	char *score = strchr(*row, '='), *end;

	cr_assert(score, "%s", question);
	*score = '\0';
	cr_assert_str_eq(hit->fact == GUIDE_NOTHING ? "" : facts_id(&guide->facts, hit->fact), id, "%s", question);
	cr_assert_lt(fabs(strtod(score + 1, &end) - hit->score), 1e-9, "%s", question);
	*row = end + (*end == ' ');
}

/* The fact of an id, which may be empty, or "!" where nothing was found before. */
static size_t find_fact(const struct guide *guide, const char *id)
{
	size_t fact = 0;

	if (strcmp(id, "!") == 0)
		return GUIDE_DECLINED;
	while (fact < guide->facts.n && strcmp(facts_id(&guide->facts, fact), id) != 0)
		fact++;
	cr_assert(!id[0] || fact < guide->facts.n, "%s", id);
	return id[0] ? fact : GUIDE_NOTHING;
}

static void check_line(const struct guide *guide, char *line)
{
	char *before = line, *question = strchr(line, '\t'), *rows;
	struct guide_hit hits[GUIDE_ENTRIES];
	size_t n;

	cr_assert(question, "%s", line);
	*question++ = '\0';
	rows = strchr(question, '\t');
	cr_assert(rows, "%s", line);
	*rows++ = '\0';
	n = guide_look_up(guide, question, strlen(question), find_fact(guide, before), hits);
	for (size_t i = 0; i < n; i++)
		check_hit(guide, &hits[i], &rows, question);
	cr_assert_str_eq(rows, "", "%s", question);
}

Test(vectors, are_those_of_the_reference)
{
	FILE *file = fopen(TEST_SRCDIR "/tests/vectors/guide-lookup.txt", "r");
	static char line[1 << 16];
	struct guide *guide;
	struct error err;
	size_t n = 0;

	cr_assert(file);
	cr_assert_eq(guide_open(&guide, TEST_SRCDIR "/tests/vectors/guide-facts.yaml", &err), STATUS_OK,
	             "%s", err.text);
	for (; fgets(line, sizeof line, file); n++) {
		line[strcspn(line, "\n")] = '\0';
		check_line(guide, line);
	}
	cr_assert_gt(n, 300);
	guide_close(guide);
	fclose(file);
}
