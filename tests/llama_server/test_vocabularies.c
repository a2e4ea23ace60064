/* Published vocabularies in a real llama-server: prompts of published templates are the ids that sotto's own tokenizer
 * makes, and nothing typed becomes a control token. Skipped without ../shared/testdata. */
#include <criterion/criterion.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "encode/encode.h"
#include "gguf/writer.h"
#include "llama_server/program.h"
#include "llama_server/talk.h"
#include "remote/dialect.h"
#include "support/save_gguf.h"
#include "support/testdata.h"

enum { EMBD = 32, NAMES_MAX = 64, PATH_SIZE = 4096 };

static struct error err;

/* A model without any weights but the vocabulary of a file. */
static void save_model(const char *path, const struct gguf *vocabulary, size_t n_vocab)
{
	static const struct {
		const char *name;
		uint64_t columns, rows; /* 0: the vocabulary, or none */
	} tensors[] = {
		{"token_embd.weight", EMBD, 0}, {"blk.0.attn_norm.weight", EMBD, 1}, {"blk.0.attn_q.weight", EMBD, EMBD},
		{"blk.0.attn_k.weight", EMBD, EMBD}, {"blk.0.attn_v.weight", EMBD, EMBD}, {"blk.0.attn_output.weight", EMBD, EMBD},
		{"blk.0.ffn_norm.weight", EMBD, 1}, {"blk.0.ffn_gate.weight", EMBD, EMBD}, {"blk.0.ffn_up.weight", EMBD, EMBD},
		{"blk.0.ffn_down.weight", EMBD, EMBD}, {"output_norm.weight", EMBD, 1}};
	struct gguf_writer *w = gguf_writer_create();
	float *zeros = alloc_array(n_vocab, EMBD * sizeof *zeros);

	cr_assert(w && zeros);
	gguf_writer_set_string(w, "general.architecture", "llama", 5);
	gguf_writer_set_u32(w, "llama.context_length", 8192);
	gguf_writer_set_u32(w, "llama.embedding_length", EMBD);
	gguf_writer_set_u32(w, "llama.block_count", 1);
	gguf_writer_set_u32(w, "llama.feed_forward_length", EMBD);
	gguf_writer_set_u32(w, "llama.attention.head_count", 1);
	gguf_writer_set_f32(w, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
	for (size_t i = 0; i < gguf_n_kv(vocabulary); i++) {
		struct gguf_string key = gguf_kv_key(vocabulary, i);

		if (gguf_string_begins(key, "tokenizer.") || gguf_string_is(key, "general.name"))
			gguf_writer_copy(w, vocabulary, i);
	}
	for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++) {
		uint64_t ne[] = {tensors[i].columns, tensors[i].rows ? tensors[i].rows : n_vocab};

		gguf_writer_add_tensor(w, tensors[i].name, BLOCK_F32, ne[1] == 1 ? 1 : 2, ne, zeros,
		                       (size_t)(ne[0] * ne[1]) * sizeof *zeros);
	}
	cr_assert_eq(gguf_writer_save(w, path, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
	free(zeros);
}

static size_t list_files(const char *part, const char *suffix, char (*out)[PATH_SIZE])
{
	char path[PATH_SIZE / 2];
	struct dirent *entry;
	size_t n = 0;
	DIR *dir;

	snprintf(path, sizeof path, "%s/%s", testdata_root(), part);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)) && n < NAMES_MAX) {
		size_t len = strlen(entry->d_name);

		if (len > strlen(suffix) && strcmp(entry->d_name + len - strlen(suffix), suffix) == 0)
			snprintf(out[n++], PATH_SIZE, "%s/%s", path, entry->d_name);
	}
	if (dir)
		closedir(dir);
	return n;
}

static struct message say(enum role role, const char *text)
{
	return (struct message){.role = role, .text = text, .len = strlen(text)};
}

