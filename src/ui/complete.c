#include "ui/complete.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "catalog/catalog.h"
#include "chat/mention.h"
#include "prompts/prompt_template.h"
#include "ui/command.h"
#include "ui/listers.h"

static enum status add_commands(struct complete_list *list, const struct command_table *commands,
                                const char *prefix, size_t n, const char *slash)
{
	char name[64] = "";
	enum status status = STATUS_OK;

	for (size_t i = 0; i < commands->n && !status; i++) {
		strncpy(name, slash, sizeof name - 1);
		strncat(name, commands->rows[i].name, sizeof name - 1 - strlen(name));
		status = complete_add(list, name, prefix, n);
	}
	return status;
}

static enum status add_options(struct complete_list *list, const struct settings *settings,
                               const char *prefix, size_t n)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; settings && i < settings_n(settings) && !status; i++) {
		const struct option *option = settings_option(settings, i);

		if (option->flags & (OPTION_LIVE | OPTION_MODEL))
			status = complete_add(list, option->name, prefix, n);
	}
	return status;
}

/* Names of a kind (ui/listers.h) that begin with the prefix. */
struct adding {
	struct complete_list *list;
	const char *prefix;
	size_t n;
	enum status status;
};

static void add_name(void *context, const char *name, const char *about)
{
	struct adding *adding = context;

	(void)about;
	if (!adding->status)
		adding->status = complete_add(adding->list, name, adding->prefix, adding->n);
}

static enum status add_kind(struct complete_list *list, const char *kind, const char *prompt_dir,
                            const char *prefix, size_t n)
{
	struct adding adding = {list, prefix, n, STATUS_OK};

	list_names(kind, prompt_dir, add_name, &adding);
	return adding.status;
}

/* Names, and before the first blank what can be done with one. */
static enum status add_presets(struct complete_list *list, const char *argument, size_t n)
{
	const char *blank = memchr(argument, ' ', n);
	enum status status = STATUS_OK;

	if (!blank) {
		status = complete_add(list, "compare", argument, n);
		if (!status)
			status = complete_add(list, "save", argument, n);
	}
	while (blank) { /* the last word */
		size_t skipped = (size_t)(blank + 1 - argument);

		list->start += skipped;
		argument += skipped;
		n -= skipped;
		blank = memchr(argument, ' ', n);
	}
	return status ? status : add_kind(list, "preset", NULL, argument, n);
}

/* The template's variables that the line does not set yet. */
static enum status add_variables(struct complete_list *list, const struct prompt_template *tmpl,
                                 const char *given, const char *prefix, size_t n)
{
	struct prompt_values values = {0};
	enum status status = STATUS_OK;
	struct buf word = {.max = KIB(1)};

	/* Up to an open quote it may still be readable. */
	(void)!prompt_parse_values(given, (size_t)(prefix - given), &values, NULL);
	for (size_t i = 0; i < tmpl->n_variables && !status; i++) {
		buf_clear(&word);
		if (!prompt_values_get(&values, tmpl->variables[i].name) &&
		    buf_printf(&word, "%s=", tmpl->variables[i].name) == STATUS_OK)
			status = complete_add(list, buf_text(&word), prefix, n);
	}
	buf_free(&word);
	prompt_values_free(&values);
	return status;
}

/* The first word is a template's name, the words after it are its variables. */
static enum status add_templates(struct complete_list *list, const struct settings *settings,
                                 const char *argument, size_t n)
{
	const struct prompt_template *tmpl;
	const struct option *option = settings ? settings_find(settings, "prompt-dir") : NULL;
	struct prompt_library *library;
	enum status status = STATUS_OK;
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
		status = complete_add(list, "none", argument + name, n - name);
		if (!status)
			status = add_kind(list, "template", dir, argument + name, n - name);
	} else if (!prompt_library_open_for(&library, dir, argument + name, name_end - name, &tmpl, NULL)) {
		status = add_variables(list, tmpl, argument + name_end, argument + word, n - word);
		prompt_library_close(library);
	}
	buf_free(&text);
	return status;
}

