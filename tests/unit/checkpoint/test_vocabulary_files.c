/* The readers of tokenizer.json, tokenizer.model and what lies beside them: each form, and what is refused. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "checkpoint/vocabulary.h"
#include "tokenizer/vocab.h"

#define MODEL(inside) "{\"model\":{\"type\":\"BPE\"," inside "}}"

static void check_token(const struct vocabulary *v, size_t id, const char *text, uint8_t type)
{
	cr_assert_lt(id, v->n);
	cr_assert_eq(v->tokens[id].type, type, "token %zu is of type %d", id, v->tokens[id].type);
	cr_assert_eq(v->tokens[id].len, strlen(text), "token %zu", id);
	cr_assert(memcmp(vocabulary_text(v, &v->tokens[id]), text, strlen(text)) == 0, "token %zu", id);
}

static void check_merge(const struct vocabulary *v, size_t index, const char *text)
{
	const char *at = buf_text(&v->merges) + 12; /* type and number */
	uint64_t len = 0;

	for (size_t i = 0; i <= index; i++) {
		at += i ? len : 0;
		memcpy(&len, at, sizeof len);
		at += sizeof len;
	}
	cr_assert_eq(len, strlen(text));
	cr_assert(memcmp(at, text, len) == 0, "merge %zu is %.*s", index, (int)len, at);
}

Test(vocabulary_files, both_forms_of_merges)
{
	static const char *const files[] = {
		MODEL("\"vocab\":{\"a\":0,\"b\":1,\"ab\":2},\"merges\":[\"a b\",\"ab b\"]"),
		MODEL("\"merges\":[[\"a\",\"b\"],[\"ab\",\"b\"]],\"vocab\":{\"ab\":2,\"a\":0,\"b\":1}"),
		"{\"model\":{\"merges\":[\"a b\",\"ab b\"],\"vocab\":{\"ab\":2,\"a\":0,\"b\":1}}}",
	};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		struct vocabulary v;
		struct error err = {0};

		vocabulary_init(&v);
		cr_assert_eq(vocabulary_read_json(&v, files[i], strlen(files[i]), &err), STATUS_OK, "%s", err.text);
		cr_assert_eq(v.n, 3);
		cr_assert_eq(v.n_merges, 2);
		check_token(&v, 0, "a", TOKEN_NORMAL);
		check_token(&v, 2, "ab", TOKEN_NORMAL);
		check_merge(&v, 0, "a b");
		check_merge(&v, 1, "ab b");
		vocabulary_deinit(&v);
	}
}

Test(vocabulary_files, blanks_in_pairs_become_letters)
{
	static const char file[] = MODEL("\"vocab\":{\" \":0},\"merges\":[[\" \",\"x y \"]]");
	struct vocabulary v;
	struct error err = {0};

	vocabulary_init(&v);
	cr_assert_eq(vocabulary_read_json(&v, file, sizeof file - 1, &err), STATUS_OK, "%s", err.text);
	check_merge(&v, 0, "\xC4\xA0 x\xC4\xA0y\xC4\xA0");
	vocabulary_deinit(&v);
}

Test(vocabulary_files, sections_and_added_tokens)
{
	static const char file[] =
		"{\"version\":\"1.0\",\"added_tokens\":[{\"id\":3,\"content\":\"<s>\",\"special\":true,\"lstrip\":false},"
		"{\"special\":false,\"content\":\"\\u2581x\",\"id\":5}],\"normalizer\": {\"type\":\"NFC\"} ,"
		"\"decoder\":null,\"model\":{\"byte_fallback\":true,\"ignore_merges\":true,\"vocab\":{\"a\":0},\"merges\":[]}}";
	struct vocabulary v;
	struct error err = {0};

	vocabulary_init(&v);
	cr_assert_eq(vocabulary_read_json(&v, file, sizeof file - 1, &err), STATUS_OK, "%s", err.text);
	cr_assert(v.has_byte_fallback && v.ignores_merges);
	cr_assert_eq(v.n_added, 2);
	cr_assert(v.added[0].is_special && !v.added[1].is_special);
	cr_assert_eq(v.added[1].id, 5);
	cr_assert_eq(v.added[1].len, 4);
	cr_assert(strstr(file + v.normalizer.at, "{\"type\":\"NFC\"}") == file + v.normalizer.at + 1);
	cr_assert_eq(v.pre_tokenizer.len, 0);
	cr_assert_eq(vocabulary_pad(&v, 3, -1), STATUS_OK);
	check_token(&v, 2, "[PAD2]", TOKEN_UNUSED);
	vocabulary_deinit(&v);
}

