#include "turn/event.h"

#include <string.h>

#include "base/alloc.h"

/* The bytes that an event points to. */
static size_t count_bytes(const struct event *event)
{
	switch (event->kind) {
	case EVENT_FITTED: return event->u.fitted.n * sizeof *event->u.fitted.left_out;
	case EVENT_BEGIN: return event->u.begin.n_tail * sizeof *event->u.begin.tail;
	case EVENT_TOKEN:
		return event->u.token.n_candidates * sizeof *event->u.token.candidates + event->u.token.len;
	case EVENT_NOTE: return strlen(event->u.note) + 1;
	case EVENT_LEARNT: return sizeof *event->u.model;
	case EVENT_WAITING: return strlen(event->u.waiting.text) + 1;
	case EVENT_SENT: return strlen(event->u.sent) + 1;
	case EVENT_ASIDE: return strlen(event->u.aside.recipient) + 1 + strlen(event->u.aside.text) + 1;
	default: return 0;
	}
}

/* Copies n bytes to where the next ones go. */
static const void *put(char **at, const void *from, size_t n)
{
	char *copy = *at;

	if (n)
		memcpy(copy, from, n);
	*at += n;
	return copy;
}

static const char *put_text(char **at, const char *text)
{
	return put(at, text, strlen(text) + 1);
}

struct event *event_copy(const struct event *event)
{
	struct event *copy = alloc_array(1, sizeof *copy + count_bytes(event));
	char *at;

	if (!copy)
		return NULL;
	*copy = *event;
	at = (char *)(copy + 1);
	switch (event->kind) {
	case EVENT_FITTED:
		copy->u.fitted.left_out = put(&at, event->u.fitted.left_out, count_bytes(event));
		break;
	case EVENT_BEGIN:
		copy->u.begin.tail = put(&at, event->u.begin.tail, count_bytes(event));
		break;
	case EVENT_TOKEN: /* candidates are aligned to more than a byte */
		copy->u.token.candidates = put(&at, event->u.token.candidates,
		                               event->u.token.n_candidates * sizeof *event->u.token.candidates);
		copy->u.token.bytes = put(&at, event->u.token.bytes, event->u.token.len);
		break;
	case EVENT_LEARNT:
		copy->u.model = put(&at, event->u.model, sizeof *event->u.model);
		break;
	case EVENT_NOTE:
		copy->u.note = put_text(&at, event->u.note);
		break;
	case EVENT_WAITING:
		copy->u.waiting.text = put_text(&at, event->u.waiting.text);
		break;
	case EVENT_SENT:
		copy->u.sent = put_text(&at, event->u.sent);
		break;
	case EVENT_ASIDE:
		copy->u.aside.recipient = put_text(&at, event->u.aside.recipient);
		copy->u.aside.text = put_text(&at, event->u.aside.text);
		break;
	default: /* all of it is in the event */
		break;
	}
	return copy;
}
