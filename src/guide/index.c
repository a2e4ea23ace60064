#include "guide/index.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "guide/terms.h"

/* What is needed while the sets are made. */
struct maker {
	struct index *index;
	const struct facts *facts;
	struct terms terms;
	struct buf text; /* one expanded phrase */
};

void index_deinit(struct index *index)
{
	lexicon_deinit(&index->lexicon);
	free(index->sets);
	free(index->members);
	free(index->class_first);
	free(index->class_sets);
	*index = (struct index){0};
}

/* Adds a word to the lexicon as its stem; LEXICON_NONE for one that is too long. */
static enum status add_stem(struct lexicon *lexicon, const char *word, size_t len, uint32_t *out)
{
	char stem[LIMIT_GUIDE_WORD];

	*out = LEXICON_NONE;
	if (len == 0 || len > sizeof stem)
		return STATUS_OK;
	memcpy(stem, word, len);
	return lexicon_add(lexicon, stem, term_stem(stem, len), out);
}

/* Adds the words of a list, which are of that kind. */
static enum status add_kind(struct maker *maker, const struct fact_texts *words, unsigned kind)
{
	struct lexicon *lexicon = &maker->index->lexicon;

	for (size_t i = 0; i < words->n; i++) {
		const char *word = facts_item(maker->facts, words->first + i);
		uint32_t id;

		if (add_stem(lexicon, word, strlen(word), &id))
			return STATUS_NOMEM;
		if (id != LEXICON_NONE)
			lexicon->words[id].kinds |= kind;
	}
	return STATUS_OK;
}

/* A row's first word stands for all; a word belongs to the first row that has it. */
static enum status add_synonyms(struct maker *maker, const struct fact_texts *row)
{
	struct lexicon *lexicon = &maker->index->lexicon;
	uint32_t head = LEXICON_NONE, id;

	for (size_t i = 0; i < row->n; i++) {
		const char *word = facts_item(maker->facts, row->first + i);

		if (add_stem(lexicon, word, strlen(word), &id))
			return STATUS_NOMEM;
		if (i == 0)
			head = id;
		if (id == LEXICON_NONE || head == LEXICON_NONE || lexicon->words[id].in_class)
			continue;
		lexicon->words[id].in_class = true;
		lexicon->words[id].head = head;
	}
	return STATUS_OK;
}

static enum status add_member(struct index *index, uint32_t word)
{
	if (!alloc_grow(&index->members, &index->cap_members, index->n_members + 1,
	                sizeof *index->members, LIMIT_GUIDE_WORDS))
		return STATUS_LIMIT;
	index->members[index->n_members++] = word;
	return STATUS_OK;
}

static enum status begin_set(struct index *index, size_t fact, bool is_bag)
{
	if (!alloc_grow(&index->sets, &index->cap_sets, index->n_sets + 1, sizeof *index->sets,
	                LIMIT_GUIDE_WORDS))
		return STATUS_LIMIT;
	index->sets[index->n_sets++] = (struct index_set){
		.first = (uint32_t)index->n_members, .fact = (uint32_t)fact, .is_bag = is_bag};
	return STATUS_OK;
}

/* Ends the set that was begun last; an empty one is taken back. */
static void end_set(struct index *index)
{
	struct index_set *set = &index->sets[index->n_sets - 1];

	set->n = (uint32_t)(index->n_members - set->first);
	if (!set->n && !set->is_bag)
		index->n_sets--;
}

static bool was_added(const struct index *index, size_t first, uint32_t word)
{
	while (first < index->n_members && index->members[first] != word)
		first++;
	return first < index->n_members;
}

/* A text as a set of its first `most` words. */
static enum status add_phrase(struct maker *maker, size_t fact, const char *text, size_t most)
{
	struct index *index = maker->index;
	enum status status = terms_split(&maker->terms, text, strlen(text));
	size_t first = index->n_members;

	if (!status)
		status = begin_set(index, fact, false);
	for (size_t i = 0; i < maker->terms.n && i < most && !status; i++) {
		uint32_t id;

		status = add_stem(&index->lexicon, terms_word(&maker->terms, i),
		                  maker->terms.items[i].len, &id);
		if (!status && id != LEXICON_NONE && !was_added(index, first, id))
			status = add_member(index, id);
	}
	if (!status)
		end_set(index);
	return status;
}

