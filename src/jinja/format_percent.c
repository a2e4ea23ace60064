/* "%s has %d of %(name)s" % values, as Python's str.__mod__. */
#include "jinja/format.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

enum { NOT_GIVEN = -1, NUMBER_ROOM = 400 };

struct percent {
	struct render *render;
	const struct string *format;
	size_t at;
	struct text text;
	struct value all;          /* what stands behind the % */
	const struct value *items; /* those not yet used */
	size_t n;
};

/* One %... */
struct conversion {
	size_t start; /* where its '%' is */
	bool left, plus, blank, alt, zero;
	int64_t width, precision;
	uint32_t type;
};

/* What Python takes for a mapping here, for it can be subscripted: an argument
 * of such a kind need not be used. */
static bool is_mapping(struct value value)
{
	return value.kind == VALUE_DICT || value.kind == VALUE_UNDEFINED ||
	       value.kind == VALUE_RANGE ||
	       (value.kind == VALUE_LIST && value.u.list->kind == LIST_LIST);
}

/* ---- reading a conversion ---- */

static enum status next_argument(struct percent *percent, struct value *out)
{
	if (!percent->n)
		return render_fail(percent->render, "not enough arguments for format string");
	percent->n--;
	*out = *percent->items++;
	return STATUS_OK;
}

static char peek(const struct percent *percent)
{
	/* A NUL in the text is no part of a conversion either. */
	return percent->at < percent->format->len ? percent->format->data[percent->at] : '\0';
}

static enum status fail_incomplete(struct percent *percent)
{
	return render_fail(percent->render, "incomplete format");
}

/* %(name): the only argument from here on is what the mapping has there. */
static enum status read_key(struct percent *percent, struct value *place)
{
	struct render *render = percent->render;
	const struct string *key, *shown;
	const struct value *found;
	size_t from = percent->at + 1, open = 1;
	enum status status;

	if (!is_mapping(percent->all))
		return render_fail(render, "format requires a mapping");
	for (percent->at++; open && percent->at < percent->format->len; percent->at++)
		open += (peek(percent) == '(') - (size_t)(peek(percent) == ')');
	if (open)
		return render_fail(render, "incomplete format key");
	key = string_part(render->arena, percent->format, from, percent->at - 1);
	if (!key)
		return render_no_memory(render);
	if (percent->all.kind == VALUE_UNDEFINED)
		return undefined_fail(render, percent->all);
	if (percent->all.kind != VALUE_DICT)
		return render_fail(render, "%s indices must be integers or slices, not str",
		                   value_type_name(percent->all));
	found = dict_find(percent->all.u.dict, value_from_string(key));
	if (!found) {
		status = format_converted(render, value_from_string(key), 'r', &shown);
		return status ? status : render_fail(render, "%s", shown->data);
	}
	*place = *found;
	percent->items = place;
	percent->n = 1;
	return render_step(render, 1);
}

/* A number, or * for the next argument; not given: as it was. */
static enum status read_number(struct percent *percent, const char *what, int64_t *out)
{
	struct value value;
	enum status status;

	if (peek(percent) == '*') {
		percent->at++;
		status = next_argument(percent, &value);
		if (!status && !value_is_int(value))
			return render_fail(percent->render, "* wants int");
		return status ? status : arg_int(percent->render, value, out);
	}
	if (peek(percent) < '0' || peek(percent) > '9')
		return STATUS_OK;
	for (*out = 0; peek(percent) >= '0' && peek(percent) <= '9'; percent->at++)
		if (__builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, peek(percent) - '0', out))
			return render_fail(percent->render, "%s too big", what);
	return STATUS_OK;
}

static void read_flags(struct percent *percent, struct conversion *conversion)
{
	for (;; percent->at++) {
		switch (peek(percent)) {
		case '-':
			conversion->left = true;
			break;
		case '+':
			conversion->plus = true;
			break;
		case ' ':
			conversion->blank = true;
			break;
		case '#':
			conversion->alt = true;
			break;
		case '0':
			conversion->zero = true;
			break;
		default:
			return;
		}
	}
}

/* What stands between the '%' and what the type needs; `place` holds the
 * argument that a key has named. */
static enum status read_conversion(struct percent *percent, struct conversion *conversion,
                                   struct value *place)
{
	size_t len;
	enum status status = STATUS_OK;

	*conversion = (struct conversion){.start = percent->at++, .precision = NOT_GIVEN};
	if (peek(percent) == '(')
		status = read_key(percent, place);
	if (status)
		return status;
	read_flags(percent, conversion);
	if ((status = read_number(percent, "width", &conversion->width)))
		return status;
	if (conversion->width < 0) {
		conversion->left = true;
		conversion->width = conversion->width == INT64_MIN ? INT64_MAX : -conversion->width;
	}
	if (peek(percent) == '.') {
		percent->at++;
		conversion->precision = 0;
		if ((status = read_number(percent, "precision", &conversion->precision)))
			return status;
		if (conversion->precision < 0)
			conversion->precision = 0;
	}
	if (peek(percent) && strchr("hlL", peek(percent)))
		percent->at++;
	if (percent->at >= percent->format->len)
		return fail_incomplete(percent);
	conversion->type = string_char(percent->format, percent->at, &len);
	percent->at += len;
	return STATUS_OK;
}

