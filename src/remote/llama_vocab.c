/* A vocabulary that is at a llama-server: POST /tokenize. Its "content" may be a list of texts and ids: each text
 * is tokenised by itself, an id stands for itself. So several texts take one request, with a control token between
 * them, which none of them becomes when control tokens are not matched; and ids alone give their pieces. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/json_walk.h"
#include "base/limits.h"
#include "remote/call.h"
#include "remote/llama_server.h"
#include "remote/raw.h"

enum {
	PIECES_TEXT_MAX = 64 << 10, /* longer texts are tokenised without the pieces: the answer would be large */
	NAMES_MAX = 4096,           /* ids in one request */
	TEXTS_MAX = 1 << 20,        /* bytes of texts in one */
};

/* The tokens of an answer, as they are read. */
struct told {
	struct outside *known;
	struct token_list ids;
	struct buf piece; /* of the token that is read */
	bool has_piece;
};

static enum status end_token(struct told *told, struct error *err)
{
	enum status status = STATUS_OK;

	if (told->ids.n && told->has_piece)
		status = outside_put_piece(told->known, told->ids.ids[told->ids.n - 1], buf_text(&told->piece),
		                           told->piece.len, err);
	told->has_piece = false;
	buf_clear(&told->piece);
	return status;
}

static enum status take_token(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct told *told = ctx;

	if (item->kind == JSON_OBJECT_END && json_path_is(path, "tokens.*"))
		return end_token(told, err);
	if (item->kind == JSON_NUMBER && (json_path_is(path, "tokens.*.id") || json_path_is(path, "tokens.*")))
		return raw_push_id(&told->ids, item, err);
	if (item->kind == JSON_STRING && json_path_is(path, "tokens.*.piece")) {
		told->has_piece = true;
		buf_append(&told->piece, item->text, item->len);
	}
	if (item->kind == JSON_ARRAY && json_path_is(path, "tokens.*.piece"))
		told->has_piece = true;
	if (item->kind == JSON_NUMBER && json_path_is(path, "tokens.*.piece.*"))
		buf_putc(&told->piece, (char)strtol(item->text, NULL, 10));
	return STATUS_OK;
}

enum status llama_read_tokens(struct outside *known, const char *json, size_t len, struct token_list *ids,
                              struct error *err)
{
	struct told told = {.known = known, .piece = {.max = LIMIT_TOKENIZE_INPUT}};
	enum status status = json_walk(json, len, take_token, &told, err);

	*ids = told.ids;
	buf_free(&told.piece);
	return status;
}

static enum status ask(struct llama_server *llama, struct buf *body, struct told *told, int *code, struct error *err)
{
	struct remote *remote = llama->remote;
	struct http_answer answer = {.code = 0};
	struct http *http = remote->http;
	enum status status = STATUS_OK;

	if (llama->is_reading)
		status = remote_aside(remote, &http, err);
	if (!status) {
		status = remote_call(remote, http, "/tokenize", body, 0, &answer, err);
		*code = answer.code;
		if (status && (answer.code == 400 || answer.code == 500))
			status = STATUS_FORMAT; /* text, or an id, that the vocabulary has no tokens for */
		if (status && (answer.code == 404 || answer.code == 405 || answer.code == 501))
			status = STATUS_UNSUPPORTED;
		if (!status)
			status = json_walk(buf_text(&answer.body), answer.body.len, take_token, told, err);
		http_answer_free(&answer);
	}
	return status;
}

static void begin_body(struct json_writer *json, const struct llama_server *llama, unsigned flags, bool pieces)
{
	json_put_begin(json, NULL, '{');
	if (llama->is_router)
		json_put_string(json, "model", llama->remote->model);
	json_put_bool(json, "add_special", flags & ENCODE_BOS);
	json_put_bool(json, "parse_special", flags & ENCODE_SPECIAL);
	json_put_bool(json, "with_pieces", pieces);
}

/* Divides the ids of a batch at the separators: false if there are not as many as should be. */
static bool divide(struct outside_ask *asks, size_t n, const struct token_list *ids, int32_t separator)
{
	size_t count = 0, at = 0;

	for (size_t i = 0; i < ids->n; i++)
		count += ids->ids[i] == separator;
	if (count + 1 != n)
		return false;
	for (size_t i = 0; i < ids->n; i++)
		if (ids->ids[i] == separator)
			at++;
		else if (token_list_push(&asks[at].ids, ids->ids[i]))
			return false;
	return true;
}

/* One request for n texts. *divided false: which ids are whose cannot be told. */
static enum status tokenise_together(struct llama_server *llama, struct outside_ask *asks, size_t n, unsigned flags,
                                     struct outside *known, bool *divided, struct error *err)
{
	struct buf body = {.max = LIMIT_TOKENIZE_INPUT * 6 + 4096};
	struct json_writer json = {.out = &body};
	struct told told = {.known = known, .piece = {.max = LIMIT_TOKENIZE_INPUT}};
	size_t bytes = 0;
	int code = 0;
	enum status status;

