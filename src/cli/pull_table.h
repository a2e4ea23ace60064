/* What there is to be had under a name, printed: for people as a table, for programs as JSON. */
#ifndef SOTTO_CLI_PULL_TABLE_H
#define SOTTO_CLI_PULL_TABLE_H

#include "base/buf.h"
#include "pull/offer.h"

/* A line each, the one that is taken without a word marked with a star; with heads above. */
void pull_table_put(struct buf *out, const struct pull_offer *offer);
/* An object each, a line each. */
void pull_table_put_json(struct buf *out, const struct pull_offer *offer);
/* The choice that an answer means: its number in the table, from 1, or its name, whatever the case; "" is the chosen
 * one. offer->n_choices: none. */
size_t pull_table_find(const struct pull_offer *offer, const char *answer);
/* "owner/repo:Q4_K_M": what to type for a choice. */
void pull_table_put_name(struct buf *out, const struct pull_offer *offer, size_t choice);

#endif
