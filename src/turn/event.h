/* What is told of a model and of a turn: plain types. A backend tells its host of what it does; the
 * worker hands copies of that to the UI's thread, and answers its commands in the same way. */
#ifndef SOTTO_TURN_EVENT_H
#define SOTTO_TURN_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "sampler/params.h"
#include "turn/difference.h"
#include "turn/inspection.h"
#include "turn/turn.h"

enum event_kind {
	EVENT_LOADING,     /* progress of loading */
	EVENT_MODEL,       /* a model is ready (of the worker) */
	EVENT_LOAD_FAILED, /* `error` says why (of the worker) */
	EVENT_LEARNT,      /* more is known of the model in memory: its context, options that it refuses */
	EVENT_WAITING,     /* for a server: what for, in words, about once a second, until another event comes */
	EVENT_SENT,        /* in a turn, before each request for its reply: what a server is sent besides the
	                    * conversation; the last one was answered */
	EVENT_PREFILLING,  /* progress of evaluating the prompt */
	EVENT_FITTED,      /* once a turn, before it is evaluated: which of its messages are left out to
	                    * make room; or if its policy refuses that, and so the turn, which would be */
	EVENT_BEGIN,       /* once, before a reply's first token */
	EVENT_PARAMS,      /* other parameters from the next token on, whose event follows (of the worker) */
	EVENT_TOKEN,
	EVENT_NOTE,        /* how the conversation was changed to suit the model: one sentence, at most once
	                    * a turn, before its first token */
	EVENT_ASIDE,       /* a complete message that the model wrote besides its answer; its tokens came as
	                    * reasoning */
	EVENT_SCORED,      /* one of turn.answers has been scored (BACKEND_SCORE) */
	EVENT_INSPECTED,   /* a conversation has been counted (of the worker) */
	EVENT_DONE,        /* the turn has ended (of the worker) */
};

/* No text in it is sanitised. What a backend's event points to is borrowed for the call, what the
 * worker's points to is the event's own. */
struct event {
	struct event *next; /* in the worker's list */
	uint64_t turn;      /* the id that worker_post_generate returned; 0 for loading and counting, and in a backend */
	enum event_kind kind;
	union {
		float loading; /* 0..1 */
		const struct model_info *model; /* MODEL, LOAD_FAILED, LEARNT: in memory now; generation is 0 if there is none */
		struct {
			const char *text; /* "box loads the model (12 s)"; not sanitised */
			bool is_retry;    /* the request has failed and will be repeated */
		} waiting;
		const char *sent;     /* JSON, without key and conversation */
		struct {
			uint32_t done, total, cached, n_dropped;
		} prefilling;
		struct {
			const bool *left_out; /* [n]: of each message that is not the system's */
			size_t n;
		} fitted;
		struct turn_begin begin;
		struct {
			uint32_t at; /* the token's number in the turn, as they are sampled */
			struct sampler_params params;
		} params;
		struct token token;
		const char *note;
		struct {
			const char *recipient; /* the tool it is for; "": none */
			const char *text;
		} aside;
		struct {
			uint32_t answer;  /* its index in turn.answers */
			uint32_t n;       /* of its tokens */
			double log_p;     /* ln of the probability of all of it, before all samplers */
		} scored;
		struct inspection inspected;
		struct {
			enum done_reason reason;
			struct turn_stats stats;
			const struct cache_difference *difference; /* why no more of the prompt was in the cache; NULL: not known */
		} done;
	} u;
	const struct error *error; /* of the worker's own events: why a load, an inspection (without messages
	                            * then), a search or, with DONE_ERROR, a turn failed. NULL in others */
};

/* Copies an event that a backend tells, with all it points to, into one block of memory: free(copy).
 * NULL without memory. */
struct event *event_copy(const struct event *event);

#endif
