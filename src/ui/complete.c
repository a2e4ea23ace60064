#include "ui/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "catalog/catalog.h"
#include "chat/mention.h"
#include "prompts/prompt_template.h"
#include "ui/command.h"
#include "ui/listers.h"

static void add_commands(struct complete_list *list, const struct command_table *commands,
                         const char *prefix, size_t n, const char *slash)
{
	char name[64];

	for (size_t i = 0; i < commands->n; i++) {
		snprintf(name, sizeof name, "%s%s", slash, commands->rows[i].name);
		complete_add(list, name, prefix, n);
	}
}

static void add_options(struct complete_list *list, const struct settings *settings,
                        const char *prefix, size_t n)
{
	for (size_t i = 0; settings && i < settings_n(settings); i++) {
		const struct option *option = settings_option(settings, i);

		if (option->flags & (OPTION_LIVE | OPTION_MODEL))
			complete_add(list, option->name, prefix, n);
	}
}

/* Names of a kind (ui/listers.h) that begin with the prefix. */
struct adding {
	struct complete_list *list;
	const char *prefix;
	size_t n;
};

static void add_name(void *context, const char *name, const char *about)
{
	const struct adding *adding = context;

	(void)about;
	complete_add(adding->list, name, adding->prefix, adding->n);
}

static void add_kind(struct complete_list *list, const char *kind, const char *from,
                     const char *prefix, size_t n)
{
	list_names(kind, from, add_name, &(struct adding){list, prefix, n});
}

/* Models of servers. */
static void add_servers(struct complete_list *list, const struct settings *settings, const char *prefix, size_t n)
{
	const struct option *option = settings ? settings_find(settings, "servers") : NULL;
	struct buf file = {.max = KIB(64)};

	if (option)
		settings_value_text(settings, option, &file);
	add_kind(list, "model", file.len ? buf_text(&file) : NULL, prefix, n);
	buf_free(&file);
}

/* Names, and before the first blank what can be done with one. */
static void add_presets(struct complete_list *list, const char *argument, size_t n)
{
	size_t word = n;

	while (word && argument[word - 1] != ' ')
		word--;
	if (!word) {
		complete_add(list, "compare", argument, n);
		complete_add(list, "save", argument, n);
	}
	list->start += word;
	add_kind(list, "preset", NULL, argument + word, n - word);
}

/* The template's variables that the line does not set yet. */
static void add_variables(struct complete_list *list, const struct prompt_template *tmpl,
                          const char *given, const char *prefix, size_t n)
{
	struct prompt_values values = {0};
	struct buf word = {.max = KIB(1)};

	/* Up to an open quote it may still be readable. */
	(void)!prompt_parse_values(given, (size_t)(prefix - given), &values, NULL);
	for (size_t i = 0; i < tmpl->n_variables; i++) {
		buf_clear(&word);
		if (!prompt_values_get(&values, tmpl->variables[i].name) &&
		    buf_printf(&word, "%s=", tmpl->variables[i].name) == STATUS_OK)
			complete_add(list, buf_text(&word), prefix, n);
	}
	buf_free(&word);
	prompt_values_free(&values);
}

/* The first word is a template's name, the words after it are its variables. */
static void add_templates(struct complete_list *list, const struct settings *settings,
                          const char *argument, size_t n)
{
	const struct prompt_template *tmpl;
	const struct option *option = settings ? settings_find(settings, "prompt-dir") : NULL;
	struct prompt_library *library;
	size_t name = 0, name_end, word = n;
	const char *dir;
	struct buf text = {.max = KIB(64)};

	while (name < n && argument[name] == '-') { /* --all */
		while (name < n && argument[name] != ' ')
			name++;
		while (name < n && argument[name] == ' ')
			name++;
	}
	for (name_end = name; name_end < n && argument[name_end] != ' ';)
		name_end++;
	while (word > name && argument[word - 1] != ' ')
		word--;
	list->start += word;
	if (option)
		settings_value_text(settings, option, &text);
	dir = text.len ? buf_text(&text) : NULL;
	if (name_end == n) {
		complete_add(list, "none", argument + name, n - name);
		add_kind(list, "template", dir, argument + name, n - name);
	} else if (!prompt_library_open_for(&library, dir, argument + name, name_end - name, &tmpl, NULL)) {
		add_variables(list, tmpl, argument + name_end, argument + word, n - word);
		prompt_library_close(library);
	}
	buf_free(&text);
}

