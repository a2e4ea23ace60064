/* What the files of the transcript share: its blocks (chat_view.c), their rows (chat_rows.c), which
 * of them are in sight (chat_scroll.c), how they are drawn (chat_draw.c). Only these include it. */
#ifndef SOTTO_VIEW_CHAT_VIEW_INTERNAL_H
#define SOTTO_VIEW_CHAT_VIEW_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chat/tree.h"
#include "markdown/markdown.h"
#include "terminal/cells.h"
#include "terminal/wrap.h"
#include "view/band_runs.h"
#include "view/chat_view.h"
#include "view/sampling_marks.h"

/* A message or a notice: a label row (messages), the text's lines, a row that
 * says so when a reply was interrupted, and a blank row before what follows.
 * What the model thought before a reply is a block of its own above it, which
 * then has the label, and a head row that says whether the rest is folded. */
struct block {
	uint32_t node;  /* 0 for a notice */
	bool is_reasoning;
	bool unfolded;  /* reasoning: its text is shown; a message with files: their text is */
	char *folded;   /* owned; what is shown of a message with files, NULL: its text */
	struct style_run folded_rows; /* those for the files */
	const char *left_out; /* the model does not get it: why, for its label; NULL: it does */
	uint32_t after; /* a notice: the message above it, 0 for none */
	enum notice_life life;
	struct text_style style; /* its runs count from the text's beginning */
	char *text;     /* owned; a notice's text, a system message's label */
	size_t len;     /* of the text, as of the last sync, without newlines at its end */
	enum node_state state;
	struct wrap wrap;
	struct markdown markdown; /* a reply's, while it is shown as Markdown */
	struct band_runs bands;   /* a reply's, while it is shaded */
	const char *unshaded;     /* borrowed; why it is not, where replies are; NULL: it is none of these */
	struct sampling_marks marks; /* a reply's; for its label also where that is its reasoning's */
};

/* A row of the transcript. Rows count from the block's first. */
struct place {
	size_t block;
	size_t row;
};

enum row_kind { ROW_LABEL, ROW_HEAD, ROW_TEXT, ROW_MARK, ROW_BLANK };

struct chat_view {
	const struct tree *tree; /* borrowed */
	struct block *blocks;    /* owned */
	size_t n, cap;
	int rows, cols;
	int width;               /* columns of text at the most; 0: no limit */
	struct place top;        /* the first row shown, while not following */
	bool following;          /* the end stays in sight */
	bool new_below;
	bool raw;                /* replies are shown as they are written */
	bool shows_reasoning;    /* even after the reply has begun */
	uint32_t picked;         /* the message whose label is marked; 0: none */
	uint32_t *left_out;      /* owned; messages for which there is no room, in rising order */
	size_t n_left_out, cap_left_out;
	uint32_t marked;         /* a message with a mark in its text; 0: none */
	struct style_run mark;
	struct chat_view_shade shade;
	struct band_runs marked_bands; /* those of the marked message, and its mark */
	const char *fold_key;    /* borrowed */
	const char *continue_key; /* borrowed; NULL: none */
	struct buf own;          /* the last row that is not of a text: a label, head or mark */
};

/* What the model thought before a reply stands above it, if it is a reply. */
bool chat_view_has_reasoning(const struct chat_view *view, uint32_t id);

/* Shows the files of a message, or folds them. */
void chat_view_unfold(struct chat_view *view, struct block *block, bool unfolded);

/* The text of a block, whose beginning is NULL for none. */
const char *chat_rows_text(const struct chat_view *view, const struct block *block);
bool chat_rows_are_markdown(const struct chat_view *view, const struct block *block);
/* Brings the lines of a block's text up to date and returns how many there are; without memory the
 * block shows nothing. */
size_t chat_rows_wrap(struct chat_view *view, struct block *block);
/* A line's bytes, as a part of a longer text, and its style. */
struct row_text {
	const char *bytes;
	size_t n, from, to;
	struct text_style style;
};
/* One of the text's; sets no style. */
void chat_rows_line(const struct chat_view *view, const struct block *block, size_t line,
                    struct row_text *row);
/* The byte of the text that a line begins with, and the line that has a byte. */
size_t chat_rows_source(const struct chat_view *view, const struct block *block, size_t line);
size_t chat_rows_find(const struct chat_view *view, const struct block *block, size_t source);
/* The mark that stands in a blank line of a reply; NULL: none does. */
const struct sampling_mark *chat_rows_mark(const struct chat_view *view, const struct block *block, size_t line);
/* Rows above the text: a label, which a reply with reasoning has above that, and the reasoning's
 * head. */
size_t chat_rows_above(const struct chat_view *view, const struct block *block);
/* All rows of a block, the blank one below it too. */
size_t chat_rows_count(struct chat_view *view, size_t index);
/* What a row is; *line, if it is one of the text's. */
enum row_kind chat_rows_kind(struct chat_view *view, struct place place, size_t *line);
/* Moves a place by rows, down or up, as far as there are any; returns how far. */
size_t chat_rows_down(struct chat_view *view, struct place *place, size_t rows);
size_t chat_rows_up(struct chat_view *view, struct place *place, size_t rows);

/* The first row in sight. */
struct place chat_scroll_first(struct chat_view *view);
/* After lines have changed: the first row in sight is one that there is. */
void chat_scroll_settle(struct chat_view *view);

#endif
