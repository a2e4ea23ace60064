/* Merges of byte-level BPE as GGUF stores them, and merges.txt, which has them in old folders. */
#include <string.h>

#include "base/limits.h"
#include "checkpoint/vocabulary.h"
#include "gguf/types.h"

enum { AT_COUNT = sizeof(uint32_t) };

size_t vocabulary_begin_merge(struct vocabulary *vocabulary)
{
	uint64_t len = 0;
	uint32_t type = GGUF_STRING;

	if (!vocabulary->merges.len) {
		buf_append(&vocabulary->merges, &type, sizeof type);
		buf_append(&vocabulary->merges, &len, sizeof len);
	}
	buf_append(&vocabulary->merges, &len, sizeof len);
	return vocabulary->merges.len - sizeof len;
}

void vocabulary_end_merge(struct vocabulary *vocabulary, size_t start)
{
	uint64_t len = vocabulary->merges.len - start - sizeof len, n = ++vocabulary->n_merges;

	if (buf_status(&vocabulary->merges))
		return;
	memcpy(vocabulary->merges.data + start, &len, sizeof len);
	memcpy(vocabulary->merges.data + AT_COUNT, &n, sizeof n);
}

enum status vocabulary_read_merges(struct vocabulary *vocabulary, const char *text, size_t len, size_t *n_bad,
                                   struct error *err)
{
	const char *end = text + len;
	bool is_first = true;

	*n_bad = 0;
	for (const char *line = text, *next; line < end; line = next, is_first = false) {
		const char *newline = memchr(line, '\n', (size_t)(end - line)), *gap, *last;
		size_t start;

		next = newline ? newline + 1 : end;
		last = newline ? newline : end;
		while (last > line && (last[-1] == '\r' || last[-1] == ' ' || last[-1] == '\t'))
			last--;
		if (last == line || (is_first && *line == '#'))
			continue;
		gap = memchr(line, ' ', (size_t)(last - line));
		if (!gap || gap == line || memchr(gap + 1, ' ', (size_t)(last - gap - 1))) {
			++*n_bad;
			continue;
		}
		if (vocabulary->n_merges == LIMIT_MERGES)
			return error_set(err, STATUS_LIMIT, "merges.txt: more than %zu, expected at most that", LIMIT_MERGES);
		start = vocabulary_begin_merge(vocabulary);
		buf_append(&vocabulary->merges, line, (size_t)(last - line));
		vocabulary_end_merge(vocabulary, start);
	}
	if (buf_status(&vocabulary->merges))
		return error_no_memory(err, "for the tokenizer");
	return STATUS_OK;
}
