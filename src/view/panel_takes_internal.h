/* Shared by the files of the panel of takes. */
#ifndef SOTTO_VIEW_PANEL_TAKES_INTERNAL_H
#define SOTTO_VIEW_PANEL_TAKES_INTERNAL_H

#include "config/theme.h"
#include "terminal/wrap.h"
#include "view/panel_takes.h"

/* One of the two as it goes on. */
struct column {
	const char *text; /* borrowed */
	size_t len, from; /* where the other one parts from it */
	size_t token_end; /* where its first own token ends */
	struct wrap wrap;
};

struct takes_panel {
	struct panel panel;
	struct takes takes;
	struct panel_takes_source source;
	struct column columns[2];
	bool has_at;
	size_t at;       /* the token where they part, if it is known which that is */
	size_t top;      /* lines that are scrolled away */
	int page;
	int step;
};

/* The reply at the left (0) or at the right (1). */
static inline const struct node *takes_node(const struct takes_panel *takes, int side)
{
	return side ? takes->takes.b : takes->takes.a;
}
/* Finds takes->at: where not all ids are known, as behind a candidate that a server went on from, the tokens are those
 * that are kept. */
void takes_find_parting(struct takes_panel *takes);
/* The token there of the take `side`; NULL: it is not kept. */
const struct kept_token *takes_parting(const struct takes_panel *takes, int side);
/* All that is said of the two, a line at a time. */
typedef void takes_sink(void *ctx, enum theme_role role, const char *text);
void takes_say(const struct takes_panel *takes, takes_sink *sink, void *ctx);

#endif
