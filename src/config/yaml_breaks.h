/* Characters that end a line in YAML 1.1, as libyaml has it, but not in YAML 1.2 nor in an editor: U+0085, U+2028, U+2029.
 * In a comment they would have its rest read as a setting, and all lines below counted wrong. libyaml is given a text
 * that has others in their places, of the same length, which the text has nowhere else. */
#ifndef SOTTO_CONFIG_YAML_BREAKS_H
#define SOTTO_CONFIG_YAML_BREAKS_H

#include <stdbool.h>
#include <stddef.h>

enum { YAML_BREAKS = 3 };

struct yaml_breaks {
	char *text; /* [len], owned; NULL: the text has none of them */
	size_t len;
	char stand_ins[YAML_BREAKS][4];
};

/* False without memory. A text that has all that might stand in for them stays as it is. */
bool yaml_breaks_hide(struct yaml_breaks *breaks, const char *text, size_t len);
/* Puts them back, in place, in what was read of that text. */
void yaml_breaks_show(const struct yaml_breaks *breaks, char *text, size_t len);
void yaml_breaks_free(struct yaml_breaks *breaks); /* what may be secret is wiped */

#endif
