/* Who a message is from. */
#ifndef SOTTO_BASE_ROLE_H
#define SOTTO_BASE_ROLE_H

enum role { ROLE_SYSTEM, ROLE_USER, ROLE_ASSISTANT, ROLE_COUNT };

/* "system", "user", "assistant": as chat templates and transcripts spell it. */
static inline const char *role_name(enum role role)
{
	static const char *const names[ROLE_COUNT] = {"system", "user", "assistant"};

	return (unsigned)role < ROLE_COUNT ? names[role] : "unknown";
}

#endif
