/* The merges of BPE. As in llama.cpp they join texts, not tokens: what they lead through need not be
 * a token itself (letters that a vocabulary lacks, words that were taken out of it). */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocab.h"

#define KEY "tokenizer.ggml.merges"

static size_t merge_slot(const struct vocab *vocab, int32_t left, int32_t right)
{
	uint64_t h = ((uint64_t)(uint32_t)left << 32 | (uint32_t)right) * vocab->by_name.seed;

	h ^= h >> 32;
	h *= 0x9E3779B97F4A7C15u;
	return (size_t)(h >> 32) & vocab->merges_mask;
}

const struct merge *vocab_find_merge(const struct vocab *vocab, int32_t left, int32_t right)
{
	const struct merge *m;

	for (size_t i = merge_slot(vocab, left, right);; i = (i + 1) & vocab->merges_mask) {
		m = &vocab->merges[i];
		if (m->left == left && m->right == right)
			return m;
		if (m->left < 0)
			return NULL;
	}
}

int32_t vocab_find_symbol(const struct vocab *vocab, const char *name, size_t len)
{
	int32_t id = vocab_find_plain(vocab, name, len), part;

	if (id >= 0 || !vocab->n_parts)
		return id;
	part = textmap_find(&vocab->by_part, name, len);
	return part < 0 ? TOKEN_NONE : (int32_t)vocab->n + part;
}

/* A merge of the file taken apart: "left right". */
struct pair {
	const char *left, *right;
	size_t left_len, right_len;
	char *joined; /* room for the longest */
};

/* The first blank that is not the first byte divides. */
static bool split_merge(struct gguf_string text, struct pair *pair)
{
	const char *gap = text.len > 1 ? memchr(text.data + 1, ' ', text.len - 1) : NULL;

	if (!gap)
		return false;
	pair->left = text.data;
	pair->left_len = (size_t)(gap - text.data);
	pair->right = gap + 1;
	pair->right_len = text.len - pair->left_len - 1;
	if (!pair->right_len)
		return false;
	memcpy(pair->joined, pair->left, pair->left_len);
	memcpy(pair->joined + pair->left_len, pair->right, pair->right_len);
	return true;
}

static void find_symbols(const struct vocab *vocab, const struct pair *pair, struct merge *merge)
{
	merge->left = vocab_find_symbol(vocab, pair->left, pair->left_len);
	merge->right = vocab_find_symbol(vocab, pair->right, pair->right_len);
	merge->id = vocab_find_symbol(vocab, pair->joined, pair->left_len + pair->right_len);
}

static void put_merge(struct vocab *vocab, const struct merge *merge)
{
	size_t slot = merge_slot(vocab, merge->left, merge->right);

	if (vocab_find_merge(vocab, merge->left, merge->right))
		return; /* twice: the first, better rank counts */
	while (vocab->merges[slot].left >= 0)
		slot = (slot + 1) & vocab->merges_mask;
	vocab->merges[slot] = *merge;
}

/* Plain text never becomes a control token, so no merge leads to or through one. */
static bool is_reserved(const struct vocab *vocab, const char *text, size_t len)
{
	return vocab_find_plain(vocab, text, len) < 0 && textmap_find(&vocab->by_name, text, len) >= 0;
}

/* Merges with a text that is no token, by rank. */
struct later {
	uint32_t *ranks;
	size_t n, cap;
};

/* Puts the merges of tokens into the table, and the ranks of the others into a list. */
static enum status take_merges(struct vocab *vocab, const struct gguf_array *texts, struct pair *pair,
                               struct later *later)
{
	for (size_t i = 0; i < texts->n; i++) {
		struct merge merge = {.rank = (uint32_t)i};

		if (!split_merge(gguf_array_string(texts, i), pair)) {
			vocab->n_merges_dropped++;
			continue;
		}
		find_symbols(vocab, pair, &merge);
		if (merge.left >= 0 && merge.right >= 0 && merge.id >= 0) {
			put_merge(vocab, &merge);
		} else if (is_reserved(vocab, pair->left, pair->left_len) ||
		           is_reserved(vocab, pair->right, pair->right_len) ||
		           is_reserved(vocab, pair->joined, pair->left_len + pair->right_len)) {
			vocab->n_merges_dropped++;
		} else if (!alloc_grow(&later->ranks, &later->cap, later->n + 1, sizeof *later->ranks,
		                       LIMIT_MERGES)) {
			return STATUS_NOMEM;
		} else {
			later->ranks[later->n++] = (uint32_t)i;
		}
	}
	return STATUS_OK;
}

