/* The rows of what is to be had under a published model's name. */
#ifndef SOTTO_UI_PULL_ROWS_H
#define SOTTO_UI_PULL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pull/puller.h"
#include "view/panel.h"

extern const struct list_extras pull_rows_extras; /* its columns */

struct pull_text;

/* A row for each choice, in the offer's order; a row's value is its index in decimal. */
struct pull_rows {
	struct list_item *items; /* [n]; their texts are these rows' and the offer's */
	struct pull_text *texts;
	size_t n;
};

/* What is said of all of them: the licence, and what is not fetched. */
void pull_rows_put_notes(struct buf *out, const struct pull_offer *offer);
/* `available`: memory in bytes; 0: not known. Where there is no screen, all rows are printed: their notes are without what is
 * said of all. False without memory; pull_rows_free in every case. */
bool pull_rows_make(struct pull_rows *out, const struct pull_offer *offer, uint64_t available, bool is_screen);
void pull_rows_free(struct pull_rows *rows);
/* The value of the row to select at first: what is partly here already, else the one that suits this machine. NULL:
 * there is none. */
const char *pull_rows_first(const struct pull_rows *rows, const struct pull_offer *offer);

#endif
