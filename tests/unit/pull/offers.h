/* Offers as listings make them. */
#ifndef TESTS_UNIT_PULL_OFFERS_H
#define TESTS_UNIT_PULL_OFFERS_H

#include "pull/offer.h"

/* `files`: "PATH SIZE-IN-MB" a line. Digests are by rule. The name is parsed from `name`. */
void offer_make(struct pull_offer *out, const char *name, const char *files);

#endif
