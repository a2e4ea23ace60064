/* The chat as lines in the terminal's normal flow: what is printed stays as it is, and the terminal's
 * scrollback is the transcript. Two looks: accessible (each message begins with a word that says who
 * speaks; text only, no control sequences, for screen readers) and inline (replies as Markdown, in the
 * theme's colours). Foreign text is sanitised here. UI thread only. */
#ifndef SOTTO_VIEW_LINE_OUT_H
#define SOTTO_VIEW_LINE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config/theme.h"
#include "markdown/markdown.h"
#include "terminal/style.h"
#include "terminal/term.h"
#include "view/line_flow.h"

struct line_out {
	struct term *term; /* borrowed */
	bool accessible;
	int cols;          /* where texts are broken */
	struct sgr sgr;    /* all empty: no control sequences at all */
	bool mid_line;     /* the last line printed is still open */
	bool has_interrupted; /* a message was printed last: the rest of a reply begins by naming itself */
};

/* A reply as far as it was printed. Zeroed: none. */
struct line_reply {
	uint32_t node;    /* 0: none */
	size_t done;      /* bytes of its text that were printed; with Markdown, before it began */
	bool as_markdown;
	int cols;
	struct line_flow flow; /* without Markdown: its row under way */
	size_t n_rows;    /* of `markdown` that were printed */
	size_t n_blank;   /* blank rows among them that wait for another one */
	bool has_begun;
	struct markdown markdown;
};

/* A message of the program or, with the word "You" and the like, of the conversation: one or more
 * lines. `word` NULL: none. Inline, only "Error" and "Thinking" are printed. */
void line_out_message(struct line_out *out, enum theme_role role, const char *word, const char *text,
                      size_t len);

/* Begins with a node's text at byte `from`; what was there of another reply is forgotten. */
void line_reply_begin(struct line_reply *reply, uint32_t node, size_t from, bool as_markdown, int cols);
/* Prints what is new of it and will not change any more: sentences, blocks of Markdown. `ended`: all. */
enum status line_reply_put(struct line_out *out, struct line_reply *reply, const char *text, size_t len,
                           bool ended) MUST_CHECK;
void line_reply_free(struct line_reply *reply);
void line_out_end_line(struct line_out *out);

#endif
