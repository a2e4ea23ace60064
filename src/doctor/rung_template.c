/* The rung about the chat template: whether it is this model's, and asks for a reply. */
#include <stdio.h>
#include <string.h>

#include "doctor/rung.h"

enum { MARKER_MAX = 64 };

static enum status render(const struct patient *p, bool with_reply, struct buf *out, struct error *err)
{
	const struct chat_text texts[] = {{"Hello", 5, 1}, {"Hi there", 8, 3}};
	const struct chat_message messages[] = {{.role = ROLE_USER, .texts = &texts[0], .n_texts = 1},
	                                        {.role = ROLE_ASSISTANT, .texts = &texts[1], .n_texts = 1}};
	struct jinja_output made = {0};
	enum status status = chat_template_render(p->tmpl, messages, with_reply ? 2 : 1, !with_reply,
	                                          (struct reasoning_wish){.clock = 1700000000000000}, &made, err);

	if (!status && buf_append(out, made.text, made.len))
		status = error_no_memory(err, NULL);
	jinja_output_free(&made);
	return status;
}

#define WIDE_BAR "\xEF\xBD\x9C" /* as in DeepSeek's */

/* Names that only chat templates use. */
static const char *const chat_names[] = {"<|im_start|>", "<|start_header_id|>", "<start_of_turn>", "<|turn>", "<|start|>",
                                         "<|START_OF_TURN_TOKEN|>", "<|start_of_role|>", "[INST]",
                                         "<|assistant|>", "<" WIDE_BAR "Assistant" WIDE_BAR ">"};
enum { N_CHAT_NAMES = sizeof chat_names / sizeof chat_names[0] };

/* Others in angle brackets may be plain text. */
static bool is_chat_marker(const char *marker, size_t n)
{
	bool is = marker[1] == '|' || strncmp(marker + 1, WIDE_BAR, 3) == 0;

	for (size_t i = 0; i < N_CHAT_NAMES; i++)
		is |= strlen(chat_names[i]) == n && memcmp(chat_names[i], marker, n) == 0;
	return is;
}

/* The next marker, as <|im_start|> or <start_of_turn>, at or behind *at, which goes behind it; its length, 0: none. */
static size_t next_marker(const struct buf *text, size_t *at, const char **marker)
{
	for (size_t i = *at; i < text->len; i++) {
		size_t n = 1;

		if (text->data[i] != '<')
			continue;
		while (i + n < text->len && n < MARKER_MAX && !strchr("<> \n", text->data[i + n]))
			n++;
		if (i + n >= text->len || text->data[i + n] != '>' || n < 4)
			continue;
		if (!is_chat_marker(text->data + i, n + 1))
			continue;
		*marker = text->data + i;
		*at = i + n + 1;
		return n + 1;
	}
	return 0;
}

/* One of the vocabulary that the template does not write. */
static const char *unused_marker(const struct tokenizer *tokenizer, const struct buf *text)
{
	for (size_t i = 0; i < N_CHAT_NAMES; i++)
		if (tokenizer_find(tokenizer, chat_names[i], strlen(chat_names[i])) != TOKEN_NONE &&
		    !strstr(buf_text(text), chat_names[i]))
			return chat_names[i];
	return NULL;
}

/* Whether the template writes something after a reply that ends one. */
static bool ends_reply(const struct patient *p, const struct buf *text)
{
	const char *reply = strstr(buf_text(text), "Hi there");
	size_t len;

	for (size_t id = 0; reply && id < tokenizer_n_vocab(p->tokenizer); id++) {
		const char *name = tokenizer_name(p->tokenizer, (int32_t)id, &len);

		if (tokenizer_is_eog(p->tokenizer, (int32_t)id) && len && memmem(reply, strlen(reply), name, len))
			return true;
	}
	return false;
}

/* A marker of the template that the vocabulary does not have: its length, 0: there is none. */
static size_t foreign_marker(const struct tokenizer *tokenizer, const struct buf *text, const char **marker)
{
	size_t at = 0, n;

	while ((n = next_marker(text, &at, marker)))
		if (tokenizer_find(tokenizer, *marker, n) == TOKEN_NONE)
			return n;
	return 0;
}

