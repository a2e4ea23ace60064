/* The lines that were sent, in $XDG_STATE_HOME/sotto/history (0600) and in
 * readline's history list. One entry a line; a line break within an entry is
 * written as \n, a backslash as \\. Appending is one write, so that several
 * sottos can share the file. UI thread only. */
#ifndef SOTTO_LINE_LINE_HISTORY_H
#define SOTTO_LINE_LINE_HISTORY_H

#include <stdbool.h>

#include "base/error.h"

enum {
	LINE_HISTORY_KEPT = 2000,        /* entries in memory; the file is cut to it at twice as many */
	LINE_HISTORY_ENTRY_MAX = 65536,  /* a longer entry (a paste) is not written to the file */
};

/* Fills readline's list. A missing file is not an error. */
enum status line_history_load(struct error *err) MUST_CHECK;
/* Adds a line to the list, and if `keep` (not with --no-save) to the file. A repetition of the
 * previous entry is not added. */
enum status line_history_add(const char *line, bool keep, struct error *err) MUST_CHECK;

#endif
