/* Adds the chats of another program's file (import/import.h) to those on the disk, as a job,
 * since a file may be large: all of them, or none.
 *
 * Threads: one thread owns the importer and makes all calls. The importer's only tells how far it is. */
#ifndef SOTTO_JOURNAL_IMPORTER_H
#define SOTTO_JOURNAL_IMPORTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "import/import.h"

struct importer;

struct importer_progress {
	bool is_over;       /* importer_end does not wait any more */
	bool has_file;      /* it was read; before that nothing is added, and a pipe may keep it waiting */
	unsigned percent;   /* of the file that has been read */
	size_t n_kept, n;   /* chats on the disk, of how many; 0 while the file is read */
};

struct importer_result {
	size_t n;                    /* chats that were added */
	struct import_counts counts; /* what was taken of the file, and what not */
	char *first;                 /* owned by the caller: the path of the first; NULL: none was added */
};

/* `path` is copied. */
enum status importer_start(struct importer **out, const char *path, struct error *err) MUST_CHECK;
/* The same of a pipe, too, which is waited for: importer_stop cannot end that. Who has stopped an importer
 * without has_file may exit. */
enum status importer_start_any(struct importer **out, const char *path, struct error *err) MUST_CHECK;
int importer_fd(const struct importer *importer); /* to be polled: it is over. -1 for NULL */
struct importer_progress importer_look(const struct importer *importer);
void importer_stop(struct importer *importer);
/* Waits for the end, and frees. STATUS_CANCELLED after importer_stop, unless it came too late. If it
 * fails nothing was added; what could not be taken back is named. */
enum status importer_end(struct importer *importer, struct importer_result *result,
                         struct error *err) MUST_CHECK;

#endif
