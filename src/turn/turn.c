#include "turn/turn.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

const char *done_reason_name(enum done_reason reason)
{
	switch (reason) {
	case DONE_END: return "end";
	case DONE_STOP: return "stop";
	case DONE_LENGTH: return "length";
	case DONE_CONTEXT: return "context";
	case DONE_EARLY: return "early";
	case DONE_FILTERED: return "filtered";
	case DONE_CANCELLED: return "cancelled";
	case DONE_ERROR: break;
	}
	return "error";
}

/* Where the next ids and the next text go in the copy. */
struct copy_cursor {
	int32_t *ids;
	char *text;
};

static const char *put_text(struct copy_cursor *at, const char *text, size_t len)
{
	char *copy = at->text;

	if (len)
		memcpy(copy, text, len);
	at->text += len;
	return copy;
}

/* With its zero byte; NULL stays that. */
static const char *copy_text(struct copy_cursor *at, const char *text)
{
	return text ? put_text(at, text, strlen(text) + 1) : NULL;
}

static const int32_t *put_ids(struct copy_cursor *at, const int32_t *ids, size_t n)
{
	int32_t *copy = at->ids;

	if (n)
		memcpy(copy, ids, n * sizeof *ids);
	at->ids += n;
	return copy;
}

/* Adds n * size to a sum; true once it overflows. */
static bool add_size(size_t *sum, size_t n, size_t size)
{
	size_t bytes;

	return mul_overflows(n, size, &bytes) || add_overflows(*sum, bytes, sum);
}

static bool add_text(size_t *sum, const char *text)
{
	return text && add_size(sum, strlen(text) + 1, 1);
}

enum status turn_copy(struct turn **out, const struct turn *turn, struct error *err)
{
	struct message *messages;
	struct turn_part *parts;
	struct turn *copy = NULL;
	const char **stops, **answers;
	size_t size = sizeof *copy, n_ids = 0;
	struct copy_cursor at;
	bool overflow;

	*out = NULL;
	overflow = add_size(&size, turn->n_messages, sizeof *messages);
	overflow |= add_size(&size, turn->n_parts, sizeof *parts);
	overflow |= add_size(&size, turn->n_stops, sizeof *stops);
	overflow |= add_size(&size, turn->n_answers, sizeof *answers);
	for (size_t i = 0; i < turn->n_messages; i++) {
		const struct message *message = &turn->messages[i];

		overflow |= add_overflows(n_ids, message->n_ids, &n_ids);
		overflow |= add_size(&size, message->len, 1);
		overflow |= add_size(&size, message->reasoning_len, 1);
	}
	for (size_t i = 0; i < turn->n_stops; i++)
		overflow |= add_text(&size, turn->stops[i]);
	for (size_t i = 0; i < turn->n_answers; i++)
		overflow |= add_text(&size, turn->answers[i]);
	overflow |= add_text(&size, turn->samplers) || add_text(&size, turn->logit_bias) ||
	            add_text(&size, turn->dry_breakers) || add_text(&size, turn->reasoning.template_kwargs);
	overflow |= add_size(&size, n_ids, sizeof *at.ids);
	/* The turn, its messages, parts, stops, answers, ids and texts, in order of decreasing alignment. */
	if (!overflow)
		copy = alloc_array(1, size);
	if (!copy)
		return error_no_memory(err, "for the conversation");
	messages = (struct message *)(copy + 1);
	parts = (struct turn_part *)(messages + turn->n_messages);
	stops = (const char **)(parts + turn->n_parts);
	answers = stops + turn->n_stops;
	at.ids = (int32_t *)(answers + turn->n_answers);
	at.text = (char *)(at.ids + n_ids);
	*copy = *turn;
	copy->messages = messages;
	copy->parts = parts;
	if (turn->n_parts)
		memcpy(parts, turn->parts, turn->n_parts * sizeof *parts);
	copy->stops = stops;
	copy->answers = answers;
	for (size_t i = 0; i < turn->n_messages; i++) {
		const struct message *from = &turn->messages[i];

		messages[i] = *from;
		messages[i].ids = put_ids(&at, from->ids, from->n_ids);
		messages[i].text = put_text(&at, from->text, from->len);
		messages[i].reasoning = put_text(&at, from->reasoning, from->reasoning_len);
	}
	for (size_t i = 0; i < turn->n_stops; i++)
		stops[i] = copy_text(&at, turn->stops[i]);
	for (size_t i = 0; i < turn->n_answers; i++)
		answers[i] = copy_text(&at, turn->answers[i]);
	copy->samplers = copy_text(&at, turn->samplers);
	copy->logit_bias = copy_text(&at, turn->logit_bias);
	copy->dry_breakers = copy_text(&at, turn->dry_breakers);
	copy->reasoning.template_kwargs = copy_text(&at, turn->reasoning.template_kwargs);
	*out = copy;
	return STATUS_OK;
}

void model_info_note(struct model_info *info, enum note_kind kind, const char *format, ...)
{
	struct model_note *note = &info->notes[info->n_notes];
	va_list args;

	if (info->n_notes == MODEL_NOTES_MAX)
		return;
	info->n_notes++;
	note->kind = kind;
	va_start(args, format);
	vsnprintf(note->text, sizeof note->text, format, args);
	va_end(args);
	for (char *c = note->text; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = ' ';
}

const char *model_info_idle(const struct model_info *info, const char *option)
{
	for (size_t i = 0; i < info->n_idle; i++)
		if (strcmp(info->idle[i].name, option) == 0)
			return info->idle[i].why;
	return NULL;
}
