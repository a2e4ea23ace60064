#include "cli/compare_text.h"

#include <string.h>

#include "base/limits.h"
#include "cli/quote.h"
#include "engine/engine.h"

enum status text_model_open(struct text_model *out, const struct engine_params *params, struct error *err)
{
	enum status status;

	if (!params->model || !params->model[0])
		return error_set(err, STATUS_USAGE, "no model is given: use -m FILE");
	status = engine_open_file(&out->gguf, params->model, params, err);
	return status ? status : tokenizer_open(&out->tokenizer, out->gguf, err);
}

void text_model_close(struct text_model *model)
{
	tokenizer_close(model->tokenizer);
	gguf_close(model->gguf);
	*model = (struct text_model){0};
}

enum status text_models_agree(const struct text_model *a, const struct text_model *b, struct error *err)
{
	size_t n = tokenizer_n_vocab(a->tokenizer), n_other = tokenizer_n_vocab(b->tokenizer);

	if (n != n_other)
		return error_set(err, STATUS_USAGE, "the models cannot be compared: one knows %zu tokens, the other %zu", n,
		                 n_other);
	for (size_t i = 0; i < n; i++) {
		size_t len, len_other;
		const char *name = tokenizer_name(a->tokenizer, (int32_t)i, &len);
		const char *other = tokenizer_name(b->tokenizer, (int32_t)i, &len_other);

		if (len != len_other || memcmp(name, other, len) != 0)
			return error_set(err, STATUS_USAGE, "the models cannot be compared: token %zu is '%.*s' in one, '%.*s' in the "
			                 "other", i, len < 40 ? (int)len : 40, name, len_other < 40 ? (int)len_other : 40, other);
	}
	return STATUS_OK;
}

/* ---- reading ---- */

enum status text_check(const struct text_params *params, const struct cli_setup *setup, struct error *err)
{
	return text_input_check(&params->input, (size_t)(params->chats > 0) + (setup->n_words > 0), err);
}

bool text_is_chats(const struct text_params *params, const struct cli_setup *setup)
{
	return params->chats > 0 || setup->n_words > 0;
}

int32_t text_bos(const struct text_model *model)
{
	return tokenizer_adds_bos(model->tokenizer) ? tokenizer_bos(model->tokenizer) : -1;
}

enum status text_read(struct compared_text *out, const struct text_params *params, const struct cli_setup *setup,
                      const struct text_model *model, size_t size, struct error *err)
{
	struct token_list ids = {0};
	enum status status;

	if (text_is_chats(params, setup))
		return text_add_chats(out, params->chats, setup, model, err);
	status = text_input_encode(&params->input, model->tokenizer, &ids, err);
	if (!status)
		status = size && text_has_windows(ids.n, size) ? text_cut(out, ids.ids, ids.n, size, text_bos(model), err)
		                                               : text_add(out, ids.ids, NULL, ids.n, err);
	token_list_free(&ids);
	return status;
}

/* ---- telling of a place ---- */

const char *text_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

enum { BEFORE_TOKENS = 12 };

size_t text_window_of(const struct compared_text *text, size_t at, size_t *pos)
{
	size_t i = 0, end = text->n_windows;

	while (end - i > 1) {
		size_t middle = i + (end - i) / 2;

		if (text->windows[middle].at <= at)
			i = middle;
		else
			end = middle;
	}
	*pos = at - text->windows[i].at;
	return i;
}

void text_put_before(struct buf *out, const struct text_model *model, const struct compared_text *text, size_t at)
{
	struct buf words = {.max = KIB(64)};
	size_t pos;

	text_window_of(text, at, &pos);
	for (size_t i = at - (pos < BEFORE_TOKENS ? pos : BEFORE_TOKENS); i <= at; i++) {
		size_t len;
		const char *name = tokenizer_shown(model->tokenizer, text->ids[i], &len);

		buf_append(&words, name, len);
	}
	quote_put(out, buf_text(&words), words.len);
	buf_free(&words);
}
