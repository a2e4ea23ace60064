/* The headers of OpenAI's harmony format, which gpt-oss uses. A reply is a series of
 * messages, "<|start|>assistant<|channel|>NAME<|message|>TEXT<|end|>". The first has no
 * "<|start|>assistant"; the last ends with "<|return|>", or with "<|call|>" if it is for
 * a tool. After the role or the channel, " to=functions.NAME" may name the recipient, and
 * after the channel "<|constrain|>json" the text's format. Some vocabularies put blanks beside
 * the markers, and some models write other letters large. */
#ifndef SOTTO_ENCODE_HARMONY_H
#define SOTTO_ENCODE_HARMONY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a text begins with a header. */
enum header_match {
	HEADER_NONE,
	HEADER_MAYBE, /* more bytes may make it a header */
	HEADER_FOUND,
};

/* Looks for one given header, of whose found form *found is the length: blanks beside its markers
 * do not count. */
enum header_match header_match(const char *header, const char *text, size_t len, size_t *found);

enum harmony_channel {
	HARMONY_ANALYSIS,   /* what the model thinks */
	HARMONY_FINAL,      /* its answer; also in a channel that nobody knows, or in none */
	HARMONY_COMMENTARY, /* what it says besides or to a tool */
};

struct harmony_header {
	size_t len; /* including "<|message|>" */
	enum harmony_channel channel;
	const char *recipient; /* [recipient_len], borrowed from the text; NULL: the user */
	size_t recipient_len;
};

/* Looks for any harmony header, of at most 256 bytes; fills in `out` if it is found. */
enum header_match harmony_match(const char *text, size_t len, struct harmony_header *out);
/* Fills in `out`, without a recipient, for a reply that ends in a text that may still be a header:
 * `len` is where the text of a message begins whose model has left out "<|message|>". False if there
 * is none. */
bool harmony_match_end(const char *text, size_t len, struct harmony_header *out);

#endif
