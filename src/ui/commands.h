/* The table of the slash commands. */
#ifndef SOTTO_UI_COMMANDS_H
#define SOTTO_UI_COMMANDS_H

#include "ui/command.h"

extern const struct command_table commands;

#endif
