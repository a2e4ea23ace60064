#include "config/preset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data_name.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/option_value.h"
#include "base/sys.h"
#include "config/yaml_lines.h"

/* Those that come with sotto. */
static const struct {
	const char *name, *text;
} builtin[] = {
	{"creative", "temp: 1.1\ntop-k: 0\ntop-p: 1\nmin-p: 0.05\nxtc-probability: 0.5\n"},
	{"greedy", "temp: 0\n"},
	{"precise", "temp: 0.2\ntop-k: 40\ntop-p: 0.9\nmin-p: 0.05\n"},
};
enum { N_BUILTIN = sizeof builtin / sizeof builtin[0] };

static enum status folder_path(struct buf *out, struct error *err)
{
	return sys_user_path(SYS_DIR_CONFIG, "/presets", out, err);
}

static enum status file_path(struct buf *out, const char *name, struct error *err)
{
	enum status status = folder_path(out, err);

	if (!status && buf_printf(out, "/%s.yaml", name))
		status = error_set(err, STATUS_LIMIT, "the path of the preset is too long");
	return status;
}

static bool is_sampling(const struct option *option)
{
	return option && option->flags & OPTION_SLIDER;
}

static const char *value_of(const struct preset *preset, const struct option *option)
{
	for (size_t i = 0; i < preset->n; i++)
		if (strcmp(preset->values[i].name, option->name) == 0)
			return preset->values[i].value;
	return NULL;
}

static void add(struct preset *preset, const struct option *option, const char *text)
{
	struct option_text *value = &preset->values[preset->n];

	if (preset->n == PRESET_OPTIONS_MAX)
		return;
	preset->n++;
	value->name = option->name;
	snprintf(value->value, sizeof value->value, "%s", text);
}

static enum status unknown_option(const char *name, const struct settings *settings,
                                  struct error *err)
{
	struct nearest nearest;

	nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; i < settings_n(settings); i++)
		if (is_sampling(settings_option(settings, i)))
			nearest_offer(&nearest, settings_option(settings, i)->name);
	return error_set(err, STATUS_CONFIG, "'%.60s' is not a sampling option%s", name,
	                 nearest_hint(&nearest));
}

/* A preset being read. */
struct preset_draft {
	struct preset *preset;
	const struct settings *settings;
};

static enum status read_line(void *ctx, const char *name, size_t line,
                             const struct yaml_item *value, struct error *err)
{
	struct preset_draft *draft = ctx;
	struct preset *out = draft->preset;
	const struct option *option = settings_find(draft->settings, name);
	struct option_value parsed;
	enum status status;

	(void)line;
	if (!is_sampling(option))
		return unknown_option(name, draft->settings, err);
	if (value_of(out, option))
		return error_set(err, STATUS_CONFIG, "%s is given twice", option->name);
	if (value->kind != YAML_SCALAR)
		return error_set(err, STATUS_CONFIG, "%s: expected a number", option->name);
	status = option_parse(option, value->text, &parsed, err);
	if (!status && value->len >= sizeof out->values[0].value)
		status = error_set(err, STATUS_CONFIG, "the value is too long");
	if (status) {
		error_prefix(err, "%s", option->name);
		return STATUS_CONFIG;
	}
	add(out, option, value->text);
	return STATUS_OK;
}

static enum status parse(struct preset *out, const char *path, const char *text, size_t len,
                         const struct settings *settings, struct error *err)
{
	enum status status;

	*out = (struct preset){.n = 0};
	status = yaml_read_lines(path, text, len, read_line, &(struct preset_draft){out, settings}, err);
	return yaml_as_config(status, err);
}

static enum status not_found(const char *name, struct error *err)
{
	struct name_list names = {.n = 0};

	preset_list(&names, NULL);
	return name_list_unknown(&names, "preset", name, strlen(name), STATUS_NOTFOUND, err);
}

enum status preset_load(struct preset *out, const char *name, const struct settings *settings,
                        struct error *err)
{
	enum status status = STATUS_NOTFOUND;
	struct buf path = {.max = KIB(64)};
	char *text;
	size_t len;

	*out = (struct preset){.n = 0};
	if (!data_name_is_valid(name, strlen(name)))
		return not_found(name, err);
	if (!file_path(&path, name, NULL))
		status = sys_read_file(buf_text(&path), LIMIT_YAML_BYTES, &text, &len, err);
	if (!status) {
		status = parse(out, buf_text(&path), text, len, settings, err);
		free(text);
	} else if (status == STATUS_NOTFOUND) {
		for (size_t i = 0; i < N_BUILTIN && status; i++)
			if (strcmp(builtin[i].name, name) == 0)
				status = parse(out, name, builtin[i].text, strlen(builtin[i].text), settings, err);
		if (status == STATUS_NOTFOUND)
			not_found(name, err);
	}
	buf_free(&path);
	return status;
}

