/* Tokenizers of each form: the keys that they become, against those that the reference writes (tests/vectors/convert/vocabulary,
 * by tools/vocabulary-vectors.py), and what is refused. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checkpoint/conversion.h"
#include "gguf/internal.h"
#include "gguf/reader.h"
#include "support/folder.h"

enum { TEXT_MAX = 16 << 20 };

/* As the vectors spell a text. */
static void put_text(struct buf *out, struct gguf_string text)
{
	buf_putc(out, '"');
	for (size_t i = 0; i < text.len; i++) {
		char c = text.data[i];

		if (c == '\n')
			buf_puts(out, "\\n");
		else if (c == '"' || c == '\\')
			buf_printf(out, "\\%c", c);
		else
			buf_putc(out, c);
	}
	buf_putc(out, '"');
}

static void put_list(struct buf *out, const struct gguf *gguf, const struct gguf_kv *kv, const char *key)
{
	struct gguf_array array;

	cr_assert_eq(gguf_get_array(gguf, key, kv->item_type, &array, NULL), STATUS_OK);
	buf_printf(out, "%s[%zu]", gguf_type_name(kv->item_type), kv->n);
	for (size_t i = 0; i < array.n; i++) {
		buf_putc(out, ' ');
		if (kv->item_type == GGUF_STRING)
			put_text(out, gguf_array_string(&array, i));
		else if (kv->item_type == GGUF_F32)
			buf_printf(out, "%.9g", (double)gguf_array_f32(&array, i));
		else
			buf_printf(out, "%" PRId32, gguf_array_i32(&array, i));
	}
}

static void put_value(struct buf *out, const struct gguf *gguf, const struct gguf_kv *kv, const char *key)
{
	struct gguf_string text;
	int64_t number;
	float real;
	bool flag;

	if (kv->type == GGUF_ARRAY) {
		put_list(out, gguf, kv, key);
		return;
	}
	buf_printf(out, "%s ", gguf_type_name(kv->type));
	if (gguf_get_string(gguf, key, &text, NULL) == STATUS_OK)
		put_text(out, text);
	else if (gguf_get_f32(gguf, key, &real, NULL) == STATUS_OK)
		buf_printf(out, "%.9g", (double)real);
	else if (gguf_get_bool(gguf, key, &flag, NULL) == STATUS_OK)
		buf_printf(out, "%d", flag);
	else if (gguf_get_i64(gguf, key, &number, NULL) == STATUS_OK)
		buf_printf(out, "%" PRId64, number);
}

