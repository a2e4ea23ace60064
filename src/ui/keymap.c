#include "ui/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "config/yaml_lines.h"
#include "terminal/cells.h"
#include "ui/command.h"

static bool is_command(const struct binding *row)
{
	return row->name && row->name[0] == '/';
}

static bool is_listed_only(const struct binding *row)
{
	return !row->name && !row->run;
}

static bool does_the_same(const struct binding *a, const struct binding *b)
{
	return a->name && b->name && strcmp(a->name, b->name) == 0;
}

static bool is_changed(const struct keymap *map, struct key key)
{
	for (size_t i = 0; i < map->n_changes; i++)
		if (key_equals(map->changes[i].key, key))
			return true;
	return false;
}

/* The first one of a group has the help. */
static void add_row(struct keymap *map, const struct binding *row, const char **help)
{
	if (map->n == KEYMAP_ROWS_MAX)
		return;
	map->rows[map->n] = *row;
	map->rows[map->n++].help = *help;
	*help = NULL;
}

/* A group of the table, a row with help and those without that follow it, but for the keys that the
 * file takes away, and with those that it adds. Returns where the next group begins. */
static size_t lay_group(struct keymap *map, size_t first, bool placed[KEYMAP_CHANGES_MAX])
{
	const struct binding *rows = map->table->rows;
	const char *help = rows[first].help;
	size_t before = map->n, i = first;

	do {
		if (rows[i].context == CONTEXT_PANEL || !is_changed(map, rows[i].key))
			add_row(map, &rows[i], &help);
	} while (++i < map->table->n && !rows[i].help);
	for (size_t c = 0; c < map->n_changes; c++)
		if (does_the_same(&map->changes[c], &rows[first])) {
			add_row(map, &map->changes[c], &help);
			placed[c] = true;
		}
	map->hints[first][0] = '\0';
	if (map->n > before)
		key_text(map->rows[before].key, map->hints[first]);
	return i;
}

static void lay(struct keymap *map)
{
	bool placed[KEYMAP_CHANGES_MAX] = {false};

	map->n = 0;
	for (size_t first = 0; first < map->table->n;)
		first = lay_group(map, first, placed);
	for (size_t i = 0; i < map->n_changes; i++) {
		const char *help = map->changes[i].help;

		if (!placed[i] && map->changes[i].name)
			add_row(map, &map->changes[i], &help);
	}
}

void keymap_init(struct keymap *map, const struct key_table *table)
{
	*map = (struct keymap){.table = table};
	lay(map);
}

void keymap_deinit(struct keymap *map)
{
	for (size_t i = 0; i < map->n_changes; i++)
		free(map->texts[i]);
	memset(map->texts, 0, sizeof map->texts);
	map->n_changes = 0;
}

const struct binding *keymap_find(const struct keymap *map, struct key key, bool line_is_empty)
{
	for (size_t i = 0; i < map->n; i++) {
		const struct binding *row = &map->rows[i];

		if (row->context == CONTEXT_PANEL || is_listed_only(row))
			continue;
		if (row->context == CONTEXT_EMPTY_LINE && !line_is_empty)
			continue;
		if (key_equals(row->key, key))
			return row;
	}
	return NULL;
}

/* ---- keys.yaml: lines `KEY: what it does` ---- */

struct file {
	struct keymap *map;
	const struct command_table *commands;
	const struct settings *settings;
	size_t lines[KEYMAP_CHANGES_MAX]; /* of the changes */
};

/* Whether a command would be in the way of a message being written. */
static enum keymap_context context_of(struct key key, unsigned command_flags)
{
	bool types = key.name == K_CHAR && !(key.mods & (MOD_CTRL | MOD_ALT));

	return types || command_flags & COMMAND_FILLS_LINE ? CONTEXT_EMPTY_LINE : CONTEXT_ALWAYS;
}

/* "/set temperature 0.2": checked as if it were typed. The row borrows its text from the map. */
static enum status take_command(struct file *file, const char *line, struct binding *row,
                                struct error *err)
{
	struct command_call call;
	bool is_whole;
	char *text;

	if (command_parse(file->commands, file->settings, line, strlen(line), &call, err))
		return err->status;
	if (!call.command)
		return error_set(err, STATUS_CONFIG, "a command begins with a single slash");
	/* Its name where that is all, so that an alias counts as the command that it stands for. */
	is_whole = !call.argument_len && !call.quoted && !call.forced;
	if (asprintf(&text, "/%s", is_whole ? call.command->name : line + 1) < 0)
		return error_set(err, STATUS_NOMEM, "not enough memory");
	file->map->texts[file->map->n_changes] = text;
	row->name = text;
	row->help = is_whole ? call.command->help : text;
	row->context = context_of(row->key, call.command->flags);
	return STATUS_OK;
}

static enum status take_action(const struct file *file, const char *name, struct binding *row,
                               struct error *err)
{
	const struct key_table *table = file->map->table;
	struct nearest nearest;

	nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; i < table->n; i++) {
		struct binding action = table->rows[i];

		if (!action.name || is_command(&action))
			continue;
		if (strcmp(action.name, name) == 0) {
			action.key = row->key;
			action.context = context_of(row->key, 0);
			action.is_users = true;
			*row = action;
			return STATUS_OK;
		}
		nearest_offer(&nearest, action.name);
	}
	if (command_find(file->commands, name, strlen(name)))
		return error_set(err, STATUS_CONFIG, "there is no action '%.40s', did you mean '/%.40s'?",
		                 name, name);
	nearest_offer(&nearest, "none");
	return error_set(err, STATUS_CONFIG,
	                 nearest_best(&nearest)
	                         ? "there is no action '%.40s', did you mean '%s'?"
	                         : "there is no action '%.40s'; a command begins with a slash, and "
	                           "'none' unbinds a key",
	                 name, nearest_best(&nearest));
}

