#include "checkpoint/model_id.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PARTS_MAX = 32, IS_BASENAME = 1, IS_SIZE = 2, IS_FINETUNE = 4, IS_VERSION = 8, IS_TYPE = 16 };

struct part {
	char text[MODEL_ID_MAX];
	unsigned is;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) != 0;
}

/* Past some digits. */
static const char *digits(const char *at)
{
	while (is_digit(*at))
		at++;
	return at;
}

/* 2.5, v1, iter3.1 */
static bool is_version(const char *text)
{
	const char *at = text;

	if (strncasecmp(at, "iter", 4) == 0)
		at += 4;
	else if (tolower((unsigned char)*at) == 'v')
		at++;
	if (!is_digit(*at))
		return false;
	for (at = digits(at); *at == '.' && is_digit(at[1]);)
		at = digits(at + 1);
	return !*at;
}

/* Q4_K, iq2_xs, bf16, fp32 */
static bool is_type(const char *text)
{
	const char *at = text + (tolower((unsigned char)*text) == 'i');

	if (tolower((unsigned char)*at) == 'q' && is_digit(at[1])) {
		for (at += 2; *at == '_' && (isalnum((unsigned char)at[1]) || at[1] == '_'); at += 2)
			;
		return !*at;
	}
	at = text + (tolower((unsigned char)*text) == 'b');
	if (tolower((unsigned char)*at++) != 'f')
		return false;
	at += tolower((unsigned char)*at) == 'p';
	return strcmp(at, "16") == 0 || strcmp(at, "32") == 0;
}

static bool is_word(const char *text, const char *const words[])
{
	for (; *words; words++)
		if (strcasecmp(text, *words) == 0)
			return true;
	return false;
}

/* 7B, 1.5b, 8x22B, A3B, 7b1 */
static bool is_number_size(const char *text)
{
	const char *at = text;

	if (tolower((unsigned char)*at) == 'a')
		at++;
	else if (is_digit(*at) && tolower((unsigned char)*digits(at)) == 'x')
		at = digits(at) + 1;
	if (!is_digit(*at))
		return false;
	at = digits(at);
	if ((*at == '.' || *at == '_') && is_digit(at[1]))
		at = digits(at + 1);
	if (!*at || !strchr("kmbt", tolower((unsigned char)*at)))
		return false;
	at++;
	return !*at || (is_digit(*at) && !at[1]);
}

static bool is_size(const char *text)
{
	static const char *const words[] = {"small", "mini", "medium", "large", "xl", "xxl", NULL};

	return is_number_size(text) || is_word(text, words);
}

/* As it is written in a label: 7b1 is 7.1B. */
static void write_size(char *text)
{
	size_t n;

	for (char *at = text; (at = strchr(at, '_'));)
		*at = '.';
	n = strlen(text);
	if (is_digit(text[n - 1])) {
		char unit = text[n - 2], digit = text[n - 1];

		text[n - 2] = '.';
		text[n - 1] = digit;
		if (n + 1 < MODEL_ID_MAX) {
			text[n] = unit;
			text[n + 1] = '\0';
		}
	}
	n = strlen(text);
	if (n > 1 && is_digit(text[n - 2]))
		text[n - 1] = (char)toupper((unsigned char)text[n - 1]);
}

/* A size that the model has not, is the length of its context. */
static bool is_far(const char *text, uint64_t n_params)
{
	static const char units[] = " KMBT";
	size_t n = strlen(text);
	const char *unit = strchr(units, text[n - 1]);
	char *end, number[MODEL_ID_MAX];
	double size;

	memcpy(number, text, n - 1);
	number[n - 1] = '\0';
	size = strtod(number, &end);
	if (n_params == 0 || end == number || *end)
		return false;
	size *= unit ? pow(1000, (double)(unit - units)) : pow(1000, -1);
	return fabs(size - (double)n_params) > (double)(7 * n_params / 8);
}

static void annotate(struct part *part, bool is_first, uint64_t n_params)
{
	static const char *const tunings[] = {"chat", "instruct", "vision", "lora", NULL};

	if (is_version(part->text)) {
		part->is = IS_VERSION;
	} else if (is_type(part->text)) {
		part->is = IS_TYPE;
		for (char *at = part->text; *at; at++)
			*at = (char)toupper((unsigned char)*at);
	} else if (!is_first && is_size(part->text)) {
		write_size(part->text);
		part->is = IS_SIZE;
		if (is_far(part->text, n_params)) {
			char *last = part->text + strlen(part->text) - 1;

			*last = (char)tolower((unsigned char)*last);
			part->is = IS_FINETUNE;
		}
	} else if (!is_first && is_word(part->text, tunings)) {
		part->is = IS_FINETUNE;
	}
}

/* Words are no size where there is a number. */
static void drop_words(struct part *parts, size_t n)
{
	bool has_number = false;

	for (size_t i = 0; i < n; i++)
		has_number |= (parts[i].is & IS_SIZE) && strpbrk(parts[i].text, "0123456789");
	for (size_t i = 0; i < n && has_number; i++)
		if ((parts[i].is & IS_SIZE) && !strpbrk(parts[i].text, "0123456789."))
			parts[i].is &= ~(unsigned)IS_SIZE;
}

