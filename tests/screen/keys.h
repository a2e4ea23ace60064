/* Key names to the bytes that xterm sends for them. */
#ifndef SOTTO_SCREEN_KEYS_H
#define SOTTO_SCREEN_KEYS_H

#include <stdbool.h>

#include "base/buf.h"

/* Text with keys in angle brackets: "hello<Enter>", "<C-x><C-e>", "<S-Up>",
 * "<M-r>", "<F2>", "<lt>" for a "<". `application`: cursor keys as ESC O A.
 * False, with what could not be understood in *bad, for an unknown name. */
bool keys_encode(const char *text, bool application, struct buf *out, const char **bad);

#endif
