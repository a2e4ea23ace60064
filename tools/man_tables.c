/* Prints the tables of keys, actions and commands as roff, for sotto(1): see
 * tools/update-man.sh. usage: man_tables keys|panel-keys|actions|commands */
#include <stdio.h>
#include <string.h>

#include "ui/commands.h"
#include "ui/keymap.h"

static void put_text(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\\')
			fputs("\\e", stdout);
		else if (text[i] == '-')
			fputs("\\-", stdout);
		else if (i == 0 && (text[i] == '.' || text[i] == '\''))
			printf("\\&%c", text[i]);
		else
			putchar(text[i]);
	}
}

static void put_bold(const char *text, size_t n)
{
	fputs("\\fB", stdout);
	put_text(text, n);
	fputs("\\fR", stdout);
}

/* Rows without help name further keys of the row before. */
static void put_keys(enum keymap_context context, int equal)
{
	char name[KEY_TEXT_MAX];

	for (size_t i = 0; i < bindings.n; i++) {
		const struct binding *first = &bindings.rows[i];

		if ((first->context == context) != equal)
			continue;
		puts(".TP");
		key_text(first->key, name);
		put_bold(name, strlen(name));
		for (; i + 1 < bindings.n && !bindings.rows[i + 1].help; i++) {
			fputs(", ", stdout);
			key_text(bindings.rows[i + 1].key, name);
			put_bold(name, strlen(name));
		}
		putchar('\n');
		put_text(first->help, strlen(first->help));
		puts(".");
	}
}

static void put_command(const struct keymap *keys, const struct command *command)
{
	const char *key = keymap_key_of(keys, command->name);
	const char *alias = command->aliases;

	puts(".TP");
	fputs("\\fB/", stdout);
	put_text(command->name, strlen(command->name));
	fputs("\\fR", stdout);
	if (command->usage) {
		fputs(" \\fI", stdout);
		put_text(command->usage, strlen(command->usage));
		fputs("\\fR", stdout);
	}
	for (int n = 0; alias && *alias; n++) {
		size_t len = strcspn(alias, " ");

		fputs(n ? ", " : " (", stdout);
		fputs("\\fB/", stdout);
		put_text(alias, len);
		fputs("\\fR", stdout);
		alias += len + strspn(alias + len, " ");
	}
	puts(command->aliases ? ")" : "");
	put_text(command->help, strlen(command->help));
	if (key) {
		fputs(" (", stdout);
		put_text(key, strlen(key));
		putchar(')');
	}
	puts(".");
}

/* What keys.yaml can bind keys to, besides commands. */
static void put_actions(void)
{
	for (size_t i = 0; i < bindings.n; i++) {
		const struct binding *row = &bindings.rows[i];

		if (!row->help || !row->name || !row->run)
			continue;
		puts(".TP");
		put_bold(row->name, strlen(row->name));
		putchar('\n');
		put_text(row->help, strlen(row->help));
		puts(".");
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	struct keymap keys;

	keymap_init(&keys, &bindings);
	if (strcmp(what, "keys") == 0) {
		put_keys(CONTEXT_PANEL, 0);
	} else if (strcmp(what, "panel-keys") == 0) {
		put_keys(CONTEXT_PANEL, 1);
	} else if (strcmp(what, "actions") == 0) {
		put_actions();
	} else if (strcmp(what, "commands") == 0) {
		for (size_t i = 0; i < commands.n; i++)
			put_command(&keys, &commands.rows[i]);
	} else {
		fputs("usage: man_tables keys|panel-keys|actions|commands\n", stderr);
		return 2;
	}
	return 0;
}
