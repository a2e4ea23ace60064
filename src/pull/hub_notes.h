/* What the user is told of a repository besides its models. */
#ifndef SOTTO_PULL_HUB_NOTES_H
#define SOTTO_PULL_HUB_NOTES_H

#include <stdbool.h>

#include "base/error.h"
#include "pull/offer.h"

/* Sets offer->notes from its files: what is not fetched, and what to do where there is no model. `refused`: why none can be
 * made (hub_config.h), or NULL. */
enum status hub_notes(struct pull_offer *offer, const char *refused, bool is_gated, struct error *err) MUST_CHECK;

#endif
