#include "encode/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"

static void add_message(struct shaping *s, enum role role, const struct chat_text *text)
{
	struct chat_text *copy = &s->texts[s->n_texts++];

	*copy = *text;
	s->messages[s->n++] = (struct chat_message){.role = role, .texts = copy, .n_texts = 1};
}

/* Adds a text to the last message. */
static void join(struct shaping *s, const struct chat_text *text)
{
	s->texts[s->n_texts++] = *text;
	s->messages[s->n - 1].n_texts++;
}

static bool last_is(const struct shaping *s, enum role role)
{
	return s->n && s->messages[s->n - 1].role == role;
}

static void add_system(struct shaping *s, const struct chat_text *text)
{
	const struct chat_abilities *can = s->can;

	if (can->system && s->in_system && s->n && !can->systems) {
		s->changes |= PROMPT_SYSTEMS_JOINED;
		join(s, text);
	} else if (can->system && (s->in_system || can->late_system)) {
		add_message(s, ROLE_SYSTEM, text);
		s->folded = false;
	} else {
		s->changes |= s->in_system ? PROMPT_SYSTEM_FOLDED : PROMPT_LATE_SYSTEM;
		if (last_is(s, ROLE_USER) && (s->folded || !can->same_role))
			join(s, text);
		else
			add_message(s, ROLE_USER, text);
		s->folded = true;
	}
}

static void add_turn(struct shaping *s, enum role role, const struct chat_text *text,
                     const struct chat_text *reasoning)
{
	const struct chat_abilities *can = s->can;

	if (role == ROLE_ASSISTANT && !can->reply_first && s->in_system && !last_is(s, ROLE_USER)) {
		s->changes |= PROMPT_EMPTY_USER;
		add_message(s, ROLE_USER, &(struct chat_text){.text = ""});
	}
	if (last_is(s, role) && (s->folded || !can->same_role)) {
		s->changes |= s->folded ? 0 : PROMPT_JOINED;
		join(s, text);
	} else {
		add_message(s, role, text);
		s->messages[s->n - 1].reasoning = *reasoning;
	}
	s->folded = s->in_system = false;
}

enum status shape_messages(struct shaping *s, const struct chat_abilities *can, const struct turn *turn,
                           const bool *keep, struct error *err)
{
	size_t room;

	*s = (struct shaping){.can = can};
	/* One more of each, for an empty user message at the start. */
	if (add_overflows(turn->n_messages, 1, &room) ||
	    !(s->messages = alloc_array(room, sizeof *s->messages)) ||
	    !(s->texts = alloc_array(room, sizeof *s->texts)))
		return error_no_memory(err, "for the prompt");
	s->in_system = true;
	for (size_t i = 0; i < turn->n_messages; i++) {
		const struct message *message = &turn->messages[i];
		const struct chat_text text = {message->text, message->len, prompt_source(i, false)};
		const struct chat_text reasoning = {message->reasoning, message->reasoning_len,
		                                    prompt_source(i, true)};

		if (keep && !keep[i])
			continue;
		if (message->role == ROLE_SYSTEM)
			add_system(s, &text);
		else if (message->role == ROLE_ASSISTANT && !message->len && !s->can->empty_reply)
			s->changes |= PROMPT_EMPTY_REPLY;
		else
			add_turn(s, message->role, &text, &reasoning);
	}
	return STATUS_OK;
}

void shaping_free(struct shaping *shaping)
{
	free(shaping->messages);
	free(shaping->texts);
	*shaping = (struct shaping){0};
}

/* If the template opens the reasoning even though it is off, closes it again. */
static enum status finish_reasoning(struct prompt *prompt, const struct chat_template *tmpl,
                                    enum reasoning_mode reasoning, struct error *err)
{
	size_t tail = prompt->n_spans > 1 ? prompt->spans[prompt->n_spans - 2].end : 0, n;
	char *grown;

	if (!prompt->n_spans || prompt->spans[prompt->n_spans - 1].source != SOURCE_TEMPLATE)
		return STATUS_OK;
	prompt->start = reasoning_start(tmpl->reasoning, prompt->text + tail, prompt->len - tail);
	if (prompt->start != REASONING_OPENED || reasoning != REASONING_OFF)
		return STATUS_OK;
	prompt->start = REASONING_CLOSED;
	n = strlen("\n\n\n\n") + strlen(tmpl->reasoning->close) + 1;
	grown = realloc(prompt->text, prompt->len + n);
	if (!grown)
		return error_no_memory(err, "for the prompt");
	prompt->text = grown;
	prompt->len += (size_t)snprintf(grown + prompt->len, n, "%s%s\n\n",
	                                grown[prompt->len - 1] == '\n' ? "\n" : "\n\n", tmpl->reasoning->close);
	prompt->spans[prompt->n_spans - 1].end = prompt->len;
	return STATUS_OK;
}

