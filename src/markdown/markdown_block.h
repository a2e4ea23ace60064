/* What a segment of Markdown is while md4c reports it: shared by markdown_block.c, which makes rows of
 * it, and markdown_inline.c, which collects its text. */
#ifndef SOTTO_MARKDOWN_MARKDOWN_BLOCK_H
#define SOTTO_MARKDOWN_MARKDOWN_BLOCK_H

#include <md4c.h>

#include "markdown/markdown_internal.h"

enum {
	NESTING = 64,   /* what is nested deeper is shown at that depth */
	MARKER_MAX = 16,
};

/* What a paragraph is in: each draws something before its rows. */
struct container {
	bool is_quote;
	bool is_new;              /* nothing of it has been drawn: an item's marker */
	char marker[MARKER_MAX];  /* "12. " */
};

struct md_list {
	bool ordered;
	char mark;       /* . or ) */
	uint32_t number; /* of the next item */
};

struct md_block {
	struct markdown *markdown;
	const char *text;   /* the reply's */
	size_t start, end;  /* of the segment in it */
	const char *copy;   /* what is parsed */
	size_t n_copy;
	struct prepared prepared; /* how it relates to the segment */
	size_t last;        /* the byte of the reply behind the last one shown */
	size_t n_rows;      /* when the segment began */
	struct markdown_place *place; /* its numbers, in and out */
	struct container containers[NESTING];
	size_t n_containers; /* may be more than NESTING, as n_lists */
	struct md_list lists[NESTING];
	size_t n_lists;
	struct styled para; /* the paragraph, heading or code that is being read */
	struct styled first, rest; /* what stands before its rows */
	struct styled *target; /* para, or a table's cell */
	struct table *table;
	bool head;          /* of the table */
	unsigned heading, code, strong, emphasis, struck, link, quote; /* how deep in each */
	unsigned level;     /* of the heading */
	bool fenced;
	struct styled info; /* what stands behind the fence */
	size_t lang_len;
	size_t link_from;   /* where the link's text begins in target */
	size_t indent;      /* of the segment's first line, a list's: kept where it is not that of code */
};

/* Adds an attribute (a target, what stands behind a fence): as it stands in the text, where it does;
 * one line. */
void block_add_attribute(struct md_block *block, struct styled *out, const MD_ATTRIBUTE *attribute,
                         enum theme_role role);

/* md4c's callbacks for text and spans. */
int block_enter_span(MD_SPANTYPE type, void *detail, void *ctx);
int block_leave_span(MD_SPANTYPE type, void *detail, void *ctx);
int block_add_text(MD_TEXTTYPE type, const MD_CHAR *text, MD_SIZE size, void *ctx);

#endif
