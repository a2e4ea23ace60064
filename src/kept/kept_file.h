/* The file beside a chat's that has the candidates of its replies ("ID.kept"). It is worth nothing: never synced, never
 * waited for, and whatever is wrong with it, the chat is as if it were not there. Mode 0600.
 *
 * "sotto kept 1\n", then records: u32 length, u32 crc32c, and as many bytes (numbers are little-endian):
 *   'm' name                                    the next model: those after it are numbered from 0
 *   'r' node from model n_vocab n_prompt n, then n tokens, texts, the prompt's tail, further candidates
 * Plain numbers are varints (LEB128). A record has at most KEPT_RECORD_TOKENS tokens, and goes on behind the first
 * `from` of the reply's: what was there beyond is replaced. All of it is KEPT_BYTES for each token at most: the first
 * KEPT_SHOWN candidates are there always, texts once, further candidates as far as there is room. */
#ifndef SOTTO_KEPT_FILE_H
#define SOTTO_KEPT_FILE_H

#include "base/io.h"
#include "kept/kept.h"

enum { KEPT_RECORD_TOKENS = 512 };

/* Adds what the file has to an empty `kept`: from then on it is the file that goes on. */
void kept_file_read(struct kept *kept, const char *path, const struct io_ops *io);
/* Writes what the file has not got; another path than before begins a file anew, with all that is kept. What cannot be
 * written is tried again by the next call. */
void kept_file_write(struct kept *kept, const char *path, const struct io_ops *io);

#endif
