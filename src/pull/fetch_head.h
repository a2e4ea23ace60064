/* What the head of an answer says of the bytes that follow. */
#ifndef SOTTO_PULL_FETCH_HEAD_H
#define SOTTO_PULL_FETCH_HEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "net/http.h"

struct fetch_head {
	bool has_range;          /* Content-Range, as it has to be: "bytes 5-8/100" */
	uint64_t from, to, size; /* of it; `to`: behind the last */
	bool has_length;
	uint64_t length;
	bool is_encoded;         /* compressed, although nobody asked for that */
	char version[128];       /* what another version has another of: ETag, else Last-Modified; "": neither */
};

/* A strong ETag, which alone says that two answers are of the same bytes. */
bool fetch_head_is_strong(const char *version);

void fetch_head_read(struct fetch_head *out, const struct http_answer *answer);

#endif
