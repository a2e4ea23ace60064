#include "chat/commands.h"

#include <string.h>

#include "base/nearest.h"
#include "base/words.h"

const struct command commands[] = {
	{"help", "?", ACTION_HELP, ARGUMENT_COMMAND, false, "[WORD]",
	 "show keys and commands, or find a word in them and in the options"},
	{"quit", "exit bye q", ACTION_QUIT, ARGUMENT_NONE, false, NULL,
	 "leave; the chat is saved (/quit! leaves even if it could not be)"},
	{"new", "clear reset", ACTION_NEW, ARGUMENT_NONE, false, NULL,
	 "start a new chat; the old one is kept"},
	{"model", "models", ACTION_MODEL, ARGUMENT_MODEL, false, "[FILE|guide]",
	 "load another model, or choose one of this machine's (F6)"},
	{"system", NULL, ACTION_SYSTEM, ARGUMENT_TEXT, false, "[TEXT]",
	 "set the system prompt (none: clear it), or show it"},
	{"template", "role templates", ACTION_TEMPLATE, ARGUMENT_TEMPLATE, false,
	 "[-a] [NAME VARIABLE=VALUE...]",
	 "switch the prompt template (none: without) from here on, -a: of the whole chat; or choose one (F4)"},
	{"set", NULL, ACTION_SET, ARGUMENT_OPTION, true, "NAME VALUE",
	 "change a setting; the value default undoes that; /NAME VALUE is the same"},
	{"sampler", "sliders", ACTION_SAMPLER, ARGUMENT_NONE, false, NULL, "sampler sliders (F2)"},
	{"show", "info config", ACTION_SHOW, ARGUMENT_OPTION, false, "[NAME]",
	 "show the settings and where they come from"},
	{"save", NULL, ACTION_SAVE, ARGUMENT_FILE, false, "[NAME|FILE]",
	 "name this chat; with a / or .yaml write a copy to that file"},
	{"load", "resume open session switch chats", ACTION_LOAD, ARGUMENT_CHAT, false, "[NAME|FILE]",
	 "go on with another chat, or choose one (F5)"},
	{"list", "sessions", ACTION_LIST, ARGUMENT_NONE, false, NULL, "list the saved chats"},
	{"regen", "retry regenerate", ACTION_REGEN, ARGUMENT_NONE, false, NULL,
	 "answer again; the old reply is kept"},
	{"edit", NULL, ACTION_EDIT, ARGUMENT_TEXT, false, "[N]",
	 "change your last (Nth last) message and send it again; the old one is kept"},
	{"stats", NULL, ACTION_STATS, ARGUMENT_NONE, false, NULL, "times and speeds of the last reply"},
	{"context", NULL, ACTION_CONTEXT, ARGUMENT_NONE, false, NULL,
	 "show what fills the context"},
	{"inspect", "dump prompt", ACTION_INSPECT, ARGUMENT_NONE, false, NULL,
	 "show what the model sees, token by token (F8)"},
	{"think", NULL, ACTION_THINK, ARGUMENT_TEXT, false, "[on|off|auto]",
	 "whether a model that can think first is to do so"},
	{"theme", "themes", ACTION_THEME, ARGUMENT_THEME, false, "[NAME]",
	 "change the colours, or choose a theme (F7)"},
	{"mouse", NULL, ACTION_MOUSE, ARGUMENT_TEXT, false, "[on|off]",
	 "let the chat have the mouse, or not (F9)"},
};

/* What people type who know other programs, and what there is here instead. */
static const struct {
	const char *words; /* separated by blanks */
	const char *answer;
} elsewhere[] = {
	{"export write dump-chat", "/save FILE.yaml writes a copy of the chat"},
	{"undo back", "Alt+E or /edit changes your last message"},
	{"redo again", "/regen asks for another reply"},
	{"rename title name", "/save NAME names the chat"},
	{"copy yank", "with the mouse off (F9) the terminal selects and copies"},
	{"delete remove rm", "a chat is a file; /save says which"},
	{"history", "Up and Ctrl+R bring back what you typed, F5 lists your chats"},
	{"search find grep", "Ctrl+R searches what you typed, /help WORD the help"},
	{"stop cancel abort", "Esc stops the reply"},
	{"file attach upload include read", "sotto run -f FILE, in a shell, or paste the text"},
	{"settings options preferences params parameters", "/show lists the settings, /set changes one"},
	{"tokens count usage", "/context counts the tokens, F8 shows them"},
	{"keys hotkeys shortcuts bindings", "F1 or /help shows the keys"},
	{"pull download install", "sotto models, in a shell, says which model to get, and how"},
	{"multiline", "Ctrl+J begins a new line"},
	{"editor", "Ctrl+X Ctrl+E opens your editor"},
	{"persona character", "F4 or /template has roles, /system sets your own"},
	{"version about", "sotto --version, in a shell"},
};

