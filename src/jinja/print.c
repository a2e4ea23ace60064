/* str() and repr(). */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jinja/builtins.h"
#include "jinja/casing.h"

/* ---- floats ---- */

/* DIGITS_SURE digits are never too many except for trailing zeros and subnormal numbers; no
 * double needs more than DIGITS_ENOUGH. */
enum { DIGITS_SURE = 15, DIGITS_ENOUGH = 17, SCIENTIFIC_MAX = 40 };

/* Python writes exponents from 1e16 on and below 1e-4. */
enum { POINT_MIN = -4, POINT_MAX = 16 };

/* 0.d1d2d3... times 10^point */
struct decimal {
	char digits[DIGITS_ENOUGH + 1];
	int n, point;
};

/* Below a power of two, doubles are closer together: the nearest decimal may read as the
 * double below, while the next decimal up still reads as this one. */
static void round_up(char *text)
{
	char *last = strchr(text, 'e') - 1;

	while (*last == '9' && last > text)
		*last-- = '0';
	if (isdigit((unsigned char)*last) && *last != '9')
		++*last;
}

static bool reads_back(char *text, double f)
{
	int exponent;

	if (strtod(text, NULL) == f)
		return true;
	if (!isnormal(f) || frexp(f, &exponent) != 0.5)
		return false;
	round_up(text);
	return strtod(text, NULL) == f;
}

/* The least digits that read back as f, which is positive and finite. The
 * locale may have any decimal point, so digits alone are looked at. */
static struct decimal shortest(double f)
{
	char text[SCIENTIFIC_MAX];
	struct decimal decimal = {.n = 0};
	const char *at;

	for (int n = isnormal(f) ? DIGITS_SURE : 1; n <= DIGITS_ENOUGH; n++) {
		snprintf(text, sizeof text, "%.*e", n - 1, f);
		if (reads_back(text, f))
			break;
	}
	for (at = text; *at != 'e'; at++) {
		if (isdigit((unsigned char)*at) && decimal.n < DIGITS_ENOUGH)
			decimal.digits[decimal.n++] = *at;
	}
	decimal.point = (int)strtol(at + 1, NULL, 10) + 1;
	while (decimal.n > 1 && decimal.digits[decimal.n - 1] == '0')
		decimal.n--;
	decimal.digits[decimal.n] = '\0';
	return decimal;
}

static int write_scientific(const struct decimal *decimal, char *out, size_t size)
{
	int exponent = decimal->point - 1;

	return snprintf(out, size, "%c%s%se%c%02d", decimal->digits[0], decimal->n > 1 ? "." : "",
	                decimal->digits + 1, exponent < 0 ? '-' : '+', abs(exponent));
}

static int write_plain(const struct decimal *decimal, char *out, size_t size)
{
	static const char zeros[] = "0000000000000000";
	int missing = decimal->point - decimal->n;

	if (decimal->point <= 0)
		return snprintf(out, size, "0.%.*s%s", -decimal->point, zeros, decimal->digits);
	if (missing >= 0)
		return snprintf(out, size, "%s%.*s.0", decimal->digits, missing, zeros);
	return snprintf(out, size, "%.*s.%s", decimal->point, decimal->digits,
	                decimal->digits + decimal->point);
}

size_t float_text(double f, char out[FLOAT_TEXT_MAX])
{
	const char *sign = signbit(f) && !isnan(f) ? "-" : "";
	size_t n = strlen(sign);
	struct decimal decimal;
	int written;

	if (isnan(f) || isinf(f) || f == 0)
		return (size_t)snprintf(out, FLOAT_TEXT_MAX, "%s%s", sign,
		                        isnan(f) ? "nan" : isinf(f) ? "inf" : "0.0");
	decimal = shortest(fabs(f));
	memcpy(out, sign, n);
	if (decimal.point > POINT_MAX || decimal.point <= POINT_MIN)
		written = write_scientific(&decimal, out + n, FLOAT_TEXT_MAX - n);
	else
		written = write_plain(&decimal, out + n, FLOAT_TEXT_MAX - n);
	return n + (size_t)written;
}

