/* Paths as people write them: the one place that knows what ~ is. For every option and command that
 * takes a path; a shell has done it already in some of them, which changes nothing. */
#ifndef SOTTO_BASE_HOME_PATH_H
#define SOTTO_BASE_HOME_PATH_H

#include "base/buf.h"
#include "base/error.h"

/* Appends the path: `~` and `~/x` in the user's home folder ($HOME, else the one that the system knows),
 * `~name/x` in that user's. Everything else, and the name of nobody, as it is. */
enum status home_path_put(struct buf *out, const char *path);
/* Appends a path as people read it: with ~ for $HOME. */
enum status home_path_put_short(struct buf *out, const char *path);
/* Appends a path as it was typed after a command: without quotes around it, with the home folder for ~. */
enum status home_path_put_typed(struct buf *out, const char *typed, struct error *err) MUST_CHECK;

#endif
