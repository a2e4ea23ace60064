#include "guide/look_up.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "guide/terms.h"

/* Entries are taken whose score, and WORD for each word that they know, reach LEAST; more
 * where words are at home elsewhere: ELSEWHERE times the part of them. */
#define LEAST 1.4
#define WORD 0.2
#define ELSEWHERE 2.0
#define NEAR 0.98           /* entries below so much of the best one are not taken */
#define FOLLOW_UP_NEAR 0.8  /* of a follow-up */
#define FOLLOW_UP_LEAST 0.5 /* LEAST of a follow-up, and the score of what is followed up */
#define EXACT 1.75          /* what is asked so clearly follows nothing up */
#define CLASS_WEIGHT 0.7    /* of a synonym, beside the word itself */
#define BAG_WEIGHT 0.8      /* of all words of a fact, beside its best phrase */
#define UNKNOWN_WEIGHT 1.5  /* of a word that no fact has, in rarest words */
#define BEFORE_WEIGHT 0.35  /* of the question before, where this one follows it up */
#define BACK_BONUS 0.8
#define SEE_BONUS 0.1
enum {
	TELLING_MAX = 2, /* words that tell something, of a follow-up */
	JOINED_MAX = 3,  /* words that may be one word of a fact together */
	SWAP_MIN = 3,    /* letters of a word that may have two swapped */
	SWAP_KNOWN = 5,  /* letters of one that may be any known word then */
};

/* Follow-ups have one of these, or hardly any word that tells something. */
static const char *const pointing[] = {"it", "that", "this", "these", "those", "them", "also"};
static const char *const back[] = {"back", "undo", "reverse", "revert", "opposite", "off", "close"};

/* The vector of a question. */
struct question {
	uint32_t *words; /* each once, in the order in which they were met */
	double *weights;
	size_t n;
	size_t n_telling; /* of them, not noise */
	size_t n_unknown;
	size_t n_elsewhere; /* known to be of other business */
	bool points, goes_back;
};

static bool is_among(const char *word, size_t len, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(list[i]) == len && memcmp(list[i], word, len) == 0)
			return true;
	return false;
}

