/* A vocabulary that is at vLLM or SGLang: POST /tokenize, POST /detokenize. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_walk.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "remote/call.h"
#include "remote/vllm.h"

enum { PARTS_MAX = 1000 }; /* that one text is cut into; each takes a request */

/* The tokens of an answer. */
struct told {
	struct token_list ids;
	struct buf pieces; /* of all, each with a NUL behind it */
	size_t n_pieces;
	char *text; /* of /detokenize; owned */
};

static void told_free(struct told *told)
{
	token_list_free(&told->ids);
	buf_free(&told->pieces);
	free(told->text);
	*told = (struct told){0};
}

static enum status take(void *ctx, const char *path, const struct json_item *item,
                        struct error *err)
{
	struct told *told = ctx;

	if (item->kind == JSON_NUMBER &&
	    (json_path_is(path, "tokens.*") || json_path_is(path, "tokens.0.*"))) {
		long id = strtol(item->text, NULL, 10);

		if (id < 0 || id > INT32_MAX)
			return error_set(err, STATUS_FORMAT, "token %ld is in no vocabulary", id);
		if (token_list_push(&told->ids, (int32_t)id))
			return error_no_memory(err, "for the prompt");
	} else if (item->kind == JSON_STRING && json_path_is(path, "token_strs.*")) {
		buf_append(&told->pieces, item->text, strlen(item->text));
		buf_putc(&told->pieces, '\0');
		told->n_pieces++;
	} else if (item->kind == JSON_STRING && !told->text &&
	           (strcmp(path, "prompt") == 0 || strcmp(path, "text") == 0)) {
		told->text = strdup(item->text);
	}
	return STATUS_OK;
}

static enum status ask(struct vllm *vllm, const char *route, const struct buf *body,
                       struct told *told, struct error *err)
{
	struct remote *remote = vllm->remote;
	struct http_answer answer;
	enum status status;

	*told = (struct told){.pieces = {.max = LIMIT_STREAM}};
	if (buf_status(body))
		return error_no_memory(err, "for the prompt");
	status = remote_call(remote, remote->http, route, body->data, body->len, 0, &answer, err);
	if (!status)
		status = json_walk(buf_text(&answer.body), answer.body.len, take, told, err);
	if (!status && buf_status(&told->pieces))
		status = error_no_memory(err, "for the prompt");
	http_answer_free(&answer);
	return status;
}

static enum status ask_ids(struct vllm *vllm, const char *text, size_t len, unsigned flags,
                           struct told *told, struct error *err)
{
	struct buf body = {.max = LIMIT_TOKENIZE_INPUT * 6 + 4096};
	struct json_writer json = {.out = &body};
	enum status status;

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", vllm->remote->model);
	json_put_text(&json, "prompt", text, len);
	json_put_bool(&json, "add_special_tokens", flags & ENCODE_BOS);
	if (vllm->has_pieces)
		json_put_bool(&json, "return_token_strs", true);
	json_put_end(&json, '}');
	status = ask(vllm, vllm->route, &body, told, err);
	buf_free(&body);
	return status;
}