static void put_keys(struct buf *out, struct gguf_writer *keys)
{
	struct buf file = {.max = TEXT_MAX};
	struct gguf *gguf = NULL;
	struct error err = {0};

	cr_assert_eq(gguf_writer_write(keys, &file, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_open_memory(&gguf, file.data, file.len, &err), STATUS_OK, "%s", err.text);
	for (size_t i = 1; i < gguf_n_kv(gguf); i++) { /* general.architecture is the test's */
		char key[256];

		snprintf(key, sizeof key, "%.*s", (int)gguf->kvs[i].key.len, gguf->kvs[i].key.data);
		buf_printf(out, "%s ", key);
		put_value(out, gguf, &gguf->kvs[i], key);
		buf_putc(out, '\n');
	}
	gguf_close(gguf);
	buf_free(&file);
}

/* What a folder's tokenizer becomes, or the error. */
struct outcome {
	struct buf keys, notes;
	struct error err;
	uint64_t n_vocab;
};

static void convert(const char *folder, enum vocabulary_rule rule, struct outcome *outcome)
{
	struct conversion c = {.keys = gguf_writer_create(), .notes = {.max = TEXT_MAX}};
	struct checkpoint *checkpoint = NULL;
	char *text = NULL;
	size_t len;
	struct error err = {0};

	cr_assert_eq(checkpoint_open(&checkpoint, folder, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(checkpoint_file(checkpoint, "config.json", TEXT_MAX, &text, &len, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(settings_tree_parse(&c.config, "config.json", text, len, &err), STATUS_OK, "%s", err.text);
	c.from = checkpoint;
	gguf_writer_set_string(c.keys, "general.architecture", "llama", 5);
	sampling_write(&c);
	vocabulary_write(&c, rule);
	*outcome = (struct outcome){.keys = {.max = TEXT_MAX}, .notes = c.notes, .err = c.err, .n_vocab = c.n_vocab};
	if (!c.err.status)
		put_keys(&outcome->keys, c.keys);
	gguf_writer_free(c.keys);
	settings_tree_free(c.config);
	checkpoint_close(checkpoint);
	free(text);
}

static void outcome_free(struct outcome *outcome)
{
	buf_free(&outcome->keys);
	buf_free(&outcome->notes);
}

/* `differs`: a line that is ours and not the reference's, which has another one with its key. */
static const struct {
	const char *name;
	enum vocabulary_rule rule;
	uint64_t n_vocab;
	const char *differs;
} cases[] = {
	{"bpe", VOCABULARY_PLAIN, 16, NULL},
	{"bpe-pairs", VOCABULARY_USUAL, 12, NULL},
	{"bpe-eot", VOCABULARY_BPE, 12, NULL},
	{"bpe-no-config", VOCABULARY_BPE, 10, NULL},
	{"bpe-object", VOCABULARY_BPE, 10, NULL},
	{"bpe-roberta", VOCABULARY_USUAL, 10, NULL},
	{"bpe-templates", VOCABULARY_USUAL, 12, NULL},
	{"bpe-merges-txt", VOCABULARY_PLAIN, 8, NULL},
	{"spm", VOCABULARY_USUAL, 16, NULL},
	{"spm-both", VOCABULARY_USUAL, 10, NULL},
	{"spm-short", VOCABULARY_GEMMA, 8, NULL},
	{"spm-gemma3", VOCABULARY_GEMMA, 10, NULL},
	{"spm-phi3", VOCABULARY_PHI3, 14, NULL},
	{"gemma4", VOCABULARY_GEMMA4, 12, NULL},
	{"scores", VOCABULARY_USUAL, 9,
	 "tokenizer.ggml.scores f32[9] -1000 -1000 -1000 -1000 -10000000 -10000000 0 -10000000 -1\n"},
	{"sampling", VOCABULARY_PLAIN, 10, NULL},
};

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = calloc(TEXT_MAX, 1);

	cr_assert(file && text, "%s", path);
	(void)!fread(text, 1, TEXT_MAX - 1, file);
	fclose(file);
	return text;
}

static bool has_key(const char *line, const char *other)
{
	return other && strncmp(line, other, strcspn(other, " ") + 1) == 0;
}

static void compare(const char *name, const char *ours, const char *theirs, const char *differs)
{
	while (*ours && *theirs) {
		const char *line = has_key(theirs, differs) ? differs : theirs;
		int ours_len = (int)strcspn(ours, "\n"), line_len = (int)strcspn(line, "\n");

		cr_assert(ours_len == line_len && memcmp(ours, line, (size_t)line_len) == 0, "%s:\n  ours     %.*s\n  expected %.*s",
		          name, ours_len, ours, line_len, line);
		ours += ours_len + 1;
		theirs += strcspn(theirs, "\n") + 1;
	}
	cr_assert(!*ours && !*theirs, "%s: ours goes on '%.200s', the reference '%.200s'", name, ours, theirs);
}

Test(vocabulary, keys_are_the_references)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char path[512];
		char *expected;
		struct outcome outcome;

		snprintf(path, sizeof path, TEST_SRCDIR "/tests/vectors/convert/vocabulary/%s", cases[i].name);
		convert(path, cases[i].rule, &outcome);
		cr_assert_eq(outcome.err.status, STATUS_OK, "%s: %s", cases[i].name, outcome.err.text);
		cr_assert_eq(outcome.n_vocab, cases[i].n_vocab, "%s: %" PRIu64, cases[i].name, outcome.n_vocab);
		snprintf(path, sizeof path, TEST_SRCDIR "/tests/vectors/convert/vocabulary/%s/keys.txt", cases[i].name);
		expected = read_text(path);
		compare(cases[i].name, buf_text(&outcome.keys), expected, cases[i].differs);
		free(expected);
		outcome_free(&outcome);
	}
}

#define BPE(more) "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[\"a b\"]}," \
	"\"pre_tokenizer\":{\"type\":\"ByteLevel\"}" more "}"

/* Makes a folder of these files (config.json, tokenizer.json, tokenizer_config.json; NULL: none) and converts it. */
static void convert_texts(const char *const texts[3], enum vocabulary_rule rule, struct outcome *outcome)
{
	static const char *const names[] = {"config.json", "tokenizer.json", "tokenizer_config.json"};
	static const char tensors[] = "\x38\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}   \0\0\0\0";
	char folder[] = "/tmp/sotto-vocabulary-XXXXXX", path[128];

	cr_assert(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/model.safetensors", folder);
	write_bytes(path, tensors, 8 + 0x38 + 4);
	for (size_t i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		if (texts[i])
			write_text(path, texts[i]);
	}
	convert(folder, rule, outcome);
	remove_folder(folder);
}

/* What is wrong, or left out, and what is said of it. */
static const struct {
	const char *texts[3];
	enum vocabulary_rule rule;
	const char *error, *note, *line; /* `line`: of the keys */
} hostile[] = {
	{{"{}", NULL, NULL}, VOCABULARY_USUAL, "neither tokenizer.json nor tokenizer.model in the folder", NULL, NULL},
	{{"{\"vocab_size\":2}", BPE(""), NULL}, VOCABULARY_BPE, "has ids up to 2, expected less than vocab_size in config.json, 2",
	 NULL, NULL},
	{{"{\"vocab_size\":3}", BPE(",\"added_tokens\":[{\"id\":3,\"content\":\"c\"}]"), "{\"eos_token\":\"c\"}"}, VOCABULARY_BPE, NULL,
	 "added tokens with the ids 3..3 are beyond vocab_size in config.json: left out",
	 "tokenizer.ggml.tokens string[3] \"a\" \"b\" \"ab\"\n"},
	{{"{\"vocab_size\":1e9}", BPE(""), NULL}, VOCABULARY_BPE, "vocab_size is 1000000000, expected 1..2000000", NULL, NULL},
	{{"{\"vocab_size\":1000000000}", BPE(""), NULL}, VOCABULARY_BPE, "vocab_size is 1000000000, expected 1..2000000", NULL, NULL},
	{{"{\"vocab_size\":-1}", BPE(""), NULL}, VOCABULARY_BPE, "vocab_size is -1, expected 1..2000000", NULL, NULL},
	{{"{\"vocab_size\":49152}", BPE(""), NULL}, VOCABULARY_USUAL, NULL, NULL, "tokenizer.ggml.add_bos_token bool 0\n"},
	{{"{\"vocab_size\":32016}", BPE(""), NULL}, VOCABULARY_USUAL, NULL, NULL, "tokenizer.ggml.eot_token_id u32 32010\n"},
	{{"{}", "{\"model\":{\"vocab\":{\"a\":0,\"a\":1},\"merges\":[\"a b\"]}}", NULL}, VOCABULARY_BPE,
	 "model.vocab: 'a' is there twice, with the ids 0 and 1", NULL, NULL},
	{{"{}", "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0},\"merges\":[]}}", NULL}, VOCABULARY_BPE,
	 "model.merges is empty, and there is no merges.txt", NULL, NULL},
	{{"{}", "{\"model\":{\"vocab\":{\"a\":0},\"merges\":[\"a b\"]}}", NULL}, VOCABULARY_BPE,
	 "how it splits texts (pre_tokenizer) is not known", NULL, NULL},
	{{"{}", "{\"model\":{\"vocab\":{\"a\":0},\"merges\":[\"a b\"]},\"pre_tokenizer\":{\"type\":\"Whitespace\"}}", NULL},
	 VOCABULARY_BPE, "how it splits texts (pre_tokenizer) is not known", NULL, NULL},
	{{"{}", BPE(",\"added_tokens\":[{\"id\":1,\"content\":\"c\"}]"), NULL}, VOCABULARY_BPE,
	 "added_tokens: 'c' has the id 1, which is 'b' already", NULL, NULL},
	{{"{}", BPE(",\"added_tokens\":[{\"id\":7,\"content\":\"b\"}]"), NULL}, VOCABULARY_BPE, NULL,
	 "'b' has the id 7, but is 1 in the vocabulary", NULL},
	{{"{\"eos_token_id\":-1,\"pad_token_id\":3000000000}", BPE(""), NULL}, VOCABULARY_BPE, NULL,
	 "the id of the eos token, -1, is not one of 0..2: left out", NULL},
	{{"{\"eos_token_id\":[2,1]}", BPE(""), NULL}, VOCABULARY_BPE, NULL, NULL, "tokenizer.ggml.eos_token_id u32 2\n"},
	{{"{\"text_config\":{\"eos_token_id\":1}}", BPE(""), NULL}, VOCABULARY_BPE, NULL, NULL, "tokenizer.ggml.eos_token_id u32 1\n"},
	{{"{}", BPE(""), "{\"chat_template\":7,\"eos_token\":[],\"add_bos_token\":\"x\"}"}, VOCABULARY_BPE, NULL,
	 "chat_template is neither a text nor a list: left out", NULL},
	{{"{}", BPE(""), "{\"added_tokens_decoder\":{\"x\":{}}}"}, VOCABULARY_BPE,
	 "tokenizer_config.json: a token has the id 'x', expected a whole number", NULL, NULL},
	{{"{}", BPE(""), "{\"added_tokens_decoder\":{\"900000000\":{\"content\":\"x\"}}}"}, VOCABULARY_BPE, NULL, NULL,
	 "tokenizer.ggml.tokens string[3] \"a\" \"b\" \"ab\"\n"},
	{{"{}", BPE(""), "[]"}, VOCABULARY_BPE, "tokenizer_config.json: not a JSON object", NULL, NULL},
	{{"{}", BPE(",\"post_processor\":{\"type\":{},\"single\":[7,8],\"pair\":{},\"processors\":3}"), "{\"eos_token\":\"a\"}"},
	 VOCABULARY_BPE, NULL, NULL, "tokenizer.ggml.tokens string[3] \"a\" \"b\" \"ab\"\n"},
	{{"{}", BPE(",\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":1e18},\"post_processor\":{\"type\":\"Sequence\","
	          "\"processors\":1e18}"), "{\"chat_template\":1e18}"}, VOCABULARY_BPE, NULL, NULL,
	 "tokenizer.ggml.tokens string[3] \"a\" \"b\" \"ab\"\n"},
	{{"{}", BPE(""), NULL}, VOCABULARY_BPE, NULL, "the pre-tokenizer 'gpt-2' is recognised by its rules, not by the ids",
	 "tokenizer.ggml.pre string \"gpt-2\"\n"},
};

Test(vocabulary, hostile_folders)
{
	for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
		struct outcome outcome;

		convert_texts(hostile[i].texts, hostile[i].rule, &outcome);
		if (hostile[i].error)
			cr_assert(strstr(outcome.err.text, hostile[i].error), "row %zu says '%s'", i, outcome.err.text);
		else
			cr_assert_eq(outcome.err.status, STATUS_OK, "row %zu says '%s'", i, outcome.err.text);
		if (hostile[i].note)
			cr_assert(strstr(buf_text(&outcome.notes), hostile[i].note), "row %zu notes '%s'", i, buf_text(&outcome.notes));
		if (hostile[i].line)
			cr_assert(strstr(buf_text(&outcome.keys), hostile[i].line), "row %zu: %.2000s", i, buf_text(&outcome.keys));
		outcome_free(&outcome);
	}
}
