#include "pull/spans.h"

#include "base/alloc.h"

static struct span *make(uint64_t from, uint64_t at, uint64_t to, struct span *next)
{
	struct span *span = alloc_array(1, sizeof *span);

	if (span)
		*span = (struct span){.from = from, .at = at, .to = to, .next = next};
	return span;
}

enum status spans_init(struct spans *spans, uint64_t size, struct error *err)
{
	struct span *first = make(0, 0, size, NULL);

	if (!first)
		return error_no_memory(err, "for a download");
	spans_free(spans);
	*spans = (struct spans){.first = first, .size = size};
	return STATUS_OK;
}

void spans_free(struct spans *spans)
{
	while (spans->first) {
		struct span *next = spans->first->next;

		free(spans->first);
		spans->first = next;
	}
	spans->size = 0;
}

static struct span *last(const struct spans *spans)
{
	struct span *span = spans->first;

	while (span && span->next)
		span = span->next;
	return span;
}

bool spans_add(struct spans *spans, uint64_t from, uint64_t to)
{
	struct span *span = last(spans);

	if (!span || from < span->at || to <= from || to > span->to)
		return false;
	if (from > span->at) {
		span->next = make(from, from, span->to, NULL);
		if (!span->next)
			return false;
		span->to = from;
		span = span->next;
	}
	span->at = to;
	return true;
}

void spans_set_size(struct spans *spans, uint64_t size)
{
	struct span *span = last(spans);

	if (span)
		span->to = size;
	spans->size = size;
}

/* Bytes that nobody has, and nobody fetches. */
static uint64_t n_free(const struct spans *spans)
{
	uint64_t n = 0;

	for (const struct span *span = spans->first; span; span = span->next)
		n += span->is_taken ? 0 : span->to - span->at;
	return n;
}

struct span *spans_take(struct spans *spans, uint64_t most, uint64_t least, unsigned n)
{
	uint64_t share = n_free(spans) / (2 * (uint64_t)n);
	struct span *span = spans->first;

	if (share > most)
		share = most;
	if (share < least)
		share = least;
	while (span && (span->is_taken || span->at == span->to))
		span = span->next;
	if (!span)
		return NULL;
	if (span->to - span->at > share) {
		struct span *rest = make(span->at + share, span->at + share, span->to, span->next);

		if (!rest)
			return NULL;
		span->to = span->at + share;
		span->next = rest;
	}
	span->is_taken = true;
	return span;
}

/* Joins what is there side by side. */
static void tidy(struct spans *spans)
{
	for (struct span *span = spans->first; span; span = span->next)
		while (span->next && !span->is_taken && span->at == span->to && !span->next->is_taken) {
			struct span *next = span->next;

			span->at = next->at;
			span->to = next->to;
			span->next = next->next;
			free(next);
		}
}

void spans_give_back(struct spans *spans, struct span *span)
{
	span->is_taken = false;
	tidy(spans);
}

uint64_t spans_front(const struct spans *spans)
{
	const struct span *span = spans->first;

	while (span && span->at == span->to && span->next)
		span = span->next;
	return span ? span->at : 0;
}

uint64_t spans_done(const struct spans *spans)
{
	uint64_t n = 0;

	for (const struct span *span = spans->first; span; span = span->next)
		n += span->at - span->from;
	return n;
}

bool spans_are_whole(const struct spans *spans)
{
	return spans_front(spans) == spans->size;
}
