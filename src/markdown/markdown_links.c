#include "markdown/markdown_links.h"

#include <md4c.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "markdown/markdown_internal.h"

enum { LINKS_MAX = 100000, NESTED_MAX = 8 };

struct link_search {
	struct markdown_links *links;
	const char *text;
	size_t len, at;            /* at: behind what was last shown */
	size_t open[NESTED_MAX];   /* links that have begun, by their numbers: an image may be in one */
	size_t n_open;             /* may be more */
};

/* A target as it is meant: md4c leaves entities to who reads it. */
static char *take_target(const MD_ATTRIBUTE *target)
{
	struct buf out = {.max = LIMIT_MESSAGE};

	for (size_t i = 0; target->size && target->substr_offsets[i] < target->size; i++) {
		const char *part = target->text + target->substr_offsets[i];
		size_t n = target->substr_offsets[i + 1] - target->substr_offsets[i];
		char entity[UTF8_MAX];
		size_t decoded = target->substr_types[i] == MD_TEXT_ENTITY ? markdown_entity(part, n, entity) : 0;

		if (decoded)
			buf_append(&out, entity, decoded);
		else
			buf_append(&out, part, n);
	}
	return buf_take(&out, NULL);
}

static int enter_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct link_search *search = ctx;
	struct markdown_links *links = search->links;
	struct markdown_link link = {.start = search->len};

	if (type != MD_SPAN_A && type != MD_SPAN_IMG)
		return 0;
	if (search->n_open++ >= NESTED_MAX)
		return 0;
	link.target = take_target(type == MD_SPAN_A ? &((MD_SPAN_A_DETAIL *)detail)->href
	                                            : &((MD_SPAN_IMG_DETAIL *)detail)->src);
	if (!link.target || !alloc_grow(&links->items, &links->cap, links->n + 1, sizeof *links->items, LINKS_MAX)) {
		free(link.target);
		return 1;
	}
	search->open[search->n_open - 1] = links->n;
	links->items[links->n++] = link;
	return 0;
}

static int leave_span(MD_SPANTYPE type, void *detail, void *ctx)
{
	struct link_search *search = ctx;
	struct markdown_link *link;

	(void)detail;
	if ((type != MD_SPAN_A && type != MD_SPAN_IMG) || --search->n_open >= NESTED_MAX)
		return 0;
	link = &search->links->items[search->open[search->n_open]];
	if (link->start == search->len) /* nothing of it is shown */
		link->start = link->end = search->at;
	return 0;
}

static int add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *ctx)
{
	struct link_search *search = ctx;
	size_t from = (size_t)(text - search->text);

	(void)type;
	if (!size || text < search->text || from + size > search->len)
		return 0; /* the parser's own */
	search->at = from + size;
	for (size_t i = 0; i < search->n_open && i < NESTED_MAX; i++) {
		struct markdown_link *link = &search->links->items[search->open[i]];

		if (link->start > from)
			link->start = from;
		link->end = search->at;
	}
	return 0;
}

static int ignore_block(MD_BLOCKTYPE type, void *detail, void *ctx)
{
	(void)type;
	(void)detail;
	(void)ctx;
	return 0;
}

enum status markdown_links_find(struct markdown_links *links, const char *text, size_t len)
{
	MD_PARSER parser = {
		.flags = MARKDOWN_FLAGS, .enter_block = ignore_block, .leave_block = ignore_block,
		.enter_span = enter_span, .leave_span = leave_span, .text = add_text,
	};
	struct link_search search = {.links = links, .text = text, .len = len};

	if (len > LIMIT_MESSAGE)
		return STATUS_LIMIT;
	return md_parse(text, (MD_SIZE)len, &parser, &search) ? STATUS_NOMEM : STATUS_OK;
}

void markdown_links_free(struct markdown_links *links)
{
	for (size_t i = 0; i < links->n; i++)
		free(links->items[i].target);
	free(links->items);
	*links = (struct markdown_links){.n = 0};
}
