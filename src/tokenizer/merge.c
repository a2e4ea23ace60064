#include "tokenizer/merge.h"

#include <stdlib.h>

#include "base/alloc.h"

void merger_deinit(struct merger *m)
{
	free(m->symbols);
	queue_deinit(&m->queue);
}

enum status merger_begin(struct merger *m, const char *text, size_t len, struct error *err)
{
	if (len > m->cap) {
		size_t cap = len < 256 ? 256 : len;

		/* Nothing to keep: free first, so that a long word needs its
		 * memory once. */
		free(m->symbols);
		m->symbols = alloc_array(cap, sizeof *m->symbols);
		m->cap = m->symbols ? cap : 0;
		if (!m->symbols)
			return error_no_memory(err, "to tokenise %zu bytes", len);
	}
	m->text = text;
	m->len = (uint32_t)len;
	m->last = m->len;
	queue_clear(&m->queue);
	return STATUS_OK;
}

void merger_add(struct merger *m, uint32_t offset, int32_t id)
{
	/* before the first symbol: len, "nothing" */
	m->symbols[offset] = (struct symbol){.next = m->len, .prev = m->last, .id = id};
	if (offset)
		m->symbols[m->last].next = offset;
	m->last = offset;
}

/* Queues the pair that starts at `left` if it can be joined. */
static void push_pair(struct merger *m, merge_lookup lookup, const void *ctx, uint32_t left)
{
	struct symbol *symbol = &m->symbols[left];
	struct merge_pair pair;

	symbol->key = MERGE_NEVER;
	if (symbol->next == m->len || !lookup(ctx, m, left, symbol->next, &pair))
		return;
	symbol->key = pair.key;
	queue_push(&m->queue, (uint64_t)pair.key << 32 | left);
}

enum status merger_run(struct merger *m, merge_lookup lookup, const void *ctx, struct error *err)
{
	struct symbol *symbols = m->symbols;
	struct merge_pair pair;
	uint64_t entry;

	for (uint32_t at = 0; at < m->len; at = symbols[at].next)
		push_pair(m, lookup, ctx, at);
	while (queue_pop(&m->queue, &entry)) {
		uint32_t at = (uint32_t)entry;
		struct symbol *left = &symbols[at], *right;

		if (left->prev == (uint32_t)MERGE_GONE || left->key != entry >> 32)
			continue; /* changed since */
		if (!lookup(ctx, m, at, left->next, &pair))
			continue;
		right = &symbols[left->next];
		left->id = pair.id;
		left->next = right->next;
		if (right->next != m->len)
			symbols[right->next].prev = at;
		right->prev = (uint32_t)MERGE_GONE;
		push_pair(m, lookup, ctx, at);
		if (left->prev != m->len)
			push_pair(m, lookup, ctx, left->prev);
	}
	return m->queue.failed ? error_no_memory(err, "to tokenise %zu bytes", (size_t)m->len)
			       : STATUS_OK;
}
