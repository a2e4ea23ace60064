/* The chat in lines. */
#ifndef SOTTO_UI_APP_LINE_H
#define SOTTO_UI_APP_LINE_H

#include "ui/front.h"

extern const struct front front_lines;

#endif
