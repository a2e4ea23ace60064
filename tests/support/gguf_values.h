/* Keys of all types, for files that tests write. Arrays are copied. */
#ifndef SOTTO_TESTS_SUPPORT_GGUF_VALUES_H
#define SOTTO_TESTS_SUPPORT_GGUF_VALUES_H

#include "gguf/writer.h"

void gguf_writer_set_i32(struct gguf_writer *w, const char *key, int32_t value);
void gguf_writer_set_u64(struct gguf_writer *w, const char *key, uint64_t value);
void gguf_writer_set_f32(struct gguf_writer *w, const char *key, float value);
void gguf_writer_set_bool(struct gguf_writer *w, const char *key, bool value);
void gguf_writer_set_f32s(struct gguf_writer *w, const char *key, const float *items, size_t n);
void gguf_writer_set_i32s(struct gguf_writer *w, const char *key, const int32_t *items, size_t n);
void gguf_writer_set_strings(struct gguf_writer *w, const char *key, const char *const *items,
                             const size_t *lens, size_t n);

#endif
