#include "tokenizer/pretokenize.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/bisect.h"
#include "base/utf8.h"

enum {
	JIT_STACK_START = 32 << 10,
	JIT_STACK_MAX = 1 << 20,
	HEAP_LIMIT_KIB = 1 << 20, /* of the interpreter: 1 GiB */
};

struct pre_rule {
	pcre2_code *code;
	char cut; /* '\0', CUT_AFTER[0] or CUT_BEFORE[0] */
	bool jit;
};

struct pretokenizer {
	struct pre_rule rules[PRE_RULES_MAX];
	size_t n;
};

/* What one call of pretokenizer_split works with. */
struct word_splitter {
	const struct pre_rule *rule;
	pcre2_match_context *context;
	pcre2_match_data *data;
	pcre2_jit_stack *stack;
	const char *text;
	struct word_list *out;
};

void word_list_free(struct word_list *words)
{
	free(words->ends);
	*words = (struct word_list){0};
}

static void add_word(struct word_list *words, size_t end)
{
	words->failed |= words->n == words->cap &&
	                 !alloc_grow(&words->ends, &words->cap, words->n + 1, sizeof *words->ends,
	                             UINT32_MAX);
	if (!words->failed)
		words->ends[words->n++] = (uint32_t)end;
}

static enum status pcre_error(struct error *err, int code, const char *what)
{
	PCRE2_UCHAR text[128] = "unknown error";

	pcre2_get_error_message(code, text, sizeof text);
	return error_set(err, code == PCRE2_ERROR_NOMEMORY ? STATUS_NOMEM : STATUS_LIMIT,
	                 "%s: %s", what, (const char *)text);
}

static enum status compile(struct pre_rule *rule, const char *pattern, struct error *err)
{
	int code;
	PCRE2_SIZE at;

	rule->cut = *pattern == CUT_AFTER[0] || *pattern == CUT_BEFORE[0] ? *pattern++ : '\0';
	rule->code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, PCRE2_UTF | PCRE2_UCP,
	                           &code, &at, NULL);
	if (!rule->code)
		return pcre_error(err, code, "pre-tokenizer pattern");
	rule->jit = pcre2_jit_compile(rule->code, PCRE2_JIT_COMPLETE) == 0;
	return STATUS_OK;
}

enum status pretokenizer_open(struct pretokenizer **out, const struct pre_row *row,
                              struct error *err)
{
	struct pretokenizer *pre = alloc_array(1, sizeof *pre);
	enum status status = STATUS_OK;

	if (!pre)
		return error_no_memory(err, "for the pre-tokenizer");
	for (size_t i = 0; i < PRE_RULES_MAX && row->rules[i] && !status; i++) {
		status = compile(&pre->rules[i], row->rules[i], err);
		pre->n = i + 1;
	}
	if (status)
		pretokenizer_close(pre);
	else
		*out = pre;
	return status;
}

void pretokenizer_close(struct pretokenizer *pre)
{
	if (!pre)
		return;
	for (size_t i = 0; i < pre->n; i++)
		pcre2_code_free(pre->rules[i].code);
	free(pre);
}

/* Looks for the rule from `at` on. 1: *start and *end are set; 0: no match. */
static int match(const struct word_splitter *s, const char *piece, size_t len, size_t at,
                 size_t *start, size_t *end)
{
	const struct pre_rule *rule = s->rule;
	PCRE2_SPTR subject = (PCRE2_SPTR)piece;
	PCRE2_SIZE *ovector;
	int rc = PCRE2_ERROR_JIT_STACKLIMIT;

	if (rule->jit)
		rc = pcre2_jit_match(rule->code, subject, len, at, 0, s->data, s->context);
	if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
		rc = pcre2_match(rule->code, subject, len, at, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT,
		                 s->data, s->context);
	if (rc == PCRE2_ERROR_NOMATCH)
		return 0;
	if (rc < 0)
		return rc;
	ovector = pcre2_get_ovector_pointer(s->data);
	*start = ovector[0];
	*end = ovector[1];
	return 1;
}

