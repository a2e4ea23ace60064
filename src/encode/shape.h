/* A conversation as the text that the model sees, with the source of each byte. A
 * conversation that the template does not support is changed here to suit it. */
#ifndef SOTTO_ENCODE_SHAPE_H
#define SOTTO_ENCODE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "encode/chat_template.h"
#include "turn/turn.h"

/* How a conversation was changed to suit its template. */
enum prompt_change {
	PROMPT_SYSTEM_FOLDED = 1 << 0,  /* the system message became part of the first user message */
	PROMPT_SYSTEMS_JOINED = 1 << 1, /* several system messages were joined */
	PROMPT_LATE_SYSTEM = 1 << 2,    /* a later one became part of the next user message */
	PROMPT_JOINED = 1 << 3,         /* consecutive messages of one role were joined */
	PROMPT_EMPTY_USER = 1 << 4,     /* an empty user message was added before the first reply */
	PROMPT_EMPTY_REPLY = 1 << 5,    /* a reply without text was left out */
	PROMPT_CHANGES = 6,             /* how many kinds there are */
};

struct prompt {
	char *text; /* owned */
	size_t len;
	struct jinja_span *spans; /* owned; sources as from prompt_source */
	size_t n_spans;
	unsigned changes; /* enum prompt_change */
	size_t n_asked;   /* how many bytes stay the same when a reply and more follow */
	enum reasoning_start start; /* of the reply's reasoning */
};

/* A conversation made such that whoever can do only so much takes it: a template, or one on a server. */
struct shaping {
	const struct chat_abilities *can;
	struct chat_message *messages; /* owned, [n]; sources as from prompt_source */
	struct chat_text *texts;       /* owned; those of one message follow each other */
	size_t n, n_texts;
	bool in_system; /* only system messages so far */
	bool folded;    /* the last message is a user message that holds a system message's text */
	unsigned changes; /* enum prompt_change */
};
/* Of the messages with keep[i] (NULL: all). `can` is borrowed. shaping_free in every case. */
enum status shape_messages(struct shaping *s, const struct chat_abilities *can, const struct turn *turn,
                           const bool *keep, struct error *err) MUST_CHECK;
void shaping_free(struct shaping *shaping);

/* White space that is trimmed from the beginning or end of a text. */
static inline bool prompt_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* How many blanks a text begins with. */
static inline size_t prompt_count_blanks(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && prompt_is_blank(text[n]))
		n++;
	return n;
}

/* The source of a message's text or reasoning; all else is SOURCE_TEMPLATE. */
static inline uint32_t prompt_source(size_t message, bool reasoning)
{
	return 1 + 2 * (uint32_t)message + reasoning;
}

static inline size_t prompt_source_message(uint32_t source)
{
	return (source - 1) / 2;
}

/* Renders the messages with keep[i] and, unless the turn is answered, the text that asks
 * for the reply. A raw turn's texts are joined unchanged. Errors of the template are
 * STATUS_FORMAT or STATUS_LIMIT, "chat template: ...", or STATUS_CONFIG if the user chose
 * the template. prompt_free in every case. */
enum status prompt_render(struct prompt *out, const struct chat_template *tmpl,
                          const struct turn *turn, const bool *keep,
                          struct error *err) MUST_CHECK;
void prompt_free(struct prompt *prompt);

/* Appends a sentence that says what was changed; nothing if nothing was. */
void prompt_describe_changes(unsigned changes, struct buf *out);

#endif
