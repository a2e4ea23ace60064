/* Files that come with a message. In a chat they are parts of the message's text, so that whatever
 * takes the text along (a journal, an export, an older sotto) has them, too:
 *
 *     what the user wrote
 *
 *     File: src/main.c
 *     ```
 *     its content
 *     ```
 *
 * Fences are longer than any row of backticks in the content, so that none of it can end the block.
 * Names are one line of printable text. Where the blocks are is known from the list beside the text,
 * never from the text itself: what only looks like a block is the user's own. The model gets the
 * blocks before the words: another question about the same files then begins with the same tokens. */
#ifndef SOTTO_CHAT_ATTACHMENT_H
#define SOTTO_CHAT_ATTACHMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

/* Offsets are bytes of the text that it is part of. */
struct attachment {
	char *name;       /* owned */
	size_t start;     /* of its block */
	size_t from, len; /* its content */
	uint32_t tokens;  /* of the block, for the model that it was attached for; 0: not counted */
	bool is_estimated; /* `tokens` is: a server does not count. Not recorded */
	size_t n_hidden;  /* invisible characters in the content */
	size_t n_unreadable; /* U+FFFD in it, mostly for bytes that were not UTF-8; 0 in a saved chat */
};

struct attachments {
	struct attachment *items; /* owned, [n]: in the order of the text */
	size_t n, cap;
};

/* Files without a message yet: the text is their blocks. */
struct attached {
	struct buf text;
	struct attachments list;
};

void attachments_free(struct attachments *list);
/* *to is empty before, and after a failure. */
enum status attachments_copy(struct attachments *to, const struct attachments *from) MUST_CHECK;
/* The index of the file of that name; list->n: there is none. */
size_t attachments_find(const struct attachments *list, const char *name);
/* How many bytes of a text with attachments are the user's words. */
size_t attachments_words(const struct attachments *list, size_t text_len);
/* Whether the text has the blocks just where the list says, and nothing after them; fills in where
 * they start. */
bool attachments_fit(struct attachments *list, const char *text, size_t len);
/* Appends what the model gets of such a text. */
enum status attachments_put_sent(struct buf *out, const struct attachments *list, const char *text,
                                 size_t len);

/* "1.2 KiB, 340 tokens, 2 invisible characters, 1 unreadable character"; without the tokens while they are not known. */
void attachment_put_size(struct buf *out, const struct attachment *item);

void attached_init(struct attached *attached);
void attached_free(struct attached *attached);
/* Adds a file. STATUS_LIMIT says which one is passed; nothing is added then. */
enum status attached_add(struct attached *attached, const char *name, const char *content,
                         size_t len, struct error *err) MUST_CHECK;
void attached_remove(struct attached *attached, size_t index);
/* Adds those of a text. */
enum status attached_add_all(struct attached *attached, const struct attachments *list,
                             const char *text, struct error *err) MUST_CHECK;
/* Appends a message's text, with the words first, to an empty buffer; `list` becomes a copy that is
 * about that text. */
enum status attached_join(const struct attached *attached, const char *words, size_t n_words,
                          struct buf *text, struct attachments *list, struct error *err) MUST_CHECK;

#endif
