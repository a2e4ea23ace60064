/* Another reply that begins as one does and goes on with another token. UI thread only. */
#ifndef SOTTO_UI_APP_BRANCH_AT_H
#define SOTTO_UI_APP_BRANCH_AT_H

#include <stdbool.h>
#include <stdint.h>

#include "view/candidate_rows.h"

struct app;

/* As dialog_branch_at, and asks for it. False: it was refused, and the user was told why. */
bool app_branch_at(struct app *app, uint32_t reply, struct token_choice choice);

#endif