/* GPT-2's letters for bytes: those that can be printed stand for themselves, the others come from 256 on. */
static int byte_of_letter(uint32_t letter)
{
	uint32_t next = 256;

	if ((letter >= '!' && letter <= '~') || (letter >= 0xa1 && letter <= 0xac) ||
	    (letter >= 0xae && letter <= 0xff))
		return (int)letter;
	for (int byte = 0; byte < 256; byte++) {
		if ((byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae)
			continue;
		if (letter == next++)
			return byte;
	}
	return -1;
}

/* False: some letter stands for no byte, so that the piece is a name. */
static bool spell_letters(const char *piece, size_t len, struct buf *out)
{
	size_t start = out->len;

	for (size_t at = 0; at < len;) {
		int32_t letter;
		size_t n = utf8_decode(piece + at, len - at, &letter);
		int byte = letter >= 0 ? byte_of_letter((uint32_t)letter) : -1;

		if (byte < 0) {
			buf_remove(out, start, out->len - start);
			return false;
		}
		buf_putc(out, (char)byte);
		at += n;
	}
	return true;
}

static void spell_sentencepiece(const char *piece, size_t len, struct buf *out)
{
	static const char space[] = "\xe2\x96\x81";

	if (len == 6 && memcmp(piece, "<0x", 3) == 0 && piece[5] == '>') {
		buf_putc(out, (char)strtol(piece + 3, NULL, 16));
		return;
	}
	for (size_t at = 0; at < len;)
		if (len - at >= 3 && memcmp(piece + at, space, 3) == 0) {
			buf_putc(out, ' ');
			at += 3;
		} else {
			buf_putc(out, piece[at++]);
		}
}

void vllm_spell(bool is_byte_level, const char *piece, size_t len, struct buf *out)
{
	if (!is_byte_level)
		spell_sentencepiece(piece, len, out);
	else if (!spell_letters(piece, len, out))
		buf_append(out, piece, len);
}

bool vllm_is_marker(const char *bytes, size_t len)
{
	return len >= 3 && ((bytes[0] == '<' && bytes[len - 1] == '>') ||
	                    (bytes[0] == '[' && bytes[len - 1] == ']'));
}

/* SGLang tells pieces one by one only, by /detokenize: a token that ends within a character has none. */
static enum status ask_piece(struct vllm *vllm, int32_t id, struct buf *out, struct error *err)
{
	struct buf body = {.max = KIB(4)};
	struct json_writer json = {.out = &body};
	struct told told;
	enum status status;

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", vllm->remote->model);
	json_put_begin(&json, "tokens", '[');
	json_put_number(&json, NULL, "%d", (int)id);
	json_put_end(&json, ']');
	json_put_bool(&json, "skip_special_tokens", false);
	json_put_end(&json, '}');
	status = ask(vllm, "/detokenize", &body, &told, err);
	if (!status && told.text && !strstr(told.text, "\xef\xbf\xbd"))
		buf_puts(out, told.text);
	told_free(&told);
	buf_free(&body);
	return status;
}

/* Tells the pieces of an answer. *split: after how many bytes the first name of a control token has to be cut, 0 if
 * there is none. STATUS_UNSUPPORTED: the pieces do not spell the text. */
static enum status put_pieces(struct vllm *vllm, const struct told *told,
                              const struct outside_ask *of, struct outside *known, size_t *split,
                              struct error *err)
{
	struct buf bytes = {.max = LIMIT_TOKENIZE_INPUT};
	const char *piece = buf_text(&told->pieces);
	size_t at = 0;
	enum status status = STATUS_OK;

	*split = 0;
	for (size_t i = 0; i < told->n_pieces && i < told->ids.n && !status; i++) {
		buf_clear(&bytes);
		vllm_spell(vllm->is_byte_level, piece, strlen(piece), &bytes);
		if (known)
			status = outside_put_piece(known, told->ids.ids[i], buf_text(&bytes),
			                           bytes.len, err);
		if (!*split && vllm_is_marker(buf_text(&bytes), bytes.len))
			*split = at + 1;
		if (of && (at + bytes.len > of->len ||
		           memcmp(of->text + at, buf_text(&bytes), bytes.len) != 0))
			status = error_set(err, STATUS_UNSUPPORTED,
			                   "its tokens do not spell the text");
		at += bytes.len;
		piece += strlen(piece) + 1;
	}
	if (!status && of && (at != of->len || told->n_pieces != told->ids.n))
		status = error_set(err, STATUS_UNSUPPORTED, "its tokens do not spell the text");
	buf_free(&bytes);
	return status;
}

static enum status push_all(struct token_list *list, const struct token_list *from,
                            struct error *err)
{
	for (size_t i = 0; i < from->n; i++)
		if (token_list_push(list, from->ids[i]))
			return error_no_memory(err, "for the prompt");
	return STATUS_OK;
}

/* A text in which control tokens may stand. */
static enum status tokenise_special(struct vllm *vllm, struct outside_ask *of, unsigned flags,
                                    struct outside *known, struct error *err)
{
	struct told told;
	size_t split;
	enum status status = ask_ids(vllm, of->text, of->len, flags, &told, err);

	if (!status)
		status = put_pieces(vllm, &told, NULL, known, &split, err);
	if (!status)
		status = push_all(&of->ids, &told.ids, err);
	told_free(&told);
	return status;
}

/* A text of a person: no control token comes of it. What was found is cut off and tokenised alone; then it may not
 * be found in the rest again. */
static enum status tokenise_plain(struct vllm *vllm, struct outside_ask *of, unsigned flags,
                                  struct outside *known, struct error *err)
{
	struct outside_ask nothing = {.text = "", .ids = of->ids};
	size_t at = 0, end = of->len;
	enum status status = STATUS_OK;

	if (flags & ENCODE_BOS) { /* what it puts before any text */
		status = tokenise_special(vllm, &nothing, flags, known, err);
		of->ids = nothing.ids;
	}

	for (size_t n = 0; at < of->len && !status; n++) {
		const struct outside_ask part = {.text = of->text + at, .len = end - at};
		struct told told;
		size_t split;

		if (n == PARTS_MAX)
			return error_set(err, STATUS_LIMIT,
			                 "the text has too many names of control tokens");
		status = ask_ids(vllm, part.text, part.len, 0, &told, err);
		if (!status)
			status = put_pieces(vllm, &told, &part, known, &split, err);
		if (!status && split > 0 && split < part.len) {
			end = at + split;
		} else if (!status) {
			status = push_all(&of->ids, &told.ids, err);
			at = end;
			end = of->len;
		}
		told_free(&told);
	}
	return status;
}

static enum status tokenise(void *ctx, struct outside_ask *asks, size_t n, unsigned flags,
                            struct outside *known, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < n && !status; i++)
		status = flags & ENCODE_SPECIAL ? tokenise_special(ctx, &asks[i], flags, known, err)
		                                : tokenise_plain(ctx, &asks[i], flags, known, err);
	return status;
}

