/* The headers of OpenAI's harmony format, which gpt-oss uses. A reply is a series of
 * messages, "<|start|>assistant<|channel|>NAME<|message|>TEXT<|end|>". The first has no
 * "<|start|>assistant"; the last ends with "<|return|>", or with "<|call|>" if it is for
 * a tool. After the role or the channel, " to=functions.NAME" may name the recipient, and
 * after the channel "<|constrain|>json" the text's format. */
#ifndef SOTTO_PROMPT_HARMONY_H
#define SOTTO_PROMPT_HARMONY_H

#include <stddef.h>

/* Whether a text begins with a header. */
enum header_match {
	HEADER_NONE,
	HEADER_MAYBE, /* more bytes may make it a header */
	HEADER_FOUND,
};

/* Looks for one given header. */
enum header_match header_match(const char *header, const char *text, size_t len);

enum harmony_channel {
	HARMONY_ANALYSIS,   /* what the model thinks */
	HARMONY_FINAL,      /* its answer; also if no channel is named */
	HARMONY_COMMENTARY, /* what it says besides or to a tool; also any other channel */
};

struct harmony_header {
	size_t len; /* including "<|message|>" */
	enum harmony_channel channel;
	const char *recipient; /* [recipient_len], borrowed from the text; NULL: the user */
	size_t recipient_len;
};

/* Looks for any harmony header, of at most 256 bytes; fills in `out` if it is found. */
enum header_match harmony_match(const char *text, size_t len, struct harmony_header *out);

#endif
