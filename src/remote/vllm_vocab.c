/* A vocabulary that is at vLLM or SGLang: POST /tokenize, POST /detokenize. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/json_walk.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "remote/call.h"
#include "remote/raw.h"
#include "remote/vllm.h"

enum {
	NAMES_MAX = 1024,                /* ids in one request */
	KEPT_MAX = 256, KEPT_LEN_MAX = 64, /* answers that are kept, and bytes of their texts */
};

void vllm_told_free(struct vllm_told *told)
{
	token_list_free(&told->ids);
	buf_free(&told->pieces);
	*told = (struct vllm_told){0};
}

static enum status take(void *ctx, const char *path, const struct json_item *item,
                        struct error *err)
{
	static const char *const pieces[] = {"token_strs.*", "text", "text.*", "prompt"};
	struct vllm_told *told = ctx;

	if (item->kind == JSON_NUMBER &&
	    (json_path_is(path, "tokens.*") || json_path_is(path, "tokens.0.*")))
		return raw_push_id(&told->ids, item, err);
	for (size_t i = 0; item->kind == JSON_STRING && i < sizeof pieces / sizeof pieces[0]; i++)
		if (json_path_is(path, pieces[i])) {
			buf_append(&told->pieces, item->text, strlen(item->text));
			buf_putc(&told->pieces, '\0');
			told->n_pieces++;
		}
	return STATUS_OK;
}

static enum status ask(struct vllm *vllm, const char *route, const struct buf *body,
                       struct vllm_told *told, struct error *err)
{
	struct remote *remote = vllm->remote;
	struct http_answer answer;
	enum status status;

	*told = (struct vllm_told){.pieces = {.max = LIMIT_STREAM}};
	status = remote_call(remote, remote->http, route, body, 0, &answer, err);
	if (!status)
		status = json_walk(buf_text(&answer.body), answer.body.len, take, told, err);
	if (!status && buf_status(&told->pieces))
		status = error_no_memory(err, "for the prompt");
	http_answer_free(&answer);
	return status;
}

/* ---- answers that are kept ---- */

void vllm_free_kept(struct vllm *vllm)
{
	for (size_t i = 0; i < vllm->n_kept; i++) {
		free(vllm->kept[i].text);
		vllm_told_free(&vllm->kept[i].told);
	}
	free(vllm->kept);
	vllm->kept = NULL;
	vllm->n_kept = vllm->cap_kept = 0;
}

static bool copy_told(struct vllm_told *out, const struct vllm_told *from)
{
	*out = (struct vllm_told){.pieces = {.max = LIMIT_STREAM}, .n_pieces = from->n_pieces};
	return !token_list_append(&out->ids, from->ids.ids, from->ids.n) &&
	       (!from->pieces.len || !buf_append(&out->pieces, from->pieces.data, from->pieces.len));
}

static const struct vllm_told *find_kept(const struct vllm *vllm, const char *text, size_t len, bool has_bos)
{
	for (size_t i = 0; i < vllm->n_kept; i++)
		if (vllm->kept[i].len == len && vllm->kept[i].has_bos == has_bos &&
		    memcmp(vllm->kept[i].text, text, len) == 0)
			return &vllm->kept[i].told;
	return NULL;
}

/* Without memory it is asked again. */
static void keep(struct vllm *vllm, const char *text, size_t len, bool has_bos, const struct vllm_told *told)
{
	struct vllm_kept kept = {.len = len, .has_bos = has_bos};

	if (len > KEPT_LEN_MAX || vllm->n_kept == KEPT_MAX)
		return;
	kept.text = alloc_strndup(text, len);
	if (copy_told(&kept.told, told) && kept.text &&
	    alloc_grow(&vllm->kept, &vllm->cap_kept, vllm->n_kept + 1, sizeof *vllm->kept, KEPT_MAX)) {
		vllm->kept[vllm->n_kept++] = kept;
		return;
	}
	vllm_told_free(&kept.told);
	free(kept.text);
}

enum status vllm_ask_ids(struct vllm *vllm, const char *text, size_t len, unsigned flags,
                         struct vllm_told *told, struct error *err)
{
	const struct vllm_told *known = find_kept(vllm, text, len, flags & ENCODE_BOS);
	struct buf body = {.max = LIMIT_TOKENIZE_INPUT * 6 + 4096};
	struct json_writer json = {.out = &body};
	enum status status;

