/* Texts that are weighed: as probable as an evaluation of their own says, and the cache is as it was. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "engine/options.h"
#include "support/family_model.h"
#include "support/save_gguf.h"

enum { N_ANSWERS = 4, SCORED_MAX = 512, IDS_MAX = 512 };

static const char template[] =
	"{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
static const char *const answers[N_ANSWERS] = {"yes", "no", "a longer text of more than eight tokens", "no, never"};
static const struct message question = {.role = ROLE_USER, .text = "is it so?", .len = 9};

struct told {
	struct event scored[SCORED_MAX];
	size_t n_scored, n_tokens;
	int32_t ids[IDS_MAX];
	struct buf text;
	double log_p; /* of the tokens, before all samplers */
	bool cancelled;
};

static char dir[] = "/tmp/sotto-test-XXXXXX", path[300];
static struct backend *backend;
static struct engine *engine;
static struct model_info info;
static struct backend_result result;
static struct told told;
static struct error err;

static bool host_cancelled(void *ctx)
{
	(void)ctx;
	return told.cancelled;
}

static void host_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	(void)ctx, (void)n;
	*out = sampler_params_default();
	out->temp = 0;
}

static enum status host_event(void *ctx, const struct event *event, struct error *error)
{
	(void)ctx, (void)error;
	if (event->kind == EVENT_SCORED) {
		cr_assert_lt(told.n_scored, SCORED_MAX);
		told.scored[told.n_scored++] = *event;
	}
	if (event->kind == EVENT_TOKEN) {
		cr_assert_lt(told.n_tokens, IDS_MAX);
		if (!event->u.token.rest) {
			told.ids[told.n_tokens++] = event->u.token.id;
			told.log_p += log((double)event->u.token.raw_p);
		}
		buf_append(&told.text, event->u.token.bytes, event->u.token.len);
	}
	return STATUS_OK;
}

static const struct backend_host host = {.cancelled = host_cancelled, .params = host_params, .event = host_event};

static void init(void)
{
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/model.gguf", dir);
	buf_init(&told.text, 65536);
}

static void fini(void)
{
	backend_close(backend);
	buf_free(&told.text);
	unlink(path);
	rmdir(dir);
}

TestSuite(score, .init = init, .fini = fini, .timeout = 600);

static void load(const char *family)
{
	struct family_model made = family_model_of(family);
	struct engine_params params = engine_params_default();
	struct family_file file;

	made.vocabulary = FAMILY_ALL_BYTES;
	made.sizes.n_ctx = 512;
	family_file_init(&file, &made);
	gguf_writer_set_string(file.w, "tokenizer.chat_template", template, strlen(template));
	cr_assert_eq(gguf_writer_save(file.w, path, &err), STATUS_OK, "%s", err.text);
	family_file_free(&file);
	params.model = path;
	params.n_threads = 1;
	backend_close(backend);
	backend = NULL;
	cr_assert_eq(backend_open(&backend, &params, &host, &info, &err), STATUS_OK, "%s", err.text);
	engine = (struct engine *)backend;
}

static void run(const struct turn *turn, enum backend_mode mode)
{
	told.n_scored = told.n_tokens = 0;
	told.log_p = 0;
	buf_clear(&told.text);
	cr_assert_eq(backend_run(backend, turn, mode, &host, &result, &err), STATUS_OK, "%s", err.text);
}

/* ln p of tokens n_prompt .. n - 1, by an evaluation of all of them at once. */
static double expected(const int32_t *ids, size_t n_prompt, size_t n)
{
	size_t n_rows = model_plan(engine->model)->n_vocab;
	float *logits = malloc(n * n_rows * sizeof *logits);
	double sum = 0;

	cr_assert_not_null(logits);
	cr_assert_eq(session_eval(engine->session, ids, n, 0, logits, &err), STATUS_OK, "%s", err.text);
	for (size_t i = n_prompt; i < n; i++) {
		const float *row = logits + (i - 1) * n_rows;
		double all = 0;

		for (size_t id = 0; id < tokenizer_n_vocab(engine->tokenizer); id++)
			all += exp((double)row[id]);
		sum += (double)row[ids[i]] - log(all);
	}
	free(logits);
	return sum;
}

/* Those behind `prompt`, scored by hand; the history is another one afterwards. */
static void check_scores(const int32_t *prompt, size_t n_prompt, unsigned flags)
{
	cr_assert_eq(told.n_scored, N_ANSWERS);
	for (size_t i = 0; i < N_ANSWERS; i++) {
		struct token_list ids = {0};
		double log_p;

		cr_assert_eq(token_list_append(&ids, prompt, n_prompt), STATUS_OK);
		cr_assert_eq(tokenizer_encode(engine->tokenizer, answers[i], strlen(answers[i]), flags, &ids, &err), STATUS_OK);
		log_p = expected(ids.ids, n_prompt, ids.n);
		cr_assert_eq(told.scored[i].u.scored.answer, i);
		cr_assert_eq(told.scored[i].u.scored.n, ids.n - n_prompt);
		cr_assert_float_eq(told.scored[i].u.scored.log_p, log_p, 1e-5, "%s: %g, expected %g", answers[i],
		                   told.scored[i].u.scored.log_p, log_p);
		token_list_free(&ids);
	}
}

