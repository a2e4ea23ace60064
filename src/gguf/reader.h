/* Reads GGUF files, version 2 and 3 (docs/gguf.md of ggml).
 *
 * The file is untrusted. Opening it checks everything about its structure
 * (limits in base/limits.h): a `struct gguf` that exists has unique keys and
 * tensor names, known value types, and tensors that lie inside the file,
 * aligned and without overlap. What the values mean is for their readers to
 * check. There is no raw access to metadata: only typed getters.
 *
 * A model that is split (NAME-00001-of-00003.gguf, llama.cpp's gguf-split) is opened by the
 * path of any part and behaves like one file: metadata of the first, tensors of all. An error
 * names the part.
 *
 * A `struct gguf` is immutable after opening and may be read by any thread.
 * It owns the mapping (PROT_READ, MAP_PRIVATE): pointers it gives out are
 * borrowed until gguf_close. */
#ifndef SOTTO_GGUF_READER_H
#define SOTTO_GGUF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gguf/types.h"

struct gguf;

struct gguf_string {
	const char *data; /* not NUL-terminated, any bytes; never NULL */
	size_t len;
};

bool gguf_string_is(struct gguf_string string, const char *text);
bool gguf_string_begins(struct gguf_string string, const char *prefix);
/* Takes "blk.N." off a tensor's name; false when there is none: nothing is changed then. */
bool gguf_split_layer(struct gguf_string *name, uint64_t *layer);

struct gguf_tensor {
	struct gguf_string name; /* 1..127 bytes, no NUL inside */
	uint32_t type;           /* enum block_type, or one whose size we know */
	uint32_t n_dims;         /* 1..4 */
	uint64_t ne[4];          /* fastest first (ne[0] = row length); 1 beyond n_dims */
	uint64_t offset;         /* of its data, in its file */
	uint64_t n_bytes;
	const void *data;        /* in the mapping */
};

/* A metadata array that was asked for with its type: read items with the
 * accessor of that type. Data may be unaligned, hence the accessors. */
struct gguf_array {
	enum gguf_type type; /* element type */
	size_t n;
	const unsigned char *data;
	const uint64_t *starts; /* strings: where each begins in data */
};

/* Errors carry the path. Never blocks, whatever the path names (a FIFO). */
enum status gguf_open(struct gguf **out, const char *path, struct error *err) MUST_CHECK;
/* Opens one file, whatever its name: of a split model this part alone, with its own tensors. Errors without the path. */
enum status gguf_open_part(struct gguf **out, const char *path, struct error *err) MUST_CHECK;
/* A file that is to be written: its header (gguf_writer_header), borrowed, and how long all of it will be. The tensors'
 * data must not be touched. */
enum status gguf_open_header(struct gguf **out, const void *header, size_t n, uint64_t size,
                             struct error *err) MUST_CHECK;
/* Whether there is a regular file with the first bytes of GGUF. */
enum status gguf_check(const char *path, struct error *err) MUST_CHECK;
/* As gguf_open, of bytes, a part alone, which must outlive the result and begin at a multiple of 8 where
 * tensor data is to be used. */
enum status gguf_open_memory(struct gguf **out, const void *data, size_t size,
                             struct error *err) MUST_CHECK;
void gguf_close(struct gguf *gguf); /* NULL is fine */

/* Sets keys in the place of the file's for all that follows: words (base/words.h) of the form
 * KEY=TYPE:VALUE,... with the types int, float, bool and str, as llama.cpp's --override-kv; NULL: none.
 * Once, before anything reads the metadata. STATUS_USAGE. gguf_kv_describe shows the file's. */
enum status gguf_override(struct gguf *gguf, const char *words, struct error *err) MUST_CHECK;
/* Whether the words are well-formed, whatever the file. */
enum status gguf_override_check(const char *words, struct error *err) MUST_CHECK;
/* Override i, "KEY=TYPE:VALUE"; NULL: there are fewer. */
const char *gguf_override_at(const struct gguf *gguf, size_t i);
/* The key of the first override that no getter was asked for so far; false: none. */
bool gguf_unread_override(const struct gguf *gguf, struct gguf_string *key);

