#include "line/readline_keys.h"

#include <readline/readline.h>

static int on_nothing(int count, int key)
{
	(void)count;
	(void)key;
	return 0;
}

/* Keys that most people expect, and that an inputrc may not have bound. */
void readline_keys_bind(int (*edit)(int count, int key))
{
	static const struct {
		const char *sequence, *function;
	} defaults[] = {
		{"\033[H", "beginning-of-line"}, {"\033[F", "end-of-line"},
		{"\033[1~", "beginning-of-line"}, {"\033[4~", "end-of-line"},
		{"\033[3~", "delete-char"}, {"\033[1;5C", "forward-word"},
		{"\033[1;5D", "backward-word"}, {"\033[1;3C", "forward-word"},
		{"\033[1;3D", "backward-word"}, {"\033[3;5~", "kill-word"},
		{"\030\005", "edit-and-execute-command"},
	};

	for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
		rl_command_func_t *function = rl_named_function(defaults[i].function);

		if (function)
			rl_bind_keyseq_if_unbound(defaults[i].sequence, function);
	}
	rl_bind_key_if_unbound_in_map('v', edit, vi_movement_keymap);
	/* terminal/input.c handles pastes; readline would block here until their end. */
	rl_bind_keyseq_in_map("\033[200~", on_nothing, emacs_standard_keymap);
	rl_bind_keyseq_in_map("\033[200~", on_nothing, vi_insertion_keymap);
	rl_bind_keyseq_in_map("\033[200~", on_nothing, vi_movement_keymap);
}

bool readline_keys_has(const char *bytes, size_t n)
{
	int type;
	rl_command_func_t *function = rl_function_of_keyseq_len(bytes, n, NULL, &type);

	return function && type != ISKMAP;
}

bool readline_keys_begins(const char *bytes, size_t n)
{
	int type = ISFUNC;

	return bytes[0] == '\033' ? n > 1
	                          : rl_function_of_keyseq_len(bytes, 1, NULL, &type) && type == ISKMAP;
}

const char *readline_keys_usual(struct key key)
{
	static const char *const sequences[K_NAME_COUNT] = {
		[K_UP] = "\033[A", [K_DOWN] = "\033[B", [K_RIGHT] = "\033[C", [K_LEFT] = "\033[D",
		[K_HOME] = "\033[H", [K_END] = "\033[F", [K_DELETE] = "\033[3~",
	};

	return key.mods ? NULL : sequences[key.name];
}
