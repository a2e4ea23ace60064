/* Names of the files that a model is split into: NAME-00001-of-00003.gguf, as
 * llama.cpp's llama_split_path writes them. A part's name is that of the path it
 * was asked for by, not of what a link leads to (Hugging Face's caches hold
 * links to files that are named by their hashes). */
#ifndef SOTTO_GGUF_SPLIT_NAME_H
#define SOTTO_GGUF_SPLIT_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct split_name {
	size_t stem;            /* bytes of the path before "-00001-of-" */
	uint32_t part, n_parts; /* 1 <= part <= n_parts <= 99999 */
};

/* False when the path is not that of a part. */
bool split_name_parse(const char *path, struct split_name *out);

/* Replaces the buffer's text by the path of another part; `name` is of `path`. */
enum status split_name_path(struct buf *out, const char *path, const struct split_name *name,
                            uint32_t part);

/* What stands behind the last slash. */
const char *split_name_file(const char *path);

/* The path of the first part, where `path` is another's and the first is there;
 * else `path`. */
enum status split_name_first(struct buf *out, const char *path);

#endif
