/* A reply's bytes as JSON documents: server-sent events (HTML Living Standard, 9.2.6), or a document a line. What
 * servers really send is taken, too: [DONE] without a line end, several documents in one event, lines of JSON where
 * events were asked for, a document over several lines, an event that only the end of the answer ends. What is no
 * JSON is passed over and counted. */
#ifndef SOTTO_REMOTE_STREAM_H
#define SOTTO_REMOTE_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/* Told each document: from '{' to its '}'. What is between is not looked at. */
typedef enum status stream_take(void *ctx, const char *json, size_t len, struct error *err);

/* How far a text is within a document. */
struct stream_scan {
	size_t depth;
	bool in_string, escaped;
};

struct stream {
	stream_take *take;
	void *ctx;
	struct buf line;    /* the one that comes */
	struct buf data;    /* of the event that comes */
	struct buf object;  /* of a document outside of events that comes */
	struct stream_scan scan; /* of `object` */
	size_t n_bytes;     /* so far */
	bool has_begun;     /* the first line is over */
	bool skips_lf;      /* a CR has ended the line */
	bool has_data;      /* the event has some, maybe empty */
	bool is_done;       /* [DONE] has come */
	char strange[96];   /* the beginning of the first thing that was none; "" */
};

void stream_init(struct stream *stream, stream_take *take, void *ctx);
void stream_free(struct stream *stream);
/* The next bytes, cut anywhere. STATUS_LIMIT: LIMIT_STREAM_LINE or LIMIT_STREAM; or the error of `take`. */
enum status stream_push(struct stream *stream, const char *bytes, size_t n, struct error *err) MUST_CHECK;
/* There are no more. */
enum status stream_end(struct stream *stream, struct error *err) MUST_CHECK;

#endif
