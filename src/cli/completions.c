/* For the shells' completions (completions/): `sotto --complete WORD...` prints what the last word could
 * be, one candidate a line, perhaps with a tab and a description. Lines that begin with a colon are
 * for the shell: `:files` and `:dirs` say that these fit, too; `:names` that candidates may have
 * blanks. */
#include <string.h>

#include "cli/completions.h"

#include "base/limits.h"
#include "base/sanitize.h"
#include "base/words.h"
#include "catalog/catalog.h"
#include "catalog/recommended_models.h"
#include "cli/print.h"
#include "cli/subcommands.h"
#include "encode/builtin_templates.h"
#include "pull/name.h"
#include "pull/stored.h"
#include "quantize/recipe.h"
#include "ui/listers.h"

struct completion {
	const struct cli_command *command;
	const char *name; /* the command's */
	const struct settings *settings;
	const char *word; /* to be completed */
	int n_before;     /* words before it that are no options */
	struct buf out;
};

/* Both may come from files, and the shell shows them. A candidate that is more than a line of text is
 * none. */
static void offer(void *completion, const char *name, const char *text)
{
	struct completion *c = completion;
	struct buf safe = {.max = MIB(4)};
	bool same;

	if (strncmp(name, c->word, strlen(c->word)) != 0)
		return;
	same = !sanitize_line(&safe, name, strlen(name)) && strcmp(buf_text(&safe), name) == 0;
	if (same) {
		buf_puts(&c->out, name);
		if (text && text[0]) {
			buf_putc(&c->out, '\t');
			sanitize_line(&c->out, text, strcspn(text, "\n"));
		}
		buf_putc(&c->out, '\n');
	}
	buf_free(&safe);
}

/* Ids; and a title, once one has been begun. */
static void offer_chat(void *context, const char *id, const char *title)
{
	struct completion *c = context;

	offer(c, id, title);
	if (c->word[0] && title)
		offer(c, title, id);
}

static void offer_chats(struct completion *c)
{
	buf_puts(&c->out, ":names\n");
	list_names("resume", NULL, offer_chat, c);
}

/* A file of ollama's that no manifest names is called as it says itself. */
static bool is_named_by_ollama(const struct catalog_entry *entry)
{
	struct buf path = {.max = KIB(64)};
	bool is = strstr(entry->path, "/blobs/sha256-") && pull_name_looks_so(entry->name) &&
	          !stored_find(&path, entry->name, NULL);

	buf_free(&path);
	return is;
}

/* By its name, where it has one that may stand for the file; else, or once a path has been begun, by its path. */
static void offer_stored(struct completion *c, const struct catalog *catalog, const struct catalog_entry *entry)
{
	struct buf name = {.max = KIB(64)};

	if (is_named_by_ollama(entry))
		offer(c, entry->name, entry->path);
	else if (stored_put_name(&name, entry->path, catalog))
		offer(c, buf_text(&name), entry->name);
	else if (c->word[0] != '/')
		offer(c, entry->path, entry->name);
	if (c->word[0] == '/')
		offer(c, entry->path, entry->name);
	buf_free(&name);
}

static void offer_files(struct completion *c, bool with_unusable)
{
	struct engine_params params = {0};
	struct catalog *catalog;

	if (catalog_scan(&catalog, &params, NULL, NULL, NULL))
		return;
	for (size_t i = 0; i < catalog->n; i++)
		if (!catalog->entries[i].is_guide && (with_unusable || !catalog->entries[i].why))
			offer_stored(c, catalog, &catalog->entries[i]);
	catalog_free(catalog);
}

static void offer_models(struct completion *c)
{
	offer(c, CATALOG_GUIDE, "the model that comes with sotto");
	list_names("model", NULL, offer, c);
	offer_files(c, false);
}

static void offer_chat_templates(struct completion *c)
{
	for (size_t i = 0; i < builtin_n_templates; i++)
		offer(c, builtin_templates[i].name, NULL);
}

/* Options whose values have names, besides those of ui/listers.h. */
static const struct {
	const char *option;
	void (*offer)(struct completion *c);
} named[] = {
	{"resume", offer_chats}, {"model", offer_models}, {"chat-template", offer_chat_templates},
};

static void offer_values(struct completion *c, const struct option *option)
{
	const char *arg = option->arg ? option->arg : "";
	const size_t n = sizeof named / sizeof named[0];
	size_t at = 0;

	for (size_t i = 0; option->type == OPTION_ENUM && option->values[i]; i++)
		offer(c, option->values[i], NULL);
	while (at < n && strcmp(named[at].option, option->name) != 0)
		at++;
	if (at < n)
		named[at].offer(c);
	else
		list_names(option->name, NULL, offer, c);
	if (strstr(arg, "FILE"))
		buf_puts(&c->out, ":files\n");
	else if (strstr(arg, "DIR"))
		buf_puts(&c->out, ":dirs\n");
}