/* Whether the text has a token that a person cannot write, BOS and EOS aside. */
static bool writes_special(const struct tokenizer *tokenizer, const struct buf *text)
{
	size_t len;

	for (size_t id = 0; id < tokenizer_n_vocab(tokenizer); id++) {
		const char *name = tokenizer_name(tokenizer, (int32_t)id, &len);

		if (tokenizer_is_reserved(tokenizer, (int32_t)id) && (int32_t)id != tokenizer_bos(tokenizer) &&
		    (int32_t)id != tokenizer_eos(tokenizer) && len > 2 && memmem(text->data, text->len, name, len))
			return true;
	}
	return false;
}

#define FOREIGN_TEMPLATE "The chat template is another model's: it does not write the markers that the vocabulary has."

static void judge_markers(const struct patient *p, const struct buf *text, struct diagnosis *out)
{
	const char *marker = NULL, *unused = unused_marker(p->tokenizer, text);
	size_t len = foreign_marker(p->tokenizer, text, &marker);

	/* Some models do write markers that are plain text, but then something else that they know ends a reply. */
	if (!len && unused && !writes_special(p->tokenizer, text)) {
		diagnose_finding(out, FOREIGN_TEMPLATE, "It writes none of the vocabulary's tokens for chats, as '%s'.", unused);
		diagnose_show(out, "sotto info %s", p->params.model);
	}
	if (!len || (!unused && ends_reply(p, text)))
		return;
	diagnose_number(out, (double)len, "bytes of a marker that is not a token");
	diagnose_finding(out, FOREIGN_TEMPLATE,
	                 "'%.*s' is not a token here%s%s.", (int)len, marker, unused ? "; the vocabulary has " : "",
	                 unused ? unused : "");
	diagnose_show(out, "sotto info %s", p->params.model);
}

static bool is_own(const struct patient *p)
{
	return strcmp(p->tmpl->name, TEMPLATE_OWN) == 0 || p->tmpl->chosen;
}

static bool writes_chat_name(const struct buf *text)
{
	for (size_t i = 0; i < N_CHAT_NAMES; i++)
		if (strstr(buf_text(text), chat_names[i]))
			return true;
	return false;
}

/* Prompts end with what the reply follows. Where turns begin with a marker, it is not the end of a turn. */
static void judge_end(const struct patient *p, const struct encoded *encoded, const struct buf *text,
                      struct diagnosis *out)
{
	size_t n = encoded->ids.n, last = n;
	bool is_input = n && encoded->origins[n - 1].is_input;

	while (last > 1 && token_is_blank(p->tokenizer, encoded->ids.ids[last - 1]))
		last--;
	if (out->verdict != VERDICT_FINE || !n ||
	    (!is_input && !(tokenizer_is_eog(p->tokenizer, encoded->ids.ids[last - 1]) && writes_chat_name(text))))
		return;
	diagnose_finding(out, "The chat template does not ask for a reply.", "The prompt ends with %s.",
	                 is_input ? "the user's words" : "the end of the user's turn, and no other turn begins");
	diagnose_show(out, "sotto info %s", p->params.model);
}

enum status check_template(struct patient *p, struct diagnosis *out, struct error *err)
{
	struct buf text = {.max = 1 << 20};
	struct encoded encoded = {0};
	struct error failed;

	(void)err;
	if (patient_lacks_words(p, true, out))
		return STATUS_OK;
	diagnose_fine(out, "It is %s.", p->tmpl->name);
	if (render(p, true, &text, &failed) || patient_question(p, &encoded, &failed)) {
		diagnose_finding(out, "The chat template cannot be rendered.", "%s.", failed.text);
		diagnose_show(out, "sotto info %s", p->params.model);
	} else if (!is_own(p) && gguf_has(p->gguf, "tokenizer.chat_template")) {
		diagnose_finding(out, "The model's own chat template cannot be used.", "%s.", p->tmpl->note);
		diagnose_show(out, "sotto info %s", p->params.model);
	} else if (is_own(p)) {
		judge_markers(p, &text, out);
		judge_end(p, &encoded, &text, out);
	}
	if (out->verdict == VERDICT_FINE && p->tmpl->note[0])
		diagnose_remark(out, "Note: %s.", p->tmpl->note);
	encoded_free(&encoded);
	buf_free(&text);
	return STATUS_OK;
}
