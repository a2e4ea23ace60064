/* Tokens with a role: which ids the file names, which ones are known by their
 * text, and which end a turn. The names are those that llama.cpp of August
 * 2026 goes by (llama-vocab.cpp). */
#include <string.h>
#include <strings.h>

#include "base/words.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/vocab.h"

#define KEY(name) "tokenizer.ggml." name

/* By role, the keys that may name its token; a later one wins. */
static const struct {
	enum special_role role;
	const char *key;
} special_keys[] = {
	{SPECIAL_BOS, KEY("bos_token_id")},
	{SPECIAL_EOS, KEY("eos_token_id")},
	{SPECIAL_EOT, KEY("eot_token_id")},
	{SPECIAL_EOM, KEY("eom_token_id")},
	{SPECIAL_UNK, KEY("unknown_token_id")},
	{SPECIAL_SEP, KEY("seperator_token_id")}, /* the format spells it so */
	{SPECIAL_PAD, KEY("padding_token_id")},
	{SPECIAL_MASK, KEY("mask_token_id")},
	{SPECIAL_FIM_PRE, KEY("fim_pre_token_id")},
	{SPECIAL_FIM_SUF, KEY("fim_suf_token_id")},
	{SPECIAL_FIM_MID, KEY("fim_mid_token_id")},
	{SPECIAL_FIM_PAD, KEY("fim_pad_token_id")},
	{SPECIAL_FIM_REP, KEY("fim_rep_token_id")},
	{SPECIAL_FIM_SEP, KEY("fim_sep_token_id")},
	{SPECIAL_FIM_PRE, KEY("prefix_token_id")},
	{SPECIAL_FIM_SUF, KEY("suffix_token_id")},
	{SPECIAL_FIM_MID, KEY("middle_token_id")},
};

#define NO_ROLE SPECIAL_COUNT

/* Tokens known by name. `role` is taken where the file names no token for it,
 * by the first name that exists; `eog`: ends a turn. All of them are control
 * tokens, whatever their type says. */
static const struct {
	enum special_role role;
	bool eog;
	const char *names; /* separated by blanks */
} known_names[] = {
	{SPECIAL_EOT, true, "<|eot_id|> <|im_end|> <|end|> <end_of_turn> <|endoftext|> "
	 "<|end_of_text|> <EOT> _<EOT> [EOT] "
	 "<\xEF\xBD\x9C" "end\xE2\x96\x81" "of\xE2\x96\x81" "sentence\xEF\xBD\x9C> "
	 "<end_of_utterance>"},
	{SPECIAL_EOM, true, "<|eom_id|>"},
	{NO_ROLE, true, "<|return|> <|call|> <|flush|> <|calls|> </s> [EOS] <eos> <turn|> "
	 "<|tool_response> [e~["},
	{SPECIAL_FIM_PRE, false, "<|fim_prefix|> <fim-prefix> <fim_prefix> "
	 "<\xEF\xBD\x9C" "fim\xE2\x96\x81" "begin\xEF\xBD\x9C> <PRE> \xE2\x96\x81<PRE> "
	 "<|code_prefix|> <|prefix|>"},
	{SPECIAL_FIM_SUF, false, "<|fim_suffix|> <fim-suffix> <fim_suffix> "
	 "<\xEF\xBD\x9C" "fim\xE2\x96\x81" "hole\xEF\xBD\x9C> <SUF> \xE2\x96\x81<SUF> "
	 "<|code_suffix|> <|suffix|>"},
	{SPECIAL_FIM_MID, false, "<|fim_middle|> <fim-middle> <fim_middle> "
	 "<\xEF\xBD\x9C" "fim\xE2\x96\x81" "end\xEF\xBD\x9C> <MID> \xE2\x96\x81<MID> "
	 "<|code_middle|> <|middle|>"},
	{SPECIAL_FIM_PAD, false, "<|fim_pad|> <fim-pad> <fim_pad> <PAD> [PAD]"},
	{SPECIAL_FIM_REP, false, "<|fim_repo|> <|repo_name|> <fim-repo> <REPO> <reponame>"},
	{SPECIAL_FIM_SEP, false, "<|file_sep|>"},
};

