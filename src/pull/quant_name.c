#include "pull/quant_name.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/text_ends.h"
#include "gguf/split_name.h"

/* As quantisers write them; bits a weight of a model of 8 B, by its files' sizes. */
static const struct {
	const char *name;
	double bits;
} types[] = {
	{"F32", 32}, {"FP32", 32}, {"F16", 16}, {"FP16", 16}, {"BF16", 16},
	{"Q8_0", 8.5}, {"Q8_K_XL", 9.7}, {"Q6_K", 6.56}, {"Q6_K_L", 6.8}, {"Q6_K_XL", 7.3},
	{"Q5_K_M", 5.7}, {"Q5_K_S", 5.57}, {"Q5_K_L", 6}, {"Q5_K_XL", 5.8}, {"Q5_0", 5.57}, {"Q5_1", 6},
	{"Q4_K_M", 4.89}, {"Q4_K_S", 4.67}, {"Q4_K_L", 5.2}, {"Q4_K_XL", 5}, {"Q4_0", 4.66}, {"Q4_1", 5.1},
	{"Q3_K_M", 4}, {"Q3_K_S", 3.66}, {"Q3_K_L", 4.3}, {"Q3_K_XL", 4.1},
	{"Q2_K", 3.17}, {"Q2_K_S", 2.98}, {"Q2_K_L", 3.4}, {"Q2_K_XL", 3.3}, {"Q2_0", 2.25}, {"Q1_0", 1.2},
	{"IQ4_XS", 4.43}, {"IQ4_NL", 4.66}, {"IQ3_M", 3.76}, {"IQ3_S", 3.67}, {"IQ3_XS", 3.5}, {"IQ3_XXS", 3.26},
	{"IQ2_M", 2.93}, {"IQ2_S", 2.74}, {"IQ2_XS", 2.59}, {"IQ2_XXS", 2.39}, {"IQ1_M", 2.15}, {"IQ1_S", 2},
	{"TQ1_0", 1.9}, {"TQ2_0", 2.3}, {"MXFP4", 4.6}, {"MXFP4_MOE", 4.6}, {"NVFP4", 4.9},
};
enum { N_TYPES = sizeof types / sizeof types[0] };

static double bits_of(const char *word, size_t len)
{
	for (size_t i = 0; i < N_TYPES; i++)
		if (strlen(types[i].name) == len && strncasecmp(types[i].name, word, len) == 0)
			return types[i].bits;
	return 0;
}

/* Types that the table has not: Q6_K_XS. */
static bool is_like_type(const char *word, size_t len)
{
	size_t i = len && toupper((unsigned char)word[0]) == 'I';

	if (len < i + 4 || toupper((unsigned char)word[i]) != 'Q' || !isdigit((unsigned char)word[i + 1]) || word[i + 2] != '_')
		return false;
	for (i += 3; i < len; i++)
		if (!isalnum((unsigned char)word[i]) && word[i] != '_')
			return false;
	return true;
}

static bool is_type(const char *word, size_t len)
{
	return bits_of(word, len) > 0 || is_like_type(word, len);
}

static const char *file_name(const char *path)
{
	return split_name_file(path);
}

enum quant_file quant_file_of(const char *path)
{
	static const char *const drafts[] = {"mtp-", "eagle3-", "dflash-", "dspark-"};
	const char *name = file_name(path);

	if (!text_has_extension(name, ".gguf"))
		return QUANT_OTHER;
	if (strstr(name, "mmproj"))
		return QUANT_PICTURES;
	if (strstr(name, "imatrix"))
		return QUANT_MATRIX;
	for (size_t i = 0; i < sizeof drafts / sizeof drafts[0]; i++)
		if (strstr(name, drafts[i]))
			return QUANT_DRAFT;
	return QUANT_MODEL;
}

/* Bytes of the path without ".gguf" and a part's number. */
static size_t stem_len(const char *path)
{
	struct split_name split;

	if (split_name_parse(path, &split))
		return split.stem;
	return strlen(path) - (text_has_extension(path, ".gguf") ? strlen(".gguf") : 0);
}

static bool is_border(char c)
{
	return c == '-' || c == '.' || c == '/';
}

/* Where the word begins whose end is at `end`. */
static size_t word_start(const char *path, size_t end)
{
	while (end && !is_border(path[end - 1]))
		end--;
	return end;
}

/* Takes "UD-" or "i1-" before a type with it. */
static size_t with_prefix(const char *path, size_t start)
{
	static const char *const prefixes[] = {"UD-", "i1-"};

	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
		size_t n = strlen(prefixes[i]);

		if (start >= n && strncasecmp(path + start - n, prefixes[i], n) == 0 &&
		    (start == n || is_border(path[start - n - 1])))
			return start - n;
	}
	return start;
}

static enum status put_upper(struct buf *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		buf_putc(out, text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i]);
	return buf_status(out);
}

enum status quant_name_put(struct buf *out, const char *path)
{
	size_t len = stem_len(path), start = word_start(path, len);

	for (size_t end = len;; end = start - 1) {
		start = word_start(path, end);
		if (is_type(path + start, end - start)) {
			start = with_prefix(path, start);
			return put_upper(out, path + start, end - start);
		}
		if (!start)
			break;
	}
	start = word_start(path, len);
	return put_upper(out, path + start, len - start);
}

double quant_bits(const char *quant)
{
	const char *word = strrchr(quant, '-');

	word = word ? word + 1 : quant;
	return bits_of(word, strlen(word));
}

int quant_matches(const char *quant, const char *tag)
{
	size_t n = strlen(tag);

	if (strcasecmp(quant, tag) == 0)
		return 2;
	for (const char *at = quant; n && strlen(at) >= n; at++)
		if (strncasecmp(at, tag, n) == 0 && (at == quant || at[-1] == '-') && (!at[n] || at[n] == '-'))
			return 1;
	return 0;
}

bool quant_is_in_path(const char *path, const char *tag)
{
	size_t n = strlen(tag);

	for (const char *at = path; strlen(at) > n; at++)
		if (strncasecmp(at, tag, n) == 0 && (at[n] == '.' || at[n] == '-'))
			return true;
	return false;
}
