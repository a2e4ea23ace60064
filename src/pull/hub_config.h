/* What a repository without GGUF has, and whether `sotto convert` can make one of it. */
#ifndef SOTTO_PULL_HUB_CONFIG_H
#define SOTTO_PULL_HUB_CONFIG_H

#include <stdbool.h>

#include "base/error.h"
#include "pull/offer.h"
#include "pull/web.h"

/* Why nothing in it can be run or converted, and what to take instead; NULL: it can, or it has a GGUF file. By the files'
 * names, and of a folder of safetensors by its config.json, which is asked for. STATUS_CANCELLED, STATUS_NOMEM; what else
 * goes wrong says nothing about the model, and *why is NULL. */
enum status hub_refused(const char **why, const struct pull_offer *offer, struct web *web, struct error *err) MUST_CHECK;
/* Whether the file is of the weights that are converted: model*.safetensors in the root. */
bool hub_is_safetensors(const char *path);

#endif