/* What the value of an option can be. */
static void add_values(struct complete_list *list, const struct settings *settings,
                       const char *option_name, const char *prefix, size_t n)
{
	const struct option *option = settings ? settings_find(settings, option_name) : NULL;

	if (!option)
		return;
	complete_add(list, "default", prefix, n);
	if (option->type == OPTION_BOOL) {
		complete_add(list, "on", prefix, n);
		complete_add(list, "off", prefix, n);
	}
	for (size_t i = 0; option->type == OPTION_ENUM && option->values[i]; i++)
		complete_add(list, option->values[i], prefix, n);
	if (strcmp(option->name, "theme") == 0)
		add_kind(list, "theme", NULL, prefix, n);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Those from `first` on. */
static void sort(struct complete_list *list, size_t first)
{
	size_t kept = first;

	if (list->n > first)
		qsort(list->items + first, list->n - first, sizeof *list->items, compare);
	for (size_t i = first; i < list->n; i++) {
		if (kept > first && strcmp(list->items[kept - 1], list->items[i]) == 0)
			free(list->items[i]);
		else
			list->items[kept++] = list->items[i];
	}
	list->n = kept;
}

/* Commands, and after them, once a letter has been typed, the options that work as commands.
 * Returns how many commands, which are sorted. */
static size_t add_names(struct complete_list *list, const struct command_table *commands,
                        const struct settings *settings, const char *line, size_t n)
{
	size_t n_commands;
	char name[64];

	add_commands(list, commands, line, n, "/");
	sort(list, 0);
	n_commands = list->n;
	for (size_t i = 0; settings && n > 1 && i < settings_n(settings); i++) {
		const struct option *option = settings_option(settings, i);

		snprintf(name, sizeof name, "/%s", option->name);
		if (commands_have_option(commands, option))
			complete_add(list, name, line, n);
	}
	return n_commands;
}

/* The argument of a command: from its first byte to the caret. */
static void add_argument(struct complete_list *list, const struct command_table *commands,
                         const struct settings *settings, const struct command *command,
                         const char *argument, size_t n)
{
	const char *blank = memchr(argument, ' ', n);
	size_t word = 0;
	char name[64];

	switch (command->argument) {
	case ARGUMENT_MODEL:
		complete_add(list, CATALOG_GUIDE, argument, n);
		complete_add(list, "chat", argument, n);
		add_servers(list, settings, argument, n);
		complete_add_files(list, argument, n);
		break;
	case ARGUMENT_PULL:
		complete_add(list, "stop", argument, n);
		add_kind(list, "pull", NULL, argument, n);
		break;
	case ARGUMENT_PART:
		if (blank && strspn(argument, "0123456789") == (size_t)(blank - argument))
			word = (size_t)(blank + 1 - argument);
		list->start += word;
		complete_add_files(list, argument + word, n - word);
		break;
	case ARGUMENT_FORMAT:
		if (!blank) {
			add_kind(list, "export", NULL, argument, n);
			break;
		}
		for (word = (size_t)(blank - argument); word < n && argument[word] == ' ';)
			word++;
		list->start += word;
		complete_add_files(list, argument + word, n - word);
		break;
	case ARGUMENT_FILE: complete_add_files(list, argument, n); break;
	case ARGUMENT_FILES:
		word = complete_last_word(argument, n);
		list->start += word;
		complete_add_escaped(list, argument + word, n - word, 0);
		break;
	case ARGUMENT_CHAT:
		if (n && (memchr(argument, '/', n) || argument[0] == '~' || argument[0] == '.'))
			complete_add_files(list, argument, n);
		else
			add_kind(list, "resume", NULL, argument, n);
		break;
	case ARGUMENT_TEMPLATE: add_templates(list, settings, argument, n); break;
	case ARGUMENT_THEME: add_kind(list, "theme", NULL, argument, n); break;
	case ARGUMENT_PRESET: add_presets(list, argument, n); break;
	case ARGUMENT_COMMAND: add_commands(list, commands, argument, n, ""); break;
	case ARGUMENT_OPTION:
	case ARGUMENT_SETTING:
		if (!blank) {
			add_options(list, settings, argument, n);
			break;
		}
		word = (size_t)(blank - argument);
		if (word >= sizeof name)
			break;
		memcpy(name, argument, word);
		name[word] = '\0';
		while (word < n && argument[word] == ' ')
			word++;
		list->start += word;
		add_values(list, settings, name, argument + word, n - word);
		break;
	case ARGUMENT_NONE:
	case ARGUMENT_TEXT: break;
	}
}

/* Where the path of the last mention in the word from `start` on begins, which may follow other text;
 * 0: there is none. */
static size_t find_mention(const char *line, size_t start, size_t caret)
{
	for (size_t i = caret; i > start; i--)
		if (line[i - 1] == '@' && mention_may_begin(line, i - 1))
			return i;
	return 0;
}

void complete_line(const struct command_table *commands, const struct settings *settings,
                   const char *line, size_t caret, struct complete_list *list)
{
	size_t word = caret, name_end = 0, escaped = complete_last_word(line, caret), n_sorted = 0;
	size_t path = find_mention(line, escaped, caret);
	bool is_command = line[0] == '/' && line[1] != '/';

	*list = (struct complete_list){.n = 0};
	while (name_end < caret && line[name_end] != ' ' && line[name_end] != '\n')
		name_end++;
	while (word > 0 && line[word - 1] != ' ' && line[word - 1] != '\n')
		word--;
	if (is_command && caret && name_end == caret) {
		n_sorted = add_names(list, commands, settings, line, caret);
	} else if (is_command) {
		bool forced = name_end > 1 && line[name_end - 1] == '!';
		const struct command *command = command_find(commands, line + 1, name_end - 1 - forced);
		const struct option *option = command_option(settings, line + 1, name_end - 1);
		size_t argument = name_end;

		while (argument < caret && line[argument] == ' ')
			argument++;
		list->start = argument;
		if (command)
			add_argument(list, commands, settings, command, line + argument,
			             caret - argument);
		else if (option)
			add_values(list, settings, option->name, line + argument, caret - argument);
	} else if (path) {
		list->start = escaped;
		complete_add_escaped(list, line + escaped, caret - escaped, path - escaped);
	} else if (memchr(line + word, '/', caret - word)) {
		/* In a message only what looks like a path is one. */
		list->start = word;
		complete_add_files(list, line + word, caret - word);
	}
	if (list->has_failed)
		complete_free(list);
	else
		sort(list, n_sorted);
}
