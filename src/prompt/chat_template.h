/* The chat template of a model: which one it is, what it can take, how a reply
 * to it ends. Immutable after opening. */
#ifndef SOTTO_PROMPT_CHAT_TEMPLATE_H
#define SOTTO_PROMPT_CHAT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/role.h"
#include "engine/turn.h"
#include "gguf/reader.h"
#include "jinja/jinja.h"
#include "prompt/reasoning.h"
#include "tokenizer/tokenizer.h"

/* What a template can take, as probing shows (chat_probe.h). */
struct chat_abilities {
	bool system;      /* a system message comes through */
	bool systems;     /* so does a second one right behind it */
	bool late_system; /* and one in mid-conversation */
	bool same_role;   /* two messages of a role, one behind the other */
	bool reply_first; /* a conversation may begin with a reply */
	bool empty_reply; /* one may have no text: it was stopped while the model thought */
	bool thinking;    /* enable_thinking (or `thinking`) changes something */
	bool effort;      /* so does reasoning_effort */
	bool opens_reasoning; /* what asks for a reply does, also where it is told not to */
	bool parts[ROLE_COUNT]; /* a message's content must be a list of parts, no string */
};

enum { CHAT_LEAD_MAX = 15, CHAT_MARKER_MAX = 31 };

struct chat_template {
	struct jinja_template *jinja; /* owned */
	size_t source_len;            /* bytes of Jinja */
	char name[64];                /* as model_info.template_name */
	char note[256];
	bool chosen; /* by a person, not by the model */
	bool fails;  /* even with the simplest conversation */
	char *bos, *eos, *unk, *pad;  /* owned: texts of these tokens; NULL: there is none */
	struct chat_abilities can;
	const struct reasoning_markers *reasoning; /* NULL: none that we know */
	bool knows_reasoning;  /* the template itself speaks of them, or can->thinking */
	/* How a reply ends, beside the vocabulary's ends: the row's strings, and the
	 * text or the token that the template puts behind one. */
	const char *const *stops;         /* NULL-terminated; of the table */
	char end_marker[CHAT_MARKER_MAX + 1]; /* "": none */
	int32_t end_id;                   /* TOKEN_NONE: none */
	/* The blanks that stand before a reply in a conversation but are not asked
	 * of the model: "Assistant: yes" after "Assistant:". */
	char lead[CHAT_LEAD_MAX + 1];
	/* How much of the text behind the last message, which asks for a reply, stands before one in a
	 * conversation, too, by enum reasoning_mode; SIZE_MAX: all, or nobody knows. */
	size_t asked[REASONING_COUNT];
};

/* Chooses and parses: `choice` (engine_params.chat_template) is a built-in one's
 * name, a variant's name of the model's, or a file; NULL: the model's own, else
 * the built-in one that suits it, else "plain". A template of the model's that
 * cannot be used is replaced by one of the others, and `note` says so; a choice
 * that cannot be is an error. `tokenizer` may be NULL: no special tokens then,
 * and nothing is known of the vocabulary. Copies what it needs. */
enum status chat_template_open(struct chat_template **out, const char *choice,
                               const struct gguf *gguf, const struct tokenizer *tokenizer,
                               struct error *err) MUST_CHECK;
void chat_template_close(struct chat_template *tmpl); /* NULL is fine */

/* The Jinja text alone of what `choice` names, or with NULL of the model's own:
 * STATUS_NOTFOUND when it has none. `gguf` may be NULL where there is a choice.
 * The caller frees *text. */
enum status chat_template_read(char **text, size_t *len, const char *choice,
                               const struct gguf *gguf, struct error *err) MUST_CHECK;

/* A text of a conversation as a template gets it; `source` numbers it for
 * jinja_span.source. */
struct chat_text {
	const char *text;
	size_t len;
	uint32_t source;
};

/* A message as a template gets it: its texts with blank lines between them. */
struct chat_message {
	enum role role;
	const struct chat_text *texts;
	size_t n_texts;
	struct chat_text reasoning; /* of a reply; no bytes: none */
};

/* Renders messages as they are (chat_render.c); jinja_output_free in every case. */
enum status chat_template_render(const struct chat_template *tmpl,
                                 const struct chat_message *messages, size_t n,
                                 bool generation_prompt, struct reasoning_wish wish,
                                 struct jinja_output *out, struct error *err) MUST_CHECK;

#endif
