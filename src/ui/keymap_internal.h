/* Of keymap.c, for keymap_file.c. */
#ifndef SOTTO_UI_KEYMAP_INTERNAL_H
#define SOTTO_UI_KEYMAP_INTERNAL_H

#include "ui/keymap.h"

/* Makes the rows from the table and the changes. */
void keymap_lay(struct keymap *map);

#endif
