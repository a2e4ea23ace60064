/* The headers of OpenAI's harmony format, in which gpt-oss replies: a reply is a
 * row of messages, "<|start|>assistant<|channel|>NAME<|message|>TEXT<|end|>", the
 * first without "<|start|>assistant", the last ended by "<|return|>", or by
 * "<|call|>" where it is for a tool. Role or channel may say whom a message is to
 * (" to=functions.NAME"), the channel what its text is ("<|constrain|>json"). */
#ifndef SOTTO_PROMPT_HARMONY_H
#define SOTTO_PROMPT_HARMONY_H

#include <stddef.h>

/* What the beginning of a text is. */
enum header_match {
	HEADER_NONE,
	HEADER_MAYBE, /* more bytes may make it a header */
	HEADER_FOUND,
};

/* Whether a text begins with `header`. */
enum header_match header_match(const char *header, const char *text, size_t len);

enum harmony_channel {
	HARMONY_ANALYSIS,   /* what the model thinks */
	HARMONY_FINAL,      /* what it answers, also where no channel is named */
	HARMONY_COMMENTARY, /* what it says beside the answer or to a tool, and all others */
};

struct harmony_header {
	size_t len; /* up to and with "<|message|>" */
	enum harmony_channel channel;
	const char *recipient; /* borrowed from the text, of recipient_len bytes; NULL: the user */
	size_t recipient_len;
};

/* Fills in `out` where it is found. A header has 256 bytes at the most. */
enum header_match harmony_match(const char *text, size_t len, struct harmony_header *out);

#endif
