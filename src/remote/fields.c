#include "remote/fields.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/option_value.h"
#include "encode/reasoning.h"
#include "remote/estimate.h"
#include "remote/fields_words.h"
#include "sampler/params.h"

static bool is_dropped(const struct remote *remote, size_t row)
{
	return row < REMOTE_FIELDS_MAX && remote->dropped >> row & 1;
}

const struct remote_field *fields_find(const struct remote *remote, const char *option)
{
	for (size_t i = 0; i < remote->n_fields; i++)
		if (strcmp(remote->fields[i].option, option) == 0 && remote->fields[i].field && !is_dropped(remote, i))
			return &remote->fields[i];
	return NULL;
}

/* "top_k" of "options.top_k". */
static const char *own_name(const char *field)
{
	const char *dot = strchr(field, '.');

	return dot ? dot + 1 : field;
}

/* A number as it is sent. */
static void print_number(const struct remote *remote, const struct remote_field *row, const struct option *option,
                         double value, char out[NUMBER_TEXT_MAX])
{
	double off = 0;

	if (option && option->off)
		(void)number_parse_double(option->off, &off);
	if (row->off && option && value == off)
		snprintf(out, NUMBER_TEXT_MAX, "%s", row->off);
	else if (value < 0 && row->below_is_context)
		snprintf(out, NUMBER_TEXT_MAX, "%u", remote->info.n_ctx ? remote->info.n_ctx : 1U << 16);
	else if (row->max > 0 && value > row->max)
		number_format_double(row->max, out);
	else if (option && option->type == OPTION_FLOAT)
		number_format_float((float)value, out);
	else
		snprintf(out, NUMBER_TEXT_MAX, "%.0f", value);
}

static enum status put_sampling(struct json_writer *json, const struct remote *remote,
                                const struct remote_field *row, const struct remote_ask *ask)
{
	const struct option *option = option_find(sampler_options, sampler_n_options, row->option);
	char text[NUMBER_TEXT_MAX];

	if (!option)
		return STATUS_OK;
	print_number(remote, row, option, option_number(option, &ask->params), text);
	json_put_number(json, own_name(row->field), "%s", text);
	return STATUS_OK;
}

/* 4294967295 is a random one to llama.cpp. */
static uint32_t seed32(int64_t seed)
{
	return (uint32_t)((uint64_t)seed % UINT32_MAX);
}

void fields_put_seed(struct json_writer *json, const char *name, int64_t seed)
{
	if (seed < 0)
		json_put_string(json, name, "a new one for each reply");
	else
		json_put_number(json, name, "%u", seed32(seed));
}

/* Raw texts are continued by 16 tokens, unless servers are told how many: here as many as there will be room for. */
static uint32_t count_raw(const struct remote *remote, const struct turn *turn)
{
	enum { UNKNOWN = 2048, LEAST = 16 };
	uint32_t n = 0;

	for (size_t i = 0; i < turn->n_messages; i++)
		n += estimate_message(remote, &turn->messages[i]);
	n += n / 4; /* it is an estimate */
	if (!remote->info.n_ctx)
		return UNKNOWN;
	return n + LEAST < remote->info.n_ctx ? remote->info.n_ctx - n : LEAST;
}

static void put_predict(struct json_writer *json, const struct remote *remote, const struct remote_field *row,
                        const struct turn *turn)
{
	if (turn->n_predict >= 0)
		json_put_number(json, own_name(row->field), "%d", (int)turn->n_predict);
	else if (row->off)
		json_put_number(json, own_name(row->field), "%s", row->off);
	else
		json_put_number(json, own_name(row->field), "%u", count_raw(remote, turn));
}

/* Whether the effort is said in the field of the reasoning, so that one of the two is sent. */
static bool is_shared(const struct remote *remote, const char *with, const struct remote_field *row)
{
	const struct remote_field *other = fields_find(remote, with);

	return other && strcmp(other->field, row->field) == 0;
}

static bool wants_reasoning(const struct remote *remote, const struct remote_field *row,
                            const struct reasoning_wish *wish)
{
	bool is_text = row->off && row->off[0] == '"';

	if (wish->mode == REASONING_OFF)
		return true;
	return wish->mode == REASONING_ON && !is_text &&
	       !(wish->effort != EFFORT_AUTO && is_shared(remote, "effort", row));
}

static void put_reasoning(struct json_writer *json, const struct remote_field *row,
                          const struct reasoning_wish *wish)
{
	const char *off = row->off ? row->off : "false", *value = wish->mode == REASONING_OFF ? off : "true";

	json_put_raw(json, own_name(row->field), value, strlen(value));
}

