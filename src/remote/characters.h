/* Whole characters from texts that are cut within them: in UTF-8 by servers that cut bytes, in UTF-16 by those that are
 * written in JavaScript, whose halves json_reader.keeps_bytes gives as three bytes each. */
#ifndef SOTTO_REMOTE_CHARACTERS_H
#define SOTTO_REMOTE_CHARACTERS_H

#include <stdint.h>

#include "base/utf8.h"

struct characters { /* {0} is one at the beginning of a text */
	struct utf8_stream utf8;
	uint32_t high; /* the first half of a pair; 0: none */
};

/* Appends all characters that are complete. What is none becomes U+FFFD. A failure is the buffer's to tell. */
void characters_push(struct characters *characters, const char *bytes, size_t n, struct buf *out);
/* The end of the text: half a character becomes U+FFFD. */
void characters_flush(struct characters *characters, struct buf *out);

#endif
