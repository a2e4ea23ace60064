/* The user's token for Hugging Face, and where its programs keep things. */
#ifndef SOTTO_PULL_HUB_KEY_H
#define SOTTO_PULL_HUB_KEY_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/secret.h"

/* $HF_TOKEN, $HUGGING_FACE_HUB_TOKEN, or the file $HF_TOKEN_PATH ($HF_HOME/token). NULL: there is none, or
 * $HF_HUB_DISABLE_IMPLICIT_TOKEN says that it is not to be sent. STATUS_CONFIG: it is not one (control characters, too
 * long); the text does not quote it. */
enum status hub_key(struct secret **out, struct error *err) MUST_CHECK;
/* Appends $HF_HOME, $XDG_CACHE_HOME/huggingface, or ~/.cache/huggingface. STATUS_NOTFOUND: there is no home. */
enum status hub_home(struct buf *out, struct error *err) MUST_CHECK;
/* Whether a variable says yes: 1, on, yes, true. */
bool hub_is_on(const char *variable);

#endif
