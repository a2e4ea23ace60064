#include "ui/help_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/option_value.h"
#include "base/words.h"
#include "ui/command.h"

enum { HELP_TEXT_MAX = 4096, HELP_WORD_MAX = 128 };

/* Takes the name. */
static void add_entry(struct help_text *help, char *name, const char *text)
{
	char *copy = alloc_strndup(text, strlen(text));

	if (copy && alloc_grow(&help->entries, &help->cap, help->n + 1, sizeof *help->entries,
	                       HELP_TEXT_MAX)) {
		help->entries[help->n++] = (struct help_entry){name, copy};
		return;
	}
	help->has_failed = true;
	free(copy);
	free(name);
}

static void add_heading(struct help_text *help, const char *heading)
{
	if (help->n)
		add_entry(help, NULL, "");
	add_entry(help, NULL, heading);
}

/* Adds an entry if it has all words of `find` (NULL: no words). Takes name and text. */
static void add_found(struct help_text *help, const char *find, struct buf *name, struct buf *text)
{
	char *taken = buf_take(name, NULL);
	bool has_all = true;

	for (size_t n; taken && words_list_next(&find, &n); find += n) {
		char word[HELP_WORD_MAX];

		snprintf(word, sizeof word, "%.*s", (int)n, find);
		has_all = has_all && (strcasestr(taken, word) || strcasestr(buf_text(text), word));
	}
	if (taken && has_all)
		add_entry(help, taken, buf_text(text));
	else
		free(taken);
	help->has_failed |= !taken;
	buf_free(text);
}

static void add_row(struct help_text *help, const char *name, const char *text)
{
	struct buf name_copy = {.max = HELP_TEXT_MAX}, text_copy = {.max = HELP_TEXT_MAX};

	buf_puts(&name_copy, name);
	buf_puts(&text_copy, text);
	add_found(help, NULL, &name_copy, &text_copy);
}

/* Rows of the table without help name further keys of the row before. */
static void add_keys(struct help_text *help, const struct keymap *keys, bool in_panels,
                     const char *find)
{
	char name[KEY_TEXT_MAX];

	for (size_t i = 0; i < keys->n; i++) {
		const struct binding *first = &keys->rows[i];
		bool is_users = first->is_users;
		struct buf names = {.max = HELP_TEXT_MAX}, text = {.max = HELP_TEXT_MAX};

		if ((first->context == CONTEXT_PANEL) != in_panels)
			continue;
		buf_puts(&names, key_text(first->key, name));
		buf_puts(&text, first->help);
		for (; i + 1 < keys->n && !keys->rows[i + 1].help; i++) {
			struct key key = keys->rows[i + 1].key;

			is_users |= keys->rows[i + 1].is_users;
			if (keys->has_no_shift_enter && key_is(key, K_ENTER, MOD_SHIFT))
				buf_puts(&text, " (Shift+Enter is Enter for this terminal)");
			else
				buf_printf(&names, ", %s", key_text(key, name));
		}
		buf_puts(&text, is_users ? " (keys.yaml)" : "");
		add_found(help, find, &names, &text);
	}
}

/* What a line of keys.yaml makes of a key: "none", an action or a command. */
static void add_change(struct help_text *help, const struct key_table *table,
                       const struct binding *change)
{
	struct buf name = {.max = HELP_TEXT_MAX}, text = {.max = HELP_TEXT_MAX};
	const char *before = NULL;
	char key[KEY_TEXT_MAX];

	buf_puts(&name, key_text(change->key, key));
	buf_puts(&text, change->name ? change->name : "none");
	for (size_t i = 0; i < table->n; i++) {
		const struct binding *row = &table->rows[i];

		before = row->help ? row->help : before;
		if (row->context != CONTEXT_PANEL && key_equals(row->key, change->key))
			buf_printf(&text, "; before: %s", before);
	}
	add_found(help, NULL, &name, &text);
}