	*divided = false;
	for (size_t i = 0; i < n; i++)
		bytes += asks[i].len;
	begin_body(&json, llama, flags, bytes <= PIECES_TEXT_MAX);
	if (n > 1)
		json_put_begin(&json, "content", '[');
	for (size_t i = 0; i < n; i++) {
		if (i)
			json_put_number(&json, NULL, "%d", (int)llama->separator);
		json_put_text(&json, n > 1 ? NULL : "content", asks[i].text, asks[i].len);
	}
	if (n > 1)
		json_put_end(&json, ']');
	json_put_end(&json, '}');
	status = ask(llama, &body, &told, &code, err);
	*divided = n > 1 && !status && divide(asks, n, &told.ids, llama->separator);
	if (n == 1 && !status) {
		asks->ids = told.ids;
		told.ids = (struct token_list){0};
		*divided = true;
	}
	token_list_free(&told.ids);
	buf_free(&told.piece);
	buf_free(&body);
	return status;
}

/* The id of a control token of this name; TOKEN_NONE: it is none. */
static enum status find_control(struct llama_server *llama, const char *name, struct outside *known, int32_t *id,
                                struct error *err)
{
	struct outside_ask asks[2] = {{.text = name, .len = strlen(name)}, {.text = name, .len = strlen(name)}};
	bool divided;
	enum status status = tokenise_together(llama, &asks[0], 1, ENCODE_SPECIAL, known, &divided, err);

	if (!status)
		status = tokenise_together(llama, &asks[1], 1, 0, known, &divided, err);
	*id = !status && asks[0].ids.n == 1 && (asks[1].ids.n != 1 || asks[1].ids.ids[0] != asks[0].ids.ids[0])
	              ? asks[0].ids.ids[0] : TOKEN_NONE;
	token_list_free(&asks[0].ids);
	token_list_free(&asks[1].ids);
	return status;
}

/* Looks for a separator, at the first question. */
static enum status find_separator(struct llama_server *llama, struct outside *known, struct error *err)
{
	enum status status = STATUS_OK;

	if (llama->has_separator)
		return STATUS_OK;
	llama->separator_name = llama->eos;
	if (llama->eos[0])
		status = find_control(llama, llama->eos, known, &llama->separator, err);
	if (!status && llama->separator == TOKEN_NONE && llama->bos[0]) {
		llama->separator_name = llama->bos;
		status = find_control(llama, llama->bos, known, &llama->separator, err);
	}
	llama->has_separator = !status;
	return status;
}

/* Whether the separator would be found in a text: it is asked for alone. */
static bool has_separator(const struct llama_server *llama, const struct outside_ask *ask, unsigned flags)
{
	const char *name = llama->separator_name;

	return flags & ENCODE_SPECIAL && memmem(ask->text, ask->len, name, strlen(name));
}

/* How many of the texts go into one request. */
static size_t count_together(const struct llama_server *llama, const struct outside_ask *asks, size_t n,
                             unsigned flags)
{
	size_t count = 1, bytes = asks[0].len;

	if (llama->separator == TOKEN_NONE || flags & ENCODE_BOS || has_separator(llama, asks, flags))
		return 1;
	while (count < n && (bytes += asks[count].len) <= TEXTS_MAX && !has_separator(llama, asks + count, flags))
		count++;
	return count;
}

static enum status tokenise(void *ctx, struct outside_ask *asks, size_t n, unsigned flags, struct outside *known,
                            struct error *err)
{
	struct llama_server *llama = ctx;
	enum status status = find_separator(llama, known, err);

	for (size_t i = 0, count; i < n && !status; i += count) {
		bool divided;

		count = count_together(llama, asks + i, n - i, flags);
		status = tokenise_together(llama, asks + i, count, flags, known, &divided, err);
		if (status == STATUS_FORMAT && count > 1)
			status = STATUS_OK; /* one of them */
		if (!status && !divided) { /* a text has the separator's name in it */
			for (size_t t = i; t < i + count && !status; t++) {
				asks[t].ids.n = 0;
				status = tokenise_together(llama, asks + t, 1, flags, known, &divided, err);
			}
		}
	}
	return status;
}

/* The server fails for an id beyond its vocabulary, of another model's reply: such ones then stand for nothing. */
static enum status name_some(struct llama_server *llama, const int32_t *ids, size_t n, struct outside *known,
                             struct error *err)
{
	struct buf body = {.max = NAMES_MAX * 16 + 4096};
	struct json_writer json = {.out = &body};
	struct told told = {.known = known, .piece = {.max = LIMIT_TOKENIZE_INPUT}};
	int code = 0;
	enum status status;

	begin_body(&json, llama, 0, true);
	json_put_begin(&json, "content", '[');
	for (size_t i = 0; i < n; i++)
		json_put_number(&json, NULL, "%d", (int)ids[i]);
	json_put_end(&json, ']');
	json_put_end(&json, '}');
	status = ask(llama, &body, &told, &code, err);
	if (status == STATUS_FORMAT && code / 100 != 2)
		status = STATUS_OK;
	for (size_t i = 0; i < n && !status; i++) {
		size_t len;

		if (!outside_piece(known, ids[i], &len))
			status = outside_put_piece(known, ids[i], "", 0, err);
	}
	token_list_free(&told.ids);
	buf_free(&told.piece);
	buf_free(&body);
	return status;
}

static enum status name(void *ctx, const int32_t *ids, size_t n, struct outside *known, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t at = 0; at < n && !status; at += NAMES_MAX)
		status = name_some(ctx, ids + at, n - at < NAMES_MAX ? n - at : NAMES_MAX, known, err);
	return status;
}

const struct outside_ops llama_vocabulary = {.tokenise = tokenise, .name = name};