/* What is wrong, and what the error says of it. */
static const struct {
	const char *json, *error;
} hostile[] = {
	{"", "the file: found the end, expected an object"},
	{"[]", "the file: found a list, expected an object"},
	{"{}", "has no model, expected one"},
	{"{\"model\":{}}", "has no model.vocab, expected one"},
	{"{\"model\":[]}", "model: found a list, expected an object"},
	{"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[]},\"model\":{}}", "model: is there twice, expected once"},
	{MODEL("\"vocab\":{}"), "model.vocab has no tokens, expected some"},
	{MODEL("\"vocab\":7"), "model.vocab: found a number, expected an object"},
	{MODEL("\"vocab\":[]"), "model.vocab: found a list, expected an object"},
	{MODEL("\"vocab\":{\"a\":0},\"vocab\":{}"), "model.vocab: is there twice, expected once"},
	{MODEL("\"vocab\":{\"a\":-1}"), "model.vocab: 'a' has the id -1, expected 0..1999999"},
	{MODEL("\"vocab\":{\"a\":1000000000}"), "model.vocab: 'a' has the id 1000000000, expected 0..1999999"},
	{MODEL("\"vocab\":{\"a\":1e9}"), "'a' has the id 1e9, expected 0..1999999"},
	{MODEL("\"vocab\":{\"a\":99999999999999999999999999}"), "'a' has the id 99999999999999999999999999, expected"},
	{MODEL("\"vocab\":{\"a\":2000000}"), "'a' has the id 2000000, expected 0..1999999"},
	{MODEL("\"vocab\":{\"a\":1.5}"), "'a' has the id 1.5, expected 0..1999999"},
	{MODEL("\"vocab\":{\"a\":null}"), "'a' has the id null, expected 0..1999999"},
	{MODEL("\"vocab\":{\"a\":[]}"), "'a' has the id a list, expected 0..1999999"},
	{MODEL("\"vocab\":{\"a\":3,\"b\":3}"), "model.vocab: 'b' has the id 3, which is 'a' already"},
	{MODEL("\"vocab\":{\"a\":0},\"merges\":{}"), "model.merges: found an object, expected a list"},
	{MODEL("\"vocab\":{\"a\":0},\"merges\":[1]"), "model.merges: found a number, expected a text or a pair"},
	{MODEL("\"vocab\":{\"a\":0},\"merges\":[[\"a\"]]"), "in a pair: found the end of a list, expected a text"},
	{MODEL("\"vocab\":{\"a\":0},\"merges\":[[\"a\",\"b\",\"c\"]]"), "behind a pair: found a text, expected the end"},
	{MODEL("\"vocab\":{\"a\":0},\"merges\":[[\"a\",1]]"), "in a pair: found a number, expected a text"},
	{MODEL("\"vocab\":{\"a\":0},\"merges\":[],\"merges\":[]"), "model.merges: is there twice, expected once"},
	{MODEL("\"vocab\":{\"a\":0},\"byte_fallback\":1"), "model.byte_fallback: found a number, expected true or false"},
	{"{\"model\":{\"type\":\"Unigram\",\"vocab\":[[\"a\",-1.5]]}}", "model.type is 'Unigram', expected BPE"},
	{"{\"model\":{\"type\":\"WordPiece\",\"vocab\":{\"a\":0}}}", "model.type is 'WordPiece', expected BPE"},
	{"{\"model\":{\"type\":{},\"vocab\":{\"a\":0}}}", "model.type: found an object, expected a text"},
	{"{\"added_tokens\":{}}", "added_tokens: found an object, expected a list"},
	{"{\"added_tokens\":[1]}", "added_tokens: found a number, expected an object"},
	{"{\"added_tokens\":[{\"id\":1}]}", "added_tokens: token 0 has no content, expected one"},
	{"{\"added_tokens\":[{\"content\":\"a\"}]}", "added_tokens: token 0 has no id, expected one"},
	{"{\"added_tokens\":[{\"content\":\"a\",\"id\":-7}]}", "added_tokens: 'a' has the id -7, expected 0..1999999"},
	{"{\"added_tokens\":[{\"content\":[],\"id\":1}]}", "added_tokens, content: found a list, expected a text"},
	{"{\"added_tokens\":[{\"special\":\"yes\"}]}", "added_tokens, special: found a text, expected true or false"},
	{"{\"added_tokens\":[],\"added_tokens\":[]}", "added_tokens: is there twice, expected once"},
	{"{\"model\":{\"vocab\":{\"a\":0},\"merges\":[]}} {}", "behind the file's object: found an object, expected the end"},
	{"{\"model\":{\"vocab\":{\"a\":", "tokenizer.json:1: not JSON"},
};

