#include "guide/ranker.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

static const char magic[8] = {'S', 'O', 'T', 'T', 'O', 'R', 'N', 'K'};

enum { HEADER_BYTES = sizeof magic + 4 * 4 };

static uint32_t read_u32(const char *bytes)
{
	const unsigned char *at = (const unsigned char *)bytes;

	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static enum status broken(const char *name, struct error *err)
{
	return error_set(err, STATUS_CONFIG, "%s: not a file of the guide's weights", name);
}

/* The fact of an id; facts.n: none. */
static size_t find_fact(const struct facts *facts, const char *id)
{
	size_t i = 0;

	while (i < facts->n && strcmp(facts_text(facts, facts->items[i].id), id) != 0)
		i++;
	return i;
}

/* Where the n texts end that stand at `at`; NULL if they do not. */
static const char *skip_texts(const char *at, const char *end, size_t n)
{
	while (n-- && at) {
		at = memchr(at, '\0', (size_t)(end - at));
		if (at)
			at++;
	}
	return at;
}

/* Gives each fact that an id names its row of weights; an empty id stands for no fact, "=" for
 * the one before. */
static void assign_rows(struct ranker *ranker, const struct facts *facts, const char *ids, size_t n)
{
	const int8_t *rows = ranker->slots + ranker->n_slots * ranker->n_dims;

	for (size_t i = 0; i < n; i++, ids += strlen(ids) + 1) {
		size_t fact = ids[0] ? find_fact(facts, ids) : facts->n;

		if (!ids[0])
			ranker->nothing = rows + i * ranker->n_dims;
		else if (strcmp(ids, "=") == 0)
			ranker->same = rows + i * ranker->n_dims;
		else if (fact < facts->n)
			ranker->entries[fact] = rows + i * ranker->n_dims;
	}
}

enum status ranker_read(struct ranker *ranker, const char *name, char *bytes, size_t len,
                        const struct facts *facts, struct error *err)
{
	const char *ids, *rows;
	size_t n;

	*ranker = (struct ranker){.bytes = bytes};
	if (len < HEADER_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
		return broken(name, err);
	ranker->n_slots = read_u32(bytes + 8);
	ranker->n_dims = read_u32(bytes + 12);
	n = read_u32(bytes + 16);
	ids = bytes + HEADER_BYTES;
	ranker->scale = read_u32(bytes + 20) / 4294967296.0;
	if (!ranker->n_slots || ranker->n_slots > LIMIT_GUIDE_WEIGHTS || !ranker->n_dims ||
	    ranker->n_dims > LIMIT_GUIDE_DIMS || n > LIMIT_GUIDE_WEIGHTS)
		return broken(name, err);
	rows = skip_texts(ids, bytes + len, n);
	if (!rows || (size_t)(bytes + len - rows) != (ranker->n_slots + n) * ranker->n_dims)
		return broken(name, err);
	ranker->slots = (const int8_t *)rows;
	ranker->entries = alloc_array(facts->n, sizeof *ranker->entries);
	if (!ranker->entries)
		return error_set(err, STATUS_NOMEM, "not enough memory for the guide's weights");
	assign_rows(ranker, facts, ids, n);
	return STATUS_OK;
}

void ranker_deinit(struct ranker *ranker)
{
	free(ranker->bytes);
	free(ranker->entries);
	*ranker = (struct ranker){0};
}

enum status ranker_features_init(const struct ranker *ranker, struct ranker_features *features)
{
	*features = (struct ranker_features){
		.has = alloc_array(ranker->n_slots, sizeof *features->has),
		.sum = alloc_array(ranker->n_dims, sizeof *features->sum),
	};
	return features->has && features->sum ? STATUS_OK : STATUS_NOMEM;
}

void ranker_features_deinit(struct ranker_features *features)
{
	free(features->has);
	free(features->sum);
	*features = (struct ranker_features){0};
}

void ranker_add(const struct ranker *ranker, struct ranker_features *features, uint64_t hash)
{
	const int8_t *row;
	size_t slot;

	if (!ranker->n_slots)
		return;
	slot = hash % ranker->n_slots;
	if (features->has[slot])
		return;
	features->has[slot] = true;
	features->n++;
	row = ranker->slots + slot * ranker->n_dims;
	for (size_t i = 0; i < ranker->n_dims; i++)
		features->sum[i] += row[i];
}

bool ranker_knows(const struct ranker *ranker, size_t fact)
{
	return ranker->entries && ranker->entries[fact];
}

/* The product of a question with a row; 0 of no row. */
static double multiply(const struct ranker *ranker, const struct ranker_features *features,
                       const int8_t *row)
{
	int64_t sum = 0;

	if (!row || !features->n)
		return 0;
	for (size_t i = 0; i < ranker->n_dims; i++)
		sum += (int64_t)features->sum[i] * row[i];
	return ranker->scale * (double)sum / sqrt((double)features->n);
}

double ranker_score(const struct ranker *ranker, const struct ranker_features *features,
                    size_t fact)
{
	return multiply(ranker, features, ranker_knows(ranker, fact) ? ranker->entries[fact] : NULL);
}

double ranker_score_nothing(const struct ranker *ranker, const struct ranker_features *features)
{
	return multiply(ranker, features, ranker->nothing);
}

double ranker_score_same(const struct ranker *ranker, const struct ranker_features *features)
{
	return multiply(ranker, features, ranker->same);
}
