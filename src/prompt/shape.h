/* A conversation as the text that a model is shown, with what each byte of it
 * comes from. What a template cannot take is changed here so that it can. */
#ifndef SOTTO_PROMPT_SHAPE_H
#define SOTTO_PROMPT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "engine/turn.h"
#include "prompt/chat_template.h"

/* How a conversation was changed to suit its template. */
enum prompt_change {
	PROMPT_SYSTEM_FOLDED = 1 << 0,  /* the system message went into the user's first one */
	PROMPT_SYSTEMS_JOINED = 1 << 1, /* several became one */
	PROMPT_LATE_SYSTEM = 1 << 2,    /* one in mid-conversation went into the user's next one */
	PROMPT_JOINED = 1 << 3,         /* messages of one role in a row became one */
	PROMPT_EMPTY_USER = 1 << 4,     /* an empty message was put before a reply at the start */
	PROMPT_EMPTY_REPLY = 1 << 5,    /* a reply without text was left out */
	PROMPT_CHANGES = 6,             /* how many there are */
};

struct prompt {
	char *text; /* owned */
	size_t len;
	struct jinja_span *spans; /* owned; sources as of prompt_source */
	size_t n_spans;
	unsigned changes; /* prompt_change */
	size_t n_asked;   /* bytes that stay when a reply and another message follow */
	bool thinking;    /* it ends within the reasoning of the reply */
};

/* White space, where a text's beginning or end loses it. */
static inline bool prompt_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* How many the text begins with. */
static inline size_t prompt_count_blanks(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && prompt_is_blank(text[n]))
		n++;
	return n;
}

/* The sources of a message's texts; all else is SOURCE_TEMPLATE. */
static inline uint32_t prompt_source(size_t message, bool reasoning)
{
	return 1 + 2 * (uint32_t)message + reasoning;
}

static inline size_t prompt_source_message(uint32_t source)
{
	return (source - 1) / 2;
}

/* Renders the messages with keep[i], and unless the turn is answered what asks for the reply. A raw turn's
 * texts stand as they are, one after the other. The template's own errors are
 * STATUS_FORMAT or STATUS_LIMIT, "chat template: ...", but STATUS_CONFIG for one
 * that a person chose. prompt_free in every case. */
enum status prompt_render(struct prompt *out, const struct chat_template *tmpl,
                          const struct turn *turn, const bool *keep,
                          struct error *err) MUST_CHECK;
void prompt_free(struct prompt *prompt);

/* Appends the sentence that says what was changed; nothing for none. */
void prompt_describe_changes(unsigned changes, struct buf *out);

#endif
