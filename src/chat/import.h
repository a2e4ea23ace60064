/* Chats that other programs have written, as JSON, or as one JSON document a line:
 *
 *     OpenAI      [{"role": "user", "content": "..."}, ...], also within {"messages": ...}
 *     ShareGPT    {"conversations": [{"from": "human", "value": "..."}, ...]}, or a list of such
 *     llama.cpp   what its web interface exports: {"conv": ..., "messages": ...}, a list of them,
 *                 or a line for the chat and one for each message; with all branches
 *
 * What sotto has no place for is left out, and counted: calls of tools and their results, images,
 * files. */
#ifndef SOTTO_CHAT_IMPORT_H
#define SOTTO_CHAT_IMPORT_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/error.h"
#include "chat/tree.h"

struct import_chat {
	struct tree *tree; /* owned */
	char *title;       /* owned; "": none */
};

struct import {
	struct import_chat *chats; /* owned; each has a message */
	size_t n, cap;
	size_t n_left_out; /* messages, and parts of some */
};

/* Whoever waits may be another thread: */
struct import_watch {
	atomic_size_t done; /* bytes of the text that have been read; written by import_read */
	atomic_bool stop;   /* read by it: STATUS_CANCELLED soon */
};

/* `name` is the file's, for errors. `watch`: NULL, nobody waits. STATUS_FORMAT: it is no JSON, or has no chat in it.
 * import_free in every case. */
enum status import_read(struct import *import, const char *name, const char *text, size_t len,
                        struct import_watch *watch, struct error *err) MUST_CHECK;
void import_free(struct import *import);

#endif
