/* Makes GGUF files, version 3: for the quantiser and for tests.
 *
 * Keys and tensors are collected in memory; tensor data is borrowed. Alignment is 32,
 * or what `general.alignment` is set to. What the reader would refuse (names, shapes,
 * sizes, limits, a tensor name given twice) is refused here. */
#ifndef SOTTO_GGUF_WRITER_H
#define SOTTO_GGUF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "gguf/types.h"

struct gguf;
struct gguf_writer;

struct gguf_writer *gguf_writer_create(void); /* NULL without memory */
void gguf_writer_free(struct gguf_writer *writer);

/* Errors are sticky and come out of gguf_writer_header / _write. A key that is
 * set again keeps its place and takes the new value. */
void gguf_writer_set_u32(struct gguf_writer *w, const char *key, uint32_t value);
void gguf_writer_set_u64(struct gguf_writer *w, const char *key, uint64_t value);
void gguf_writer_set_i32(struct gguf_writer *w, const char *key, int32_t value);
void gguf_writer_set_f32(struct gguf_writer *w, const char *key, float value);
void gguf_writer_set_bool(struct gguf_writer *w, const char *key, bool value);
void gguf_writer_set_string(struct gguf_writer *w, const char *key, const char *value, size_t len);
/* Arrays, which may be empty; they are copied. */
void gguf_writer_set_strings(struct gguf_writer *w, const char *key, const char *const *values, const size_t *lens,
                             size_t n);
void gguf_writer_set_u32s(struct gguf_writer *w, const char *key, const uint32_t *values, size_t n);
void gguf_writer_set_i32s(struct gguf_writer *w, const char *key, const int32_t *values, size_t n);
void gguf_writer_set_f32s(struct gguf_writer *w, const char *key, const float *values, size_t n);
void gguf_writer_set_bools(struct gguf_writer *w, const char *key, const bool *values, size_t n);
/* Any value as the file stores it, after its type: for an array the items'
 * type, their number and the items. Not checked. */
void gguf_writer_set_raw(struct gguf_writer *w, const char *key, uint32_t type, const void *value,
                         size_t n_bytes);
/* The index-th key of a file that was read, with its value. */
void gguf_writer_copy(struct gguf_writer *w, const struct gguf *from, size_t index);
/* All keys of another writer, behind those that are there; its error, too. */
void gguf_writer_append(struct gguf_writer *w, const struct gguf_writer *from);
/* `data` holds the blocks of all rows; borrowed; NULL where only the header is
 * asked for. ne[0] is the row length. */
void gguf_writer_add_tensor(struct gguf_writer *w, const char *name, enum block_type type,
                            uint32_t n_dims, const uint64_t ne[], const void *data, size_t n_bytes);

/* Everything before the tensor data, for a caller that writes that itself: the
 * tensors in the order in which they were added, zeros after each up to the
 * next multiple of the alignment. */
enum status gguf_writer_header(struct gguf_writer *w, struct buf *out,
                               struct error *err) MUST_CHECK;
uint32_t gguf_writer_alignment(const struct gguf_writer *w);
/* The whole file as bytes (tests). */
enum status gguf_writer_write(struct gguf_writer *w, struct buf *out, struct error *err) MUST_CHECK;

#endif
