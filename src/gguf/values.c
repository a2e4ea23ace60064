/* Typed access to the metadata. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/bisect.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "gguf/internal.h"

const struct gguf_kv *gguf_find_kv(const struct gguf *gguf, const char *key)
{
	struct gguf_string wanted = {key, strlen(key)};
	size_t at = 0;

	if (gguf->n_overrides) {
		const struct gguf_kv *override = gguf_find_override(gguf, key);

		if (override)
			return override;
	}
	BISECT(at, gguf->n_kvs, i, gguf_string_compare(gguf->kvs_by_key[i]->key, wanted) < 0);
	return at < gguf->n_kvs && gguf_string_compare(gguf->kvs_by_key[at]->key, wanted) == 0
	               ? gguf->kvs_by_key[at] : NULL;
}

bool gguf_has(const struct gguf *gguf, const char *key)
{
	return gguf_find_kv(gguf, key) != NULL;
}

/* Fails for a key that is missing (NULL) or has another type. */
static enum status refuse(const struct gguf_kv *kv, const char *key, const char *expected,
                          struct error *err)
{
	bool is_array = kv && kv->type == GGUF_ARRAY;

	if (!kv)
		return error_set(err, STATUS_NOTFOUND, "key '%s' is missing", key);
	return error_set(err, STATUS_FORMAT,
	                 "key '%s' at header offset 0x%zx: found %s%s, expected %s", key, kv->at,
	                 is_array ? "an array of " : "",
	                 gguf_type_name(is_array ? kv->item_type : kv->type), expected);
}

/* An integer of any type as sign and magnitude: covers u64 and i64. */
struct integer {
	bool negative;
	uint64_t magnitude;
};

/* False for a type that is no integer. */
static bool read_integer(enum gguf_type type, const unsigned char *data, struct integer *out)
{
	size_t size = gguf_type_size(type);
	uint64_t bits = 0, sign = 0;

	switch (type) {
	case GGUF_I8:
	case GGUF_I16:
	case GGUF_I32:
	case GGUF_I64:
		sign = UINT64_C(1) << (8 * size - 1);
		break;
	case GGUF_U8:
	case GGUF_U16:
	case GGUF_U32:
	case GGUF_U64:
		break;
	default:
		return false;
	}
	memcpy(&bits, data, size); /* little-endian, as configure makes sure */
	bits = (bits ^ sign) - sign; /* repeats the sign up to the highest bit */
	out->negative = sign && bits >> 63;
	out->magnitude = out->negative ? 0 - bits : bits;
	return true;
}

static double read_float(enum gguf_type type, const unsigned char *data)
{
	double f64;
	float f32;

	if (type == GGUF_F64) {
		memcpy(&f64, data, sizeof f64);
		return f64;
	}
	memcpy(&f32, data, sizeof f32);
	return (double)f32;
}

/* *out: in two's complement; left alone on failure. */
static enum status get_integer(const struct gguf *gguf, const char *key, uint64_t max_magnitude,
                               uint64_t max_negative, const char *expected, uint64_t *out,
                               struct error *err)
{
	const struct gguf_kv *kv = gguf_find_kv(gguf, key);
	struct integer found;

	if (!kv || !read_integer(kv->type, kv->data, &found))
		return refuse(kv, key, expected, err);
	if (found.magnitude > (found.negative ? max_negative : max_magnitude))
		return error_set(err, STATUS_FORMAT,
		                 "key '%s' at header offset 0x%zx: found %s%" PRIu64 ", expected %s", key,
		                 kv->at, found.negative ? "-" : "", found.magnitude, expected);
	*out = found.negative ? 0 - found.magnitude : found.magnitude;
	return STATUS_OK;
}

enum status gguf_get_bool(const struct gguf *gguf, const char *key, bool *out, struct error *err)
{
	const struct gguf_kv *kv = gguf_find_kv(gguf, key);

	if (!kv || kv->type != GGUF_BOOL)
		return refuse(kv, key, "bool", err);
	*out = *kv->data != 0;
	return STATUS_OK;
}

enum status gguf_get_u32(const struct gguf *gguf, const char *key, uint32_t *out, struct error *err)
{
	uint64_t value;
	enum status status;

	status = get_integer(gguf, key, UINT32_MAX, 0, "an integer in 0..4294967295", &value, err);
	if (!status)
		*out = (uint32_t)value;
	return status;
}

enum status gguf_get_i32(const struct gguf *gguf, const char *key, int32_t *out, struct error *err)
{
	uint64_t value;
	enum status status;

	status = get_integer(gguf, key, INT32_MAX, (uint64_t)INT32_MAX + 1,
	                     "an integer in -2147483648..2147483647", &value, err);
	if (!status)
		*out = (int32_t)value;
	return status;
}

enum status gguf_get_i64(const struct gguf *gguf, const char *key, int64_t *out, struct error *err)
{
	uint64_t value;
	enum status status;

	status = get_integer(gguf, key, INT64_MAX, (uint64_t)INT64_MAX + 1,
	                     "an integer of 64 bits with a sign", &value, err);
	if (!status)
		*out = (int64_t)value;
	return status;
}

enum status gguf_get_u64(const struct gguf *gguf, const char *key, uint64_t *out, struct error *err)
{
	return get_integer(gguf, key, UINT64_MAX, 0, "an integer that is not negative", out, err);
}

