/* What the files of markdown/markdown*.c share. */
#ifndef SOTTO_MARKDOWN_MARKDOWN_INTERNAL_H
#define SOTTO_MARKDOWN_MARKDOWN_INTERNAL_H

#include <string.h>

#include "base/limits.h"
#include "markdown/highlight.h"
#include "markdown/markdown.h"

enum {
	MARKDOWN_SEGMENT = 8 << 10, /* bytes of a segment, and of a table, beyond which it is cut */
	MARKDOWN_TABLE = 16 << 10,
	MARKDOWN_CODE = 4 << 10,
	MARKDOWN_COLUMNS = 64,      /* a table with more columns is shown as it is written */
};

/* How many times the byte at `at` is there in a row. */
static inline size_t run_of(const char *text, size_t end, size_t at)
{
	size_t n = at;

	while (n < end && text[n] == text[at])
		n++;
	return n - at;
}

/* Where the line that has the byte at `at` ends: at its newline, or with the text. */
static inline size_t line_end(const char *text, size_t n, size_t at)
{
	const char *newline = memchr(text + at, '\n', n - at);

	return newline ? (size_t)(newline - text) : n;
}

/* Logical lines that are to be wrapped: a paragraph, a table's cell, code. */
struct styled {
	struct buf text;
	struct style_run *runs; /* owned */
	size_t n_runs, cap_runs;
	/* Where its bytes come from: from `at` on n bytes are those at `source` of the Markdown; what
	 * follows them was put in. */
	struct styled_place {
		uint32_t at, source, n;
	} *places; /* owned */
	size_t n_places, cap_places;
	size_t tab_end; /* behind the last tab */
};

/* Bytes of what is laid out: much more than a message, since tables are filled with blanks. */
#define MARKDOWN_MAX (16 * LIMIT_MESSAGE)
#define STYLED_EMPTY {.text = {.max = MARKDOWN_MAX}}

/* A failure, without memory, is sticky (`text.status`), also of what is put into it; so is that of the rows
 * (markdown->text.status), and a text that has failed fails the rows that it is made into. */
void styled_free(struct styled *styled);
void styled_clear(struct styled *styled); /* keeps the memory, and a failure */
/* Tabs become blanks: a tab's width would depend on what stands before the text in its row. */
void styled_add(struct styled *styled, const char *bytes, size_t n, enum theme_role role,
                size_t source);
/* Puts in what does not stand at `source`, but belongs there. No tabs. */
void styled_insert(struct styled *styled, const char *bytes, size_t n, enum theme_role role,
                   size_t source);
void styled_puts(struct styled *styled, const char *text, enum theme_role role, size_t source);
/* n times the text. */
void styled_fill(struct styled *styled, const char *text, size_t n, enum theme_role role,
                 size_t source);
void styled_append(struct styled *styled, const struct styled *part);
/* The source of a byte; that of the last place for a text's end. */
uint32_t styled_source(const struct styled *styled, size_t at);
/* Colours code anew, line by line; all of its text is code. */
void styled_highlight(struct styled *styled, const struct highlight_language *language,
                      unsigned *state);

/* Rows of the layout. A row is begun, with what stands before it (NULL: nothing), gets parts, and is ended. */
void markdown_row_begin(struct markdown *markdown, const struct styled *before, size_t source);
void markdown_row_add(struct markdown *markdown, const struct styled *part, size_t from, size_t to);
void markdown_row_end(struct markdown *markdown);
/* Wraps a text into rows: before its first stands `first`, before the others `rest` (NULL: none). */
void markdown_rows(struct markdown *markdown, const struct styled *text, const struct styled *first,
                   const struct styled *rest);
/* The same for lines of code: what does not fit into a line's row stands behind `rest` and a mark.
 * continued: the first line has begun before. */
void markdown_code_rows(struct markdown *markdown, const struct styled *code, const struct styled *first,
                        const struct styled *rest, bool continued);

