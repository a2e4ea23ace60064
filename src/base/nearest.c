#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

#include "base/words.h"

static size_t min2(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours between two words (optimal string alignment):
 * one row for each of the last three prefixes. */
static size_t distance_of(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t rows[3][NEAREST_WORD_MAX + 1];

	if (a_len > NEAREST_WORD_MAX || b_len > NEAREST_WORD_MAX)
		return NEAREST_WORD_MAX;
	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			size_t change = above[j - 1] + (a[i - 1] != b[j - 1]);

			row[j] = min2(change, min2(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = min2(row[j], two_above[j - 2] + 1);
		}
	}
	return rows[a_len % 3][b_len];
}

void nearest_init(struct nearest *nearest, const char *word, size_t len)
{
	*nearest = (struct nearest){.word = word, .len = len, .distance = NEAREST_WORD_MAX};
}

static void offer_alias(struct nearest *nearest, const char *alias, size_t len,
                        const char *candidate)
{
	size_t distance = distance_of(nearest->word, nearest->len, alias, len);

	/* A word that was cut short counts as one typing error. */
	if (nearest->len >= 2 && nearest->len < len &&
	    memcmp(nearest->word, alias, nearest->len) == 0)
		distance = 1;
	if (distance < nearest->distance) {
		nearest->distance = distance;
		nearest->best = candidate;
	}
}

void nearest_offer(struct nearest *nearest, const char *candidate)
{
	offer_alias(nearest, candidate, strlen(candidate), candidate);
}

void nearest_offer_aliases(struct nearest *nearest, const char *aliases, const char *candidate)
{
	for (size_t n; words_list_next(&aliases, &n); aliases += n)
		if (n > 1) /* any letter is near any other */
			offer_alias(nearest, aliases, n, candidate);
}

const char *nearest_best(const struct nearest *nearest)
{
	/* With two errors in four letters, any word matches any other. */
	size_t most = nearest->len < 5 ? 1 : nearest->len < 9 ? 2 : nearest->len / 3;

	return nearest->distance <= most ? nearest->best : NULL;
}

const char *nearest_hint(struct nearest *nearest)
{
	const char *best = nearest_best(nearest);

	nearest->hint[0] = '\0';
	if (best)
		snprintf(nearest->hint, sizeof nearest->hint, ", did you mean '%s'?", best);
	return nearest->hint;
}
