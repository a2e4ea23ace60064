#include "guide/question.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/limits.h"
#include "guide/terms.h"

#define UNKNOWN_WEIGHT 1.5 /* of a word that no fact has, in rarest words */
enum {
	JOINED_MAX = 3, /* words that may be one word of a fact together */
	SWAP_MIN = 3,   /* letters of a word that may have two swapped */
	SWAP_KNOWN = 5, /* letters of one that may be any known word then */
};

static void add_word(struct question *question, uint32_t word, double weight)
{
	for (size_t i = 0; i < question->n; i++)
		if (question->words[i] == word)
			return;
	question->words[question->n] = word;
	question->weights[question->n++] = weight;
}

/* What an unknown stem is with two neighbouring letters swapped: a word of the noise
 * ("teh"), or, since short words are easily another's, a known one from SWAP_KNOWN letters on. */
static uint32_t find_swapped(const struct index *index, char *stem, size_t len)
{
	for (size_t i = 0; len >= SWAP_MIN && i + 1 < len; i++) {
		char first = stem[i];
		uint32_t id;

		stem[i] = stem[i + 1];
		stem[i + 1] = first;
		id = lexicon_find(&index->lexicon, stem, len);
		stem[i + 1] = stem[i];
		stem[i] = first;
		if (id == LEXICON_NONE)
			continue;
		if (index->lexicon.words[id].kinds & WORD_NOISE ||
		    (len >= SWAP_KNOWN && index_weight(index, id) > 0))
			return id;
	}
	return LEXICON_NONE;
}

/* A word, mistyped maybe; LEXICON_NONE: unknown. */
static uint32_t find_word(const struct index *index, const char *word, size_t len)
{
	char stem[LIMIT_GUIDE_WORD];
	uint32_t id;

	if (len > sizeof stem)
		return LEXICON_NONE;
	memcpy(stem, word, len);
	len = term_stem(stem, len);
	id = lexicon_find(&index->lexicon, stem, len);
	if (id != LEXICON_NONE && index_weight(index, id) > 0)
		return id;
	if ((id != LEXICON_NONE && index->lexicon.words[id].kinds & WORD_ELSEWHERE) ||
	    term_is_key(stem, len))
		return LEXICON_NONE;
	id = find_swapped(index, stem, len);
	return id != LEXICON_NONE ? id : lexicon_nearest(&index->lexicon, stem, len);
}

/* Of n neighbours, the word of a fact that they are when joined: "top p", "ctrl c". */
static uint32_t joined_word(const struct index *index, const struct terms *terms, size_t from,
                            size_t n)
{
	char joined[LIMIT_GUIDE_WORD];
	size_t len = 0;
	uint32_t id;

	for (size_t i = from; i < from + n; i++) {
		size_t more = terms->items[i].len;

		if (len + more > sizeof joined)
			return LEXICON_NONE;
		memcpy(joined + len, terms_word(terms, i), more);
		len += more;
	}
	id = lexicon_find(&index->lexicon, joined, term_stem(joined, len));
	return id != LEXICON_NONE && index->lexicon.words[id].idf > INDEX_NOISE_WEIGHT
	               ? id : LEXICON_NONE;
}

static bool is_part_of_joined(const struct index *index, const struct terms *terms, size_t at)
{
	for (size_t n = 2; n <= JOINED_MAX; n++)
		for (size_t from = at < n ? 0 : at - n + 1; from <= at && from + n <= terms->n; from++)
			if (joined_word(index, terms, from, n) != LEXICON_NONE)
				return true;
	return false;
}

/* A text that features are made of. */
struct part {
	const char *text;
	size_t len;
};

static struct part part_of_word(const struct index *index, uint32_t word)
{
	if (word == LEXICON_NONE)
		return (struct part){"?", 1};
	return (struct part){lexicon_text(&index->lexicon, word), index->lexicon.words[word].len};
}

static struct part part_of_head(const struct index *index, uint32_t word)
{
	return part_of_word(index, word == LEXICON_NONE ? word : index->lexicon.words[word].head);
}

static uint64_t hash_part(const char *kind, struct part part)
{
	return hash_more(hash_more(HASH_BEGIN, kind, 1), part.text, part.len);
}

/* A feature of two heads that follow one another. */
static void add_pair(const struct ranker *ranker, struct part first, struct part second,
                     struct question *question)
{
	uint64_t hash = hash_more(hash_part("b", first), " ", 1);

	ranker_add(ranker, &question->features, hash_more(hash, second.text, second.len));
}

/* What the ranker gets of a word, LEXICON_NONE for an unknown one, after the head before it,
 * whose place its own takes. */
static void add_features(const struct index *index, const struct ranker *ranker, uint32_t word,
                         struct part *before, struct question *question)
{
	struct part head = part_of_head(index, word);

	ranker_add(ranker, &question->features, hash_part("w", part_of_word(index, word)));
	if (word != LEXICON_NONE && index->lexicon.words[word].head != word)
		ranker_add(ranker, &question->features, hash_part("c", head));
	add_pair(ranker, *before, head, question);
	*before = head;
}

static void add_words(const struct index *index, const struct ranker *ranker,
                      const struct terms *terms, struct question *question)
{
	struct part before = {"^", 1};

	for (size_t i = 0; i < terms->n; i++) {
		uint32_t id = find_word(index, terms_word(terms, i), terms->items[i].len);

		if (id == LEXICON_NONE)
			question->n_unknown += !is_part_of_joined(index, terms, i);
		else
			add_word(question, id, index_weight(index, id));
		add_features(index, ranker, id, &before, question);
	}
	add_pair(ranker, before, (struct part){"$", 1}, question);
}

static void add_joined(const struct index *index, const struct terms *terms, size_t n,
                       struct question *question)
{
	for (size_t i = 0; i + n <= terms->n; i++) {
		uint32_t id = joined_word(index, terms, i, n);

		if (id != LEXICON_NONE)
			add_word(question, id, index->lexicon.words[id].idf);
	}
}

void question_follow(const struct ranker *ranker, const char *id, struct question *question)
{
	struct part part = {id, strlen(id)};

	/* two, so that it has a say beside many words */
	ranker_add(ranker, &question->features, hash_part("p", part));
	ranker_add(ranker, &question->features, hash_part("P", part));
}

void question_free(struct question *question)
{
	ranker_features_deinit(&question->features);
	free(question->words);
	free(question->weights);
}

enum status question_read(const struct index *index, const struct ranker *ranker, const char *text,
                          size_t len, struct question *out)
{
	struct terms terms;
	enum status status;

	*out = (struct question){0};
	terms_init(&terms);
	status = terms_split(&terms, text, len);
	if (!status) {
		/* each word, and each with its neighbours */
		out->words = alloc_array(3 * terms.n, sizeof *out->words);
		out->weights = alloc_array(3 * terms.n, sizeof *out->weights);
		status = out->words && out->weights ? STATUS_OK : STATUS_NOMEM;
	}
	if (!status)
		status = ranker_features_init(ranker, &out->features);
	if (!status) {
		add_words(index, ranker, &terms, out);
		for (size_t n = 2; n <= JOINED_MAX; n++)
			add_joined(index, &terms, n, out);
	}
	terms_deinit(&terms);
	return status;
}

double question_square(const struct index *index, const struct question *question)
{
	double unknown = UNKNOWN_WEIGHT * log(1 + (double)index->n_facts), sum = 0;

	for (size_t i = 0; i < question->n; i++)
		sum += question->weights[i] * question->weights[i];
	return sum + (double)question->n_unknown * (unknown * unknown);
}
