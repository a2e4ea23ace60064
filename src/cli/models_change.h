/* What `sotto models` does with one model: rm, verify, licence. */
#ifndef SOTTO_CLI_MODELS_CHANGE_H
#define SOTTO_CLI_MODELS_CHANGE_H

#include <stdbool.h>

/* Each returns the exit status. `sure`: without a question. */
int models_remove(const char *name, bool sure);
int models_remove_parts(bool sure);
int models_verify(const char *name);
int models_licence(const char *name);
/* Says on standard error what stopped fetches have left for more than a week. */
void models_tell_parts(void);

#endif
