/* The pre-tokenizer of every `tokenizer.ggml.pre` that llama.cpp of August 2026
 * knows (llama-vocab.cpp), as PCRE2 patterns for UTF and UCP.
 *
 * The patterns say what llama.cpp *does*, which is what the models are run
 * with elsewhere; where that differs from the pattern in a model's
 * tokenizer.json it is because llama.cpp folds categories together before it
 * matches with std::regex:
 * - upper and lower case are told apart for ASCII only (tekken, gpt-4o);
 * - "~" is no symbol in \p{S} (deepseek-v3, afmoe);
 * - white space outside ASCII is white space and in no other set.
 * Every pattern is linear in the length of the text: no group is repeated
 * but possessively. */
#include "tokenizer/pretokenize.h"

#include "base/words.h"

/* White space, for use within brackets. Not \s: PCRE2 has U+180E in it. */
#define WS "\\t-\\r \\x{85}\\p{Z}"
#define SPACE "[" WS "]"
#define NOSPACE "[^" WS "]"

#define CONTRACTION "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
/* What may stand in front of a word as part of it. */
#define LEAD "[^\\r\\n\\p{L}\\p{N}]?"
#define OTHERS " ?[^" WS "\\p{L}\\p{N}]+"
#define NEWLINES SPACE "*[\\r\\n]+"
/* All blanks but the one before the next word; then that one. */
#define BLANKS SPACE "+(?!" NOSPACE ")|" SPACE "+"

#define GPT2 \
	"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+|" OTHERS "|" SPACE "+(?!" NOSPACE ")"
#define LLAMA3 \
	CONTRACTION "|" LEAD "\\p{L}+|\\p{N}{1,3}|" OTHERS "[\\r\\n]*|" NEWLINES "|" BLANKS
#define QWEN2 \
	CONTRACTION "|" LEAD "\\p{L}+|\\p{N}|" OTHERS "[\\r\\n]*|" NEWLINES "|" BLANKS
#define QWEN35 \
	CONTRACTION "|" LEAD "[\\p{L}\\p{M}]+|\\p{N}| ?[^" WS "\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|" \
	NEWLINES "|" BLANKS
#define MINICPM5 \
	CONTRACTION "|" LEAD "\\p{L}+|\\p{N}+|" OTHERS "[\\r\\n]*|" NEWLINES "|" BLANKS
#define SEED_CODER \
	CONTRACTION "|" LEAD "\\p{L}+|\\p{N}| ?[^" WS "\\p{L}\\p{N}\\r\\n]+|" NEWLINES "|" BLANKS
#define BAILING \
	CONTRACTION "|" LEAD "\\p{L}+|\\p{N}|" OTHERS "[\\r\\n]*|" SPACE "*[\\r\\n]|" BLANKS
/* Letters with their marks, single blanks between letters included. */
#define EXAONE_MOE \
	CONTRACTION "|" LEAD "\\p{L}(?:[\\p{L}\\p{M}]++| \\p{L})*+|\\p{N}|" OTHERS "[\\r\\n/]?|" \
	SPACE "*[\\r\\n]|" BLANKS

/* Words of two halves: letters that are not a-z, then letters that are not
 * A-Z; `upper` and `lower` are those two sets, `tail` may follow. */
#define TWO_HALVES(upper, lower, tail) \
	LEAD upper "*" lower "+" tail "|" LEAD upper "+" lower "*" tail
#define LETTER_NOT_LOWER "[^\\P{L}a-z]"
#define LETTER_NOT_UPPER "[^\\P{L}A-Z]"
/* The same with marks counted as letters. */
#define MARKED_NOT_LOWER "[^\\p{N}\\p{P}\\p{S}\\p{Z}\\p{C}a-z]"
#define MARKED_NOT_UPPER "[^\\p{N}\\p{P}\\p{S}\\p{Z}\\p{C}A-Z]"
#define TAIL "|" OTHERS "[\\r\\n/]*|" NEWLINES "|" BLANKS
#define TEKKEN TWO_HALVES(LETTER_NOT_LOWER, LETTER_NOT_UPPER, "") "|\\p{N}" TAIL
#define GPT4O \
	TWO_HALVES(LETTER_NOT_LOWER, LETTER_NOT_UPPER, CONTRACTION "?") "|\\p{N}{1,3}" TAIL
