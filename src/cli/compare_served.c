#include "cli/compare_served.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "base/server_path.h"
#include "cli/evaluate.h"
#include "cli/print.h"
#include "cli/quote.h"
#include "cli/served_reply.h"
#include "cli/stop.h"
#include "compare/distribution.h"
#include "encode/encode.h"

enum { USUAL_TOKENS = 64 };

struct served {
	struct cli_setup *setup;
	const struct served_params *params;
	struct text_model model;
	struct chat_template *tmpl;
	struct dialog dialog;
	bool has_dialog;
	struct buf question, path;
	struct message message;
	struct chat_turn chat; /* of a saved chat */
	struct turn turn;
	struct served_reply reply;
	struct token_list ids;
	size_t n_prompt, n_reply; /* of the ids */
	struct evaluation evaluation;
	struct agreement agreement;
};

/* ---- the question ---- */

static struct turn plain_turn(const struct served *s)
{
	struct turn turn = chat_turn_of(&s->setup->engine, &s->setup->sampler);

	turn.sampler = sampler_params_default();
	turn.sampler.temp = 0;
	turn.n_candidates = CANDIDATES_TOLD;
	turn.n_predict = s->setup->engine.n_predict < 0 ? USUAL_TOKENS : s->setup->engine.n_predict;
	turn.reasoning.mode = REASONING_OFF; /* what servers tell of thoughts is not all of their tokens */
	turn.logit_bias = NULL;
	return turn;
}

/* A chat, up to the message that its last reply answers. */
static enum status ask_again(struct served *s, struct error *err)
{
	struct chat_turn_source source;
	enum status status;

	if (s->setup->n_words > 1)
		return error_set(err, STATUS_USAGE, "--server takes one chat at a time");
	status = text_open_chat(&s->dialog, s->setup->words[0], s->setup, err);
	s->has_dialog = true;
	if (status)
		return status;
	source = dialog_turn_source(&s->dialog);
	status = chat_turn_build(&s->chat, &source, err);
	if (status)
		return status;
	s->turn.messages = s->chat.messages;
	s->turn.n_messages = s->chat.turn.n_messages;
	while (s->turn.n_messages && s->turn.messages[s->turn.n_messages - 1].role != ROLE_USER)
		s->turn.n_messages--;
	return s->turn.n_messages ? STATUS_OK : error_set(err, STATUS_USAGE, "there is no question in this chat");
}

static enum status make_question(struct served *s, struct error *err)
{
	enum status status;

	s->turn = plain_turn(s);
	if (s->params->text->input.ids || s->params->text->chats)
		return error_set(err, STATUS_USAGE, "--server and %s: a server is asked with a text, or one chat by name",
		                 s->params->text->input.ids ? "--ids" : "--chats");
	if (s->setup->n_words)
		return ask_again(s, err);
	status = text_input_read(&s->params->text->input, &s->question, err);
	s->message = (struct message){.role = ROLE_USER, .text = buf_text(&s->question), .len = s->question.len};
	s->turn.messages = &s->message;
	s->turn.n_messages = 1;
	return status;
}

/* ---- both models ---- */

static enum status encode(struct served *s, struct error *err)
{
	struct encoded encoded = {0};
	enum status status = encode_for_context(&encoded, s->model.tokenizer, s->tmpl, &s->turn, INT32_MAX, err);

	if (!status && token_list_append(&s->ids, encoded.ids.ids, encoded.ids.n))
		status = error_no_memory(err, "for the text");
	s->n_prompt = encoded.ids.n;
	encoded_free(&encoded);
	if (!status)
		status = served_reply_ids(&s->reply, s->model.tokenizer, &s->ids, err);
	s->n_reply = s->ids.n - s->n_prompt;
	if (!status && !s->n_reply)
		status = error_set(err, STATUS_USAGE, "the server's reply is not made of tokens that the model knows");
	return status;
}