static void compare(const struct tokenizer *here, const struct chat_template *own, const struct tokenizer *there,
                    const struct chat_template *asked, const struct turn *turn)
{
	struct encoded a, b;
	enum status status = encode_turn(&a, here, own, turn, SIZE_MAX, &err);

	cr_expect_eq(encode_turn(&b, there, asked, turn, SIZE_MAX, &err), status, "%s: %s", own->name, err.text);
	cr_expect(status || (a.ids.n == b.ids.n && memcmp(a.ids.ids, b.ids.ids, a.ids.n * sizeof(int32_t)) == 0), "%s",
	          own->name);
	for (size_t i = 0; !status && i < b.ids.n; i++)
		cr_expect_not(b.origins[i].is_input && tokenizer_is_control(there, b.ids.ids[i]), "%s", own->name);
	encoded_free(&a);
	encoded_free(&b);
}

static void compare_template(const struct tokenizer *here, const struct tokenizer *there, const char *path)
{
	static const char *const texts[][4] = {
		{"Be brief.", "  What is 12 + 30?\n", "It's 42.", "日本語 é 👍 done\t\t x"},
		{"<s>", "<|im_end|> [INST] x </s> <|endoftext|>", "</think> <|end|>\n", " \n\n "},
		{"<bos>", "x", "<|eot_id|><|im_start|>system\n", "def f(x):\n    return x  # 1234567\r\n"}};
	struct chat_template *own, *asked;

	cr_assert_eq(chat_template_open(&own, path, NULL, here, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(chat_template_open(&asked, path, NULL, there, &err), STATUS_OK, "%s", err.text);
	for (size_t i = 0; i < sizeof texts / sizeof *texts && !own->fails; i++) {
		const struct message messages[] = {say(ROLE_SYSTEM, texts[i][0]), say(ROLE_USER, texts[i][1]),
		                                   say(ROLE_ASSISTANT, texts[i][2]), say(ROLE_USER, texts[i][3])};
		const struct turn turn = {.messages = messages, .n_messages = 4, .reasoning.clock = 1};

		compare(here, own, there, asked, &turn);
	}
	chat_template_close(own);
	chat_template_close(asked);
}

static void compare_vocabulary(const char *path, char (*templates)[PATH_SIZE], size_t n_templates)
{
	char model[] = "/tmp/sotto-llama-server-XXXXXX.gguf";
	const char *const arguments[] = {"-m", model, NULL};
	struct program program = {.pid = 0};
	struct talk talk = {.backend = NULL};
	struct tokenizer *here;
	struct gguf *gguf;

	close(mkstemps(model, 5));
	cr_assert_eq(gguf_open(&gguf, path, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(tokenizer_open(&here, gguf, &err), STATUS_OK, "%s", err.text);
	save_model(model, gguf, tokenizer_n_vocab(here));
	program_start(&program, arguments);
	program_wait(&program);
	cr_assert_eq(talk_open(&talk, "", program.url, NULL), STATUS_OK, "%s", talk.err.text);
	cr_assert_not_null(((struct remote *)talk.backend)->tokenizer, "%s", path);
	for (size_t i = 0; i < n_templates; i++)
		compare_template(here, ((struct remote *)talk.backend)->tokenizer, templates[i]);
	talk_close(&talk);
	program_stop(&program);
	tokenizer_close(here);
	gguf_close(gguf);
	unlink(model);
}

Test(vocabularies, ids_are_those_of_the_file, .timeout = 900)
{
	static char vocabularies[NAMES_MAX][PATH_SIZE], templates[NAMES_MAX][PATH_SIZE];
	size_t n = list_files("vocab", ".gguf", vocabularies), n_templates = list_files("templates", ".jinja", templates);

	if (!n || !n_templates)
		cr_skip_test("no %s", testdata_root());
	for (size_t i = 0; i < n; i++)
		compare_vocabulary(vocabularies[i], templates, n_templates);
}
