/* What the tests of the journal share. */
#ifndef SOTTO_TESTS_CHAT_SUPPORT_H
#define SOTTO_TESTS_CHAT_SUPPORT_H

#include <criterion/criterion.h>

#include "base/io.h"
#include "journal/journal.h"
#include "journal/journal_internal.h"

/* A folder of its own for the test's chats, in $SOTTO_DATA_DIR and the user's
 * state directory; removed by chat_folder_remove. */
void chat_folder_make(void);
void chat_folder_remove(void);
const char *chat_folder(void); /* where the .yaml files are */

uint32_t chat_add(struct tree *tree, uint32_t parent, enum role role, const char *text);
/* Fails the test unless both hold the same messages, states, tokens and leaf. */
void chat_assert_same(const struct tree *a, const struct tree *b, const char *what);
/* The whole file; freed by the caller. */
char *chat_read(const char *path, size_t *len);
void chat_write(const char *path, const void *bytes, size_t len);

#endif
