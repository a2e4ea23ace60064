/* Rungs about text on its way in and out: the tokenizer, BOS, and what ends a reply. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/rung.h"

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

	if (patient_lacks_words(p, false, out))
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

/* ---- BOS ---- */

/* At the beginning; templates may have blanks and line ends before and between them. */
static size_t count_bos(const struct patient *p, const struct token_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		if (list->ids[i] == tokenizer_bos(p->tokenizer))
			n++;
		else if (!token_is_blank(p->tokenizer, list->ids[i]))
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

	if (patient_lacks_words(p, false, out))
		return STATUS_OK;
	if (tokenizer_bos(p->tokenizer) == TOKEN_NONE) {
		diagnose_skipped(out, "The vocabulary has no BOS.");
		return STATUS_OK;
	}
	wanted = needs_bos(p);
	diagnose_fine(out, wanted ? "One, as it should be." : "The vocabulary wants none.");
	status = patient_encode(p, ENCODE_BOS, &list, err);
	/* Where the vocabulary adds none, the template may. */
	has_chat = !status && p->tmpl && !patient_question(p, &encoded, NULL);
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
	if (patient_lacks_words(p, false, out))
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
