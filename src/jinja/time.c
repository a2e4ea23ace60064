/* strftime_now: the C library's strftime, in the C locale whatever the program's own is, with what
 * Python does to a time that has no zone: its name and offset are empty, and %f are microseconds. */
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/sys.h"
#include "jinja/builtins.h"

enum { CONVERSION_MAX = 16, FIELD_MAX = 128 };

/* now in UTC where it is given, else the local time. */
static void read_clock(const struct jinja_options *options, struct tm *tm, uint32_t *us)
{
	bool fixed = options && options->has_now;
	int64_t wall = fixed ? 0 : sys_wall_time_us();
	time_t now = (time_t)(fixed ? options->now : wall / 1000000);

	*us = (fixed ? options->now_us : (uint32_t)(wall % 1000000)) % 1000000;
	if (!(fixed ? gmtime_r(&now, tm) : localtime_r(&now, tm)))
		*tm = (struct tm){.tm_year = 70, .tm_mday = 1, .tm_wday = 4};
}

static size_t skip(const struct jinja_string *format, size_t at, const char *set)
{
	while (at < format->len && format->data[at] && strchr(set, format->data[at]))
		at++;
	return at;
}

/* Past the conversion that begins at `at`: '%', flags, a width, a modifier, a letter. */
static size_t conversion_end(const struct jinja_string *format, size_t at)
{
	size_t len = 0;

	at = skip(format, skip(format, at + 1, "-_0^#+:"), "0123456789");
	if (at < format->len && (format->data[at] == 'E' || format->data[at] == 'O'))
		at++;
	string_char(format, at, &len);
	return at + len;
}

static void put_conversion(struct text *out, const struct jinja_string *format, size_t from,
                           size_t to, const struct tm *tm, uint32_t us, locale_t locale)
{
	char conversion[CONVERSION_MAX], field[FIELD_MAX];
	size_t len = to - from;

	if (len >= sizeof conversion) {
		text_append_part(out, format, from, to);
		return;
	}
	memcpy(conversion, format->data + from, len);
	conversion[len] = '\0';
	if (conversion[len - 1] == 'z' || conversion[len - 1] == 'Z')
		return;
	if (strcmp(conversion, "%f") == 0) {
		snprintf(field, sizeof field, "%06" PRIu32, us);
		text_append(out, field, 6, SOURCE_TEMPLATE);
		return;
	}
	text_append(out, field, strftime_l(field, sizeof field, conversion, tm, locale),
	            SOURCE_TEMPLATE);
}

enum status time_text(struct render *render, const struct jinja_string *format,
                      struct jinja_value *out)
{
	locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	enum status status = render_bytes(render, format->len);
	struct text text;
	struct tm tm;
	uint32_t us;

	if (!locale)
		return render_no_memory(render);
	text_begin(render, &text);
	read_clock(render->options, &tm, &us);
	for (size_t at = 0, from; !status && at < format->len;) {
		from = at;
		while (at < format->len && format->data[at] != '%')
			at++;
		text_append_part(&text, format, from, at);
		if (at == format->len)
			break;
		from = at;
		at = conversion_end(format, from);
		put_conversion(&text, format, from, at, &tm, us, locale);
		status = render_step(render, 1);
	}
	freelocale(locale);
	return status ? status : give_text(render, &text, out);
}
