/* A picture of a screen: SVG without scripts, fonts or links, small enough to
 * live in the repository. */
#ifndef SOTTO_SCREEN_SVG_H
#define SOTTO_SCREEN_SVG_H

#include "screen/harness.h"

/* Colour numbers 0..15 and the default colours become a dark palette. Ends the
 * test when the file cannot be written. */
void svg_write(struct screen *s, const char *title, const char *path);

#endif
