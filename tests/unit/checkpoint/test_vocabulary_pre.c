/* Rules of tokenizer.json, and the names they have. */
#include <criterion/criterion.h>
#include <string.h>

#include "checkpoint/vocabulary_pre.h"
#include "tokenizer/pretokenize.h"

/* Names of the reference's table that belong to no language model, and that no row of tokenizer/pretokenize_table.c has. */
static const char *const unknown[] = {"bert-bge-large", "jina-v2-en"};

static bool is_unknown(const char *name)
{
	for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
		if (strcmp(name, unknown[i]) == 0)
			return true;
	return false;
}

Test(vocabulary_pre, tables_name_what_is_known)
{
	for (size_t i = 0; i < pre_hashes_len; i++) {
		const char *name = pre_hashes[i].name;

		cr_assert_eq(strlen(pre_hashes[i].sha256), 64);
		cr_assert_eq(strspn(pre_hashes[i].sha256, "0123456789abcdef"), 64);
		cr_assert((pre_find(name, strlen(name)) != NULL) != is_unknown(name), "%s", name);
		for (size_t j = 0; j < i; j++)
			cr_assert_str_neq(pre_hashes[i].sha256, pre_hashes[j].sha256);
	}
	for (size_t i = 0; i < pre_rules_len; i++) {
		cr_assert(pre_find(pre_rules[i].name, strlen(pre_rules[i].name)));
		cr_assert(!pre_rules[i].name_ignoring || pre_find(pre_rules[i].name_ignoring, strlen(pre_rules[i].name_ignoring)));
	}
}

#define SPLIT(regex) "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"" regex "\"},\"behavior\":\"Isolated\",\"invert\":false}"
#define LETTERS "{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"use_regex\":false}"
#define LIST(rules) "{\"type\":\"Sequence\",\"pretokenizers\":[" rules "]}"
#define TAIL "\\\\s*[\\\\r\\\\n]+|\\\\s+(?!\\\\S)|\\\\s+"
#define HALVES \
	"[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?[\\\\p{Lu}\\\\p{Lt}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]*[\\\\p{Ll}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]+"
#define HALVES_2 \
	"[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?[\\\\p{Lu}\\\\p{Lt}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]+[\\\\p{Ll}\\\\p{Lm}\\\\p{Lo}\\\\p{M}]*"
#define SHORT "(?i:'s|'t|'re|'ve|'m|'ll|'d)"

/* As tokenizer.json files of these models have them. */
static const struct {
	const char *json, *name;
} rules[] = {
	{LIST(SPLIT(SHORT "|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|\\\\p{N}{1,3}| ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|" TAIL) "," LETTERS),
	 "dbrx"},
	{LIST(SPLIT(SHORT "|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?\\\\p{L}+|\\\\p{N}| ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n]*|" TAIL) "," LETTERS), "qwen2"},
	{LIST(SPLIT(SHORT "|[^\\\\r\\\\n\\\\p{L}\\\\p{N}]?[\\\\p{L}\\\\p{M}]+|\\\\p{N}| ?[^\\\\s\\\\p{L}\\\\p{M}\\\\p{N}]+[\\\\r\\\\n]*|" TAIL) "," LETTERS),
	 "qwen35"},
	{LIST(SPLIT(HALVES SHORT "?|" HALVES_2 SHORT "?|\\\\p{N}{1,3}| ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n/]*|" TAIL) "," LETTERS), "gpt-4o"},
	{LIST(SPLIT(HALVES "|" HALVES_2 "|\\\\p{N}| ?[^\\\\s\\\\p{L}\\\\p{N}]+[\\\\r\\\\n/]*|" TAIL) "," LETTERS), "tekken"},
	{LIST("{\"type\":\"Digits\",\"individual_digits\":true},{\"type\":\"ByteLevel\",\"use_regex\":true}"), "smollm"},
	{"{\"type\":\"ByteLevel\",\"add_prefix_space\":false,\"trim_offsets\":true}", "gpt-2"},
	{"{\"type\":\"Split\",\"pattern\":{\"Regex\":\"x\"},\"behavior\":\"Removed\",\"invert\":true}", NULL},
	{"{\"type\":\"Split\",\"pattern\":{\"String\":\" \"},\"behavior\":\"MergedWithPrevious\",\"invert\":false}", "granite-embed-multi-311m"},
	{LIST("{\"type\":\"Digits\",\"individual_digits\":false},{\"type\":\"ByteLevel\"}"), NULL},
	{"{\"type\":\"Metaspace\"}", NULL},
	{LIST(""), NULL},
	{"{\"type\":\"Sequence\",\"pretokenizers\":7}", NULL},
};

Test(vocabulary_pre, rules_have_names)
{
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		struct settings_tree *tree = NULL;
		struct error err = {0};
		struct buf text = {.max = 1 << 16};
		const char *name = NULL;

		cr_assert_eq(settings_tree_parse(&tree, "rules", rules[i].json, strlen(rules[i].json), &err), STATUS_OK, "%s", err.text);
		pre_describe(tree, &text);
		for (size_t j = 0; j < pre_rules_len; j++)
			if (strcmp(pre_rules[j].rules, buf_text(&text)) == 0)
				name = pre_rules[j].name;
		cr_assert((name == NULL) == (rules[i].name == NULL) && (!name || strcmp(name, rules[i].name) == 0), "rule %zu is %s: %s", i,
		          name ? name : "not known", buf_text(&text));
		settings_tree_free(tree);
		buf_free(&text);
	}
}
