#include "hostile/mutate.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "gguf/types.h"

/* A reader that trusts the file: only for those we have written. */
struct walk {
	const struct buf *file;
	struct fields *fields;
	size_t at;
	int failed;
};

static void note(struct walk *walk, size_t size, int is_value)
{
	struct fields *fields = walk->fields;

	if (!alloc_grow(&fields->items, &fields->cap, fields->n + 1, sizeof *fields->items, 1 << 20))
		walk->failed = 1;
	else
		fields->items[fields->n++] = (struct field){walk->at, size, is_value};
	walk->at += size;
}

static uint64_t read_field(struct walk *walk, size_t size)
{
	uint64_t value = 0;

	memcpy(&value, walk->file->data + walk->at, size);
	note(walk, size, 0);
	return value;
}

static void walk_string(struct walk *walk)
{
	size_t len = (size_t)read_field(walk, 8);

	if (len)
		note(walk, len, 1);
}

static void walk_value(struct walk *walk)
{
	uint32_t type = (uint32_t)read_field(walk, 4);
	uint64_t n = 1;

	if (type == GGUF_ARRAY) {
		type = (uint32_t)read_field(walk, 4);
		n = read_field(walk, 8);
	}
	for (uint64_t i = 0; i < n; i++) {
		if (type == GGUF_STRING)
			walk_string(walk);
		else
			note(walk, gguf_type_size(type), 1);
	}
}

int fields_find(struct fields *fields, const struct buf *file)
{
	struct walk walk = {.file = file, .fields = fields};
	uint64_t n_tensors, n_kvs;

	*fields = (struct fields){NULL, 0, 0};
	note(&walk, 4, 0); /* magic */
	note(&walk, 4, 0); /* version */
	n_tensors = read_field(&walk, 8);
	n_kvs = read_field(&walk, 8);
	for (uint64_t i = 0; i < n_kvs; i++) {
		walk_string(&walk);
		walk_value(&walk);
	}
	for (uint64_t i = 0; i < n_tensors; i++) {
		uint32_t n_dims;

		walk_string(&walk);
		n_dims = (uint32_t)read_field(&walk, 4);
		for (uint32_t d = 0; d < n_dims; d++)
			note(&walk, 8, 0);
		note(&walk, 4, 0);
		note(&walk, 8, 0);
	}
	return walk.failed ? -1 : 0;
}

void fields_free(struct fields *fields)
{
	free(fields->items);
}

static uint64_t interesting(struct test_random *random, uint64_t old)
{
	static const uint64_t values[] = {
		0, 1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 257, 511, 1000,
		4096, 32767, 32768, 65535, 65536, 65537, 1u << 20, 2000000, 2000001, 0x7fffffff, 0x80000000u,
		0xfffffffeu, 0xffffffffu, 0x100000000u, 0x100000001u, (uint64_t)1 << 40, (uint64_t)1 << 62,
		0x7fffffffffffffffu, 0x8000000000000000u, 0xfffffffffffffff0u, 0xfffffffffffffffeu, UINT64_MAX,
		0x7f800000u /* inf */, 0x7fc00000u /* nan */, 0xff800000u, 0x00000001u, 0x3f800000u,
	};

	switch (test_random_below(random, 6)) {
	case 0:
		return old + 1;
	case 1:
		return old - 1;
	case 2:
		return old ^ (uint64_t)1 << test_random_below(random, 64);
	case 3:
		return test_random_u64(random);
	case 4:
		return old * 2;
	default:
		return values[test_random_below(random, sizeof values / sizeof *values)];
	}
}

/* Early fields are few and matter most: half of the time one of them. */
static const struct field *pick_any(const struct fields *fields, struct test_random *random)
{
	size_t n = fields->n;

	if (test_random_below(random, 4) == 0 && n > 120)
		return &fields->items[test_random_below(random, 60)];
	if (test_random_below(random, 3) == 0 && n > 120) /* the last: tensors */
		return &fields->items[n - 1 - test_random_below(random, 120)];
	return &fields->items[test_random_below(random, n)];
}

static const struct field *pick(const struct fields *fields, struct test_random *random,
                                int values_only)
{
	const struct field *field = pick_any(fields, random);

	for (int tries = 0; values_only && !field->is_value && tries < 50; tries++)
		field = pick_any(fields, random);
	return field;
}

static void change_field(struct buf *file, const struct fields *fields, struct test_random *random,
                         int values_only)
{
	const struct field *field = pick(fields, random, values_only), *other;
	uint64_t value = 0;

	if (field->at + field->size > file->len)
		return;
	if (field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8) {
		memcpy(&value, file->data + field->at, field->size);
		value = interesting(random, value);
		memcpy(file->data + field->at, &value, field->size);
		return;
	}
	/* A text: another text of the file over it, or one changed byte. */
	other = pick(fields, random, values_only);
	if (test_random_below(random, 2) && other->at + other->size <= file->len)
		memmove(file->data + field->at, file->data + other->at,
		        other->size < field->size ? other->size : field->size);
	else
		file->data[field->at + test_random_below(random, field->size)] =
			(char)test_random_u64(random);
}

/* Two fields of the same size change places. */
static void swap_fields(struct buf *file, const struct fields *fields, struct test_random *random)
{
	const struct field *a = pick(fields, random, 0);

	for (int tries = 0; tries < 30; tries++) {
		const struct field *b = pick(fields, random, 0);

		if (b->size != a->size || a == b || a->at + a->size > file->len ||
		    b->at + b->size > file->len)
			continue;
		for (size_t i = 0; i < a->size; i++) {
			char byte = file->data[a->at + i];

			file->data[a->at + i] = file->data[b->at + i];
			file->data[b->at + i] = byte;
		}
		return;
	}
}

static void change_bytes(struct buf *file, struct test_random *random)
{
	size_t at, from, n;
	char copy[16];

	if (!file->len)
		return;
	at = test_random_below(random, file->len);
	n = 1 + test_random_below(random, sizeof copy);
	switch (test_random_below(random, 5)) {
	case 0:
		file->data[at] = (char)test_random_u64(random);
		break;
	case 1:
		file->data[at] = (char)(file->data[at] ^ 1 << test_random_below(random, 8));
		break;
	case 2:
		buf_remove(file, at, n);
		break;
	case 3: /* bytes of the file once more, here */
		from = test_random_below(random, file->len);
		if (n > file->len - from)
			n = file->len - from;
		memcpy(copy, file->data + from, n);
		if (buf_append(file, copy, n) == STATUS_OK) {
			memmove(file->data + at + n, file->data + at, file->len - n - at);
			memcpy(file->data + at, copy, n);
		}
		break;
	default:
		buf_remove(file, at, file->len);
		break;
	}
}

void mutate(struct buf *file, const struct fields *fields, struct test_random *random)
{
	size_t n = 1 + test_random_below(random, 4);
	int values_only = test_random_below(random, 2) == 0;

	for (size_t i = 0; i < n; i++) {
		switch (values_only ? 2 : test_random_below(random, 8)) {
		case 0:
			change_bytes(file, random);
			break;
		case 1:
			swap_fields(file, fields, random);
			break;
		default:
			change_field(file, fields, random, values_only);
			break;
		}
	}
}
