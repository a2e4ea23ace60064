/* The model that replies, and that which a chat was made with. */
#ifndef SOTTO_DIALOG_MODEL_H
#define SOTTO_DIALOG_MODEL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/limits.h"

struct dialog;

bool dialog_is_with_guide(const struct dialog *dialog); /* the model that comes with sotto is loaded */
bool dialog_can_continue(const struct dialog *dialog); /* the model goes on with replies, or is not known yet */
enum { MODEL_LABEL_MAX = LIMIT_MODEL_LABEL + 1 };
/* Who speaks in the chat, for all that names a reply's model: "qwen-72b", or "qwen-72b on box". Returns `text`. */
const char *dialog_model_label(const struct dialog *dialog, char text[MODEL_LABEL_MAX]);
/* The path of the model that made the chat's last reply, of a server's "server:NAME/MODEL"; errors as
 * catalog_recall's. *name: as the reply
 * has it, NULL: nothing is known of it, and there is no error to tell. */
enum status dialog_chat_model(const struct dialog *dialog, struct buf *out, const char **name,
                              struct error *err) MUST_CHECK;
/* Makes that file the one to be loaded, as if it had been named, unless the command line names another.
 * False: it is not; *missing is the name of the one that is not there, NULL: there is nothing to tell. */
bool dialog_choose_chat_model(const struct dialog *dialog, const char **missing, struct error *err);

#endif