static void check(const char *family)
{
	struct turn turn = {.messages = &question, .n_messages = 1, .n_predict = 12};
	struct turn asked = turn;
	int32_t before[IDS_MAX], reply[IDS_MAX];
	size_t n_before, n_prompt, n_reply;

	asked.answers = answers;
	asked.n_answers = N_ANSWERS;
	load(family);
	run(&turn, BACKEND_REPLY);
	n_reply = told.n_tokens;
	memcpy(reply, told.ids, n_reply * sizeof *reply);
	n_prompt = result.stats.n_prompt;
	n_before = session_n_past(engine->session);
	cr_assert(n_before <= IDS_MAX && n_before > n_prompt);
	memcpy(before, session_tokens(engine->session), n_before * sizeof *before);

	run(&asked, BACKEND_SCORE);
	cr_assert_eq(result.reason, DONE_END);
	cr_assert_eq(told.n_tokens, 0);
	cr_assert_eq(session_n_past(engine->session), n_before, "%s", family);
	cr_assert_arr_eq(session_tokens(engine->session), before, n_before * sizeof *before);
	cr_assert(session_reach(engine->session, n_before) == n_before);
	check_scores(before, n_prompt, 0);

	/* The same reply comes, as if nothing had been weighed. */
	run(&asked, BACKEND_SCORE);
	run(&turn, BACKEND_REPLY);
	cr_assert_eq(told.n_tokens, n_reply);
	cr_assert_arr_eq(told.ids, reply, n_reply * sizeof *reply);
}

Test(score, of_a_model_with_attention)
{
	check("qwen3");
}

Test(score, of_a_model_with_states)
{
	check("qwen35");
}

Test(score, of_a_model_with_experts)
{
	check("qwen3moe");
}

/* What the cache has of a conversation whose reply was followed by scores, or not, when it goes on. */
static uint32_t cached(const char *family, bool scores)
{
	static const struct message next = {.role = ROLE_USER, .text = "and now?", .len = 8};
	struct turn turn = {.messages = &question, .n_messages = 1, .n_predict = 12};
	struct message all[3] = {question, {.role = ROLE_ASSISTANT}, next};
	int32_t ids[IDS_MAX];
	char *said;

	load(family);
	run(&turn, BACKEND_REPLY);
	memcpy(ids, told.ids, told.n_tokens * sizeof *ids);
	said = strdup(buf_text(&told.text));
	all[1] = (struct message){.role = ROLE_ASSISTANT, .text = said, .len = strlen(said), .ids = ids,
	                          .n_ids = told.n_tokens};
	turn.answers = answers;
	turn.n_answers = N_ANSWERS;
	if (scores)
		run(&turn, BACKEND_SCORE);
	run(&(struct turn){.messages = all, .n_messages = 3, .n_predict = 0}, BACKEND_WARM);
	free(said);
	return result.stats.n_cached;
}

Test(score, leaves_the_cache_as_it_was)
{
	static const char *const families[] = {"qwen3", "qwen35", "granitehybrid", "qwen3moe"};

	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
		uint32_t without = cached(families[i], false), with = cached(families[i], true);

		cr_assert(without > 0, "%s", families[i]);
		cr_assert_eq(with, without, "%s: %u, without scores %u", families[i], with, without);
	}
}

Test(score, of_what_a_reply_goes_on_with)
{
	struct turn turn = {.messages = &question, .n_messages = 1, .n_predict = 6};
	struct message both[2] = {question};
	int32_t prompt[IDS_MAX], ids[IDS_MAX];
	size_t n_prompt;
	char *said;

	load("qwen3");
	run(&turn, BACKEND_REPLY);
	said = strdup(buf_text(&told.text));
	memcpy(ids, told.ids, told.n_tokens * sizeof *ids);
	both[1] = (struct message){.role = ROLE_ASSISTANT, .text = said, .len = strlen(said),
	                           .ids = ids, .n_ids = told.n_tokens};
	n_prompt = result.stats.n_prompt + told.n_tokens;
	turn = (struct turn){.messages = both, .n_messages = 2, .continued = true, .answers = answers,
	                     .n_answers = N_ANSWERS};
	run(&turn, BACKEND_SCORE);
	cr_assert_eq(session_n_past(engine->session), n_prompt);
	memcpy(prompt, session_tokens(engine->session), n_prompt * sizeof *prompt);
	check_scores(prompt, n_prompt, ENCODE_CONTINUE);
	free(said);
}

