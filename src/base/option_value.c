#include "base/option_value.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/number.h"
#include "base/words.h"

static bool parse_bool(const char *text, int64_t *value)
{
	static const char *const words[2][4] = {
		{"no", "off", "false", "0"}, {"yes", "on", "true", "1"}};

	for (int which = 0; which < 2; which++)
		for (size_t i = 0; i < 4; i++)
			if (strcasecmp(text, words[which][i]) == 0) {
				*value = which;
				return true;
			}
	return false;
}

static bool parse_enum(const struct option *option, const char *text, int64_t *value)
{
	for (int64_t i = 0; option->values[i]; i++)
		if (strcasecmp(text, option->values[i]) == 0) {
			*value = i;
			return true;
		}
	return false;
}

static bool has_range(const struct option *option)
{
	return option->min < option->max;
}

/* Rows may give no range, or one wider than the field. */
static void integer_range(const struct option *option, int64_t *min, int64_t *max)
{
	*min = option->type == OPTION_INT ? INT32_MIN : INT64_MIN;
	*max = option->type == OPTION_INT ? INT32_MAX : INT64_MAX;
	if (!has_range(option))
		return;
	if (option->min > (double)*min)
		*min = (int64_t)option->min;
	if (option->max < (double)*max)
		*max = (int64_t)option->max;
}

void option_print_domain(const struct option *option, struct buf *out)
{
	char low[NUMBER_TEXT_MAX], high[NUMBER_TEXT_MAX];
	int64_t min, max;

	switch (option->type) {
	case OPTION_BOOL:
		buf_puts(out, "yes or no");
		break;
	case OPTION_ENUM:
		for (size_t i = 0; option->values[i]; i++)
			buf_printf(out, "%s%s", i ? ", " : "", option->values[i]);
		break;
	case OPTION_FLOAT:
		if (has_range(option))
			buf_printf(out, "%s to %s", number_format_double(option->min, low),
			           number_format_double(option->max, high));
		break;
	case OPTION_INT:
	case OPTION_INT64:
		if (!has_range(option))
			break;
		integer_range(option, &min, &max);
		buf_printf(out, "%lld to %lld", (long long)min, (long long)max);
		break;
	case OPTION_STRING:
		break;
	}
}

/* "'maybe': expected yes or no". */
static enum status bad_value(const struct option *option, const char *text, struct error *err)
{
	static const char *const kinds[] = {
		[OPTION_BOOL] = "", [OPTION_ENUM] = "one of ", [OPTION_INT] = "a whole number",
		[OPTION_INT64] = "a whole number", [OPTION_FLOAT] = "a number", [OPTION_STRING] = "a text",
	};
	bool is_number = option->type == OPTION_INT || option->type == OPTION_INT64 || option->type == OPTION_FLOAT;
	struct buf domain = {.max = ERROR_TEXT_MAX};
	enum status status;

	option_print_domain(option, &domain);
	status = error_set(err, STATUS_USAGE, "'%.80s': expected %s%s%s", text, kinds[option->type],
	                   is_number && domain.len ? " from " : "", buf_text(&domain));
	buf_free(&domain);
	return status;
}

const char *option_meaning(const struct option *option, const char *text)
{
	const char *also = option->also;
	size_t len = also ? strcspn(also, "=") : 0;

	return len && text && strlen(text) == len && memcmp(text, also, len) == 0 ? also + len + 1 : text;
}

enum status option_parse(const struct option *option, const char *text,
                         struct option_value *value, struct error *err)
{
	int64_t min, max;
	bool ok = false;

	text = option_meaning(option, text);
	*value = (struct option_value){.text = text};
	if (!text)
		return option->type == OPTION_STRING ? STATUS_OK : bad_value(option, "", err);
	switch (option->type) {
	case OPTION_BOOL:
		ok = parse_bool(text, &value->integer);
		break;
	case OPTION_ENUM:
		ok = parse_enum(option, text, &value->integer);
		break;
	case OPTION_INT:
	case OPTION_INT64:
		integer_range(option, &min, &max);
		ok = number_parse_int(text, &value->integer) && value->integer >= min && value->integer <= max;
		break;
	case OPTION_FLOAT:
		ok = number_parse_double(text, &value->number) && isfinite((float)value->number) &&
		     (!has_range(option) || (value->number >= option->min && value->number <= option->max));
		break;
	case OPTION_STRING:
		return option->check && text[0] ? option->check(text, err) : STATUS_OK;
	}
	return ok ? STATUS_OK : bad_value(option, text, err);
}

/* With the home folder for ~. */
static char *copy_path(const char *text)
{
	struct buf path = {.max = KIB(64)};
	char *copy = NULL;
	size_t len;

	if (!home_path_put(&path, text))
		copy = buf_take(&path, &len);
	buf_free(&path);
	return copy;
}

