#include "view/sampling_marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/option_value.h"
#include "chat/code_blocks.h"

enum { MARKS_MAX = 10000 };

void sampling_marks_free(struct sampling_marks *marks)
{
	free(marks->items);
	*marks = (struct sampling_marks){.items = NULL};
}

/* The last blank line that is whole within the first `len` bytes, but for one that begins the text;
 * 0: there is none. */
static size_t blank_line_before(const char *text, size_t len)
{
	size_t end = len;

	while (end > 0) {
		size_t start;

		if (text[--end] != '\n')
			continue;
		for (start = end; start > 0 && strchr(" \t\r", text[start - 1]); start--)
			;
		if (start > 0 && text[start - 1] == '\n')
			return start;
	}
	return 0;
}

/* Where the fenced code begins that the byte at `at` is in; `at` where it is in none. */
static size_t start_of_code(const char *text, size_t len, size_t at)
{
	struct code_blocks blocks;
	struct code_block block;

	code_blocks_begin(&blocks, text, len);
	while (code_blocks_next(&blocks, &block, NULL) && block.start <= at)
		if (at < block.end)
			return block.start;
	return at;
}

/* The blank line above what was written when the reply had `len` bytes. More text does not move it. */
static size_t place_of(const char *text, size_t len)
{
	size_t at = blank_line_before(text, len), start;

	while (at && (start = start_of_code(text, len, at)) != at)
		at = blank_line_before(text, start);
	return at;
}

static void add(struct sampling_marks *marks, const struct node *node, size_t text, size_t n_tokens,
                const struct sampler_params *before, const struct sampler_params *after)
{
	struct sampling_mark *last = marks->n ? &marks->items[marks->n - 1] : NULL;
	bool is_begun = node->ids_unknown ? text : n_tokens;
	size_t source;

	if (!is_begun || text > node->len || sampler_params_equal(before, after))
		return; /* not in mid-reply, not known where, or nothing */
	source = place_of(node->text, text);
	if (last && last->source >= source) {
		last->after = *after;
		return;
	}
	if (alloc_grow(&marks->items, &marks->cap, marks->n + 1, sizeof *marks->items, MARKS_MAX))
		marks->items[marks->n++] = (struct sampling_mark){source, node->ids_unknown ? 0 : n_tokens, *before, *after};
}

void sampling_marks_update(struct sampling_marks *marks, const struct node *node)
{
	size_t n_changes = 0;

	for (size_t i = 0; i < node->n_runs; i++)
		n_changes += node->runs[i].n_changes;
	if (marks->n_runs == node->n_runs && marks->n_changes == n_changes)
		return;
	marks->n = 0;
	marks->n_runs = node->n_runs;
	marks->n_changes = n_changes;
	for (size_t i = 0; i < node->n_runs; i++) {
		const struct reply_run *run = &node->runs[i], *previous = i ? run - 1 : NULL;
		const struct sampler_params *before = &run->begin.params;

		if (!run->has_begun)
			continue;
		if (previous && previous->has_begun) /* it went on with others */
			add(marks, node, run->from_text, run->from_id,
			    previous->n_changes ? &previous->changes[previous->n_changes - 1].params
			                        : &previous->begin.params, before);
		for (size_t c = 0; c < run->n_changes; c++) {
			add(marks, node, run->changes[c].text, run->from_id + run->changes[c].at, before,
			    &run->changes[c].params);
			before = &run->changes[c].params;
		}
	}
}

void sampling_mark_put(struct buf *out, const struct sampling_mark *mark)
{
	bool any = false;

	for (size_t i = 0; i < sampler_n_options; i++) {
		const struct option *option = &sampler_options[i];

		if (strcmp(option->name, "seed") == 0 ||
		    option_number(option, &mark->before) == option_number(option, &mark->after))
			continue;
		buf_printf(out, "%s%s ", any ? ", " : "", option->name);
		option_print(option, &mark->before, out);
		buf_puts(out, " \u2192 ");
		option_print(option, &mark->after, out);
		any = true;
	}
	if (!any)
		buf_puts(out, "sampling changed and set back");
	if (mark->n_tokens)
		buf_printf(out, " after %zu token%s", mark->n_tokens, mark->n_tokens == 1 ? "" : "s");
}
