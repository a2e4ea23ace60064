/* The worker: a thread that owns a model, a session and a sampler, and turns
 * conversations into streams of tokens. This is all the UI knows of the engine.
 *
 * Commands are posted, never waited for; answers come as events. Nothing else
 * is shared between the threads: two queues behind one mutex, one wake fd and
 * one atomic cancel id. The same interface will carry a remote server.
 *
 * Ownership: worker_post_* copies what it is given; worker_take_events
 * detaches the list, which the caller frees.
 *
 * Every accepted GENERATE (and PREFILL) is answered by exactly one
 * WORKER_DONE with its turn id, whatever happens; every accepted LOAD by
 * exactly one WORKER_MODEL or WORKER_LOAD_FAILED; every accepted CATALOG by
 * exactly one WORKER_CATALOG.
 * Busy is an answer (STATUS_BUSY), not a wait: GENERATE and LOAD while a turn
 * runs are refused (the UI cancels first, or queues).
 *
 * Threads: create, post, take and destroy belong to one thread (the UI's).
 * Its own thread blocks all signals. */
#ifndef SOTTO_ENGINE_WORKER_H
#define SOTTO_ENGINE_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/role.h"
#include "engine/catalog.h"
#include "engine/params.h"
#include "engine/recommended.h"
#include "sampler/params.h"

struct worker;

/* A message of the path from the root to the leaf that is to be answered. */
struct worker_message {
	enum role role;
	const char *text; /* UTF-8 */
	size_t len;
	/* The ids it was sampled as, if it was; n_ids = 0 otherwise. Kept so that
	 * the cache is compared by ids: re-tokenised text may differ. */
	const int32_t *ids;
	size_t n_ids;
	/* Replies: what the model thought before it answered; `text` is without it.
	 * The first n_reasoning_ids of `ids` belong to it, its markers included. */
	const char *reasoning;
	size_t reasoning_len;
	size_t n_reasoning_ids;
};

struct worker_turn {
	const struct worker_message *messages; /* all of the conversation, oldest first */
	size_t n_messages;
	struct sampler_params sampler;
	int32_t n_predict;  /* -1 = until the reply ends or the context is full */
	size_t n_candidates; /* how many candidates to report with each token, 0..20 */
	bool raw;            /* no template: the texts, one after the other, are to be continued */
	/* To be counted, not replied to: the last message is the reply to those before it, and what
	 * was left out for them is left out still. */
	bool answered;
	struct reasoning_wish reasoning;
	const char *const *stops; /* further strings that end the reply, n_stops of them */
	size_t n_stops;
};

/* A turn as the settings want it, without messages and stop strings. */
struct worker_turn worker_turn_of(const struct engine_params *engine,
                                  const struct sampler_params *sampler);

enum { WORKER_CANDIDATES_MAX = 20 };

enum worker_event_kind {
	WORKER_LOAD,        /* progress of loading */
	WORKER_MODEL,       /* a model is ready */
	WORKER_LOAD_FAILED, /* `error` says why; the old model stays, see `model` */
	WORKER_PREFILL,     /* progress of evaluating the prompt */
	WORKER_TOKEN,
	WORKER_NOTE,        /* `error.text` is something about this turn that the user should see:
	                     * how a conversation was changed to suit the template */
	WORKER_ASIDE,       /* what the model said beside its answer */
	WORKER_INSPECT,
	WORKER_CATALOG,     /* the model files of this machine */
	WORKER_DONE,        /* the turn has ended */
};

enum worker_done_reason {
	DONE_END,       /* the model ended its reply */
	DONE_STOP,      /* a stop string */
	DONE_LENGTH,    /* n_predict tokens */
	DONE_CONTEXT,   /* the context is full */
	DONE_CANCELLED,
	DONE_ERROR,     /* `error` says why; what came before stands */
};

