/* What the files of the dialects vllm and sglang share. Inside of remote/.
 *
 * Where the model's template is known (servers.yaml names a file, or vLLM tells it) and a text may be tokenised
 * in parts, the prompt is made here and sent as ids to /v1/completions: raw. Otherwise the server gets messages, which
 * vLLM counts exactly.
 *
 * Both match control tokens in any text that they tokenise, and cannot be told not to. So a text of a person is cut
 * within whatever looks like the name of one (vllm_vocab.c), and each part is tokenised by itself. */
#ifndef SOTTO_REMOTE_VLLM_H
#define SOTTO_REMOTE_VLLM_H

#include "remote/dialect.h"
#include "tokenizer/outside.h"

/* The tokens of an answer. */
struct vllm_told {
	struct token_list ids;
	struct buf pieces; /* [n_pieces], each with a NUL: of the ids, or of those to be named */
	size_t n_pieces;
};

/* What short texts were tokenised as: one is asked for as what may have control tokens and as what a person wrote, and to
 * the server that is the same. */
struct vllm_kept {
	char *text; /* [len], owned */
	size_t len;
	bool has_bos;
	struct vllm_told told;
};

struct vllm {
	struct remote *remote;
	bool is_raw;
	bool counts;     /* by messages: the server counts them */
	bool has_pieces; /* /tokenize tells the pieces of ids, as vLLM does */
	bool names_one;  /* /detokenize takes the ids of one text, not of many */
	bool is_byte_level; /* the pieces' letters stand for bytes, as in GPT-2; else they are SentencePiece's */
	char bos[64], eos[64];       /* "": not known */
	struct tokenizer *tokenizer; /* owned */
	struct chat_template *tmpl;  /* owned */
	struct token_list prompt;    /* owned: ids of the last request */
	struct vllm_kept *kept;      /* [n_kept], owned: vllm_free_kept */
	size_t n_kept, cap_kept;
};

/* ---- vllm_vocab.c ---- */

extern const struct outside_ops vllm_vocabulary; /* ctx: struct vllm */
/* Finds out how it tokenises. STATUS_UNSUPPORTED: a blank comes before each text, so that parts of one cannot be
 * tokenised by themselves. */
enum status vllm_open_vocabulary(struct vllm *vllm, struct error *err) MUST_CHECK;
/* A short text is asked for once. vllm_told_free in every case. */
enum status vllm_ask_ids(struct vllm *vllm, const char *text, size_t len, unsigned flags,
                         struct vllm_told *told, struct error *err) MUST_CHECK;
/* Keeps the pieces of an answer's tokens, and asks for those that it does not tell. */
enum status vllm_learn(struct vllm *vllm, const struct vllm_told *told, struct outside *known,
                       struct error *err) MUST_CHECK;
void vllm_told_free(struct vllm_told *told);
void vllm_free_kept(struct vllm *vllm);

/* ---- vllm_cut.c ---- */

/* Appends ids of which none is a control token. */
enum status vllm_tokenise_plain(struct vllm *vllm, struct outside_ask *of, struct outside *known,
                                struct error *err) MUST_CHECK;

/* ---- vllm_spell.c ---- */

/* The bytes that a piece stands for, appended. */
void vllm_spell(bool is_byte_level, const char *piece, size_t len, struct buf *out);
/* Whether a token's bytes look like the name of a control token: "<|im_end|>", "[INST]". */
bool vllm_is_marker(const char *bytes, size_t len);

/* ---- vllm_write.c ---- */

enum status vllm_write(struct remote *remote, const struct remote_ask *ask,
                       struct remote_request *out, struct error *err) MUST_CHECK;
enum status vllm_inspect(struct remote *remote, const struct turn *turn, struct inspection *out,
                         struct error *err) MUST_CHECK;
/* How many tokens a turn's messages (keep NULL: all) take, the markup included, as the server counts. */
enum status vllm_count(struct remote *remote, const struct turn *turn, const bool *keep,
                       uint32_t *n, struct error *err) MUST_CHECK;

#endif
