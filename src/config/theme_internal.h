/* What the files of themes share. */
#ifndef SOTTO_CONFIG_THEME_INTERNAL_H
#define SOTTO_CONFIG_THEME_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "config/theme.h"

/* -1: there is none of that name; `hint` then gets the nearest one. */
int theme_find_role(const char *name, struct buf *hint);
bool theme_parse_color(const char *text, struct theme_color *color, struct buf *hint);
/* 0: there is none of that name. */
unsigned theme_find_attr(const char *name, size_t len, struct buf *hint);

#endif