static size_t char_len(char lead)
{
	unsigned char c = (unsigned char)lead;

	return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

/* Cuts the run of digits [start, end) in threes from the right; `base` is
 * where the piece begins in the text. */
static void cut_run(const struct word_splitter *s, const char *piece, size_t base, size_t start,
                    size_t end)
{
	size_t n = 0, left;

	for (size_t i = start; i < end; i += char_len(piece[i]))
		n++;
	left = n;
	for (size_t i = start; i < end; i += char_len(piece[i]), left--) {
		bool cut = left % 3 == 0 && (s->rule->cut == CUT_BEFORE[0] || left != n);

		if (cut && i)
			add_word(s->out, base + i);
	}
	if (s->rule->cut == CUT_AFTER[0])
		add_word(s->out, base + end);
}

/* Applies the rule to one piece of the text. */
static enum status split_piece(const struct word_splitter *s, size_t base, size_t len,
                               struct error *err)
{
	const char *piece = s->text + base;
	size_t at = 0, done = 0, start, end;
	int found = 0;

	while (at < len && (found = match(s, piece, len, at, &start, &end)) > 0 && end > start) {
		at = end;
		if (s->rule->cut) {
			cut_run(s, piece, base, start, end);
			done = s->rule->cut == CUT_AFTER[0] ? end : done;
			continue;
		}
		if (start > done)
			add_word(s->out, base + start);
		add_word(s->out, base + end);
		done = end;
	}
	if (done < len)
		add_word(s->out, base + len);
	if (s->out->failed)
		return error_no_memory(err, "to split the text into words");
	return found < 0 ? pcre_error(err, found, "pre-tokenizer") : STATUS_OK;
}

static enum status begin(struct word_splitter *s, const struct pretokenizer *pre, struct error *err)
{
	bool jit = false;

	for (size_t i = 0; i < pre->n; i++)
		jit = jit || pre->rules[i].jit;
	s->context = pcre2_match_context_create(NULL);
	s->data = pcre2_match_data_create(1, NULL);
	if (jit)
		s->stack = pcre2_jit_stack_create(JIT_STACK_START, JIT_STACK_MAX, NULL);
	if (!s->context || !s->data || (jit && !s->stack))
		return error_no_memory(err, "to split the text into words");
	/* The default of ten million fails on one long run of a class. */
	pcre2_set_match_limit(s->context, UINT32_MAX);
	pcre2_set_depth_limit(s->context, UINT32_MAX);
	pcre2_set_heap_limit(s->context, HEAP_LIMIT_KIB);
	if (jit)
		pcre2_jit_stack_assign(s->context, NULL, s->stack);
	return STATUS_OK;
}

/* Code points that came with Unicode 15.0 and 15.1, and for each one of Unicode 14 with the same
 * category and length in UTF-8: no pre-tokenizer tells them apart. PCRE2 may not know them (Debian
 * 12's has Unicode 14), but words are split as in Unicode 15.1, as in llama.cpp. */
static const struct {
	int32_t first, last, stand_in;
} new_ranges[] = {
	{0xCF3, 0xCF3, 0xC82}, {0xECE, 0xECE, 0xEC8}, {0x2FFC, 0x2FFF, 0x2FF0},
	{0x31EF, 0x31EF, 0x31C0}, {0x10EFD, 0x10EFF, 0x101FD}, {0x1123F, 0x11240, 0x10280},
	{0x11241, 0x11241, 0x101FD}, {0x11B00, 0x11B09, 0x10100}, {0x11F00, 0x11F01, 0x101FD},
	{0x11F02, 0x11F02, 0x10280}, {0x11F03, 0x11F03, 0x101FD}, {0x11F04, 0x11F10, 0x10280},
	{0x11F12, 0x11F33, 0x10280}, {0x11F34, 0x11F3A, 0x101FD}, {0x11F3E, 0x11F42, 0x101FD},
	{0x11F43, 0x11F4F, 0x10100}, {0x11F50, 0x11F59, 0x10107}, {0x1342F, 0x1342F, 0x10280},
	{0x13440, 0x13440, 0x101FD}, {0x13441, 0x13446, 0x10280}, {0x13447, 0x13455, 0x101FD},
	{0x1B132, 0x1B132, 0x10280}, {0x1B155, 0x1B155, 0x10280}, {0x1D2C0, 0x1D2D3, 0x10107},
	{0x1DF25, 0x1DF2A, 0x10280}, {0x1E030, 0x1E06D, 0x10280}, {0x1E08F, 0x1E08F, 0x101FD},
	{0x1E4D0, 0x1E4EB, 0x10280}, {0x1E4EC, 0x1E4EF, 0x101FD}, {0x1E4F0, 0x1E4F9, 0x10107},
	{0x1F6DC, 0x1F6DC, 0x10137}, {0x1F774, 0x1F776, 0x10137}, {0x1F77B, 0x1F77F, 0x10137},
	{0x1F7D9, 0x1F7D9, 0x10137}, {0x1FA75, 0x1FA77, 0x10137}, {0x1FA87, 0x1FA88, 0x10137},
	{0x1FAAD, 0x1FAAF, 0x10137}, {0x1FABB, 0x1FABD, 0x10137}, {0x1FABF, 0x1FABF, 0x10137},
	{0x1FACE, 0x1FACF, 0x10137}, {0x1FADA, 0x1FADB, 0x10137}, {0x1FAE8, 0x1FAE8, 0x10137},
	{0x1FAF7, 0x1FAF8, 0x10137}, {0x2B739, 0x2B739, 0x2B738}, {0x2EBF0, 0x2EE5D, 0x10280},
	{0x31350, 0x323AF, 0x10280},
};
enum { N_RANGES = sizeof new_ranges / sizeof new_ranges[0] };

static int32_t stand_in(int32_t cp)
{
	size_t at = 0;

	BISECT(at, N_RANGES, i, new_ranges[i].last < cp);
	return at < N_RANGES && new_ranges[at].first <= cp ? new_ranges[at].stand_in : -1;
}

/* Copies the valid UTF-8 `text` with an older character in place of each new one; *copy is NULL if
 * there is none. The caller frees it. */
static enum status replace_new(const char *text, size_t len, char **copy, struct error *err)
{
	int32_t cp, other;

	*copy = NULL;
	for (size_t at = 0, used; at < len; at += used) {
		/* The first of them has the lead byte E0. */
		if ((unsigned char)text[at] < 0xE0) {
			used = 1;
			continue;
		}
		used = utf8_decode(text + at, len - at, &cp);
		other = stand_in(cp);
		if (other < 0)
			continue;
		if (!*copy && !(*copy = alloc_strndup(text, len)))
			return error_no_memory(err, "to split the text into words");
		utf8_encode((uint32_t)other, *copy + at);
	}
	return STATUS_OK;
}

enum status pretokenizer_split(const struct pretokenizer *pre, const char *text, size_t len,
                               struct word_list *words, struct error *err)
{
	struct word_list next = {0}, swap;
	struct word_splitter s = {.out = &next};
	char *known;
	enum status status;

	words->n = 0;
	words->failed = false;
	if (!len)
		return STATUS_OK;
	add_word(words, len);
	if (words->failed)
		return error_no_memory(err, "to split the text into words");
	status = replace_new(text, len, &known, err);
	if (status)
		return status;
	s.text = known ? known : text;
	status = begin(&s, pre, err);
	for (size_t r = 0; r < pre->n && !status; r++) {
		size_t base = 0;

		s.rule = &pre->rules[r];
		next.n = 0;
		for (size_t i = 0; i < words->n && !status; i++) {
			status = split_piece(&s, base, words->ends[i] - base, err);
			base = words->ends[i];
		}
		swap = *words;
		*words = next;
		next = swap;
	}
	word_list_free(&next);
	pcre2_jit_stack_free(s.stack);
	pcre2_match_data_free(s.data);
	pcre2_match_context_free(s.context);
	free(known);
	return status;
}
