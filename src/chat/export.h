/* A conversation in the formats of other programs: the messages from the root to the leaf. A copy
 * of everything, with all branches, is journal_export's. Texts are whole and as they are, foreign
 * ones too: only what would break the format is escaped. */
#ifndef SOTTO_CHAT_EXPORT_H
#define SOTTO_CHAT_EXPORT_H

#include "base/buf.h"
#include "base/error.h"
#include "chat/tree.h"

/* Appends the conversation; `title` "": it has none. STATUS_NOMEM, or STATUS_LIMIT beyond
 * out->max. */
typedef enum status export_fn(const struct tree *tree, const char *title, struct buf *out);

struct export_format {
	const char *name;    /* also what its files' names end in */
	const char *aliases; /* separated by blanks; NULL: none */
	export_fn *write;
};
extern const struct export_format export_formats[];
/* The names of all rows, for help and errors; `dot`: "" or ".". */
#define EXPORT_NAMES(dot) dot "md, " dot "json, " dot "txt or " dot "html"
extern const size_t export_formats_n;

/* By name or alias, or by what a file's name ends in; NULL: no such format. */
const struct export_format *export_find(const char *name, size_t len);
const struct export_format *export_of_file(const char *name);

/* Plain text: who speaks, on a line of its own, and what is said; without reasoning. */
export_fn export_text;
/* Markdown: a heading for each message; reasoning as a quote. */
export_fn export_markdown;
/* A list of messages as OpenAI's interface takes them, in the order in which they are sent;
 * reasoning as `reasoning_content`. */
export_fn export_json;
/* A page that needs nothing else, runs no script and loads nothing. */
export_fn export_html;

#endif
