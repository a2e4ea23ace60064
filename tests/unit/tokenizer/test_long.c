/* Long runs of one class of characters on a small stack: the sizes that make
 * recursive matchers and quadratic merging fail. 16 MiB with SOTTO_TEST_LONG,
 * else less; within 15 s, 2 GB and 256 KiB of stack. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/limits.h"
#include "support/cpu_time.h"
#include "tokenizer/pretokenize.h"
#include "unit/tokenizer/util.h"

static const char *const units[] = {
	"a", "A", "1", " ", "\n", "\t", "!", "~", "'", "\xC3\xA9", "\xE4\xB8\xAD", "\xCC\x81",
	"\xF0\x9F\x98\x80", "\xE3\x80\x80", "\xD9\xA3", "\x01", "aA", "a ", "A1", " \n", "hello ", "\xFF",
};
enum { N_UNITS = sizeof units / sizeof units[0] };

struct job {
	const struct tokenizer *tokenizer;
	const char *text;
	size_t len, n_ids;
	enum status status;
};

static void *encode(void *arg)
{
	struct job *job = arg;
	struct token_list ids = {0};

	job->status = tokenizer_encode(job->tokenizer, job->text, job->len, 0, &ids, NULL);
	job->n_ids = ids.n;
	token_list_free(&ids);
	return NULL;
}

static void encode_on_small_stack(struct job *job)
{
	pthread_attr_t attr;
	pthread_t thread;

	cr_assert_eq(pthread_attr_init(&attr), 0);
	cr_assert_eq(pthread_attr_setstacksize(&attr, KIB(256)), 0);
	cr_assert_eq(pthread_create(&thread, &attr, encode, job), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
}

/* Each unit repeated to `len` bytes, then something else so that what looks
 * ahead has something to see. */
static void check_runs(const struct tokenizer *t, const char *what, size_t len)
{
	char *text = malloc(len + 16);

	cr_assert_not_null(text);
	for (size_t u = 0; u < N_UNITS; u++) {
		size_t unit = strlen(units[u]), at = 0;
		struct job job = {.tokenizer = t, .text = text};
		uint64_t start = test_cpu_ms();

		for (; at + unit <= len; at += unit)
			memcpy(text + at, units[u], unit);
		memcpy(text + at, "\xE4\xB8\xAD!", 4);
		job.len = at + 4;
		encode_on_small_stack(&job);
		cr_expect_eq(job.status, STATUS_OK, "%s, unit %zu: %d", what, u, (int)job.status);
		cr_expect(job.n_ids > 0);
#ifndef SOTTO_SANITIZER
		cr_expect_lt(test_cpu_ms() - start, 15000, "%s, unit %zu", what, u);
#else
		(void)start;
#endif
	}
	free(text);
}

static void check_memory(void)
{
#ifndef SOTTO_SANITIZER
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	cr_expect(usage.ru_maxrss < 2 << 20, "%ld KiB", usage.ru_maxrss);
#endif
}

Test(long_runs, sentencepiece, .timeout = 3600)
{
	struct tokenizer *t = open_tiny(&small_spm);

	check_runs(t, "spm", getenv("SOTTO_TEST_LONG") ? MIB(16) : KIB(128));
	check_memory();
	tokenizer_close(t);
}

Test(long_runs, byte_level_bpe, .timeout = 3600)
{
	struct tiny_vocabulary tiny = small_bpe;
	static const char *const names[] = {"gpt-2", "llama-bpe", "deepseek-coder"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct tokenizer *t;

		tiny.pre = names[i];
		t = open_tiny(&tiny);
		check_runs(t, names[i], getenv("SOTTO_TEST_LONG") ? MIB(16) : KIB(128));
		check_memory();
		tokenizer_close(t);
	}
}

/* Every set of rules, shorter: what is quadratic shows here, too. */
Test(long_runs, every_pre_tokenizer, .timeout = 3600)
{
	struct tiny_vocabulary tiny = small_bpe;

	for (size_t i = 0; i < pre_table_len; i++) {
		char name[64] = "";
		struct tokenizer *t;
		size_t k = 0;

		while (strcmp(pre_table[k].rules[0], pre_table[i].rules[0]) != 0 ||
		       !pre_table[k].rules[1] != !pre_table[i].rules[1])
			k++;
		if (k < i)
			continue; /* seen */
		tiny.pre = strncat(name, pre_table[i].names, strcspn(pre_table[i].names, " "));
		t = open_tiny(&tiny);
		check_runs(t, tiny.pre, getenv("SOTTO_TEST_LONG") ? MIB(2) : KIB(32));
		tokenizer_close(t);
	}
}

Test(long_runs, more_than_the_limit_is_refused)
{
	struct tokenizer *t = open_tiny(&small_bpe);
	struct token_list ids = {0};
	struct error err;
	const struct text_span spans[] = {{"ab", 2, false}, {NULL, LIMIT_TOKENIZE_INPUT, true}};

	cr_expect_eq(tokenizer_encode(t, "", LIMIT_TOKENIZE_INPUT + 1, 0, &ids, &err), STATUS_LIMIT);
	cr_expect_eq(tokenizer_encode_spans(t, spans, 2, 0, &ids, &err), STATUS_LIMIT);
	cr_expect_eq(ids.n, 0);
	tokenizer_close(t);
}