/* What a model can do, so that the UI can say what it cannot. */
enum worker_capability {
	CAPABILITY_LOGITS = 1 << 0,      /* candidates come with tokens */
	CAPABILITY_BRANCH = 1 << 1,      /* truncate and continue at any position */
	CAPABILITY_LIVE_PARAMS = 1 << 2, /* SET_PARAMS acts in mid-reply */
	CAPABILITY_REASONING = 1 << 3,   /* its template knows of reasoning */
	CAPABILITY_HELP = 1 << 4,        /* the guide: answers from help entries (guide/guide.h) */
	CAPABILITY_EFFORT = 1 << 5,      /* its template asks how long to think */
	CAPABILITY_SWITCH = 1 << 6,      /* its template can be told to reason, or not to */
};

struct worker_model_info {
	char name[128];        /* general.name or the file's name; not sanitised */
	char architecture[32];
	char file_type[32];    /* "Q4_K - Medium", or the commonest block type */
	uint64_t file_bytes;
	uint64_t n_params;
	uint32_t n_ctx;        /* in use */
	uint32_t n_ctx_train;
	uint32_t n_vocab;
	unsigned capabilities;
	uint64_t generation;   /* changes when a model is loaded, also the same one again: its cache
	                        * is empty then */
	struct option_text recommended[RECOMMENDED_MAX]; /* sampling; n_recommended of them */
	size_t n_recommended;
	/* The chat template in use: "chatml", "model's own", "plain". */
	char template_name[64];
	/* What is special about it, one sentence; "": nothing. Not sanitised. */
	char template_note[256];
	/* That the context is longer than the model can follow; "" where it is not. */
	char context_note[192];
	/* That not all weights fit in memory; "" where they do. */
	char memory_note[256];
	/* That they could not be locked as was wanted, and the limit. */
	char lock_note[256];
	/* That images and sound are not looked at; "" where the file has nothing for them. */
	char senses_note[128];
};

/* A token of a prompt as the model sees it. */
enum prompt_token_flags {
	PROMPT_TOKEN_CONTROL = 1 << 0, /* shown by its name */
	PROMPT_TOKEN_INPUT = 1 << 1,   /* some of its bytes are the conversation's, not the template's */
};
struct worker_prompt_token {
	int32_t id;
	uint32_t flags;
	uint32_t message; /* whose markup or text it is */
	size_t end;       /* of its bytes in `text`; they begin where the one before ends */
};

/* What a conversation is counted for. */
enum inspect_purpose {
	INSPECT_GAUGE,  /* how full the context is */
	INSPECT_COUNTS, /* who takes how much of it */
	INSPECT_TOKENS, /* the prompt token by token, which is given for this alone */
};

struct worker_candidate {
	int32_t id;
	float logit;       /* raw */
	float probability; /* of the raw distribution, before any sampler */
	float chosen_p;    /* after all samplers; 0 = cut */
	char text[24];     /* its bytes, NUL-padded, cut at 24 */
	uint8_t len;
};

struct worker_stats {
	uint32_t n_prompt;     /* tokens in the prompt */
	uint32_t n_cached;     /* of them, already in the cache */
	uint32_t n_evaluated;  /* of them, evaluated for this turn */
	uint32_t n_again;      /* of these, known before, but behind the last state that was kept */
	uint32_t n_generated;
	uint32_t n_ctx_used;   /* after the turn */
	uint32_t n_dropped;    /* messages left out at the start to make room, system messages aside */
	double prefill_ms;
	double decode_ms;
};

