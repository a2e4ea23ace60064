/* The settings as text: --print-config and --help. */
#include <string.h>

#include "base/option_value.h"
#include "base/words.h"
#include "config/settings_internal.h"
#include "config/yaml.h"

enum { HELP_COLUMN = 32 };

/* "(0 to 5; from the environment)" */
static void print_remark(const struct setting *item, struct buf *out)
{
	size_t start;

	buf_puts(out, " (");
	start = out->len;
	option_print_domain(item->option, out);
	if (out->len > start)
		buf_puts(out, "; ");
	buf_printf(out, "%s)", settings_origin_name(item->origin));
}

static bool is_unset(const struct setting *item)
{
	const char *text;

	if (item->option->type != OPTION_STRING)
		return false;
	memcpy(&text, (const char *)item->target + item->option->offset, sizeof text);
	return !text;
}

enum status settings_print(const struct settings *settings, struct buf *out)
{
	struct buf value = {.max = out->max};

	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *item = &settings->items[i];
		bool quoted = item->option->type == OPTION_STRING ||
		              item->option->type == OPTION_ENUM;

		if (item->option->flags & OPTION_CLI_ONLY)
			continue;
		buf_printf(out, "# %s", item->option->help);
		print_remark(item, out);
		buf_putc(out, '\n');
		if (is_unset(item)) {
			buf_printf(out, "# %s:\n\n", item->option->name);
			continue;
		}
		buf_printf(out, "%s: ", item->option->name);
		buf_clear(&value);
		option_print(item->option, item->target, &value);
		if (quoted)
			yaml_put_quoted(out, buf_text(&value), value.len, 2);
		else
			buf_puts(out, buf_text(&value));
		buf_puts(out, "\n\n");
		if (buf_status(&value) && !out->status)
			out->status = buf_status(&value);
	}
	buf_free(&value);
	return buf_status(out);
}

bool settings_is_on_anyway(const struct option *option)
{
	struct option_value def;

	return option->type == OPTION_BOOL && option_parse(option, option->def, &def, NULL) == 0 &&
	       def.integer;
}

/* "  -m, --model FILE" */
static void print_flags(const struct option *option, struct buf *out)
{
	buf_puts(out, "  ");
	for (int longs = 0; longs < 2; longs++) {
		const char *at = option->aliases;

		/* Short ones first; names of up to three letters get one dash, as in llama.cpp (-ctk). */
		for (size_t n; words_list_next(&at, &n); at += n)
			if ((n > 1) == longs)
				buf_printf(out, "%s%.*s, ", n > 3 ? "--" : "-", (int)n, at);
	}
	buf_printf(out, "--%s%s", settings_is_on_anyway(option) ? "no-" : "", option->name);
	if (option->type != OPTION_BOOL)
		buf_printf(out, " %s", option->arg ? option->arg : "VALUE");
}

enum status settings_help(const struct settings *settings, settings_filter is_shown,
                          const void *ctx, struct buf *out)
{
	for (size_t i = 0; i < settings->n; i++) {
		const struct option *option = settings->items[i].option;
		size_t start = out->len;

		if (is_shown && !is_shown(ctx, option))
			continue;
		print_flags(option, out);
		if (out->len - start > HELP_COLUMN - 2) {
			buf_putc(out, '\n');
			start = out->len;
		}
		while (!buf_status(out) && out->len - start < HELP_COLUMN)
			buf_putc(out, ' ');
		buf_puts(out, settings_is_on_anyway(option) && option->no_help ? option->no_help
		                                                               : option->help);
		if (option->type == OPTION_ENUM && !(option->arg && strchr(option->arg, '|'))) {
			buf_puts(out, ": ");
			option_print_domain(option, out);
		}
		if (option->def && option->type != OPTION_BOOL)
			buf_printf(out, " (%s)", option->def);
		buf_putc(out, '\n');
	}
	return buf_status(out);
}