Test(vocabulary_files, hostile_json_is_refused_by_name)
{
	for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
		struct vocabulary v;
		struct error err = {0};
		enum status status;

		vocabulary_init(&v);
		status = vocabulary_read_json(&v, hostile[i].json, strlen(hostile[i].json), &err);
		status = status ? status : vocabulary_check_bpe(&v, &err);
		cr_assert_neq(status, STATUS_OK, "%s", hostile[i].json);
		cr_assert(strstr(err.text, hostile[i].error), "%s\n  says: %s\n  expected: %s", hostile[i].json, err.text,
		          hostile[i].error);
		cr_assert(strncmp(err.text, "tokenizer.json", 14) == 0, "%s", err.text);
		vocabulary_deinit(&v);
	}
}

Test(vocabulary_files, truncated_json_is_refused)
{
	static const char file[] =
		"{\"added_tokens\":[{\"id\":1,\"content\":\"<s>\",\"special\":true}],\"pre_tokenizer\":{\"type\":\"ByteLevel\"},"
		"\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"\\u00e9\":2},\"merges\":[[\"a\",\"b\"],\"c d\"]}}";

	for (size_t len = 0; len < sizeof file - 1; len++) {
		char *copy = malloc(len + 1); /* of just that size: a sanitizer sees what reads beyond */
		struct vocabulary v;
		struct error err = {0};

		memcpy(copy, file, len);
		vocabulary_init(&v);
		cr_assert_neq(vocabulary_read_json(&v, copy, len, &err), STATUS_OK, "%zu bytes", len);
		vocabulary_deinit(&v);
		free(copy);
	}
}

Test(vocabulary_files, nested_bomb_is_refused)
{
	char *json = malloc(200000);
	struct vocabulary v;
	struct error err = {0};

	memcpy(json, "{\"x\":", 5);
	memset(json + 5, '[', 200000 - 5);
	vocabulary_init(&v);
	cr_assert_eq(vocabulary_read_json(&v, json, 200000, &err), STATUS_FORMAT);
	cr_assert(strstr(err.text, "too many levels"), "%s", err.text);
	vocabulary_deinit(&v);
	free(json);
}

Test(vocabulary_files, merges_txt)
{
	static const char text[] = "#version: 0.2\na b\r\n\nab c\n# d\nnope\nx y z\n";
	struct vocabulary v;
	struct error err = {0};
	size_t n_bad;

	vocabulary_init(&v);
	cr_assert_eq(vocabulary_read_merges(&v, text, sizeof text - 1, &n_bad, &err), STATUS_OK);
	cr_assert_eq(n_bad, 2);
	cr_assert_eq(v.n_merges, 3);
	check_merge(&v, 1, "ab c");
	check_merge(&v, 2, "# d");
	vocabulary_deinit(&v);
}

/* A model of three pieces: "<unk>" of type unknown, "a" with score -1.5, "<0x0A>" of type byte; then a trainer_spec,
 * a field of 8 bytes and one of 4. */
static const unsigned char model[] = {
	0x0A, 0x09, 0x0A, 0x05, '<', 'u', 'n', 'k', '>', 0x18, 0x02,
	0x0A, 0x08, 0x0A, 0x01, 'a', 0x15, 0x00, 0x00, 0xC0, 0xBF,
	0x0A, 0x0A, 0x0A, 0x06, '<', '0', 'x', '0', 'A', '>', 0x18, 0x06,
	0x12, 0x02, 0x18, 0x02,
	0x79, 1, 2, 3, 4, 5, 6, 7, 8,
	0x7D, 1, 2, 3, 4,
};