/* ---- texts and containers under way ---- */

enum { NUMBER_MAX = 32 };

void render_text(struct render *render, const struct text *text)
{
	if (text->status && text->arena->status == STATUS_NOMEM)
		render_no_memory(render);
	else if (text->status)
		render_limit(render, text->arena->status ? "memory" : "output");
}

bool is_being_printed(const struct render *render, const void *container)
{
	for (unsigned i = 0; i < render->n_printing; i++) {
		if (render->printing[i] == container)
			return true;
	}
	return false;
}

bool printing_begin(struct render *render, const void *container)
{
	if (render->n_printing == LIMIT_JINJA_NESTING)
		render_limit(render, "lists in lists");
	else
		render->printing[render->n_printing++] = container;
	return !render->failed;
}

void printing_end(struct render *render)
{
	render->n_printing--;
}

/* ---- strings ---- */

static char quote_for(const struct jinja_string *string)
{
	bool has_single = memchr(string->data, '\'', string->len);
	bool has_double = memchr(string->data, '"', string->len);

	return has_single && !has_double ? '"' : '\'';
}

void text_append_escaped(struct render *render, struct text *text,
                         const struct jinja_string *string, escape_function *escape, int how)
{
	char escaped[ESCAPE_MAX];
	size_t done = 0, len, n;

	for (size_t at = 0; at < string->len && !render->failed; at += len) {
		n = escape(string_char(string, at, &len), how, escaped);
		if (!n)
			continue;
		render_step(render, 1);
		text_append_part(text, string, done, at);
		text_append(text, escaped, n, string_source_at(string, at));
		done = at + len;
	}
	text_append_part(text, string, done, string->len);
}

/* In quotes of this kind. */
static size_t escape_quoted(uint32_t cp, int quote, char out[ESCAPE_MAX])
{
	static const char plain[] = "\\\n\r\t", letters[] = "\\nrt";
	const char *found = cp && cp < 0x80 ? strchr(plain, (int)cp) : NULL;
	int n = 0;

	if (found || cp == (uint32_t)quote)
		return (size_t)snprintf(out, ESCAPE_MAX, "\\%c",
		                        found ? letters[found - plain] : quote);
	if (char_is_printable(cp))
		return 0;
	if (cp < 0x100)
		n = snprintf(out, ESCAPE_MAX, "\\x%02x", (unsigned)cp);
	else if (cp < 0x10000)
		n = snprintf(out, ESCAPE_MAX, "\\u%04x", (unsigned)cp);
	else
		n = snprintf(out, ESCAPE_MAX, "\\U%08x", (unsigned)cp);
	return (size_t)n;
}

static void repr_string(struct render *render, struct text *out, const struct jinja_string *string)
{
	char quote = quote_for(string);

	render_bytes(render, string->len);
	if (string->safe)
		text_puts(out, "Markup(");
	text_append(out, &quote, 1, SOURCE_TEMPLATE);
	text_append_escaped(render, out, string, escape_quoted, quote);
	text_append(out, &quote, 1, SOURCE_TEMPLATE);
	if (string->safe)
		text_puts(out, ")");
}

/* ---- containers ---- */

/* What stands around the items of a list. */
struct brackets {
	const char *open, *close;
};

static struct brackets list_brackets(const struct jinja_list *list)
{
	switch (list->kind) {
	case LIST_TUPLE:
		return (struct brackets){"(", list->n == 1 ? ",)" : ")"};
	case LIST_KEYS:
		return (struct brackets){"dict_keys([", "])"};
	case LIST_VALUES:
		return (struct brackets){"dict_values([", "])"};
	case LIST_ITEMS:
		return (struct brackets){"dict_items([", "])"};
	default:
		return (struct brackets){"[", "]"};
	}
}

static bool list_is_view(const struct jinja_list *list)
{
	return list->kind == LIST_KEYS || list->kind == LIST_VALUES || list->kind == LIST_ITEMS;
}

