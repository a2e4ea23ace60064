/* The full screen. */
#ifndef SOTTO_UI_APP_DRAW_H
#define SOTTO_UI_APP_DRAW_H

#include "ui/front.h"

extern const struct front front_screen;

#endif
