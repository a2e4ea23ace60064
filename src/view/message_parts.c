#include "view/message_parts.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "chat/code_blocks.h"

void message_parts_free(struct message_parts *parts)
{
	free(parts->items);
	markdown_links_free(&parts->links);
	*parts = (struct message_parts){.n = 0};
}

static int compare(const void *a, const void *b)
{
	const struct message_part *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static bool add(struct message_parts *parts, const struct message_part *part)
{
	if (!alloc_grow(&parts->items, &parts->cap, parts->n + 1, sizeof *parts->items,
	                SIZE_MAX / sizeof *parts->items))
		return false;
	parts->items[parts->n++] = *part;
	return true;
}

void message_parts_find(struct message_parts *parts, const struct node *node)
{
	struct code_blocks blocks;
	struct code_block block;
	size_t n = 0;
	bool ok;

	*parts = (struct message_parts){.n = 0};
	ok = !markdown_links_find(&parts->links, node->text, node->len);
	for (size_t i = 0; ok && i < parts->links.n; i++) {
		const struct markdown_link *link = &parts->links.items[i];

		ok = add(parts, &(struct message_part){
			.start = link->start, .end = link->end, .target = link->target});
	}
	code_blocks_begin(&blocks, node->text, node->len);
	while (ok && code_blocks_next(&blocks, &block, NULL))
		ok = add(parts, &(struct message_part){
			.start = block.start, .end = block.end, .block = ++n,
			.language = block.language, .language_len = block.language_len});
	if (!ok)
		message_parts_free(parts);
	else if (parts->n)
		qsort(parts->items, parts->n, sizeof *parts->items, compare);
}
