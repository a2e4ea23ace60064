/* A reply that is gone through once more: the same tokens, candidates, figures and text as when it was made. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "engine/backend.h"
#include "engine/options.h"
#include "support/family_model.h"
#include "support/harmony_model.h"
#include "support/save_gguf.h"

enum { IDS_MAX = 600, SHOWN = TOKEN_CANDIDATES_MAX };

static const char template[] =
	"{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";
static const struct message question = {.role = ROLE_USER, .text = "is it so?", .len = 9};

/* What was told of a reply. */
struct told {
	struct buf text, reasoning;
	int32_t ids[IDS_MAX];
	size_t n, n_reasoning;
	struct token tokens[IDS_MAX]; /* without bytes */
	size_t n_bytes[IDS_MAX];
	struct token_candidate candidates[IDS_MAX][SHOWN];
	struct turn_begin begin;
	size_t cancel_at; /* tokens; 0: never */
};

static char dir[] = "/tmp/sotto-test-XXXXXX", path[300];
static struct backend *backend;
static struct backend_result result;
static struct sampler_params sampler;
static struct sampler_params changed; /* from token number change_at of a turn on; 0: never */
static uint32_t change_at;
static struct error err;
static struct told made, seen;

static bool host_cancelled(void *ctx)
{
	const struct told *told = ctx;

	return told && told->cancel_at && told->n >= told->cancel_at;
}

static void host_params(void *ctx, uint32_t n, struct sampler_params *out)
{
	(void)ctx;
	*out = change_at && n >= change_at ? changed : sampler;
}

static void take_token(struct told *told, const struct token *token)
{
	if (token->recants) {
		buf_append(&told->reasoning, buf_text(&told->text), told->text.len);
		buf_clear(&told->text);
	}
	if (!token->rest) {
		cr_assert_lt(told->n, IDS_MAX);
		told->ids[told->n] = token->id;
		told->tokens[told->n] = *token;
		told->n_bytes[told->n] = 0;
		cr_assert_leq(token->n_candidates, SHOWN);
		if (token->n_candidates)
			memcpy(told->candidates[told->n], token->candidates, token->n_candidates * sizeof *token->candidates);
		told->n++;
	}
	if (token->reasoning)
		told->n_reasoning = told->n;
	if (told->n)
		told->n_bytes[told->n - 1] += token->len;
	buf_append(token->reasoning ? &told->reasoning : &told->text, token->bytes, token->len);
}

static enum status host_event(void *ctx, const struct event *event, struct error *error)
{
	struct told *told = ctx;

	(void)error;
	if (event->kind == EVENT_TOKEN)
		take_token(told, &event->u.token);
	else if (event->kind == EVENT_BEGIN)
		told->begin = event->u.begin;
	return STATUS_OK;
}

static void init(void)
{
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/model.gguf", dir);
	sampler = sampler_params_default();
	made.text.max = made.reasoning.max = seen.text.max = seen.reasoning.max = MIB(1);
}

static void fini(void)
{
	backend_close(backend);
	buf_free(&made.text);
	buf_free(&made.reasoning);
	buf_free(&seen.text);
	buf_free(&seen.reasoning);
	unlink(path);
	rmdir(dir);
}

TestSuite(examine, .init = init, .fini = fini, .timeout = 300);

static void load(int32_t n_ctx)
{
	struct backend_host host = {.cancelled = host_cancelled, .event = host_event};
	struct engine_params params = engine_params_default();
	struct model_info info;

	params.model = path;
	params.n_ctx = n_ctx;
	params.n_threads = 1;
	backend_close(backend);
	backend = NULL;
	cr_assert_eq(backend_open(&backend, &params, &host, &info, &err), STATUS_OK, "%s", err.text);
}

static void save(const char *family, enum family_vocabulary vocabulary)
{
	struct family_model model = family_model_of(family);
	struct family_file file;

	model.vocabulary = vocabulary;
	model.sizes.n_ctx = 512;
	family_file_init(&file, &model);
	gguf_writer_set_string(file.w, "tokenizer.chat_template", template, strlen(template));
	cr_assert_eq(gguf_writer_save(file.w, path, &err), STATUS_OK, "%s", err.text);
	family_file_free(&file);
}

