/* strftime_now: dates as glibc's strftime in the C locale, and Python's
 * datetime, write them. */
#include "jinja/builtins.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/sys.h"
#include "jinja/methods.h"

/* %5d %-d %_d %^a: how a field is padded and written. */
struct style {
	char pad;   /* '0', '_', '-'; 0: as is usual for it */
	bool upper, swap;
	int64_t width; /* 0: as is usual */
};

struct clock {
	struct render *render;
	struct text *out;
	struct tm tm;
	int64_t seconds;
};

static const char *const days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                   "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"January",   "February", "March",    "April",
                                     "May",       "June",     "July",     "August",
                                     "September", "October",  "November", "December"};

/* ---- fields ---- */

static void put_padding(struct clock *clock, bool zeros, size_t len, size_t width)
{
	if (width > len)
		text_fill(clock->out, zeros ? "0" : " ", 1, SOURCE_TEMPLATE, width - len);
}

static void put_name(struct clock *clock, const char *name, size_t len, const struct style *style)
{
	put_padding(clock, style->pad == '0', len, (size_t)style->width);
	for (size_t i = 0; i < len; i++) {
		char c = name[i];

		if (style->upper && c >= 'a' && c <= 'z')
			c = (char)(c - 'a' + 'A');
		text_append(clock->out, &c, 1, SOURCE_TEMPLATE);
	}
}

/* A number of at least so many digits, filled with `pad` where the style does
 * not say otherwise. */
static void put_number(struct clock *clock, int64_t n, size_t digits, char pad,
                       const struct style *style)
{
	char text[24];
	size_t len, width = (size_t)style->width;

	if (style->pad)
		pad = style->pad;
	if (pad != '-' && width < digits)
		width = digits;
	snprintf(text, sizeof text, "%lld", (long long)(n < 0 ? -n : n));
	len = strlen(text) + (n < 0);
	if (pad != '0')
		put_padding(clock, false, len, width);
	if (n < 0)
		text_puts(clock->out, "-");
	if (pad == '0')
		put_padding(clock, true, len, width);
	text_puts(clock->out, text);
}

/* ---- weeks ---- */

static bool is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The days from the Monday of a year's first week (ISO 8601) to a day of that
 * year; negative: it is in the last week of the year before. */
static int iso_days(int yday, int wday)
{
	int monday = (wday + 6) % 7; /* days since Monday */
	int first = ((yday - monday) % 7 + 7) % 7; /* the year's first Monday, 0 to 6 */

	/* A week belongs to the year that has its Thursday. */
	return yday - (first > 3 ? first - 7 : first);
}

/* %G and %V */
static void iso_week(const struct tm *tm, int64_t *year, int *week)
{
	int length, n = iso_days(tm->tm_yday, tm->tm_wday);

	*year = (int64_t)tm->tm_year + 1900;
	if (n < 0) {
		--*year;
		length = is_leap(*year) ? 366 : 365;
		n = iso_days(tm->tm_yday + length, tm->tm_wday);
	} else {
		length = is_leap(*year) ? 366 : 365;
		if (iso_days(tm->tm_yday - length, tm->tm_wday) >= 0) {
			n = iso_days(tm->tm_yday - length, tm->tm_wday);
			++*year;
		}
	}
	*week = n / 7 + 1;
}

/* ---- conversions ---- */

static int hour12(const struct tm *tm)
{
	return tm->tm_hour % 12 ? tm->tm_hour % 12 : 12;
}

static int64_t last_two(int64_t year)
{
	return (year % 100 + 100) % 100;
}