/* The template may write only part of the text that asks for a reply before a finished reply, for
 * instance leave out the reasoning. */
static size_t count_asked(const struct prompt *prompt, const struct chat_template *tmpl,
                          enum reasoning_mode reasoning)
{
	size_t n = prompt->n_spans, said = n > 1 ? prompt->spans[n - 2].end : 0;

	if (!n || prompt->spans[n - 1].source != SOURCE_TEMPLATE ||
	    tmpl->asked[reasoning] > prompt->len - said)
		return prompt->len;
	return said + tmpl->asked[reasoning];
}

static enum status render_turn(struct prompt *out, const struct chat_template *tmpl,
                               const struct turn *turn, const bool *keep, struct error *err)
{
	struct shaping shaping;
	struct jinja_output output = {0};
	enum status status = shape_messages(&shaping, &tmpl->can, turn, keep, err);

	if (!status)
		status = chat_template_render(tmpl, shaping.messages, shaping.n, !turn->answered, turn->reasoning,
		                              &output, err);
	if (status && output.raised && err)
		error_prefix(err, "chat template");
	/* If the user chose the template, a setting is wrong, not the model. */
	if (tmpl->chosen && (status == STATUS_FORMAT || status == STATUS_LIMIT)) {
		status = STATUS_CONFIG;
		if (err)
			err->status = status;
	}
	if (!status) {
		*out = (struct prompt){.text = output.text, .len = output.len, .spans = output.spans,
		                       .n_spans = output.n_spans, .changes = shaping.changes};
		output = (struct jinja_output){0};
		out->n_asked = count_asked(out, tmpl, turn->reasoning.mode);
		status = finish_reasoning(out, tmpl, turn->reasoning.mode, err);
	}
	jinja_output_free(&output);
	shaping_free(&shaping);
	return status;
}

static enum status join_raw(struct prompt *out, const struct turn *turn, const bool *keep,
                            struct error *err)
{
	struct buf text = {.max = LIMIT_TOKENIZE_INPUT};
	enum status status = STATUS_OK;

	out->spans = alloc_array(turn->n_messages, sizeof *out->spans);
	if (!out->spans)
		return error_no_memory(err, "for the prompt");
	for (size_t i = 0; i < turn->n_messages && !status; i++) {
		if (!keep[i] || !turn->messages[i].len)
			continue;
		status = buf_append(&text, turn->messages[i].text, turn->messages[i].len);
		out->spans[out->n_spans++] = (struct jinja_span){text.len, prompt_source(i, false)};
	}
	if (!status) {
		out->len = out->n_asked = text.len;
		out->text = buf_take(&text, NULL);
	}
	buf_free(&text);
	if (status || !out->text)
		return error_set(err, status ? status : STATUS_NOMEM, "the text is too long");
	return STATUS_OK;
}

enum status prompt_render(struct prompt *out, const struct chat_template *tmpl,
                          const struct turn *turn, const bool *keep, struct error *err)
{
	*out = (struct prompt){0};
	if (turn->n_messages == 0)
		return error_set(err, STATUS_USAGE, "there is no message to answer");
	return turn->raw ? join_raw(out, turn, keep, err) : render_turn(out, tmpl, turn, keep, err);
}

void prompt_free(struct prompt *prompt)
{
	free(prompt->text);
	free(prompt->spans);
	*prompt = (struct prompt){0};
}

void prompt_describe_changes(unsigned changes, struct buf *out)
{
	static const char *const sentences[PROMPT_CHANGES] = {
		"the system message became part of the first user message",
		"the system messages were joined",
		"a later system message became part of the next user message",
		"consecutive messages of one role were joined",
		"an empty user message was added before the first reply",
		"a reply without text was left out",
	};
	const char *gap = "to suit the chat template, ";

	for (size_t i = 0; i < PROMPT_CHANGES; i++) {
		if (!(changes & 1U << i))
			continue;
		buf_puts(out, gap);
		buf_puts(out, sentences[i]);
		gap = ", ";
	}
}