Test(vocabulary_files, sentencepiece_model)
{
	struct vocabulary v;
	struct error err = {0};

	vocabulary_init(&v);
	cr_assert_eq(vocabulary_read_model(&v, (const char *)model, sizeof model, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(v.n, 3);
	check_token(&v, 0, "<unk>", TOKEN_UNKNOWN);
	check_token(&v, 1, "a", TOKEN_NORMAL);
	check_token(&v, 2, "<0x0A>", TOKEN_BYTE);
	cr_assert_float_eq(v.tokens[1].score, -1.5f, 0);
	vocabulary_deinit(&v);
}

static const struct {
	const char *bytes;
	size_t len;
	const char *error;
} hostile_models[] = {
	{"", 0, "has no pieces, expected a SentencePiece model"},
	{"\x12\x00", 2, "has no pieces"},
	{"\x0A", 1, "at byte 1: ends within a number"},
	{"\x0A\x05" "abc", 5, "at byte 0: field 1 has 5 bytes, but only 3 are left"},
	{"\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 11, "has 18446744073709551615 bytes, but only 0 are left"},
	{"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 11, "a number of more than 10 bytes"},
	{"\x02\x00", 2, "at byte 0: field 0, expected 1..536870911"},
	{"\xFA\xFF\xFF\xFF\xFF\x01\x00", 7, "expected 1..536870911"},
	{"\x0B\x0C", 2, "field 1 of kind 3, expected 0, 1, 2 or 5"},
	{"\x0F", 1, "field 1 of kind 7, expected 0, 1, 2 or 5"},
	{"\x0A\x00", 2, "piece 0: has no text, expected some"},
	{"\x0A\x03\x0A\x01\xFF", 5, "piece 0: its text is not UTF-8"},
	{"\x0A\x05\x0A\x01" "a\x18\x07", 7, "piece 0: is of type 7, expected 1..6"},
	{"\x0A\x05\x0A\x01" "a\x18\x00", 7, "piece 0: is of type 0, expected 1..6"},
	{"\x0A\x08\x0A\x01" "a\x15\x00\x00\xC0\x7F", 10, "piece 0: its score is"},
	{"\x0A\x05\x0A\x09" "abc", 7, "field 1 has 9 bytes, but only 3 are left"},
	{"\x0A\x03\x15\x00\x00", 5, "2 bytes are left, expected 4"},
	{"\x79\x00\x00", 3, "2 bytes are left, expected 8"},
};

Test(vocabulary_files, hostile_models_are_refused_by_name)
{
	for (size_t i = 0; i < sizeof hostile_models / sizeof hostile_models[0]; i++) {
		struct vocabulary v;
		struct error err = {0};

		vocabulary_init(&v);
		cr_assert_eq(vocabulary_read_model(&v, hostile_models[i].bytes, hostile_models[i].len, &err), STATUS_FORMAT,
		             "row %zu", i);
		cr_assert(strstr(err.text, hostile_models[i].error), "row %zu says: %s", i, err.text);
		cr_assert(strncmp(err.text, "tokenizer.model", 15) == 0, "%s", err.text);
		vocabulary_deinit(&v);
	}
}

Test(vocabulary_files, truncated_model_reads_nothing_beyond)
{
	for (size_t len = 0; len < sizeof model; len++) {
		char *copy = malloc(len + 1);
		struct vocabulary v;
		struct error err = {0};
		enum status status;

		memcpy(copy, model, len);
		vocabulary_init(&v);
		status = vocabulary_read_model(&v, copy, len, &err);
		cr_assert(status == STATUS_FORMAT || (status == STATUS_OK && v.n > 0), "%zu bytes", len);
		vocabulary_deinit(&v);
		free(copy);
	}
}

Test(vocabulary_files, added_tokens_beside)
{
	static const char list[] = "{\"<a>\": 7, \"x.y\": 4000000000000}";
	static const char config[] = "{\"other\":[{}],\"added_tokens_decoder\":{\"3\":{\"content\":\"<s>\",\"special\":true,"
	                             "\"lstrip\":false},\"9\":{\"content\":\"x\"}}}";
	struct vocabulary v;
	struct error err = {0};

	vocabulary_init(&v);
	cr_assert_eq(vocabulary_read_added(&v, list, sizeof list - 1, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(vocabulary_read_decoder(&v, config, sizeof config - 1, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(v.n_added, 4);
	cr_assert_eq(v.added[0].id, 7);
	cr_assert_eq(v.added[1].id, LIMIT_VOCAB);
	cr_assert(v.added[2].id == 3 && v.added[2].is_special && v.added[2].len == 3);
	cr_assert(v.added[3].id == 9 && !v.added[3].is_special);
	vocabulary_deinit(&v);
}

static const struct {
	const char *json, *error;
} hostile_lists[] = {
	{"[]", "expected an object"},
	{"{\"added_tokens_decoder\":[]}", "added_tokens_decoder is no object"},
	{"{\"added_tokens_decoder\":{\"-1\":{}}}", "a token has the id '-1', expected a whole number from 0 on"},
	{"{\"added_tokens_decoder\":{\"\":{}}}", "a token's id is empty, expected a number"},
	{"{\"added_tokens_decoder\":{\"1\":2}}", "added_tokens_decoder: a token is no object"},
	{"{\"added_tokens_decoder\":{\"1\":{}}}", "added_tokens_decoder: a token has no content"},
	{"{\"added_tokens_decoder\":{\"1\":{\"content\":1}}}", "added_tokens_decoder: content is no text"},
	{"{\"added_tokens_decoder\":{\"1\":{\"special\":[]}}}", "special is neither true nor false"},
	{"{\"added_tokens_decoder\":{\"1\"", "not JSON"},
};

Test(vocabulary_files, hostile_lists_are_refused_by_name)
{
	for (size_t i = 0; i < sizeof hostile_lists / sizeof hostile_lists[0]; i++) {
		struct vocabulary v;
		struct error err = {0};

		vocabulary_init(&v);
		cr_assert_eq(vocabulary_read_decoder(&v, hostile_lists[i].json, strlen(hostile_lists[i].json), &err),
		             STATUS_FORMAT, "%s", hostile_lists[i].json);
		cr_assert(strstr(err.text, hostile_lists[i].error), "%s says: %s", hostile_lists[i].json, err.text);
		vocabulary_deinit(&v);
	}
}
