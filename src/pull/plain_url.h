/* Where files are kept that come from nowhere known. */
#ifndef SOTTO_PULL_PLAIN_URL_H
#define SOTTO_PULL_PLAIN_URL_H

#include "base/buf.h"
#include "base/error.h"

/* Appends sotto's own folder of models: $SOTTO_DATA_DIR/models, $XDG_DATA_HOME/sotto/models or ~/.local/share/sotto/models,
 * which catalog/catalog_walk.c looks in. */
enum status plain_url_folder(struct buf *out, struct error *err) MUST_CHECK;

#endif
