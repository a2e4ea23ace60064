#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/limits.h"
#include "guide/guide_internal.h"

static int compare_words(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Puts the set of the words of a text that say something into words[terms->n]; returns how many. */
static size_t make_set(const struct phrases *phrases, const struct terms *terms, uint32_t *words)
{
	size_t n = 0, n_kept = 0, n_noise = phrases->n ? phrases->items[0].n : 0;

	for (size_t i = 0; i < terms->n; i++) {
		uint32_t word = hash_fold(hash_more(HASH_BEGIN, terms_word(terms, i), terms->items[i].len));

		if (!n_noise || !bsearch(&word, phrases->words, n_noise, sizeof word, compare_words))
			words[n++] = word;
	}
	qsort(words, n, sizeof *words, compare_words);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || words[i] != words[i - 1])
			words[n_kept++] = words[i];
	return n_kept;
}

static enum status add_phrase(struct phrases *phrases, struct terms *terms, size_t fact,
                              const char *text, size_t len)
{
	struct phrase phrase = {.first = phrases->n_words, .fact = fact};
	enum status status = terms_split(terms, text, len);

	if (status)
		return status;
	if (!alloc_grow(&phrases->words, &phrases->cap_words, phrases->n_words + terms->n + 1,
	                sizeof *phrases->words, LIMIT_GUIDE_WORDS) ||
	    !alloc_grow(&phrases->items, &phrases->cap, phrases->n + 1, sizeof phrase, LIMIT_GUIDE_WORDS))
		return STATUS_LIMIT;
	phrase.n = make_set(phrases, terms, phrases->words + phrase.first);
	phrases->n_words += phrase.n;
	phrases->items[phrases->n++] = phrase;
	return STATUS_OK;
}

static enum status add_phrases(struct phrases *phrases, struct terms *terms,
                               const struct guide_facts *facts, size_t fact)
{
	const char *line = facts->lists.data + facts->items[fact].phrases, *text = facts_text(facts, fact);
	enum status status = add_phrase(phrases, terms, fact, text, strlen(text));

	while (*line && !status) {
		size_t len = strcspn(line, "\n");

		status = add_phrase(phrases, terms, fact, line, len);
		line += len + 1;
	}
	return status;
}

enum status phrases_make(struct phrases *phrases, const struct guide_facts *facts,
                         struct error *err)
{
	const char *noise = facts->lists.data + facts->noise;
	enum status status;
	struct terms terms = TERMS_EMPTY;

	*phrases = (struct phrases){0};
	status = strlen(noise) > LIMIT_GUIDE_QUESTION
	                 ? STATUS_LIMIT : add_phrase(phrases, &terms, 0, noise, strlen(noise));
	for (size_t i = 0; i < facts->n && !status; i++)
		status = add_phrases(phrases, &terms, facts, i);
	terms_deinit(&terms);
	return status ? error_set(err, status, "too many words in the guide's facts") : STATUS_OK;
}

void phrases_deinit(struct phrases *phrases)
{
	free(phrases->words);
	free(phrases->items);
	*phrases = (struct phrases){0};
}

enum status phrases_compare(const struct phrases *phrases, const struct terms *question,
                            double *likeness, size_t n_facts)
{
	uint32_t *words = alloc_array(question->n, sizeof *words);
	size_t n;

	if (!words)
		return STATUS_NOMEM;
	n = make_set(phrases, question, words);
	memset(likeness, 0, n_facts * sizeof *likeness);
	for (size_t i = 1; i < phrases->n && n > 0; i++) {
		const struct phrase *phrase = &phrases->items[i];
		const uint32_t *own = phrases->words + phrase->first;
		double *best = &likeness[phrase->fact];
		size_t common = 0;

		for (size_t a = 0, b = 0; a < n && b < phrase->n; words[a] < own[b] ? a++ : b++)
			common += words[a] == own[b];
		*best = fmax(*best, 2 * (2 * (double)common / (double)(n + phrase->n)) - 1);
	}
	free(words);
	return STATUS_OK;
}
