#include "guide/look_up.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "guide/question.h"
#include "guide/terms.h"

#define LEAST 1.0        /* the score of "nothing fits", by words alone */
#define EXACT 1.5        /* a first question that scores above it was asked in a fact's own words */
#define EXACT_BONUS 4.0  /* of what is above it; of what is below it, of a fact the ranker does not know */
#define CLASS_WEIGHT 0.7 /* of a synonym, beside the word itself */
#define BAG_WEIGHT 0.8   /* of all words of a fact, beside its best phrase */
#define CLAUSE_DOUBT 5.0 /* of what the ranker says of a clause */
#define NO_FACT GUIDE_NOTHING
#define DECLINED "!" /* to the ranker, in place of the fact before */
enum {
	CANDIDATES = 8,   /* facts of the highest scores, and as many that the ranker likes best */
	CLAUSES = 8,      /* of a question, the last ones */
	CLAUSE_WORDS = 3, /* at least */
};

/* What the ranker says counts more of a later question, whose words say less. */
struct measures {
	double learnt;  /* of what the ranker says, beside the score */
	double named;   /* added to the score of a fact that the question names */
	double caution; /* added to the score of "nothing fits", if the ranker knows that */
	double unsure;  /* so much below the best one an entry may be what was meant */
	double doubt;   /* so much below the score of "nothing fits", if the ranker knows that */
};
static const struct measures first_question = {0.3, 0, 0.85, 0.5, 1.0},
                             later_question = {0.8, 4.0, 0, 1.2, 1.0};

/* Arrays of a number for each fact. */
struct table {
	double *scores, *learnt, *of_clause;
	double *products; /* of each set */
};

static enum status make_table(const struct index *index, struct table *table)
{
	size_t n = index->n_facts;
	double *numbers = alloc_array(3 * n + index->n_sets, sizeof *numbers);

	*table = (struct table){0};
	if (!numbers)
		return STATUS_NOMEM;
	*table = (struct table){numbers, numbers + n, numbers + 2 * n, numbers + 3 * n};
	return STATUS_OK;
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
	double norm = sqrt(question_square(index, question));

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

/* Whether text[at] stands between two clauses: white space behind a mark, or a new line. */
static bool is_break(const char *text, size_t at)
{
	if (text[at] == '\n')
		return true;
	return at > 0 && memchr(" \t\r", text[at], 3) && memchr(".!?;:,", text[at - 1], 6);
}

/* Where the last clause of a text begins. */
static size_t last_clause(const char *text, size_t len)
{
	while (len > 0 && !is_break(text, len - 1))
		len--;
	return len;
}

/* What a question is looked up in, and what the ranker makes of the whole of it. */
struct asked {
	const struct index *index;
	const struct facts *facts;
	const struct ranker *ranker;
	size_t before;      /* the fact that answered the question before; NO_FACT, GUIDE_DECLINED */
	size_t favourite;   /* the fact that is liked best; NO_FACT where that is small talk */
	double nothing;     /* how much no fact is meant */
	struct table table;
};

/* Fills `learnt` with what the ranker says of each fact, of one that it does not know 0, or
 * that it is wanted once more; its favourite. */
static size_t ask_ranker(const struct asked *asked, struct question *question, double *learnt)
{
	const struct facts *facts = asked->facts;
	size_t best = NO_FACT;

	if (asked->before == GUIDE_DECLINED)
		question_follow(asked->ranker, DECLINED, question);
	else if (asked->before != NO_FACT)
		question_follow(asked->ranker, facts_text(facts, facts->items[asked->before].id), question);
	for (size_t i = 0; i < facts->n; i++) {
		learnt[i] = ranker_score(asked->ranker, &question->features, i);
		if (i == asked->before)
			learnt[i] += ranker_score_same(asked->ranker, &question->features);
		if (ranker_knows(asked->ranker, i) && (best == NO_FACT || learnt[i] > learnt[best]))
			best = i;
	}
	return best != NO_FACT && !facts->items[best].alone ? best : NO_FACT;
}

static void hear_question(struct asked *asked, struct question *question)
{
	asked->favourite = ask_ranker(asked, question, asked->table.learnt);
	asked->nothing = ranker_score_nothing(asked->ranker, &question->features);
}

/* What is told beside a question makes no fact likelier: where a clause has the favourite of
 * the whole, that is as far above no fact as in the clause, but for the doubt. */
static void hear_clause(struct asked *asked, struct question *clause)
{
	double *of_clause = asked->table.of_clause, lead;
	size_t favourite = asked->favourite;

	if (favourite == NO_FACT || !asked->ranker->nothing)
		return;
	if (ask_ranker(asked, clause, of_clause) != favourite)
		return;
	lead = of_clause[favourite] - ranker_score_nothing(asked->ranker, &clause->features);
	asked->nothing = fmin(asked->nothing, asked->table.learnt[favourite] - (lead - CLAUSE_DOUBT));
}

/* The scores become those of a clause, where they are more. */
static enum status score_clause(struct asked *asked, const char *text, size_t len)
{
	const struct table *table = &asked->table;
	struct question clause = {0};
	enum status status = question_read(asked->index, asked->ranker, text, len, &clause);

