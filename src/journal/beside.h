/* Files of the program's own beside a chat's, which are moved and removed with it. */
#ifndef SOTTO_JOURNAL_BESIDE_H
#define SOTTO_JOURNAL_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/io.h"

/* The path of the chat with another suffix than ".yaml": ".kept". False: it is no chat's, or does not fit. */
bool journal_beside(const char *chat, const char *suffix, char *out, size_t size) MUST_CHECK;
/* The chat was moved; what is beside it follows, or is removed where it cannot: it is worth less than the chat. */
void journal_beside_move(const char *from, const char *to, const struct io_ops *io);
void journal_beside_remove(const char *chat, const struct io_ops *io);

#endif