static enum status add_phrases(struct maker *maker, size_t fact, const struct fact_texts *list)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < list->n && !status; i++) {
		const char *phrase = facts_item(maker->facts, list->first + i);
		size_t n = terms_count_texts(phrase);

		if (n > LIMIT_GUIDE_EXPANSIONS)
			return STATUS_LIMIT;
		for (size_t k = 0; k < n && !status; k++) {
			status = terms_nth_text(phrase, k, &maker->text);
			if (!status)
				status = add_phrase(maker, fact, buf_text(&maker->text), SIZE_MAX);
		}
	}
	return status;
}

/* The names of the program's rows that a fact is about: the first word of each. */
static enum status add_names(struct maker *maker, size_t fact, enum fact_list which,
                             const char *mark)
{
	const struct fact_texts *list = &maker->facts->items[fact].lists[which];
	enum status status = STATUS_OK;

	for (size_t i = 0; i < list->n && !status; i++) {
		buf_clear(&maker->text);
		buf_puts(&maker->text, mark);
		status = buf_puts(&maker->text, facts_item(maker->facts, list->first + i));
		if (!status)
			status = add_phrase(maker, fact, buf_text(&maker->text), 1);
	}
	return status;
}

static enum status add_bag(struct index *index, size_t fact, size_t first_set)
{
	size_t n_sets = index->n_sets;
	enum status status = begin_set(index, fact, true);

	for (size_t s = first_set; s < n_sets && !status; s++)
		for (size_t i = 0; i < index->sets[s].n && !status; i++) {
			uint32_t word = index->members[index->sets[s].first + i];

			if (index->lexicon.words[word].seen == fact + 1)
				continue;
			index->lexicon.words[word].seen = (uint32_t)fact + 1;
			status = add_member(index, word);
		}
	if (!status)
		end_set(index);
	return status;
}

static enum status add_fact(struct maker *maker, size_t n)
{
	const struct fact *fact = &maker->facts->items[n];
	size_t first_set = maker->index->n_sets;
	enum status status = add_phrase(maker, n, facts_text(maker->facts, fact->text), SIZE_MAX);

	for (size_t i = FACT_DO; i <= FACT_ASK && !status; i++)
		status = add_phrases(maker, n, &fact->lists[i]);
	if (!status)
		status = add_names(maker, n, FACT_KEYS, "");
	if (!status)
		status = add_names(maker, n, FACT_COMMANDS, "/");
	if (!status)
		status = add_names(maker, n, FACT_OPTIONS, "--");
	if (!status)
		status = add_names(maker, n, FACT_SUBCOMMANDS, "sotto ");
	return status ? status : add_bag(maker->index, n, first_set);
}

static enum status make_sets(struct index *index, const struct facts *facts)
{
	struct maker maker = {.index = index, .facts = facts};
	enum status status;

	terms_init(&maker.terms);
	buf_init(&maker.text, LIMIT_GUIDE_FACTS);
	status = add_kind(&maker, &facts->noise, WORD_NOISE);
	if (!status)
		status = add_kind(&maker, &facts->elsewhere, WORD_ELSEWHERE);
	for (size_t i = 0; i < facts->n_synonyms && !status; i++)
		status = add_synonyms(&maker, &facts->synonyms[i]);
	for (size_t i = 0; i < facts->n && !status; i++)
		status = add_fact(&maker, i);
	terms_deinit(&maker.terms);
	buf_free(&maker.text);
	return status;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Most sets are phrases, of a few words. */
static void sort_numbers(uint32_t *numbers, size_t n)
{
	if (n > 16) {
		qsort(numbers, n, sizeof *numbers, compare_numbers);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		uint32_t number = numbers[i];
		size_t at = i;

		for (; at > 0 && numbers[at - 1] > number; at--)
			numbers[at] = numbers[at - 1];
		numbers[at] = number;
	}
}

static enum status sort_words(struct index *index)
{
	uint32_t *new_numbers = alloc_array(index->lexicon.n, sizeof *new_numbers);