	if (!status && clause.n + clause.n_unknown >= CLAUSE_WORDS) {
		score(asked->index, &clause, table->products, table->of_clause);
		for (size_t i = 0; i < asked->index->n_facts; i++)
			table->scores[i] = fmax(table->scores[i], table->of_clause[i]);
		hear_clause(asked, &clause);
	}
	question_free(&clause);
	return status;
}

/* People tell something beside what they ask, whose words fit nothing. */
static enum status score_clauses(struct asked *asked, const char *text, size_t len)
{
	enum status status = STATUS_OK;
	size_t n = 0;

	len = len < LIMIT_GUIDE_QUESTION ? len : LIMIT_GUIDE_QUESTION;
	while (!status && len > 0 && n < CLAUSES) {
		size_t from = last_clause(text, len);

		if (from == 0 && n == 0)
			break; /* it is but one, the whole */
		if (from < len) {
			status = score_clause(asked, text + from, len - from);
			n++;
		}
		len = from > 0 ? from - 1 : 0;
	}
	return status;
}

static void favour_exact(double *scores, size_t n)
{
	for (size_t i = 0; i < n; i++)
		scores[i] += EXACT_BONUS * fmax(0, scores[i] - EXACT);
}

/* Puts a fact behind those of `most` best ones that are as good, if it is one of them. */
static size_t insert(struct guide_hit *best, size_t n, size_t most, struct guide_hit hit)
{
	size_t at = n;

	while (at > 0 && best[at - 1].score < hit.score)
		at--;
	if (at == most)
		return n;
	if (n < most)
		n++;
	memmove(best + at + 1, best + at, (n - at - 1) * sizeof *best);
	best[at] = hit;
	return n;
}

static bool is_among(const struct guide_hit *hits, size_t n, size_t fact)
{
	for (size_t i = 0; i < n; i++)
		if (hits[i].fact == fact)
			return true;
	return false;
}

/* The facts of the highest scores, then others that the ranker likes best: a follow-up may
 * share no word with what it asks for. */
static size_t find_candidates(const struct ranker *ranker, const double *scores,
                              const double *learnt, size_t n_facts,
                              struct guide_hit found[2 * CANDIDATES])
{
	struct guide_hit liked[CANDIDATES];
	size_t n = 0, n_liked = 0;

	for (size_t i = 0; i < n_facts; i++) {
		if (scores[i] > 0)
			n = insert(found, n, CANDIDATES, (struct guide_hit){.fact = i, .score = scores[i]});
		if (ranker_knows(ranker, i) || learnt[i] > 0)
			n_liked = insert(liked, n_liked, CANDIDATES,
			                 (struct guide_hit){.fact = i, .score = learnt[i]});
	}
	for (size_t i = 0; i < n_liked; i++)
		if (!is_among(found, n, liked[i].fact))
			found[n++] = (struct guide_hit){.fact = liked[i].fact,
			                                .score = scores[liked[i].fact]};
	return n;
}

/* The candidates, best first, with what the ranker says of each. One that is newer than the
 * weights is judged by its words: as if it was liked as much as the `most` liked, but for
 * what it lacks to be asked in its own words. */
static size_t rank(const struct asked *asked, double weight, double most,
                   const struct guide_hit *found, size_t n, struct guide_hit best[2 * CANDIDATES])
{
	const struct ranker *ranker = asked->ranker;
	size_t n_best = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, weight * asked->table.learnt[found[i].fact]);
	for (size_t i = 0; i < n; i++) {
		struct guide_hit hit = found[i];
		double learnt = weight * asked->table.learnt[hit.fact];

		if (ranker->entries && !ranker_knows(ranker, hit.fact))
			learnt = fmax(learnt, most - EXACT_BONUS * fmax(0, EXACT - hit.score));
		hit.score += learnt;
		n_best = insert(best, n_best, 2 * CANDIDATES, hit);
	}
	return n_best;
}