#define GRANITE_MULTI \
	TWO_HALVES(MARKED_NOT_LOWER, MARKED_NOT_UPPER, CONTRACTION "?") "|\\p{N}{1,3}" TAIL
#define TINY_AYA LEAD "[\\p{L}\\p{M}]+" CONTRACTION "?|\\p{N}{1,3}" TAIL
#define YOUTU LEAD "[\\p{L}\\p{M}]+" CONTRACTION "?|\\p{N}" TAIL

#define HAN \
	"\\x{4E00}-\\x{9FFF}\\x{3400}-\\x{4DBF}\\x{20000}-\\x{2A6DF}\\x{2A700}-\\x{2EBEF}" \
	"\\x{F900}-\\x{FAFF}\\x{2F800}-\\x{2FA1F}"
#define KIMI \
	"[" HAN "]+|" LEAD "[^\\P{L}" HAN "]+" CONTRACTION "?|\\p{N}{1,3}|" OTHERS "[\\r\\n]*|" \
	NEWLINES "|" BLANKS

/* \p{P} and \p{S} but "~", which only the first alternative knows. */
#define PUNCT_OR_SYMBOL "[^\\p{L}\\p{M}\\p{N}\\p{Z}\\p{C}~]"
#define DEEPSEEK3 \
	"[!-/:-@\\[-`{-~][A-Za-z]+|(?:[^\\r\\n\\p{L}\\p{P}\\p{S}]|~)?[\\p{L}\\p{M}]+| ?" \
	PUNCT_OR_SYMBOL "+[\\r\\n]*|" NEWLINES "|" BLANKS
#define CJK_AND_KANA "[\\x{4E00}-\\x{9FA5}\\x{3040}-\\x{30FF}]+"
#define YOUTU_SCRIPTS \
	"[\\x{AC00}-\\x{D7A3}\\x{3131}-\\x{318E}]+|" \
	"[\\x{FF01}\\x{2026}\\x{201C}\\x{201D}\\x{2018}\\x{2019}\\x{2014}\\x{FF1A}-\\x{FF1B}\\x{FF0C}" \
	"\\x{3001}-\\x{303F}\\x{FE30}-\\x{FE4F}]+|[\\x{3105}-\\x{312F}]+|" CJK_AND_KANA
#define AFMOE_SCRIPTS \
	"[\\x{4E00}-\\x{9FFF}\\x{3400}-\\x{4DBF}\\x{8C48}-\\x{FAFF}\\x{3040}-\\x{30FF}" \
	"\\x{FF65}-\\x{FF9F}\\x{2F00}-\\x{2FDF}\\x{E40}-\\x{EFF}\\x{1780}-\\x{17FF}" \
	"\\x{1000}-\\x{109F}\\x{AA60}-\\x{AA7F}\\x{A9E0}-\\x{A9FF}\\x{AC00}-\\x{D7AF}" \
	"\\x{1100}-\\x{11FF}]+"

/* U+0800..U+9FA5 without its white space, and Hangul. */
#define DEEPSEEK_CJK \
	"[\\x{800}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}" \
	"\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{9FA5}\\x{AC00}-\\x{D7FF}]+"
#define DEEPSEEK_PUNCT \
	SPACE "?[!-/:-~\\x{FF01}-\\x{FF0F}\\x{FF1A}-\\x{FF5E}\\x{2018}-\\x{201F}\\x{3001}\\x{3002}]+"