/* A piece of the text that is laid out by itself. */
enum segment_kind {
	SEGMENT_BLANK, /* blank lines */
	SEGMENT_PLAIN, /* text without marks, or maths: shown as it is */
	SEGMENT_TEXT,  /* Markdown: a paragraph, an item of a list, a table, a quotation ... */
	SEGMENT_FENCE, /* the line that opens fenced code */
	SEGMENT_CODE,  /* lines within it */
	SEGMENT_END,   /* the line that closes it */
};

struct segment {
	enum segment_kind kind;
	size_t start, end; /* end: behind the newline */
	bool sure;         /* more text cannot move its end */
	bool cut;          /* it ends within a line */
	bool last;         /* the text ends with it */
	/* SEGMENT_FENCE */
	char fence;
	unsigned fence_len, fence_indent;
	size_t info, info_end; /* what stands behind the fence */
};

/* The segment at `place`; place->source < len. */
void segment_next(const char *text, size_t len, bool growing, const struct markdown_place *place,
                  struct segment *segment);

/* How what is parsed relates to the text: byte i of it stands for byte i of the text, less `shift`
 * from `shift_at` on; from n_shown on for none. */
struct prepared {
	size_t n_shown, shift_at, shift;
};

/* Stands for bytes that are to be shown as they are. */
enum { MARKDOWN_LETTER = 'x' };

/* Prepares Markdown for the parser: `copy` gets the n bytes of `text` with what is not to be parsed
 * (maths, control characters, definitions of links) replaced by as many letters, and, where the
 * text grows, what closes it at its end. */
enum status markdown_prepare(struct buf *copy, const char *text, size_t n, bool growing,
                             struct prepared *out);

/* Whether the lines [from, to) and [delimiter, end) are a table's head and what stands below that. */
bool markdown_opens_table(const char *text, size_t from, size_t to, size_t delimiter, size_t end);

/* Where stars are between punctuation and a CJK letter, replaces the letter in the text to be parsed,
 * so that the stars can open and close emphasis there. */
void markdown_join_cjk(char *copy, size_t n);

/* What md4c is to parse. */
#define MARKDOWN_FLAGS (MD_FLAG_NOHTMLBLOCKS | MD_FLAG_NOHTMLSPANS | MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | \
                        MD_FLAG_TASKLISTS | MD_FLAG_PERMISSIVEURLAUTOLINKS | MD_FLAG_PERMISSIVEWWWAUTOLINKS)

/* "&amp;" and the like: how many bytes the character has; 0 for those that are not known, or stand for
 * a control character, and are left as they are written. out: UTF8_MAX bytes. */
size_t markdown_entity(const char *text, size_t n, char *out);

/* Lays out a segment of Markdown. */
enum status markdown_block(struct markdown *markdown, const char *text, const struct segment *segment,
                           struct markdown_place *place);

/* A line: "──────". */
void markdown_rule(struct markdown *markdown, size_t source, const struct styled *first,
                   const struct styled *rest, int cols);
/* The line above the code block of that number: "── python ──── 2 ──". */
void markdown_code_head(struct markdown *markdown, const char *info, size_t n, uint32_t number, size_t source,
                        const struct styled *first, const struct styled *rest, int cols);

/* A table. Cells are added row by row, from the left. */
struct table;
enum table_align { TABLE_LEFT, TABLE_CENTER, TABLE_RIGHT };
struct table *table_create(size_t n_cols); /* NULL without memory */
void table_free(struct table *table);
/* The cell's text; NULL without memory. Valid until the next call. */
struct styled *table_cell(struct table *table, enum table_align align);
/* A byte of the table's first line that has text, `none` if it has no text at all; *above: the lines of
 * the table above that. */
size_t table_source(const struct table *table, size_t none, int *above);
void table_lay_out(struct table *table, struct markdown *markdown, const struct styled *first,
                   const struct styled *rest, int cols);

#endif
