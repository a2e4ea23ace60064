/* What the files of the dialect llama-server share. Inside of remote/.
 *
 * A reply is made in one of two ways. Raw: the server's template is rendered here, the server tokenises its text
 * (llama_vocab.c), ids are sent to /completion and ids come back. Chat: /v1/chat/completions gets messages, for
 * templates that cannot be used here and for programs without /tokenize (a llamafile). Which one it is cannot be
 * known as long as the server would have to load the model to say it (router mode, a server that sleeps). */
#ifndef SOTTO_REMOTE_LLAMA_SERVER_H
#define SOTTO_REMOTE_LLAMA_SERVER_H

#include "remote/dialect.h"
#include "tokenizer/outside.h"

enum llama_mode {
	LLAMA_ASLEEP, /* not known before the first reply */
	LLAMA_RAW,
	LLAMA_CHAT,
};

/* The reply under way, raw. */
struct llama_reply {
	struct token_list prompt;  /* owned: ids that were sent */
	struct token_list ids;     /* owned: of the reply so far, those forced included */
	struct token_list forced;  /* owned: ids that ended the thinking, to be told with the next chunk */
	bool lacks_ids;            /* some are not known */
	int32_t held;              /* a token that may turn out to be the end; TOKEN_NONE: none */
	struct token_candidate held_candidates[TOKEN_CANDIDATES_MAX];
	size_t n_held_candidates;
	float held_probability;
	size_t owed;               /* bytes of tokens whose text has not come yet, because a stop string may begin in it */
	uint32_t n_seen;           /* tokens that the server has told, or passed over, of this request */
	uint32_t n_before;         /* tokens of the requests before it, of the same reply */
	uint32_t n_prompt;         /* of the first of them */
	bool is_warm;              /* nothing is wanted; a server makes a token all the same */
	bool is_raw;               /* a text is continued: no token of the template ends it */
	bool goes_on;              /* the next request goes on with this reply */
};

struct llama_server {
	struct remote *remote;
	enum llama_mode mode;
	bool is_router;
	bool has_props;
	bool is_reading;           /* a reply streams: what is asked goes over the other connection */
	char bos[128], eos[128];   /* texts of these tokens; "": not known */
	bool has_separator;        /* it was looked for: */
	int32_t separator;         /* a control token; TOKEN_NONE: none is known */
	const char *separator_name; /* eos or bos */
	uint32_t n_vocab;          /* 0: not known */
	uint64_t props;            /* a hash of what /props said of the model */
	size_t n_notes;            /* in remote->info before any of ours */
	struct tokenizer *tokenizer; /* owned */
	struct chat_template *tmpl;  /* owned */
	struct llama_reply reply;
};

/* ---- llama_open.c ---- */

enum status llama_open(struct remote *remote, struct error *err) MUST_CHECK;
/* Before each reply: finds out what is not known yet, although the server may load its model for that, and whether
 * it still has the model that it had. */
enum status llama_wake(struct remote *remote, struct error *err) MUST_CHECK;
void llama_close(struct remote *remote);

/* ---- llama_vocab.c: the vocabulary, whose ctx is the struct llama_server ---- */

extern const struct outside_ops llama_vocabulary;
/* The ids of an answer of /tokenize, whose pieces become known; the caller frees them in every case. */
enum status llama_read_tokens(struct outside *known, const char *json, size_t len, struct token_list *ids,
                              struct error *err) MUST_CHECK;

/* ---- llama_write.c ---- */

enum status llama_write(struct remote *remote, const struct remote_ask *ask, struct remote_request *out,
                        struct error *err) MUST_CHECK;
enum status llama_inspect(struct remote *remote, const struct turn *turn, struct inspection *out,
                          struct error *err) MUST_CHECK;
enum status llama_answer_now(struct remote *remote, const char *id, struct error *err) MUST_CHECK;
void llama_reply_free(struct llama_reply *reply);

/* ---- llama_chat.c: the same three for LLAMA_CHAT ---- */

enum status llama_chat_write(struct llama_server *llama, const struct remote_ask *ask, struct remote_request *out,
                             struct error *err) MUST_CHECK;
enum status llama_chat_inspect(struct remote *remote, const struct turn *turn, struct inspection *out,
                               struct error *err) MUST_CHECK;
enum status llama_chat_answer(struct remote *remote, const char *id, struct error *err) MUST_CHECK;

/* ---- llama_bias.c ---- */

/* Appends the words of the option logit-bias with ids in the place of texts. STATUS_USAGE for a text that is no
 * token. */
enum status llama_biases(const struct tokenizer *tokenizer, const char *words, struct buf *out,
                         struct error *err) MUST_CHECK;

/* ---- llama_read.c ---- */

enum status llama_read(struct remote *remote, const char *json, size_t len, struct chunk *out,
                       struct error *err) MUST_CHECK;

#endif