/* Whether a word is the name of a key, a command or an option. */
static bool is_name(const struct lexicon *lexicon, uint32_t word)
{
	const char *text = lexicon_text(lexicon, word);

	return text[0] == '/' || text[0] == '-' || term_is_key(text, lexicon->words[word].len);
}

/* Whether the question has a name that is a phrase of a fact by itself: /model, F9. */
static bool is_named(const struct index *index, const struct question *question, size_t fact)
{
	for (size_t i = 0; i < question->n; i++) {
		uint32_t word = question->words[i], head = index->lexicon.words[word].head;

		if (!is_name(&index->lexicon, word))
			continue;
		for (uint32_t k = index->class_first[head]; k < index->class_first[head + 1]; k++) {
			const struct index_set *set = &index->sets[index->class_sets[k]];

			if (set->fact == fact && set->n == 1 && !set->is_bag && index->members[set->first] == word)
				return true;
		}
	}
	return false;
}

static void favour_named(const struct index *index, const struct question *question, double bonus,
                         double *scores)
{
	for (size_t i = 0; bonus > 0 && i < index->n_facts; i++)
		if (is_named(index, question, i))
			scores[i] += bonus;
}

/* Where the question names the best, only others that it names as well may be meant. */
static size_t keep_named(const struct index *index, const struct question *question,
                         struct guide_hit *best, size_t n)
{
	size_t n_kept = 1;

	if (!n || !is_named(index, question, best[0].fact))
		return n;
	for (size_t i = 1; i < n; i++)
		if (is_named(index, question, best[i].fact))
			best[n_kept++] = best[i];
	return n_kept;
}

/* What may be told behind the best or behind nothing: small talk stands alone, and what was
 * told just `before` is not told again. */
static bool may_be_second(const struct facts *facts, size_t fact, size_t before)
{
	return !facts->items[fact].alone && fact != before;
}

/* The best of the ranked ones, and the next if that may be meant as well; where nothing is
 * likelier than the best, both if it is a close thing, else none. */
static size_t take_best(const struct facts *facts, const struct guide_hit *best, size_t n,
                        size_t before, double nothing, const struct measures *measures,
                        struct guide_hit hits[GUIDE_ENTRIES])
{
	if (!n)
		return 0;
	if (best[0].score < nothing) {
		if (best[0].score < nothing - measures->doubt || !may_be_second(facts, best[0].fact, before))
			return 0;
		hits[0] = (struct guide_hit){.fact = GUIDE_NOTHING, .score = nothing};
		hits[1] = best[0];
		return 2;
	}
	hits[0] = best[0];
	if (facts->items[best[0].fact].alone)
		return 1;
	hits[0].told = best[0].fact == before;
	for (size_t i = 1; i < n && best[i].score >= best[0].score - measures->unsure; i++) {
		if (may_be_second(facts, best[i].fact, before)) {
			hits[1] = best[i];
			return 2;
		}
	}
	return 1;
}

size_t look_up(const struct index *index, const struct facts *facts, const struct ranker *ranker,
               const char *text, size_t len, size_t before, struct guide_hit hits[GUIDE_ENTRIES])
{
	struct guide_hit found[2 * CANDIDATES], best[2 * CANDIDATES];
	size_t n, n_hits = 0;
	bool first = before >= index->n_facts;
	struct measures measures = first ? first_question : later_question;
	double nothing = LEAST;
	struct question question = {0};
	struct asked asked = {
		.index = index, .facts = facts, .ranker = ranker, .before = before};
	struct table *table = &asked.table;

	if (make_table(index, table) || question_read(index, ranker, text, len, &question))
		goto out;
	if (!question.n && !question.n_unknown)
		goto out;
	hear_question(&asked, &question);
	score(index, &question, table->products, table->scores);
	if (first)
		favour_exact(table->scores, index->n_facts);
	if (score_clauses(&asked, text, len))
		goto out;
	favour_named(index, &question, measures.named, table->scores);
	n = find_candidates(ranker, table->scores, table->learnt, index->n_facts, found);
	if (ranker->nothing)
		nothing = LEAST + measures.learnt * asked.nothing + measures.caution;
	else
		measures.doubt = 0;
	n = rank(&asked, measures.learnt, nothing - LEAST, found, n, best);
	n = keep_named(index, &question, best, n);
	n_hits = take_best(facts, best, n, before, nothing, &measures, hits);
out:
	question_free(&question);
	free(table->scores);
	return n_hits;
}
