#include "ui/params.h"

const struct option ui_options[] = {
	{.name = "theme", .type = OPTION_STRING, .offset = offsetof(struct ui_params, theme),
	 .def = "terminal16", .arg = "NAME", .help = "colours of the chat (/theme lists them)",
	 .flags = OPTION_LIVE | OPTION_CHAT},
	{.name = "system-prompt", .aliases = "sys", .type = OPTION_STRING,
	 .offset = offsetof(struct ui_params, system_prompt), .arg = "TEXT",
	 .help = "the system message of new chats"},
	{.name = "mouse", .type = OPTION_BOOL, .offset = offsetof(struct ui_params, mouse),
	 .def = "no", .help = "let the chat have the mouse (F9 toggles it)",
	 .flags = OPTION_LIVE | OPTION_CHAT},
	{.name = "save", .type = OPTION_BOOL, .offset = offsetof(struct ui_params, save),
	 .def = "yes", .help = "keep chats on disk; --no-save writes nothing of a chat",
	 .flags = OPTION_CHAT},
	{.name = "resume", .type = OPTION_STRING, .offset = offsetof(struct ui_params, resume),
	 .arg = "CHAT", .help = "open this chat: its id, title or path",
	 .flags = OPTION_CLI_ONLY | OPTION_CHAT},
	{.name = "continue", .aliases = "C", .type = OPTION_BOOL,
	 .offset = offsetof(struct ui_params, resume_last), .def = "no",
	 .help = "open the last chat", .flags = OPTION_CLI_ONLY | OPTION_CHAT},
};
const size_t ui_n_options = sizeof ui_options / sizeof ui_options[0];
