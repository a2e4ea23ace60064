/* Finds out what a chat template supports by rendering small conversations: the
 * sources of the output's bytes show which messages came through. */
#include <string.h>

#include "encode/chat_template.h"
#include "encode/shape.h"

enum { PROBE_MAX = 6 };

/* The text of the probe's messages: nothing that a template would look for. */
static const char word[] = "word";
static const struct reasoning_wish no_wish = {.mode = REASONING_AUTO};

/* Renders a conversation written in letters: "suau" is system, user, assistant,
 * user, and e is an assistant message without text. Message i is source i + 1. */
static enum status render(const struct chat_template *tmpl, const char *roles,
                          struct reasoning_wish wish, struct jinja_output *out,
                          struct error *err)
{
	struct chat_message messages[PROBE_MAX];
	struct chat_text texts[PROBE_MAX];
	size_t n = 0;

	for (; roles[n] && n < PROBE_MAX; n++) {
		texts[n] = (struct chat_text){word, roles[n] == 'e' ? 0 : strlen(word), (uint32_t)n + 1};
		messages[n] = (struct chat_message){
			.role = roles[n] == 's'   ? ROLE_SYSTEM
			        : roles[n] == 'u' ? ROLE_USER
			                          : ROLE_ASSISTANT,
			.texts = &texts[n], .n_texts = 1};
	}
	return chat_template_render(tmpl, messages, n, true, wish, out, err);
}

/* Where the bytes of a source are in the output; false if they are not. */
static bool find_source(const struct jinja_output *out, uint32_t source, size_t *start, size_t *end)
{
	size_t at = 0;

	for (size_t i = 0; i < out->n_spans; at = out->spans[i++].end)
		if (out->spans[i].source == source) {
			*start = at;
			*end = out->spans[i].end;
			return true;
		}
	return false;
}

/* Whether all messages of a conversation come through. */
static bool takes(const struct chat_template *tmpl, const char *roles, struct error *err)
{
	struct jinja_output out;
	size_t start, end;
	bool all = render(tmpl, roles, no_wish, &out, err) == STATUS_OK;

	for (uint32_t i = 0; all && roles[i]; i++)
		all = find_source(&out, i + 1, &start, &end);
	jinja_output_free(&out);
	return all;
}

/* Whether a role's messages come through, as strings or as lists of parts. */
static bool takes_role(struct chat_template *tmpl, enum role role, const char *roles)
{
	if (takes(tmpl, roles, NULL))
		return true;
	tmpl->can.parts[role] = true;
	return tmpl->can.parts[role] = takes(tmpl, roles, NULL);
}

static bool takes_empty_reply(const struct chat_template *tmpl)
{
	struct jinja_output out;
	bool ok = render(tmpl, "ueu", no_wish, &out, NULL) == STATUS_OK;

	jinja_output_free(&out);
	return ok;
}

/* Whether two wishes give different prompts. A wish that makes the template fail
 * counts as no difference. */
static bool wish_matters(const struct chat_template *tmpl, struct reasoning_wish one,
                         struct reasoning_wish other)
{
	struct jinja_output a, b;
	bool differ;

	differ = render(tmpl, "u", one, &a, NULL) == STATUS_OK;
	differ = render(tmpl, "u", other, &b, NULL) == STATUS_OK && differ &&
	         strcmp(a.text, b.text) != 0;
	jinja_output_free(&a);
	jinja_output_free(&b);
	return differ;
}

/* Whether the prompt ends inside the reasoning although it is off; shape.c then closes it. */
static bool opens_reasoning(const struct chat_template *tmpl)
{
	struct jinja_output out;
	size_t start, end;
	bool opens = render(tmpl, "u", (struct reasoning_wish){.mode = REASONING_OFF}, &out, NULL) == STATUS_OK &&
	             find_source(&out, 1, &start, &end) &&
	             reasoning_start(tmpl->reasoning, out.text + end, out.len - end) == REASONING_OPENED;

	jinja_output_free(&out);
	return opens;
}

/* The blanks that come before a reply in a conversation but not when one is asked for. */
static void find_lead(struct chat_template *tmpl, const struct jinja_output *out, size_t reply)
{
	struct jinja_output asked;

	if (render(tmpl, "u", no_wish, &asked, NULL) == STATUS_OK && asked.len <= reply &&
	    reply - asked.len <= CHAT_LEAD_MAX && memcmp(asked.text, out->text, asked.len) == 0 &&
	    prompt_count_blanks(out->text + asked.len, reply - asked.len) == reply - asked.len)
		memcpy(tmpl->lead, out->text + asked.len, reply - asked.len);
	jinja_output_free(&asked);
}

/* Markers of reasoning may come after a part of a reply without ending it. */
static bool is_reasoning_marker(const struct chat_template *tmpl, const char *name, size_t len)
{
	const struct reasoning_markers *markers = tmpl->reasoning;

	if (!markers)
		return false;
	for (const char *const *header = markers->opens; *header; header++)
		if (memmem(*header, strlen(*header), name, len))
			return true;
	return memmem(markers->close, strlen(markers->close), name, len) != NULL;
}

/* Whether the text begins with a special token, which is then *id. */
static bool find_token(const struct tokenizer *tokenizer, const char *text, size_t len, int32_t *id)
{
	struct token_list ids = {0};
	bool found = tokenizer_encode(tokenizer, text, len, ENCODE_SPECIAL | ENCODE_CONTINUE, &ids,
	                              NULL) == STATUS_OK &&
	             ids.n && tokenizer_is_special(tokenizer, ids.ids[0]);

	if (found)
		*id = ids.ids[0];
	token_list_free(&ids);
	return found;
}

