#include "base/reason.h"

#include <stdio.h>
#include <string.h>

bool reason_is_news(char told[REASON_MAX], const struct error *err)
{
	const char *reason = err->text, *colon;
	char old[REASON_MAX];

	while ((colon = strstr(reason, ": "))) /* the file's name may be another one each time */
		reason = colon + 2;
	memcpy(old, told, sizeof old);
	snprintf(told, REASON_MAX, "%.*s", REASON_MAX - 1, reason);
	return strcmp(old, told) != 0;
}
