/* The functions that every template has. */
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/limits.h"
#include "base/sys.h"
#include "jinja/builtins.h"

/* ---- the clock ----
 * The C library's strftime, in the C locale whatever the program's own is, with what Python does
 * to a time that has no zone: its name and offset are empty, and %f are microseconds. */

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

static struct jinja_value time_text(struct render *render, const struct jinja_string *format)
{
	locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	struct text text;
	struct tm tm;
	uint32_t us;

	if (!locale)
		return render_no_memory(render);
	render_bytes(render, format->len);
	text_begin(render, &text);
	read_clock(render->options, &tm, &us);
	for (size_t at = 0, from; at < format->len && !render->failed;) {
		from = at;
		while (at < format->len && format->data[at] != '%')
			at++;
		text_append_part(&text, format, from, at);
		if (at == format->len)
			break;
		from = at;
		at = conversion_end(format, from);
		put_conversion(&text, format, from, at, &tm, us, locale);
		render_step(render, 1);
	}
	freelocale(locale);
	return give_text(render, &text);
}

/* ---- range ---- */

static BUILTIN(global_range)
{
	int64_t start = 0, stop = arg_int(render, bound->args[0]), step = 1;
	struct jinja_value range;

	if (bound->given[1]) {
		start = stop;
		stop = arg_int(render, bound->args[1]);
	}
	if (bound->given[2])
		step = arg_int(render, bound->args[2]);
	if (step == 0)
		return render_fail(render, "range() arg 3 must not be zero");
	range = value_range(render->arena, start, stop, step);
	if (range.kind != VALUE_RANGE)
		return render_no_memory(render);
	if (range.u.range->n > LIMIT_JINJA_RANGE)
		return render_limit(render, "a range() of so many items");
	return range;
}

/* ---- dict ---- */

static BUILTIN(global_dict)
{
	const struct args *args = &bound->rest;
	struct jinja_value dict = give_dict(render);

	for (size_t i = 0; i < args->n_keywords; i++)
		dict_put_key(render, dict.u.dict, value_from_string(args->keywords[i].name),
		             args->keywords[i].value);
	return dict;
}

/* ---- namespace ---- */

/* All of its contents are attributes, whatever their names. */
struct namespace {
	struct jinja_object object;
	struct jinja_dict *attributes;
};

static bool namespace_get(struct render *render, struct jinja_object *object,
                          const struct jinja_string *name, struct jinja_value *out)
{
	const struct namespace *self = (const struct namespace *)object;
	const struct jinja_value *value = dict_find(self->attributes, value_from_string(name));

	(void)render;
	if (value)
		*out = *value;
	return value;
}

static void namespace_set(struct render *render, struct jinja_object *object,
                          const struct jinja_string *name, struct jinja_value value)
{
	struct namespace *self = (struct namespace *)object;

	dict_put_key(render, self->attributes, value_from_string(name), value);
}

static const struct object_ops namespace_ops = {
	.type_name = "jinja2.utils.Namespace",
	.get = namespace_get,
	.set = namespace_set,
};

static BUILTIN(global_namespace)
{
	struct namespace *namespace = arena_alloc(render->arena, sizeof *namespace);

	if (!namespace)
		return render_no_memory(render);
	namespace->object.ops = &namespace_ops;
	namespace->attributes = global_dict(render, self, bound).u.dict;
	return value_object(&namespace->object);
}

/* ---- strftime_now, raise_exception ---- */

static BUILTIN(global_raise_exception)
{
	return render_raise(render, value_to_string(render, bound->args[0]));
}

static BUILTIN(global_strftime_now)
{
	if (bound->args[0].kind != VALUE_STRING)
		return render_fail(render, "strftime() argument 1 must be str, not %s",
		                   bound->args[0].kind == VALUE_NONE ? "None"
		                                                     : value_type_name(bound->args[0]));
	return time_text(render, bound->args[0].u.string);
}

static const struct builtin rows[] = {
	{"dict", global_dict, "**kwargs"},
	{"namespace", global_namespace, "**kwargs"},
	{"raise_exception", global_raise_exception, "message"},
	{"range", global_range, "stop, b=None, c=None"},
	{"strftime_now", global_strftime_now, "format"},
};
const struct builtin_table jinja_globals = {rows, sizeof rows / sizeof *rows};