static void add_part(struct vocab *vocab, const char *text, size_t len)
{
	struct texts *parts = &vocab->parts;

	if (vocab_find_symbol(vocab, text, len) >= 0)
		return;
	memcpy(parts->bytes + parts->starts[vocab->n_parts], text, len);
	parts->starts[vocab->n_parts + 1] = parts->starts[vocab->n_parts] + (uint32_t)len;
	textmap_add(&vocab->by_part, (int32_t)vocab->n_parts++);
}

static enum status take_later(struct vocab *vocab, const struct gguf_array *texts, struct pair *pair,
                              const struct later *later, struct error *err)
{
	size_t n_bytes = 0, n = 3 * later->n;

	if (later->n == 0)
		return STATUS_OK;
	for (size_t i = 0; i < later->n; i++)
		n_bytes += 2 * gguf_array_string(texts, later->ranks[i]).len; /* both, and joined */
	if (n_bytes > UINT32_MAX || n > (size_t)INT32_MAX - vocab->n)
		return error_set(err, STATUS_LIMIT, KEY ": %zu merges of texts that are not tokens", later->n);
	if (texts_init(&vocab->parts, n, n_bytes, err) ||
	    textmap_init(&vocab->by_part, &vocab->parts, n, err))
		return STATUS_NOMEM;
	for (size_t i = 0; i < later->n; i++) {
		struct merge merge = {.rank = later->ranks[i]};

		split_merge(gguf_array_string(texts, later->ranks[i]), pair);
		add_part(vocab, pair->left, pair->left_len);
		add_part(vocab, pair->right, pair->right_len);
		add_part(vocab, pair->joined, pair->left_len + pair->right_len);
		find_symbols(vocab, pair, &merge);
		put_merge(vocab, &merge);
	}
	return STATUS_OK;
}

enum status vocab_read_merges(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	struct gguf_array texts = {0};
	struct pair pair = {.joined = NULL};
	struct later later = {.n = 0};
	size_t n_slots = 16, longest = 0;
	enum status status = gguf_get_array(gguf, KEY, GGUF_STRING, &texts, err);

	if (status == STATUS_NOTFOUND && !(vocab->pre->flags & PRE_MERGES_OPTIONAL))
		return error_set(err, STATUS_FORMAT, KEY ": missing");
	if (status && status != STATUS_NOTFOUND)
		return status;
	if (texts.n > LIMIT_MERGES)
		return error_set(err, STATUS_LIMIT, KEY ": has %zu items, expected at most %zu", texts.n,
		                 LIMIT_MERGES);
	while (n_slots < texts.n * 2)
		n_slots *= 2;
	for (size_t i = 0; i < texts.n; i++) {
		size_t len = gguf_array_string(&texts, i).len;

		longest = len > longest ? len : longest;
	}
	vocab->merges = alloc_array(n_slots, sizeof *vocab->merges);
	pair.joined = alloc_array(longest + 1, 1);
	vocab->merges_mask = n_slots - 1;
	for (size_t i = 0; vocab->merges && i < n_slots; i++)
		vocab->merges[i].left = -1;
	if (!vocab->merges || !pair.joined || take_merges(vocab, &texts, &pair, &later))
		status = error_no_memory(err, "for %zu merges", texts.n);
	else
		status = take_later(vocab, &texts, &pair, &later, err);
	free(later.ranks);
	free(pair.joined);
	return status;
}
