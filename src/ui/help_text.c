#include "ui/help_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/option_value.h"
#include "base/words.h"
#include "ui/command.h"

enum { HELP_TEXT_MAX = 4096, HELP_WORD_MAX = 128 };

/* Takes the name. */
static bool add_entry(struct help_text *help, char *name, const char *text)
{
	char *copy = alloc_strndup(text, strlen(text));

	if (!copy || !alloc_grow(&help->entries, &help->cap, help->n + 1, sizeof *help->entries,
	                         HELP_TEXT_MAX)) {
		free(copy);
		free(name);
		return false;
	}
	help->entries[help->n++] = (struct help_entry){name, copy};
	return true;
}

static bool add_heading(struct help_text *help, const char *heading)
{
	return (!help->n || add_entry(help, NULL, "")) && add_entry(help, NULL, heading);
}

static bool add_row(struct help_text *help, const char *name, const char *text)
{
	char *copy = alloc_strndup(name, strlen(name));

	return copy && add_entry(help, copy, text);
}

/* Adds an entry if it has all words of `find` (NULL: no words). Takes `name`. */
static bool add_found(struct help_text *help, const char *find, struct buf *name, const char *text)
{
	char *taken = buf_take(name, NULL);

	if (!taken)
		return false;
	for (size_t n; words_list_next(&find, &n); find += n) {
		char word[HELP_WORD_MAX];

		snprintf(word, sizeof word, "%.*s", (int)n, find);
		if (!strcasestr(taken, word) && !strcasestr(text, word)) {
			free(taken);
			return true;
		}
	}
	return add_entry(help, taken, text);
}

/* Rows of the table without help name further keys of the row before. */
static bool add_keys(struct help_text *help, const struct keymap *keys, bool in_panels,
                     const char *find)
{
	char name[KEY_TEXT_MAX];

	for (size_t i = 0; i < keys->n; i++) {
		const struct binding *first = &keys->rows[i];
		bool is_users = first->is_users, ok;
		struct buf names = {.max = HELP_TEXT_MAX}, text = {.max = HELP_TEXT_MAX};

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
		if ((first->context == CONTEXT_PANEL) != in_panels) {
			buf_free(&names);
			ok = true;
		} else {
			ok = add_found(help, find, &names, buf_text(&text));
		}
		buf_free(&text);
		if (!ok)
			return false;
	}
	return true;
}

/* What a line of keys.yaml makes of a key: "none", an action or a command. */
static bool add_change(struct help_text *help, const struct key_table *table, const struct binding *change)
{
	const char *before = NULL;
	char name[KEY_TEXT_MAX];
	struct buf text = {.max = HELP_TEXT_MAX};
	bool ok;

	buf_puts(&text, change->name ? change->name : "none");
	for (size_t i = 0; i < table->n; i++) {
		const struct binding *row = &table->rows[i];

		before = row->help ? row->help : before;
		if (row->context != CONTEXT_PANEL && key_equals(row->key, change->key))
			buf_printf(&text, "; before: %s", before);
	}
	ok = add_row(help, key_text(change->key, name), buf_text(&text));
	buf_free(&text);
	return ok;
}

bool help_text_keys(struct help_text *help, const struct keymap *keys, const char *path)
{
	if (!add_heading(help, keys->n_changes ? "Changed by" : "Nothing is changed by") ||
	    !add_entry(help, NULL, path))
		return false;
	for (size_t i = 0; i < keys->n_changes; i++)
		if (!add_change(help, keys->table, &keys->changes[i]))
			return false;
	return add_heading(help, "Keys") && add_keys(help, keys, false, NULL) &&
	       add_heading(help, "In panels, always") && add_keys(help, keys, true, NULL);
}

static bool add_command(struct help_text *help, const struct keymap *keys,
                        const struct command *command, const char *find)
{
	const char *key = keymap_key_of(keys, command->name);
	struct buf names = {.max = HELP_TEXT_MAX}, text = {.max = HELP_TEXT_MAX};
	bool ok;

	buf_printf(&text, key ? "%s (%s)" : "%s", command->help, key);
	buf_printf(&names, "/%s", command->name);
	if (command->usage)
		buf_printf(&names, " %s", command->usage);
	ok = add_found(help, find, &names, buf_text(&text));
	buf_free(&text);
	return ok;
}