static void run(const struct turn *turn, enum backend_mode mode, struct told *out)
{
	const struct backend_host host = {
		.ctx = out, .cancelled = host_cancelled, .params = host_params, .event = host_event};

	buf_clear(&out->text);
	buf_clear(&out->reasoning);
	out->n = out->n_reasoning = 0;
	cr_assert_eq(backend_run(backend, turn, mode, &host, &result, &err), STATUS_OK, "%s", err.text);
}

static bool same_float(float a, float b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

static void expect_same_candidate(const struct token_candidate *a, const struct token_candidate *b, const char *what)
{
	cr_assert_eq(a->id, b->id, "%s", what);
	cr_assert(same_float(a->logit, b->logit), "%s: logit %.9g, not %.9g", what, (double)b->logit, (double)a->logit);
	cr_assert(same_float(a->probability, b->probability), "%s", what);
	cr_assert(same_float(a->chosen_p, b->chosen_p), "%s: %.9g, not %.9g", what, (double)b->chosen_p,
	          (double)a->chosen_p);
	cr_assert((a->cut_by == NULL) == (b->cut_by == NULL) && (!a->cut_by || strcmp(a->cut_by, b->cut_by) == 0),
	          "%s: cut by %s, not %s", what, b->cut_by, a->cut_by);
	cr_assert(a->len == b->len && memcmp(a->text, b->text, sizeof a->text) == 0, "%s", what);
}

static void expect_same(const char *name)
{
	char what[100];

	cr_assert(made.n == seen.n, "%s: %zu tokens, not %zu", name, seen.n, made.n);
	cr_assert_gt(made.n, 0, "%s", name);
	for (size_t i = 0; i < made.n; i++) {
		const struct token *a = &made.tokens[i], *b = &seen.tokens[i];

		snprintf(what, sizeof what, "%s, token %zu", name, i);
		cr_assert_eq(a->id, b->id, "%s", what);
		cr_assert(same_float(a->probability, b->probability), "%s: p %.9g, not %.9g", what, (double)b->probability,
		          (double)a->probability);
		cr_assert(same_float(a->raw_p, b->raw_p), "%s: raw p %.9g, not %.9g", what, (double)b->raw_p, (double)a->raw_p);
		cr_assert(same_float(a->log_sum, b->log_sum), "%s", what);
		cr_assert(same_float(a->entropy, b->entropy), "%s", what);
		cr_assert_eq(a->reasoning, b->reasoning, "%s", what);
		cr_assert_eq(a->n_generated, b->n_generated, "%s", what);
		cr_assert_eq(a->n_candidates, b->n_candidates, "%s", what);
		cr_assert_gt(a->n_candidates, 0, "%s", what);
		for (size_t k = 0; k < a->n_candidates; k++)
			expect_same_candidate(&made.candidates[i][k], &seen.candidates[i][k], what);
		cr_assert_eq(made.n_bytes[i], seen.n_bytes[i], "%s: %zu bytes, not %zu", what, seen.n_bytes[i], made.n_bytes[i]);
	}
	cr_assert(made.text.len == seen.text.len && memcmp(buf_text(&made.text), buf_text(&seen.text), made.text.len) == 0,
	          "%s: \"%s\", not \"%s\"", name, buf_text(&seen.text), buf_text(&made.text));
	cr_assert_str_eq(buf_text(&made.reasoning), buf_text(&seen.reasoning), "%s", name);
	cr_assert_eq(made.begin.prompt_hash, seen.begin.prompt_hash, "%s", name);
	cr_assert_eq(made.begin.n_prompt, seen.begin.n_prompt, "%s", name);
}

/* The turn that made the reply, with it. */
static struct turn with_reply(const struct turn *asked, struct message messages[])
{
	struct turn turn = *asked;

	if (asked->n_messages)
		memcpy(messages, asked->messages, asked->n_messages * sizeof *messages);
	messages[turn.n_messages++] = (struct message){
		.role = ROLE_ASSISTANT, .text = buf_text(&made.text), .len = made.text.len, .ids = made.ids, .n_ids = made.n,
		.reasoning = buf_text(&made.reasoning), .reasoning_len = made.reasoning.len, .n_reasoning_ids = made.n_reasoning};
	turn.messages = messages;
	return turn;
}

static void check(const struct turn *asked, const char *name)
{
	struct turn turn = *asked, again;
	struct message messages[16];

	turn.sampler = sampler;
	turn.n_candidates = SHOWN;
	run(&turn, BACKEND_REPLY, &made);
	if (!made.n)
		return; /* it ends at once */
	again = with_reply(&turn, messages);
	run(&again, BACKEND_EXAMINE, &seen);
	cr_assert_eq(result.reason, DONE_END);
	expect_same(name);
}

static void check_seeds(const struct turn *asked, const char *name)
{
	size_t n = 0;

	for (sampler.seed = 1; sampler.seed < 12; sampler.seed++) {
		check(asked, name);
		n += made.n;
	}
	cr_assert_gt(n, 50, "%s: only %zu tokens", name, n);
}

/* ---- samplers ---- */

static const struct turn usual = {.messages = &question, .n_messages = 1, .n_predict = 40};

static void check_samplers(const char *family)
{
	struct turn turn = usual;

	save(family, FAMILY_ALL_BYTES);
	load(0);
	check_seeds(&turn, "as usual");
	sampler.repeat_penalty = 1.3f;
	sampler.presence_penalty = 0.4f;
	sampler.frequency_penalty = 0.3f;
	sampler.dry_multiplier = 0.8f;
	sampler.dry_allowed_length = 1;
	check_seeds(&turn, "penalties");
	turn.logit_bias = "101+2.5 102-1 103-inf";
	turn.samplers = "min_p;temperature;top_p;penalties;dry;top_k;xtc";
	sampler.xtc_probability = 0.5f;
	sampler.xtc_threshold = 0.05f;
	sampler.top_p = 0.8f;
	check_seeds(&turn, "another order");
	sampler.typical = 0.9f;
	sampler.top_n_sigma = 1.5f;
	turn.samplers = "top_n_sigma;typ_p;temperature;dry";
	check_seeds(&turn, "other filters");
	sampler = sampler_params_default();
	sampler.temp = 0;
	check_seeds(&turn, "the best");
	sampler.temp = 0.9f;
	sampler.mirostat = 2;
	check_seeds(&turn, "mirostat");
	sampler.mirostat = 1;
	check_seeds(&turn, "mirostat 1");
	sampler.mirostat = 0;
	sampler.dynatemp_range = 0.5f;
	check_seeds(&usual, "a range of temperatures");
}

Test(examine, tells_what_the_samplers_did)
{
	check_samplers("qwen3");
}

Test(examine, of_a_model_with_states)
{
	check_samplers("qwen35");
}

Test(examine, of_a_model_with_experts)
{
	check_samplers("qwen3moe");
}

/* ---- ends ---- */

Test(examine, wherever_the_reply_was_cut)
{
	struct turn turn = usual;

	save("qwen3", FAMILY_ALL_BYTES);
	load(0);
	sampler.temp = 3; /* half characters abound */
	sampler.top_k = 0;
	sampler.top_p = 1;
	sampler.min_p = 0;
	for (turn.n_predict = 1; turn.n_predict < 60; turn.n_predict++) {
		sampler.seed = turn.n_predict;
		check(&turn, "cut");
	}
	turn.n_predict = -1; /* ends by itself, maybe within a character */
	check_seeds(&turn, "whole");
}

Test(examine, of_a_reply_that_a_stop_string_ended)
{
	static const char *const stops[] = {"h", "e", "\xEF\xBF\xBD"};
	struct turn turn = usual;

	save("qwen3", FAMILY_ALL_BYTES);
	load(0);
	turn.stops = stops;
	turn.logit_bias = "257+4 258+4 259+4 260+4 261+4 262+4 263+4"; /* of several letters: a stop is a part of them */
	for (turn.n_stops = 1; turn.n_stops <= 3; turn.n_stops++)
		check_seeds(&turn, "stopped");
}

/* Another token in the place of each of the reply's: of what was sent for it no more is left out, nor evaluated. */
static void branch_everywhere(const struct turn *asked)
{
	struct message messages[16];
	struct turn turn = with_reply(asked, messages);
	struct message *begun = &messages[turn.n_messages - 1];
	const uint32_t n_prompt = made.begin.n_prompt;

	turn.continued = turn.has_first = true;
	turn.first = 40;
	turn.n_predict = 1;
	begun->len = made.n_bytes[0];
	for (size_t k = 1; k < made.n; begun->len += made.n_bytes[k++]) {
		begun->n_ids = k;
		run(&turn, BACKEND_REPLY, &seen);
		cr_assert_eq(result.stats.n_prompt, n_prompt + k, "at %zu: %u tokens, not %zu", k, result.stats.n_prompt,
		             n_prompt + k);
		if (k > 1)
			cr_assert_eq(result.stats.n_evaluated, 1);
	}
}

Test(examine, of_a_reply_that_filled_the_context)
{
	struct message messages[5] = {question, {.role = ROLE_ASSISTANT, .text = "yes, yes", .len = 8}, question,
	                              {.role = ROLE_ASSISTANT, .text = "no", .len = 2}, question};
	struct turn turn = {.messages = messages, .n_messages = 5, .n_predict = -1};
	size_t n_full = 0;

	save("qwen3", FAMILY_ALL_BYTES);
	load(192);
	for (sampler.seed = 1; sampler.seed < 60; sampler.seed++) {
		check(&turn, "full");
		if (made.n < 60)
			continue;
		branch_everywhere(&turn);
		n_full++;
	}
	cr_assert_gt(n_full, 0);
}

/* All that are left, where almost all are forbidden. */
Test(examine, of_fewer_candidates_than_are_shown)
{
	struct buf biases = {.max = MIB(1)};
	struct turn turn = usual;

	save("qwen3", FAMILY_ALL_BYTES);
	load(0);
	for (int32_t id = 40; id < 260; id++)
		buf_printf(&biases, "%d-inf ", (int)id);
	turn.logit_bias = buf_text(&biases);
	check_seeds(&turn, "few");
	cr_expect_gt(made.n, 0);
	cr_expect_lt(made.tokens[0].n_candidates, SHOWN);
	buf_free(&biases);
}

/* ---- reasoning ---- */

Test(examine, of_replies_in_channels)
{
	static const char *const asked[] = {"Hi.", "Hi!", "Hi?", "Hi@"};

	cr_assert_eq(harmony_model_save(path, &err), STATUS_OK, "%s", err.text);
	load(0);
	sampler.temp = 0;
	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
		for (int32_t n = 1; n < 60; n++) {
			struct message message = {.role = ROLE_USER, .text = asked[i], .len = strlen(asked[i])};

			check(&(struct turn){.messages = &message, .n_messages = 1, .n_predict = n}, asked[i]);
		}
}

/* ---- continued ---- */

/* What the reply's parts told, one after the other. */
static void append(struct told *all, const struct told *part)
{
	for (size_t i = 0; i < part->n; i++, all->n++) {
		all->ids[all->n] = part->ids[i];
		all->tokens[all->n] = part->tokens[i];
		all->tokens[all->n].n_generated = (uint32_t)all->n + 1;
		all->n_bytes[all->n] = part->n_bytes[i];
		memcpy(all->candidates[all->n], part->candidates[i], sizeof part->candidates[i]);
	}
	buf_append(&all->text, buf_text(&part->text), part->text.len);
}

Test(examine, of_a_reply_that_was_continued)
{
	struct message messages[3];
	struct turn turn = usual, again;

	save("qwen3", FAMILY_ALL_BYTES);
	load(0);
	turn.n_candidates = SHOWN;
	turn.n_predict = 20;
	for (sampler.seed = 1; sampler.seed < 20; sampler.seed++) {
		turn.sampler = sampler;
		run(&turn, BACKEND_REPLY, &made);
		if (made.n < 20 || result.in_character)
			continue;
		again = with_reply(&turn, messages);
		again.continued = true;
		again.has_first = true;
		again.first = 40;
		run(&again, BACKEND_REPLY, &seen);
		append(&made, &seen);
		again = with_reply(&turn, messages);
		run(&again, BACKEND_EXAMINE, &seen);
		expect_same("continued");
	}
}

/* Filters that draw random numbers, or learn, by the seed of each turn; and sliders that were moved meanwhile. */
Test(examine, with_what_each_part_was_sampled_with)
{
	struct message messages[3];
	struct turn turn = usual, again;
	struct turn_part parts[3] = {{.from = 0, .begins = true}, {.from = 7}, {.from = 20, .begins = true}};
	size_t n_checked = 0;

	save("qwen3", FAMILY_ALL_BYTES);
	load(0);
	sampler.xtc_probability = 0.5f;
	sampler.xtc_threshold = 0.02f;
	turn.n_candidates = SHOWN;
	turn.n_predict = 20;
	for (int64_t seed = 1; seed < 20; seed++) {
		sampler.mirostat = 0;
		sampler.seed = seed;
		turn.sampler = parts[0].params = sampler;
		changed = parts[1].params = sampler;
		changed.top_k = parts[1].params.top_k = 5;
		changed.dry_multiplier = parts[1].params.dry_multiplier = 1;
		change_at = 7;
		run(&turn, BACKEND_REPLY, &made);
		change_at = 0;
		if (made.n < 20 || result.in_character)
			continue;
		n_checked++;
		again = with_reply(&turn, messages);
		again.continued = true;
		sampler.mirostat = 2;
		sampler.seed = seed + 100;
		again.sampler = parts[2].params = sampler;
		run(&again, BACKEND_REPLY, &seen);
		append(&made, &seen);
		again = with_reply(&turn, messages);
		again.sampler = parts[0].params;
		again.parts = parts;
		again.n_parts = 3;
		run(&again, BACKEND_EXAMINE, &seen);
		expect_same("parts");
	}
	cr_assert_gt(n_checked, 3);
}

/* ---- stopping ---- */

Test(examine, stops_at_every_token)
{
	struct message messages[3];
	struct turn turn = usual, again;

	save("qwen35", FAMILY_ALL_BYTES);
	load(0);
	turn.sampler = sampler;
	turn.n_candidates = SHOWN;
	for (sampler.seed = 1; made.n < 40; sampler.seed++)
		run(&turn, BACKEND_REPLY, &made);
	again = with_reply(&turn, messages);
	for (seen.cancel_at = 1; seen.cancel_at < made.n; seen.cancel_at++) {
		run(&again, BACKEND_EXAMINE, &seen);
		cr_assert_eq(result.reason, DONE_CANCELLED);
		cr_assert_eq(seen.n, seen.cancel_at);
	}
}

Test(examine, says_where_there_is_no_prompt)
{
	static const int32_t ids[] = {40};
	const struct message reply = {.role = ROLE_ASSISTANT, .text = "x", .len = 1, .ids = ids, .n_ids = 1};
	const struct turn turn = {.messages = &reply, .n_messages = 1, .raw = true};
	const struct backend_host host = {
		.ctx = &seen, .cancelled = host_cancelled, .params = host_params, .event = host_event};

	save("qwen3", FAMILY_ALL_BYTES);
	load(0);
	cr_assert_eq(backend_run(backend, &turn, BACKEND_EXAMINE, &host, &result, &err), STATUS_USAGE);
}
