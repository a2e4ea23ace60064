/* Taking a typed line apart. */
#include <string.h>

#include "base/nearest.h"
#include "base/words.h"
#include "ui/command.h"

/* What users of other programs may type, and what sotto has instead. */
static const struct {
	const char *words; /* separated by blanks */
	const char *answer;
} elsewhere[] = {
	{"redo again", "/regen asks for another reply"},
	{"rename title name", "/save NAME names the chat"},
	{"delete remove rm", "/load lists your chats; Del there deletes one"},
	{"trash undelete restore", "Ctrl+T in the list of /load shows the trash"},
	{"compact compress summarize summary", "/context-policy summary sums up old messages"},
	{"policy", "did you mean /context-policy?"},
	{"replay verify", "sotto replay CHAT, in a shell"},
	{"history", "Up brings back what you typed, /load your chats"},
	{"stop cancel abort", "Esc stops the reply"},
	{"settings options preferences params parameters", "/show lists the settings, /set changes one"},
	{"tokens count usage", "/context counts the tokens, /inspect shows them"},
	{"pull download install", "sotto models --advice, in a shell, says how"},
	{"multiline", "Ctrl+J begins a new line"},
	{"editor", "Ctrl+X Ctrl+E opens your editor"},
	{"persona character", "/template has roles, /system sets your own"},
	{"version about", "sotto --version, in a shell"},
};

const struct command *command_find(const struct command_table *commands, const char *name, size_t len)
{
	for (size_t i = 0; i < commands->n; i++)
		if ((strlen(commands->rows[i].name) == len && memcmp(commands->rows[i].name, name, len) == 0) ||
		    words_have(commands->rows[i].aliases, name, len))
			return &commands->rows[i];
	return NULL;
}

/* Takes the first word off a text. */
static void take_word(const char **text, size_t *len, const char **word, size_t *word_len)
{
	words_trim(text, len);
	*word = *text;
	*word_len = 0;
	while (*word_len < *len && !words_is_blank((*text)[*word_len]))
		(*word_len)++;
	*text += *word_len;
	*len -= *word_len;
	words_trim(text, len);
}

/* Removes the quotes around a text that contains no others of their kind. */
static bool unquote(const char **text, size_t *len)
{
	const char *quote = *text;

	if (*len < 2 || (*quote != '"' && *quote != '\'') || quote[*len - 1] != *quote ||
	    memchr(quote + 1, *quote, *len - 2))
		return false;
	(*text)++;
	*len -= 2;
	return true;
}

const char *command_instead(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
		if (words_have(elsewhere[i].words, name, len))
			return elsewhere[i].answer;
	return NULL;
}

bool commands_have_option(const struct command_table *commands, const struct option *option)
{
	return option->flags & (OPTION_LIVE | OPTION_MODEL) &&
	       !command_find(commands, option->name, strlen(option->name));
}

static enum status unknown_command(const struct command_table *commands, const struct settings *settings,
                                   const char *name, size_t len, struct error *err)
{
	const char *instead = command_instead(name, len);
	int shown = (int)(len < 60 ? len : 60);
	struct nearest nearest;

	if (instead)
		return error_set(err, STATUS_USAGE, "there is no command /%.*s: %s", shown, name, instead);
	nearest_init(&nearest, name, len);
	for (size_t i = 0; i < commands->n; i++) {
		nearest_offer(&nearest, commands->rows[i].name);
		nearest_offer_aliases(&nearest, commands->rows[i].aliases, commands->rows[i].name);
	}
	for (size_t i = 0; settings && i < settings_n(settings); i++)
		if (commands_have_option(commands, settings_option(settings, i)))
			nearest_offer(&nearest, settings_option(settings, i)->name);
	return error_set(err, STATUS_USAGE,
	                 nearest_best(&nearest)
	                         ? "there is no command /%.*s, did you mean /%s?"
	                         : "there is no command /%.*s; /help lists them, // sends a slash",
	                 shown, name, nearest_best(&nearest));
}

