/* What was changed in the chat, written to the configuration. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/option_value.h"
#include "base/server_path.h"
#include "base/sys.h"
#include "config/preset.h"
#include "config/servers.h"
#include "config/settings_internal.h"
#include "config/yaml.h"

/* The file as it is now. */
struct config_now {
	char *text;    /* owned */
	size_t len;
	char **staged; /* what it says, by index of the settings; owned */
	struct preset preset; /* that it names */
	struct settings_edit *edits; /* owned, with their values: [n], room for all */
	size_t n;
};

static void free_now(struct config_now *now, const struct settings *settings)
{
	for (size_t i = 0; i < now->n; i++) {
		free(now->edits[i].value);
		free(now->edits[i].text);
	}
	free(now->edits);
	settings_free_staged(settings, now->staged);
	free(now->text);
}

static enum status read_now(struct settings *settings, struct config_now *now, struct error *err)
{
	const char *path = settings->file;
	const struct setting *preset = settings_lookup(settings, "preset", strlen("preset"));
	uint64_t before = settings->file_hash;
	struct stat st = {.st_mode = 0};
	enum status status;

	if (!path)
		return error_set(err, STATUS_NOTFOUND, "there is no home folder, and so no configuration");
	if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode) && stat(path, &st) != 0)
		return error_errno(err, errno, "%s: what this link leads to", path);
	status = sys_read_file(path, LIMIT_YAML_BYTES, &now->text, &now->len, err);
	if (status == STATUS_NOTFOUND) {
		now->text = alloc_strndup("", 0);
		status = now->text ? STATUS_OK : error_no_memory(err, NULL);
	} else if (!status && (!(st.st_mode & 0222) || access(path, W_OK) != 0)) {
		status = error_set(err, STATUS_IO, "%s: is read-only", path);
	}
	if (status)
		return status;
	status = settings_stage(settings, path, now->text, now->len, NULL, &now->staged, err);
	if (status)
		return status;
	settings->file_hash = hash_more(HASH_BEGIN, now->text, now->len);
	if (settings->file_hash != before)
		return error_set(err, STATUS_BUSY, "%s has changed since it was read; do this again to write to "
		                 "it as it is now", path);
	if (preset && now->staged[preset - settings->items])
		return preset_load(&now->preset, now->staged[preset - settings->items], settings, err);
	return STATUS_OK;
}

/* What would apply at the next start, as far as it does not depend on the command line and environment;
 * NULL: nothing. */
static const char *without_us(const struct settings *settings, const struct config_now *now, size_t index)
{
	const struct setting *item = &settings->items[index];
	const char *text = now->staged ? now->staged[index] : item->said[ORIGIN_FILE];

	for (size_t i = 0; !text && i < now->preset.n; i++)
		if (option_is_called(item->option, now->preset.values[i].name, strlen(now->preset.values[i].name)))
			return now->preset.values[i].value;
	for (enum settings_origin origin = ORIGIN_FILE; !text && origin-- > ORIGIN_DEFAULT;)
		text = item->said[origin];
	return text;
}

/* As it is to be written: a file of the folder that we are in by its path. */
static enum status value_to_keep(const struct settings *settings, const struct setting *item,
                                 const struct settings_alias *alias, struct buf *out)
{
	const char *said = item->said[ORIGIN_SET];
	char folder[4096];

	if (item->option->type != OPTION_STRING)
		return settings_value_text(settings, item->option, out);
	if (said && alias && strcmp(said, alias->value) == 0)
		said = alias->name;
	else if (said && item->option->flags & OPTION_PATH && said[0] && !strchr("/~", said[0]) && !server_path_is(said) &&
	         access(said, F_OK) == 0 && getcwd(folder, sizeof folder))
		buf_printf(out, "%s/", folder);
	return buf_puts(out, said ? said : "");
}

/* A word that needs no quotes. */
static bool is_plain(const char *text)
{
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
	size_t len = strlen(text);

	return len && strspn(text, word) == len && !strchr("0123456789-_.", text[0]) &&
	       !yaml_is_null(&(struct yaml_item){.kind = YAML_SCALAR, .text = text, .len = len, .plain = true});
}

static enum status add_edit(struct config_now *now, const struct setting *item, const char *value)
{
	bool is_number = item->option->type != OPTION_STRING && item->option->type != OPTION_ENUM;
	struct settings_edit *edit = &now->edits[now->n++];
	enum status status;
	struct buf yaml = {.max = LIMIT_YAML_BYTES};

	if (is_number || is_plain(value))
		buf_puts(&yaml, value);
	else
		yaml_put_quoted(&yaml, value, strlen(value), 16);
	*edit = (struct settings_edit){.item = item, .text = alloc_strndup(value, strlen(value))};
	status = buf_status(&yaml);
	edit->value = status ? NULL : buf_take(&yaml, NULL);
	buf_free(&yaml);
	return status || (edit->value && edit->text) ? status : STATUS_NOMEM;
}