/* The best tokens of a row, found one after the other. */
static struct candidates best_of(const struct served *s, const float *logits, size_t n_vocab)
{
	struct distribution row = distribution_of(logits, n_vocab);
	struct candidates out = {.n = 0};
	float bound = INFINITY;
	int32_t last = -1;

	while (out.n < CANDIDATES_TOLD && out.n < n_vocab) {
		int32_t best = -1;

		for (size_t i = 0; i < n_vocab; i++)
			if ((logits[i] < bound || (logits[i] == bound && (int32_t)i > last)) &&
			    (best < 0 || logits[i] > logits[best]))
				best = (int32_t)i;
		if (best < 0)
			break;
		out.best[out.n++] = served_candidate(s->model.tokenizer, best, distribution_log_p(&row, best));
		bound = logits[best];
		last = best;
	}
	return out;
}

/* Row i is behind token i of the ids: it expects token i + 1. */
static enum status read_reply(struct served *s, struct error *err)
{
	struct session *session = s->evaluation.session;
	size_t n_vocab = model_plan(s->evaluation.model)->n_vocab;
	enum status status;

	session_set_progress(session, stop_go_on, NULL);
	status = session_eval(session, s->ids.ids, s->n_prompt, 0, NULL, err);
	for (size_t i = 0; i < s->n_reply && !status; i++) {
		struct candidates own = best_of(s, session_logits(session), n_vocab);

		status = agreement_add(&s->agreement, &s->reply.tokens[i].told, &own, err);
		if (!status && i + 1 < s->n_reply)
			status = session_eval(session, s->ids.ids + s->n_prompt + i, 1, s->n_prompt + i, NULL, err);
	}
	if (!status && !s->agreement.n)
		status = error_set(err, STATUS_USAGE, "there is no token of the reply that can be compared");
	return status;
}

/* ---- what comes of it ---- */

static void put_quoted(struct buf *out, const struct candidate *candidate)
{
	quote_put(out, candidate->text, candidate->len);
	buf_printf(out, " %.0f %%", 100 * exp(candidate->log_p));
}

static void put_first(const struct served *s, struct buf *out)
{
	size_t at = agreement_first(&s->agreement);
	const struct agreed_place *place = &s->agreement.places[at];

	if (at == s->agreement.n)
		return;
	buf_printf(out, "first other  token %zu of the reply\n             the server ", at + 1);
	put_quoted(out, &place->told.best[0]);
	buf_puts(out, ", the model ");
	put_quoted(out, &place->own.best[0]);
	buf_putc(out, '\n');
}

/* At most: a server may tell fewer where it knows fewer. */
static size_t n_told(const struct agreement *agreement)
{
	size_t most = 0;

	for (size_t i = 0; i < agreement->n; i++)
		most = agreement->places[i].told.n > most ? agreement->places[i].told.n : most;
	return most;
}

static void put_text(const struct served *s, struct buf *out)
{
	const struct agreement *a = &s->agreement;
	const char *name = text_file_name(s->setup->engine.model);

	buf_puts(out, "compared     ");
	sanitize_line(out, name, strlen(name));
	buf_puts(out, "\nreference    ");
	sanitize_line(out, s->reply.info.name, strlen(s->reply.info.name));
	buf_puts(out, " on ");
	sanitize_line(out, s->reply.info.identity.server, strlen(s->reply.info.identity.server));
	buf_printf(out, "\nover         %zu tokens of its reply at temperature 0\n             of each the server tells its %zu best "
	           "candidates only: no divergence\n\nfirst choice the same at %.1f ± %.1f %%",
	           a->n, n_told(a), 100 * moments_mean(&a->same), 100 * moments_error(&a->same));
	if (isfinite(agreement_each(a)))
		buf_printf(out, ": another word every %.1f tokens", agreement_each(a));
	buf_printf(out, "\ncandidates   %.1f %% of the server's are among as many best ones of the model\n",
	           100 * moments_mean(&a->shared));
	if (a->change.n)
		buf_printf(out, "probability  of these differs by a factor of %.3f\n", exp(moments_mean(&a->change)));
	put_first(s, out);
	if (s->n_reply < s->reply.n)
		buf_printf(out, "             the reply's other %zu tokens are left out:\n             the model has no token like the first of "
		           "them\n", s->reply.n - s->n_reply);
}

