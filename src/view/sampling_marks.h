/* Marks in the transcript where the sampling of a reply was changed while it was written. A mark
 * replaces the blank line above the paragraph, list, table or code that was being written, so that
 * nothing moves; if there is none, it belongs to the reply's label. Changes in one place are one
 * mark. UI thread only. */
#ifndef SOTTO_VIEW_SAMPLING_MARKS_H
#define SOTTO_VIEW_SAMPLING_MARKS_H

#include <stddef.h>

#include "base/buf.h"
#include "chat/tree.h"
#include "sampler/params.h"

struct sampling_mark {
	size_t source;   /* the byte of the text that the blank line begins with; 0: the label's */
	size_t n_tokens; /* that the reply had before the first change here; 0: its tokens are not known */
	struct sampler_params before, after; /* the first change, and the last one */
};

/* Zeroed memory will do. */
struct sampling_marks {
	struct sampling_mark *items; /* owned; in rising order */
	size_t n, cap;
	size_t n_runs, n_changes; /* of the reply, when they were made */
};

void sampling_marks_free(struct sampling_marks *marks);
/* Brings them up to date with a reply that may have grown; for another text, free them first. Without
 * memory there are fewer. */
void sampling_marks_update(struct sampling_marks *marks, const struct node *node);
/* "temp 0.8 → 0.2, top-k 40 → 20 after 57 tokens"; check buf_status. */
void sampling_mark_put(struct buf *out, const struct sampling_mark *mark);

#endif