static void add_word(struct question *question, uint32_t word, double weight)
{
	for (size_t i = 0; i < question->n; i++)
		if (question->words[i] == word)
			return;
	question->words[question->n] = word;
	question->weights[question->n++] = weight;
	question->n_telling += weight > INDEX_NOISE_WEIGHT;
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
static uint32_t find_word(const struct index *index, const char *word, size_t len, bool *elsewhere)
{
	char stem[LIMIT_GUIDE_WORD];
	uint32_t id;

	*elsewhere = false;
	if (len > sizeof stem)
		return LEXICON_NONE;
	memcpy(stem, word, len);
	len = term_stem(stem, len);
	id = lexicon_find(&index->lexicon, stem, len);
	*elsewhere = id != LEXICON_NONE && index->lexicon.words[id].kinds & WORD_ELSEWHERE;
	if (id != LEXICON_NONE && index_weight(index, id) > 0)
		return id;
	if (*elsewhere)
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

static void add_words(const struct index *index, const struct terms *terms,
                      struct question *question)
{
	for (size_t i = 0; i < terms->n; i++) {
		const char *word = terms_word(terms, i);
		size_t len = terms->items[i].len;
		bool elsewhere;
		uint32_t id = find_word(index, word, len, &elsewhere);

		question->n_elsewhere += elsewhere;
		if (id == LEXICON_NONE)
			question->n_unknown += !is_part_of_joined(index, terms, i);
		else
			add_word(question, id, index_weight(index, id));
		question->points |= is_among(word, len, pointing, sizeof pointing / sizeof *pointing);
		question->goes_back |= is_among(word, len, back, sizeof back / sizeof *back);
	}
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

static void free_question(struct question *question)
{
	free(question->words);
	free(question->weights);
}

static enum status read_question(const struct index *index, const char *text, size_t len,
                                 struct question *out)
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
	if (!status) {
		add_words(index, &terms, out);
		for (size_t n = 2; n <= JOINED_MAX; n++)
			add_joined(index, &terms, n, out);
	}
	terms_deinit(&terms);
	return status;
}

/* The squared length of the question's vector, to which unknown words add. */
static double square(const struct index *index, const struct question *question)
{
	double unknown = UNKNOWN_WEIGHT * log(1 + (double)index->n_facts), sum = 0;

	for (size_t i = 0; i < question->n; i++)
		sum += question->weights[i] * question->weights[i];
	return sum + (double)question->n_unknown * (unknown * unknown);
}

/* What an entry must have more because of words that are at home elsewhere. */
static double strangeness(const struct question *question)
{
	size_t n = question->n + question->n_unknown;

	return n ? ELSEWHERE * (double)question->n_elsewhere / (double)n : 0;
}

/* The product of the question with each set that shares a word or a class. */
static void multiply(const struct index *index, const struct question *question, double *products)
{
	memset(products, 0, index->n_sets * sizeof *products);
	for (size_t i = 0; i < question->n; i++) {
		uint32_t word = question->words[i], head = index->lexicon.words[word].head;
		double idf = index->lexicon.words[head].class_idf;
		double same = question->weights[i] * question->weights[i];
		double similar = CLASS_WEIGHT * (idf * idf);

		for (uint32_t k = index->class_first[head]; k < index->class_first[head + 1]; k++) {
			uint32_t set = index->class_sets[k];

			products[set] += index_set_has(index, &index->sets[set], word) ? same : similar;
		}
	}
}

/* The score of each fact: of its best phrase, and somewhat of its bag. */
static void score(const struct index *index, const struct question *question, double *products,
                  double *scores)
{
	double norm = sqrt(square(index, question));

	memset(scores, 0, index->n_facts * sizeof *scores);
	multiply(index, question, products);
	for (size_t i = 0; i < index->n_sets; i++) {
		const struct index_set *set = &index->sets[i];
		double *best = &scores[set->fact];

		if (!set->is_bag && products[i] > 0)
			*best = fmax(*best, products[i] / (norm * set->norm));
		else if (set->is_bag && *best > 0)
			*best += BAG_WEIGHT * fmin(1, products[i] / (norm * norm));
	}
}

/* The first of the highest; of no facts, or where none has a score: 0 and 0. */
static struct guide_hit highest(const double *scores, size_t n)
{
	struct guide_hit best = {0};

	for (size_t i = 0; i < n; i++)
		if (scores[i] > best.score)
			best = (struct guide_hit){i, scores[i]};
	return best;
}

/* A follow-up's scores: with those of the question before it, and with a bonus for
 * what undoes that one's answer, or comes next. False if that one found nothing. */
static bool add_before(const struct facts *facts, const double *old, bool goes_back, double *scores)
{
	struct guide_hit top = highest(old, facts->n);
	const struct fact *fact;

	if (top.score < FOLLOW_UP_LEAST)
		return false;
	fact = &facts->items[top.fact];
	for (size_t i = 0; i < facts->n; i++) {
		const char *id = facts_text(facts, facts->items[i].id);
		const struct fact_texts *see = &fact->lists[FACT_SEE];
		double bonus = 0;

		for (size_t k = 0; k < see->n; k++)
			if (strcmp(facts_item(facts, see->first + k), id) == 0)
				bonus = SEE_BONUS;
		if (goes_back && strcmp(facts_text(facts, fact->back), id) == 0)
			bonus = BACK_BONUS;
		scores[i] += BEFORE_WEIGHT * old[i];
		scores[i] += bonus;
	}
	return true;
}

/* WORD for each telling word of the question that is in a phrase of the fact. */
static void count_words(const struct index *index, const struct question *question, double *words)
{
	for (size_t i = 0; i < index->n_sets; i++) {
		const struct index_set *set = &index->sets[i];
		size_t n = 0;

		if (!set->is_bag)
			continue;
		for (size_t k = 0; k < question->n; k++)
			n += question->weights[k] > INDEX_NOISE_WEIGHT &&
			     index_set_has(index, set, question->words[k]);
		words[set->fact] = WORD * (double)n;
	}
}

/* The best facts that reach `least` with their words, and are near the best one; of
 * equal ones the first. */
static size_t take_best(const double *scores, const double *words, size_t n, double least,
                        double near, struct guide_hit hits[GUIDE_ENTRIES])
{
	size_t n_hits = 0;

	for (size_t i = 0; i < n; i++) {
		size_t at = n_hits;

		if (!(scores[i] > 0 && scores[i] + words[i] >= least))
			continue;
		while (at > 0 && hits[at - 1].score < scores[i])
			at--;
		if (at == GUIDE_ENTRIES)
			continue;
		if (n_hits < GUIDE_ENTRIES)
			n_hits++;
		memmove(hits + at + 1, hits + at, (n_hits - at - 1) * sizeof *hits);
		hits[at] = (struct guide_hit){i, scores[i]};
	}
	while (n_hits && hits[n_hits - 1].score < near * hits[0].score)
		n_hits--;
	return n_hits;
}

/* The best of the entries that stand alone; they are out of the scores then. */
static struct guide_hit take_alone(const struct facts *facts, double *scores)
{
	struct guide_hit best = {0};

	for (size_t i = 0; i < facts->n; i++) {
		if (!facts->items[i].alone)
			continue;
		if (scores[i] > best.score)
			best = (struct guide_hit){i, scores[i]};
		scores[i] = 0;
	}
	return best;
}

size_t look_up(const struct index *index, const struct facts *facts, const char *question,
               size_t len, const char *before, size_t before_len,
               struct guide_hit hits[GUIDE_ENTRIES])
{
	size_t n_facts = index->n_facts, n_hits = 0;
	double *products = alloc_array(index->n_sets + 3 * n_facts, sizeof *products);
	struct question now = {0}, then = {0};
	struct guide_hit alone, best;
	double *scores, *old, *words, strange, least, near = NEAR;

	if (!products || read_question(index, question, len, &now))
		goto out;
	scores = products + index->n_sets;
	old = scores + n_facts;
	words = old + n_facts;
	score(index, &now, products, scores);
	count_words(index, &now, words);
	strange = strangeness(&now);
	least = LEAST + strange;
	alone = take_alone(facts, scores);
	best = highest(scores, n_facts);
	if (alone.score > 0 && alone.score + words[alone.fact] >= least &&
	    alone.score >= best.score) {
		hits[0] = alone;
		n_hits = 1;
		goto out;
	}
	if (before_len && (now.points || (now.n_telling <= TELLING_MAX && !now.n_unknown &&
	                                  best.score < EXACT))) {
		if (read_question(index, before, before_len, &then))
			goto out;
		score(index, &then, products, old);
		take_alone(facts, old);
		if (add_before(facts, old, now.goes_back, scores)) {
			least = FOLLOW_UP_LEAST + strange;
			near = FOLLOW_UP_NEAR;
		}
	}
	n_hits = take_best(scores, words, n_facts, least, near, hits);
out:
	free_question(&now);
	free_question(&then);
	free(products);
	return n_hits;
}