Test(score, that_is_stopped)
{
	struct turn turn = {.messages = &question, .n_messages = 1, .answers = answers, .n_answers = N_ANSWERS};

	load("qwen3");
	told.cancelled = true;
	run(&turn, BACKEND_SCORE);
	cr_assert_eq(result.reason, DONE_CANCELLED);
	cr_assert_eq(told.n_scored, 0);
	told.cancelled = false;
	run(&turn, BACKEND_SCORE);
	cr_assert_eq(told.n_scored, N_ANSWERS);
}

/* The tokens that a text of their own stands for, and how probable all others are. */
struct singles {
	struct buf texts;
	size_t at[SCORED_MAX];
	const char *list[SCORED_MAX];
	size_t n;
	double others;
};

static void find_singles(struct singles *s, const double *p)
{
	for (size_t id = 0; id < tokenizer_n_vocab(engine->tokenizer); id++) {
		size_t at = s->texts.len;
		struct token_list ids = {0};

		cr_assert_eq(tokenizer_piece(engine->tokenizer, (int32_t)id, &s->texts), STATUS_OK);
		buf_append(&s->texts, "", 1);
		cr_assert_eq(tokenizer_encode(engine->tokenizer, s->texts.data + at, strlen(s->texts.data + at), 0, &ids, &err),
		             STATUS_OK);
		if (ids.n == 1 && ids.ids[0] == (int32_t)id)
			s->at[s->n++] = at;
		else
			s->others += p[id];
		token_list_free(&ids);
	}
	for (size_t i = 0; i < s->n; i++)
		s->list[i] = s->texts.data + s->at[i];
}

Test(score, of_all_that_may_come_is_one)
{
	static double p[SCORED_MAX];
	struct singles singles = {.texts = {.max = 65536}};
	struct turn turn = {.messages = &question, .n_messages = 1};
	const float *logits;
	double all = 0, sum = 0;

	load("qwen3");
	run(&turn, BACKEND_WARM);
	logits = session_logits(engine->session);
	for (size_t id = 0; id < tokenizer_n_vocab(engine->tokenizer); id++)
		all += exp((double)logits[id]);
	for (size_t id = 0; id < tokenizer_n_vocab(engine->tokenizer); id++)
		p[id] = exp((double)logits[id]) / all;
	find_singles(&singles, p);
	cr_assert_gt(singles.n, 100);
	turn.answers = singles.list;
	turn.n_answers = singles.n;
	run(&turn, BACKEND_SCORE);
	cr_assert_eq(told.n_scored, singles.n);
	for (size_t i = 0; i < told.n_scored; i++)
		sum += exp(told.scored[i].u.scored.log_p);
	cr_expect_float_eq(sum + singles.others, 1, 1e-9, "%.12f", sum + singles.others);
	buf_free(&singles.texts);
}

/* A reply that has to be one of the texts is as probable, token by token. */
Test(score, of_the_text_that_a_reply_becomes)
{
	struct turn turn = {.messages = &question, .n_messages = 1, .answers = answers, .n_answers = N_ANSWERS,
	                    .n_candidates = 20, .n_predict = -1};

	load("qwen3");
	for (size_t i = 0; i < N_ANSWERS; i++) {
		double log_p;

		turn.answers = answers + i;
		turn.n_answers = 1;
		run(&turn, BACKEND_REPLY);
		cr_assert_str_eq(buf_text(&told.text), answers[i]);
		log_p = told.log_p;
		run(&turn, BACKEND_SCORE);
		cr_assert_eq(told.n_scored, 1);
		cr_expect_float_eq(told.scored[0].u.scored.log_p, log_p, 1e-4, "%s: %g, not %g", answers[i],
		                   told.scored[0].u.scored.log_p, log_p);
	}
}

Test(score, of_texts_that_do_not_fit)
{
	static char text[4001];
	const char *const one[] = {text};
	struct turn turn = {.messages = &question, .n_messages = 1, .answers = one, .n_answers = 1};
	size_t n_before;

	memset(text, 'x', sizeof text - 1);
	load("qwen3");
	run(&(struct turn){.messages = &question, .n_messages = 1, .n_predict = 12}, BACKEND_REPLY);
	n_before = session_n_past(engine->session);
	cr_assert_gt(n_before, result.stats.n_prompt);
	cr_assert_eq(backend_run(backend, &turn, BACKEND_SCORE, &host, &result, &err), STATUS_CONTEXT);
	cr_expect_eq(session_n_past(engine->session), n_before, "the cache is as it was");
}
