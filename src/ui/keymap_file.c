/* keys.yaml: lines `KEY: what it does`. A line that cannot be followed is told of; the others
 * apply. */
#include <string.h>

#include "base/alloc.h"
#include "base/nearest.h"
#include "config/yaml_lines.h"
#include "ui/command.h"
#include "ui/keymap_internal.h"

struct file {
	struct keymap *map;
	const struct command_table *commands;
	const struct settings *settings;
	size_t lines[KEYMAP_CHANGES_MAX]; /* of the changes */
};

static const struct binding *find_action(const char *name)
{
	for (size_t i = 0; i < bindings_n; i++)
		if (bindings[i].name && bindings[i].action != KEY_ACTION_COMMAND &&
		    strcmp(bindings[i].name, name) == 0)
			return &bindings[i];
	return NULL;
}

static enum status unknown_action(const struct command_table *commands, const char *name,
                                  struct error *err)
{
	struct nearest nearest;

	if (command_find(commands, name, strlen(name)))
		return error_set(err, STATUS_CONFIG, "there is no action '%.40s', did you mean '/%.40s'?",
		                 name, name);
	nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; i < bindings_n; i++)
		if (bindings[i].name && bindings[i].action != KEY_ACTION_COMMAND)
			nearest_offer(&nearest, bindings[i].name);
	nearest_offer(&nearest, "none");
	return error_set(err, STATUS_CONFIG,
	                 nearest_best(&nearest)
	                         ? "there is no action '%.40s', did you mean '%s'?"
	                         : "there is no action '%.40s'; a command begins with a slash, and "
	                           "'none' unbinds a key",
	                 name, nearest_best(&nearest));
}

/* Whether what it does would be in the way of a message being written. */
static enum keymap_context context_of(const struct binding *row, unsigned command_flags)
{
	bool types = row->key.name == K_CHAR && !(row->key.mods & (MOD_CTRL | MOD_ALT));

	return types || row->action == KEY_ACTION_END_OF_FILE ||
	                       command_flags & COMMAND_FILLS_LINE
	               ? CONTEXT_EMPTY_LINE : CONTEXT_ALWAYS;
}

/* "/set temperature 0.2": checked as if it were typed. The row borrows its text from the map. */
static enum status take_command(struct file *file, const char *line, struct binding *row,
                                struct error *err)
{
	struct keymap *map = file->map;
	struct command_call call;
	const char *name;
	char *copy;

	if (command_parse(file->commands, file->settings, line, strlen(line), &call, err))
		return err->status;
	if (!call.command)
		return error_set(err, STATUS_CONFIG, "a command begins with a single slash");
	copy = alloc_strndup(line, strlen(line));
	if (!copy)
		return error_set(err, STATUS_NOMEM, "not enough memory");
	map->texts[map->n_changes] = copy;
	/* Its name where that is all, so that an alias counts as the command that it stands for. */
	name = call.argument_len || call.quoted || call.forced ? copy + 1 : call.command->name;
	row->action = KEY_ACTION_COMMAND;
	row->name = name;
	row->help = name == call.command->name ? call.command->help : copy;
	row->context = context_of(row, call.command->flags);
	return STATUS_OK;
}

static enum status take_value(struct file *file, const struct yaml_item *value,
                              struct binding *row, struct error *err)
{
	const struct binding *action;

	if (value->kind != YAML_SCALAR)
		return error_set(err, STATUS_CONFIG, "expected a command, an action or 'none'");
	if (yaml_is_null(value) || strcmp(value->text, "none") == 0)
		return STATUS_OK; /* readline's, as the row says */
	if (value->text[0] == '/')
		return take_command(file, value->text, row, err);
	action = find_action(value->text);
	if (!action)
		return unknown_action(file->commands, value->text, err);
	row->action = action->action;
	row->name = action->name;
	row->help = action->help;
	row->context = context_of(row, 0);
	return STATUS_OK;
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

/* `none` is for keys that sotto has bound. */
static enum status check_unbound(struct key key, struct error *err)
{
	char name[KEY_TEXT_MAX];

	for (size_t i = 0; i < bindings_n; i++)
		if (bindings[i].action == KEY_ACTION_READLINE && key_equals(bindings[i].key, key))
			return error_set(err, STATUS_CONFIG,
			                 "%s belongs to the input line: change it in ~/.inputrc",
			                 key_text(key, name));
	return STATUS_OK;
}

static enum status read_line(void *ctx, const char *name, size_t line,
                             const struct yaml_item *value, struct error *err)
{
	struct binding taken = {.action = KEY_ACTION_READLINE, .is_users = true};
	struct file *file = ctx;
	struct keymap *map = file->map;
	enum status status = key_parse(name, &taken.key, err);

	if (!status)
		status = check_key(file, taken.key, err);
	if (!status)
		status = take_value(file, value, &taken, err);
	if (!status && taken.action == KEY_ACTION_READLINE)
		status = check_unbound(taken.key, err);
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
	keymap_lay(map);
}