/* ---- writing ---- */

static void pad(struct percent *percent, const struct conversion *conversion, size_t n)
{
	text_fill(&percent->text, " ", 1, string_source_at(percent->format, conversion->start), n);
}

/* The padding in all, of something with so many characters. */
static enum status missing(struct percent *percent, const struct conversion *conversion, size_t n,
                           size_t *out)
{
	uint64_t width = (uint64_t)conversion->width;
	enum status status = check_width(percent->render, width);

	*out = !status && width > n ? (size_t)width - n : 0;
	return status;
}

static enum status put_string(struct percent *percent, const struct conversion *conversion,
                              const struct string *string)
{
	size_t n = string->n_chars, padding;
	enum status status;

	if (conversion->precision != NOT_GIVEN && (uint64_t)conversion->precision < n)
		n = (size_t)conversion->precision;
	if ((status = missing(percent, conversion, n, &padding)))
		return status;
	if (!conversion->left)
		pad(percent, conversion, padding);
	text_append_part(&percent->text, string, 0, string_offset(string, n));
	if (conversion->left)
		pad(percent, conversion, padding);
	return render_bytes(percent->render, string->len);
}

/* A number: blanks, its sign, a prefix, zeros, digits. */
static enum status put_number(struct percent *percent, const struct conversion *conversion,
                              bool negative, const char *prefix, size_t zeros, const char *digits)
{
	const char *sign = negative            ? "-"
	                   : conversion->plus  ? "+"
	                   : conversion->blank ? " "
	                                       : "";
	size_t n = strlen(sign) + strlen(prefix) + zeros + strlen(digits), padding;
	bool fill = conversion->zero && !conversion->left;
	enum status status = missing(percent, conversion, n, &padding);

	if (status)
		return status;
	if (!conversion->left && !fill)
		pad(percent, conversion, padding);
	text_puts(&percent->text, sign);
	text_puts(&percent->text, prefix);
	text_fill(&percent->text, "0", 1, SOURCE_TEMPLATE, fill ? zeros + padding : zeros);
	text_puts(&percent->text, digits);
	if (conversion->left)
		pad(percent, conversion, padding);
	return render_bytes(percent->render, n);
}

/* The magnitude's digits in a base, at least as many as the precision says. */
static enum status put_digits(struct percent *percent, const struct conversion *conversion,
                              bool negative, const char *prefix, const char *digits)
{
	size_t n = strlen(digits);
	uint64_t wanted = conversion->precision == NOT_GIVEN ? 0 : (uint64_t)conversion->precision;
	enum status status = check_width(percent->render, wanted);

	if (status)
		return status;
	return put_number(percent, conversion, negative, conversion->alt ? prefix : "",
	                  wanted > n ? (size_t)wanted - n : 0, digits);
}

static enum status fail_number(struct percent *percent, const struct conversion *conversion,
                               const char *wanted, struct value value)
{
	return render_fail(percent->render, "%%%c format: %s is required, not %s",
	                   (int)conversion->type, wanted, value_type_name(value));
}

/* %x %X %o */
static enum status put_based(struct percent *percent, const struct conversion *conversion,
                             struct value value)
{
	char digits[DIGITS_MAX];
	bool octal = conversion->type == 'o', upper = conversion->type == 'X';
	int64_t i;

	if (!value_is_int(value))
		return fail_number(percent, conversion, "an integer", value);
	i = value_as_int(value);
	return put_digits(percent, conversion, i < 0, octal ? "0o" : upper ? "0X" : "0x",
	                  uint_digits(int_magnitude(i), octal ? 8 : 16, upper, digits));
}

/* %d %i %u: floats without what is behind the point. */
static enum status put_decimal(struct percent *percent, const struct conversion *conversion,
                               struct value value)
{
	char digits[NUMBER_ROOM];
	const char *text;
	int64_t i;
	enum status status;

	if (value.kind == VALUE_UNDEFINED)
		return undefined_fail(percent->render, value);
	if (!value_is_number(value))
		return fail_number(percent, conversion, "a real number", value);
	if (value.kind != VALUE_FLOAT) {
		i = value_as_int(value);
		return put_digits(percent, conversion, i < 0, "",
		                  uint_digits(int_magnitude(i), 10, false, digits));
	}
	if (isnan(value.u.number))
		return render_fail(percent->render, "cannot convert float NaN to integer");
	if (isinf(value.u.number))
		return render_fail(percent->render, "cannot convert float infinity to integer");
	status = float_format(percent->render, trunc(value.u.number), 'f', 0, 0, &text);
	if (status)
		return status;
	return put_digits(percent, conversion, value.u.number <= -1, "", text + (*text == '-'));
}

