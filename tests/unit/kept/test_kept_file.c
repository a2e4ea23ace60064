/* Candidates that are written come back, within their budget, whatever has happened to the file. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kept/kept_file.h"
#include "support/faulter.h"

enum { N_VOCAB = 150000 };

static char folder[] = "/tmp/sotto-kept-XXXXXX", path[64];

static void set_up(void)
{
	cr_assert(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/chat.kept", folder);
}

static void tear_down(void)
{
	unlink(path);
	rmdir(folder);
}

TestSuite(kept_file, .init = set_up, .fini = tear_down);

/* The same numbers each time. */
static uint32_t next(uint32_t *state)
{
	return (*state = *state * 1664525 + 1013904223) >> 8;
}

/* Ids like those of a text: a few thousand of them make up most. */
static int32_t random_id(uint32_t *state)
{
	return (int32_t)(next(state) % 4 ? next(state) % 3000 : next(state) % N_VOCAB);
}

static void add_random(struct kept *kept, uint32_t node, uint32_t *state, const char *cut_by)
{
	struct token_candidate candidates[TOKEN_CANDIDATES_MAX];
	float logit = 20;

	for (size_t i = 0; i < TOKEN_CANDIDATES_MAX; i++) {
		struct token_candidate *to = &candidates[i];

		logit -= (float)(next(state) % 1000) / 2000;
		*to = (struct token_candidate){.id = random_id(state), .logit = logit, .probability = 0.3F,
		                               .chosen_p = i < 12 ? 1.0F / (float)(i + 2) : 0, .cut_by = i < 12 ? NULL : cut_by};
		to->len = (uint8_t)snprintf(to->text, sizeof to->text, " w%d", (int)to->id);
	}
	cr_assert_eq(kept_add(kept, node, &(struct token){
		.id = candidates[0].id, .probability = 0.5F, .log_sum = 21.5F, .entropy = 1.25F, .bytes = candidates[0].text,
		.len = candidates[0].len, .candidates = candidates, .n_candidates = TOKEN_CANDIDATES_MAX}, 12345, NULL), STATUS_OK);
}

static void begin(struct kept *kept, uint32_t node, size_t from)
{
	int32_t tail[KEPT_TAIL_MAX];

	for (int32_t i = 0; i < KEPT_TAIL_MAX; i++)
		tail[i] = i * 500;
	cr_assert_eq(kept_begin(kept, node, from, "0123456789abcdef",
	                        &(struct turn_begin){.n_vocab = N_VOCAB, .n_prompt = 1000, .tail = tail, .n_tail = KEPT_TAIL_MAX},
	                        NULL), STATUS_OK);
}

static struct kept *make(uint32_t node, size_t n)
{
	struct kept *kept = kept_create();
	uint32_t state = node;

	cr_assert(kept);
	begin(kept, node, 0);
	for (size_t i = 0; i < n; i++)
		add_random(kept, node, &state, "top-k");
	return kept;
}

static size_t file_size(void)
{
	struct stat st;

	return stat(path, &st) == 0 ? (size_t)st.st_size : 0;
}

static struct kept *read_back(void)
{
	struct kept *kept = kept_create();

	cr_assert(kept);
	kept_file_read(kept, path, &io_system);
	return kept;
}

