#include "model/keys.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "model/differences.h"
#include "model/plan.h"

void keys_fail(struct keys *keys, enum status status, const char *fmt, ...)
{
	char text[ERROR_TEXT_MAX];
	va_list args;

	if (keys->status)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	keys->status = error_set(keys->err, status, "key '%s': %s", keys->key, text);
}

static const char *set_key(struct keys *keys, const char *field)
{
	if (!keys->status)
		snprintf(keys->key, sizeof keys->key, "%s.%s", keys->arch, field);
	return keys->key;
}

static void fail_missing(struct keys *keys, const char *expected)
{
	if (!keys->status)
		keys->status = error_set(keys->err, STATUS_FORMAT, "key '%s' is missing, expected %s",
		                         keys->key, expected);
}

static bool is_followed(const struct difference *difference)
{
	return !difference || difference->kind != DIFFERENCE_NOT_FOLLOWED;
}

bool keys_has(struct keys *keys, const char *field)
{
	return !keys->status && gguf_has(keys->gguf, set_key(keys, field)) &&
	       is_followed(difference_find(keys->arch, field, false));
}

static void note(struct keys *keys, const struct difference *difference)
{
	if (difference)
		keys->differences |= difference_bit(difference);
}

void keys_note_difference(struct keys *keys, const char *field, bool is_array)
{
	note(keys, difference_find(keys->arch, field, is_array));
}

/* Keeps the status of reading a key, if the key counts; false: the fallback does, or it failed. A
 * key is noted if it has a row and says anything; one of another type does. */
static bool accept(struct keys *keys, const char *field, enum status status, double value,
                   double fallback)
{
	const struct difference *d = difference_find(keys->arch, field, false);
	bool is_none = value == fallback || (value == 0 && d && !d->zero_counts) ||
	               (d && d->by_context && value >= keys->plan->n_ctx_train);

	if (d && d->kind != DIFFERENCE_OTHERWISE && status != STATUS_NOTFOUND && (status || !is_none))
		note(keys, d);
	if (is_followed(d) && status != STATUS_NOTFOUND)
		keys->status = status;
	return is_followed(d) && !keys->status;
}

static void check_u32(struct keys *keys, uint32_t value, uint32_t min, uint32_t max)
{
	if (value < min || value > max)
		keys_fail(keys, STATUS_FORMAT, "found %" PRIu32 ", expected %" PRIu32 " to %" PRIu32, value,
		          min, max);
}

uint32_t keys_u32(struct keys *keys, const char *field, uint32_t fallback, uint32_t min,
                  uint32_t max)
{
	uint32_t value = fallback;
	enum status status;

	if (keys->status)
		return fallback;
	status = gguf_get_u32(keys->gguf, set_key(keys, field), &value, keys->err);
	if (!accept(keys, field, status, value, fallback))
		return fallback;
	check_u32(keys, value, min, max);
	return keys->status ? fallback : value;
}

uint32_t keys_required_u32(struct keys *keys, const char *field, uint32_t min, uint32_t max)
{
	if (!keys_has(keys, field)) {
		fail_missing(keys, "an integer");
		return min;
	}
	return keys_u32(keys, field, min, min, max);
}

float keys_f32(struct keys *keys, const char *field, float fallback, double min, double max)
{
	float value = fallback;
	enum status status;

	if (keys->status)
		return fallback;
	status = gguf_get_f32(keys->gguf, set_key(keys, field), &value, keys->err);
	/* Defaults are computed; files have them rounded otherwise. */
	if (!accept(keys, field, status, fabsf(value - fallback) <= 1e-5f * fabsf(fallback)
	                                     ? (double)fallback : (double)value, (double)fallback))
		return fallback;
	if (!status && !((double)value >= min && (double)value <= max)) /* NaN as well */
		keys_fail(keys, STATUS_FORMAT, "found %g, expected %g to %g", (double)value, min, max);
	return keys->status ? fallback : value;
}

float keys_required_f32(struct keys *keys, const char *field, double min, double max)
{
	if (!keys_has(keys, field)) {
		fail_missing(keys, "a float");
		return 1;
	}
	return keys_f32(keys, field, 1, min, max);
}

bool keys_bool(struct keys *keys, const char *field, bool fallback)
{
	bool value = fallback;
	enum status status;

	if (keys->status)
		return fallback;
	status = gguf_get_bool(keys->gguf, set_key(keys, field), &value, keys->err);
	return accept(keys, field, status, value ? 1 : -1, fallback ? 1 : -1) ? value : fallback;
}

struct gguf_string keys_string(struct keys *keys, const char *field)
{
	struct gguf_string value = {"", 0};
	enum status status;

	if (keys->status)
		return value;
	status = gguf_get_string(keys->gguf, set_key(keys, field), &value, keys->err);
	if (status && status != STATUS_NOTFOUND)
		keys->status = status;
	return value;
}

/* An array for the layers of one of these types; false where there is none. */
static bool get_array(struct keys *keys, const enum gguf_type *types, size_t n_types,
                      struct gguf_array *array)
{
	enum status status = STATUS_NOTFOUND;

	for (size_t i = 0; i < n_types && status; i++)
		status = gguf_get_array(keys->gguf, keys->key, types[i], array, NULL);
	if (status)
		return false;
	if (array->n != keys->plan->n_layer && array->n != keys->plan->n_blocks)
		keys_fail(keys, STATUS_FORMAT, "found an array of %zu, expected one of %" PRIu32
		          " (the layers)", array->n, keys->plan->n_layer);
	return !keys->status;
}

void keys_per_layer(struct keys *keys, const char *field, const uint32_t *fallback, uint32_t min,
                    uint32_t max, uint32_t *out, size_t stride)
{
	static const enum gguf_type types[] = {GGUF_I32, GGUF_U32};
	struct gguf_array array;
	uint32_t value = fallback ? *fallback : min;
	bool is_array;

	if (keys->status)
		return;
	set_key(keys, field);
	is_array = get_array(keys, types, 2, &array);
	if (!is_array)
		value = fallback ? keys_u32(keys, field, *fallback, min, max)
		                 : keys_required_u32(keys, field, min, max);
	for (uint32_t i = 0; i < keys->plan->n_layer && !keys->status; i++) {
		if (is_array && array.type == GGUF_I32 && gguf_array_i32(&array, i) < 0)
			keys_fail(keys, STATUS_FORMAT, "found %" PRId32 " for layer %" PRIu32
			          ", expected %" PRIu32 " to %" PRIu32, gguf_array_i32(&array, i), i, min,
			          max);
		if (is_array)
			value = gguf_array_u32(&array, i);
		check_u32(keys, value, min, max);
		*(uint32_t *)(void *)((char *)out + i * stride) = value;
	}
}

bool keys_flags(struct keys *keys, const char *field, bool *out, size_t stride)
{
	static const enum gguf_type types[] = {GGUF_BOOL, GGUF_I32, GGUF_U32};
	const struct difference *difference;
	struct gguf_array array;

	if (keys->status)
		return false;
	set_key(keys, field);
	difference = difference_find(keys->arch, field, true);
	if (!is_followed(difference)) {
		if (gguf_has(keys->gguf, keys->key))
			note(keys, difference);
		return false;
	}
	if (!get_array(keys, types, 3, &array))
		return false;
	for (uint32_t i = 0; i < keys->plan->n_layer; i++) {
		uint32_t value = array.type == GGUF_BOOL ? gguf_array_bool(&array, i)
		                                         : gguf_array_u32(&array, i);

		check_u32(keys, value, 0, 1);
		*(bool *)((char *)out + i * stride) = value != 0;
	}
	return true;
}
