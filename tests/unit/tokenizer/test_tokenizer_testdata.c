/* Published vocabularies with the ids that their own tokenizers give. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "support/random.h"
#include "support/testdata.h"
#include "tokenizer/vocab.h"
#include "unit/tokenizer/util.h"

static const char separator[] = "\n__ggml_vocab_test__\n";

static struct tokenizer *open_file(const char *path)
{
	struct gguf *gguf;
	struct tokenizer *t;
	struct error err;

	cr_assert_eq(gguf_open(&gguf, path, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(tokenizer_open(&t, gguf, &err), STATUS_OK, "%s", err.text);
	gguf_close(gguf);
	return t;
}

static char *read_text(const char *path, const char *suffix)
{
	char name[4096], *data;
	struct error err;
	size_t len;

	snprintf(name, sizeof name, "%s%s", path, suffix);
	cr_assert_eq(sys_read_file(name, MIB(16), &data, &len, &err), STATUS_OK, "%s", err.text);
	return data;
}

/* Compares the ids of one text with a line of the .out file. */
static bool same_ids(const struct tokenizer *t, const char *text, size_t len, const char *line)
{
	struct token_list ids = {0};
	const char *at = line;
	bool same = true;

	cr_assert_eq(tokenizer_encode(t, text, len, 0, &ids, NULL), STATUS_OK);
	for (size_t i = 0; i < ids.n && same; i++) {
		char *end;
		long id = strtol(at, &end, 10);

		same = end != at && end <= strchrnul(line, '\n') && id == ids.ids[i];
		at = end;
	}
	at += strspn(at, " ");
	same = same && (*at == '\n' || *at == '\0');
	token_list_free(&ids);
	return same;
}

static size_t check_vectors(const char *path)
{
	struct tokenizer *t = open_file(path);
	char *inp = read_text(path, ".inp"), *out = read_text(path, ".out");
	const char *text = inp, *line = out;
	size_t n = 0;

	for (bool more = true; more; n++) {
		const char *end = strstr(text, separator);

		more = end != NULL;
		end = end ? end : text + strlen(text);
		cr_expect(same_ids(t, text, (size_t)(end - text), line), "%s: text %zu '%.*s'", path, n,
		          (int)(end - text), text);
		text = end + (more ? sizeof separator - 1 : 0);
		line = strchrnul(line, '\n');
		line += *line == '\n';
	}
	free(inp);
	free(out);
	tokenizer_close(t);
	return n;
}

/* Some vocabularies have no token for bytes that their training never met
 * (Falcon: 0x0B, 0xF2): no tokenizer can give those back. Leaves such
 * characters out; returns the new length. */
static size_t drop_unspellable(const struct tokenizer *t, char *text, size_t len)
{
	size_t n = 0;

	for (size_t i = 0, next; i < len; i = next) {
		bool spellable = true;
		int32_t cp;

		next = i + utf8_decode(text + i, len - i, &cp);
		for (size_t k = i; k < next; k++) {
			char letter[2];
			size_t letter_len = vocab_byte_letter((unsigned char)text[k], letter);

			spellable = spellable && tokenizer_find(t, letter, letter_len) != TOKEN_NONE;
		}
		if (!spellable && !tokenizer_adds_space(t))
			continue;
		memmove(text + n, text + i, next - i);
		n += next - i;
	}
	return n;
}

static void check_round_trip(const char *path)
{
	struct tokenizer *t = open_file(path);
	struct test_random random = {1};
	size_t n = getenv("SOTTO_TEST_LONG") ? 20000 : 1000;
	char text[4 * 100];

	for (size_t i = 0; i < n; i++) {
		size_t len = drop_unspellable(t, text, random_text(&random, text, 100));

		cr_expect(survives(t, text, len), "%s: text %zu", path, i);
	}
	tokenizer_close(t);
}

static size_t for_each_vocab(void (*check)(const char *path), size_t (*count)(const char *path))
{
	char dir[4096], path[8192];
	struct dirent *entry;
	size_t total = 0;
	DIR *d;

	snprintf(dir, sizeof dir, "%s/vocab", testdata_root());
	d = opendir(dir);
	cr_assert_not_null(d);
	while ((entry = readdir(d))) {
		size_t len = strlen(entry->d_name);

		if (len < 5 || strcmp(entry->d_name + len - 5, ".gguf") != 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
		if (check)
			check(path);
		else
			total += count(path);
	}
	closedir(d);
	return total;
}

Test(testdata, vectors_pass_token_for_token)
{
	cr_expect(for_each_vocab(NULL, check_vectors) >= 6 * 40);
}

Test(testdata, decoding_undoes_encoding)
{
	for_each_vocab(check_round_trip, NULL);
}

int main(int argc, char **argv)
{
	return testdata_main(argc, argv, "vocab");
}