const size_t commands_n = sizeof commands / sizeof commands[0];

const struct command *command_find(const char *name, size_t len)
{
	for (size_t i = 0; i < commands_n; i++)
		if ((strlen(commands[i].name) == len && memcmp(commands[i].name, name, len) == 0) ||
		    words_have(commands[i].aliases, name, len))
			return &commands[i];
	return NULL;
}

static void trim(const char **text, size_t *len)
{
	while (*len && words_is_blank(**text)) {
		(*text)++;
		(*len)--;
	}
	while (*len && words_is_blank((*text)[*len - 1]))
		(*len)--;
}

/* Takes the first word off a text. */
static void take_word(const char **text, size_t *len, const char **word, size_t *word_len)
{
	trim(text, len);
	*word = *text;
	*word_len = 0;
	while (*word_len < *len && !words_is_blank((*text)[*word_len]))
		(*word_len)++;
	*text += *word_len;
	*len -= *word_len;
	trim(text, len);
}

/* Leaves out the quotes around a text that has no others of their kind. */
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

static const char *there_is_instead(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
		if (words_have(elsewhere[i].words, name, len))
			return elsewhere[i].answer;
	return NULL;
}

bool commands_have_option(const struct option *option)
{
	return option->flags & (OPTION_LIVE | OPTION_MODEL) &&
	       !command_find(option->name, strlen(option->name));
}

static enum status unknown_command(const struct settings *settings, const char *name, size_t len,
                                   struct error *err)
{
	const char *instead = there_is_instead(name, len);
	int shown = (int)(len < 60 ? len : 60);
	struct nearest nearest;

	if (instead)
		return error_set(err, STATUS_USAGE, "there is no command /%.*s: %s", shown, name, instead);
	nearest_init(&nearest, name, len);
	for (size_t i = 0; i < commands_n; i++) {
		nearest_offer(&nearest, commands[i].name);
		nearest_offer_aliases(&nearest, commands[i].aliases, commands[i].name);
	}
	for (size_t i = 0; settings && i < settings_n(settings); i++)
		if (commands_have_option(settings_option(settings, i)))
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

enum status command_parse(const char *line, size_t len, const struct settings *settings,
                          struct action *action, struct error *err)
{
	const struct command *command;
	const char *name, *rest = line + 1;
	size_t name_len, rest_len;
	bool quoted, forced = false;

	*action = (struct action){.kind = ACTION_SEND, .argument = line, .argument_len = len};
	if (len == 0 || line[0] != '/')
		return STATUS_OK;
	if (len > 1 && line[1] == '/') {
		action->argument++;
		action->argument_len--;
		return STATUS_OK;
	}
	rest_len = len - 1;
	if (rest_len == 0 || words_is_blank(*rest))
		return error_set(err, STATUS_USAGE,
		                 "a command's name has to follow the slash; // sends one");
	take_word(&rest, &rest_len, &name, &name_len);
	command = command_find(name, name_len);
	if (!command && name_len > 1 && name[name_len - 1] == '!') {
		command = command_find(name, name_len - 1);
		forced = command && command->action == ACTION_QUIT;
		command = forced ? command : NULL;
	}
	if (!command) {
		const char *equals = memchr(name, '=', name_len);
		size_t option_len = equals ? (size_t)(equals - name) : name_len;

		if (!command_option(settings, name, option_len))
			return unknown_command(settings, name, name_len, err);
		*action = (struct action){.kind = ACTION_SET, .argument = name,
		                          .argument_len = (size_t)(rest + rest_len - name)};
		trim(&action->argument, &action->argument_len);
		return STATUS_OK;
	}
	quoted = unquote(&rest, &rest_len);
	if (command->needs_argument && rest_len == 0)
		return error_set(err, STATUS_USAGE, "/%s needs more: /%s %s", command->name,
		                 command->name, command->usage);
	if (command->argument == ARGUMENT_NONE && rest_len > 0)
		return error_set(err, STATUS_USAGE, "/%s takes no argument", command->name);
	*action = (struct action){.kind = command->action, .argument = rest,
	                          .argument_len = rest_len, .quoted = quoted, .forced = forced};
	return STATUS_OK;
}

enum status command_split_setting(const struct action *action, struct buf *name, struct buf *value,
                                  struct error *err)
{
	const char *text = action->argument, *word;
	size_t len = action->argument_len, word_len, key_len;

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
	trim(&text, &len);
	if (key_len == 0 || (!unquote(&text, &len) && len == 0))
		return error_set(err, STATUS_USAGE, "/set needs a name and a value: /set temp 0.7");
	buf_append(name, word, key_len);
	buf_append(value, text, len);
	if (buf_status(name) || buf_status(value))
		return error_set(err, STATUS_LIMIT, "/set: the value is too long");
	return STATUS_OK;
}
