/* What the chat screen can be told: data only, and its option table. */
#ifndef SOTTO_UI_PARAMS_H
#define SOTTO_UI_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/option.h"

struct ui_params {
	char *theme;         /* owned */
	char *system_prompt; /* owned; NULL for none */
	char *prompt_template; /* owned; of new chats; NULL for none */
	char *variables;     /* owned; words NAME=VALUE for it; NULL for none */
	char *prompt_dir;    /* owned; looked into first for prompt templates; NULL for none */
	char *resume;        /* owned; chat to open at the start: id, name or path */
	bool resume_last;    /* -C / --continue */
	bool save;           /* false: --no-save */
	bool mouse;
	int32_t width;       /* columns of the chat's messages at the most; 0: no limit */
};

extern const struct option ui_options[];
extern const size_t ui_n_options;

#endif