void help_text_keys(struct help_text *help, const struct keymap *keys, const char *path)
{
	add_heading(help, keys->n_changes ? "Changed by" : "Nothing is changed by");
	add_entry(help, NULL, path);
	for (size_t i = 0; i < keys->n_changes; i++)
		add_change(help, keys->table, &keys->changes[i]);
	add_heading(help, "Keys");
	add_keys(help, keys, false, NULL);
	add_heading(help, "In panels, always");
	add_keys(help, keys, true, NULL);
}

static void add_command(struct help_text *help, const struct keymap *keys,
                        const struct command *command, const char *find)
{
	const char *key = keymap_key_of(keys, command->name);
	struct buf names = {.max = HELP_TEXT_MAX}, text = {.max = HELP_TEXT_MAX};

	buf_printf(&text, key ? "%s (%s)" : "%s", command->help, key);
	buf_printf(&names, "/%s", command->name);
	if (command->usage)
		buf_printf(&names, " %s", command->usage);
	add_found(help, find, &names, &text);
}

/* As a user would write it; nothing if it is not set. */
static void print_value(const struct settings *settings, const struct option *option,
                        struct buf *out)
{
	if (settings_value_text(settings, option, out)) {
		buf_clear(out);
		buf_puts(out, "\u2026"); /* too long for the help */
	}
}

/* "temp T"; its present value is shown after its help. */
static void add_option(struct help_text *help, const struct settings *settings,
                       const struct option *option, const char *find)
{
	struct buf name = {.max = HELP_TEXT_MAX}, value = {.max = HELP_TEXT_MAX};
	struct buf text = {.max = 2 * HELP_TEXT_MAX};

	buf_printf(&name, option->arg ? "%s %s" : "%s", option->name, option->arg);
	print_value(settings, option, &value);
	buf_printf(&text, value.len ? "%s; now %s" : "%s", option->help, buf_text(&value));
	add_found(help, find, &name, &text);
	buf_free(&value);
}

/* Those with one of these flags, or (0) all. */
static void add_options(struct help_text *help, const struct settings *settings, unsigned flags,
                        const char *find, const struct option *but)
{
	for (size_t i = 0; i < settings_n(settings); i++) {
		const struct option *option = settings_option(settings, i);

		if (option != but && (!flags || option->flags & flags))
			add_option(help, settings, option, find);
	}
}

/* A row "also  /info, /config". */
static void add_aliases(struct help_text *help, const char *aliases, const char *before)
{
	struct buf name = {.max = HELP_TEXT_MAX}, text = {.max = HELP_TEXT_MAX};

	if (!aliases)
		return;
	buf_puts(&name, "also");
	for (size_t n; words_list_next(&aliases, &n); aliases += n) {
		bool is_letter = n == 1 && before[0] == '-'; /* a short flag */

		buf_printf(&text, "%s%s%.*s", text.len ? ", " : "", is_letter ? "-" : before, (int)n,
		           aliases);
	}
	add_found(help, NULL, &name, &text);
}

/* True for /set, whose help lists what it sets. */
static bool lists_options(const struct command *command)
{
	return command && command->argument == ARGUMENT_SETTING;
}

/* All about one command. */
static void add_whole_command(struct help_text *help, const struct keymap *keys,
                              const struct settings *settings, const struct command *command)
{
	char heading[HELP_WORD_MAX];

	snprintf(heading, sizeof heading, "/%s", command->name);
	add_heading(help, heading);
	add_command(help, keys, command, NULL);
	add_aliases(help, command->aliases, "/");
	if (lists_options(command)) {
		add_heading(help, "What it sets");
		add_options(help, settings, OPTION_LIVE | OPTION_MODEL, NULL, NULL);
	}
}

static const char *when_it_acts(const struct option *option)
{
	if (option->flags & OPTION_LIVE)
		return "at once";
	return option->flags & OPTION_MODEL ? "with the next /model" : "when sotto starts";
}

