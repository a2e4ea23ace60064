/* Rungs about text on its way in and out: the tokenizer, the chat template, BOS, and what ends a reply. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/rung.h"
#include "encode/encode.h"

enum { MARKER_MAX = 64 };

static bool skip_without(const struct patient *p, bool wants_template, struct diagnosis *out)
{
	if (!p->tokenizer) {
		diagnose_skipped(out, "The file has no vocabulary that can be read%s%.200s.", p->no_tokenizer.status ? ": " : "",
		                 p->no_tokenizer.status ? p->no_tokenizer.text : "");
		return true;
	}
	if (wants_template && !p->tmpl)
		diagnose_skipped(out, "There is no chat template that can be used%s%.200s.", p->no_template.status ? ": " : "",
		                 p->no_template.status ? p->no_template.text : "");
	return wants_template && !p->tmpl;
}

/* `begins`: the first token begins a text, so a blank that was put before it is cut off. */
static enum status decode(const struct patient *p, const struct token_list *list, bool begins, struct buf *out)
{
	struct detokenizer d;
	enum status status = STATUS_OK;

	detokenizer_init(&d, p->tokenizer, begins);
	for (size_t i = 0; i < list->n && !status; i++)
		status = detokenizer_push(&d, list->ids[i], out);
	return status;
}

/* Whether a character comes back by itself. */
static bool comes_back(const struct patient *p, char c)
{
	struct token_list list = {0};
	struct buf back = {.max = 64};
	bool is_same = !tokenizer_encode(p->tokenizer, &c, 1, ENCODE_CONTINUE, &list, NULL) &&
	               !decode(p, &list, false, &back) && back.len == 1 && back.data[0] == c;

	for (size_t i = 0; i < list.n; i++)
		is_same &= list.ids[i] != tokenizer_unk(p->tokenizer);
	token_list_free(&list);
	buf_free(&back);
	return is_same;
}

/* Whether each character of the text has a token: small vocabularies lack some. */
static bool knows_letters(const struct patient *p)
{
	const char *at = patient_text;

	while (*at && comes_back(p, *at))
		at++;
	return !*at;
}

static bool is_blank(const struct tokenizer *tokenizer, int32_t id)
{
	size_t len, n = 0;
	const char *bytes = tokenizer_bytes(tokenizer, id, &len);

	while (n < len && strchr(" \n\t", bytes[n]) && bytes[n])
		n++;
	return n == len && !tokenizer_is_control(tokenizer, id);
}

/* Where the text that comes back begins to differ; its length: nowhere. */
static size_t first_difference(const struct buf *back)
{
	size_t i = 0;

	while (i < back->len && patient_text[i] && back->data[i] == patient_text[i])
		i++;
	return i;
}

enum status check_tokenizer(struct patient *p, struct diagnosis *out, struct error *err)
{
	struct token_list list = {0};
	struct buf back = {.max = 1 << 16};
	size_t n, len = strlen(patient_text);
	enum status status;

	if (skip_without(p, false, out))
		return STATUS_OK;
	n = tokenizer_n_vocab(p->tokenizer);
	diagnose_number(out, (double)n, "tokens in the vocabulary");
	status = patient_encode(p, 0, &list, err);
	if (!status && decode(p, &list, true, &back))
		status = error_no_memory(err, NULL);
	if (status) {
		token_list_free(&list);
		buf_free(&back);
		return status;
	}
	if (n > p->plan->n_vocab) {
		diagnose_finding(out, "The vocabulary is another model's: it has tokens without embeddings.",
		                 "It has %zu tokens, and the embeddings are of %u.", n, p->plan->n_vocab);
		diagnose_show(out, "sotto info %s", p->params.model);
	} else if (!knows_letters(p)) {
		diagnose_remark(out, "Plain English cannot be written with this vocabulary.");
	} else if (first_difference(&back) != len || back.len != len) {
		diagnose_finding(out, "The tokenizer is wrong: a text does not come back from its tokens.",
		                 "It differs from byte %zu on.", first_difference(&back));
		diagnose_show(out, "sotto tokenize -m %s \"The house stood\"", p->params.model);
	} else {
		diagnose_fine(out, "%zu bytes are %zu tokens and come back.", len, list.n);
	}
	token_list_free(&list);
	buf_free(&back);
	return STATUS_OK;
}

/* ---- the template ---- */

/* A first question as the model sees it. */
static enum status encode_question(const struct patient *p, struct encoded *out, struct error *err)
{
	const struct message message = {.role = ROLE_USER, .text = "Hello", .len = 5};
	const struct turn turn = {.messages = &message, .n_messages = 1, .n_predict = 16,
	                          .reasoning = {.clock = 1700000000000000}};