/* What the value of an option can be. */
static enum status add_values(struct complete_list *list, const struct settings *settings,
                              const char *option_name, const char *prefix, size_t n)
{
	const struct option *option = settings ? settings_find(settings, option_name) : NULL;
	enum status status = STATUS_OK;

	if (!option || complete_add(list, "default", prefix, n))
		return option ? STATUS_NOMEM : STATUS_OK;
	if (option->type == OPTION_BOOL) {
		status = complete_add(list, "on", prefix, n);
		return status ? status : complete_add(list, "off", prefix, n);
	}
	for (size_t i = 0; option->type == OPTION_ENUM && option->values[i] && !status; i++)
		status = complete_add(list, option->values[i], prefix, n);
	if (strcmp(option->name, "theme") == 0)
		status = add_kind(list, "theme", NULL, prefix, n);
	return status;
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

/* Commands, and after them, once a letter has been typed, the options that work as commands. */
static enum status add_names(struct complete_list *list, const struct command_table *commands,
                             const struct settings *settings, const char *line, size_t n)
{
	enum status status = add_commands(list, commands, line, n, "/");
	size_t n_commands = list->n;

	if (!status) {
		sort(list, 0);
		for (size_t i = 0; settings && n > 1 && i < settings_n(settings) && !status; i++) {
			const struct option *option = settings_option(settings, i);
			char name[64];

			if (!commands_have_option(commands, option))
				continue;
			snprintf(name, sizeof name, "/%s", option->name);
			status = complete_add(list, name, line, n);
		}
	}
	if (status)
		complete_free(list);
	else
		sort(list, n_commands);
	return status;
}

/* The argument of a command: from its first byte to the caret. */
static enum status complete_argument(const struct command_table *commands,
                                     const struct settings *settings, const struct command *command,
                                     const char *argument, size_t n, struct complete_list *list)
{
	const char *blank = memchr(argument, ' ', n);
	size_t word;

	switch (command->argument) {
	case ARGUMENT_MODEL:
		if (complete_add(list, CATALOG_GUIDE, argument, n) || complete_add(list, "chat", argument, n))
			return STATUS_NOMEM;
		return complete_add_files(list, argument, n);
	case ARGUMENT_PART:
		if (blank && strspn(argument, "0123456789") == (size_t)(blank - argument)) {
			size_t number = (size_t)(blank + 1 - argument);

			list->start += number;
			return complete_add_files(list, argument + number, n - number);
		}
		return complete_add_files(list, argument, n);
	case ARGUMENT_FORMAT:
		if (!blank)
			return add_kind(list, "export", NULL, argument, n);
		while (blank < argument + n && *blank == ' ')
			blank++;
		list->start += (size_t)(blank - argument);
		return complete_add_files(list, blank, n - (size_t)(blank - argument));
	case ARGUMENT_FILE: return complete_add_files(list, argument, n);
	case ARGUMENT_FILES:
		word = complete_last_word(argument, n);
		list->start += word;
		return complete_add_escaped(list, argument + word, n - word, 0);
	case ARGUMENT_CHAT:
		if (n && (memchr(argument, '/', n) || argument[0] == '~' || argument[0] == '.'))
			return complete_add_files(list, argument, n);
		return add_kind(list, "resume", NULL, argument, n);
	case ARGUMENT_TEMPLATE: return add_templates(list, settings, argument, n);
	case ARGUMENT_THEME: return add_kind(list, "theme", NULL, argument, n);
	case ARGUMENT_PRESET: return add_presets(list, argument, n);
	case ARGUMENT_COMMAND: return add_commands(list, commands, argument, n, "");
	case ARGUMENT_OPTION:
	case ARGUMENT_SETTING:
		if (blank) {
			size_t name_len = (size_t)(blank - argument);
			char name[64];

			if (name_len >= sizeof name)
				return STATUS_OK;
			memcpy(name, argument, name_len);
			name[name_len] = '\0';
			while (name_len < n && argument[name_len] == ' ')
				name_len++;
			list->start += name_len;
			return add_values(list, settings, name, argument + name_len, n - name_len);
		}
		return add_options(list, settings, argument, n);
	case ARGUMENT_NONE:
	case ARGUMENT_TEXT: break;
	}
	return STATUS_OK;
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

enum status complete_line(const struct command_table *commands, const struct settings *settings,
                          const char *line, size_t caret, struct complete_list *list)
{
	enum status status = STATUS_OK;
	size_t word = caret, name_end = 0, escaped = complete_last_word(line, caret);
	size_t path = find_mention(line, escaped, caret);

	*list = (struct complete_list){.n = 0};
	while (name_end < caret && line[name_end] != ' ' && line[name_end] != '\n')
		name_end++;
	while (word > 0 && line[word - 1] != ' ' && line[word - 1] != '\n')
		word--;
	if (caret && line[0] == '/' && line[1] != '/' && name_end == caret) {
		return add_names(list, commands, settings, line, caret);
	} else if (line[0] == '/' && line[1] != '/') {
		bool forced = name_end > 1 && line[name_end - 1] == '!';
		const struct command *command = command_find(commands, line + 1, name_end - 1 - forced);
		size_t argument = name_end;

		while (argument < caret && line[argument] == ' ')
			argument++;
		list->start = argument;
		if (command) {
			status = complete_argument(commands, settings, command, line + argument, caret - argument,
			                           list);
		} else {
			const struct option *option = command_option(settings, line + 1, name_end - 1);

			if (option)
				status = add_values(list, settings, option->name, line + argument,
				                    caret - argument);
		}
	} else if (path) {
		list->start = escaped;
		status = complete_add_escaped(list, line + escaped, caret - escaped, path - escaped);
	} else if (memchr(line + word, '/', caret - word)) {
		/* In a message only what looks like a path is one. */
		list->start = word;
		status = complete_add_files(list, line + word, caret - word);
	}
	if (status)
		complete_free(list);
	else
		sort(list, 0);
	return status;
}