/* `none` is for keys that sotto has bound. */
static enum status check_unbound(const struct key_table *table, struct key key, struct error *err)
{
	char name[KEY_TEXT_MAX];

	for (size_t i = 0; i < table->n; i++)
		if (is_listed_only(&table->rows[i]) && table->rows[i].context != CONTEXT_PANEL &&
		    key_equals(table->rows[i].key, key))
			return error_set(err, STATUS_CONFIG,
			                 "%s belongs to the input line: change it in ~/.inputrc",
			                 key_text(key, name));
	return STATUS_OK;
}

static enum status take_value(struct file *file, const struct yaml_item *value,
                              struct binding *row, struct error *err)
{
	if (value->kind != YAML_SCALAR)
		return error_set(err, STATUS_CONFIG, "expected a command, an action or 'none'");
	if (yaml_is_null(value) || strcmp(value->text, "none") == 0)
		return check_unbound(file->map->table, row->key, err);
	return value->text[0] == '/' ? take_command(file, value->text, row, err)
	                             : take_action(file, value->text, row, err);
}

/* Keys that are the way out, or nobody else's. */
static enum status check_key(const struct file *file, struct key key, struct error *err)
{
	char name[KEY_TEXT_MAX];

	key_text(key, name);
	if (key_is(key, K_ENTER, 0) || key_is_char(key, 'c', MOD_CTRL))
		return error_set(err, STATUS_CONFIG, "%s cannot be bound to anything else", name);
	for (size_t i = 0; i < file->map->n_changes; i++)
		if (key_equals(file->map->changes[i].key, key))
			return error_set(err, STATUS_CONFIG, "%s is already bound in line %zu", name,
			                 file->lines[i]);
	if (file->map->n_changes == KEYMAP_CHANGES_MAX)
		return error_set(err, STATUS_LIMIT, "more than %d keys are bound", KEYMAP_CHANGES_MAX);
	return STATUS_OK;
}

static enum status read_line(void *ctx, const char *name, size_t line,
                             const struct yaml_item *value, struct error *err)
{
	struct binding taken = {.is_users = true};
	struct file *file = ctx;
	struct keymap *map = file->map;
	enum status status = key_parse(name, &taken.key, err);

	if (!status)
		status = check_key(file, taken.key, err);
	if (!status)
		status = take_value(file, value, &taken, err);
	if (status)
		return status == STATUS_NOMEM ? status : STATUS_CONFIG;
	file->lines[map->n_changes] = line;
	map->changes[map->n_changes++] = taken;
	return STATUS_OK;
}

void keymap_read(struct keymap *map, const char *path, const char *text, size_t len,
                 const struct command_table *commands, const struct settings *settings,
                 struct buf *problems)
{
	struct file file = {.map = map, .commands = commands, .settings = settings};

	keymap_deinit(map);
	yaml_read_good_lines(path, text, len, read_line, &file, problems);
	lay(map);
}

/* ---- hints ---- */

/* The row that has the hint. */
static const struct binding *find_row(const struct keymap *map, const char *name)
{
	for (size_t i = 0; i < map->table->n; i++) {
		const struct binding *row = &map->table->rows[i];

		if (row->help && row->name && strcmp(row->name + is_command(row), name) == 0)
			return row;
	}
	return NULL;
}

const char *keymap_key_of(const struct keymap *map, const char *name)
{
	const struct binding *row = find_row(map, name);
	const char *hint = row ? map->hints[row - map->table->rows] : "";

	return hint[0] ? hint : NULL;
}

const char *keymap_hint(const struct keymap *map, const char *name)
{
	const char *key = keymap_key_of(map, name);
	const struct binding *row = find_row(map, name);

	if (key)
		return key;
	return row && is_command(row) ? row->name : "no key";
}

enum { GAP = 2 };

/* "Alt+E edit"; nothing if no key does it. */
static void put(const struct keymap *map, const struct key_hint *hint, struct buf *out)
{
	bool is_key = hint->name[0] == '=';
	const char *key = is_key ? hint->name + 1 : keymap_key_of(map, hint->name);

	if (!key)
		return;
	buf_puts(out, key);
	if (hint->what)
		buf_printf(out, " %s", hint->what);
}

static int width_of(const struct keymap *map, const struct key_hint *hint)
{
	struct buf text = {.max = KEY_HINTS_MAX};
	int width;

	put(map, hint, &text);
	width = cells_width(buf_text(&text), text.len);
	buf_free(&text);
	return width ? width + GAP : 0;
}

void key_hints(const struct keymap *map, const struct key_hint *hints, size_t n, int cols,
               struct buf *out)
{
	int room = cols + GAP - (n ? width_of(map, &hints[n - 1]) : 0);
	size_t before = out->len;

	for (size_t i = 0; i < n; i++) {
		int width = width_of(map, &hints[i]);

		if (!width || (i + 1 < n && width > room))
			continue;
		room -= i + 1 < n ? width : 0;
		if (out->len > before)
			buf_puts(out, "  ");
		put(map, &hints[i], out);
	}
}
