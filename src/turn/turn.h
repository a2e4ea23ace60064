/* What a model is asked and what it answers: plain types, shared by those who build a turn
 * (chat/turn.h), carry it (engine/worker.h) and run it (engine/backend.h). */
#ifndef SOTTO_TURN_TURN_H
#define SOTTO_TURN_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "base/role.h"
#include "sampler/params.h"

/* Whether a model that can think before it answers should do so: passed to its
 * template as enable_thinking (auto: not passed). Names: reasoning_modes. */
enum reasoning_mode { REASONING_AUTO, REASONING_ON, REASONING_OFF, REASONING_COUNT };

/* How long it should think: passed as reasoning_effort, by its name in reasoning_efforts (auto:
 * not passed). */
enum effort { EFFORT_AUTO, EFFORT_LOW, EFFORT_MEDIUM, EFFORT_HIGH };

/* What a template is told besides the messages: what the user wants the reasoning to be like, what
 * time it is, and whatever else the user tells it. */
struct reasoning_wish {
	enum reasoning_mode mode;
	enum effort effort;
	int64_t clock; /* microseconds since the epoch, shown as UTC; 0: the time that it is */
	const char *template_kwargs; /* more variables (encode/template_kwargs.h); NULL: none */
};

/* What is done when a conversation is too long for the context. Names: engine/options.c. */
enum context_policy {
	CONTEXT_ROLL,    /* the oldest turns are left out */
	CONTEXT_ENDS,    /* the first turns stay, those after them are left out */
	CONTEXT_SUMMARY, /* refused, so that the caller can replace the oldest turns by a summary */
	CONTEXT_STOP,    /* refused */
};

/* A message on the path from the root of the conversation to the leaf that is answered. */
struct message {
	enum role role;
	const char *text; /* UTF-8 */
	size_t len;
	/* A reply's ids as they were sampled; n_ids = 0 for all other messages. They
	 * are kept because the same text, tokenised again, may not match the cache. */
	const int32_t *ids;
	size_t n_ids;
	/* Of a reply: what the model thought before it answered, which `text` does not
	 * include. The first n_reasoning_ids of `ids` are its tokens, markers included. */
	const char *reasoning;
	size_t reasoning_len;
	size_t n_reasoning_ids;
	size_t files_len; /* of a user's message: that many of the text's first bytes are attached files */
	bool pinned; /* its turn is never left out */
};

/* From one of its tokens on, a reply was sampled with these. */
struct turn_part {
	uint32_t from;
	bool begins; /* with random numbers of its own, by params.seed: a turn added it */
	struct sampler_params params;
};

struct turn {
	const struct message *messages; /* all of the conversation, oldest first */
	size_t n_messages;
	struct sampler_params sampler;
	int32_t n_predict;   /* maximum tokens; -1 = until the reply ends or the context is full */
	size_t n_candidates; /* how many candidates to report with each token, 0 .. TOKEN_CANDIDATES_MAX */
	bool raw;            /* no template: the texts, joined, are continued */
	/* Only to be counted: the last message is the reply to those before it, and the messages that
	 * were left out for that reply are still left out. */
	bool answered;
	/* The last message is a reply that was cut: the model goes on behind it. Not with `raw`. With `answered`: it is
	 * whole, and is gone through once more. */
	bool continued;
	/* The first token of what is made is this one, whatever is sampled: the user chose it. Only where the prompt
	 * is made here (CAPABILITY_IDS, no server). */
	bool has_first;
	int32_t first;
	/* BACKEND_EXAMINE: [n_parts], rising; before the first one, or without any, `sampler` holds. */
	const struct turn_part *parts;
	size_t n_parts;
	struct reasoning_wish reasoning;
	enum context_policy policy;
	/* The reply is one of these texts, [n_answers], word for word; which one is the model's choice. None:
	 * it is the model's own. The synthetic backend does not know them. */
	const char *const *answers;
	size_t n_answers;
	const char *const *stops; /* [n_stops]: more strings that end the reply */
	size_t n_stops;
	const char *samplers;     /* their order (sampler/order.h); NULL: the usual one */
	const char *logit_bias;   /* words (engine/biases.h); NULL: none */
	const char *dry_breakers; /* words (engine/breakers.h); NULL: the usual ones */
	/* Bytes of weights that this machine reads in a second (catalog/speed.h), for the guide's
	 * advice; 0: unknown. */
	double weight_rate;
};

/* Copies a turn, with all it points to, into one block of memory: free(copy). */
enum status turn_copy(struct turn **out, const struct turn *turn, struct error *err) MUST_CHECK;

enum { PROMPT_TAIL_MAX = 256 };

