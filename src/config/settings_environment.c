/* The environment's part of the settings: SOTTO_* variables. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "config/settings_internal.h"

static const char prefix[] = "SOTTO_";
enum { PREFIX_LEN = sizeof prefix - 1 };

/* Our variables that are not settings, spelled as settings would be. */
static const char *const others[] = {
	"config",     /* the configuration file */
	"data-dir",   /* instead of $XDG_DATA_HOME/sotto: chats, models */
	"pkgdatadir", /* what is installed with the program: guide, themes, prompts */
	"testdata",   /* reference data of the tests ... */
};
static const char tests[] = "test-"; /* ... and what else they are told */
enum { N_OTHERS = sizeof others / sizeof others[0] };

const char *settings_variable(char out[SETTINGS_VARIABLE_MAX], const char *name, size_t len)
{
	size_t n = PREFIX_LEN;

	memcpy(out, prefix, PREFIX_LEN);
	for (size_t i = 0; i < len && n < SETTINGS_VARIABLE_MAX - 1; i++)
		out[n++] = name[i] == '-' ? '_' : (char)toupper((unsigned char)name[i]);
	out[n] = '\0';
	return out;
}

/* The variable of one of an option's names, if it is set. */
static const char *find_variable(const char *name, size_t len, char variable[SETTINGS_VARIABLE_MAX])
{
	const char *value = getenv(settings_variable(variable, name, len));

	return value && *value ? value : NULL;
}

/* The value of an option's variable: the one of its own name, otherwise of an alias. Letters are names
 * for the command line alone: there T is not t. */
static const char *find_value(const struct option *option, char variable[SETTINGS_VARIABLE_MAX])
{
	const char *value = find_variable(option->name, strlen(option->name), variable);
	const char *alias = option->aliases;

	for (size_t n; !value && words_list_next(&alias, &n); alias += n)
		if (n > 1)
			value = find_variable(alias, n, variable);
	return value;
}

enum status settings_read_environment(struct settings *settings, struct error *err)
{
	for (size_t i = 0; i < settings->n; i++) {
		char variable[SETTINGS_VARIABLE_MAX];
		const char *value;

		if (settings->items[i].option->flags & OPTION_CLI_ONLY)
			continue;
		value = find_value(settings->items[i].option, variable);
		if (!value)
			continue;
		if (settings_put(&settings->items[i], value, ORIGIN_ENVIRONMENT, err)) {
			error_prefix(err, "%s", variable);
			if (err && err->status == STATUS_USAGE)
				err->status = STATUS_CONFIG;
			return STATUS_CONFIG;
		}
	}
	return STATUS_OK;
}

/* SOTTO_TOP_K as "top-k", and other spellings, too. */
static void option_name(const char *variable, size_t len, char name[SETTINGS_VARIABLE_MAX])
{
	len = len < SETTINGS_VARIABLE_MAX ? len : SETTINGS_VARIABLE_MAX - 1;
	for (size_t i = 0; i < len; i++)
		name[i] = variable[i] == '_' ? '-' : (char)tolower((unsigned char)variable[i]);
	name[len] = '\0';
}

static bool is_other(const char *name)
{
	for (size_t i = 0; i < N_OTHERS; i++)
		if (strcmp(name, others[i]) == 0)
			return true;
	return strncmp(name, tests, sizeof tests - 1) == 0;
}

static const char *nearest_variable(const struct settings *settings, const char *name)
{
	struct nearest nearest;

	nearest_init(&nearest, name, strlen(name));
	settings_offer(settings, 0, OPTION_CLI_ONLY, &nearest);
	for (size_t i = 0; i < N_OTHERS; i++)
		nearest_offer(&nearest, others[i]);
	return nearest_best(&nearest);
}

enum status settings_check_environment(const struct settings *settings, char *const *environment,
                                       struct buf *out)
{
	for (; environment && *environment; environment++) {
		const char *variable = *environment, *near;
		size_t len = strcspn(variable, "=");
		const struct setting *item;
		char name[SETTINGS_VARIABLE_MAX], used[SETTINGS_VARIABLE_MAX];
		bool exact;

		if (strncmp(variable, prefix, PREFIX_LEN) != 0 || len == PREFIX_LEN ||
		    variable[len] != '=' || !variable[len + 1])
			continue;
		option_name(variable + PREFIX_LEN, len - PREFIX_LEN, name);
		settings_variable(used, name, strlen(name));
		exact = strlen(used) == len && strncmp(used, variable, len) == 0;
		item = strlen(name) > 1 ? settings_lookup(settings, name, strlen(name)) : NULL;
		if (exact && is_other(name))
			continue;
		if (exact && item && !(item->option->flags & OPTION_CLI_ONLY)) {
			if (find_value(item->option, used) && (strncmp(used, variable, len) != 0 || used[len]))
				buf_printf(out, "%.*s has no effect: %s is set, too\n", (int)(len < 80 ? len : 80),
				           variable, used);
			continue;
		}
		buf_printf(out, "%.*s has no effect", (int)(len < 80 ? len : 80), variable);
		near = nearest_variable(settings, name);
		if (item && item->option->flags & OPTION_CLI_ONLY)
			buf_printf(out, ": --%s works on the command line only", item->option->name);
		else if (near)
			buf_printf(out, ", did you mean %s?",
			           settings_variable(used, near, strlen(near)));
		buf_putc(out, '\n');
	}
	return buf_status(out);
}
