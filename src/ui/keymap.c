#include "ui/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/keymap_internal.h"

#define NAMED(name, mods) {name, mods, 0}
#define CHAR(cp, mods) {K_CHAR, mods, cp}

/* In the order in which the help shows them. F10 to F12 stay unused, since terminals and desktops
 * often take them; `?` does the same as F1 for that reason. */
const struct binding bindings[] = {
	{NAMED(K_ENTER, 0), CONTEXT_ALWAYS, KEY_ACTION_READLINE, "send the message, or queue it"},
	{CHAR('j', MOD_CTRL), CONTEXT_ALWAYS, KEY_ACTION_NEWLINE, "insert a line break", "newline"},
	{NAMED(K_ENTER, MOD_ALT), CONTEXT_ALWAYS, KEY_ACTION_NEWLINE, NULL, "newline"},
	{NAMED(K_ENTER, MOD_SHIFT), CONTEXT_ALWAYS, KEY_ACTION_NEWLINE, NULL, "newline"},
	{NAMED(K_ESC, 0), CONTEXT_ALWAYS, KEY_ACTION_ESCAPE,
	 "stop the reply, close a panel, cancel an edit", "escape"},
	{CHAR('c', MOD_CTRL), CONTEXT_ALWAYS, KEY_ACTION_INTERRUPT,
	 "stop the reply; clear the line; twice: quit"},
	{CHAR('d', MOD_CTRL), CONTEXT_EMPTY_LINE, KEY_ACTION_END_OF_FILE,
	 "quit, when the line is empty", "end-of-file"},
	{NAMED(K_TAB, 0), CONTEXT_ALWAYS, KEY_ACTION_READLINE,
	 "complete a command, option, template, theme, chat or file"},
	{CHAR('1', 0), CONTEXT_EMPTY_LINE, KEY_ACTION_READLINE,
	 "in an empty chat: put a suggested question in the line (Tab: each in turn)"},
	{CHAR('2', 0), CONTEXT_EMPTY_LINE, KEY_ACTION_READLINE, NULL},
	{CHAR('3', 0), CONTEXT_EMPTY_LINE, KEY_ACTION_READLINE, NULL},
	{NAMED(K_F1, 0), CONTEXT_ALWAYS, KEY_ACTION_COMMAND, "this help", "help"},
	{CHAR('?', 0), CONTEXT_EMPTY_LINE, KEY_ACTION_COMMAND, NULL, "help"},
	{NAMED(K_F2, 0), CONTEXT_ALWAYS, KEY_ACTION_COMMAND,
	 "sampler sliders; they act on the next token", "sampler"},
	{NAMED(K_F4, 0), CONTEXT_ALWAYS, KEY_ACTION_COMMAND, "prompt templates", "template"},
	{NAMED(K_F5, 0), CONTEXT_ALWAYS, KEY_ACTION_COMMAND, "list your chats, and search their text", "load"},
	{NAMED(K_F6, 0), CONTEXT_ALWAYS, KEY_ACTION_COMMAND, "the models on this machine", "model"},
	{NAMED(K_F7, 0), CONTEXT_ALWAYS, KEY_ACTION_COMMAND, "themes", "theme"},
	{NAMED(K_F8, 0), CONTEXT_ALWAYS, KEY_ACTION_COMMAND,
	 "what the model sees, token by token", "inspect"},
	{NAMED(K_F9, 0), CONTEXT_ALWAYS, KEY_ACTION_COMMAND, "what fills the context", "context"},
	{CHAR('r', MOD_CTRL), CONTEXT_ALWAYS, KEY_ACTION_READLINE, "search what you typed before"},
	{NAMED(K_UP, 0), CONTEXT_EMPTY_LINE, KEY_ACTION_TAKE_BACK,
	 "edit a queued message, the last one first; otherwise bring back what you typed before", "take-back"},
	{NAMED(K_DOWN, 0), CONTEXT_ALWAYS, KEY_ACTION_READLINE, "go on to what you typed after that"},
	{CHAR('x', MOD_CTRL), CONTEXT_ALWAYS, KEY_ACTION_READLINE,
	 "then Ctrl+E: write the message in $VISUAL or $EDITOR"},
	{NAMED(K_PAGE_UP, 0), CONTEXT_ALWAYS, KEY_ACTION_PAGE_UP, "scroll a page up", "page-up"},
	{NAMED(K_PAGE_DOWN, 0), CONTEXT_ALWAYS, KEY_ACTION_PAGE_DOWN, "scroll a page down", "page-down"},
	{NAMED(K_UP, MOD_SHIFT), CONTEXT_ALWAYS, KEY_ACTION_LINE_UP, "scroll a line up", "line-up"},
	{NAMED(K_DOWN, MOD_SHIFT), CONTEXT_ALWAYS, KEY_ACTION_LINE_DOWN, "scroll a line down", "line-down"},
	{NAMED(K_PAGE_UP, MOD_ALT), CONTEXT_ALWAYS, KEY_ACTION_MESSAGE_UP, "scroll to the message above", "message-up"},
	{NAMED(K_PAGE_DOWN, MOD_ALT), CONTEXT_ALWAYS, KEY_ACTION_MESSAGE_DOWN, "scroll to the message below",
	 "message-down"},
	{NAMED(K_HOME, MOD_CTRL), CONTEXT_ALWAYS, KEY_ACTION_TOP, "go to the first message", "top"},
	{NAMED(K_END, MOD_CTRL), CONTEXT_ALWAYS, KEY_ACTION_BOTTOM,
	 "go to the end, and follow the reply again", "bottom"},
	{CHAR('r', MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_COMMAND,
	 "get another reply; the old one is kept", "regen"},
	{NAMED(K_UP, MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_PICK_UP,
	 "pick an earlier message: to edit it, or for another reply, its other versions or /fork (Esc: unpick)",
	 "pick-up"},
	{NAMED(K_DOWN, MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_PICK_DOWN, "pick a later message", "pick-down"},
	{NAMED(K_TAB, MOD_SHIFT), CONTEXT_EMPTY_LINE, KEY_ACTION_READLINE,
	 "Tab, Shift+Tab: pick its code blocks and links in turn; Enter copies the block or opens the link"},
	{CHAR('c', MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_COMMAND,
	 "continue the last reply where it was cut off", "continue"},
	{CHAR('e', MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_COMMAND,
	 "edit your last message and send it again; the old one is kept", "edit"},
	{CHAR('v', MOD_ALT), CONTEXT_ALWAYS, KEY_ACTION_UNFOLD, "unfold long pastes in the input line", "unfold"},
	{NAMED(K_LEFT, MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_COMMAND,
	 "show the previous version of the last reply or message that has several", "prev"},
	{NAMED(K_RIGHT, MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_COMMAND, "show the next version", "next"},
	{CHAR('y', MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_COMMAND,
	 "copy the last reply to the clipboard", "copy"},
	{CHAR('Y', MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_COPY_BLOCK,
	 "copy its last code block; again: the one before it", "copy-block"},
	{CHAR('t', MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_REASONING,
	 "show or fold attached files, and what the model thought before it answered", "thinking"},
	{CHAR('x', MOD_ALT), CONTEXT_ALWAYS, KEY_ACTION_DETACH, "remove the last attached file",
	 "detach-file"},
	{CHAR('m', MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_COMMAND,
	 "show replies as Markdown, or as the model wrote them", "plain"},
	{CHAR('s', MOD_ALT), CONTEXT_EMPTY_LINE, KEY_ACTION_COMMAND,
	 "turn the mouse on or off (off: the terminal selects text)", "mouse"},
	{CHAR('n', 0), CONTEXT_EMPTY_LINE, KEY_ACTION_READLINE,
	 "after /find: go to the next match, or the previous one; Esc ends the search"},
	{CHAR('N', 0), CONTEXT_EMPTY_LINE, KEY_ACTION_READLINE, NULL},
	{CHAR('l', MOD_CTRL), CONTEXT_ALWAYS, KEY_ACTION_REDRAW, "redraw the screen", "redraw"},
	{CHAR('z', MOD_CTRL), CONTEXT_ALWAYS, KEY_ACTION_SUSPEND, "suspend; `fg` brings it back", "suspend"},
	{NAMED(K_UP, 0), CONTEXT_PANEL, KEY_ACTION_PANEL, "in a panel: choose a row (PgUp, PgDn: a page; Home, End: the first, the last)"},
	{NAMED(K_DOWN, 0), CONTEXT_PANEL, KEY_ACTION_PANEL, NULL},
	{NAMED(K_LEFT, 0), CONTEXT_PANEL, KEY_ACTION_PANEL, "sampler: one step down, one step up"},
	{NAMED(K_RIGHT, 0), CONTEXT_PANEL, KEY_ACTION_PANEL, NULL},
	{NAMED(K_LEFT, MOD_SHIFT), CONTEXT_PANEL, KEY_ACTION_PANEL, "sampler: ten steps"},
	{NAMED(K_RIGHT, MOD_SHIFT), CONTEXT_PANEL, KEY_ACTION_PANEL, NULL},
	{CHAR('0', 0), CONTEXT_PANEL, KEY_ACTION_PANEL, "sampler: switch off (0. begins a number)"},
	{CHAR('d', 0), CONTEXT_PANEL, KEY_ACTION_PANEL,
	 "sampler: go back to what the model, template or configuration says"},
	{CHAR('k', MOD_CTRL), CONTEXT_PANEL, KEY_ACTION_PANEL,
	 "sampler, models, themes: keep it for the next start, in config.yaml (/keep)"},
	{CHAR('s', MOD_CTRL), CONTEXT_PANEL, KEY_ACTION_PANEL,
	 "chats: sort by newest, oldest, title or length"},
	{CHAR('r', MOD_CTRL), CONTEXT_PANEL, KEY_ACTION_PANEL, "chats: rename the chosen chat"},
	{NAMED(K_DELETE, 0), CONTEXT_PANEL, KEY_ACTION_PANEL, "chats: move the chosen chat to the trash"},
	{CHAR('e', MOD_CTRL), CONTEXT_PANEL, KEY_ACTION_PANEL, "chats: export the chosen chat to a file"},
	{CHAR('t', MOD_CTRL), CONTEXT_PANEL, KEY_ACTION_PANEL,
	 "chats: show the trash, where Enter restores a chat; again: the chats"},
	{CHAR('x', MOD_CTRL), CONTEXT_PANEL, KEY_ACTION_PANEL, "chats: empty the trash"},
	{CHAR('b', 0), CONTEXT_PANEL, KEY_ACTION_PANEL, "what the model sees: turn token borders on or off"},
	{CHAR('i', 0), CONTEXT_PANEL, KEY_ACTION_PANEL, "what the model sees: turn token ids on or off"},
};
const size_t bindings_n = sizeof bindings / sizeof bindings[0];

/* Rows without help belong to the row before. */
static size_t group_end(size_t first)
{
	size_t i = first + 1;

	while (i < bindings_n && !bindings[i].help)
		i++;
	return i;
}

static bool does_the_same(const struct binding *a, const struct binding *b)
{
	return a->action == b->action && a->name && b->name && strcmp(a->name, b->name) == 0;
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

static void set_hint(struct keymap *map, size_t first, size_t before)
{
	const struct binding *row = &bindings[first];
	char *hint = map->hints[first];

	if (map->n > before)
		key_text(map->rows[before].key, hint);
	else if (row->action == KEY_ACTION_COMMAND)
		snprintf(hint, KEY_TEXT_MAX, "/%s", row->name);
	else
		snprintf(hint, KEY_TEXT_MAX, "no key");
}

/* One group of the table, without the keys that the file takes away, with those that it adds. */
static void lay_group(struct keymap *map, size_t first, bool placed[KEYMAP_CHANGES_MAX])
{
	const char *help = bindings[first].help;
	size_t before = map->n;

	for (size_t i = first; i < group_end(first); i++)
		if (bindings[i].context == CONTEXT_PANEL || !is_changed(map, bindings[i].key))
			add_row(map, &bindings[i], &help);
	for (size_t i = 0; i < map->n_changes; i++)
		if (does_the_same(&map->changes[i], &bindings[first])) {
			add_row(map, &map->changes[i], &help);
			placed[i] = true;
		}
	set_hint(map, first, before);
}

void keymap_lay(struct keymap *map)
{
	bool placed[KEYMAP_CHANGES_MAX] = {false};

	map->n = 0;
	for (size_t first = 0; first < bindings_n; first = group_end(first))
		lay_group(map, first, placed);
	for (size_t i = 0; i < map->n_changes; i++) {
		const char *help = map->changes[i].help;

		if (!placed[i] && map->changes[i].action != KEY_ACTION_READLINE)
			add_row(map, &map->changes[i], &help);
	}
}

void keymap_init(struct keymap *map)
{
	*map = (struct keymap){.n = 0};
	keymap_lay(map);
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

		if (row->context == CONTEXT_PANEL || row->action == KEY_ACTION_READLINE)
			continue;
		if (row->context == CONTEXT_EMPTY_LINE && !line_is_empty)
			continue;
		if (key_equals(row->key, key))
			return row;
	}
	return NULL;
}

const char *keymap_hint(const struct keymap *map, const char *name)
{
	for (size_t i = 0; i < bindings_n; i++)
		if (bindings[i].help && bindings[i].name && strcmp(bindings[i].name, name) == 0)
			return map->hints[i];
	return "no key";
}

const char *keymap_key_of(const struct keymap *map, const char *command)
{
	const char *hint = keymap_hint(map, command);

	return hint[0] == '/' || strcmp(hint, "no key") == 0 ? NULL : hint;
}
