#include "unit/encode/chat_model.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/limits.h"
#include "support/gguf_memory.h"

enum { CONTROL = 3, USER_DEFINED = 4 };

static const struct tiny_token spm_tokens[] = {
	{"\xE2\x96\x81", -1, 0}, {"\xE2\x96\x81the", -2, 0}, {"he", -3, 0}, {"th", -4, 0},
	{"in", -5, 0}, {"[INST]", 0, CONTROL}, {"[/INST]", 0, CONTROL},
	{"<start_of_turn>", 0, CONTROL}, {"<end_of_turn>", 0, CONTROL},
	{"<|im_start|>", 0, CONTROL}, {"<|im_end|>", 0, CONTROL}, {"<think>", 0, USER_DEFINED},
	{"</think>", 0, USER_DEFINED}, {"<|start_header_id|>", 0, CONTROL},
	{"<|end_header_id|>", 0, CONTROL}, {"<|eot_id|>", 0, CONTROL}, {NULL, 0, 0},
};
const struct tiny_vocabulary test_spm = {.model = "llama", .tokens = spm_tokens};

static const struct tiny_token bpe_tokens[] = {
	{"<|im_start|>", 0, CONTROL}, {"<|im_end|>", 0, CONTROL}, {"<think>", 0, USER_DEFINED},
	{"</think>", 0, USER_DEFINED}, {"<|start_header_id|>", 0, CONTROL},
	{"<|end_header_id|>", 0, CONTROL}, {"<|eot_id|>", 0, CONTROL},
	{"<|channel|>", 0, CONTROL}, {"<|message|>", 0, CONTROL}, {"<|start|>", 0, CONTROL},
	{"<|end|>", 0, CONTROL}, {"<|return|>", 0, CONTROL}, {"<|call|>", 0, CONTROL},
	{"<start_of_turn>", 0, CONTROL}, {"<end_of_turn>", 0, CONTROL}, {"[INST]", 0, CONTROL},
	{"[/INST]", 0, CONTROL}, {NULL, 0, 0},
};
/* "Ġ" is the blank, "Ċ" the end of a line. */
static const char *const bpe_merges[] = {
	"\xC4\xA0 t", "h e", "\xC4\xA0t he", "i n", "\xC4\x8A \xC4\x8A", "e n", "\xC4\xA0 a", "n t", NULL,
};
const struct tiny_vocabulary test_bpe = {
	.model = "gpt2", .pre = "gpt-2", .tokens = bpe_tokens, .merges = bpe_merges};

void test_model_open(struct test_model *model, const struct tiny_vocabulary *vocabulary,
                     const struct test_key *keys)
{
	struct gguf_writer *w = tiny_vocab_writer(vocabulary);
	struct error err;

	*model = (struct test_model){0};
	for (; keys && keys->key; keys++)
		if (keys->value)
			gguf_writer_set_string(w, keys->key, keys->value, strlen(keys->value));
		else
			gguf_writer_set_u32(w, keys->key, keys->number);
	buf_init(&model->file, MIB(4));
	cr_assert_eq(gguf_writer_write(w, &model->file, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	cr_assert_eq(gguf_open_memory(&model->gguf, model->file.data, model->file.len, &err),
	             STATUS_OK, "%s", err.text);
	cr_assert_eq(tokenizer_open(&model->tokenizer, model->gguf, &err), STATUS_OK, "%s", err.text);
}

void test_model_choose(struct test_model *model, const char *choice)
{
	struct error err;

	chat_template_close(model->tmpl);
	cr_assert_eq(chat_template_open(&model->tmpl, choice, model->gguf, model->tokenizer, &err),
	             STATUS_OK, "%s", err.text);
}

void test_model_close(struct test_model *model)
{
	chat_template_close(model->tmpl);
	tokenizer_close(model->tokenizer);
	gguf_close(model->gguf);
	buf_free(&model->file);
}

void test_spell(const struct test_model *model, const struct token_list *ids, struct buf *out)
{
	for (size_t i = 0; i < ids->n; i++) {
		bool control = tokenizer_is_control(model->tokenizer, ids->ids[i]);
		size_t len;
		const char *text = control ? tokenizer_name(model->tokenizer, ids->ids[i], &len)
		                           : tokenizer_bytes(model->tokenizer, ids->ids[i], &len);

		buf_puts(out, control ? "\xC2\xAB" : "");
		buf_append(out, text, len);
		buf_puts(out, control ? "\xC2\xBB" : "");
	}
}
