/* Slash commands, and what they do: a new one is a function and a row here. */
#include "ui/commands.h"

#include "ui/app_branch.h"
#include "ui/app_chats.h"
#include "ui/app_confidence.h"
#include "ui/app_copy.h"
#include "ui/app_edit.h"
#include "ui/app_files.h"
#include "ui/app_find.h"
#include "ui/app_import.h"
#include "ui/app_inspect.h"
#include "ui/app_keep.h"
#include "ui/app_keymap.h"
#include "ui/app_log.h"
#include "ui/app_models.h"
#include "ui/app_open.h"
#include "ui/app_presets.h"
#include "ui/app_pull.h"
#include "ui/app_reply.h"
#include "ui/app_score.h"
#include "ui/app_settings.h"
#include "ui/app_sliders.h"
#include "ui/app_stats.h"
#include "ui/app_system.h"
#include "ui/app_takes.h"
#include "ui/app_template.h"
#include "ui/app_themes.h"
#include "ui/app_tokens.h"
#include "ui/app_write.h"

static const struct command rows[] = {
	{"help", "?", ARGUMENT_COMMAND, 0, "[WORD]",
	 "show keys and commands, or find a word in them and in the options", app_help},
	{"keys", "bindings hotkeys shortcuts", ARGUMENT_NONE, 0, NULL,
	 "show the keys and what keys.yaml changes, after reading that file again", app_show_keys},
	{"quit", "exit bye q", ARGUMENT_NONE, COMMAND_CAN_BE_FORCED, NULL,
	 "leave; the chat is saved (/quit! leaves even if it could not be)", app_quit_command},
	{"new", "clear reset", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "start a new chat; the old one is kept", app_new_chat},
	{"model", "models", ARGUMENT_MODEL, COMMAND_ARGUMENT_NEEDS_IDLE, "[FILE|server:NAME|guide|chat]",
	 "load another model (chat: that of the chat), or choose one on this machine or your servers", app_model},
	{"pull", "download fetch", ARGUMENT_PULL, 0, "[NAME|stop]",
	 "fetch a published model (owner/repo[:QUANT] of Hugging Face, llama3.2:3b of ollama); none: how far it is", app_pull},
	{"system", NULL, ARGUMENT_TEXT, COMMAND_ARGUMENT_NEEDS_IDLE, "[TEXT]",
	 "set the system message (none: clear it), or show it", app_system},
	{"template", "role templates", ARGUMENT_TEMPLATE, COMMAND_ARGUMENT_NEEDS_IDLE,
	 "[-a] [NAME VARIABLE=VALUE...]",
	 "switch the prompt template from here on (-a: for the whole chat; none: use none), or choose "
	 "one",
	 app_template_command},
	{"set", NULL, ARGUMENT_SETTING, COMMAND_NEEDS_ARGUMENT, "NAME VALUE",
	 "change a setting, or reset it (VALUE default); /NAME VALUE does the same", app_set},
	{"sampler", "sliders", ARGUMENT_NONE, 0, NULL,
	 "open the sampler sliders", app_sliders},
	{"preset", "presets", ARGUMENT_PRESET, COMMAND_CAN_BE_FORCED, "[save|compare] [NAME]",
	 "use a preset, a named set of sampling values; save or compare one; or choose one", app_preset},
	{"show", "info config", ARGUMENT_OPTION, 0, "[NAME]",
	 "show the settings and where they come from", app_show},
	{"keep", NULL, ARGUMENT_NONE, 0, NULL,
	 "write what was changed (F2, F6, F7, /set) to config.yaml, for the next start", app_keep},
	{"save", NULL, ARGUMENT_FILE, 0, "[NAME|FILE]",
	 "name this chat, or write a copy to a file (a name with / or .yaml)", app_save},
	{"load", "resume open session switch chats", ARGUMENT_CHAT, COMMAND_ARGUMENT_NEEDS_IDLE,
	 "[NAME|FILE]",
	 "continue another chat, or choose one", app_load},
	{"list", "sessions", ARGUMENT_NONE, 0, NULL,
	 "list the saved chats", app_list_chats},
	{"regen", "retry regenerate", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "ask for another reply; the old one is kept", app_regenerate},
	{"edit", NULL, ARGUMENT_TEXT, COMMAND_NEEDS_IDLE | COMMAND_FILLS_LINE, "[N|reply|summary]",
	 "edit your last (Nth last) message and send it again, or edit the last reply or the summary; the "
	 "old one is kept",
	 app_edit},
	{"continue", "cont", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "continue the last reply where it was cut off", app_continue},
	{"answer", "answer-now", ARGUMENT_NONE, 0, NULL,
	 "have the model stop thinking and answer now (on servers that can do that)", app_answer_now},
	{"undo", "pop back", ARGUMENT_TEXT, COMMAND_NEEDS_IDLE | COMMAND_FILLS_LINE, "[N]",
	 "take back your last message (the last N) and what followed; nothing is deleted", app_undo},
	{"pin", NULL, ARGUMENT_TEXT, COMMAND_NEEDS_IDLE, "[N]",
	 "keep your last (Nth last) or picked message when the context is full; again: undo that",
	 app_pin},
	{"drop", "forget", ARGUMENT_TEXT, COMMAND_NEEDS_IDLE, "[N]",
	 "stop sending your last (Nth last) message and its replies, or the picked one; again: undo that",
	 app_drop},
	{"undrop", NULL, ARGUMENT_TEXT, COMMAND_NEEDS_IDLE, "[N|summary]",
	 "send again what /drop left out, or the messages that a summary replaces", app_undrop},
	{"prev", "previous", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "show the previous version of the last reply or message that has several", app_previous_take},
	{"next", NULL, ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "show the next version", app_next_take},
	{"takes", "diff", ARGUMENT_TEXT, 0, "[N [M]]",
	 "show two versions of a reply side by side: where they part, and why", app_takes},
	{"branches", "tree", ARGUMENT_NONE, 0, NULL,
	 "show all messages as a tree; Enter goes to one", app_branches},
	{"fork", "branch", ARGUMENT_TEXT, COMMAND_NEEDS_IDLE, "[NAME]",
	 "begin a new chat with the messages up to here", app_fork},
	{"read", "attach file upload include", ARGUMENT_FILES, COMMAND_NEEDS_ARGUMENT, "FILE...",
	 "attach text files to your next message (@FILE in it does the same); * and ** match names: DIR/* "
	 "takes a folder's files", app_read},
	{"detach", NULL, ARGUMENT_TEXT, 0, "[N|all]",
	 "remove the last attached file, the Nth or all", app_detach},
	{"find", "search grep", ARGUMENT_TEXT, COMMAND_NEEDS_ARGUMENT, "TEXT",
	 "find text in this chat, ignoring case and accents; then n: next match, N: previous one",
	 app_find},
	{"copy", "yank", ARGUMENT_TEXT, 0, "[N|all]",
	 "copy the last reply, its Nth code block or the chat to the clipboard", app_copy},
	{"write", NULL, ARGUMENT_PART, COMMAND_NEEDS_ARGUMENT | COMMAND_CAN_BE_FORCED, "[N] FILE",
	 "write the last reply, or its Nth code block, to a file (/write! overwrites)", app_write},
	{"export", "dump-chat", ARGUMENT_FORMAT, COMMAND_NEEDS_ARGUMENT | COMMAND_CAN_BE_FORCED,
	 "md|json|txt|html [FILE]",
	 "write the chat in a format for other programs (/export! overwrites)", app_export},
	{"import", NULL, ARGUMENT_FILE, COMMAND_NEEDS_ARGUMENT | COMMAND_NEEDS_IDLE, "FILE",
	 "add chats from a JSON file of another program", app_import},
	{"stats", NULL, ARGUMENT_NONE, 0, NULL,
	 "show the times, speeds and cost of the last reply, and what kept the cache from being used", app_stats},
	{"score", "weigh", ARGUMENT_TEXT, COMMAND_NEEDS_ARGUMENT | COMMAND_NEEDS_IDLE, "TEXT | TEXT...",
	 "say how likely each text is as the last reply, or as the rest of one that was cut",
	 app_score},
	{"tokens", "logprobs", ARGUMENT_TEXT, 0, "[N]",
	 "show the last (or picked) reply token by token, and what else it might have said; Enter goes on from there",
	 app_tokens},
	{"context", NULL, ARGUMENT_TEXT, 0, "[text]",
	 "show what fills the context (text: write it into the chat)", app_context},
	{"inspect", "dump prompt", ARGUMENT_NONE, COMMAND_NEEDS_IDLE, NULL,
	 "show what the model sees, token by token", app_inspect},
	{"think", NULL, ARGUMENT_TEXT, 0, "[on|off|auto]",
	 "set whether a model that can think before it answers does so", app_think},
	{"theme", "themes", ARGUMENT_THEME, 0, "[NAME]",
	 "change the colours, or choose a theme", app_theme},
	{"plain", "raw", ARGUMENT_TEXT, 0, "[on|off]",
	 "show replies as the model wrote them, or as Markdown", app_plain},
	{"confidence", "unsure", ARGUMENT_TEXT, 0, "[probability|entropy|off]",
	 "shade replies by how sure the model was of each word", app_confidence},
	{"log", "debug", ARGUMENT_TEXT, 0, "[SUBJECT,...[=FILE]|off]",
	 "log engine, cache, sampler, template, ui or all (text: with what is written), stop that, or show what is logged",
	 app_log},
	{"mouse", NULL, ARGUMENT_TEXT, COMMAND_NEEDS_SCREEN, "[on|off]",
	 "turn the mouse on or off", app_mouse},
};
const struct command_table commands = {rows, sizeof rows / sizeof rows[0]};