/* Those that are numbers, with how many digits they have and what fills them. */
static const struct numeric {
	char type;
	size_t digits;
	char pad;
} numerics[] = {
	{'C', 1, '0'}, {'G', 1, '0'}, {'H', 2, '0'}, {'I', 2, '0'}, {'M', 2, '0'}, {'S', 2, '0'},
	{'U', 2, '0'}, {'V', 2, '0'}, {'W', 2, '0'}, {'Y', 1, '0'}, {'d', 2, '0'}, {'e', 2, '_'},
	{'g', 2, '0'}, {'j', 3, '0'}, {'k', 2, '_'}, {'l', 2, '_'}, {'m', 2, '0'}, {'s', 1, '_'},
	{'u', 1, '0'}, {'w', 1, '0'}, {'y', 2, '0'},
};

static int64_t number_of(const struct clock *clock, char type)
{
	const struct tm *tm = &clock->tm;
	int64_t year = (int64_t)tm->tm_year + 1900, iso_year;
	int week;

	iso_week(tm, &iso_year, &week);
	switch (type) {
	case 'C':
		return year / 100;
	case 'G':
		return iso_year;
	case 'H':
	case 'k':
		return tm->tm_hour;
	case 'I':
	case 'l':
		return hour12(tm);
	case 'M':
		return tm->tm_min;
	case 'S':
		return tm->tm_sec;
	case 'U':
		return (tm->tm_yday - tm->tm_wday + 7) / 7;
	case 'V':
		return week;
	case 'W':
		return (tm->tm_yday - (tm->tm_wday + 6) % 7 + 7) / 7;
	case 'Y':
		return year;
	case 'd':
	case 'e':
		return tm->tm_mday;
	case 'g':
		return last_two(iso_year);
	case 'j':
		return tm->tm_yday + 1;
	case 'm':
		return tm->tm_mon + 1;
	case 's':
		return clock->seconds;
	case 'u':
		return tm->tm_wday ? tm->tm_wday : 7;
	case 'w':
		return tm->tm_wday;
	default: /* 'y' */
		return last_two(year);
	}
}

static bool put_numeric(struct clock *clock, char type, const struct style *style)
{
	for (size_t i = 0; i < sizeof numerics / sizeof *numerics; i++)
		if (numerics[i].type == type) {
			put_number(clock, number_of(clock, type), numerics[i].digits,
			           numerics[i].pad, style);
			return true;
		}
	return false;
}

static bool put_text(struct clock *clock, char type, struct style style)
{
	const struct tm *tm = &clock->tm;
	bool morning = tm->tm_hour < 12;
	const char *name;

	switch (type) {
	case 'A':
	case 'a':
		name = days[tm->tm_wday];
		style.upper |= style.swap;
		put_name(clock, name, type == 'a' ? 3 : strlen(name), &style);
		return true;
	case 'B':
	case 'b':
	case 'h':
		name = months[tm->tm_mon];
		style.upper |= style.swap;
		put_name(clock, name, type == 'B' ? strlen(name) : 3, &style);
		return true;
	case 'P':
	case 'p':
		style.upper = type == 'p' && !style.swap;
		put_name(clock, morning ? "am" : "pm", 2, &style);
		return true;
	case 'n':
	case 't':
	case '%':
		put_name(clock, type == 'n' ? "\n" : type == 't' ? "\t" : "%", 1, &style);
		return true;
	case 'Z':
	case 'z':
		/* datetime.now() of Python has no time zone. */
		return true;
	default:
		return false;
	}
}

/* Those that stand for several others. */
static const char *composed(char type)
{
	static const struct {
		char type;
		const char *format;
	} rows[] = {
		{'D', "%m/%d/%y"},  {'F', "%Y-%m-%d"},
		{'R', "%H:%M"},     {'T', "%H:%M:%S"},
		{'X', "%H:%M:%S"},  {'c', "%a %b %e %H:%M:%S %Y"},
		{'r', "%I:%M:%S %p"}, {'x', "%m/%d/%y"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].type == type)
			return rows[i].format;
	return NULL;
}

