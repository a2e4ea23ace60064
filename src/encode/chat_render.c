/* The variables that Hugging Face gives a chat template. */
#include <string.h>

#include "encode/chat_template.h"
#include "encode/template_kwargs.h"
#include "jinja/text.h"

static size_t count_bytes(const struct chat_message *messages, size_t n)
{
	size_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t t = 0; t < messages[i].n_texts; t++)
			sum += messages[i].texts[t].len;
		sum += messages[i].reasoning.len;
	}
	return sum;
}

static struct jinja_value make_text(struct arena *arena, const struct chat_text *text)
{
	return value_text(arena, text->text, text->len, text->source);
}

static struct jinja_value constant(struct arena *arena, const char *text)
{
	return value_text(arena, text, strlen(text), SOURCE_TEMPLATE);
}

/* Joins the texts of a message; each byte keeps its source. */
static struct jinja_value make_content(struct arena *arena, const struct chat_message *message)
{
	const struct jinja_string *joined;
	struct text text;

	if (message->n_texts == 1)
		return make_text(arena, &message->texts[0]);
	text_init(&text, arena, (size_t)-1);
	for (size_t i = 0; i < message->n_texts; i++) {
		struct jinja_value value = make_text(arena, &message->texts[i]);

		if (i)
			text_puts(&text, "\n\n");
		if (value.kind == VALUE_STRING)
			text_append_string(&text, value.u.string);
	}
	joined = text_finish(&text);
	return joined ? value_from_string(joined) : value_none();
}

static struct jinja_value as_parts(struct arena *arena, struct jinja_value content)
{
	struct jinja_value parts = value_list(arena, LIST_LIST), part = value_dict(arena);

	if (parts.kind == VALUE_LIST && part.kind == VALUE_DICT) {
		dict_put_text(arena, part.u.dict, "type", constant(arena, "text"));
		dict_put_text(arena, part.u.dict, "text", content);
		list_push(arena, parts.u.list, part);
	}
	return parts;
}

static struct jinja_value make_message(struct arena *arena, const struct chat_template *tmpl,
                                       const struct chat_message *message)
{
	static const char *const names[] = {"reasoning_content", "reasoning", "thinking"};
	struct jinja_value out = value_dict(arena), content = make_content(arena, message);

	if (out.kind != VALUE_DICT)
		return out;
	if (tmpl->can.parts[message->role])
		content = as_parts(arena, content);
	dict_put_text(arena, out.u.dict, "role", constant(arena, role_name(message->role)));
	dict_put_text(arena, out.u.dict, "content", content);
	/* Templates use different names for it. */
	for (size_t i = 0; message->reasoning.len && i < sizeof names / sizeof names[0]; i++)
		dict_put_text(arena, out.u.dict, names[i], make_text(arena, &message->reasoning));
	return out;
}

static void set_variables(struct jinja_context *context, const struct chat_template *tmpl,
                          bool generation_prompt, struct reasoning_wish wish)
{
	const struct {
		const char *name, *text;
	} tokens[] = {{"bos_token", tmpl->bos}, {"eos_token", tmpl->eos},
	              {"unk_token", tmpl->unk}, {"pad_token", tmpl->pad}};
	struct arena *arena = jinja_context_arena(context);

	/* One that the vocabulary does not have is an empty text: templates add to it unasked. */
	for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++)
		jinja_context_set(context, tokens[i].name, constant(arena, tokens[i].text ? tokens[i].text : ""));
	jinja_context_set(context, "add_generation_prompt", value_bool(generation_prompt));
	if (wish.effort != EFFORT_AUTO)
		jinja_context_set(context, "reasoning_effort", constant(arena, reasoning_efforts[wish.effort]));
	if (wish.mode == REASONING_AUTO)
		return;
	jinja_context_set(context, "enable_thinking", value_bool(wish.mode == REASONING_ON));
	jinja_context_set(context, "thinking", value_bool(wish.mode == REASONING_ON));
}

enum status chat_template_render(const struct chat_template *tmpl,
                                 const struct chat_message *messages, size_t n,
                                 bool generation_prompt, struct reasoning_wish wish,
                                 struct jinja_output *out, struct error *err)
{
	size_t given = count_bytes(messages, n) + (wish.template_kwargs ? strlen(wish.template_kwargs) : 0);
	const struct jinja_limits limits = jinja_limits_for(given);
	const struct jinja_options options = {.limits = &limits, .has_now = wish.clock != 0,
	                                      .now = wish.clock / 1000000,
	                                      .now_us = (uint32_t)(wish.clock % 1000000)};
	struct jinja_context *context;
	struct arena *arena;
	struct jinja_value list;
	enum status status;

	*out = (struct jinja_output){0};
	status = jinja_context_create(&context, limits.memory, err);
	if (status)
		return status;
	arena = jinja_context_arena(context);
	list = value_list(arena, LIST_LIST);
	for (size_t i = 0; i < n && list.kind == VALUE_LIST; i++)
		list_push(arena, list.u.list, make_message(arena, tmpl, &messages[i]));
	jinja_context_set(context, "messages", list);
	set_variables(context, tmpl, generation_prompt, wish);
	status = template_kwargs_set(context, wish.template_kwargs, err);
	if (!status)
		status = jinja_render(tmpl->jinja, context, &options, out, err);
	jinja_context_free(context);
	return status;
}