static bool wants_effort(const struct remote *remote, const struct remote_field *row,
                         const struct reasoning_wish *wish)
{
	return wish->effort != EFFORT_AUTO &&
	       !(wish->mode == REASONING_OFF && is_shared(remote, "reasoning", row));
}

static void put_effort(struct json_writer *json, const struct remote_field *row, const struct reasoning_wish *wish)
{
	json_put_string(json, own_name(row->field), reasoning_efforts[wish->effort]);
}

static size_t count_candidates(const struct remote_field *row, const struct turn *turn)
{
	return row->max > 0 && (double)turn->n_candidates > row->max ? (size_t)row->max : turn->n_candidates;
}

static void put_candidates(struct json_writer *json, const struct remote_field *row, const struct turn *turn)
{
	json_put_bool(json, own_name(row->field), true);
	json_put_number(json, "top_logprobs", "%zu", count_candidates(row, turn));
}

static void put_continue(struct json_writer *json, const char *name)
{
	json_put_bool(json, name, true);
	json_put_bool(json, "add_generation_prompt", false);
}

/* Whether there is anything to say; sampling options are always said. */
static bool wants(const struct remote *remote, const struct remote_field *row, const struct remote_ask *ask)
{
	const struct turn *turn = ask->turn;
	const char *option = row->option;

	if (strcmp(option, "predict") == 0)
		return turn->n_predict >= 0 || row->off || turn->raw;
	if (strcmp(option, "stop") == 0)
		return turn->n_stops > 0;
	if (strcmp(option, "logit-bias") == 0)
		return turn->logit_bias && *turn->logit_bias;
	if (strcmp(option, "reasoning") == 0)
		return wants_reasoning(remote, row, &turn->reasoning);
	if (strcmp(option, "effort") == 0)
		return wants_effort(remote, row, &turn->reasoning);
	if (strcmp(option, "chat-template-kwargs") == 0)
		return turn->reasoning.template_kwargs && *turn->reasoning.template_kwargs;
	if (strcmp(option, "candidates") == 0)
		return turn->n_candidates > 0;
	if (strcmp(option, "continue") == 0)
		return turn->continued;
	return true;
}

static enum status put(struct json_writer *json, const struct remote *remote, const struct remote_field *row,
                       const struct remote_ask *ask, struct error *err)
{
	const struct turn *turn = ask->turn;
	const char *option = row->option, *name = own_name(row->field);

	if (strcmp(option, "seed") == 0)
		fields_put_seed(json, name, ask->seed);
	else if (strcmp(option, "predict") == 0)
		put_predict(json, remote, row, turn);
	else if (strcmp(option, "stop") == 0)
		words_put_stops(json, name, turn, (size_t)row->max);
	else if (strcmp(option, "logit-bias") == 0)
		return words_put_biases(json, name, turn->logit_bias, row->takes_texts, err);
	else if (strcmp(option, "samplers") == 0)
		words_put_order(json, name, turn->samplers);
	else if (strcmp(option, "dry-sequence-breaker") == 0)
		return words_put_breakers(json, name, turn->dry_breakers, err);
	else if (strcmp(option, "reasoning") == 0)
		put_reasoning(json, row, &turn->reasoning);
	else if (strcmp(option, "effort") == 0)
		put_effort(json, row, &turn->reasoning);
	else if (strcmp(option, "chat-template-kwargs") == 0)
		return words_put_kwargs(json, turn->reasoning.template_kwargs, err);
	else if (strcmp(option, "candidates") == 0)
		put_candidates(json, row, turn);
	else if (strcmp(option, "continue") == 0)
		put_continue(json, name);
	else if (strcmp(option, "usage") == 0)
		json_put_bool(json, name, true);
	else
		return put_sampling(json, remote, row, ask);
	return STATUS_OK;
}

/* How long the name of a row's object is; 0: it is in none. */
static size_t object_len(const struct remote_field *row)
{
	const char *dot = strchr(row->field, '.');

	return dot ? (size_t)(dot - row->field) : 0;
}

static bool is_in(const struct remote_field *row, const char *object, size_t len)
{
	return object_len(row) == len && strncmp(row->field, object, len) == 0;
}

static void begin_object(struct json_writer *json, const struct remote_field *row)
{
	char name[64];

	snprintf(name, sizeof name, "%.*s", (int)object_len(row), row->field);
	json_put_begin(json, name, '{');
}

