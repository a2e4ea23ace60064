/* What the chat screen can be told: data only, and its option table. */
#ifndef SOTTO_UI_PARAMS_H
#define SOTTO_UI_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "base/option.h"

/* The model of a new chat where none is named. */
enum start_with { START_LAST, START_GUIDE, START_ASK };

/* One row an option: its field in the struct, which owns its strings (NULL: unset), and what
 * base/option.h says of it. */
#define UI_OPTIONS(X) \
	X(char *, theme, .name = "theme", .type = OPTION_STRING, .def = "terminal16", .arg = "NAME", \
	  .help = "colours of the chat (/theme lists them)", .flags = OPTION_LIVE | OPTION_CHAT) \
	X(int, start_with, .name = "start-with", .type = OPTION_ENUM, .values = start_with_names, \
	  .def = "last", .arg = "last|guide|ask", \
	  .help = "the model of a new chat where none is named: the one used last, the guide, or ask which", \
	  .flags = OPTION_CHAT) \
	X(bool, offer_servers, .name = "offer-servers", .type = OPTION_BOOL, .def = "yes", \
	  .help = "list servers that seem to run on this machine among the models (F6)", \
	  .no_help = "look for no servers on this machine", .flags = OPTION_LIVE | OPTION_CHAT) \
	X(char *, system_prompt, .name = "system-prompt", .aliases = "sys", .type = OPTION_STRING, \
	  .arg = "TEXT", .help = "the system message of new chats") \
	X(char *, prompt_template, .name = "template", .aliases = "T", .type = OPTION_STRING, \
	  .arg = "NAME", .help = "the prompt template of new chats (sotto-prompt(5))") \
	X(char *, variables, .name = "variable", .aliases = "V", .type = OPTION_STRING, \
	  .arg = "NAME=VALUE", \
	  .help = "a variable of the prompt template; may be given several times", \
	  .flags = OPTION_WORDS) \
	X(char *, prompt_dir, .name = "prompt-dir", .type = OPTION_STRING, .arg = "DIR", \
	  .help = "a folder of prompt templates that is searched first", .flags = OPTION_PATH) \
	X(char *, preset, .name = "preset", .type = OPTION_STRING, .arg = "NAME", \
	  .help = "the sampling preset to begin with: creative, greedy, precise, or one of your own; other " \
	          "options override it") \
	X(bool, title, .name = "title", .type = OPTION_BOOL, .def = "yes", \
	  .help = "show the chat's title in the window's title", .no_help = "leave the window's title alone", \
	  .flags = OPTION_LIVE | OPTION_CHAT) \
	X(int, notify, .name = "notify", .type = OPTION_ENUM, .values = notify_way_names, .def = "off", \
	  .arg = "off|bell|osc9|osc777", \
	  .help = "how to tell you, while you look at another window, that a long reply is done", \
	  .flags = OPTION_LIVE | OPTION_CHAT) \
	X(int32_t, notify_after, .name = "notify-after", .type = OPTION_INT, .min = 0, .max = 86400, \
	  .def = "10", .arg = "N", .help = "seconds from which a reply counts as long, for --notify", \
	  .flags = OPTION_LIVE | OPTION_CHAT) \
	X(bool, mouse, .name = "mouse", .type = OPTION_BOOL, .def = "no", \
	  .help = "use the mouse in the chat (/mouse toggles it)", .flags = OPTION_LIVE | OPTION_CHAT) \
	X(int32_t, width, .name = "width", .type = OPTION_INT, .min = 0, .max = 10000, .def = "100", \
	  .arg = "N", \
	  .help = "maximum width of messages in the chat, in columns; 0 = as wide as the window", \
	  .flags = OPTION_LIVE | OPTION_CHAT) \
	X(char *, copy, .name = "copy", .type = OPTION_STRING, .def = "auto", .arg = "WAY", \
	  .help = "how /copy copies text: auto, osc52 (the terminal's clipboard), or a program, with its " \
	          "arguments, that reads the text from standard input", \
	  .flags = OPTION_LIVE | OPTION_CHAT) \
	X(int32_t, scrollback, .name = "scrollback", .type = OPTION_INT, .min = -1, .max = 1000000, .def = "-1", \
	  .arg = "N", \
	  .help = "lines of the chat left in the terminal when it ends; -1 = as many as the screen has, " \
	          "0 or --no-save = none", \
	  .flags = OPTION_LIVE | OPTION_CHAT) \
	X(bool, markdown, .name = "markdown", .type = OPTION_BOOL, .def = "yes", \
	  .help = "show replies as Markdown (/plain toggles it)", \
	  .no_help = "leave replies as the model wrote them", .flags = OPTION_LIVE | OPTION_CHAT) \
	X(int, confidence, .name = "confidence", .type = OPTION_ENUM, .values = kept_shade_names, .def = "off", \
	  .arg = "probability|entropy|off", \
	  .help = "shade replies by how sure the model was of each word (/confidence)", \
	  .flags = OPTION_LIVE | OPTION_CHAT) \
	X(char *, log, .name = "log", .type = OPTION_STRING, .arg = LOG_ARG, \
	  .help = "log what happens, for reports of faults: engine, cache, sampler, template, ui, or all; without FILE " \
	          "the chat's log is debug.log (/log says where), that of `sotto run` goes to standard error", \
	  .check = log_check) \
	X(bool, log_text, .name = "log-text", .type = OPTION_BOOL, .def = "no", \
	  .help = "let the log have what you and the model write, too") \
	X(bool, accessible, .name = "accessible", .type = OPTION_BOOL, .def = "no", \
	  .help = "chat in plain lines that are never redrawn, for screen readers", .flags = OPTION_CHAT) \
	X(bool, inline_chat, .name = "inline", .type = OPTION_BOOL, .def = "no", \
	  .help = "chat in the terminal's normal flow, without a full screen", .flags = OPTION_CHAT) \
	X(bool, keep_candidates, .name = "keep-candidates", .type = OPTION_BOOL, .def = "yes", \
	  .help = "keep what the model almost said with each reply, in a file beside the chat's (/tokens)", \
	  .no_help = "do not keep what the model almost said", .flags = OPTION_LIVE | OPTION_CHAT) \
	X(bool, save, .name = "save", .type = OPTION_BOOL, .def = "yes", \
	  .help = "save chats to disk", .no_help = "write no chats to disk") \
	X(char *, resume, .name = "resume", .type = OPTION_STRING, .arg = "CHAT", \
	  .help = "continue this chat: its id, title or path", .flags = OPTION_CLI_ONLY) \
	X(bool, resume_last, .name = "continue", .aliases = "C", .type = OPTION_BOOL, .def = "no", \
	  .help = "continue the last chat", .flags = OPTION_CLI_ONLY)

struct ui_params {
#define X(type, field, ...) type field;
	UI_OPTIONS(X)
#undef X
};

extern const struct option ui_options[];
extern const size_t ui_n_options;

#endif