const struct option *command_option(const struct settings *settings, const char *name, size_t len)
{
	const struct option *option;
	char word[64];

	if (!settings || len < 2 || len >= sizeof word)
		return NULL;
	memcpy(word, name, len);
	word[len] = '\0';
	option = settings_find(settings, word);
	return option && !(option->flags & OPTION_CLI_ONLY) ? option : NULL;
}

/* "/temp 0.2": the name and everything after it go to /set. */
static const struct command *setting_command(const struct command_table *commands,
                                             const struct settings *settings, const char *name,
                                             size_t len)
{
	const char *equals = memchr(name, '=', len);

	if (!command_option(settings, name, equals ? (size_t)(equals - name) : len))
		return NULL;
	return command_find(commands, "set", 3);
}

bool command_is(const char *line, size_t len)
{
	return len && line[0] == '/' && (len < 2 || line[1] != '/');
}

enum status command_parse(const struct command_table *commands, const struct settings *settings,
                          const char *line, size_t len, struct command_call *call, struct error *err)
{
	const struct command *command;
	const char *name, *rest = line + 1;
	size_t name_len, rest_len;

	*call = (struct command_call){.argument = line, .argument_len = len};
	if (len == 0 || line[0] != '/')
		return STATUS_OK;
	if (len > 1 && line[1] == '/') {
		call->argument++;
		call->argument_len--;
		return STATUS_OK;
	}
	rest_len = len - 1;
	if (rest_len == 0 || words_is_blank(*rest))
		return error_set(err, STATUS_USAGE,
		                 "a command has a name after its slash; // sends a slash");
	take_word(&rest, &rest_len, &name, &name_len);
	command = command_find(commands, name, name_len);
	if (!command && name_len > 1 && name[name_len - 1] == '!') {
		command = command_find(commands, name, name_len - 1);
		call->forced = command && command->flags & COMMAND_CAN_BE_FORCED;
		command = call->forced ? command : NULL;
	}
	if (!command) {
		call->command = setting_command(commands, settings, name, name_len);
		if (!call->command)
			return unknown_command(commands, settings, name, name_len, err);
		call->argument = name;
		call->argument_len = (size_t)(rest + rest_len - name);
		words_trim(&call->argument, &call->argument_len);
		return STATUS_OK;
	}
	call->quoted = unquote(&rest, &rest_len);
	if (command->flags & COMMAND_NEEDS_ARGUMENT && rest_len == 0)
		return error_set(err, STATUS_USAGE, "/%s needs an argument: /%s %s", command->name,
		                 command->name, command->usage);
	if (command->argument == ARGUMENT_NONE && rest_len > 0)
		return error_set(err, STATUS_USAGE, "/%s takes no argument", command->name);
	call->command = command;
	call->argument = rest;
	call->argument_len = rest_len;
	return STATUS_OK;
}

enum status command_split_setting(const char *text, size_t len, struct buf *name, struct buf *value,
                                  struct error *err)
{
	const char *word;
	size_t word_len, key_len;

	take_word(&text, &len, &word, &word_len);
	/* ollama's users say `/set parameter temp 1`. */
	if (word_len == strlen("parameter") && memcmp(word, "parameter", word_len) == 0)
		take_word(&text, &len, &word, &word_len);
	for (key_len = 0; key_len < word_len && word[key_len] != '=';)
		key_len++;
	if (key_len < word_len) { /* name=value, name= value */
		len += (size_t)(text - (word + key_len + 1));
		text = word + key_len + 1;
	} else if (len && *text == '=') { /* name = value */
		text++;
		len--;
	}
	words_trim(&text, &len);
	if (key_len == 0 || (!unquote(&text, &len) && len == 0))
		return error_set(err, STATUS_USAGE, "/set needs a name and a value: /set temp 0.7");
	buf_append(name, word, key_len);
	buf_append(value, text, len);
	if (buf_status(name) || buf_status(value))
		return error_set(err, STATUS_LIMIT, "/set: the value is too long");
	return STATUS_OK;
}