/* What decides a reply besides the turn: told before its first token. */
struct turn_begin {
	struct sampler_params params; /* the first ones */
	int64_t seed;         /* that the random numbers begin with: what params.seed says, or a new one */
	uint32_t n_prompt;    /* tokens of the prompt ... */
	uint64_t prompt_hash; /* ... and a hash of their ids */
	uint32_t n_vocab;     /* of the model; 0: not known */
	const int32_t *tail;  /* [n_tail], at most PROMPT_TAIL_MAX: the prompt's last ids; borrowed for the event */
	size_t n_tail;
};

enum { TOKEN_CANDIDATES_MAX = 48 };

/* A token that might have been chosen. */
struct token_candidate {
	int32_t id;
	float logit;       /* as the samplers get it, biases included; a server's: ln of its probability */
	float probability; /* of the raw distribution, before any sampler */
	float chosen_p;    /* after all samplers; 0 = removed by one */
	const char *cut_by; /* the option that removed it (sampler/chain.h); static; NULL: none, or a server's */
	char text[24];     /* the first 24 of its bytes, NUL-padded */
	uint8_t len;
};

/* One token of a reply. The end-of-turn token and tokens that belong only to a stop string are
 * never reported, so the reported ids are the ids of the reply. */
struct token {
	int32_t id;        /* its index in the vocabulary */
	float probability; /* in the distribution it was sampled from; 0: turn.answers wanted this one */
	float raw_p;       /* before all samplers; 0: not known */
	/* With candidates, of the whole distribution before all samplers: ln of the sum of exp(logit), and the
	 * entropy in nats. NAN: not known, as with most servers. */
	float log_sum, entropy;
	/* The characters completed by this token: valid UTF-8, maybe empty. Not sanitised. */
	const char *bytes;
	size_t len;
	uint32_t n_ctx_used;
	uint32_t n_generated; /* tokens of the turn so far, this one included */
	const struct token_candidate *candidates; /* [n_candidates], sorted */
	size_t n_candidates;
	/* Part of what the model thinks before it answers, or one of the markers around it, which
	 * have no bytes. */
	bool reasoning;
	bool aside; /* reasoning for the user or a tool: EVENT_ASIDE has all of it at once */
	/* The rest of the token reported before, whose text belongs to two parts: its id is not counted
	 * again. Without bytes: a token was sampled whose text cannot be shown yet. */
	bool rest;
	/* A closing marker without an opening one: all of the answer so far was reasoning. */
	bool recants;
	bool put;    /* the user chose it (turn.first): it was not sampled */
	bool unsure; /* part of an answer that a later token may recant */
};

/* What a message takes of a prompt, in tokens. */
struct message_count {
	uint32_t tokens; /* in all; 0 if it is left out */
	uint32_t markup; /* of these, the template's, */
	uint32_t files;  /* ... and those of attached files */
	bool left_out;   /* to make room */
};

/* A token of a prompt as the model sees it. */
enum prompt_token_flags {
	PROMPT_TOKEN_CONTROL = 1 << 0, /* shown by its name */
	PROMPT_TOKEN_INPUT = 1 << 1,   /* some of its bytes come from a message, not the template */
};
struct prompt_token {
	int32_t id;
	uint32_t flags;
	uint32_t message; /* the message whose markup or text it is */
	size_t end;       /* of its bytes in the prompt's text; they begin where the token before ends */
};

enum done_reason {
	DONE_END,       /* the model ended its reply */
	DONE_STOP,      /* a stop string */
	DONE_LENGTH,    /* n_predict tokens */
	DONE_CONTEXT,   /* the context is full */
	DONE_EARLY,     /* a server's stream ended without saying that the reply has */
	DONE_FILTERED,  /* a server withheld the rest */
	DONE_CANCELLED,
	DONE_ERROR,     /* an error ended it; the tokens before it are kept */
};
/* "end", "stop", "length", "context", "early", "filtered", "cancelled", "error". */
const char *done_reason_name(enum done_reason reason);

struct turn_stats {
	uint32_t n_prompt;     /* tokens in the prompt */
	uint32_t n_cached;     /* those already in the cache */
	uint32_t n_evaluated;  /* those evaluated for this turn */
	uint32_t n_again;      /* of these, evaluated before: recurrent states go back to checkpoints only */
	uint32_t n_generated;
	uint32_t n_ctx_used;   /* after the turn */
	uint32_t n_dropped;    /* messages left out at the start to make room, system messages aside */
	double prefill_ms;
	double decode_ms;
	bool estimated;        /* the counts of the prompt are estimates: a server did not tell them */
	bool cached_unknown;   /* so does n_cached say nothing */
	bool has_cost;
	double cost;           /* of the reply, in dollars */
	uint32_t n_reasoning;  /* of n_generated, where a server tells it; 0: not told */
};

