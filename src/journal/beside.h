/* The file of candidates (kept/kept_file.h) beside a chat's, which comes and goes with it. It is worth less than the chat:
 * what fails here is not told. */
#ifndef SOTTO_JOURNAL_BESIDE_H
#define SOTTO_JOURNAL_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/io.h"

/* Its path: that of the chat with ".kept" in the place of ".yaml". False: it is no chat's, or does not fit. */
bool journal_beside(const char *chat, char *out, size_t size) MUST_CHECK;
/* The chat was moved, unless it is still where it was: its file follows, or is removed where it cannot. */
void journal_beside_move(const char *from, const char *to, const struct io_ops *io);
void journal_beside_remove(const char *chat, const struct io_ops *io);

#endif