static enum status put_float(struct percent *percent, const struct conversion *conversion,
                             struct value value)
{
	uint64_t precision = conversion->precision == NOT_GIVEN ? 6
	                                                        : (uint64_t)conversion->precision;
	const char *text;
	double f;
	enum status status;

	if (value.kind == VALUE_UNDEFINED)
		return undefined_fail(percent->render, value);
	if (!value_is_number(value))
		return render_fail(percent->render, "must be real number, not %s",
		                   value_type_name(value));
	f = value.kind == VALUE_FLOAT ? value.u.number
	                               : (double)value_as_int(value);
	status = float_format(percent->render, f, (char)conversion->type, precision,
	                      conversion->alt ? FLOAT_ALT : 0, &text);
	if (status)
		return status;
	return put_number(percent, conversion, *text == '-', "", 0, text + (*text == '-'));
}

static enum status put_char(struct percent *percent, const struct conversion *conversion,
                            struct value value)
{
	struct conversion whole = *conversion;
	char bytes[UTF8_MAX];
	const struct string *string;
	uint32_t source;
	size_t len;
	enum status status;

	whole.precision = NOT_GIVEN;
	if (value.kind == VALUE_STRING && value.u.string->n_chars == 1)
		return put_string(percent, &whole, value.u.string);
	if (!value_is_int(value))
		return render_fail(percent->render, "%%c requires int or char");
	status = int_char(percent->render, value_as_int(value), bytes, &len);
	if (status)
		return status;
	/* Whoever wrote the '%' or the 'c' made a character of a number. */
	source = string_source_at(percent->format, conversion->start);
	if (source == SOURCE_TEMPLATE)
		source = string_source_at(percent->format, percent->at - 1);
	string = string_new(percent->render->arena, bytes, len, source);
	return string ? put_string(percent, &whole, string) : render_no_memory(percent->render);
}

static enum status put_converted(struct percent *percent, const struct conversion *conversion,
                                 struct value value)
{
	const struct string *string;
	enum status status =
		format_converted(percent->render, value, (char)conversion->type, &string);

	return status ? status : put_string(percent, conversion, string);
}

static enum status put(struct percent *percent, const struct conversion *conversion)
{
	static const struct {
		const char *types;
		enum status (*put)(struct percent *percent, const struct conversion *conversion,
		                   struct value value);
	} rows[] = {
		{"sra", put_converted}, {"diu", put_decimal}, {"oxX", put_based},
		{"eEfFgG", put_float},  {"c", put_char},
	};
	uint32_t type = conversion->type;
	struct value value;
	enum status status;

	if ((status = next_argument(percent, &value)))
		return status;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (type && type < 128 && strchr(rows[i].types, (int)type))
			return rows[i].put(percent, conversion, value);
	return render_fail(percent->render, "unsupported format character '%c' (0x%x) at index %zu",
	                   type >= 32 && type < 127 ? (int)type : '?', type,
	                   string_char_index(percent->format, percent->at) - 1);
}

static enum status put_all(struct percent *percent)
{
	const struct string *format = percent->format;
	struct conversion conversion;
	struct value place;
	enum status status = STATUS_OK;

	while (!status && percent->at < format->len) {
		const char *found =
			memchr(format->data + percent->at, '%', format->len - percent->at);
		size_t next = found ? (size_t)(found - format->data) : format->len;

		text_append_part(&percent->text, format, percent->at, next);
		percent->at = next;
		if (!found)
			break;
		if (next + 1 < format->len && found[1] == '%') {
			text_append_part(&percent->text, format, next, next + 1);
			percent->at += 2;
			continue;
		}
		if ((status = render_step(percent->render, 1)) ||
		    (status = read_conversion(percent, &conversion, &place)))
			return status;
		status = put(percent, &conversion);
	}
	return status;
}

enum status format_percent(struct render *render, const struct string *format, struct value args,
                           struct value *out)
{
	struct percent percent = {.render = render, .format = format, .all = args,
	                          .items = &args, .n = 1};
	enum status status = render_bytes(render, format->len);

	if (args.kind == VALUE_LIST && list_is_tuple(args.u.list)) {
		percent.items = args.u.list->items;
		percent.n = args.u.list->n;
	}
	text_begin(render, &percent.text);
	if (!status)
		status = put_all(&percent);
	if (status)
		return status;
	if (percent.n && !is_mapping(args))
		return render_fail(render,
		                   "not all arguments converted during string formatting");
	return give_text(render, &percent.text, out);
}