/* The base name is what comes first; what is left over is a kind of tuning. */
static void find_basename(struct part *parts, size_t n)
{
	bool at_start = true;

	for (size_t i = 0; i < n; i++) {
		if (at_start && ((!parts[i].is && is_letter(parts[i].text[0])) || (parts[i].is & IS_VERSION))) {
			parts[i].is |= IS_BASENAME;
			continue;
		}
		at_start = false;
		if (!parts[i].is)
			parts[i].is = IS_FINETUNE;
	}
	for (size_t i = n; i > 0 && (parts[i - 1].is & IS_BASENAME) && parts[i - 1].is != IS_BASENAME; i--)
		parts[i - 1].is &= ~(unsigned)IS_BASENAME;
}

/* Those of a kind, with dashes between; a size only once. */
static void join(char out[MODEL_ID_MAX], const struct part *parts, size_t n, unsigned is, unsigned is_not)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		bool again = false;

		if (!(parts[i].is & is) || (parts[i].is & is_not))
			continue;
		for (size_t j = 0; j < i && is == IS_SIZE; j++)
			again |= (parts[j].is & is) && strcmp(parts[j].text, parts[i].text) == 0;
		if (!again && used < MODEL_ID_MAX)
			used += (size_t)snprintf(out + used, MODEL_ID_MAX - used, "%s%s", used ? "-" : "",
			                         parts[i].text);
	}
}

static size_t split(struct part *parts, const char *name)
{
	size_t n = 0;

	for (const char *at = name; *at && n < PARTS_MAX;) {
		size_t len = strcspn(at, "-");

		if (len && len < MODEL_ID_MAX) {
			memcpy(parts[n].text, at, len);
			parts[n].text[len] = '\0';
			parts[n++].is = 0;
		}
		at += len + (at[len] == '-');
	}
	return n;
}

void model_id_read(struct model_id *out, const char *id, uint64_t n_params)
{
	const char *slash = strchr(id, '/'), *name = slash ? slash + 1 : id;
	struct part parts[PARTS_MAX];
	size_t n;

	memset(out, 0, sizeof *out);
	if (strchr(id, ' ') || strlen(id) >= MODEL_ID_MAX) {
		snprintf(out->name, sizeof out->name, "%.*s", MODEL_ID_MAX - 1, id);
		return;
	}
	if (slash && *id != '.')
		snprintf(out->organization, sizeof out->organization, "%.*s", (int)(slash - id), id);
	snprintf(out->name, sizeof out->name, "%.*s", MODEL_ID_MAX - 1, name);
	n = split(parts, name);
	for (size_t i = 0; i < n; i++)
		annotate(&parts[i], i == 0, n_params);
	drop_words(parts, n);
	find_basename(parts, n);
	join(out->basename, parts, n, IS_BASENAME, 0);
	join(out->size_label, parts, n, IS_SIZE, 0);
	join(out->finetune, parts, n, IS_FINETUNE, 0);
	join(out->version, parts, n, IS_VERSION, IS_BASENAME);
	if (!*out->size_label && !*out->finetune && !*out->version) /* says too little */
		out->basename[0] = '\0';
}

/* Words that are in small letters, and neither begin with a number nor are a version. */
static bool is_raised(const char *word, size_t n)
{
	bool has_small = false;

	for (size_t i = 0; i < n; i++) {
		if (isupper((unsigned char)word[i]))
			return false;
		has_small |= islower((unsigned char)word[i]) != 0;
	}
	if (!has_small || is_digit(word[0]))
		return false;
	if (word[0] != 'v' || !is_digit(word[1]))
		return true;
	for (size_t i = 1; i < n; i++)
		if (!is_digit(word[i]) && !(word[i] == '.' && i + 1 < n && is_digit(word[i + 1])))
			return true;
	return false;
}

void model_id_title(const char *text, char out[MODEL_ID_MAX])
{
	size_t used = 0;

	for (const char *at = text; *(at += strspn(at, "- \t"));) {
		size_t n = strcspn(at, "- \t");
		bool raises = is_raised(at, n);

		if (used + n + 2 > MODEL_ID_MAX)
			break;
		if (used)
			out[used++] = ' ';
		for (size_t i = 0; i < n; i++)
			out[used++] = raises && (i == 0 || !is_letter(at[i - 1])) ? (char)toupper((unsigned char)at[i])
			                                                          : at[i];
		at += n;
	}
	out[used] = '\0';
}

static void write_count(double n, char out[32])
{
	static const struct {
		double above, scale;
		char unit;
	} units[] = {{1e12, 1e-12, 'T'}, {1e9, 1e-9, 'B'}, {1e6, 1e-6, 'M'}, {-1, 1e-3, 'K'}};
	size_t i = 0;
	double scaled, whole;
	int n_digits = 0;

	while (n <= units[i].above)
		i++;
	scaled = n * units[i].scale;
	for (whole = nearbyint(scaled); whole >= 1; whole = floor(whole / 10))
		n_digits++;
	snprintf(out, 32, "%.*f%c", n_digits < 2 ? 2 - n_digits : 0, scaled, units[i].unit);
}

void model_size_label(uint64_t all, uint64_t shared, uint64_t expert, uint64_t n_experts, char out[32])
{
	char count[32];

	if (n_experts == 0) {
		write_count((double)all, out);
		return;
	}
	write_count((double)shared + (double)expert, count);
	snprintf(out, 32, "%ux%.12s", (unsigned)(n_experts % 1000000), count);
}