/* All about one option: how it is given, its value, and who set that. */
static void add_whole_option(struct help_text *help, const struct settings *settings,
                             const struct option *option)
{
	const char *arg = option->arg ? option->arg : "yes|no", *def = settings_default(settings, option);
	bool can_set = option->flags & (OPTION_LIVE | OPTION_MODEL);
	struct buf name = {.max = HELP_TEXT_MAX}, value = {.max = HELP_TEXT_MAX};
	struct buf domain = {.max = HELP_TEXT_MAX};

	buf_printf(&name, can_set ? "/set %s %s" : option->arg ? "--%s %s" : "--%s", option->name, arg);
	print_value(settings, option, &value);
	option_print_domain(option, &domain);
	add_heading(help, option->name);
	add_row(help, buf_text(&name), option->help);
	add_row(help, "value", value.len ? buf_text(&value) : "none");
	add_row(help, "set by", settings_origin_name(settings_origin_of(settings, option)));
	add_row(help, "default", def ? def : "none");
	if (domain.len)
		add_row(help, "range", buf_text(&domain));
	add_row(help, "acts", when_it_acts(option));
	add_aliases(help, option->aliases, "--");
	buf_free(&name);
	buf_free(&value);
	buf_free(&domain);
}

/* What is searched for, and what was found by its name and is listed already. */
struct search {
	const struct keymap *keys;
	const struct command_table *commands;
	const struct settings *settings; /* NULL: options are left out */
	const char *words;               /* NULL: everything */
	const struct command *command;   /* NULL: none */
	const struct option *option;     /* NULL: none */
};

/* Removes a heading that nothing followed, with the blank row above it. Returns where the next
 * group begins. */
static size_t end_group(struct help_text *help, size_t begin)
{
	if (help->n && !help->entries[help->n - 1].name)
		while (help->n > begin)
			free(help->entries[--help->n].text);
	return help->n;
}

static void add_groups(struct help_text *help, const struct search *search)
{
	size_t begin = help->n;

	add_heading(help, "Keys");
	add_keys(help, search->keys, false, search->words);
	begin = end_group(help, begin);
	add_heading(help, "In panels");
	add_keys(help, search->keys, true, search->words);
	begin = end_group(help, begin);
	add_heading(help, "Commands");
	for (size_t i = 0; i < search->commands->n; i++)
		if (&search->commands->rows[i] != search->command)
			add_command(help, search->keys, &search->commands->rows[i], search->words);
	begin = end_group(help, begin);
	add_heading(help, "Options");
	if (search->settings && !lists_options(search->command))
		add_options(help, search->settings, 0, search->words, search->option);
	end_group(help, begin);
}

void help_text_all(struct help_text *help, const struct keymap *keys,
                   const struct command_table *commands)
{
	add_groups(help, &(struct search){.keys = keys, .commands = commands});
}

void help_text_find(struct help_text *help, const struct keymap *keys,
                    const struct command_table *commands, const struct settings *settings,
                    const char *words)
{
	struct search search = {.keys = keys, .commands = commands, .settings = settings,
	                        .words = words + strspn(words, "/-")};
	char name[HELP_WORD_MAX];
	size_t n = 0;

	for (const char *c = search.words; *c && n + 1 < sizeof name; c++)
		name[n++] = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
	name[n] = '\0';
	if (words[0] != '-')
		search.command = command_find(commands, name, strlen(name));
	if (words[0] != '/')
		search.option = settings_find(settings, name);
	if (search.command)
		add_whole_command(help, keys, settings, search.command);
	if (search.option)
		add_whole_option(help, settings, search.option);
	add_groups(help, &search);
}

void help_text_free(struct help_text *help)
{
	for (size_t i = 0; i < help->n; i++) {
		free(help->entries[i].name);
		free(help->entries[i].text);
	}
	free(help->entries);
	*help = (struct help_text){.n = 0};
}