	return encode_for_context(out, p->tokenizer, p->tmpl, &turn, 1 << 20, err);
}

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

	while (last > 1 && is_blank(p->tokenizer, encoded->ids.ids[last - 1]))
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
	if (skip_without(p, true, out))
		return STATUS_OK;
	diagnose_fine(out, "It is %s.", p->tmpl->name);
	if (render(p, true, &text, &failed) || encode_question(p, &encoded, &failed)) {
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
		diagnose_remark(out, "Of the template: %s.", p->tmpl->note);
	encoded_free(&encoded);
	buf_free(&text);
	return STATUS_OK;
}

/* ---- BOS ---- */

/* At the beginning; templates may have blanks and line ends before and between them. */
static size_t count_bos(const struct patient *p, const struct token_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->ids[i] == tokenizer_bos(p->tokenizer))
			n++;
		else if (!is_blank(p->tokenizer, list->ids[i]))
			break;
	}
	return n;
}

/* Of a prompt of that kind; false: it has too few or too many. */
static bool judge_bos(const struct patient *p, const struct token_list *list, bool wanted, const char *kind,
                      struct diagnosis *out)
{
	size_t n = count_bos(p, list);

	diagnose_number(out, (double)n, "BOS tokens at the beginning");
	if (n > 1)
		diagnose_finding(out, "BOS is doubled: prompts begin with it more than once.", "%s begins with %zu of them, id %d.",
		                 kind, n, (int)tokenizer_bos(p->tokenizer));
	else if (!n && wanted)
		diagnose_finding(out, "BOS is missing: prompts do not begin with it, and this model needs it.",
		                 "%s begins with token %d, not with %d.", kind, list->n ? (int)list->ids[0] : -1,
		                 (int)tokenizer_bos(p->tokenizer));
	else
		return true;
	diagnose_show(out, "sotto trace -m %s -p Hello --hex", p->params.model);
	return false;
}

/* Whether a key of the file is this text, or begins with it. */
static bool key_begins(const struct patient *p, const char *key, const char *text)
{
	struct gguf_string value;

	return !gguf_get_string(p->gguf, key, &value, NULL) && gguf_string_begins(value, text);
}

/* Models that say nothing sensible without BOS, whatever their file says: Gemma, and Llama with its SentencePiece. */
static bool needs_bos(const struct patient *p)
{
	size_t len;
	const char *name = tokenizer_name(p->tokenizer, tokenizer_bos(p->tokenizer), &len);

	return tokenizer_adds_bos(p->tokenizer) ||
	       (key_begins(p, "general.architecture", "gemma") && len == 5 && memcmp(name, "<bos>", 5) == 0) ||
	       (key_begins(p, "general.architecture", "llama") && key_begins(p, "tokenizer.ggml.model", "llama") && len == 3 &&
	        memcmp(name, "<s>", 3) == 0);
}

enum status check_bos(struct patient *p, struct diagnosis *out, struct error *err)
{
	struct token_list list = {0};
	struct encoded encoded = {0};
	bool wanted, has_chat;
	enum status status;

	if (skip_without(p, false, out))
		return STATUS_OK;
	if (tokenizer_bos(p->tokenizer) == TOKEN_NONE) {
		diagnose_skipped(out, "The vocabulary has no BOS.");
		return STATUS_OK;
	}
	wanted = needs_bos(p);
	diagnose_fine(out, wanted ? "One, as it should be." : "The vocabulary wants none.");
	status = patient_encode(p, ENCODE_BOS, &list, err);
	/* Where the vocabulary adds none, the template may. */
	has_chat = !status && p->tmpl && !encode_question(p, &encoded, NULL);
	if (!status && (!has_chat || judge_bos(p, &encoded.ids, wanted, "A chat", out)))
		judge_bos(p, &list, has_chat ? tokenizer_adds_bos(p->tokenizer) : wanted, "A plain text", out);
	encoded_free(&encoded);
	token_list_free(&list);
	return status;
}

/* ---- ends ---- */

enum status check_ends(struct patient *p, struct diagnosis *out, struct error *err)
{
	size_t n = 0, n_out = 0;

	(void)err;
	if (skip_without(p, false, out))
		return STATUS_OK;
	for (size_t id = 0; id < tokenizer_n_vocab(p->tokenizer); id++) {
		if (!tokenizer_is_eog(p->tokenizer, (int32_t)id))
			continue;
		n += id < p->plan->n_vocab && !tokenizer_is_suppressed(p->tokenizer, (int32_t)id);
		n_out++;
	}
	diagnose_number(out, (double)n, "tokens that end a reply");
	if (n)
		diagnose_fine(out, "%s", "");
	else if (n_out) {
		diagnose_finding(out, "No reply can end: the tokens that end one are beyond the embeddings.", "There are %zu.", n_out);
		diagnose_show(out, "sotto info %s", p->params.model);
	} else
		diagnose_remark(out, "The vocabulary names no token that ends a reply: replies end by --predict or by stop strings.");
	return STATUS_OK;
}