/* Which values to write. */
static enum status choose(const struct settings *settings, struct config_now *now,
                          const struct settings_alias *alias, struct error *err)
{
	enum status status = STATUS_OK;
	struct buf value = {.max = LIMIT_YAML_BYTES};

	now->edits = alloc_array(settings->n, sizeof *now->edits);
	if (!now->edits)
		return error_no_memory(err, NULL);
	for (size_t i = 0; i < settings->n && !status; i++) {
		const struct setting *item = &settings->items[i];

		if (!(item->spoken & 1U << ORIGIN_SET) || item->option->flags & OPTION_CLI_ONLY)
			continue;
		buf_clear(&value);
		status = value_to_keep(settings, item, alias, &value);
		if (!status && !option_same(item->option, buf_text(&value), without_us(settings, now, i)))
			status = add_edit(now, item, buf_text(&value));
		if (status)
			error_set(err, status, status == STATUS_LIMIT ? "%s: too long for a configuration, which has at most "
			          "%zu bytes" : "not enough memory", item->option->name, (size_t)LIMIT_YAML_BYTES);
	}
	buf_free(&value);
	return status;
}

/* "temp 0.7, top-k 40 and theme nord", and the lines that say it, in the order of the options. */
static void describe(const struct config_now *now, struct settings_kept *kept)
{
	for (size_t i = 0; i < now->n; i++) {
		const struct settings_edit *edit = &now->edits[i];
		const char *name = edit->item->option->name;
		char variable[SETTINGS_VARIABLE_MAX];

		buf_printf(&kept->told, "%s%s %s", i == 0 ? "" : i + 1 == now->n ? " and " : ", ", name,
		           edit->text[0] ? edit->text : "none");
		if (edit->item->spoken & 1U << ORIGIN_ENVIRONMENT)
			buf_printf(&kept->told, " (at the next start %s overrides it)",
			           settings_variable(variable, name, strlen(name)));
		buf_printf(&kept->lines, "%s%s: %s", i ? "\n" : "", name, edit->value);
	}
	kept->n = now->n;
}

/* Whether a text says what the old one says, and the new values. */
static enum status check_text(const struct settings *settings, const struct config_now *now,
                              const struct buf *text, struct error *err)
{
	char **staged = NULL;
	enum status status = settings_stage(settings, settings->file, buf_text(text), text->len, NULL, &staged,
	                                    NULL);

	for (size_t i = 0; i < settings->n && !status; i++) {
		const char *expected = now->staged[i];

		for (size_t k = 0; k < now->n; k++)
			if (now->edits[k].item == &settings->items[i])
				expected = now->edits[k].text;
		if (!expected != !staged[i] || (expected && strcmp(expected, staged[i]) != 0))
			status = STATUS_FORMAT;
	}
	settings_free_staged(settings, staged);
	if (status == STATUS_NOMEM)
		return error_no_memory(err, NULL);
	return status ? error_set(err, STATUS_FORMAT, "%s: it is written in a way that cannot be changed safely",
	                          settings->file) : STATUS_OK;
}

/* New lines at the end; before the first one where the end is not a good place. */
static enum status edit_text(const struct settings *settings, struct config_now *now, struct buf *out,
                             struct error *err)
{
	enum status status = STATUS_FORMAT;

	for (int first = 0; first < 2 && status; first++) {
		buf_clear(out);
		status = settings_edit_text(settings, settings->file, now->text, now->len, first, now->edits,
		                            now->n, out, err);
		if (!status)
			status = check_text(settings, now, out, err);
	}
	return status;
}

static enum status write_text(struct settings *settings, const struct io_ops *io, const struct buf *text,
                              struct error *err)
{
	const char *slash = strrchr(settings->file, '/');
	char *folder = slash && slash != settings->file
	               ? alloc_strndup(settings->file, (size_t)(slash - settings->file)) : NULL;
	int error = folder ? io_make_dirs(io, folder) : 0;

	if (error)
		error_errno(err, error, "%s: cannot make the folder", folder);
	free(folder);
	if (error)
		return STATUS_IO;
	return file_write(io, settings->file, text->data, text->len, true, 0666, err);
}

/* From now on the configuration says it. */
static enum status take_over(struct settings *settings, struct config_now *now, const struct buf *text,
                             struct error *err)
{
	enum status status = STATUS_OK;

	settings->file_hash = hash_more(HASH_BEGIN, text->data, text->len);
	for (size_t i = 0; i < now->n && !status; i++)
		status = settings_put(&settings->items[now->edits[i].item - settings->items], now->edits[i].text,
		                      ORIGIN_FILE, err);
	return status;
}

enum status settings_keep(struct settings *settings, const struct io_ops *io, const struct settings_alias *alias,
                          struct settings_kept *kept, struct error *err)
{
	struct config_now now = {.n = 0};
	struct error why;
	enum status status = read_now(settings, &now, err), chosen = choose(settings, &now, alias, &why);
	struct buf text = {.max = LIMIT_YAML_BYTES};

	*kept = (struct settings_kept){.told = {.max = MIB(1)}, .lines = {.max = MIB(1)}};
	if (!chosen)
		describe(&now, kept); /* before they are sorted by place */
	if (!status && chosen)
		status = error_set(err, chosen, "%s", why.text);
	if (!status && now.n)
		(void)((status = edit_text(settings, &now, &text, err)) ||
		       (status = write_text(settings, io, &text, err)) ||
		       (status = take_over(settings, &now, &text, err)));
	buf_free(&text);
	free_now(&now, settings);
	return status;
}

const char *settings_file(const struct settings *settings)
{
	return settings->file;
}

void settings_kept_free(struct settings_kept *kept)
{
	buf_free(&kept->told);
	buf_free(&kept->lines);
}
