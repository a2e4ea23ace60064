#include "guide/lexicon.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "guide/terms.h"

/* Mistyped words have five letters at least, what was meant four; from eight
 * on two letters may be wrong. */
enum { TYPO_MIN = 5, MEANT_MIN = 4, TYPO_LONG = 8 };

void lexicon_init(struct lexicon *lexicon)
{
	*lexicon = (struct lexicon){0};
	buf_init(&lexicon->text, LIMIT_GUIDE_WORDS * LIMIT_GUIDE_WORD);
}

void lexicon_deinit(struct lexicon *lexicon)
{
	buf_free(&lexicon->text);
	free(lexicon->words);
	free(lexicon->slots);
	lexicon_init(lexicon);
}

const char *lexicon_text(const struct lexicon *lexicon, uint32_t word)
{
	return lexicon->text.data + lexicon->words[word].at;
}

static uint32_t *find_slot(const struct lexicon *lexicon, const char *word, size_t len)
{
	size_t mask = lexicon->n_slots - 1;

	for (size_t i = (size_t)hash_more(HASH_BEGIN, word, len) & mask;; i = (i + 1) & mask) {
		uint32_t *slot = &lexicon->slots[i];

		if (!*slot)
			return slot;
		if (lexicon->words[*slot - 1].len == len &&
		    memcmp(lexicon_text(lexicon, *slot - 1), word, len) == 0)
			return slot;
	}
}

static void fill_slots(struct lexicon *lexicon)
{
	memset(lexicon->slots, 0, lexicon->n_slots * sizeof *lexicon->slots);
	for (uint32_t i = 0; i < lexicon->n; i++)
		*find_slot(lexicon, lexicon_text(lexicon, i), lexicon->words[i].len) = i + 1;
}

static enum status grow_slots(struct lexicon *lexicon)
{
	size_t n = lexicon->n_slots ? lexicon->n_slots * 2 : 1024;
	uint32_t *slots = alloc_array(n, sizeof *slots);

	if (!slots)
		return STATUS_NOMEM;
	free(lexicon->slots);
	lexicon->slots = slots;
	lexicon->n_slots = n;
	fill_slots(lexicon);
	return STATUS_OK;
}

enum status lexicon_add(struct lexicon *lexicon, const char *word, size_t len, uint32_t *out)
{
	struct lexicon_word *new;
	uint32_t *slot;

	if ((lexicon->n + 1) * 2 > lexicon->n_slots && grow_slots(lexicon))
		return STATUS_NOMEM;
	slot = find_slot(lexicon, word, len);
	if (*slot) {
		*out = *slot - 1;
		return STATUS_OK;
	}
	if (!alloc_grow(&lexicon->words, &lexicon->cap, lexicon->n + 1, sizeof *lexicon->words,
	                LIMIT_GUIDE_WORDS))
		return STATUS_NOMEM;
	new = &lexicon->words[lexicon->n];
	*new = (struct lexicon_word){
		.at = lexicon->text.len, .len = len, .head = (uint32_t)lexicon->n};
	if (buf_append(&lexicon->text, word, len))
		return STATUS_NOMEM;
	*out = (uint32_t)lexicon->n++;
	*slot = *out + 1;
	return STATUS_OK;
}

uint32_t lexicon_find(const struct lexicon *lexicon, const char *word, size_t len)
{
	uint32_t slot = lexicon->n_slots ? *find_slot(lexicon, word, len) : 0;

	return slot ? slot - 1 : LEXICON_NONE;
}

struct sorted {
	const char *text;
	struct lexicon_word word;
	uint32_t old;
};

static int compare(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	size_t n = x->word.len < y->word.len ? x->word.len : y->word.len;
	int order = memcmp(x->text, y->text, n);

	return order ? order : (x->word.len > y->word.len) - (x->word.len < y->word.len);
}

enum status lexicon_sort(struct lexicon *lexicon, uint32_t *new_numbers)
{
	struct sorted *sorted = alloc_array(lexicon->n, sizeof *sorted);

	if (!sorted)
		return STATUS_NOMEM;
	for (uint32_t i = 0; i < lexicon->n; i++)
		sorted[i] = (struct sorted){lexicon_text(lexicon, i), lexicon->words[i], i};
	qsort(sorted, lexicon->n, sizeof *sorted, compare);
	for (uint32_t i = 0; i < lexicon->n; i++) {
		lexicon->words[i] = sorted[i].word;
		new_numbers[sorted[i].old] = i;
	}
	for (uint32_t i = 0; i < lexicon->n; i++)
		lexicon->words[i].head = new_numbers[lexicon->words[i].head];
	free(sorted);
	if (lexicon->n)
		fill_slots(lexicon);
	return STATUS_OK;
}

/* The first word that begins with `letter` or a later one. */
static uint32_t first_with(const struct lexicon *lexicon, char letter)
{
	uint32_t low = 0, high = (uint32_t)lexicon->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (lexicon_text(lexicon, middle)[0] < letter)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t lexicon_nearest(const struct lexicon *lexicon, const char *word, size_t len)
{
	size_t most = len >= TYPO_LONG ? 2 : 1; /* so many wrong letters are looked for */
	uint32_t best = LEXICON_NONE;

	if (len < TYPO_MIN)
		return LEXICON_NONE;
	for (uint32_t i = first_with(lexicon, word[0]); i < lexicon->n && most > 0; i++) {
		const struct lexicon_word *known = &lexicon->words[i];
		const char *text = lexicon_text(lexicon, i);
		size_t distance;

		if (text[0] != word[0])
			break;
		if (known->idf <= 0 || known->len < MEANT_MIN || known->len > len + most ||
		    len > known->len + most || term_is_key(text, known->len))
			continue;
		distance = nearest_distance(word, len, text, known->len);
		if (distance <= most) {
			best = i;
			most = distance - 1;
		}
	}
	return best;
}
