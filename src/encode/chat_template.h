/* The chat template of a model: which one it is, what it supports and how its
 * replies end. Immutable once opened. */
#ifndef SOTTO_ENCODE_CHAT_TEMPLATE_H
#define SOTTO_ENCODE_CHAT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/role.h"
#include "encode/reasoning.h"
#include "gguf/reader.h"
#include "jinja/jinja.h"
#include "tokenizer/tokenizer.h"
#include "turn/turn.h"

/* What a template supports, as probing shows (chat_probe.c). */
struct chat_abilities {
	bool system;      /* a system message comes through */
	bool systems;     /* so does a second one right after it */
	bool late_system; /* so does one in mid-conversation */
	bool same_role;   /* two messages in a row may have the same role */
	bool reply_first; /* a conversation may begin with a reply */
	bool empty_reply; /* a reply may have no text, if it was stopped during the reasoning */
	bool reasoning;   /* enable_thinking (or `thinking`) changes something */
	bool effort;      /* reasoning_effort changes something */
	bool opens_reasoning; /* the prompt ends inside the reasoning even if that is off */
	bool parts[ROLE_COUNT]; /* a message's content must be a list of parts, not a string */
};

enum { CHAT_LEAD_MAX = 15, CHAT_MARKER_MAX = 31 };

struct chat_template {
	struct jinja_template *jinja; /* owned */
	size_t source_len;            /* bytes of Jinja ... */
	uint64_t source_hash;         /* ... and a hash of them */
	char name[64];                /* as model_info.template_name */
	char note[256];
	bool chosen; /* by the user, not by the model */
	bool fails;  /* even with the simplest conversation */
	char *bos, *eos, *unk, *pad;  /* owned: texts of these tokens; NULL: there is none */
	struct chat_abilities can;
	const struct reasoning_markers *reasoning; /* NULL: none that we know */
	bool knows_reasoning;  /* the template mentions these markers, or can.reasoning */
	/* What ends a reply, besides the vocabulary's end tokens: strings of the built-in
	 * template, and the text or token that the template puts after a reply. */
	const char *const *stops;         /* NULL-terminated; borrowed from the table */
	char end_marker[CHAT_MARKER_MAX + 1]; /* "": none */
	int32_t end_id;                   /* TOKEN_NONE: none */
	/* Blanks that come before a reply in a conversation but are not part of the
	 * text that asks for one: "Assistant: yes" after "Assistant:". */
	char lead[CHAT_LEAD_MAX + 1];
	/* By reasoning_mode: how many bytes of the text that asks for a reply also come before one
	 * in a conversation; SIZE_MAX: all of it, or unknown. */
	size_t asked[REASONING_COUNT];
};

/* Chooses and parses a template. `choice` (engine_params.chat_template) is the name
 * of a built-in one, the name of one of the model's variants, or a file. NULL: the
 * model's own, or the built-in one that fits it, or "plain". If the model's own
 * cannot be used, one of the others replaces it and `note` says so; if a choice
 * cannot be used, that is an error. `gguf` may be NULL: the model has no template of its own then.
 * `tokenizer` may be NULL: then there are no special tokens and nothing is known about the vocabulary. Copies what it needs. */
enum status chat_template_open(struct chat_template **out, const char *choice,
                               const struct gguf *gguf, const struct tokenizer *tokenizer,
                               struct error *err) MUST_CHECK;
/* The same for a template that comes as a text, of a server; `name` for model_info.template_name. There is
 * no other one to use in its place: an error says why it cannot be used (STATUS_FORMAT, STATUS_LIMIT). */
enum status chat_template_open_text(struct chat_template **out, const char *name, const char *text, size_t len,
                                    const struct tokenizer *tokenizer, struct error *err) MUST_CHECK;
void chat_template_close(struct chat_template *tmpl); /* NULL is fine */

/* Only the Jinja text of `choice`, or, if that is NULL, of the model's own template:
 * STATUS_NOTFOUND if it has none. `gguf` may be NULL if there is a choice. The
 * caller frees *text. */
enum status chat_template_read(char **text, size_t *len, const char *choice,
                               const struct gguf *gguf, struct error *err) MUST_CHECK;

/* A text given to a template; `source` is its number in jinja_span.source. */
struct chat_text {
	const char *text;
	size_t len;
	uint32_t source;
};

/* A message given to a template: its texts are joined by blank lines. */
struct chat_message {
	enum role role;
	const struct chat_text *texts;
	size_t n_texts;
	struct chat_text reasoning; /* of a reply; empty if there is none */
};

/* Fills in `can`, `lead`, `asked`, `end_marker` and `end_id` (chat_probe.c). Fails with the
 * template's own error if not even a single user message can be rendered. `tokenizer` may be NULL. */
enum status chat_template_probe(struct chat_template *tmpl, const struct tokenizer *tokenizer,
                                struct error *err) MUST_CHECK;

/* Renders messages as they are (chat_render.c); jinja_output_free in every case. */
enum status chat_template_render(const struct chat_template *tmpl,
                                 const struct chat_message *messages, size_t n,
                                 bool generation_prompt, struct reasoning_wish wish,
                                 struct jinja_output *out, struct error *err) MUST_CHECK;

#endif