/* What a model can do, so that the UI can tell the user what it cannot. */
enum model_capability {
	CAPABILITY_LOGITS = 1 << 0,      /* tokens come with candidates */
	CAPABILITY_BRANCH = 1 << 1,      /* can be cut back to, and continued from, any position */
	CAPABILITY_LIVE_PARAMS = 1 << 2, /* sampling parameters may change during a reply */
	CAPABILITY_REASONING = 1 << 3,   /* its template supports reasoning */
	CAPABILITY_HELP = 1 << 4,        /* the guide: answers from help entries (guide/guide.h) */
	CAPABILITY_EFFORT = 1 << 5,      /* its template can be told how long to think */
	CAPABILITY_SWITCH = 1 << 6,      /* its template can turn reasoning on and off */
	CAPABILITY_COUNTS = 1 << 7,      /* prompts are counted exactly; otherwise numbers are estimates, "~" */
	CAPABILITY_IDS = 1 << 8,         /* the prompt is made here, token by token; otherwise by a server, of messages */
	CAPABILITY_CONTINUE = 1 << 9,    /* goes on with a reply that was cut */
	CAPABILITY_ANSWER_NOW = 1 << 10, /* can be told to stop thinking (worker_answer_now) */
	CAPABILITY_EXAMINE = 1 << 11,    /* goes through replies and texts without sampling (BACKEND_EXAMINE, BACKEND_SCORE) */
};

enum note_kind { NOTE_PLAIN, NOTE_WARNING, NOTE_TEMPLATE /* of the chat template */ };
/* A sentence about a model that was loaded; not sanitised. */
struct model_note {
	enum note_kind kind;
	char text[256];
};

enum { RECOMMENDED_MAX = 16, IDLE_OPTIONS_MAX = 32, MODEL_NOTES_MAX = 12, MODEL_OPTIONS_MAX = 512, MODEL_SYSTEM_MAX = 4096 };

/* An option that changes nothing with this model. Both texts are static. */
struct idle_option {
	const char *name, *why;
};

/* What replies depend on besides the turn: of the file, how it is evaluated, and its template. */
struct model_identity {
	char file[20];     /* gguf_fingerprint, in hexadecimal; of a server's model a hash of URL and id */
	char tmpl[20];     /* a hash of the chat template's text */
	char isa[16];      /* the instruction set: they differ by rounding */
	char cache[16];    /* types of keys and values, "f16 f16" */
	uint32_t n_ctx;
	/* Of a server's model; "" for a file: the server's name, its model's id, and how it is talked to
	 * ("llama-server"). */
	char server[64], model[128], dialect[24];
};

#define TEMPLATE_OWN "model's own"

struct model_info {
	struct model_identity identity;
	char options[MODEL_OPTIONS_MAX]; /* engine_params_recorded */
	char name[128];        /* general.name or the file's name; not sanitised */
	uint32_t n_ctx;        /* in use; 0: a server does not say */
	unsigned capabilities;
	uint64_t generation;   /* changes whenever a model is loaded, even the same one: its cache is
	                        * empty then */
	struct option_text recommended[RECOMMENDED_MAX]; /* [n_recommended]: sampling options */
	size_t n_recommended;
	/* The system message of new chats where nobody has set one; "": none. UTF-8, not sanitised. */
	char system[MODEL_SYSTEM_MAX];
	/* The chat template in use: TEMPLATE_OWN, "chatml", "plain". */
	char template_name[64];
	struct model_note notes[MODEL_NOTES_MAX]; /* [n_notes]: what the user should know about it */
	size_t n_notes;
	struct idle_option idle[IDLE_OPTIONS_MAX]; /* [n_idle] */
	size_t n_idle;
	char place[64];        /* where it runs, "box (10.0.0.3:8080)"; "": here */
	bool is_unverified;    /* the certificate of the server is not looked at */
};

/* Adds a note, cut if it is too long, with blanks for line breaks, as part of it may be a file's or a server's; does
 * nothing if there is no room for another. */
void model_info_note(struct model_info *info, enum note_kind kind, const char *format, ...)
	PRINTF_LIKE(3, 4);
/* Why an option changes nothing with this model; NULL: it does, or is unknown. */
const char *model_info_idle(const struct model_info *info, const char *option);

struct backend; /* engine/backend.h */
/* May wrap a newly opened backend in another one (guide/guide.h), and add notes to `info`. */
typedef void backend_decorator(struct backend **backend, struct model_info *info);

#endif