static void repr_list(struct render *render, struct text *out, const struct jinja_list *list)
{
	bool within = is_being_printed(render, list);
	struct brackets around = list_brackets(list);

	if (list->kind == LIST_ITERATOR || (within && list_is_view(list))) {
		text_puts(out, within ? "..." : "<generator object>");
		return;
	}
	text_puts(out, around.open);
	if (within) {
		text_puts(out, "...");
	} else if (printing_begin(render, list)) {
		for (size_t i = 0; i < list->n && !render->failed; i++) {
			text_puts(out, i ? ", " : "");
			value_repr(render, out, list->items[i]);
		}
		printing_end(render);
	}
	text_puts(out, around.close);
}

static void repr_dict(struct render *render, struct text *out, const struct jinja_dict *dict)
{
	text_puts(out, "{");
	if (is_being_printed(render, dict)) {
		text_puts(out, "...");
	} else if (printing_begin(render, dict)) {
		for (size_t i = 0; i < dict->n && !render->failed; i++) {
			text_puts(out, i ? ", " : "");
			value_repr(render, out, dict->entries[i].key);
			text_puts(out, ": ");
			value_repr(render, out, dict->entries[i].value);
		}
		printing_end(render);
	}
	text_puts(out, "}");
}

/* ---- the rest ---- */

static void print_int(struct text *out, int64_t i)
{
	char digits[NUMBER_MAX];

	snprintf(digits, sizeof digits, "%" PRId64, i);
	text_puts(out, digits);
}

static void repr_range(struct text *out, const struct jinja_range *range)
{
	text_puts(out, "range(");
	print_int(out, range->start);
	text_puts(out, ", ");
	print_int(out, range->stop);
	if (range->step != 1) {
		text_puts(out, ", ");
		print_int(out, range->step);
	}
	text_puts(out, ")");
}

static void repr_object(struct text *out, const struct jinja_object *object)
{
	text_puts(out, "<");
	text_puts(out, object->ops->type_name);
	text_puts(out, " object>");
}

void value_repr(struct render *render, struct text *out, struct jinja_value value)
{
	char digits[FLOAT_TEXT_MAX];

	if (!render_step(render, 1))
		return;
	switch (value.kind) {
	case VALUE_UNDEFINED:
		text_puts(out, "Undefined");
		break;
	case VALUE_NONE:
		text_puts(out, "None");
		break;
	case VALUE_BOOL:
		text_puts(out, value.u.boolean ? "True" : "False");
		break;
	case VALUE_INT:
		print_int(out, value.u.integer);
		break;
	case VALUE_FLOAT:
		text_append(out, digits, float_text(value.u.number, digits), SOURCE_TEMPLATE);
		break;
	case VALUE_LONG:
		text_append_string(out, value.u.string);
		break;
	case VALUE_STRING:
		repr_string(render, out, value.u.string);
		break;
	case VALUE_LIST:
		repr_list(render, out, value.u.list);
		break;
	case VALUE_DICT:
		repr_dict(render, out, value.u.dict);
		break;
	case VALUE_RANGE:
		repr_range(out, value.u.range);
		break;
	case VALUE_OBJECT:
		repr_object(out, value.u.object);
		break;
	}
	render_text(render, out);
}

void value_print(struct render *render, struct text *out, struct jinja_value value)
{
	if (value.kind == VALUE_UNDEFINED) {
		render_step(render, 1);
	} else if (value.kind != VALUE_STRING) {
		value_repr(render, out, value);
	} else if (render_bytes(render, value.u.string->len)) {
		text_append_string(out, value.u.string);
		render_text(render, out);
	}
}

const struct jinja_string *value_to_string(struct render *render, struct jinja_value value)
{
	struct text text;

	if (value.kind == VALUE_STRING)
		return value.u.string;
	text_init(&text, render->arena, SIZE_MAX - 1);
	value_print(render, &text, value);
	return give_text(render, &text).u.string;
}
