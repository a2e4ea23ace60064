/* Variables of the environment that name a folder, as Python's programs read them (os.path.expandvars, expanduser): $NAME,
 * ${NAME} and ~ in the value stand for what they are. Where a name is nobody's, it stays as it is. */
#ifndef SOTTO_BASE_PATH_VARIABLE_H
#define SOTTO_BASE_PATH_VARIABLE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends the path; a failure is the buffer's to tell. False: the variable is not set, or empty. */
bool path_variable_put(struct buf *out, const char *variable);

#endif
