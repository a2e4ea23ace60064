/* What is asked of a model and what it answers: plain types, shared by whoever builds a turn
 * (chat/turn.h), carries it (worker.h) or runs it (backend.h). */
#ifndef SOTTO_ENGINE_TURN_H
#define SOTTO_ENGINE_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "base/role.h"
#include "sampler/params.h"

struct engine_params;

/* Whether a model that can think before it answers is to do so: passed to its
 * template as enable_thinking (auto: not passed). Names: reasoning_modes. */
enum reasoning_mode { REASONING_AUTO, REASONING_ON, REASONING_OFF, REASONING_COUNT };

/* How long it is to think: passed as reasoning_effort, by its name in reasoning_efforts (auto:
 * not passed). */
enum effort { EFFORT_AUTO, EFFORT_LOW, EFFORT_MEDIUM, EFFORT_HIGH };

/* What the user wants of the model's reasoning. */
struct reasoning_wish {
	enum reasoning_mode mode;
	enum effort effort;
};

/* A message of the path from the root to the leaf that is to be answered. */
struct message {
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

struct turn {
	const struct message *messages; /* all of the conversation, oldest first */
	size_t n_messages;
	struct sampler_params sampler;
	int32_t n_predict;   /* -1 = until the reply ends or the context is full */
	size_t n_candidates; /* how many candidates to report with each token, 0..20 */
	bool raw;            /* no template: the texts, one after the other, are to be continued */
	/* To be counted, not replied to: the last message is the reply to those before it, and what
	 * was left out for them is left out still. */
	bool answered;
	struct reasoning_wish reasoning;
	const char *const *stops; /* further strings that end the reply, n_stops of them */
	size_t n_stops;
	/* Bytes of weights that go through this machine in a second (models/speed.h), for the guide's
	 * advice; 0: unknown. */
	double weight_rate;
};

/* A turn as the settings want it, without messages and stop strings. */
struct turn turn_of(const struct engine_params *engine, const struct sampler_params *sampler);
/* Copies a turn into one block of memory, so that a command outlives what it was posted from:
 * free(copy). */
enum status turn_copy(struct turn **out, const struct turn *turn, struct error *err) MUST_CHECK;

enum { TOKEN_CANDIDATES_MAX = 20 };

/* A token that might have been chosen. */
struct token_candidate {
	int32_t id;
	float logit;       /* raw */
	float probability; /* of the raw distribution, before any sampler */
	float chosen_p;    /* after all samplers; 0 = cut */
	char text[24];     /* its bytes, NUL-padded, cut at 24 */
	uint8_t len;
};

/* One token of a reply. The ids of a reply are those of its tokens: the end-of-turn token and
 * what belongs to a stop string alone are never reported. */
struct token {
	int32_t id;        /* its place in the vocabulary */
	float probability; /* as sampled from */
	/* What became complete with this token: whole UTF-8, maybe empty. Not sanitised. */
	const char *bytes;
	size_t len;
	uint32_t n_ctx_used;
	const struct token_candidate *candidates; /* sorted, n of them */
	size_t n_candidates;
	/* Part of what the model thinks before it answers, or one of the markers around that
	 * (without bytes then). */
	bool reasoning;
	bool aside; /* reasoning for the user or a tool: backend_host.aside tells it whole */
};

/* A token of a prompt as the model sees it. */
enum prompt_token_flags {
	PROMPT_TOKEN_CONTROL = 1 << 0, /* shown by its name */
	PROMPT_TOKEN_INPUT = 1 << 1,   /* some of its bytes are the conversation's, not the template's */
};
struct prompt_token {
	int32_t id;
	uint32_t flags;
	uint32_t message; /* whose markup or text it is */
	size_t end;       /* of its bytes in the prompt's text; they begin where the one before ends */
};

enum done_reason {
	DONE_END,       /* the model ended its reply */
	DONE_STOP,      /* a stop string */
	DONE_LENGTH,    /* n_predict tokens */
	DONE_CONTEXT,   /* the context is full */
	DONE_CANCELLED,
	DONE_ERROR,     /* an error ended it; what came before stands */
};

struct turn_stats {
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

/* What a model can do, so that the UI can say what it cannot. */
enum model_capability {
	CAPABILITY_LOGITS = 1 << 0,      /* candidates come with tokens */
	CAPABILITY_BRANCH = 1 << 1,      /* truncate and continue at any position */
	CAPABILITY_LIVE_PARAMS = 1 << 2, /* sampling parameters act in mid-reply */
	CAPABILITY_REASONING = 1 << 3,   /* its template knows of reasoning */
	CAPABILITY_HELP = 1 << 4,        /* the guide: answers from help entries (guide/guide.h) */
	CAPABILITY_EFFORT = 1 << 5,      /* its template asks how long to think */
	CAPABILITY_SWITCH = 1 << 6,      /* its template can be told to reason, or not to */
};

enum note_kind { NOTE_PLAIN, NOTE_WARNING, NOTE_TEMPLATE /* of the chat template */ };
/* A sentence about a model that was loaded; not sanitised. */
struct model_note {
	enum note_kind kind;
	char text[256];
};

enum { RECOMMENDED_MAX = 6, MODEL_NOTES_MAX = 6 };

struct model_info {
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
	/* What the user should know of it: n_notes of them. */
	struct model_note notes[MODEL_NOTES_MAX];
	size_t n_notes;
};

/* Adds a note, cut where it is too long; one too many is left out. */
void model_info_note(struct model_info *info, enum note_kind kind, const char *format, ...)
	PRINTF_LIKE(3, 4);

#endif
