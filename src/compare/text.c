#include "compare/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MAX_IDS = 1 << 26 };

enum status text_add(struct compared_text *text, const int32_t *ids, const bool *counts, size_t n,
                     struct error *err)
{
	if (n > MAX_IDS || text->n > MAX_IDS - n)
		return error_set(err, STATUS_LIMIT, "the text has more than %d tokens", MAX_IDS);
	if (!alloc_grow(&text->ids, &text->cap_ids, text->n + n, sizeof *text->ids, MAX_IDS) ||
	    !alloc_grow(&text->counts, &text->cap_counts, text->n + n, sizeof *text->counts, MAX_IDS) ||
	    !alloc_grow(&text->windows, &text->cap_windows, text->n_windows + 1, sizeof *text->windows, MAX_IDS))
		return error_no_memory(err, "for the text");
	memcpy(text->ids + text->n, ids, n * sizeof *ids);
	for (size_t i = 0; i < n; i++)
		text->counts[text->n + i] = !counts || counts[i];
	text->windows[text->n_windows++] = (struct text_window){.at = text->n, .n = n};
	text->n += n;
	return STATUS_OK;
}

enum status text_cut(struct compared_text *text, const int32_t *ids, size_t n, size_t size, int32_t bos,
                     struct error *err)
{
	if (size < 4)
		return error_set(err, STATUS_USAGE, "a window needs at least 4 tokens");
	for (size_t at = 0; at + size <= n; at += size) {
		enum status status = text_add(text, ids + at, NULL, size, err);
		const struct text_window *window;

		if (status)
			return status;
		window = &text->windows[text->n_windows - 1];
		if (bos >= 0)
			text->ids[window->at] = bos;
		for (size_t i = 0; i < size; i++)
			text->counts[window->at + i] = i >= size / 2 && i + 1 < size;
	}
	return STATUS_OK;
}

void text_free(struct compared_text *text)
{
	free(text->ids);
	free(text->counts);
	for (size_t i = 0; i < text->n_windows; i++)
		free(text->windows[i].name);
	free(text->windows);
	*text = (struct compared_text){0};
}

size_t text_longest(const struct compared_text *text)
{
	size_t longest = 0;

	for (size_t i = 0; i < text->n_windows; i++)
		if (text->windows[i].n > longest)
			longest = text->windows[i].n;
	return longest;
}

size_t text_n_counted(const struct compared_text *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->n; i++)
		n += text->counts[i];
	return n;
}

int32_t text_next(const struct compared_text *text, const struct text_window *window, size_t i)
{
	return i + 1 < window->at + window->n ? text->ids[i + 1] : -1;
}
