#include "tokenizer/merge.h"

#include <stdlib.h>

#include "base/alloc.h"

static void free_arrays(struct merger *m)
{
	free(m->next);
	free(m->prev);
	free(m->key);
	free(m->id);
	m->next = m->prev = m->key = NULL;
	m->id = NULL;
	m->cap = 0;
}

void merger_deinit(struct merger *m)
{
	free_arrays(m);
	queue_deinit(&m->queue);
}

enum status merger_begin(struct merger *m, const char *text, size_t len, struct error *err)
{
	if (len > m->cap) {
		size_t cap = len < 256 ? 256 : len;

		/* Nothing to keep: free first, so that a long word needs its
		 * memory once. */
		free_arrays(m);
		m->next = alloc_array(cap, sizeof *m->next);
		m->prev = alloc_array(cap, sizeof *m->prev);
		m->key = alloc_array(cap, sizeof *m->key);
		m->id = alloc_array(cap, sizeof *m->id);
		if (!m->next || !m->prev || !m->key || !m->id) {
			free_arrays(m);
			return error_no_memory(err, "to tokenise %zu bytes", len);
		}
		m->cap = cap;
	}
	m->text = text;
	m->len = (uint32_t)len;
	m->last = m->len;
	queue_clear(&m->queue);
	return STATUS_OK;
}

void merger_add(struct merger *m, uint32_t offset, int32_t id)
{
	m->prev[offset] = m->last; /* of the first symbol: len, "nothing before" */
	if (offset)
		m->next[m->last] = offset;
	m->next[offset] = m->len;
	m->id[offset] = id;
	m->last = offset;
}

/* Queues the pair that starts at `left` if it can be joined. */
static bool push_pair(struct merger *m, merge_lookup lookup, const void *ctx, uint32_t left)
{
	struct merge_pair pair;

	m->key[left] = MERGE_NEVER;
	if (m->next[left] == m->len || !lookup(ctx, m, left, m->next[left], &pair))
		return true;
	m->key[left] = pair.key;
	return queue_push(&m->queue, (uint64_t)pair.key << 32 | left);
}

enum status merger_run(struct merger *m, merge_lookup lookup, const void *ctx, struct error *err)
{
	struct merge_pair pair;
	uint64_t entry;
	uint32_t left, right;

	for (left = 0; left < m->len; left = m->next[left])
		if (!push_pair(m, lookup, ctx, left))
			goto nomem;
	while (queue_pop(&m->queue, &entry)) {
		left = (uint32_t)entry;
		if (m->prev[left] == (uint32_t)MERGE_GONE || m->key[left] != entry >> 32)
			continue; /* changed since */
		right = m->next[left];
		if (!lookup(ctx, m, left, right, &pair))
			continue;
		m->id[left] = pair.id;
		m->next[left] = m->next[right];
		if (m->next[right] != m->len)
			m->prev[m->next[right]] = left;
		m->prev[right] = (uint32_t)MERGE_GONE;
		if (!push_pair(m, lookup, ctx, left))
			goto nomem;
		if (m->prev[left] != m->len && !push_pair(m, lookup, ctx, m->prev[left]))
			goto nomem;
	}
	if (!m->queue.failed)
		return STATUS_OK;
nomem:
	return error_no_memory(err, "to tokenise %zu bytes", (size_t)m->len);
}
