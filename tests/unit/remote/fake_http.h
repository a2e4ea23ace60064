/* An HTTP client that talks to nobody: a script says what comes. */
#ifndef SOTTO_TESTS_FAKE_HTTP_H
#define SOTTO_TESTS_FAKE_HTTP_H

#include "net/http.h"

struct fake_answer {
	int code;                /* 0: none comes, because of `trouble` */
	enum http_trouble trouble; /* at the end of what comes */
	const char *body;
	size_t piece;            /* bytes at a time; 0: all at once */
	int64_t retry_after_ms;  /* 0: not said */
	uint64_t waits_ms;       /* told before the answer */
	bool hangs;              /* nothing more comes: until it is cancelled */
};

/* What the next calls get, [n] of them, which all have to come. */
void fake_http_begin(const struct fake_answer *answers, size_t n);
size_t fake_http_calls(void);              /* so far */
const char *fake_http_body(size_t call);   /* "": a GET */
const char *fake_http_path(size_t call);

#endif
