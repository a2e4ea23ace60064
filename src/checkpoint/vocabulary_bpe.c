/* Vocabularies of tokenizer.json. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/text_ends.h"
#include "checkpoint/vocabulary_job.h"
#include "checkpoint/vocabulary_pre.h"
#include "checkpoint/vocabulary_write.h"
#include "tokenizer/textmap.h"
#include "tokenizer/vocab.h"

static const float SCORE_ADDED = -1000;      /* the reference's */
static const float SCORE_NEVER = -10000000; /* below that of every merge */

/* The vocabulary's own tokens by their texts. */
struct token_index {
	struct texts texts;
	struct textmap map;
};

static int shown(size_t len)
{
	return len < 60 ? (int)len : 60;
}

static void index_deinit(struct token_index *index)
{
	textmap_deinit(&index->map);
	texts_deinit(&index->texts);
}

/* A text that is there twice is refused: whoever looks it up would get one of two ids. */
static bool index_init(struct token_index *index, struct vocabulary_job *job)
{
	const struct vocabulary *v = &job->tokenizer;
	struct error err = {0};
	size_t at = 0;

	*index = (struct token_index){0};
	if (texts_init(&index->texts, v->n, v->text.len, &err) || textmap_init(&index->map, &index->texts, v->n, &err))
		return conversion_fail(job->c, err.status, "%s", err.text);
	for (size_t id = 0; id < v->n; id++) {
		const struct vocabulary_token *token = &v->tokens[id];

		memcpy(index->texts.bytes + at, vocabulary_text(v, token), token->len);
		at += token->len;
		index->texts.starts[id + 1] = (uint32_t)at;
	}
	for (size_t id = 0; id < v->n; id++) {
		const struct vocabulary_token *token = &v->tokens[id];

		if (token->type && !textmap_add(&index->map, (int32_t)id))
			return conversion_fail(job->c, STATUS_FORMAT, "tokenizer.json: model.vocab: '%.*s' is there twice, with the ids %"
			                       PRId32 " and %zu", shown(token->len), vocabulary_text(v, token),
			                       textmap_find(&index->map, vocabulary_text(v, token), token->len), id);
	}
	return true;
}

/* How a form marks what is added. */
struct marking {
	bool frees_blanks;    /* U+2581 in user-defined tokens becomes a blank */
	bool leaves_model;    /* tokens that the model has stay normal, unless they are special */
	bool looks_at_names;  /* names may make a token special */
};

static bool set_added(struct vocabulary_job *job, size_t id, const char *text, size_t len, bool is_special,
                      const struct marking *marking)
{
	struct vocabulary *v = &job->tokenizer;
	struct buf plain = {.max = LIMIT_CHECKPOINT_TOKENIZER};
	enum status status = STATUS_OK;

	is_special = is_special || (marking->looks_at_names && vocabulary_looks_special(text, len));
	if (!is_special && marking->leaves_model && id < v->n && v->tokens[id].is_in_model)
		return true;
	for (size_t i = 0; i < len; i++) {
		if (!is_special && marking->frees_blanks && len - i >= 3 && memcmp(text + i, "\xE2\x96\x81", 3) == 0) {
			buf_putc(&plain, ' ');
			i += 2;
		} else {
			buf_putc(&plain, text[i]);
		}
	}
	status = buf_status(&plain);
	status = status ? status
	                : vocabulary_set(v, id, buf_text(&plain), plain.len, is_special ? TOKEN_CONTROL : TOKEN_USER_DEFINED,
	                                 SCORE_ADDED);
	buf_free(&plain);
	return !status || conversion_fail(job->c, status, "not enough room for the added tokens");
}

