/* Foreign text made safe to show: replies, model metadata, file names, error
 * texts, pasted bytes. Every exit to a terminal, a title or a log goes through
 * here; the stored transcript keeps the real text.
 *
 * Bytes are decoded as strict UTF-8 first (U+FFFD for each maximal ill-formed
 * part), then judged code point by code point, never by escape sequences, so
 * that a split or unfinished sequence cannot leak:
 *
 *   kept     LF, TAB, printable assigned code points, up to LIMIT_COMBINING
 *            marks on a base, ZWJ and ZWNJ between letters or emoji, VS15/16
 *            after a base, CR LF (as LF)
 *   ^[  <9B> C0 controls and DEL (a lone CR too), C1 controls
 *   <U+202E> whatever is invisible or unknown: bidirectional controls, zero
 *            width, fillers, tags, other variation selectors, line separators,
 *            private use, noncharacters, unassigned, marks without a base;
 *            several in a row are one <12 hidden>
 *
 * Text is handed out in pieces: a piece is a grapheme cluster, a tab, a
 * newline, or the mark that stands for what is not shown. Sanitising from the
 * start of any piece gives the same pieces as sanitising the whole. */
#ifndef SOTTO_BASE_SANITIZE_H
#define SOTTO_BASE_SANITIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/limits.h"

enum safe_kind {
	SAFE_TEXT,    /* one grapheme cluster */
	SAFE_TAB,
	SAFE_NEWLINE,
	SAFE_MARK,    /* printable ASCII in place of something not shown */
};

struct safe_piece {
	enum safe_kind kind;
	size_t start, end; /* the bytes it stands for */
	bool open;         /* more bytes after the end could have changed it */
	size_t n_hidden;   /* SAFE_MARK for invisible code points: how many */
	unsigned n;        /* code points to show, at least 1 */
	uint32_t cps[LIMIT_CLUSTER];
};

/* The piece that starts at bytes[at]; false when at >= n. `at` is 0 or the
 * `end` of the piece before. */
bool sanitize_next(const char *bytes, size_t n, size_t at, struct safe_piece *piece);

/* Makes *piece the mark for n code points that cannot be shown, `first` ahead:
 * for a display that knows of more such than this module does. */
void sanitize_hidden_mark(struct safe_piece *piece, size_t n, uint32_t first);

/* Appends what a piece shows; one_line: newlines and tabs as blanks. */
void sanitize_append(struct buf *out, const struct safe_piece *piece, bool one_line);

/* Appends the text as one line: newlines and tabs become blanks. */
enum status sanitize_line(struct buf *out, const char *bytes, size_t n);
/* Appends the text as lines: LF and TAB stay. */
enum status sanitize_text(struct buf *out, const char *bytes, size_t n);

/* How many code points of the text would be shown as <U+XXXX> or counted in
 * <n hidden>: the "n hidden characters" badge. */
size_t sanitize_count_hidden(const char *bytes, size_t n);
/* Whether there are C0 controls, such as a line break, or DEL: names and keys have none. */
bool sanitize_has_controls(const char *bytes, size_t n);

/* sanitize_text for text that arrives in chunks; the result does not depend
 * on how it was cut. Holds back what the next bytes may change. */
struct sanitize_stream {
	struct buf held;
	size_t n_hidden; /* of a run that is still growing */
	uint32_t hidden; /* the first of them */
};

void sanitize_stream_init(struct sanitize_stream *stream);
void sanitize_stream_deinit(struct sanitize_stream *stream);
enum status sanitize_stream_push(struct sanitize_stream *stream, const char *bytes, size_t n,
                                 struct buf *out);
/* The end of the text: what was held back is written. */
enum status sanitize_stream_flush(struct sanitize_stream *stream, struct buf *out);

#endif