const char *gguf_path(const struct gguf *gguf); /* of the first part */
uint32_t gguf_version(const struct gguf *gguf);
uint64_t gguf_file_size(const struct gguf *gguf); /* of all parts */
uint32_t gguf_n_parts(const struct gguf *gguf);   /* 1: not split */
const char *gguf_part_path(const struct gguf *gguf, uint32_t index); /* index < n_parts */

/* Tells models apart, and copies of one not: a hash of the header, the sizes and samples of the
 * weights (fingerprint.c). Not for what somebody may forge. */
uint64_t gguf_fingerprint(const struct gguf *gguf);

/* STATUS_FORMAT when a file on disk is no longer the one that was opened
 * (size, mtime, inode); checked before each turn. */
enum status gguf_check_unchanged(const struct gguf *gguf, struct error *err) MUST_CHECK;
/* True once a page of a mapping could not be read (the file was cut short
 * under us; the fault handler of gguf/guard.h mapped zeros). */
bool gguf_was_truncated(const struct gguf *gguf);
const char *gguf_truncated_path(const struct gguf *gguf); /* of that file; NULL: none */

/* gguf_fetch reads pages of the file now; gguf_expect only has the system begin to. */
void gguf_fetch(const struct gguf *gguf, const void *data, size_t n_bytes);
void gguf_expect(const struct gguf *gguf, const void *data, size_t n_bytes);

/* Frees the memory of a tensor's pages, which are read from the file again when needed. */
void gguf_release(const struct gguf *gguf, const void *data, size_t n_bytes);

size_t gguf_n_tensors(const struct gguf *gguf);
const struct gguf_tensor *gguf_tensor_at(const struct gguf *gguf, size_t index);
const struct gguf_tensor *gguf_find_tensor(const struct gguf *gguf, const char *name);
/* Fits 64 bits: opening the file has checked the product. */
uint64_t gguf_tensor_n_elements(const struct gguf_tensor *tensor);

/* Getters: STATUS_NOTFOUND when the key is absent (*out is left alone), STATUS_FORMAT when it
 * has another type or does not fit. The text names key, offset, found and expected, but not
 * the path: whoever opened the file adds it (error_prefix), once for everything read from it. */
bool gguf_has(const struct gguf *gguf, const char *key);
enum status gguf_get_bool(const struct gguf *gguf, const char *key, bool *out, struct error *err);
/* Any integer type whose value fits the result. */
enum status gguf_get_u32(const struct gguf *gguf, const char *key, uint32_t *out, struct error *err);
enum status gguf_get_i32(const struct gguf *gguf, const char *key, int32_t *out, struct error *err);
enum status gguf_get_i64(const struct gguf *gguf, const char *key, int64_t *out, struct error *err);
enum status gguf_get_u64(const struct gguf *gguf, const char *key, uint64_t *out, struct error *err);
/* F32 or F64. */
enum status gguf_get_f32(const struct gguf *gguf, const char *key, float *out, struct error *err);
enum status gguf_get_string(const struct gguf *gguf, const char *key, struct gguf_string *out,
                            struct error *err);
/* The element type must match exactly. */
enum status gguf_get_array(const struct gguf *gguf, const char *key, enum gguf_type type,
                           struct gguf_array *out, struct error *err);

/* index < n; the array must have been asked for with that type. */
struct gguf_string gguf_array_string(const struct gguf_array *array, size_t index);
float gguf_array_f32(const struct gguf_array *array, size_t index);
int32_t gguf_array_i32(const struct gguf_array *array, size_t index);
uint32_t gguf_array_u32(const struct gguf_array *array, size_t index);
bool gguf_array_bool(const struct gguf_array *array, size_t index);

/* "ARCH.name", as the keys of an architecture are called. */
enum { GGUF_ARCH_KEY_MAX = 512 };
void gguf_arch_key(struct gguf_string arch, const char *name, char key[GGUF_ARCH_KEY_MAX]);

/* For `sotto info`: every key in file order, its value as text. An array shows
 * its type, length and first few items. */
size_t gguf_n_kv(const struct gguf *gguf);
struct gguf_string gguf_kv_key(const struct gguf *gguf, size_t index);
struct buf;
enum status gguf_kv_describe(const struct gguf *gguf, size_t index, struct buf *out);

#endif
