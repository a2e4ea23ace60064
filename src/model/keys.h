/* Reading the keys of a family, "ARCH.field", each checked against its range. The first error
 * is kept: everything read after it is a default, so that a family's file is a plain list of
 * what it reads. Keys that differences.h says are not followed are as if they were not there.
 * Private to this folder. */
#ifndef SOTTO_MODEL_KEYS_H
#define SOTTO_MODEL_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "gguf/reader.h"

/* Ranges: wide enough for every published model, narrow enough that no product of a few of
 * them leaves 64 bits. */
#define KEYS_MAX_EMBD (1u << 20)
#define KEYS_MAX_FF (1u << 22)
#define KEYS_MAX_HEADS 4096u
#define KEYS_MAX_CTX (1u << 28)

struct plan;
struct rope_wish;

struct keys {
	const struct gguf *gguf;
	const char *arch;
	const struct rope_wish *rope; /* NULL: what the file says */
	const struct plan *plan; /* as far as it is read: keys for each layer need their number */
	enum status status;
	struct error *err;
	char key[128]; /* the key being read, for errors */
	uint64_t differences; /* keys that sotto and llama.cpp take differently (differences.h) */
};

/* "key 'ARCH.field': ..." of the field asked for last, unless something failed before. */
void keys_fail(struct keys *keys, enum status status, const char *fmt, ...) PRINTF_LIKE(3, 4);

bool keys_has(struct keys *keys, const char *field);
/* `fallback` where the key is missing; it is checked, too. */
uint32_t keys_u32(struct keys *keys, const char *field, uint32_t fallback, uint32_t min,
                  uint32_t max);
uint32_t keys_required_u32(struct keys *keys, const char *field, uint32_t min, uint32_t max);
float keys_f32(struct keys *keys, const char *field, float fallback, double min, double max);
float keys_required_f32(struct keys *keys, const char *field, double min, double max);
bool keys_bool(struct keys *keys, const char *field, bool fallback);
/* Notes a key that has a row in differences.c. */
void keys_note_difference(struct keys *keys, const char *field, bool is_array);
/* "" where the key is missing. */
struct gguf_string keys_string(struct keys *keys, const char *field);

/* One integer for all layers, or an array of one for each, which may have those for the blocks
 * behind the layers, too: out[i * stride bytes]. `fallback` NULL: the key is required; else its
 * value stands for a missing one. */
void keys_per_layer(struct keys *keys, const char *field, const uint32_t *fallback, uint32_t min,
                    uint32_t max, uint32_t *out, size_t stride);
/* An array of flags, or of integers that are 0 or 1, one a layer; false where it is none. */
bool keys_flags(struct keys *keys, const char *field, bool *out, size_t stride);

#endif