static void put_json_text(struct json_writer *json, const char *key, const struct candidate *candidate)
{
	json_put_text(json, key, candidate->text, candidate->len);
}

static void put_json(const struct served *s, struct buf *out)
{
	const struct agreement *a = &s->agreement;
	struct json_writer json = {.out = out};
	size_t first = agreement_first(a);

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "model", text_file_name(s->setup->engine.model));
	json_put_string(&json, "server", s->reply.info.identity.server);
	json_put_string(&json, "server_model", s->reply.info.name);
	json_put_number(&json, "places", "%zu", a->n);
	json_put_number(&json, "candidates", "%zu", n_told(a));
	json_put_null(&json, "divergence");
	json_put_real(&json, "same_choice", moments_mean(&a->same));
	json_put_real(&json, "shared_candidates", moments_mean(&a->shared));
	if (a->change.n)
		json_put_real(&json, "log_p_change", moments_mean(&a->change));
	if (first < a->n) {
		json_put_number(&json, "first", "%zu", first);
		put_json_text(&json, "first_of_server", &a->places[first].told.best[0]);
		put_json_text(&json, "first_of_model", &a->places[first].own.best[0]);
	}
	json_put_end(&json, '}');
	buf_putc(out, '\n');
}

static void put_csv(const struct served *s, struct buf *out)
{
	buf_puts(out, "token,same,candidates,shared,log_p_change\n");
	for (size_t i = 0; i < s->agreement.n; i++) {
		const struct agreed_place *place = &s->agreement.places[i];

		buf_printf(out, "%zu,%d,%zu,%zu,%.9g\n", i, candidate_same(&place->told.best[0], &place->own.best[0]),
		           place->told.n, place->n_shared, place->change);
	}
}

static int print(const struct served *s)
{
	struct buf out = {.max = MIB(64)};

	(s->params->json ? put_json : s->params->csv ? put_csv : put_text)(s, &out);
	return cli_print_safe(&out, "the figures");
}

/* ---- all together ---- */

static enum status ask_server(struct served *s, struct error *err)
{
	enum status status = make_question(s, err);

	s->path.max = KIB(4);
	buf_printf(&s->path, SERVER_PATH "%s", s->params->server);
	if (!status && buf_status(&s->path))
		status = error_set(err, STATUS_USAGE, "--server: the name is too long");
	return status ? status : served_reply_get(&s->reply, s->path.data, &s->setup->engine, &s->turn, err);
}

static int compare(struct served *s)
{
	struct engine_params params = s->setup->engine;
	struct error err;
	int rc;

	if (text_model_open(&s->model, &params, &err) ||
	    chat_template_open(&s->tmpl, params.chat_template, s->model.gguf, s->model.tokenizer, &err))
		return cli_fail_model(&err);
	stop_catch_signals();
	if (ask_server(s, &err) || encode(s, &err))
		return stop_or_fail(&err);
	params.n_ctx = (int32_t)s->ids.n;
	rc = evaluation_open(&s->evaluation, &params);
	if (rc)
		return rc;
	return read_reply(s, &err) ? stop_or_fail(&err) : print(s);
}

int compare_served(struct cli_setup *setup, const struct served_params *params)
{
	struct served s = {.setup = setup, .params = params, .question = {.max = LIMIT_MESSAGE}};
	int rc = compare(&s);

	agreement_free(&s.agreement);
	evaluation_close(&s.evaluation);
	token_list_free(&s.ids);
	served_reply_free(&s.reply);
	chat_turn_free(&s.chat);
	if (s.has_dialog)
		dialog_deinit(&s.dialog);
	buf_free(&s.path);
	buf_free(&s.question);
	chat_template_close(s.tmpl);
	text_model_close(&s.model);
	return rc;
}