enum status fields_write(struct json_writer *json, const struct remote *remote, const char *object,
                         const struct remote_ask *ask, struct error *err)
{
	const struct remote_field *open = NULL; /* a row of the object that is open */
	enum status status = STATUS_OK;

	for (size_t i = 0; i < remote->n_fields && !status; i++) {
		const struct remote_field *row = &remote->fields[i];

		if (!row->field || !row->field[0] || row != fields_find(remote, row->option) || !wants(remote, row, ask) ||
		    (object && !is_in(row, object, strlen(object))))
			continue;
		if (open && !is_in(row, open->field, object_len(open))) {
			json_put_end(json, '}');
			open = NULL;
		}
		if (!object && !open && object_len(row)) {
			begin_object(json, row);
			open = row;
		}
		status = put(json, remote, row, ask, err);
	}
	if (open)
		json_put_end(json, '}');
	return status;
}

/* Why an option changes nothing; NULL: it does. */
static const char *why_idle(const struct remote *remote, const char *option)
{
	const char *why = "this kind of server has no such setting";

	if (fields_find(remote, option))
		return NULL;
	for (size_t i = 0; i < remote->n_fields; i++)
		if (strcmp(remote->fields[i].option, option) == 0) {
			if (is_dropped(remote, i))
				return "refused by this model";
			why = remote->fields[i].why ? remote->fields[i].why : why;
		}
	return why;
}

void fields_list_idle(const struct remote *remote, struct model_info *info)
{
	static const char *const others[] = {"logit-bias", "samplers", "dry-sequence-breaker", "chat-template-kwargs"};
	size_t n_others = sizeof others / sizeof others[0];

	info->n_idle = 0;
	for (size_t i = 0; i < sampler_n_options + n_others && info->n_idle < IDLE_OPTIONS_MAX; i++) {
		const char *name = i < sampler_n_options ? sampler_options[i].name : others[i - sampler_n_options];
		const char *why = why_idle(remote, name);

		if (why)
			info->idle[info->n_idle++] = (struct idle_option){name, why};
	}
}

/* Whether a server means this row by a field's name: with its object, without it, or the object alone; a name that
 * is written beside it, too. */
static bool is_called(const struct remote_field *row, const char *field)
{
	const char *name = row->field;

	if (!name || !name[0] || !field[0])
		return false;
	if (strcmp(name, field) == 0 || strcmp(own_name(name), field) == 0)
		return true;
	if (object_len(row) && is_in(row, field, strlen(field)))
		return true;
	return (strcmp(row->option, "candidates") == 0 && strcmp(field, "top_logprobs") == 0) ||
	       (strcmp(row->option, "continue") == 0 && strcmp(field, "add_generation_prompt") == 0);
}

bool fields_drop(struct remote *remote, const char *field)
{
	bool found = false;

	for (size_t i = 0; i < remote->n_fields && i < REMOTE_FIELDS_MAX; i++) {
		if (is_dropped(remote, i) || !is_called(&remote->fields[i], field))
			continue;
		remote->dropped |= (uint64_t)1 << i;
		if (strcmp(remote->fields[i].option, "candidates") == 0)
			remote->info.capabilities &= ~(unsigned)CAPABILITY_LOGITS;
		found = true;
	}
	return found;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* How long the name is at the beginning of a text, where it may be written "topK" or "top-k", too; 0: it is not
 * there. */
static size_t match_name(const char *text, const char *name)
{
	const char *at = text;

	for (; *name; name++) {
		if (*name == '_') {
			at += *at == '_' || *at == '-' || *at == ' ';
			continue;
		}
		if (tolower((unsigned char)*at) != tolower((unsigned char)*name))
			return 0;
		at++;
	}
	return (size_t)(at - text);
}

/* Whether the text speaks of the field: its name as a whole word, in quotes unless it can be no other word. */
static bool speaks_of(const char *text, const struct remote_field *row)
{
	const char *name = own_name(row->field);
	bool is_sure = strchr(name, '_') ||
	               (!object_len(row) && (strstr(text, "parameter") || strstr(text, "argument")));

	for (const char *at = text; *at; at++) {
		size_t n = match_name(at, name);
		bool is_whole = n && (at == text || !is_name_char(at[-1])) && !is_name_char(at[n]);
		bool is_quoted = at > text && strchr("'\"`", at[-1]) && at[n] && strchr("'\"`", at[n]);

		if (is_whole && (is_quoted || is_sure))
			return true;
	}
	return false;
}

const char *fields_named_in(const struct remote *remote, const char *text)
{
	for (size_t i = 0; i < remote->n_fields; i++) {
		const struct remote_field *row = &remote->fields[i];

		if (row->field && isalpha((unsigned char)own_name(row->field)[0]) && !is_dropped(remote, i) &&
		    speaks_of(text, row))
			return own_name(row->field);
	}
	return NULL;
}
