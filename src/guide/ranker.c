#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "base/hash.h"
#include "base/limits.h"
#include "guide/guide_internal.h"

static const char magic[8] = {'S', 'O', 'T', 'T', 'O', 'R', 'N', '2'};

enum {
	HEADER_BYTES = sizeof magic + 4 * 4,
	GRAM_MIN = 3, /* letters of a part of an unknown word */
	GRAM_MAX = 5,
};

/* A question: the features that the weights know, each once. */
struct features {
	const struct ranker *ranker;
	bool *has;    /* [n_features] */
	int32_t *sum; /* [n_dims]: of the rows of those it has */
	size_t n;
};

static uint32_t read_u32(const char *bytes)
{
	const unsigned char *at = (const unsigned char *)bytes;

	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static enum status broken(const char *name, struct error *err)
{
	return error_set(err, STATUS_CONFIG, "%s: not a file of the guide's weights", name);
}

/* Where the row of an id goes in entries: a fact's, that of no fact, whose id is empty, or that of
 * the fact before, "="; behind these for a fact that is gone. */
static size_t find_entry(const struct guide_facts *facts, const char *id)
{
	size_t i = 0;

	if (!id[0] || strcmp(id, "=") == 0)
		return facts->n + (id[0] == '=');
	while (i < facts->n && strcmp(facts_id(facts, i), id) != 0)
		i++;
	return i < facts->n ? i : facts->n + 2;
}

/* False: the n ids do not end at `end`, or those that are no facts' are missing. */
static bool assign_rows(struct ranker *ranker, const struct guide_facts *facts, const char *ids,
                        const char *end, const int8_t *row, size_t n)
{
	for (; n > 0; n--, row += ranker->n_dims) {
		const char *next = memchr(ids, '\0', (size_t)(end - ids));

		if (!next)
			return false;
		ranker->entries[find_entry(facts, ids)] = row;
		ids = next + 1;
	}
	return ids == end && ranker->entries[facts->n] && ranker->entries[facts->n + 1];
}

enum status ranker_read(struct ranker *ranker, const char *name, char *bytes, size_t len,
                        const struct guide_facts *facts, struct error *err)
{
	size_t n_features, n_dims, n, n_bytes;

	*ranker = (struct ranker){.bytes = bytes};
	if (len < HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
		return broken(name, err);
	n_features = ranker->n_features = read_u32(bytes + 8);
	n_dims = ranker->n_dims = read_u32(bytes + 12);
	n = read_u32(bytes + 16);
	ranker->scale = read_u32(bytes + 20) / 4294967296.0;
	if (n_features > len || n > len || !n_dims || n_dims % 2 || n_dims > LIMIT_GUIDE_DIMS)
		return broken(name, err);
	n_bytes = n_features * (4 + n_dims / 2) + n * n_dims; /* no overflow: all are small */
	if (n_bytes > len - HEADER_BYTES)
		return broken(name, err);
	ranker->hashes = bytes + len - n_bytes;
	ranker->rows = (const uint8_t *)ranker->hashes + 4 * n_features;
	ranker->entries = alloc_array(facts->n + 3, sizeof *ranker->entries);
	if (!ranker->entries)
		return error_no_memory(err, "for the guide's weights");
	return assign_rows(ranker, facts, bytes + HEADER_BYTES, ranker->hashes,
	                   (const int8_t *)bytes + len - n * n_dims, n) ? STATUS_OK : broken(name, err);
}

void ranker_deinit(struct ranker *ranker)
{
	free(ranker->bytes);
	free(ranker->entries);
	*ranker = (struct ranker){0};
}

bool ranker_knows(const struct ranker *ranker, size_t fact)
{
	return ranker->entries && ranker->entries[fact];
}

static uint64_t hash_feature(char kind, const char *text, size_t len)
{
	return hash_more(hash_more(HASH_BEGIN, &kind, 1), text, len);
}

/* Adds a feature by its hash; false: the weights do not know it. */
static bool add(struct features *features, uint64_t hash)
{
	const struct ranker *ranker = features->ranker;
	uint32_t wanted = hash_fold(hash);
	size_t at = 0;
	const uint8_t *row;

	BISECT(at, ranker->n_features, i, read_u32(ranker->hashes + 4 * i) < wanted);
	if (at == ranker->n_features || read_u32(ranker->hashes + 4 * at) != wanted)
		return false;
	if (features->has[at])
		return true;
	features->has[at] = true;
	features->n++;
	row = ranker->rows + at * ranker->n_dims / 2;
	for (size_t i = 0; i < ranker->n_dims; i++)
		features->sum[i] += (row[i / 2] >> 4 * (i % 2) & 15) - 8;
	return true;
}

/* An unknown word is known by its parts: it may be mistyped, or made of known ones. */
static void add_grams(struct features *features, const char *word, size_t len)
{
	char text[LIMIT_GUIDE_WORD + 2];

	text[0] = '<';
	memcpy(text + 1, word, len);
	text[len + 1] = '>';
	for (size_t n = GRAM_MIN; n <= GRAM_MAX; n++)
		for (size_t i = 0; i + n <= len + 2; i++)
			add(features, hash_feature('g', text + i, n));
}

/* A feature of two words that follow one another. */
static void add_pair(struct features *features, uint64_t first, const char *second, size_t len)
{
	add(features, hash_more(hash_more(first, " ", 1), second, len));
}

static void add_words(struct features *features, const struct terms *words)
{
	uint64_t before = hash_feature('b', "^", 1);

	for (size_t i = 0; i < words->n; i++) {
		const char *word = terms_word(words, i);
		size_t len = words->items[i].len;

		if (!add(features, hash_feature('w', word, len))) {
			add_grams(features, word, len);
			word = "?";
			len = 1;
			add(features, hash_feature('w', word, len));
		}
		add_pair(features, before, word, len);
		before = hash_feature('b', word, len);
	}
	add_pair(features, before, "$", 1);
}

/* The product of a question with a row; 0 of no row. */
static double multiply(const struct features *features, const int8_t *row)
{
	const struct ranker *ranker = features->ranker;
	int64_t sum = 0;

	for (size_t i = 0; i < ranker->n_dims && row; i++)
		sum += (int64_t)features->sum[i] * row[i];
	return features->n ? ranker->scale * (double)sum / sqrt((double)features->n) : 0;
}

enum status ranker_score(const struct ranker *ranker, const struct guide_facts *facts,
                         const struct terms *question, size_t before, double *scores)
{
	const char *id = before < facts->n ? facts_id(facts, before)
	                 : before == GUIDE_DECLINED ? "!" : "";
	struct features features = {
		.ranker = ranker,
		.has = alloc_array(ranker->n_features, sizeof *features.has),
		.sum = alloc_array(ranker->n_dims, sizeof *features.sum),
	};
	enum status status = features.has && features.sum ? STATUS_OK : STATUS_NOMEM;

	if (!status && ranker->entries) {
		add_words(&features, question);
		add(&features, hash_feature('p', id, strlen(id)));
		for (size_t i = 0; i <= facts->n; i++)
			scores[i] = multiply(&features, ranker->entries[i]);
		if (before < facts->n)
			scores[before] += multiply(&features, ranker->entries[facts->n + 1]);
	}
	free(features.has);
	free(features.sum);
	return status;
}