/* Lays an added token over the vocabulary. `is_sure`: of tokenizer.json itself, else only if its id is free. */
static bool lay(struct vocabulary_job *job, const struct token_index *index, const struct vocabulary *from,
                const struct added_token *added, bool is_sure, const struct marking *marking)
{
	struct vocabulary *v = &job->tokenizer;
	/* A copy: the buffer of texts may move. */
	char *text = alloc_strndup(buf_text(&from->text) + added->start, added->len);
	int32_t known = text ? textmap_find(&index->map, text, added->len) : -1;
	size_t id = known >= 0 ? (size_t)known : added->id;
	bool good = true;

	if (!text)
		return conversion_fail(job->c, STATUS_NOMEM, "not enough memory for the tokenizer");
	if (known >= 0 && (size_t)known != added->id && is_sure)
		conversion_note(job->c, "tokenizer.json: added_tokens: '%.*s' has the id %" PRIu32 ", but is %" PRId32
		                " in the vocabulary, which is taken", shown(added->len), text, added->id, known);
	if (id < v->n && v->tokens[id].type && (v->tokens[id].len != added->len ||
	    memcmp(vocabulary_text(v, &v->tokens[id]), text, added->len) != 0)) {
		if (is_sure && v->tokens[id].type == TOKEN_NORMAL)
			good = conversion_fail(job->c, STATUS_FORMAT, "tokenizer.json: added_tokens: '%.*s' has the id %zu, which is '%.*s' "
			                       "already", shown(added->len), text, id, shown(v->tokens[id].len),
			                       vocabulary_text(v, &v->tokens[id]));
	} else {
		good = set_added(job, id, text, added->len, added->is_special, marking);
	}
	free(text);
	return good;
}

/* Tokens that tokenizer_config.json lists and tokenizer.json does not. */
static bool lay_config(struct vocabulary_job *job, const struct token_index *index, const struct marking *marking)
{
	struct vocabulary beside;
	struct error err = {0};
	bool good = true;

	if (!job->config_text)
		return true;
	vocabulary_init(&beside);
	if (vocabulary_read_decoder(&beside, job->config_text, job->config_len, &err))
		good = conversion_fail(job->c, err.status, "%s", err.text);
	for (size_t i = 0; good && i < beside.n_added; i++) {
		size_t id = beside.added[i].id;
		bool is_added = id < job->tokenizer.n && job->tokenizer.tokens[id].type > TOKEN_NORMAL;

		if (id < LIMIT_VOCAB && !is_added)
			good = lay(job, index, &beside, &beside.added[i], false, marking);
	}
	vocabulary_deinit(&beside);
	return good;
}

static bool lay_all(struct vocabulary_job *job, const struct token_index *index, const struct marking *marking)
{
	struct vocabulary *v = &job->tokenizer;

	for (size_t i = 0; i < v->n_added; i++)
		if (!lay(job, index, v, &v->added[i], true, marking))
			return false;
	return lay_config(job, index, marking);
}

/* Added tokens beyond the embeddings cannot be used: Gemma 3 lists one for pictures in models that have none. */
static bool cut(struct vocabulary_job *job, size_t n)
{
	struct vocabulary *v = &job->tokenizer;

	for (size_t id = n; id < v->n; id++)
		if (v->tokens[id].is_in_model)
			return conversion_fail(job->c, STATUS_FORMAT, "tokenizer.json: has ids up to %zu, expected less than vocab_size in "
			                       "config.json, %zu", v->n - 1, n);
	conversion_note(job->c, "tokenizer.json: added tokens with the ids %zu..%zu are beyond vocab_size in config.json: left out", n,
	                v->n - 1);
	v->n = n;
	return true;
}

/* The number of tokens: config.json's, which has one for each row of the embeddings. */
static bool pad(struct vocabulary_job *job, float score)
{
	struct vocabulary *v = &job->tokenizer;
	const struct setting *size = settings_tree_get(job->c->config, "vocab_size");
	enum status status;

	if (size && (size->kind != SETTING_INT || size->number < 1 || size->number > (double)LIMIT_VOCAB))
		return conversion_fail(job->c, STATUS_FORMAT, "config.json: vocab_size is %.0f, expected 1..%zu", size->number,
		                       LIMIT_VOCAB);
	if (size && (size_t)size->number < v->n && !cut(job, (size_t)size->number))
		return false;
	status = vocabulary_pad(v, size ? (size_t)size->number : v->n, score);
	return !status || conversion_fail(job->c, status, "not enough room for %zu tokens", v->n);
}

