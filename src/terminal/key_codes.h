/* What the letters and numbers in a terminal's key sequences stand for, and the bytes that readline has
 * always had for such a key. Sources: xterm's ctlseqs (modifyOtherKeys, formatOtherKeys), and the Kitty
 * keyboard protocol. */
#ifndef SOTTO_TERMINAL_KEY_CODES_H
#define SOTTO_TERMINAL_KEY_CODES_H

#include <stddef.h>
#include <stdint.h>

#include "terminal/key.h"

enum {
	KEY_CODES_BYTES = 16,
	KEY_CODES_MODS_MAX = 16, /* a larger number has the states of Caps Lock and Num Lock in it */
};

/* The key of one byte below 0x80. */
struct key key_codes_ascii(unsigned char byte);
/* The modifier number: 1 + (1 Shift, 2 Alt, 4 Ctrl, 8 xterm's Meta). */
unsigned key_codes_mods(uint32_t number);
/* CSI or SS3 ... letter. */
enum key_name key_codes_letter(char final);
/* The number before a final `~`. */
enum key_name key_codes_tilde(uint32_t number);
/* A key that is reported as a code point with a modifier number; 0 or: what it stands for with Shift, and
 * what stands there on a Latin keyboard. Returns how many bytes readline gets; 0: this is no key for us. */
size_t key_codes_point(struct key *key, uint32_t cp, uint32_t shifted, uint32_t latin, uint32_t number,
                       char bytes[KEY_CODES_BYTES]);
/* The sequence of a cursor, editing or function key; 0: it has none. */
size_t key_codes_write(struct key key, char bytes[KEY_CODES_BYTES]);

#endif
