/* The guide is the model that comes with sotto (models/guide.gguf): tiny, it answers from help
 * entries. For each question the best entries of the facts file are looked up and stand in the
 * system prompt of that turn alone: the view of what the model sees shows them, no transcript
 * keeps them. What it says of sotto are the entries word for word (turn.answers); small talk is its own. */
#ifndef SOTTO_GUIDE_GUIDE_H
#define SOTTO_GUIDE_GUIDE_H

#include "turn/turn.h"

/* As backend_host.decorate: where the model is the guide (CAPABILITY_HELP), a backend around it
 * that puts the help in the system message of each turn. */
void guide_decorate(struct backend **backend, struct model_info *info);
/* The same where nobody reads on and asks otherwise, as in a script: what is no question about sotto,
 * nor small talk, is an error. */
void guide_decorate_strict(struct backend **backend, struct model_info *info);

/* Said where it is given `what` to follow, "a template". */
#define GUIDE_INSTRUCTED(what) "The guide only answers questions about sotto: it cannot follow " what "."

#endif
