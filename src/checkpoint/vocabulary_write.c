#include "checkpoint/vocabulary_write.h"

#include <string.h>

#include "base/limits.h"
#include "gguf/types.h"

static void begin_list(struct buf *list, uint32_t type, uint64_t n)
{
	buf_append(list, &type, sizeof type);
	buf_append(list, &n, sizeof n);
}

/* False: no memory. */
static bool put_list(struct gguf_writer *keys, const char *key, struct buf *list)
{
	bool good = !buf_status(list);

	if (good)
		gguf_writer_set_raw(keys, key, GGUF_ARRAY, list->data, list->len);
	buf_clear(list);
	return good;
}

static bool put_texts(struct gguf_writer *keys, const struct vocabulary *v, struct buf *list)
{
	begin_list(list, GGUF_STRING, v->n);
	for (size_t id = 0; id < v->n; id++) {
		uint64_t len = v->tokens[id].len;

		buf_append(list, &len, sizeof len);
		buf_append(list, vocabulary_text(v, &v->tokens[id]), v->tokens[id].len);
	}
	return put_list(keys, "tokenizer.ggml.tokens", list);
}

static bool put_scores(struct gguf_writer *keys, const struct vocabulary *v, struct buf *list)
{
	begin_list(list, GGUF_F32, v->n);
	for (size_t id = 0; id < v->n; id++)
		buf_append(list, &v->tokens[id].score, sizeof v->tokens[id].score);
	return put_list(keys, "tokenizer.ggml.scores", list);
}

static bool put_types(struct gguf_writer *keys, const struct vocabulary *v, struct buf *list)
{
	begin_list(list, GGUF_I32, v->n);
	for (size_t id = 0; id < v->n; id++) {
		int32_t type = v->tokens[id].type;

		buf_append(list, &type, sizeof type);
	}
	return put_list(keys, "tokenizer.ggml.token_type", list);
}

bool vocabulary_put(struct gguf_writer *keys, const struct vocabulary *v, const struct vocabulary_keys *which)
{
	struct buf list = {.max = LIMIT_GGUF_METADATA};
	bool good;

	gguf_writer_set_string(keys, "tokenizer.ggml.model", which->model, strlen(which->model));
	if (which->pre)
		gguf_writer_set_string(keys, "tokenizer.ggml.pre", which->pre, strlen(which->pre));
	good = put_texts(keys, v, &list) && (!which->has_scores || put_scores(keys, v, &list)) && put_types(keys, v, &list);
	if (which->has_merges && v->n_merges)
		gguf_writer_set_raw(keys, "tokenizer.ggml.merges", GGUF_ARRAY, v->merges.data, v->merges.len);
	buf_free(&list);
	return good;
}
