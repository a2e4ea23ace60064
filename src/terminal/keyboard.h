/* Asking the terminal for keys that it sends as others by itself: Shift+Enter as Enter, for one.
 *
 * There are two ways: the Kitty keyboard protocol, and xterm's modifyOtherKeys, which tmux passes on
 * (where its extended-keys is on). Either is asked for only where the terminal has said that it knows
 * it, since some take the second for colours; and nothing is asked of types that might print the
 * question. Pure: bytes to send, and what answers mean. */
#ifndef SOTTO_TERMINAL_KEYBOARD_H
#define SOTTO_TERMINAL_KEYBOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "terminal/input.h"

enum keyboard_way {
	KEYBOARD_UNKNOWN, /* there is no answer yet, or will be none */
	KEYBOARD_PLAIN,   /* it knows neither */
	KEYBOARD_OTHER,   /* modifyOtherKeys */
	KEYBOARD_KITTY,
};

/* The Kitty protocol's flags, if any; then what kind of terminal it is, which all answer, and in this
 * order: the second answer alone says that there will be no first one. */
#define KEYBOARD_ASK "\033[?u\033[>c"
/* Whether a terminal of this type (TERM) may be asked. */
bool keyboard_can_ask(const char *type);
/* Takes an answer. True: it says more than was known. */
bool keyboard_learn(enum keyboard_way *way, enum input_report report, uint32_t number);
/* Whether a terminal of that number (REPORT_TERMINAL) breaks its rows again when its width changes. */
bool keyboard_reflows(uint32_t number);
/* What turns it on and off; "" where there is nothing to turn. */
const char *keyboard_on(enum keyboard_way way);
const char *keyboard_off(enum keyboard_way way);

#endif
