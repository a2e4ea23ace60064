/* Writes the bytes of GGUF files without any check: for wrong ones. */
#ifndef SOTTO_TESTS_RAW_H
#define SOTTO_TESTS_RAW_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "gguf/types.h"

void raw_u32(struct buf *out, uint32_t value);
void raw_u64(struct buf *out, uint64_t value);
void raw_zeros(struct buf *out, size_t n);
/* A length field and the bytes. */
void raw_string(struct buf *out, const char *text, size_t len);
/* Magic, version 3, counts; clears the buffer first. */
void raw_header(struct buf *out, uint64_t n_tensors, uint64_t n_kvs);
/* Key and type of a value; the value follows. */
void raw_key(struct buf *out, const char *key, uint32_t type);
/* A header without tensors and of one pair, whose value follows. */
void raw_one_key(struct buf *out, const char *key, uint32_t type);
/* `n_dims` is written as it is; at most 16 of ne are. */
void raw_tensor(struct buf *out, const char *name, uint32_t n_dims, const uint64_t *ne,
                uint32_t type, uint64_t offset);
/* Zeros up to a multiple. */
void raw_pad(struct buf *out, size_t alignment);

#endif
