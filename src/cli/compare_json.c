#include "base/json.h"
#include "cli/compare_result.h"
#include "cli/quote.h"

static const char *const keys[N_SIDES] = {"compared", "reference"};

static void put_model(const struct compare_result *result, enum compared_side side, struct json_writer *json)
{
	const struct comparison_summary *s = result->summary;

	json_put_begin(json, keys[side], '{');
	json_put_string(json, "model", result->name[side]);
	json_put_string(json, "type", result->type[side][0] ? result->type[side] : NULL);
	json_put_real(json, "perplexity", s->perplexity[side]);
	json_put_real(json, "perplexity_error", s->perplexity_error[side]);
	json_put_end(json, '}');
}

static void put_divergence(const struct comparison_summary *s, struct json_writer *json)
{
	json_put_begin(json, "divergence", '{');
	json_put_real(json, "mean", s->mean);
	json_put_real(json, "error", s->mean_error);
	json_put_real(json, "least", s->least);
	json_put_real(json, "median", s->median);
	json_put_real(json, "p90", s->p90);
	json_put_real(json, "p99", s->p99);
	json_put_real(json, "p99.9", s->p999);
	json_put_real(json, "most", s->most);
	json_put_end(json, '}');
}

static void put_token(const struct compare_result *result, struct json_writer *json, const char *key, int32_t id)
{
	size_t len;
	const char *text = tokenizer_shown(result->model->tokenizer, id, &len);

	json_put_text(json, key, text, len);
}

static void put_place(const struct compare_result *result, const char *key, const struct compared_place *place,
                      struct json_writer *json)
{
	size_t pos, window = text_window_of(result->text, place->at, &pos);
	int32_t next = text_next(result->text, &result->text->windows[window], place->at);

	json_put_begin(json, key, '{');
	json_put_number(json, "window", "%zu", window);
	if (result->text->windows[window].name)
		json_put_string(json, "chat", result->text->windows[window].name);
	json_put_number(json, "position", "%zu", pos);
	json_put_real(json, "divergence", place->divergence);
	if (next >= 0) {
		json_put_number(json, "next", "%d", (int)next);
		put_token(result, json, "next_token", next);
	}
	for (size_t side = 0; side < N_SIDES; side++) {
		json_put_begin(json, keys[side], '{');
		json_put_number(json, "top", "%d", (int)place->top[side]);
		put_token(result, json, "token", place->top[side]);
		json_put_real(json, "p", (double)place->top_p[side]);
		json_put_real(json, "p_of_the_other", (double)place->other_p[side]);
		json_put_real(json, "next_p", (double)place->next_p[side]);
		json_put_end(json, '}');
	}
	json_put_end(json, '}');
}

static void put_places(const struct compare_result *result, struct json_writer *json)
{
	const struct comparison_summary *s = result->summary;

	if (s->first)
		put_place(result, "first", s->first, json);
	else
		json_put_null(json, "first");
	json_put_line(json, "\n ");
	json_put_begin(json, "worst", '[');
	for (size_t i = 0; i < s->n_worst; i++) {
		json_put_line(json, "\n  ");
		put_place(result, NULL, s->worst[i], json);
	}
	json_put_end(json, ']');
}

void compare_result_json(const struct compare_result *result, struct buf *out)
{
	const struct comparison_summary *s = result->summary;
	struct json_writer json = {.out = out};

	json_put_begin(&json, NULL, '{');
	for (size_t side = 0; side < N_SIDES; side++) {
		put_model(result, (enum compared_side)side, &json);
		json_put_line(&json, "\n ");
	}
	json_put_number(&json, "tokens", "%zu", result->text->n);
	json_put_number(&json, "windows", "%zu", result->text->n_windows);
	json_put_number(&json, "places", "%zu", s->n);
	json_put_line(&json, "\n ");
	json_put_string(&json, "verdict", comparison_verdict(s));
	put_divergence(s, &json);
	json_put_line(&json, "\n ");
	json_put_real(&json, "same_choice", s->same);
	json_put_real(&json, "same_choice_error", s->same_error);
	json_put_real(&json, "other_choice_every", s->each);
	json_put_real(&json, "perplexity_ratio", s->ratio);
	json_put_real(&json, "perplexity_ratio_error", s->ratio_error);
	json_put_real(&json, "probability_change", s->p_rms);
	json_put_real(&json, "probability_change_error", s->p_rms_error);
	json_put_line(&json, "\n ");
	put_places(result, &json);
	if (result->layers) {
		struct figures layers = compare_layer_figures(result->layers);

		json_put_line(&json, "\n ");
		figures_put_json(&layers, &json);
		figures_free(&layers);
	}
	json_put_end(&json, '}');
	buf_putc(out, '\n');
}