/* Looks only where a run begins, or it would be quadratic. */
#define BLANKS_AT_END "(?<!" SPACE ")" SPACE "++\\z"
#define DEEPSEEK_LETTERS \
	SPACE "?[" \
	"A-Za-z\\x{B5}\\x{C0}-\\x{D6}\\x{D8}-\\x{F6}\\x{F8}-\\x{1BA}\\x{1BC}-\\x{1BF}" \
	"\\x{1C4}-\\x{293}\\x{295}-\\x{2AF}\\x{370}-\\x{373}\\x{376}\\x{377}\\x{37B}-\\x{37D}\\x{37F}" \
	"\\x{386}\\x{388}-\\x{38A}\\x{38C}\\x{38E}-\\x{3A1}\\x{3A3}-\\x{3F5}\\x{3F7}-\\x{481}" \
	"\\x{48A}-\\x{52F}\\x{531}-\\x{556}\\x{10A0}-\\x{10C5}\\x{13A0}-\\x{13F5}\\x{13F8}-\\x{13FD}" \
	"\\x{1C90}-\\x{1CBA}\\x{1CBD}-\\x{1CBF}\\x{1D00}-\\x{1D2B}\\x{1D6B}-\\x{1D77}" \
	"\\x{1D79}-\\x{1D9A}\\x{1E00}-\\x{1F15}\\x{1F18}-\\x{1F1D}\\x{1F20}-\\x{1F45}" \
	"\\x{1F48}-\\x{1F4D}\\x{1F50}-\\x{1F57}\\x{1F59}\\x{1F5B}\\x{1F5D}\\x{1F5F}-\\x{1F7D}" \
	"\\x{1F80}-\\x{1FB4}\\x{1FB6}-\\x{1FBC}\\x{1FBE}\\x{1FC2}-\\x{1FC4}\\x{1FC6}-\\x{1FCC}" \
	"\\x{1FD0}-\\x{1FD3}\\x{1FD6}-\\x{1FDB}\\x{1FE0}-\\x{1FEC}\\x{1FF2}-\\x{1FF4}" \
	"\\x{1FF6}-\\x{1FFC}\\x{2102}\\x{2107}\\x{210A}-\\x{2113}\\x{2115}\\x{2119}-\\x{211D}" \
	"\\x{2124}\\x{2126}\\x{2128}\\x{212A}-\\x{212D}\\x{212F}-\\x{2134}\\x{2139}" \
	"\\x{213C}-\\x{213F}\\x{2145}-\\x{2149}\\x{214E}\\x{2183}\\x{2184}\\x{2C00}-\\x{2C7B}" \
	"\\x{2C7E}-\\x{2CE4}\\x{2CEB}-\\x{2CEE}\\x{2CF2}\\x{2CF3}\\x{A640}-\\x{A66D}" \
	"\\x{A680}-\\x{A69B}\\x{A722}-\\x{A76F}\\x{A771}-\\x{A787}\\x{A78B}-\\x{A78E}" \
	"\\x{AB70}-\\x{ABBF}\\x{FB00}-\\x{FB06}\\x{FB13}-\\x{FB17}\\x{FF21}-\\x{FF3A}" \
	"\\x{FF41}-\\x{FF5A}\\x{10400}-\\x{1044F}\\x{104B0}-\\x{104D3}\\x{104D8}-\\x{104FB}" \
	"\\x{10C80}-\\x{10CB2}\\x{10CC0}-\\x{10CF2}\\x{118A0}-\\x{118DF}\\x{1E900}-\\x{1E943}]+"

#define BLOOM " ?[^(" WS "|.,!?\\x{2026}\\x{3002}\\x{FF0C}\\x{3001}\\x{964}\\x{6D4}\\x{60C})]+"
#define LINES "[^\\n]+|\\n+"

/* llama3 first; then runs of blanks in pieces of 512, 256 ... 2, 1. The first
 * two alternatives keep every other piece whole. */
#define BLANKS_BY_SIZE \
	"\\A(?s:.)++(?<=[\\r\\n])|\\A" SPACE "*+" NOSPACE "(?s:.)*+|" SPACE "{512}|" SPACE "{256}|" \
	SPACE "{128}|" SPACE "{64}|" SPACE "{32}|" SPACE "{16}|" SPACE "{8}|" SPACE "{4}|" \
	SPACE "{1,2}"