struct worker_event {
	struct worker_event *next;
	enum worker_event_kind kind;
	uint64_t turn; /* as worker_post_generate gave it; 0 for loading */
	union {
		struct {
			float fraction; /* 0..1 */
		} load;
		struct worker_model_info model; /* in memory now; LOAD_FAILED: n_ctx 0 = none */
		struct {
			uint32_t done, total, cached, n_dropped;
		} prefill;
		struct {
			/* Its place in the vocabulary. The ids of a reply are those of its
			 * TOKEN events: the end-of-turn token and what belongs to a stop
			 * string alone are never reported. */
			int32_t id;
			/* Part of what the model thinks before it answers, or one of the
			 * markers around that (without bytes then). */
			bool reasoning;
			float probability; /* of the token, as sampled from */
			/* What became complete with this token: whole UTF-8, maybe
			 * empty. Not sanitised. Owned by the event. */
			char *bytes;
			size_t len;
			uint32_t n_ctx_used;
			struct worker_candidate *candidates; /* owned, sorted, n of them */
			size_t n_candidates;
		} token;
		struct {
			char *text; /* not sanitised; owned. Its tokens were reasoning. */
			char recipient[64]; /* the tool that it is for; "": none */
		} aside;
		struct {
			uint32_t *message_tokens; /* owned: tokens of each message, markup included */
			size_t n_messages;
			uint32_t total, cached, n_ctx, n_dropped;
			/* Of an answered turn: how many messages would be left out if the next one
			 * were as long as the last one, or a sixteenth of the context; else n_dropped. */
			uint32_t n_next_dropped;
			uint32_t n_past; /* in the cache now: those beyond `cached` will be dropped */
			enum inspect_purpose purpose;
			/* Only if asked for: the prompt, `total` tokens, and its text. Owned. */
			struct worker_prompt_token *tokens;
			char *text; /* not sanitised; tokens may end within a character */
		} inspect;
		struct catalog *catalog; /* owned by the event; NULL: `error` says why */
		struct {
			enum worker_done_reason reason;
			struct worker_stats stats;
		} done;
	} u;
	struct error error; /* LOAD_FAILED, DONE with DONE_ERROR, a failed INSPECT (no messages then)
	                     * or CATALOG */
};

/* Starts the thread; no model is loaded. */
enum status worker_create(struct worker **out, struct error *err) MUST_CHECK;
/* Cancels what runs, joins the thread, frees undelivered events. */
void worker_destroy(struct worker *worker);

/* Readable when events wait. */
int worker_fd(const struct worker *worker);
/* Detaches all waiting events, oldest first; NULL when there are none. */
struct worker_event *worker_take_events(struct worker *worker);
void worker_events_free(struct worker_event *events);

/* Loads params->model ("synthetic:..." is the test backend, see
 * engine/synthetic.h). */
enum status worker_post_load(struct worker *worker, const struct engine_params *params,
                             struct error *err) MUST_CHECK;
enum status worker_post_generate(struct worker *worker, const struct worker_turn *turn,
                                 uint64_t *turn_id, struct error *err) MUST_CHECK;
/* Warms the cache with a conversation; a GENERATE pre-empts it. */
enum status worker_post_prefill(struct worker *worker, const struct worker_turn *turn,
                                uint64_t *turn_id, struct error *err) MUST_CHECK;
/* Acts on the next token, also in mid-reply. Never busy. */
void worker_post_params(struct worker *worker, const struct sampler_params *params);
/* Counts tokens of a conversation; answered by WORKER_INSPECT, between turns
 * or at once. `purpose` comes back with it. */
enum status worker_post_inspect(struct worker *worker, const struct worker_turn *turn,
                                enum inspect_purpose purpose, struct error *err) MUST_CHECK;
/* Looks for model files, in a thread of its own: also while a reply runs, and
 * however slow a disk is. STATUS_BUSY while one is under way. */
enum status worker_post_catalog(struct worker *worker, const struct engine_params *params,
                                struct error *err) MUST_CHECK;
/* Ends the turn (or the loading, turn 0) within some milliseconds; the whole
 * micro-batches of a prompt that were finished stay in the cache.
 * A turn that has ended already, or was never given out, is left alone. */
void worker_cancel(struct worker *worker, uint64_t turn_id);
bool worker_is_busy(const struct worker *worker); /* as far as posted and taken */

#endif