static void offer_flag(struct completion *c, const char *before, const char *name, size_t len,
                       const char *help)
{
	struct buf flag = {.max = KIB(1)};

	buf_printf(&flag, "%s%.*s", before, (int)len, name);
	offer(c, buf_text(&flag), help);
	buf_free(&flag);
}

/* As --help has it, and once that has been begun by other names, too. */
static void offer_option(struct completion *c, const struct option *option)
{
	const char *help = option->help, *at = option->aliases;
	bool is_on = settings_is_on_anyway(option);

	if (is_on && option->no_help)
		help = option->no_help;
	offer_flag(c, is_on ? "--no-" : "--", option->name, strlen(option->name), help);
	if (option->type == OPTION_BOOL && strlen(c->word) > strlen("--"))
		offer_flag(c, is_on ? "--" : "--no-", option->name, strlen(option->name), NULL);
	for (size_t n; words_list_next(&at, &n); at += n)
		if (n == 1 || strlen(c->word) > strlen("--"))
			offer_flag(c, n > 3 ? "--" : "-", at, n, help);
}

static void offer_words(struct completion *c)
{
	if (c->command->is_chat) {
		for (size_t i = 0; i < cli_n_subcommands; i++)
			offer(c, cli_subcommands[i].name, cli_subcommands[i].help);
	} else if (words_have("chats compare perplexity replay", c->name, strlen(c->name))) {
		offer_chats(c);
	} else if (strcmp(c->name, "servers") == 0) {
		offer(c, "check", "tell all about one server");
		list_names("server", NULL, offer, c);
	} else if (strcmp(c->name, "models") == 0) {
		if (c->n_before == 0) {
			offer(c, "rm", "delete a model that was fetched");
			offer(c, "verify", "compare its files with their digests");
			offer(c, "licence", "print its licence");
		} else {
			offer_files(c, true);
		}
	} else if (strcmp(c->name, "pull") == 0) {
		for (size_t i = 0; i < n_recommended; i++)
			offer(c, recommended[i].repository, recommended[i].name);
	} else if (c->n_before >= 2 && (strcmp(c->name, "convert") == 0 || strcmp(c->name, "quantize") == 0)) {
		for (size_t i = 0; i < n_recipes; i++)
			offer(c, recipes[i].name, recipes[i].help);
	} else if (c->command->takes_words && strcmp(c->name, "run") != 0) { /* its are a prompt */
		if (strcmp(c->name, "info") == 0)
			offer_models(c);
		buf_puts(&c->out, ":files\n");
	}
}

static bool has_end_of_options(int n, char **words)
{
	for (int i = 0; i < n; i++)
		if (strcmp(words[i], "--") == 0)
			return true;
	return false;
}

/* The option whose value the last word is. bash takes "--theme=da" for three words, and gives "="
 * where nothing follows it yet. */
static const struct option *find_waiting(struct completion *c, int n, char **words)
{
	const char *equals = strchr(c->word, '=');
	char name[64];

	if (strcmp(c->word, "=") == 0)
		c->word = "";
	else if (n >= 2 && strcmp(words[n - 2], "=") == 0)
		n--;
	else if (c->word[0] == '-' && equals && (size_t)(equals - c->word) < sizeof name) {
		size_t dashes = strspn(c->word, "-"), len = (size_t)(equals - c->word) - dashes;

		memcpy(name, c->word + dashes, len);
		name[len] = '\0';
		c->word = equals + 1;
		return settings_find(c->settings, name);
	}
	return settings_find_waiting(c->settings, n - 1, words);
}

int cli_complete(const struct cli_command *command, const char *name,
                 const struct settings *settings, int n, char **words)
{
	struct completion c = {.command = command, .name = name, .settings = settings,
	                       .word = n ? words[n - 1] : "", .out = {.max = MIB(4)}};
	bool is_word = has_end_of_options(n - 1, words);
	const struct option *waiting = n && !is_word ? find_waiting(&c, n, words) : NULL;

	for (int i = 0; i + 1 < n; i++)
		c.n_before += words[i][0] != '-' && (i == 0 || !settings_find_waiting(settings, i, words));
	if (waiting) {
		offer_values(&c, waiting);
	} else if (c.word[0] == '-' && !is_word) {
		for (size_t i = 0; i < settings_n(settings); i++)
			if (cli_is_in_help(command, settings_option(settings, i)))
				offer_option(&c, settings_option(settings, i));
	} else {
		offer_words(&c);
	}
	return cli_print_buf(&c.out, "the completions");
}