	if (!new_numbers || lexicon_sort(&index->lexicon, new_numbers)) {
		free(new_numbers);
		return STATUS_NOMEM;
	}
	for (size_t i = 0; i < index->n_members; i++)
		index->members[i] = new_numbers[index->members[i]];
	for (size_t i = 0; i < index->n_sets; i++)
		sort_numbers(index->members + index->sets[i].first, index->sets[i].n);
	free(new_numbers);
	return STATUS_OK;
}

/* Calls `take` for each class that a set has, once. */
static void each_class(struct index *index, size_t set,
                       void (*take)(struct index *index, size_t set, uint32_t head))
{
	for (size_t i = 0; i < index->sets[set].n; i++) {
		const uint32_t head =
			index->lexicon.words[index->members[index->sets[set].first + i]].head;
		struct lexicon_word *word = &index->lexicon.words[head];

		if (word->seen == set + 1)
			continue;
		word->seen = (uint32_t)set + 1;
		take(index, set, head);
	}
}

static void count_class(struct index *index, size_t set, uint32_t head)
{
	index->class_first[head + 1]++;
	if (index->sets[set].is_bag)
		index->lexicon.words[head].class_idf += 1; /* the number of facts so far */
}

/* class_first[head] is where the next set of the class is put, and so in the end
 * where the next class begins. */
static void put_class(struct index *index, size_t set, uint32_t head)
{
	index->class_sets[index->class_first[head]++] = (uint32_t)set;
}

static void forget_seen(struct lexicon *lexicon)
{
	for (size_t i = 0; i < lexicon->n; i++)
		lexicon->words[i].seen = 0;
}

static enum status make_classes(struct index *index)
{
	size_t n = index->lexicon.n;

	index->class_first = alloc_array(n + 1, sizeof *index->class_first);
	index->class_sets = alloc_array(index->n_members, sizeof *index->class_sets);
	if (!index->class_first || !index->class_sets)
		return STATUS_NOMEM;
	forget_seen(&index->lexicon);
	for (size_t i = 0; i < index->n_sets; i++)
		each_class(index, i, count_class);
	for (size_t i = 0; i < n; i++)
		index->class_first[i + 1] += index->class_first[i];
	forget_seen(&index->lexicon);
	for (size_t i = 0; i < index->n_sets; i++)
		each_class(index, i, put_class);
	memmove(index->class_first + 1, index->class_first, n * sizeof *index->class_first);
	index->class_first[0] = 0;
	return STATUS_OK;
}

/* From the number of facts that have a word to its weight. */
static double weight_of(const struct index *index, const struct lexicon_word *word, double n)
{
	if (n <= 0)
		return 0;
	return word->kinds & WORD_NOISE ? INDEX_NOISE_WEIGHT : log(1 + (double)index->n_facts / n);
}

static void weigh(struct index *index)
{
	struct lexicon *lexicon = &index->lexicon;

	for (size_t s = 0; s < index->n_sets; s++)
		for (size_t i = 0; i < index->sets[s].n && index->sets[s].is_bag; i++)
			lexicon->words[index->members[index->sets[s].first + i]].idf += 1;
	for (size_t i = 0; i < lexicon->n; i++) {
		struct lexicon_word *word = &lexicon->words[i];

		word->idf = weight_of(index, word, word->idf);
		word->class_idf = weight_of(index, word, word->class_idf);
	}
	for (size_t s = 0; s < index->n_sets; s++) {
		struct index_set *set = &index->sets[s];
		double sum = 0;

		for (size_t i = 0; i < set->n; i++) {
			double idf = lexicon->words[index->members[set->first + i]].idf;

			sum += idf * idf;
		}
		set->norm = sqrt(sum);
	}
}

enum status index_make(struct index *index, const struct facts *facts, struct error *err)
{
	enum status status;

	*index = (struct index){.n_facts = facts->n};
	lexicon_init(&index->lexicon);
	status = make_sets(index, facts);
	if (!status)
		status = sort_words(index);
	if (!status)
		status = make_classes(index);
	if (status == STATUS_LIMIT)
		return error_set(err, status, "the guide's facts are too many");
	if (status)
		return error_set(err, status, "not enough memory for the guide's facts");
	weigh(index);
	return STATUS_OK;
}

bool index_set_has(const struct index *index, const struct index_set *set, uint32_t word)
{
	const uint32_t *members = index->members + set->first;
	size_t low = 0, high = set->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (members[middle] < word)
			low = middle + 1;
		else
			high = middle;
	}
	return low < set->n && members[low] == word;
}

double index_weight(const struct index *index, uint32_t word)
{
	const struct lexicon_word *known = &index->lexicon.words[word];

	if (known->kinds & WORD_NOISE)
		return INDEX_NOISE_WEIGHT;
	return known->idf > 0 ? known->idf : index->lexicon.words[known->head].class_idf;
}
