/* A getter, and what its parts do: finding the place (fetch_place.c), taking what comes (fetch_take.c), asking and judging
 * (fetch_get.c). Private to these. */
#ifndef SOTTO_PULL_FETCH_GETTER_H
#define SOTTO_PULL_FETCH_GETTER_H

#include "net/http.h"
#include "pull/fetch_run.h"

/* What `take` found, beside what the call says. */
enum verdict {
	VERDICT_NONE,
	VERDICT_ANEW, /* getter.anew says why */
	VERDICT_BAD,  /* what came is not what was asked for: asked again */
	VERDICT_DISK, /* it cannot be written */
};

struct getter {
	struct fetch_run *run;
	struct web web;
	struct web_place place;  /* a copy of the run's; base NULL: to be asked */
	unsigned place_number;   /* of the one that was used last */
	unsigned n_failed, n_redirects; /* since bytes came */
	struct span *span;

	/* The call under way. */
	uint64_t from, to;       /* that is asked for */
	bool asks_range, is_checked;
	enum verdict verdict;
	enum fetch_anew anew;
	struct http_answer answer;
};

/* What to do after a call: with the next span, this one again, or nothing more. */
enum step { STEP_NEXT, STEP_AGAIN, STEP_LEAVE };

void getter_name_host(const struct getter *getter, char host[WEB_HOST_MAX]);
/* The first error of all getters counts, and all stop. */
enum step getter_fail(struct getter *getter, enum status status, const struct error *err);

/* Asks where the bytes are, unless it is known. */
enum status getter_find_place(struct getter *getter, struct error *err) MUST_CHECK;
enum step getter_follow(struct getter *getter);       /* answer.redirect */
enum step getter_locate_again(struct getter *getter); /* after 401 or 403: signed addresses expire */

/* http_call.take: what comes is written where it belongs. Else an error, and getter->verdict. */
enum status getter_take(void *getter, const char *bytes, size_t n, struct error *err);
/* Of an answer without a byte: whether its head is what was asked for. */
enum status getter_check_head(struct getter *getter, struct error *err);
/* Whether something is there of bytes that a digest vouches for: they are right, whatever an answer says. */
bool getter_has_vouched(const struct getter *getter);
/* Sets the verdict BAD: "HOST sends ...". */
enum status getter_bad(struct getter *getter, struct error *err, const char *what);

#endif