static void put_composed(struct clock *clock, const char *format, const struct style *style)
{
	struct style inner = {.upper = style->upper};
	struct clock part = *clock;
	struct text text;

	text_begin(clock->render, &text);
	part.out = &text;
	for (; *format; format++) {
		if (*format != '%')
			text_append(&text, format, 1, SOURCE_TEMPLATE);
		else if (!put_numeric(&part, *++format, &inner))
			put_text(&part, *format, inner);
	}
	put_padding(clock, style->pad == '0', text.len, (size_t)style->width);
	text_append(clock->out, text.data, text.len, SOURCE_TEMPLATE);
}

/* ---- formats ---- */

static char byte_at(const struct string *string, size_t at)
{
	return at < string->len ? string->data[at] : '\0';
}

/* The flags, width and modifier from `at` on, behind the '%'; returns the place
 * of the type. */
static size_t read_style(const struct string *format, size_t at, struct style *style,
                         char *modifier)
{
	char c;

	*style = (struct style){0};
	*modifier = '\0';
	for (; (c = byte_at(format, at)) && strchr("_-0^#", c); at++) {
		if (c == '^')
			style->upper = true;
		else if (c == '#')
			style->swap = true;
		else
			style->pad = c;
	}
	for (; (c = byte_at(format, at)) >= '0' && c <= '9'; at++)
		if (style->width < INT32_MAX)
			style->width = style->width * 10 + c - '0';
	if (c == 'E' || c == 'O')
		*modifier = byte_at(format, at++);
	return at;
}

static bool modifier_fits(char modifier, char type)
{
	return !modifier ||
	       strchr(modifier == 'E' ? "cCnpPrRstTuxXyYzZ%"
	                              : "bBCdegGhHIjklmMnpPrRsStTuUVwWyzZ%",
	              type);
}

static bool put_conversion(struct clock *clock, char type, const struct style *style)
{
	const char *format = composed(type);

	if (!format)
		return put_numeric(clock, type, style) || put_text(clock, type, *style);
	put_composed(clock, format, style);
	return true;
}

/* A conversion, whose '%' is at *at; then where it ends. What is none stays as
 * it is. */
static enum status put_at(struct clock *clock, const struct string *format, size_t *at)
{
	struct style style;
	char modifier;
	size_t from = *at, len = 0, end = read_style(format, from + 1, &style, &modifier);
	enum status status = check_width(clock->render, (uint64_t)style.width);
	char type = byte_at(format, end);

	if (status)
		return status;
	if (type == 'f' && end == from + 1) { /* of datetime.strftime, which knows no flags */
		text_puts(clock->out, "000000");
		len = 1;
	} else if (type && modifier_fits(modifier, type) && put_conversion(clock, type, &style)) {
		len = 1;
	} else {
		if (end < format->len)
			string_char(format, end, &len);
		put_padding(clock, style.pad == '0',
		            string_char_index(format, end + len) - string_char_index(format, from),
		            (size_t)style.width);
		text_append_part(clock->out, format, from, end + len);
	}
	*at = end + len;
	return STATUS_OK;
}

/* now in UTC where it is given, else the local time. */
static void read_clock(struct clock *clock)
{
	const struct jinja_options *options = clock->render->options;
	bool fixed = options && options->has_now;
	time_t now;

	clock->seconds = fixed ? options->now : sys_wall_time();
	now = (time_t)clock->seconds;
	if (!(fixed ? gmtime_r(&now, &clock->tm) : localtime_r(&now, &clock->tm)))
		clock->tm = (struct tm){.tm_year = 70, .tm_mday = 1, .tm_wday = 4};
}

enum status time_text(struct render *render, const struct string *format, struct value *out)
{
	struct text text;
	struct clock clock = {.render = render, .out = &text};
	enum status status = render_bytes(render, format->len);

	text_begin(render, &text);
	read_clock(&clock);
	for (size_t at = 0, from; !status && at < format->len;) {
		from = at;
		while (at < format->len && format->data[at] != '%')
			at++;
		text_append_part(&text, format, from, at);
		if (at < format->len)
			status = put_at(&clock, format, &at);
	}
	return status ? status : give_text(render, &text, out);
}