static int32_t find(const struct vocab *vocab, const char *name)
{
	return textmap_find(&vocab->by_name, name, strlen(name));
}

/* What llama.cpp assumes where a file says nothing. For BPE that is token 11,
 * right for Falcon alone: taken only if it is a control token. */
static void set_defaults(struct vocab *vocab)
{
	for (size_t i = 0; i < SPECIAL_COUNT; i++)
		vocab->special[i] = TOKEN_NONE;
	if (vocab->model == VOCAB_SPM) {
		vocab->special[SPECIAL_UNK] = 0;
		vocab->special[SPECIAL_BOS] = vocab->n > 1 ? 1 : TOKEN_NONE;
		vocab->special[SPECIAL_EOS] = vocab->n > 2 ? 2 : TOKEN_NONE;
	} else if (vocab->n > 11 && vocab->types[11] == TOKEN_CONTROL) {
		vocab->special[SPECIAL_EOS] = 11;
		if (!(vocab->pre->flags & PRE_NO_DEFAULT_BOS))
			vocab->special[SPECIAL_BOS] = 11;
	}
}

/* An integer of any type; ids that no vocabulary has become UINT64_MAX. */
static enum status read_id(const struct gguf *gguf, const char *key, uint64_t *id, struct error *err)
{
	enum status status = gguf_get_u64(gguf, key, id, err);
	int64_t negative;

	if (status == STATUS_FORMAT && gguf_get_i64(gguf, key, &negative, NULL) == STATUS_OK) {
		*id = UINT64_MAX;
		return STATUS_OK;
	}
	return status;
}

/* As in llama.cpp, an id beyond the vocabulary (converters write -1 for none, or that of a larger
 * vocabulary) is as none: the default stays. */
static enum status read_ids(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	for (size_t i = 0; i < sizeof special_keys / sizeof special_keys[0]; i++) {
		uint64_t id;
		enum status status = read_id(gguf, special_keys[i].key, &id, err);

		if (status == STATUS_NOTFOUND)
			continue;
		if (status)
			return status;
		if (id < vocab->n)
			vocab->special[special_keys[i].role] = (int32_t)id;
		else if (vocab->n_bad_ids++ == 0)
			vocab->bad_key = special_keys[i].key + sizeof KEY("") - 1;
	}
	return STATUS_OK;
}

static void apply_known_names(struct vocab *vocab)
{
	size_t len;

	for (size_t i = 0; i < sizeof known_names / sizeof known_names[0]; i++) {
		enum special_role role = known_names[i].role;
		bool eog = known_names[i].eog;

		for (const char *at = known_names[i].names; words_list_next(&at, &len); at += len) {
			int32_t id = textmap_find(&vocab->by_name, at, len);

			if (id < 0 || (!eog && vocab->special[role] >= 0))
				continue;
			if (eog)
				vocab->flags[id] |= TOKEN_IS_EOG;
			if (role != NO_ROLE && vocab->special[role] < 0)
				vocab->special[role] = id;
			vocab->types[id] = TOKEN_CONTROL;
		}
	}
}

static void mark_eog(struct vocab *vocab)
{
	static const enum special_role roles[] = {SPECIAL_EOS,     SPECIAL_EOT,     SPECIAL_EOM,
	                                          SPECIAL_FIM_PAD, SPECIAL_FIM_REP, SPECIAL_FIM_SEP};
	int32_t end, closing;

	for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
		if (vocab->special[roles[i]] >= 0)
			vocab->flags[vocab->special[roles[i]]] |= TOKEN_IS_EOG;
	/* Where messages have parts (harmony and its kin), <|end|> ends only one. */
	end = find(vocab, "<|end|>");
	if (end >= 0 && ((find(vocab, "<|return|>") >= 0 && find(vocab, "<|call|>") >= 0) ||
	                 (find(vocab, "<|calls|>") >= 0 && find(vocab, "<|flush|>") >= 0)))
		vocab->flags[end] &= (uint8_t)~TOKEN_IS_EOG;
	/* Gemma 4 has </s> as text. */
	closing = find(vocab, "</s>");
	if (closing >= 0 && find(vocab, "<|tool_response>") >= 0) {
		vocab->flags[closing] &= (uint8_t)~TOKEN_IS_EOG;
		vocab->types[closing] = TOKEN_NORMAL;
	}
}