	if (known)
		return copy_told(told, known) ? STATUS_OK : error_no_memory(err, "for the prompt");
	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", vllm->remote->model);
	json_put_text(&json, "prompt", text, len);
	json_put_bool(&json, "add_special_tokens", flags & ENCODE_BOS);
	if (vllm->has_pieces)
		json_put_bool(&json, "return_token_strs", true);
	json_put_end(&json, '}');
	status = ask(vllm, "/tokenize", &body, told, err);
	if (!status)
		keep(vllm, text, len, flags & ENCODE_BOS, told);
	buf_free(&body);
	return status;
}

/* ---- names of ids ---- */

/* Asks for the texts of ids: of many, each by itself, as SGLang takes them, or of one. */
static enum status ask_names(struct vllm *vllm, const int32_t *ids, size_t n,
                             struct vllm_told *told, struct error *err)
{
	struct buf body = {.max = KIB(4) + n * 32};
	struct json_writer json = {.out = &body};
	enum status status;

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", vllm->remote->model);
	json_put_begin(&json, "tokens", '[');
	for (size_t i = 0; i < n; i++) {
		if (n > 1)
			json_put_begin(&json, NULL, '[');
		json_put_number(&json, NULL, "%d", (int)ids[i]);
		if (n > 1)
			json_put_end(&json, ']');
	}
	json_put_end(&json, ']');
	json_put_bool(&json, "skip_special_tokens", false);
	json_put_end(&json, '}');
	status = ask(vllm, "/detokenize", &body, told, err);
	buf_free(&body);
	return status;
}

/* A token that ends within a character has no text. */
static enum status put_names(const struct vllm_told *told, const int32_t *ids, size_t n,
                             struct outside *known, struct error *err)
{
	const char *text = buf_text(&told->pieces);
	enum status status = STATUS_OK;

	for (size_t i = 0; i < n && !status; i++) {
		bool is_told = i < told->n_pieces && !strstr(text, "\xef\xbf\xbd");

		status = outside_put_piece(known, ids[i], is_told ? text : "",
		                           is_told ? strlen(text) : 0, err);
		text += i < told->n_pieces ? strlen(text) + 1 : 0;
	}
	return status;
}

static enum status name(void *ctx, const int32_t *ids, size_t n, struct outside *known,
                        struct error *err)
{
	struct vllm *vllm = ctx;
	enum status status = STATUS_OK;

	for (size_t at = 0, count; at < n && !status; at += count) {
		struct vllm_told told;

		count = vllm->names_one ? 1 : n - at < NAMES_MAX ? n - at : NAMES_MAX;
		status = ask_names(vllm, ids + at, count, &told, err);
		if (count > 1 && status != STATUS_CANCELLED && told.n_pieces != count) {
			vllm->names_one = true; /* it takes one at a time */
			status = STATUS_OK;
			count = 0;
		}
		if (!status)
			status = put_names(&told, ids + at, count, known, err);
		vllm_told_free(&told);
	}
	return status;
}

/* ---- ids of texts ---- */

enum status vllm_learn(struct vllm *vllm, const struct vllm_told *told, struct outside *known,
                       struct error *err)
{
	struct buf bytes = {.max = LIMIT_TOKENIZE_INPUT};
	struct token_list unknown = {0};
	const char *piece = buf_text(&told->pieces);
	enum status status = STATUS_OK;
	size_t len;

	for (size_t i = 0; i < told->ids.n && !status; i++) {
		int32_t id = told->ids.ids[i];

		if (i < told->n_pieces) {
			buf_clear(&bytes);
			vllm_spell(vllm->is_byte_level, piece, strlen(piece), &bytes);
			status = outside_put_piece(known, id, buf_text(&bytes), bytes.len, err);
			piece += strlen(piece) + 1;
		} else if (!outside_piece(known, id, &len) && token_list_push(&unknown, id)) {
			status = error_no_memory(err, "for the prompt");
		}
	}
	if (!status)
		status = name(vllm, unknown.ids, unknown.n, known, err);
	token_list_free(&unknown);
	buf_free(&bytes);
	return status;
}

