/* Who a message is from. */
#ifndef SOTTO_BASE_ROLE_H
#define SOTTO_BASE_ROLE_H

#include <stdbool.h>
#include <string.h>

enum role { ROLE_SYSTEM, ROLE_USER, ROLE_ASSISTANT, ROLE_COUNT };

/* "system", "user", "assistant": as chat templates and transcripts spell it. */
static inline const char *role_name(enum role role)
{
	static const char *const names[ROLE_COUNT] = {"system", "user", "assistant"};

	return (unsigned)role < ROLE_COUNT ? names[role] : "unknown";
}

/* False: it is none of these. */
static inline bool role_parse(const char *text, enum role *role)
{
	for (int i = 0; i < ROLE_COUNT; i++)
		if (strcmp(role_name((enum role)i), text) == 0) {
			*role = (enum role)i;
			return true;
		}
	return false;
}

#endif