static bool check(struct vocabulary_job *job)
{
	struct error err = {0};

	if (!job->has_tokenizer)
		return conversion_fail(job->c, STATUS_NOTFOUND, "there is no tokenizer.json in the folder, expected one for this "
		                       "family");
	if (vocabulary_check_bpe(&job->tokenizer, &err))
		return conversion_fail(job->c, err.status, "%s", err.text);
	if (!job->tokenizer.n_merges)
		return conversion_fail(job->c, STATUS_FORMAT, "tokenizer.json: model.merges is empty, and there is no merges.txt, "
		                       "expected merges");
	return true;
}

static bool put(struct vocabulary_job *job, const struct vocabulary_keys *keys)
{
	if (!vocabulary_put(job->c->keys, &job->tokenizer, keys))
		return conversion_fail(job->c, STATUS_NOMEM, "not enough memory for the tokenizer");
	vocabulary_write_special(job, job->tokenizer.n);
	return !job->c->err.status;
}

bool vocabulary_write_bpe(struct vocabulary_job *job)
{
	static const struct marking marking = {.frees_blanks = true, .looks_at_names = true};
	struct token_index index = {0};
	const char *pre = NULL;
	bool good = check(job) && index_init(&index, job) && lay_all(job, &index, &marking) && pad(job, 0);

	index_deinit(&index);
	if (good)
		pre = pre_recognise(job->c, &(struct pre_sources){&job->tokenizer, job->pre_tokenizer, job->post_processor});
	return pre && put(job, &(struct vocabulary_keys){.model = "gpt2", .pre = pre, .has_merges = true});
}

/* "<0x0A>" */
static bool is_byte(const char *text, size_t len)
{
	return len == 6 && memcmp(text, "<0x", 3) == 0 && text[5] == '>' && strspn(text + 3, "0123456789abcdefABCDEF") >= 2;
}

static void mark_bytes(struct vocabulary *v)
{
	for (size_t id = 0; id < v->n; id++) {
		struct vocabulary_token *token = &v->tokens[id];

		if (token->type == TOKEN_NORMAL && is_byte(vocabulary_text(v, token), token->len))
			token->type = TOKEN_BYTE;
	}
}

/* Whether a path of tokenizer_config.json has the text of a special token. */
static bool is_named_special(const char *path)
{
	if (strncmp(path, "additional_special_tokens.", 26) == 0 || strncmp(path, "extra_special_tokens.", 21) == 0)
		return true;
	return text_ends(path, "_token.content") ? strchr(path, '.') == path + strlen(path) - strlen(".content")
	                                         : !strchr(path, '.') && text_ends(path, "_token");
}

static void mark_named(struct vocabulary_job *job, const struct token_index *index)
{
	for (size_t i = 0; job->config && i < settings_tree_n(job->config); i++) {
		const struct setting *setting = settings_tree_at(job->config, i);
		int32_t id;

		if (setting->kind != SETTING_STRING || !is_named_special(setting->path))
			continue;
		id = textmap_find(&index->map, setting->text, setting->len);
		if (id >= 0)
			job->tokenizer.tokens[id].type = TOKEN_CONTROL;
	}
}

/* The score of a token is the rank of the first merge that makes it, negative: then taking the best score first is taking
 * merges by rank. (The reference gives all tokens the same one.) */