bool vocab_looks_control(const char *name, size_t len)
{
	static const char *const frames[][2] = {
		{"<|", ">"}, {"<", "|>"}, {"<\xEF\xBD\x9C", "\xEF\xBD\x9C>"}, {"[|", "|]"},
		{"<start_of_", ">"}, {"<end_of_", ">"}, {"[", "INST]"},
	};

	for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
		size_t open = strlen(frames[i][0]), close = strlen(frames[i][1]);

		if (len >= open + close && memcmp(name, frames[i][0], open) == 0 &&
		    memcmp(name + len - close, frames[i][1], close) == 0)
			return true;
	}
	return false;
}

static void mark_control_looks(struct vocab *vocab)
{
	for (size_t i = 0; i < vocab->n; i++) {
		size_t len;
		const char *name = texts_at(&vocab->names, i, &len);

		if (vocab->types[i] == TOKEN_USER_DEFINED && vocab_looks_control(name, len))
			vocab->flags[i] |= TOKEN_LOOKS_CONTROL;
	}
}

static bool contains(struct gguf_string text, const char *part)
{
	size_t len = strlen(part);

	for (size_t i = 0; i + len <= text.len; i++)
		if (strncasecmp(text.data + i, part, len) == 0)
			return true;
	return false;
}

/* Ids that are out of range are passed over, as in llama.cpp. */
static enum status read_suppressed(struct vocab *vocab, const struct gguf *gguf,
                                   struct error *err)
{
	struct gguf_array ids;
	enum status status = gguf_get_array(gguf, "tokenizer.ggml.suppress_tokens", GGUF_I32, &ids, err);

	if (status)
		return status == STATUS_NOTFOUND ? STATUS_OK : status;
	for (size_t i = 0; i < ids.n; i++) {
		int32_t id = gguf_array_i32(&ids, i);

		if (id >= 0 && (size_t)id < vocab->n)
			vocab->flags[id] |= TOKEN_IS_SUPPRESSED;
	}
	return STATUS_OK;
}

/* The format has no place for a token's white space rules; llama.cpp knows the
 * models that have some. */
static enum status read_strip_rules(struct vocab *vocab, const struct gguf *gguf,
                                    struct error *err)
{
	struct gguf_string name = {"", 0};
	enum status status = gguf_get_string(gguf, "general.name", &name, err);
	int32_t id;

	if (status && status != STATUS_NOTFOUND)
		return status;
	if (vocab->pre && vocab->pre->flags & PRE_MASK_STRIPS) {
		id = find(vocab, "<mask>");
		if (id >= 0)
			vocab->flags[id] |= TOKEN_STRIP_LEFT;
	} else if (contains(name, "phi-3") || contains(name, "phi3")) {
		static const char *const keep[] = {"<unk>", "<s>", "<|endoftext|>"};

		for (size_t i = 0; i < vocab->n; i++)
			if (vocab->types[i] == TOKEN_CONTROL || vocab->types[i] == TOKEN_USER_DEFINED ||
			    vocab->types[i] == TOKEN_UNKNOWN)
				vocab->flags[i] |= TOKEN_STRIP_RIGHT;
		for (size_t i = 0; i < sizeof keep / sizeof keep[0]; i++)
			if ((id = find(vocab, keep[i])) >= 0)
				vocab->flags[id] &= (uint8_t)~TOKEN_STRIP_RIGHT;
	} else if (contains(name, "modern-bert")) {
		id = find(vocab, "[MASK]");
		if (id >= 0)
			vocab->flags[id] |= TOKEN_STRIP_LEFT;
	}
	return STATUS_OK;
}

enum status vocab_read_special(struct vocab *vocab, const struct gguf *gguf, struct error *err)
{
	enum status status;

	set_defaults(vocab);
	status = read_ids(vocab, gguf, err);
	if (status)
		return status;
	apply_known_names(vocab);
	mark_eog(vocab);
	mark_control_looks(vocab);
	status = read_suppressed(vocab, gguf, err);
	return status ? status : read_strip_rules(vocab, gguf, err);
}
