/* What the files of themes share. */
#ifndef SOTTO_CONFIG_THEME_INTERNAL_H
#define SOTTO_CONFIG_THEME_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/nearest.h"
#include "config/theme.h"

/* -1: there is none of that name; *nearest then has the one that is nearest. */
int theme_find_role(const char *name, struct nearest *nearest);
bool theme_parse_color(const char *text, struct theme_color *color, struct nearest *nearest);
/* 0: there is none of that name. */
unsigned theme_find_attr(const char *name, size_t len, struct nearest *nearest);

#endif