static void score_by_rank(struct vocabulary_job *job, const struct token_index *index)
{
	struct vocabulary *v = &job->tokenizer;
	const char *at = v->merges.data + sizeof(uint32_t) + sizeof(uint64_t);
	struct buf joined = {.max = LIMIT_CHECKPOINT_TOKENIZER};

	for (size_t id = 0; id < v->n; id++)
		v->tokens[id].score = v->tokens[id].type == TOKEN_NORMAL ? SCORE_NEVER : SCORE_ADDED;
	for (size_t rank = 0; rank < v->n_merges; rank++) {
		uint64_t len;
		const char *gap;
		int32_t id;

		memcpy(&len, at, sizeof len);
		at += sizeof len;
		gap = len > 1 ? memchr(at + 1, ' ', len - 1) : NULL;
		buf_clear(&joined);
		if (gap) {
			buf_append(&joined, at, (size_t)(gap - at));
			buf_append(&joined, gap + 1, len - (size_t)(gap + 1 - at));
		}
		id = gap && !buf_status(&joined) ? textmap_find(&index->map, buf_text(&joined), joined.len) : -1;
		if (id >= 0 && v->tokens[id].score == SCORE_NEVER)
			v->tokens[id].score = (float)-(int64_t)rank;
		at += len;
	}
	buf_free(&joined);
}

/* Whether texts get a blank in front: by the normalizer ("Prepend") or the pre-tokenizer ("Metaspace"). */
static bool puts_blank(const struct settings_tree *tree)
{
	for (size_t i = 0; tree && i < settings_tree_n(tree); i++) {
		const struct setting *setting = settings_tree_at(tree, i);

		if (setting->kind == SETTING_STRING && (strcmp(setting->text, "Prepend") == 0 ||
		    (text_ends(setting->path, "prepend_scheme") && strcmp(setting->text, "never") != 0)))
			return true;
		if (setting->kind == SETTING_BOOL && text_ends(setting->path, "add_prefix_space") && setting->number != 0)
			return true;
	}
	return false;
}

bool vocabulary_write_scores(struct vocabulary_job *job)
{
	static const struct marking marking = {.looks_at_names = true};
	struct token_index index = {0};
	bool good = check(job) && index_init(&index, job) && lay_all(job, &index, &marking);

	if (good) {
		mark_bytes(&job->tokenizer);
		mark_named(job, &index);
		score_by_rank(job, &index);
	}
	index_deinit(&index);
	if (!good || !pad(job, SCORE_ADDED))
		return false;
	if (!(job->config && settings_tree_get(job->config, "add_prefix_space")) && !puts_blank(job->normalizer) &&
	    !puts_blank(job->pre_tokenizer))
		gguf_writer_set_bool(job->c->keys, "tokenizer.ggml.add_space_prefix", false);
	conversion_note(job->c, "there is no tokenizer.model: scores of tokens are made of the ranks of their merges");
	return put(job, &(struct vocabulary_keys){.model = "llama", .pre = "default", .has_scores = true});
}

/* What a reader of replies has to see, although it is special. */
static void mark_visible(struct vocabulary *v)
{
	static const char *const names[] = {"<|channel>", "<channel|>", "<|tool_call>", "<tool_call|>", "<|tool_response>",
	                                    "<tool_response|>", "<|\"|>"};

	for (size_t id = 0; id < v->n; id++)
		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
			if (v->tokens[id].len == strlen(names[i]) &&
			    memcmp(vocabulary_text(v, &v->tokens[id]), names[i], v->tokens[id].len) == 0)
				v->tokens[id].type = TOKEN_USER_DEFINED;
}

bool vocabulary_write_gemma4(struct vocabulary_job *job)
{
	static const struct marking marking = {.leaves_model = true};
	struct token_index index = {0};
	bool good = check(job) && index_init(&index, job) && lay_all(job, &index, &marking);

	if (good) {
		mark_bytes(&job->tokenizer);
		mark_named(job, &index);
	}
	index_deinit(&index);
	if (!good || !pad(job, SCORE_ADDED))
		return false;
	mark_visible(&job->tokenizer);
	for (size_t id = 0; id < job->tokenizer.n; id++)
		job->tokenizer.tokens[id].score = SCORE_ADDED;
	return put(job, &(struct vocabulary_keys){.model = "gemma4", .has_scores = true, .has_merges = true});
}
