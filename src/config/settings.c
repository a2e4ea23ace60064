#include "config/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/home_path.h"
#include "base/limits.h"
#include "base/option_value.h"
#include "base/sys.h"
#include "config/settings_internal.h"
#include "config/yaml_lines.h"

enum status settings_create(struct settings **out, const struct option_table *tables, size_t n,
                            struct error *err)
{
	struct settings *settings = alloc_array(1, sizeof *settings);
	size_t total = 0;

	for (size_t t = 0; t < n; t++)
		total += tables[t].n;
	if (settings)
		settings->items = alloc_array(total, sizeof *settings->items);
	if (!settings || !settings->items) {
		free(settings);
		return error_no_memory(err, NULL);
	}
	for (size_t t = 0; t < n; t++)
		for (size_t i = 0; i < tables[t].n; i++) {
			const struct option *option = &tables[t].rows[i];

			settings->items[settings->n++] = (struct setting){
				.option = option, .target = tables[t].target};
			/* The targets hold nothing yet that could be freed. */
			if (option->type == OPTION_STRING)
				memcpy((char *)tables[t].target + option->offset, &(char *){NULL},
				       sizeof(char *));
		}
	for (size_t i = 0; i < settings->n; i++) {
		struct setting *item = &settings->items[i];
		enum status status = STATUS_OK;

		if (item->option->def)
			status = settings_put(item, item->option->def, ORIGIN_DEFAULT, err);
		if (status) {
			error_prefix(err, "default of %s", item->option->name);
			settings_free(settings);
			return status;
		}
	}
	*out = settings;
	return STATUS_OK;
}

void settings_free(struct settings *settings)
{
	if (!settings)
		return;
	for (size_t i = 0; i < settings->n; i++) {
		const struct setting *item = &settings->items[i];

		for (size_t origin = 0; origin < ORIGIN_COUNT; origin++)
			free(item->said[origin]);
		free(item->before);
		if (item->option->type == OPTION_STRING &&
		    option_store(item->option, item->target, &(struct option_value){0}, NULL))
			continue; /* unsetting cannot fail */
	}
	free(settings->items);
	free(settings->file);
	free(settings);
}

struct setting *settings_lookup(const struct settings *settings, const char *name, size_t len)
{
	for (size_t i = 0; i < settings->n; i++)
		if (option_is_called(settings->items[i].option, name, len))
			return &settings->items[i];
	for (size_t i = 0; i < settings->n; i++)
		if (option_is_named(settings->items[i].option, name, len))
			return &settings->items[i];
	return NULL;
}

void settings_offer(const struct settings *settings, unsigned want, unsigned never, struct nearest *nearest)
{
	for (size_t i = 0; i < settings->n; i++) {
		const struct option *option = settings->items[i].option;

		if ((want && !(option->flags & want)) || (option->flags & never))
			continue;
		nearest_offer(nearest, option->name);
		nearest_offer_aliases(nearest, option->aliases, option->name);
	}
}

/* The option of which "no-mouse" is the switch on the command line; NULL: the name is none. */
static const struct option *negated(const struct settings *settings, const char *name)
{
	const struct setting *item = NULL;

	if (strncmp(name, "no-", 3) == 0 || strncmp(name, "no_", 3) == 0)
		item = settings_lookup(settings, name + 3, strlen(name + 3));
	return item && item->option->type == OPTION_BOOL ? item->option : NULL;
}

static enum status unknown_name(const struct settings *settings, const char *name, unsigned want,
                                enum status status, struct error *err)
{
	const struct option *option = negated(settings, name);
	struct nearest nearest;

	if (option && !(want && !(option->flags & want)) && !(option->flags & OPTION_CLI_ONLY))
		return error_set(err, status, "there is no setting '%.60s': give '%s' the value no", name, option->name);
	nearest_init(&nearest, name, strlen(name));
	settings_offer(settings, want, OPTION_CLI_ONLY, &nearest);
	return error_set(err, status, "there is no setting '%.60s'%s", name, nearest_hint(&nearest));
}

