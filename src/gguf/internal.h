/* What the files of the reader share: the parsed file. Nobody else includes it, tests aside.
 *
 * Everything that bounds a later access (types, counts, lengths, where strings
 * begin) is copied out of the file when it is parsed: the mapping may change
 * under us when somebody writes to the file, and then only values may be
 * wrong, never an access. */
#ifndef SOTTO_GGUF_INTERNAL_H
#define SOTTO_GGUF_INTERNAL_H

#include <stdatomic.h>
#include <sys/stat.h>

#include "gguf/cursor.h"
#include "gguf/reader.h"

struct gguf_kv {
	struct gguf_string key;
	enum gguf_type type;
	enum gguf_type item_type;  /* of an array */
	size_t n;                  /* bytes of a string, items of an array */
	const unsigned char *data; /* the value, or the first item */
	uint64_t *starts;          /* strings of an array, n + 1: offset in `data` of each
	                            * one's bytes; its length field follows the one before */
	size_t at;                 /* header offset of the key, for errors */
};

/* A key that the user has set. */
struct gguf_override {
	struct gguf_kv kv;
	char *text; /* owned: KEY=TYPE:VALUE */
	unsigned char value[8];
	atomic_bool is_read; /* somebody has asked for it */
};

struct gguf {
	char *path;
	const unsigned char *data; /* the whole file */
	size_t size;
	size_t n_head;             /* of a file that is not written yet: how much is there; 0: all is */
	int fd;                    /* -1: bytes in memory */
	int guard;                 /* slot of gguf/guard.h, -1: none */
	struct stat opened;        /* as the file was then */
	uint32_t version;
	uint32_t alignment;
	struct gguf_kv *kvs;
	size_t n_kvs, cap_kvs;
	const struct gguf_kv **kvs_by_key;
	struct gguf_tensor *tensors;
	size_t n_tensors, cap_tensors;
	const struct gguf_tensor **tensors_by_name;
	struct gguf **parts; /* parts of a split model, this file first, the others owned; NULL: one file */
	uint32_t n_parts;
	struct gguf_override *overrides;
	size_t n_overrides, cap_overrides;
};

const struct gguf_kv *gguf_find_override(const struct gguf *gguf, const char *key); /* NULL: none */
void gguf_free_overrides(struct gguf *gguf);

enum { GGUF_LENGTH_FIELD = 8 }; /* bytes before each string */

/* Fills version, alignment, kvs and tensors from data and size. On failure
 * what was allocated stays for gguf_close. */
enum status gguf_parse(struct gguf *gguf, struct error *err) MUST_CHECK;

/* What follows the key/value pairs: n tensors from the cursor on. */
enum status gguf_parse_tensors(struct cursor *cursor, struct gguf *gguf, uint64_t n) MUST_CHECK;

/* If *gguf is a part, opens the others: *gguf becomes the first, with the tensors of all.
 * Unchanged on failure. */
enum status gguf_join(struct gguf **gguf, struct error *err) MUST_CHECK;

/* For qsort of pointers to tensors: by name, then by order. */
int gguf_compare_names(const void *a, const void *b);

/* Bytewise, the shorter one first. */
int gguf_string_compare(struct gguf_string a, struct gguf_string b);

const struct gguf_kv *gguf_find_kv(const struct gguf *gguf, const char *key);

#endif
