/* From a part file that is complete to a file under its name: private to fetch*.c. */
#ifndef SOTTO_PULL_FETCH_FINISH_H
#define SOTTO_PULL_FETCH_FINISH_H

#include "pull/fetch.h"

/* Whether the file may have its name. STATUS_DECLINED: a folder has it, or, where there is no digest that the name could
 * be made of, another file, which may be all that the user has of it. */
enum status fetch_check_name(const struct fetch *fetch, struct error *err) MUST_CHECK;
/* STATUS_FORMAT: it is another; both begin in the text. */
enum status fetch_check_digest(const struct fetch *fetch, const char *found, struct error *err) MUST_CHECK;
/* Opens it, where it is to be a GGUF; a part of a split model alone. */
enum status fetch_check_gguf(const struct fetch *fetch, const char *part, struct error *err) MUST_CHECK;
/* Syncs the part file, open as `fd`, and gives it its name, which survives a power cut from then on. */
enum status fetch_publish(const struct fetch *fetch, const char *part, int fd, struct error *err) MUST_CHECK;

#endif
