/* What an answer of the hub that is an error means to the user. */
#ifndef SOTTO_PULL_HUB_WORDS_H
#define SOTTO_PULL_HUB_WORDS_H

#include <stdbool.h>

#include "base/error.h"
#include "pull/offer.h"
#include "pull/web.h"

/* Whether the answer is the hub's own about the repository, not that of a site which has no such address. */
bool hub_is_known_error(const struct web_answer *answer);
/* Sets the error of an answer with a code of 400 or more; `file`: what was asked for, NULL: the repository. */
enum status hub_explain(const struct pull_offer *offer, const struct pull_file *file, const struct web_answer *answer,
                        struct error *err) MUST_CHECK;

#endif
