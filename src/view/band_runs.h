/* The stretches of a reply in the styles of how sure the model was of them. UI thread only. */
#ifndef SOTTO_VIEW_BAND_RUNS_H
#define SOTTO_VIEW_BAND_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "kept/kept.h"
#include "kept/measures.h"
#include "terminal/cells.h"

/* Zeroed: none. */
struct band_runs {
	struct style_run *items; /* owned; as of a text_style */
	size_t n, cap;
	size_t n_tokens, len;    /* of the reply and its text, when they were made */
	enum kept_shade shade;   /* SHADE_NONE: there are none, since it is not shaded or nothing is known of it */
};

void band_runs_free(struct band_runs *runs);
/* Brings them up to date with a reply that may have grown, or is another. `reply` NULL: none is known. `is_reasoning`:
 * of what was thought, otherwise of the answer, whose first `len` bytes are shown. Without memory there are fewer. */
void band_runs_update(struct band_runs *runs, const struct kept_reply *reply, enum kept_shade shade,
                      bool is_reasoning, size_t len);
/* The same with a run on top of them, in `out`. Without memory, that run alone. */
void band_runs_with(struct band_runs *out, const struct band_runs *runs, struct style_run on_top);

/* The style of a band; false: it has none. */
bool band_role(enum kept_band band, enum theme_role *role);

#endif