static bool add_commands(struct help_text *help, const struct keymap *keys,
                         const struct command_table *commands, const char *find,
                         const struct command *but)
{
	for (size_t i = 0; i < commands->n; i++)
		if (&commands->rows[i] != but && !add_command(help, keys, &commands->rows[i], find))
			return false;
	return true;
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
static bool add_option(struct help_text *help, const struct settings *settings,
                       const struct option *option, const char *find)
{
	struct buf name = {.max = HELP_TEXT_MAX}, value = {.max = HELP_TEXT_MAX};
	struct buf text = {.max = 2 * HELP_TEXT_MAX};
	bool ok;

	buf_printf(&name, option->arg ? "%s %s" : "%s", option->name, option->arg);
	print_value(settings, option, &value);
	buf_printf(&text, value.len ? "%s; now %s" : "%s", option->help, buf_text(&value));
	ok = add_found(help, find, &name, buf_text(&text));
	buf_free(&value);
	buf_free(&text);
	return ok;
}

/* Those with one of these flags, or (0) all. */
static bool add_options(struct help_text *help, const struct settings *settings, unsigned flags,
                        const char *find, const struct option *but)
{
	for (size_t i = 0; i < settings_n(settings); i++) {
		const struct option *option = settings_option(settings, i);

		if (option != but && (!flags || option->flags & flags) &&
		    !add_option(help, settings, option, find))
			return false;
	}
	return true;
}

/* A row "also  /info, /config". */
static bool add_aliases(struct help_text *help, const char *aliases, const char *before)
{
	struct buf text = {.max = HELP_TEXT_MAX};
	bool ok;

	if (!aliases)
		return true;
	for (size_t n; words_list_next(&aliases, &n); aliases += n) {
		bool is_letter = n == 1 && before[0] == '-'; /* a short flag */

		buf_printf(&text, "%s%s%.*s", text.len ? ", " : "", is_letter ? "-" : before, (int)n,
		           aliases);
	}
	ok = add_row(help, "also", buf_text(&text));
	buf_free(&text);
	return ok;
}

/* True for /set, whose help lists what it sets. */
static bool lists_options(const struct command *command)
{
	return command && command->argument == ARGUMENT_SETTING;
}

/* All about one command. */
static bool add_whole_command(struct help_text *help, const struct keymap *keys,
                              const struct settings *settings, const struct command *command)
{
	char heading[HELP_WORD_MAX];

	snprintf(heading, sizeof heading, "/%s", command->name);
	if (!add_heading(help, heading) || !add_command(help, keys, command, NULL) ||
	    !add_aliases(help, command->aliases, "/"))
		return false;
	return !lists_options(command) ||
	       (add_heading(help, "What it sets") &&
	        add_options(help, settings, OPTION_LIVE | OPTION_MODEL, NULL, NULL));
}

static const char *when_it_acts(const struct option *option)
{
	if (option->flags & OPTION_LIVE)
		return "at once";
	return option->flags & OPTION_MODEL ? "with the next /model" : "when sotto starts";
}

/* All about one option: how it is given, its value, and who set that. */
static bool add_whole_option(struct help_text *help, const struct settings *settings,
                             const struct option *option)
{
	const char *arg = option->arg ? option->arg : "yes|no", *def = settings_default(settings, option);
	bool can_set = option->flags & (OPTION_LIVE | OPTION_MODEL), ok;
	struct buf name = {.max = HELP_TEXT_MAX}, value = {.max = HELP_TEXT_MAX};
	struct buf domain = {.max = HELP_TEXT_MAX};

	buf_printf(&name, can_set ? "/set %s %s" : option->arg ? "--%s %s" : "--%s", option->name, arg);
	print_value(settings, option, &value);
	option_print_domain(option, &domain);
	ok = add_heading(help, option->name) && add_found(help, NULL, &name, option->help) &&
	     add_row(help, "value", value.len ? buf_text(&value) : "none") &&
	     add_row(help, "set by", settings_origin_name(settings_origin_of(settings, option))) &&
	     add_row(help, "default", def ? def : "none") &&
	     (!domain.len || add_row(help, "range", buf_text(&domain))) &&
	     add_row(help, "acts", when_it_acts(option)) && add_aliases(help, option->aliases, "--");
	buf_free(&value);
	buf_free(&domain);
	return ok;
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

static bool add_group(struct help_text *help, size_t group, const struct search *search)
{
	switch (group) {
	case 0:
		return add_heading(help, "Keys") &&
		       add_keys(help, search->keys, false, search->words);
	case 1:
		return add_heading(help, "In panels") &&
		       add_keys(help, search->keys, true, search->words);
	case 2:
		return add_heading(help, "Commands") &&
		       add_commands(help, search->keys, search->commands, search->words, search->command);
	default:
		return add_heading(help, "Options") &&
		       (!search->settings || lists_options(search->command) ||
		        add_options(help, search->settings, 0, search->words, search->option));
	}
}

/* Removes a heading that nothing followed, with the blank row above it. */
static void end_group(struct help_text *help, size_t begin)
{
	if (help->entries[help->n - 1].name)
		return;
	while (help->n > begin)
		free(help->entries[--help->n].text);
}

static bool add_groups(struct help_text *help, const struct search *search)
{
	for (size_t group = 0; group < 4; group++) {
		size_t begin = help->n;

		if (!add_group(help, group, search))
			return false;
		end_group(help, begin);
	}
	return true;
}

bool help_text_all(struct help_text *help, const struct keymap *keys,
                   const struct command_table *commands)
{
	return add_groups(help, &(struct search){.keys = keys, .commands = commands});
}

bool help_text_find(struct help_text *help, const struct keymap *keys,
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
	return (!search.command || add_whole_command(help, keys, settings, search.command)) &&
	       (!search.option || add_whole_option(help, settings, search.option)) &&
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