static enum status name(void *ctx, const int32_t *ids, size_t n, struct outside *known,
                        struct error *err)
{
	struct buf piece = {.max = KIB(64)};
	enum status status = STATUS_OK;

	for (size_t i = 0; i < n && !status; i++) {
		size_t len;

		if (outside_piece(known, ids[i], &len))
			continue;
		buf_clear(&piece);
		status = ask_piece(ctx, ids[i], &piece, err);
		if (!status)
			status = outside_put_piece(known, ids[i], buf_text(&piece), piece.len, err);
	}
	buf_free(&piece);
	return status;
}

const struct outside_ops vllm_vocabulary = {.tokenise = tokenise, .name = name};

/* A text in which each kind of tokenizer shows: blanks and line breaks have letters of their own, and an emoji is
 * made of bytes. */
static enum status try_spelling(struct vllm *vllm, struct error *err)
{
	static const char text[] = "a b\n \xf0\x9f\xa6\x8e";
	const struct outside_ask of = {.text = text, .len = strlen(text)};
	struct told told;
	size_t split;
	enum status status = ask_ids(vllm, text, strlen(text), 0, &told, err);

	if (!status && told.n_pieces != told.ids.n)
		status = error_set(err, STATUS_UNSUPPORTED, "it does not tell the texts of tokens");
	if (!status) {
		vllm->is_byte_level =
			memmem(buf_text(&told.pieces), told.pieces.len, "\xc4\xa0", 2) != NULL;
		status = put_pieces(vllm, &told, &of, NULL, &split, err);
	}
	told_free(&told);
	return status;
}

enum status vllm_open_vocabulary(struct vllm *vllm, struct error *err)
{
	const struct outside_names names = {.bos = vllm->bos, .eos = vllm->eos};
	enum status status;

	vllm->has_pieces = true;
	status = try_spelling(vllm, err);
	if (!status)
		status = tokenizer_open_outside(&vllm->tokenizer, &vllm_vocabulary, vllm, &names,
		                                err);
	return status;
}