enum status settings_unknown(const struct settings *settings, const char *name, struct error *err)
{
	return unknown_name(settings, name, 0, STATUS_USAGE, err);
}

enum status settings_put(struct setting *item, const char *value, enum settings_origin origin,
                         struct error *err)
{
	struct option_value parsed;
	enum status status = option_parse(item->option, value, &parsed, err);
	char *copy = NULL;

	value = option_meaning(item->option, value);
	if (!status && value) {
		copy = alloc_strndup(value, strlen(value));
		if (!copy)
			status = error_no_memory(err, NULL);
	}
	if (!status && origin >= item->origin)
		status = option_store(item->option, item->target, &parsed, err);
	if (status) {
		free(copy);
		return status;
	}
	free(item->said[origin]);
	item->said[origin] = copy;
	item->spoken |= 1U << origin;
	if (origin > item->origin)
		item->origin = origin;
	return STATUS_OK;
}

/* Back to what the lower origins say. */
static enum status take_back(struct setting *item, enum settings_origin origin, struct error *err)
{
	struct option_value value = {0};
	enum status status = STATUS_OK;

	if (item->origin == origin) {
		enum settings_origin lower = origin;

		while (lower > ORIGIN_DEFAULT && !(item->spoken & 1U << --lower))
			;
		if (item->said[lower])
			status = option_parse(item->option, item->said[lower], &value, err);
		if (!status)
			status = option_store(item->option, item->target, &value, err);
		if (status)
			return status;
		item->origin = lower;
	}
	free(item->said[origin]);
	item->said[origin] = NULL;
	item->spoken &= ~(1U << origin);
	return STATUS_OK;
}

/* A file being read. Values are kept in `staged` (an array parallel to the items) first, so that a
 * file with an error changes nothing. */
struct staging {
	const struct settings *settings;
	char **staged;
};

static enum status stage_line(void *ctx, const char *name, size_t line,
                              const struct yaml_item *value, struct error *err)
{
	struct staging *staging = ctx;
	const struct settings *settings = staging->settings;
	struct setting *item = settings_lookup(settings, name, strlen(name));
	struct option_value parsed;
	char **staged;

	(void)line;
	if (!item || (item->option->flags & OPTION_CLI_ONLY))
		return unknown_name(settings, name, 0, STATUS_CONFIG, err);
	staged = &staging->staged[item - settings->items];
	if (*staged)
		return error_set(err, STATUS_CONFIG, "%s is given twice", item->option->name);
	if (value->kind != YAML_SCALAR)
		return error_set(err, STATUS_CONFIG, "%s: expected a text, found a %s", name,
		                 value->kind == YAML_MAP_BEGIN ? "mapping" : "list");
	if (yaml_is_null(value)) /* `name:` alone leaves the default */
		return STATUS_OK;
	if (option_parse(item->option, value->text, &parsed, err)) {
		error_prefix(err, "%s", item->option->name);
		return STATUS_CONFIG;
	}
	*staged = alloc_strndup(value->text, value->len);
	return *staged ? STATUS_OK : error_no_memory(err, NULL);
}

static enum status config_path(struct buf *out, bool *required, struct error *err)
{
	const char *variable = getenv("SOTTO_CONFIG");

	*required = variable && *variable;
	if (!*required)
		return sys_user_path(SYS_DIR_CONFIG, "/config.yaml", out, err);
	return home_path_put(out, variable)
	               ? error_set(err, STATUS_CONFIG, "the path of the configuration is too long") : STATUS_OK;
}

enum status settings_stage(const struct settings *settings, const char *path, const char *text, size_t len,
                           struct buf *problems, char ***staged, struct error *err)
{
	struct staging staging = {settings, alloc_array(settings->n, sizeof *staging.staged)};

	*staged = staging.staged;
	if (!staging.staged)
		return error_no_memory(err, NULL);
	if (!problems)
		return yaml_read_lines(path, text, len, stage_line, &staging, err);
	yaml_read_good_lines(path, text, len, stage_line, &staging, problems);
	return STATUS_OK;
}

