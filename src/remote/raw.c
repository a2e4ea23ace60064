#include "remote/raw.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/number.h"
#include "encode/builtin_templates.h"

size_t raw_context(const struct remote *remote)
{
	enum { UNKNOWN = 1 << 24 };

	return remote->info.n_ctx ? remote->info.n_ctx : UNKNOWN;
}

enum status raw_stops(const struct turn *turn, const struct chat_template *tmpl, const char ***out, size_t *n,
                      struct error *err)
{
	const char **stops = NULL;
	size_t room;

	*n = 0;
	if (!add_overflows(turn->n_stops, BUILTIN_STOPS_MAX + 2, &room))
		stops = alloc_array(room, sizeof *stops);
	*out = stops;
	if (!stops)
		return error_no_memory(err, "for the reply");
	for (size_t i = 0; i < turn->n_stops; i++)
		stops[(*n)++] = turn->stops[i];
	if (turn->raw || !tmpl)
		return STATUS_OK;
	for (const char *const *stop = tmpl->stops; stop && *stop; stop++)
		stops[(*n)++] = *stop;
	if (tmpl->end_marker[0])
		stops[(*n)++] = tmpl->end_marker;
	return STATUS_OK;
}

void raw_take_encoded(struct remote_request *request, struct encoded *encoded)
{
	request->keep = encoded->keep;
	encoded->keep = NULL;
	request->refused = encoded->refused;
	request->n_dropped = encoded->n_dropped;
	request->changes = encoded->changes;
	request->start = encoded->start;
}

void raw_put_prompt(struct json_writer *json, const struct token_list *ids, struct remote_request *request)
{
	json_put_begin(json, "prompt", '[');
	for (size_t i = 0; i < ids->n; i++)
		json_put_number(json, NULL, "%" PRId32, ids->ids[i]);
	json_put_end(json, ']');
	request->prompt_hash = hash_more(HASH_BEGIN, ids->ids, ids->n * sizeof *ids->ids);
}

int32_t raw_read_id(const struct json_item *item)
{
	int64_t id;

	return number_parse_int(item->text, &id) && id >= 0 && id <= INT32_MAX ? (int32_t)id : TOKEN_NONE;
}

enum status raw_push_id(struct token_list *ids, const struct json_item *item, struct error *err)
{
	int32_t id = raw_read_id(item);

	if (id == TOKEN_NONE)
		return error_set(err, STATUS_FORMAT, "token %.20s is in no vocabulary", item->text);
	return token_list_push(ids, id) ? error_no_memory(err, "for the prompt") : STATUS_OK;
}

size_t raw_count_same(const struct token_list *a, const struct token_list *b)
{
	size_t n = 0;

	while (n < a->n && n < b->n && a->ids[n] == b->ids[n])
		n++;
	return n;
}

void raw_describe(struct remote *remote, const struct chat_template *tmpl)
{
	struct model_info *info = &remote->info;

	remote->tmpl = tmpl;
	info->capabilities |= CAPABILITY_COUNTS | CAPABILITY_IDS;
	if (tmpl->knows_reasoning)
		info->capabilities |= CAPABILITY_REASONING;
	if (tmpl->can.effort)
		info->capabilities |= CAPABILITY_EFFORT;
	if (tmpl->can.reasoning || tmpl->can.opens_reasoning)
		info->capabilities |= CAPABILITY_SWITCH;
	snprintf(info->template_name, sizeof info->template_name, "%s", tmpl->name);
	snprintf(info->identity.tmpl, sizeof info->identity.tmpl, "%016" PRIx64, tmpl->source_hash);
	if (tmpl->note[0])
		model_info_note(info, NOTE_TEMPLATE, "%s", tmpl->note);
}
