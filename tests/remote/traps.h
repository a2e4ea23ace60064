/* What servers get wrong, or otherwise than one would think: a row each. A row names a server (support/server/server.h),
 * what it answers, what it is asked, and what must come of it. */
#ifndef SOTTO_TESTS_TRAPS_H
#define SOTTO_TESTS_TRAPS_H

#include "support/server/server.h"
#include "turn/turn.h"

enum { TRAP_ACTS = 8, TRAP_WORDS = 6, ANY_REASON = 99 };

struct trap {
	const char *name;
	const char *spec;       /* of the server; NULL: "dialect=openai,tokens=2" */
	struct server_act acts[TRAP_ACTS]; /* ended by one without body. raw servers: where one is verbatim, or `greeting` */
	const char *greeting;
	bool tls, wrong_host, by_unix; /* how it is reached */
	const char *scheme;     /* in its URL, in the place of its own */
	/* How it is configured: the dialect of `spec`, unless this is said; "" finds it out. */
	const char *dialect;
	const char *yaml;       /* more lines; "@" is the folder that has ca.pem */
	const char *model;      /* NULL: the server's first */
	/* What it is asked. */
	const char *say;        /* NULL: "Hello" */
	const char *begun;      /* the reply so far, to be continued; NULL: none */
	const char *samplers;   /* "top-k=0 temp=0": options in the place of their defaults */
	const char *stop;       /* one string */
	int n_predict;          /* 0: -1 */
	size_t n_candidates;
	enum reasoning_mode reasoning;
	struct {
		const char *text, *reasoning; /* NULL: not looked at; "": none */
		int reason;             /* enum done_reason, or ANY_REASON */
		enum status status;     /* of an error; with `error`: STATUS_OK is any */
		const char *error;      /* a part of its text, which is one line; NULL: there is none */
		const char *sent[TRAP_WORDS], *not_sent[TRAP_WORDS]; /* in headers and body of the newest request */
		unsigned requests;      /* for a reply; 0: one; UINT_MAX: not looked at */
		uint32_t n_prompt, n_generated, n_cached; /* 0: not looked at */
		double cost;
		size_t n_candidates;    /* at least that many, of some token */
		const char *idle;       /* an option whose slider is dimmed afterwards */
		const char *waits;      /* a part of what was waited for */
	} want;
};

/* Tables, each ended by a row without a name. */
extern const struct trap traps_framing[], traps_delta[], traps_end[], traps_error[], traps_before[], traps_request[],
	traps_place[];

/* Bytes of events. */
#define DELTA(fields) "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{" fields \
	"},\"finish_reason\":null}]}\n\n"
#define TEXT(text) DELTA("\"content\":\"" text "\"")
#define FINISH(reason) "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" reason "\"}]}\n\n"
#define USAGE "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":3,\"total_tokens\":12," \
	"\"prompt_tokens_details\":{\"cached_tokens\":4}}}\n\n"
#define DONE "data: [DONE]\n\n"
/* Without "data: " and line ends. */
#define TEXT_JSON(text) "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"},\"finish_reason\":null}]}"
#define FINISH_JSON(reason) "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" reason "\"}]}"

/* One answer to all requests for a reply. */
#define ANSWERS(bytes) .acts = {{.body = bytes}}

#endif