void settings_free_staged(const struct settings *settings, char **staged)
{
	for (size_t i = 0; staged && i < settings->n; i++)
		free(staged[i]);
	free(staged);
}

static enum status read_text(struct settings *settings, const char *path, const char *text,
                             size_t len, struct buf *problems, struct error *err)
{
	char **staged;
	enum status status = settings_stage(settings, path, text, len, problems, &staged, err);

	for (size_t i = 0; i < settings->n && !status; i++)
		if (staged[i])
			status = settings_put(&settings->items[i], staged[i], ORIGIN_FILE, err);
	settings_free_staged(settings, staged);
	return status;
}

/* For when something is to be written to it. */
static enum status note_file(struct settings *settings, const char *path, struct error *err)
{
	free(settings->file);
	settings->file = alloc_strndup(path, strlen(path));
	settings->file_hash = HASH_BEGIN;
	return settings->file ? STATUS_OK : error_no_memory(err, NULL);
}

enum status settings_read_file(struct settings *settings, const char *path, struct buf *problems,
                               struct error *err)
{
	bool required = path != NULL;
	enum status status = STATUS_OK;
	struct buf found = {.max = KIB(64)};
	char *text;
	size_t len;

	if (path)
		buf_puts(&found, path);
	else
		status = config_path(&found, &required, err);
	if (status == STATUS_NOTFOUND && !required) { /* no HOME: no configuration */
		buf_free(&found);
		return STATUS_OK;
	}
	if (!status)
		status = note_file(settings, buf_text(&found), err);
	if (!status)
		status = (required ? sys_read_any_file : sys_read_file)(buf_text(&found), LIMIT_YAML_BYTES,
		                                                        &text, &len, err);
	if (!status) {
		settings->file_hash = hash_more(HASH_BEGIN, text, len);
		status = read_text(settings, buf_text(&found), text, len, problems, err);
		free(text);
	} else if (status == STATUS_NOTFOUND && !required) {
		status = STATUS_OK;
	}
	buf_free(&found);
	/* Whatever is wrong with the file, it is an error of the configuration. */
	return yaml_as_config(status, err);
}

/* One that a running chat may change. */
static enum status find_changeable(const struct settings *settings, const char *name,
                                   struct setting **out, struct error *err)
{
	struct setting *item = settings_lookup(settings, name, strlen(name));

	if (!item || (item->option->flags & OPTION_CLI_ONLY))
		return unknown_name(settings, name, OPTION_LIVE | OPTION_MODEL, STATUS_USAGE, err);
	if (!(item->option->flags & (OPTION_LIVE | OPTION_MODEL)))
		return error_set(err, STATUS_USAGE,
		                 "%s cannot be changed in a running chat: start sotto with --%s",
		                 item->option->name, item->option->name);
	*out = item;
	return STATUS_OK;
}

/* Of a file that is set in the chat, which would only be missed later. A word alone may be the name of
 * something else. */
static enum status check_path(const char *value, struct error *err)
{
	size_t len = strlen(value);
	bool is_path = value[0] == '/' || value[0] == '~' || value[0] == '.' ||
	               (len > 6 && strcmp(value + len - 6, ".jinja") == 0);
	enum status status = STATUS_OK;
	struct buf path = {.max = KIB(64)};
	struct stat st;

	if (!is_path)
		return STATUS_OK;
	if (home_path_put(&path, value))
		status = error_set(err, STATUS_USAGE, "the path is too long");
	else if (stat(buf_text(&path), &st) != 0 || access(buf_text(&path), R_OK) != 0)
		status = error_errno(err, errno, "%s", value);
	else if (!S_ISREG(st.st_mode))
		status = error_set(err, STATUS_USAGE, "%s: %s", value, S_ISDIR(st.st_mode)
		                   ? "is a folder" : "not a regular file");
	buf_free(&path);
	return status;
}

enum status settings_set(struct settings *settings, const char *name, const char *value,
                         struct error *err)
{
	struct setting *item;
	enum status status = find_changeable(settings, name, &item, err);