static bool is_same(float a, float b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

/* At least `least` candidates of each token came back as they were. */
static void expect_token(const struct kept_token *a, const struct kept_token *b, size_t least)
{
	cr_assert_eq(a->id, b->id);
	cr_assert_eq(a->flags, b->flags);
	cr_assert_eq(a->n_bytes, b->n_bytes);
	cr_assert_eq(a->us, b->us);
	cr_assert(is_same(a->probability, b->probability) && is_same(a->raw_p, b->raw_p));
	cr_assert(is_same(a->entropy, b->entropy) && is_same(a->log_sum, b->log_sum));
	cr_assert(b->n_candidates >= least && b->n_candidates <= a->n_candidates, "%zu candidates", b->n_candidates);
	for (size_t i = 0; i < b->n_candidates; i++) {
		const struct kept_candidate *x = &a->candidates[i], *y = &b->candidates[i];

		cr_assert(x->id == y->id && is_same(x->logit, y->logit));
		cr_assert(i >= KEPT_SHOWN || x->cut_by == y->cut_by);
		cr_assert(i >= KEPT_SHOWN || fabsf(x->chosen_p - y->chosen_p) <= x->chosen_p / 4000);
	}
}

static void expect_reply(const struct kept *before, const struct kept *after, uint32_t node, size_t least)
{
	const struct kept_reply *a = kept_reply(before, node), *b = kept_reply(after, node);

	cr_assert(a && b);
	cr_assert_eq(kept_n(a), kept_n(b));
	cr_assert_eq(kept_n_vocab(a), kept_n_vocab(b));
	for (size_t i = 0; i < kept_n(a); i++)
		expect_token(kept_token(a, i), kept_token(b, i), least);
}

Test(kept_file, comes_back_within_its_budget)
{
	static const size_t lengths[] = {1, 2, 7, 100, KEPT_RECORD_TOKENS, KEPT_RECORD_TOKENS + 1, 3000};

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct kept *kept = make(3, lengths[i]), *back;

		unlink(path);
		kept_file_write(kept, path, &io_system);
		cr_assert(file_size() > 0 && file_size() <= KEPT_BYTES * lengths[i], "%zu bytes for %zu tokens", file_size(),
		          lengths[i]);
		back = read_back();
		expect_reply(kept, back, 3, KEPT_SHOWN);
		kept_free(back);
		kept_free(kept);
	}
}

Test(kept_file, has_all_of_top_k_in_the_long_run)
{
	struct kept *kept = make(1, 4000), *back;
	const struct kept_reply *reply;
	size_t n, least = TOKEN_CANDIDATES_MAX;
	bool is_whole;

	kept_file_write(kept, path, &io_system);
	back = read_back();
	reply = kept_reply(back, 1);
	for (size_t i = 2000; i < 4000; i++) {
		const struct kept_token *token = kept_token(reply, i);

		least = token->n_candidates < least ? token->n_candidates : least;
		for (size_t j = 0; j < KEPT_SHOWN; j++) {
			char expected[24];
			size_t len;
			const char *text = kept_text(reply, token->candidates[j].id, &len);

			snprintf(expected, sizeof expected, " w%d", (int)token->candidates[j].id);
			cr_assert(text && len == strlen(expected) && memcmp(text, expected, len) == 0);
		}
	}
	cr_assert(least >= 41, "%zu", least);
	cr_assert_eq(kept_tail(reply, &n, &is_whole)[0], 0);
	cr_assert(n == KEPT_TAIL_MAX && !is_whole);
	kept_free(back);
	kept_free(kept);
}

Test(kept_file, goes_on_with_what_was_read)
{
	struct kept *kept = make(2, 10), *back;
	uint32_t state = 77;
	size_t first;

	kept_file_write(kept, path, &io_system);
	first = file_size();
	back = read_back();
	begin(back, 2, 6); /* the reply is cut, and goes on */
	add_random(back, 2, &state, "min-p");
	begin(back, 9, 0);
	add_random(back, 9, &state, "top-p");
	kept_file_write(back, path, &io_system);
	cr_assert(file_size() > first && file_size() <= KEPT_BYTES * 12);
	kept_free(kept);
	kept = read_back();
	expect_reply(back, kept, 2, KEPT_SHOWN);
	expect_reply(back, kept, 9, KEPT_SHOWN);
	cr_assert_eq(kept_n(kept_reply(kept, 2)), 7);
	cr_assert_str_eq(kept_cut_name(kept_token(kept_reply(kept, 9), 0)->candidates[15].cut_by), "top-p");
	kept_free(back);
	kept_free(kept);
}

static void write_bytes(const char *bytes, size_t n)
{
	FILE *file = fopen(path, "w");

	cr_assert(file && fwrite(bytes, 1, n, file) == n);
	fclose(file);
}

