/* What one event of a reply's stream says: a dialect appends and sets, ask.c uses and clears. */
#ifndef SOTTO_REMOTE_CHUNK_H
#define SOTTO_REMOTE_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json_reader.h"
#include "turn/turn.h"

enum { CHUNK_IDS_MAX = 64, CHUNK_ID_MAX = 127 };

enum chunk_end { CHUNK_GOES_ON, CHUNK_END, CHUNK_STOP, CHUNK_LENGTH, CHUNK_CONTEXT, CHUNK_FILTERED };

struct chunk_usage {
	bool is_known;      /* the numbers of tokens are */
	bool knows_cached, knows_cost;
	uint32_t n_prompt, n_cached, n_generated, n_reasoning; /* n_generated: with n_reasoning */
	double cost;        /* dollars */
	double prefill_ms, decode_ms; /* 0: not told */
};

struct chunk {
	struct buf text, reasoning; /* UTF-8 that may be cut anywhere or ill-formed; not sanitised */
	int32_t ids[CHUNK_IDS_MAX]; /* [n_ids]: of `text`, where the server tells them */
	size_t n_ids;
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX]; /* of the first token of `text` */
	size_t n_candidates;
	float probability;          /* of that token; 0: not told */
	char id[CHUNK_ID_MAX + 1];  /* of the reply; "" */
	enum chunk_end end;
	bool is_last;               /* nothing follows: done:true, stop:true */
	struct chunk_usage usage;
	struct {
		bool is_known;
		uint32_t done, total, cached;
	} progress;                 /* of the prompt */
	/* STATUS_OK: none. What went wrong, by the server's own words: not sanitised, the key not yet masked.
	 * STATUS_CONTEXT: the prompt is too long; with n_prompt and n_ctx where the server says them. */
	struct error error;
	char refused[64];           /* with an error: the field of the request that it names; "" */
	uint32_t n_prompt, n_ctx;   /* 0: not told */
};

void chunk_init(struct chunk *chunk);
void chunk_clear(struct chunk *chunk); /* for the next event; memory is kept */
void chunk_free(struct chunk *chunk);

/* An event of OpenAI's kind, and of those that follow it: deltas, whole messages, usage, errors (chunk_read_error).
 * STATUS_FORMAT: it is not JSON. */
enum status chunk_read_openai(struct chunk *out, const char *json, size_t len, struct error *err) MUST_CHECK;
/* Looks for an error of any shape: "error" as a text or an object, that of a part of the document, a list of what is
 * wrong with fields. It becomes out->error, with out->refused and the numbers of a prompt that is too long.
 * `is_refusal`: the document is the answer to a request that failed, so that any "message" is meant. */
void chunk_read_error(struct chunk *out, const char *json, size_t len, bool is_refusal);
/* A value that stands at `path` behind "choices.0.logprobs.content.0.": of the first token's candidates. */
void chunk_take_logprob(struct chunk *out, const char *path, const struct json_item *item);
/* What a server calls the end of a reply: "stop", "length", "content_filter" ... */
enum chunk_end chunk_end_named(const char *reason);

#endif