/* A text in which control tokens may stand. */
static enum status tokenise_special(struct vllm *vllm, struct outside_ask *of, unsigned flags,
                                    struct outside *known, struct error *err)
{
	struct vllm_told told;
	enum status status = vllm_ask_ids(vllm, of->text, of->len, flags, &told, err);

	if (!status)
		status = vllm_learn(vllm, &told, known, err);
	if (!status && token_list_append(&of->ids, told.ids.ids, told.ids.n))
		status = error_no_memory(err, "for the prompt");
	vllm_told_free(&told);
	return status;
}

/* What it puts before any text comes first. */
static enum status tokenise_text(struct vllm *vllm, struct outside_ask *of, unsigned flags,
                                 struct outside *known, struct error *err)
{
	struct outside_ask nothing = {.text = "", .ids = of->ids};
	enum status status = STATUS_OK;

	if (flags & ENCODE_SPECIAL)
		return tokenise_special(vllm, of, flags, known, err);
	if (flags & ENCODE_BOS) {
		status = tokenise_special(vllm, &nothing, flags, known, err);
		of->ids = nothing.ids;
	}
	return status ? status : vllm_tokenise_plain(vllm, of, known, err);
}

static enum status tokenise(void *ctx, struct outside_ask *asks, size_t n, unsigned flags,
                            struct outside *known, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < n && !status; i++)
		status = tokenise_text(ctx, &asks[i], flags, known, err);
	return status;
}

const struct outside_ops vllm_vocabulary = {.tokenise = tokenise, .name = name};

/* ---- which kind it is ---- */

/* Whether the pieces of an answer are the text's bytes: they are not where a blank is put before each text. */
static bool spells(const struct vllm *vllm, const struct vllm_told *told, const char *text)
{
	struct buf bytes = {.max = KIB(64)};
	const char *piece = buf_text(&told->pieces);
	bool is_same;

	for (size_t i = 0; i < told->n_pieces; i++, piece += strlen(piece) + 1)
		vllm_spell(vllm->is_byte_level, piece, strlen(piece), &bytes);
	is_same = strcmp(buf_text(&bytes), text) == 0;
	buf_free(&bytes);
	return is_same;
}

static enum status refuse_blank(struct error *err)
{
	return error_set(err, STATUS_UNSUPPORTED, "its tokenizer puts a blank before each text");
}

/* Blanks have a letter of their own in byte-level vocabularies, and an emoji is made of bytes. */
static enum status try_pieces(struct vllm *vllm, struct error *err)
{
	static const char text[] = "a b\n \xf0\x9f\xa6\x8e";
	struct vllm_told told;
	enum status status = vllm_ask_ids(vllm, text, strlen(text), 0, &told, err);

	vllm->has_pieces = !status && told.n_pieces == told.ids.n && told.ids.n > 0;
	if (vllm->has_pieces) {
		vllm->is_byte_level =
			memmem(buf_text(&told.pieces), told.pieces.len, "\xc4\xa0", 2) != NULL;
		if (!spells(vllm, &told, text))
			status = refuse_blank(err);
	}
	vllm_told_free(&told);
	return status;
}

/* The same without pieces: the two letters are one token then. */
static enum status try_ids(struct vllm *vllm, struct error *err)
{
	struct vllm_told told;
	enum status status = vllm_ask_ids(vllm, "a a", 3, 0, &told, err);

	if (!status && told.ids.n == 0)
		status = error_set(err, STATUS_UNSUPPORTED, "it does not tell the ids of a text");
	else if (!status && told.ids.n == 2 && told.ids.ids[0] == told.ids.ids[1])
		status = refuse_blank(err);
	vllm_told_free(&told);
	return status;
}

enum status vllm_open_vocabulary(struct vllm *vllm, struct error *err)
{
	const struct outside_names names = {.bos = vllm->bos, .eos = vllm->eos};
	enum status status;

	vllm->has_pieces = true;
	status = try_pieces(vllm, err);
	if (!status && !vllm->has_pieces)
		status = try_ids(vllm, err);
	if (!status)
		status = tokenizer_open_outside(&vllm->tokenizer, &vllm_vocabulary, vllm, &names,
		                                err);
	return status;
}