enum status gguf_get_f32(const struct gguf *gguf, const char *key, float *out, struct error *err)
{
	const struct gguf_kv *kv = gguf_find_kv(gguf, key);
	double value;

	if (!kv || (kv->type != GGUF_F32 && kv->type != GGUF_F64))
		return refuse(kv, key, "f32 or f64", err);
	value = read_float(kv->type, kv->data);
	if (isfinite(value) && fabs(value) > (double)FLT_MAX)
		return error_set(err, STATUS_FORMAT,
		                 "key '%s' at header offset 0x%zx: found %g, expected a value that fits f32",
		                 key, kv->at, value);
	*out = (float)value;
	return STATUS_OK;
}

enum status gguf_get_string(const struct gguf *gguf, const char *key, struct gguf_string *out,
                            struct error *err)
{
	const struct gguf_kv *kv = gguf_find_kv(gguf, key);

	if (!kv || kv->type != GGUF_STRING)
		return refuse(kv, key, "string", err);
	*out = (struct gguf_string){(const char *)kv->data, kv->n};
	return STATUS_OK;
}

enum status gguf_get_array(const struct gguf *gguf, const char *key, enum gguf_type type,
                           struct gguf_array *out, struct error *err)
{
	const struct gguf_kv *kv = gguf_find_kv(gguf, key);
	char expected[32] = "an array of ";

	if (!kv || kv->type != GGUF_ARRAY || kv->item_type != type) {
		strncat(expected, gguf_type_name(type), sizeof expected - strlen(expected) - 1);
		return refuse(kv, key, expected, err);
	}
	*out = (struct gguf_array){type, kv->n, kv->data, kv->starts};
	return STATUS_OK;
}

struct gguf_string gguf_array_string(const struct gguf_array *array, size_t index)
{
	uint64_t start = array->starts[index], next = array->starts[index + 1];

	return (struct gguf_string){(const char *)array->data + start,
	                            (size_t)(next - start - GGUF_LENGTH_FIELD)};
}

float gguf_array_f32(const struct gguf_array *array, size_t index)
{
	float value;

	memcpy(&value, array->data + index * sizeof value, sizeof value);
	return value;
}

int32_t gguf_array_i32(const struct gguf_array *array, size_t index)
{
	int32_t value;

	memcpy(&value, array->data + index * sizeof value, sizeof value);
	return value;
}

uint32_t gguf_array_u32(const struct gguf_array *array, size_t index)
{
	uint32_t value;

	memcpy(&value, array->data + index * sizeof value, sizeof value);
	return value;
}

bool gguf_array_bool(const struct gguf_array *array, size_t index)
{
	return array->data[index] != 0;
}

void gguf_arch_key(struct gguf_string arch, const char *name, char key[GGUF_ARCH_KEY_MAX])
{
	size_t len = arch.len < GGUF_ARCH_KEY_MAX ? arch.len : GGUF_ARCH_KEY_MAX;

	snprintf(key, GGUF_ARCH_KEY_MAX, "%.*s.%s", (int)len, arch.data, name);
}

/* Description */

enum { SHOWN_ITEMS = 8, SHOWN_BYTES = 200 };

size_t gguf_n_kv(const struct gguf *gguf)
{
	return gguf->n_kvs;
}

struct gguf_string gguf_kv_key(const struct gguf *gguf, size_t index)
{
	return gguf->kvs[index].key;
}

static void describe_string(struct gguf_string text, struct buf *out)
{
	size_t shown = utf8_cut(text.data, text.len, SHOWN_BYTES);

	buf_putc(out, '"');
	buf_append(out, text.data, shown);
	buf_puts(out, shown < text.len ? "\"..." : "\"");
}

static void describe_number(enum gguf_type type, const unsigned char *data, struct buf *out)
{
	struct integer value;

	if (type == GGUF_BOOL)
		buf_puts(out, *data ? "true" : "false");
	else if (read_integer(type, data, &value))
		buf_printf(out, "%s%" PRIu64, value.negative ? "-" : "", value.magnitude);
	else
		buf_printf(out, "%g", read_float(type, data));
}

enum status gguf_kv_describe(const struct gguf *gguf, size_t index, struct buf *out)
{
	const struct gguf_kv *kv = &gguf->kvs[index];
	struct gguf_array array = {kv->item_type, kv->n, kv->data, kv->starts};

	if (kv->type == GGUF_STRING) {
		describe_string((struct gguf_string){(const char *)kv->data, kv->n}, out);
	} else if (kv->type != GGUF_ARRAY) {
		describe_number(kv->type, kv->data, out);
	} else {
		buf_printf(out, "%zu %s: [", kv->n, gguf_type_name(kv->item_type));
		for (size_t i = 0; i < kv->n && i < SHOWN_ITEMS; i++) {
			buf_puts(out, i ? ", " : "");
			if (kv->item_type == GGUF_STRING)
				describe_string(gguf_array_string(&array, i), out);
			else
				describe_number(kv->item_type,
				                kv->data + i * gguf_type_size(kv->item_type), out);
		}
		buf_puts(out, kv->n > SHOWN_ITEMS ? ", ...]" : "]");
	}
	return buf_status(out);
}