const struct pre_row pre_table[] = {
	{"default", {"[\\p{P}$+<=>\\^~|]+", GPT2, "\\p{N}+", "[0-9]{3}"}, 0},
	{"llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
	 {LLAMA3}, PRE_IGNORE_MERGES | PRE_ADD_BOS},
	{"dbrx smaug-bpe", {LLAMA3}, 0},
	{"glm4 chatglm-bpe", {LLAMA3}, PRE_NO_DEFAULT_BOS},
	{"jais-2", {LLAMA3, BLANKS_BY_SIZE}, 0},
	{"minicpm5", {"\\p{N}{1,3}", MINICPM5}, PRE_IGNORE_MERGES},
	{"deepseek-llm",
	 {"[\\r\\n]", DEEPSEEK_LETTERS, DEEPSEEK_PUNCT, BLANKS_AT_END, DEEPSEEK_CJK, "\\p{N}+"}, 0},
	{"deepseek-coder",
	 {"[\\r\\n]", SPACE "?\\p{L}+", SPACE "?\\p{P}+", DEEPSEEK_CJK, "\\p{N}"}, 0},
	{"deepseek-v3 hunyuan-dense joyai-llm", {"\\p{N}{1,3}", CJK_AND_KANA, DEEPSEEK3}, 0},
	{"youtu", {YOUTU_SCRIPTS, YOUTU}, PRE_IGNORE_MERGES},
	{"falcon", {"[\\p{P}$+<=>\\^~|`]+", GPT2, "[0-9]{3}"}, 0},
	{"starcoder refact command-r smollm codeshell exaone minerva-7b mellum2",
	 {"\\p{N}", GPT2}, 0},
	{"gpt-2 phi-2 jina-es jina-de gigachat a.x-4.0 mellum modern-bert jina-v1-en roberta-bpe "
	 "mpt olmo jais trillion granite-docling exaone4", {GPT2}, 0},
	{"jina-v2-es jina-v2-de jina-v2-code", {GPT2}, PRE_MASK_STRIPS},
	{"qwen2 deepseek-r1-qwen kormo f2llmv2 megrez stablelm2 hunyuan solar-open grok-2",
	 {QWEN2}, 0},
	{"qwen35", {QWEN35}, 0},
	{"exaone-moe", {EXAONE_MOE}, 0},
	{"poro-chat bloom gpt3-finnish", {BLOOM}, 0},
	{"viking", {BLOOM, "\\p{N}"}, 0},
	{"tekken", {TEKKEN}, PRE_IGNORE_MERGES | PRE_ADD_BOS},
	{"chameleon",
	 {"<sentinel:[0-9]+>", "IMGIMG[A-I]{1,4}Z", "[\\t\\n]| {4}| {2}", "\\p{N}",
	  "[\\p{P}!-/:-@\\[-`{-~]", GPT2}, PRE_ADD_BOS},
	{"gpt-4o llama4 kanana2 talkie minimax-m2", {GPT4O}, 0},
	{"granite-embed-multi-97m", {GRANITE_MULTI}, PRE_IGNORE_MERGES},
	{"tiny_aya cohere2moe", {CUT_AFTER "\\p{N}+", TINY_AYA}, 0},
	{"superbpe", {"\\p{N}+", CUT_BEFORE "[0-9]+"}, 0},
	{"bailingmoe bailingmoe2 llada-moe", {BAILING}, 0},
	{"seed-coder", {SEED_CODER}, 0},
	{"kimi-k2", {KIMI}, PRE_MERGES_OPTIONAL},
	{"afmoe", {CUT_AFTER "\\p{N}+", AFMOE_SCRIPTS, DEEPSEEK3}, 0},
	{"laguna", {LINES, QWEN2}, 0},
	{"gemma4 granite-embed-multi-311m",
	 {LINES}, PRE_RAW | PRE_ESCAPE | PRE_NEWLINES | PRE_FORCE_BOS},
	{"sarvam-moe", {LINES}, PRE_RAW | PRE_ESCAPE},
	{"whitespace", {NOSPACE "+"}, PRE_RAW},
};

const size_t pre_table_len = sizeof pre_table / sizeof pre_table[0];

const struct pre_row *pre_find(const char *name, size_t len)
{
	for (size_t i = 0; i < pre_table_len; i++)
		if (words_have(pre_table[i].names, name, len))
			return &pre_table[i];
	return NULL;
}