void preset_of_settings(struct preset *out, const struct settings *settings)
{
	struct buf value = {.max = KIB(64)};

	*out = (struct preset){.n = 0};
	for (size_t i = 0; i < settings_n(settings); i++) {
		const struct option *option = settings_option(settings, i);

		if (!is_sampling(option) || settings_origin_of(settings, option) <= ORIGIN_MODEL)
			continue;
		buf_clear(&value);
		if (settings_value_text(settings, option, &value) == STATUS_OK)
			add(out, option, buf_text(&value));
	}
	buf_free(&value);
}

enum status preset_apply(const struct preset *preset, struct settings *settings, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < settings_n(settings) && !status; i++) {
		const struct option *option = settings_option(settings, i);
		const char *value;

		if (!is_sampling(option))
			continue;
		value = value_of(preset, option);
		status = value ? settings_set(settings, option->name, value, err)
		               : settings_unset(settings, option->name, err);
	}
	return status;
}

enum status preset_begin(const struct preset *preset, struct settings *settings,
                         enum settings_origin origin, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < preset->n && !status; i++) {
		const char *name = preset->values[i].name;

		if (settings_origin_of(settings, settings_find(settings, name)) < origin)
			status = settings_set(settings, name, preset->values[i].value, err);
	}
	return status;
}

static enum status save(const struct preset *preset, bool replace, const struct io_ops *io,
                        const char *folder, const char *path, struct error *err)
{
	struct buf text = {.max = KIB(64)};
	struct stat st;
	int error;

	if (!replace && io->stat(path, &st) == 0)
		return error_set(err, STATUS_USAGE, "%.300s already exists", path);
	for (size_t i = 0; i < preset->n; i++)
		buf_printf(&text, "%s: %s\n", preset->values[i].name, preset->values[i].value);
	error = buf_status(&text) ? ENOMEM : io_make_dirs(io, folder);
	if (!error)
		error = file_replace(io, path, text.data, text.len);
	if (!error)
		error = io_sync_folder(io, path);
	buf_free(&text);
	return error ? error_errno(err, error, "cannot write %.300s", path) : STATUS_OK;
}

enum status preset_save(const struct preset *preset, const char *name, bool replace,
                        const struct io_ops *io, struct buf *path, struct error *err)
{
	struct buf folder = {.max = KIB(64)};
	enum status status;

	if (!data_name_is_valid(name, strlen(name)))
		return error_set(err, STATUS_USAGE,
		                 "'%.60s' is not a name for a preset: letters, digits, '.', '_' and '-'", name);
	status = folder_path(&folder, err);
	if (!status)
		status = file_path(path, name, err);
	if (!status)
		status = save(preset, replace, io, buf_text(&folder), buf_text(path), err);
	buf_free(&folder);
	return status;
}

void preset_describe(const struct preset *preset, struct buf *out)
{
	for (size_t i = 0; i < preset->n; i++)
		buf_printf(out, "%s%s %s", i ? ", " : "", preset->values[i].name, preset->values[i].value);
}

void preset_compare(const struct preset *a, const struct preset *b, const struct settings *settings,
                    struct buf *out)
{
	struct buf now = {.max = KIB(64)};

	for (size_t i = 0; i < settings_n(settings); i++) {
		const struct option *option = settings_option(settings, i);
		const char *left = value_of(a, option), *right = b ? value_of(b, option) : NULL;

		if (!is_sampling(option))
			continue;
		if (!b && (left || settings_origin_of(settings, option) > ORIGIN_MODEL)) {
			buf_clear(&now);
			settings_value_text(settings, option, &now);
			right = buf_text(&now);
		}
		if ((left || right) && !option_same(option, left, right))
			buf_printf(out, "%s%-18s %-9s %s", out->len ? "\n" : "", option->name,
			           left ? left : "-", right ? right : "-");
	}
	buf_free(&now);
}

enum status preset_list(struct name_list *out, struct error *err)
{
	struct buf path = {.max = KIB(64)};

	for (size_t i = 0; i < N_BUILTIN; i++)
		if (!name_list_add(out, builtin[i].name, strlen(builtin[i].name))) {
			name_list_free(out);
			return error_no_memory(err, NULL);
		}
	if (!folder_path(&path, NULL))
		name_list_add_folder(out, buf_text(&path));
	buf_free(&path);
	name_list_sort(out);
	return STATUS_OK;
}