/* What comes back of a damaged file is a beginning of what there was, and it can be written again. */
static void expect_beginning(const struct kept *kept, uint32_t last)
{
	struct kept *back = read_back();

	for (uint32_t node = 1; node <= last; node++)
		if (kept_reply(back, node))
			expect_reply(kept, back, node, KEPT_SHOWN);
	cr_assert(!kept_reply(back, last + 1));
	kept_free(back);
}

Test(kept_file, survives_damage_of_each_byte)
{
	struct kept *kept = make(1, 2);
	static char bytes[4096];
	uint32_t state = 5;
	size_t n;
	FILE *file;

	kept_file_write(kept, path, &io_system);
	begin(kept, 2, 0);
	add_random(kept, 2, &state, "top-k");
	kept_file_write(kept, path, &io_system);
	file = fopen(path, "r");
	n = file ? fread(bytes, 1, sizeof bytes, file) : 0;
	cr_assert(n > 0 && n < sizeof bytes);
	fclose(file);
	for (size_t i = 0; i < n; i++) {
		for (int change = 1; change < 256; change *= 4) {
			bytes[i] ^= (char)change;
			write_bytes(bytes, n);
			expect_beginning(kept, 2);
			bytes[i] ^= (char)change;
		}
		write_bytes(bytes, i);
		expect_beginning(kept, 2);
	}
	kept_free(kept);
}

Test(kept_file, begins_a_damaged_file_anew)
{
	struct kept *kept = make(1, 20), *back;
	uint32_t state = 5;

	kept_file_write(kept, path, &io_system);
	cr_assert_eq(truncate(path, (off_t)file_size() - 1), 0);
	back = read_back();
	cr_assert(!kept_reply(back, 1));
	begin(back, 2, 0);
	add_random(back, 2, &state, "top-k");
	kept_file_write(back, path, &io_system);
	kept_free(kept);
	kept = read_back();
	expect_reply(back, kept, 2, KEPT_SHOWN);
	kept_free(back);
	kept_free(kept);
}

/* As much as there is room for. */
static ssize_t fault_pwrite(int fd, const void *bytes, size_t n, off_t at)
{
	ssize_t wrote = pwrite(fd, bytes, faulter_fails('p') ? n / 2 : n, at);

	return wrote == (ssize_t)n ? wrote : -1;
}

static void expect_file(const struct kept *kept, uint32_t last)
{
	struct kept *back = read_back();

	for (uint32_t node = 1; node <= last; node++)
		expect_reply(kept, back, node, KEPT_SHOWN);
	cr_assert_eq(kept_last(back), last);
	kept_free(back);
}

/* The disk is full from the call on, and later it is not. */
Test(kept_file, goes_on_where_a_write_has_failed)
{
	bool has_failed = true;

	for (size_t at = 1; has_failed; at++) {
		struct kept *kept = make(1, 20);
		struct faulter faulter = {.error = ENOSPC, .at = at, .forever = true};
		uint32_t state = 5;

		faulter_init(&faulter);
		faulter.ops.pwrite = fault_pwrite;
		kept_file_write(kept, path, &io_system);
		begin(kept, 2, 0);
		cr_assert_eq(kept_begin(kept, 3, 0, "another model", &(struct turn_begin){.n_vocab = N_VOCAB}, NULL), STATUS_OK);
		for (size_t i = 0; i < 600; i++)
			add_random(kept, i % 2 ? 2 : 3, &state, "top-k");
		kept_file_write(kept, path, &faulter.ops);
		has_failed = faulter.fired;
		kept_file_write(kept, path, &io_system);
		expect_file(kept, 3);
		kept_free(kept);
		unlink(path);
	}
}

Test(kept_file, is_private_and_may_be_deleted)
{
	struct kept *kept = make(1, 3), *back;
	uint32_t state = 5;
	struct stat st;

	kept_file_write(kept, path, &io_system);
	cr_assert(stat(path, &st) == 0 && (st.st_mode & 0777) == 0600);
	unlink(path);
	add_random(kept, 1, &state, "top-k");
	kept_file_write(kept, path, &io_system);
	back = read_back();
	expect_reply(kept, back, 1, KEPT_SHOWN);
	kept_free(back);
	kept_free(kept);
}