/* How many bytes at the beginning of a text look like a marker: "<|im_end|>", "[/INST]", "USER:". */
static size_t marker_length(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] != '\n' && text[n] != '>' && text[n] != ']')
		n++;
	if (n < len && text[n] != '\n')
		return *text == '<' || *text == '[' ? n + 1 : 0;
	while (n > 0 && prompt_is_blank(text[n - 1]))
		n--;
	return n > 2 && (*text == '#' || text[n - 1] == ':') ? n : 0;
}

/* Finds the token or string that ends a reply in the text that the template puts
 * after one, unless it is one of the vocabulary's end tokens. */
static void find_end(struct chat_template *tmpl, const struct tokenizer *tokenizer,
                     const char *text, size_t len)
{
	size_t blanks = prompt_count_blanks(text, len), n, before = 0;
	int32_t id;

	text += blanks;
	len -= blanks;
	if (tokenizer && find_token(tokenizer, text, len, &id)) {
		const char *name = tokenizer_name(tokenizer, id, &n);

		if (!tokenizer_is_eog(tokenizer, id) && !is_reasoning_marker(tmpl, name, n))
			tmpl->end_id = id;
		return;
	}
	n = marker_length(text, len);
	if (blanks && text[-1] == '\n' && *text != '<' && *text != '[')
		before = 1; /* words count only at the beginning of a line */
	if (n && n + before <= CHAT_MARKER_MAX && !is_reasoning_marker(tmpl, text, n))
		memcpy(tmpl->end_marker, text - before, n + before);
}

static void probe_ends(struct chat_template *tmpl, const struct tokenizer *tokenizer)
{
	struct jinja_output out;
	size_t start, end, next, next_end;

	if (render(tmpl, "uau", no_wish, &out, NULL) == STATUS_OK &&
	    find_source(&out, 2, &start, &end) && find_source(&out, 3, &next, &next_end) &&
	    end <= next) {
		find_lead(tmpl, &out, start);
		find_end(tmpl, tokenizer, out.text + end, next - end);
	}
	jinja_output_free(&out);
}

/* How many bytes after a message are the same when a reply is asked for as before a reply. */
static size_t count_asked(const struct chat_template *tmpl, enum reasoning_mode mode)
{
	const struct reasoning_wish reasoning = {.mode = mode};
	struct jinja_output asked, replied;
	size_t start, end = 0, reply = 0, reply_end, said = 0, n = SIZE_MAX;
	bool ok = render(tmpl, "u", reasoning, &asked, NULL) == STATUS_OK &&
	          find_source(&asked, 1, &start, &end);

	ok = render(tmpl, "uau", reasoning, &replied, NULL) == STATUS_OK && ok &&
	     find_source(&replied, 1, &start, &said) && find_source(&replied, 2, &reply, &reply_end);
	if (ok && said <= reply)
		for (n = 0; end + n < asked.len && said + n < reply &&
		            asked.text[end + n] == replied.text[said + n]; n++)
			;
	if (ok && end + n == asked.len)
		n = SIZE_MAX;
	jinja_output_free(&asked);
	jinja_output_free(&replied);
	return n;
}

enum status chat_template_probe(struct chat_template *tmpl, const struct tokenizer *tokenizer,
                                struct error *err)
{
	struct chat_abilities *can = &tmpl->can;
	struct error probe_error = {0};

	*can = (struct chat_abilities){0};
	/* If it hit a limit, it would do so again. */
	if (!takes(tmpl, "u", &probe_error) &&
	    (probe_error.status == STATUS_LIMIT || !takes_role(tmpl, ROLE_USER, "u"))) {
		if (probe_error.status)
			return error_set(err, probe_error.status, "%s", probe_error.text);
		return error_set(err, STATUS_FORMAT, "it drops the user's message");
	}
	if (!takes_role(tmpl, ROLE_ASSISTANT, "uau"))
		can->parts[ROLE_ASSISTANT] = can->parts[ROLE_USER];
	can->system = takes_role(tmpl, ROLE_SYSTEM, "su");
	can->systems = can->system && takes(tmpl, "ssu", NULL);
	can->late_system = can->system && takes(tmpl, "suasu", NULL);
	can->same_role = takes(tmpl, "uuaau", NULL);
	can->reply_first = takes(tmpl, "au", NULL);
	can->empty_reply = takes_empty_reply(tmpl);
	can->reasoning = wish_matters(tmpl, (struct reasoning_wish){.mode = REASONING_ON},
	                             (struct reasoning_wish){.mode = REASONING_OFF});
	can->effort = wish_matters(tmpl, (struct reasoning_wish){.effort = EFFORT_LOW},
	                           (struct reasoning_wish){.effort = EFFORT_HIGH});
	can->opens_reasoning = opens_reasoning(tmpl);
	for (int mode = 0; mode < REASONING_COUNT; mode++)
		tmpl->asked[mode] = can->reasoning || mode == REASONING_AUTO
		                            ? count_asked(tmpl, (enum reasoning_mode)mode)
		                            : tmpl->asked[REASONING_AUTO];
	probe_ends(tmpl, tokenizer);
	return STATUS_OK;
}