	if (status)
		return status;
	status = item->option->flags & OPTION_PATH && value ? check_path(value, err) : STATUS_OK;
	if (!status)
		status = settings_put(item, value, ORIGIN_SET, err);
	if (status)
		error_prefix(err, "%s", item->option->name);
	return status;
}

enum status settings_unset(struct settings *settings, const char *name, struct error *err)
{
	struct setting *item;
	enum status status = find_changeable(settings, name, &item, err);

	return status ? status : take_back(item, ORIGIN_SET, err);
}

enum status settings_assign(struct settings *settings, const char *name, const char *value,
                            enum settings_origin origin, struct error *err)
{
	struct setting *item = settings_lookup(settings, name, strlen(name));
	enum status status;

	if (!item)
		return unknown_name(settings, name, 0, STATUS_USAGE, err);
	status = settings_put(item, value, origin, err);
	if (status)
		error_prefix(err, "%s", item->option->name);
	return status;
}

void settings_forget(struct settings *settings, enum settings_origin origin)
{
	for (size_t i = 0; i < settings->n; i++)
		if (settings->items[i].spoken & 1U << origin &&
		    take_back(&settings->items[i], origin, NULL))
			continue; /* numbers cannot fail, and neither models nor templates set others */
}

enum status settings_recommend(struct settings *settings, const struct option_text *values, size_t n,
                               struct error *err)
{
	enum status status = STATUS_OK;

	settings_forget(settings, ORIGIN_MODEL);
	for (size_t i = 0; i < n && !status; i++) {
		struct setting *item =
			settings_lookup(settings, values[i].name, strlen(values[i].name));

		if (!item)
			return unknown_name(settings, values[i].name, 0, STATUS_USAGE, err);
		status = settings_put(item, values[i].value, ORIGIN_MODEL, err);
	}
	return status;
}

size_t settings_n(const struct settings *settings)
{
	return settings->n;
}

const struct option *settings_option(const struct settings *settings, size_t index)
{
	return index < settings->n ? settings->items[index].option : NULL;
}

const struct option *settings_find(const struct settings *settings, const char *name)
{
	const struct setting *item = settings_lookup(settings, name, strlen(name));

	return item ? item->option : NULL;
}

static const struct setting *item_of(const struct settings *settings, const struct option *option)
{
	for (size_t i = 0; i < settings->n; i++)
		if (settings->items[i].option == option)
			return &settings->items[i];
	return NULL;
}

enum settings_origin settings_origin_of(const struct settings *settings,
                                        const struct option *option)
{
	const struct setting *item = item_of(settings, option);

	return item ? item->origin : ORIGIN_DEFAULT;
}

bool settings_has_said(const struct settings *settings, enum settings_origin origin)
{
	for (size_t i = 0; i < settings->n; i++)
		if (settings->items[i].spoken & 1U << origin)
			return true;
	return false;
}

bool settings_is_from(const struct settings *settings, const char *name, enum settings_origin origin)
{
	const struct setting *item = settings_lookup(settings, name, strlen(name));

	return item && item->origin == origin;
}

const char *settings_origin_name(enum settings_origin origin)
{
	static const char *const names[ORIGIN_COUNT] = {
		"default", "model", "template", "config file", "environment", "command line", "/set"};

	return (unsigned)origin < ORIGIN_COUNT ? names[origin] : "unknown";
}

const char *settings_default(const struct settings *settings, const struct option *option)
{
	const struct setting *item = item_of(settings, option);

	return item && item->said[ORIGIN_MODEL] ? item->said[ORIGIN_MODEL] : option->def;
}

enum status settings_value_text(const struct settings *settings, const struct option *option,
                                struct buf *out)
{
	const struct setting *item = item_of(settings, option);

	return item ? option_print(option, item->target, out) : buf_status(out);
}

double settings_number(const struct settings *settings, const struct option *option)
{
	const struct setting *item = item_of(settings, option);

	return item ? option_number(option, item->target) : 0;
}
