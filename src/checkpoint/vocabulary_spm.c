/* tokenizer.model with the tokens that are added beside it. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "checkpoint/vocabulary_job.h"
#include "checkpoint/vocabulary_write.h"
#include "tokenizer/vocab.h"

static const float SCORE_UNUSED = -10000, SCORE_ADDED = -1000; /* the reference's */

struct overlay {
	struct conversion *c;
	struct vocabulary *to;
	bool is_phi3; /* names say nothing, and U+2581 stays */
	size_t n_beyond; /* ids that no token of the model has */
};

static bool fail(struct conversion *c, enum status status)
{
	return conversion_fail(c, status, status == STATUS_LIMIT ? "tokenizer.model: more tokens than %zu"
	                                                         : "not enough memory for %zu tokens", LIMIT_VOCAB);
}

static bool read_pieces(struct conversion *c, struct vocabulary *v)
{
	struct error err = {0};
	char *bytes = NULL;
	size_t len = 0;
	bool good;

	if (!vocabulary_load(c, "tokenizer.model", LIMIT_CHECKPOINT_TOKENIZER, &bytes, &len))
		return false;
	if (!bytes)
		return conversion_fail(c, STATUS_NOTFOUND, "there is no tokenizer.model in the folder, expected one");
	good = !vocabulary_read_model(v, bytes, len, &err) || conversion_fail(c, err.status, "%s", err.text);
	free(bytes);
	return good;
}

/* config.json's number of tokens; 0: it says none. */
static bool read_size(struct conversion *c, bool is_phi3, size_t *n)
{
	static const char *const names[] = {"vocab_size_per_layer_input", "vocab_size"};

	*n = 0;
	for (size_t i = is_phi3; i < 2 && *n == 0; i++) {
		const struct setting *size = settings_tree_get(c->config, names[i]);

		if (!size || size->kind == SETTING_NULL)
			continue;
		if (size->kind != SETTING_INT || size->number < 0 || size->number > (double)LIMIT_VOCAB)
			return conversion_fail(c, STATUS_FORMAT, "config.json: %s is %.0f, expected 1..%zu", names[i], size->number,
			                       LIMIT_VOCAB);
		*n = (size_t)size->number;
	}
	return true;
}

/* As many tokens as config.json says: others are unused, pieces beyond are left out. */
static bool fit(struct conversion *c, struct vocabulary *v, bool is_phi3)
{
	size_t n;
	enum status status;

	if (!read_size(c, is_phi3, &n))
		return false;
	if (n && n < v->n) {
		conversion_note(c, "tokenizer.model: %zu tokens, but vocab_size in config.json is %zu: the others are left out", v->n, n);
		v->n = n;
	}
	status = vocabulary_pad(v, n ? n : v->n, SCORE_UNUSED);
	return !status || fail(c, status);
}

static bool lay(struct overlay *o, const struct vocabulary *from, const struct added_token *added, uint8_t type)
{
	const char *text = buf_text(&from->text) + added->start;
	struct buf plain = {.max = LIMIT_CHECKPOINT_TOKENIZER};
	bool frees_blanks = type == TOKEN_USER_DEFINED && !o->is_phi3;
	enum status status;

	if (added->id >= o->to->n) {
		o->n_beyond++;
		return true;
	}
	for (size_t i = 0; i < added->len; i++) {
		bool is_blank = frees_blanks && added->len - i >= 3 && memcmp(text + i, "\xE2\x96\x81", 3) == 0;

		buf_putc(&plain, is_blank ? ' ' : text[i]);
		i += is_blank ? 2 : 0;
	}
	status = buf_status(&plain);
	status = status ? status : vocabulary_set(o->to, added->id, buf_text(&plain), plain.len, type, SCORE_ADDED);
	buf_free(&plain);
	return !status || fail(o->c, status);
}

static uint8_t added_type(const struct overlay *o, const struct vocabulary *from, const struct added_token *added)
{
	bool is_special = added->is_special ||
	                  (!o->is_phi3 && vocabulary_looks_special(buf_text(&from->text) + added->start, added->len));

	return is_special ? TOKEN_CONTROL : TOKEN_USER_DEFINED;
}

/* added_tokens.json: all are user-defined, as they are written. */
static bool lay_list(struct overlay *o)
{
	struct vocabulary beside;
	struct error err = {0};
	char *text = NULL;
	size_t len = 0;
	bool keeps = o->is_phi3, good = vocabulary_load(o->c, "added_tokens.json", LIMIT_CHECKPOINT_CONFIG, &text, &len);

	vocabulary_init(&beside);
	if (good && text && vocabulary_read_added(&beside, text, len, &err))
		good = conversion_fail(o->c, err.status, "%s", err.text);
	o->is_phi3 = true; /* U+2581 stays */
	for (size_t i = 0; good && i < beside.n_added; i++)
		good = lay(o, &beside, &beside.added[i], TOKEN_USER_DEFINED);
	o->is_phi3 = keeps;
	vocabulary_deinit(&beside);
	free(text);
	return good;
}

static bool lay_added(struct overlay *o, const struct vocabulary *from)
{
	for (size_t i = 0; i < from->n_added; i++)
		if (!lay(o, from, &from->added[i], added_type(o, from, &from->added[i])))
			return false;
	return true;
}

static bool lay_decoder(struct overlay *o, const struct vocabulary_job *job)
{
	struct vocabulary beside;
	struct error err = {0};
	bool good = true;

	vocabulary_init(&beside);
	if (job->config_text && vocabulary_read_decoder(&beside, job->config_text, job->config_len, &err))
		good = conversion_fail(o->c, err.status, "%s", err.text);
	good = good && lay_added(o, &beside);
	vocabulary_deinit(&beside);
	return good;
}

bool vocabulary_write_spm(struct vocabulary_job *job, bool is_phi3)
{
	struct vocabulary v;
	struct overlay o = {job->c, &v, is_phi3, 0};
	bool good;

	vocabulary_init(&v);
	good = read_pieces(job->c, &v) && fit(job->c, &v, is_phi3) && lay_list(&o) && lay_decoder(&o, job) &&
	       (!is_phi3 || !job->has_tokenizer || lay_added(&o, &job->tokenizer));
	if (o.n_beyond)
		conversion_note(job->c, "%zu added tokens have ids beyond the %zu tokens of the model: left out", o.n_beyond, v.n);
	if (good && !vocabulary_put(job->c->keys, &v, &(struct vocabulary_keys){"llama", "default", true, false}))
		good = fail(job->c, STATUS_NOMEM);
	if (good)
		vocabulary_write_special(job, v.n);
	vocabulary_deinit(&v);
	return good && !job->c->err.status;
}
