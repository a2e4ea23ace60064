/* Tokenizers of checkpoints. The first byte chooses the family's rule; then come tokenizer.json, tokenizer_config.json and
 * tokenizer.model, divided by lines "====", files of a folder that is converted. What is written opens as a GGUF; if it
 * is a tokenizer that is known, it takes any text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checkpoint/conversion.h"
#include "checkpoint/vocabulary.h"
#include "fuzz/fuzz.h"
#include "support/folder.h"
#include "tokenizer/tokenizer.h"

static const char divider[] = "\n====\n";

enum { N_FILES = 3, FILE_MAX = 64 << 20 };

static const char *const names[N_FILES] = {"tokenizer.json", "tokenizer_config.json", "tokenizer.model"};

static char folder[] = "/tmp/sotto-fuzz-vocabulary-XXXXXX";

static void end(void)
{
	remove_folder(folder);
}

static void path_of(const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", folder, name);
}

/* Once: what no input changes. */
static void begin(void)
{
	static const char tensors[] = "\x38\0\0\0\0\0\0\0{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}   \0\0\0\0";
	static bool is_there;
	char path[256];

	if (is_there)
		return;
	is_there = true;
	FUZZ_CHECK(mkdtemp(folder));
	atexit(end);
	path_of("model.safetensors", path);
	write_bytes(path, tensors, 8 + 0x38 + 4);
	path_of("config.json", path);
	write_text(path, "{\"bos_token_id\":1,\"eos_token_id\":[2,3]}");
}

static void write_files(const char *bytes, size_t size)
{
	for (size_t i = 0; i < N_FILES; i++) {
		size_t len = 0;
		char path[256];

		while (len < size && (i + 1 == N_FILES || len + sizeof divider - 1 > size ||
		                      memcmp(bytes + len, divider, sizeof divider - 1) != 0))
			len++;
		path_of(names[i], path);
		if (len)
			write_bytes(path, bytes, len);
		else
			unlink(path);
		len += len < size ? sizeof divider - 1 : 0;
		bytes += len;
		size -= len;
	}
}

static void check_keys(struct conversion *c)
{
	static const char text[] = " ab\n<s> \xE2\x96\x81" "a\xFF";
	struct buf file = {.max = FILE_MAX};
	struct gguf *gguf = NULL;
	struct tokenizer *tokenizer = NULL;
	struct token_list ids = {0};

	if (gguf_writer_write(c->keys, &file, NULL)) {
		buf_free(&file);
		return;
	}
	FUZZ_CHECK(!gguf_open_memory(&gguf, file.data, file.len, NULL));
	if (!tokenizer_open(&tokenizer, gguf, NULL)) {
		FUZZ_CHECK(tokenizer_n_vocab(tokenizer) == c->n_vocab);
		(void)!tokenizer_encode(tokenizer, text, sizeof text - 1, ENCODE_BOS, &ids, NULL);
	}
	token_list_free(&ids);
	tokenizer_close(tokenizer);
	gguf_close(gguf);
	buf_free(&file);
}

/* The readers alone, with bytes that end where a sanitizer sees it. */
static void read_bytes(const char *bytes, size_t size)
{
	enum status (*const readers[])(struct vocabulary *, const char *, size_t, struct error *) = {
		vocabulary_read_json, vocabulary_read_model, vocabulary_read_added, vocabulary_read_decoder,
	};

	for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
		struct vocabulary vocabulary;

		vocabulary_init(&vocabulary);
		(void)!readers[i](&vocabulary, bytes, size, NULL);
		vocabulary_deinit(&vocabulary);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct conversion c = {.notes = {.max = 1 << 20}};
	struct checkpoint *checkpoint = NULL;
	struct error err = {0};

	if (!size)
		return 0;
	begin();
	write_files((const char *)data + 1, size - 1);
	read_bytes((const char *)data + 1, size - 1);
	FUZZ_CHECK(!checkpoint_open(&checkpoint, folder, &err));
	FUZZ_CHECK(!settings_tree_parse(&c.config, "config.json", "{}", 2, &err));
	c.from = checkpoint;
	c.keys = gguf_writer_create();
	FUZZ_CHECK(c.keys);
	vocabulary_write(&c, (enum vocabulary_rule)(data[0] % (VOCABULARY_PHI3 + 1)));
	if (!c.err.status)
		check_keys(&c);
	gguf_writer_free(c.keys);
	settings_tree_free(c.config);
	checkpoint_close(checkpoint);
	buf_free(&c.notes);
	return 0;
}
