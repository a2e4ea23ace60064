/* The guide is the model that comes with sotto (models/guide.gguf): tiny, it
 * answers from help entries. For each question the best entries of the facts
 * file are looked up and stand in the system prompt of that turn alone, so that
 * the view of what the model sees shows them, and no transcript keeps them.
 * Immutable after opening but for the rate: one may serve several threads. */
#ifndef SOTTO_GUIDE_GUIDE_H
#define SOTTO_GUIDE_GUIDE_H

#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "engine/backend.h"

struct guide;

/* As backend_host.decorate: where the model is the guide (CAPABILITY_HELP), a backend around it
 * that puts the help in the system message of each turn. */
void guide_decorate(struct backend **backend, struct model_info *info);

/* Said where it is given `what` to follow, "a template". */
#define GUIDE_INSTRUCTED(what) "The guide only answers questions about sotto: it cannot follow " what "."

/* Reads the facts: of `path`, "facts.yaml", or with NULL of guide/facts.yaml in the data directory
 * (base/sys.h), which is where they are installed, else of tools/guide/facts.yaml
 * there, which is where they are in the source tree. The weights of the look-up stand beside
 * them, "facts.weights"; without these it knows the facts' own words alone. */
enum status guide_open(struct guide **out, const char *path, struct error *err) MUST_CHECK;
void guide_close(struct guide *guide); /* NULL is fine */

/* Once the machine's speed is known, the guide suggests the model that F6 does. */
void guide_set_weight_rate(struct guide *guide, double weight_rate);

/* The messages of a turn as the guide gets them, and was trained with: one system
 * prompt before all others, of which the user's part is the last system message;
 * the others are left out. The last message of the user is the question. The array is
 * new and the caller's; it borrows the texts, and that of the prompt from `prompt`,
 * which it clears first. */
enum status guide_messages(const struct guide *guide, const struct message *messages,
                           size_t n, struct buf *prompt, struct message **out,
                           size_t *n_out, struct error *err) MUST_CHECK;

#endif
