#include "config/yaml_breaks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/secret.h"
#include "base/utf8.h"

enum { TRIES = 64 };

static const char breaks_of_yaml[YAML_BREAKS][4] = {"\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};

static void replace(char *text, size_t len, const char *from, const char *to)
{
	size_t n = strlen(from);
	char *end = text + len;

	for (char *at = text; (at = memmem(at, (size_t)(end - at), from, n)) != NULL; at += n)
		memcpy(at, to, n);
}

/* Letters of two bytes, and for those of three the private use area; not one that the text may have as an escape.
 * False: it has all that are tried. */
static bool choose(const char *text, const char *instead_of, char out[4])
{
	uint32_t first = strlen(instead_of) == 2 ? 0x780 : 0xE000;

	for (uint32_t cp = first; cp < first + TRIES; cp++) {
		char character[UTF8_MAX + 1] = "", escape[9];

		utf8_encode(cp, character);
		snprintf(escape, sizeof escape, "%04X", (unsigned)cp);
		if (strstr(text, character) || strcasestr(text, escape))
			continue;
		memcpy(out, character, 4);
		return true;
	}
	return false;
}

bool yaml_breaks_hide(struct yaml_breaks *breaks, const char *text, size_t len)
{
	*breaks = (struct yaml_breaks){.len = len};
	for (size_t i = 0; i < YAML_BREAKS; i++) {
		if (!memmem(text, len, breaks_of_yaml[i], strlen(breaks_of_yaml[i])))
			continue;
		if (!breaks->text && !(breaks->text = alloc_strndup(text, len)))
			return false;
		if (choose(breaks->text, breaks_of_yaml[i], breaks->stand_ins[i]))
			replace(breaks->text, len, breaks_of_yaml[i], breaks->stand_ins[i]);
		else
			breaks->stand_ins[i][0] = '\0';
	}
	return true;
}

void yaml_breaks_show(const struct yaml_breaks *breaks, char *text, size_t len)
{
	for (size_t i = 0; breaks->text && i < YAML_BREAKS; i++)
		if (breaks->stand_ins[i][0])
			replace(text, len, breaks->stand_ins[i], breaks_of_yaml[i]);
}

void yaml_breaks_free(struct yaml_breaks *breaks)
{
	secret_wipe(breaks->text, breaks->len);
	free(breaks->text);
	*breaks = (struct yaml_breaks){.len = 0};
}