enum status option_store(const struct option *option, void *target,
                         const struct option_value *value, struct error *err)
{
	void *field = (char *)target + option->offset;
	char *copy = NULL;

	switch (option->type) {
	case OPTION_BOOL: *(bool *)field = value->integer != 0; break;
	case OPTION_INT: *(int32_t *)field = (int32_t)value->integer; break;
	case OPTION_ENUM: *(int *)field = (int)value->integer; break;
	case OPTION_INT64: *(int64_t *)field = value->integer; break;
	case OPTION_FLOAT: *(float *)field = (float)value->number; break;
	case OPTION_STRING:
		if (value->text) {
			copy = option->flags & OPTION_PATH ? copy_path(value->text)
			                                   : alloc_strndup(value->text, strlen(value->text));
			if (!copy)
				return error_no_memory(err, NULL);
		}
		free(*(char **)field);
		*(char **)field = copy;
		break;
	}
	return STATUS_OK;
}

void option_set_defaults(const struct option *rows, size_t n, void *target)
{
	for (size_t i = 0; i < n; i++) {
		const char *def = rows[i].def ? rows[i].def : "0";
		struct option_value value;

		if (rows[i].type == OPTION_STRING) {
			*(char **)((char *)target + rows[i].offset) = NULL;
			continue;
		}
		if (option_parse(&rows[i], def, &value, NULL)) /* the first name of an enumeration */
			value = (struct option_value){0};
		if (option_store(&rows[i], target, &value, NULL))
			continue; /* only strings can fail */
	}
}

bool option_same(const struct option *option, const char *a, const char *b)
{
	struct option_value x, y;
	char *first, *second;
	bool same;

	if (!a || !b || option_parse(option, a, &x, NULL) || option_parse(option, b, &y, NULL))
		return false;
	if (option->type != OPTION_STRING)
		return x.integer == y.integer && (float)x.number == (float)y.number;
	if (!(option->flags & OPTION_PATH))
		return strcmp(x.text, y.text) == 0;
	first = copy_path(x.text);
	second = copy_path(y.text);
	same = first && second && strcmp(first, second) == 0;
	free(first);
	free(second);
	return same;
}

/* What is in the struct. */
static struct option_value load(const struct option *option, const void *target)
{
	const void *field = (const char *)target + option->offset;
	struct option_value value = {0};

	switch (option->type) {
	case OPTION_BOOL: value.integer = *(const bool *)field; break;
	case OPTION_INT: value.integer = *(const int32_t *)field; break;
	case OPTION_ENUM: value.integer = *(const int *)field; break;
	case OPTION_INT64: value.integer = *(const int64_t *)field; break;
	case OPTION_FLOAT: value.number = (double)*(const float *)field; break;
	case OPTION_STRING: value.text = *(char *const *)field; break;
	}
	return value;
}

enum status option_print(const struct option *option, const void *target, struct buf *out)
{
	const struct option_value value = load(option, target);
	char text[NUMBER_TEXT_MAX];

	switch (option->type) {
	case OPTION_BOOL:
		return buf_puts(out, value.integer ? "yes" : "no");
	case OPTION_INT:
	case OPTION_INT64:
		return buf_printf(out, "%lld", (long long)value.integer);
	case OPTION_ENUM:
		return buf_puts(out, option->values[value.integer]);
	case OPTION_FLOAT:
		return buf_puts(out, number_format_float((float)value.number, text));
	case OPTION_STRING:
		break;
	}
	return value.text ? buf_puts(out, value.text) : buf_status(out);
}

enum status option_put_words(const struct option *rows, size_t n, unsigned flags, const void *target,
                             const void *before, struct buf *out)
{
	struct buf word = {.max = LIMIT_MESSAGE};
	struct buf old = {.max = LIMIT_MESSAGE};

	for (size_t i = 0; i < n && !buf_status(out); i++) {
		if (!(rows[i].flags & flags))
			continue;
		buf_clear(&word);
		buf_clear(&old);
		buf_printf(&word, "%s=", rows[i].name);
		buf_printf(&old, "%s=", rows[i].name);
		option_print(&rows[i], target, &word);
		if (before)
			option_print(&rows[i], before, &old);
		if (!before || strcmp(buf_text(&word), buf_text(&old)) != 0)
			words_put(out, buf_text(&word), word.len);
	}
	buf_free(&word);
	buf_free(&old);
	return buf_status(out);
}

enum status option_take_words(const struct option *rows, size_t n, void *target, const char *words,
                              size_t len, struct error *err)
{
	enum status status = STATUS_OK;
	bool found = true;
	struct buf word = {.max = LIMIT_MESSAGE};

	while (!status && !words_next(&words, &len, &word, &found, NULL) && found) {
		char *equals = word.len ? memchr(word.data, '=', word.len) : NULL;
		const struct option *row;
		struct option_value value;

		if (!equals)
			continue;
		*equals = '\0';
		row = option_find(rows, n, buf_text(&word));
		if (row && !option_parse(row, equals + 1, &value, NULL))
			status = option_store(row, target, &value, err);
	}
	buf_free(&word);
	return status;
}

double option_number(const struct option *option, const void *target)
{
	struct option_value value = load(option, target);
	char text[NUMBER_TEXT_MAX];

	if (option->type != OPTION_FLOAT)
		return (double)value.integer;
	/* 0.8f as 0.8, so that steps of a slider land on round numbers. */
	number_parse_double(number_format_float((float)value.number, text), &value.number);
	return value.number;
}
