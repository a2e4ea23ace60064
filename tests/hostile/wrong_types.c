/* A key with a value of every type but the right one. */
#include "base/limits.h"
#include "hostile/defects.h"
#include "hostile/patch.h"
#include "hostile/raw.h"

/* The types a wrong value may have: all scalars and, from GGUF_TYPE_COUNT on, arrays of all but arrays,
 * with two items. */
enum { N_WRONG = 2 * GGUF_TYPE_COUNT };

static void put_scalar(struct buf *out, uint32_t type)
{
	static const unsigned char ones[8] = {1}; /* 1 as an integer, true */

	if (type == GGUF_STRING)
		raw_string(out, "one", 3);
	else
		buf_append(out, ones, gguf_type_size(type));
}

/* Sets *type and appends such a value; returns its name for reports. */
static const char *put_wrong(unsigned index, uint32_t *type, struct buf *value)
{
	uint32_t item = index % GGUF_TYPE_COUNT;

	buf_clear(value);
	*type = item;
	if (index < GGUF_TYPE_COUNT && item != GGUF_ARRAY) {
		put_scalar(value, item);
		return gguf_type_name(item);
	}
	if (item == GGUF_ARRAY) /* the one that has no array: an empty one */
		item = GGUF_U16;
	*type = GGUF_ARRAY;
	raw_u32(value, item);
	raw_u64(value, 2);
	put_scalar(value, item);
	put_scalar(value, item);
	return gguf_type_name(item);
}

/* True when the type of put_wrong(index) is right after all. */
static bool is_right(enum shape shape, unsigned index)
{
	bool array = index >= GGUF_TYPE_COUNT || index == GGUF_ARRAY;
	uint32_t type = index % GGUF_TYPE_COUNT;

	switch (shape) {
	case INTEGER:
	case PER_LAYER: /* two items are wrong for one layer */
		return !array && (type <= GGUF_I32 || type == GGUF_U64 || type == GGUF_I64);
	case FLOAT:
		return !array && (type == GGUF_F32 || type == GGUF_F64);
	case BOOL:
		return !array && type == GGUF_BOOL;
	case STRING:
		return !array && type == GGUF_STRING;
	case STRINGS:
		return array && type == GGUF_STRING;
	case FLOATS:
		return array && type == GGUF_F32;
	case INTS:
		return array && type == GGUF_I32;
	}
	return false;
}

void defects_wrong_types(struct defects *d, enum stage stage, enum tiny_vocab vocab, const char *key,
                         enum shape shape)
{
	struct buf value = {.max = KIB(1)};

	for (unsigned t = 0; t < N_WRONG; t++) {
		uint32_t type;
		const char *name = put_wrong(t, &type, &value);

		if (is_right(shape, t))
			continue;
		patch_key(&d->file, vocab, key, type, value.data, value.len);
		defects_expect(d, stage, STATUS_FORMAT, key, "%s as %s%s", key,
		               type == GGUF_ARRAY ? "array of " : "", name);
	}
	buf_free(&value);
}
