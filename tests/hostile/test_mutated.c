/* Mutated model files: none may crash, hang, leak, abort or take much memory.
 *
 * usage: test_mutated [FIRST [COUNT]]   these only, told one by one
 *        test_mutated --write N FILE    the Nth as a file
 * 10,000 files by default, three of four of other families than llama; 200,000 with SOTTO_TEST_LONG,
 * N with SOTTO_TEST_MUTATIONS=N. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "hostile/pipeline.h"
#include "hostile/seeds.h"
#include "support/folder.h"

enum { N_STAGES = STAGE_DONE + 1, RSS_MAX_KIB = 256 << 10 };
#ifdef SOTTO_SANITIZER
enum { SECONDS_A_FILE = 20 }; /* a slow machine with all instruments */
#else
enum { SECONDS_A_FILE = 2 };
#endif

/* Keeps AddressSanitizer's freed memory from counting as the program's. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=8:detect_leaks=1";
}

static struct seeds seeds;

/* What the child tells: it may be dead when it is asked. */
struct progress {
	size_t current;             /* the file under way */
	size_t counts[N_STAGES];    /* how far files came */
};

static void make_file(struct buf *file, size_t index)
{
	struct test_random random = {index * 0x51ed27f5 + 1};
	size_t seed = test_random_below(&random, N_SEEDS);

	buf_clear(file);
	if (buf_append(file, seeds.files[seed].data, seeds.files[seed].len))
		abort();
	mutate(file, &seeds.fields[seed], &random);
}

static void run(size_t first, size_t count, struct progress *progress, int aloud)
{
	struct buf file = {.max = MIB(2)};

	for (size_t i = first; i < first + count; i++) {
		struct error err = {0};
		enum stage refused;
		enum status status;

		progress->current = i;
		make_file(&file, i);
		alarm(SECONDS_A_FILE);
		status = pipeline_run(file.data, file.len, STAGE_DONE, &refused, &err);
		alarm(0);
		progress->counts[refused]++;
		if (aloud)
			printf("%zu: %d: %s\n", i, (int)status, err.text);
		if (status && !err.text[0]) {
			fprintf(stderr, "FAIL: file %zu is refused without a word\n", i);
			exit(1);
		}
	}
	buf_free(&file);
}

/* In a child, so that whatever ends it can be told. */
static int run_guarded(size_t count, struct progress *progress)
{
	uint64_t started = sys_now_ms();
	struct rusage usage;
	int status;
	pid_t child = fork();

	if (child < 0) {
		perror("fork");
		return 1;
	}
	if (child == 0) {
		run(0, count, progress, 0);
		seeds_deinit(&seeds);
		exit(0); /* through exit: leaks are looked for there */
	}
	/* wait4: this child's memory, not that of those the shell had before it. */
	while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status)) {
		printf("FAIL: file %zu: %s\n", progress->current,
		       WTERMSIG(status) == SIGALRM ? "took too long" : strsignal(WTERMSIG(status)));
		return 1;
	}
	if (WEXITSTATUS(status)) {
		printf("FAIL: exit status %d, last file %zu\n", WEXITSTATUS(status), progress->current);
		return 1;
	}
	printf("%zu files, %" PRIu64 " ms, at most %ld KiB; refused by the reader %zu, the tokenizer %zu, "
	       "the model %zu; ran %zu\n", count, sys_now_ms() - started, usage.ru_maxrss,
	       progress->counts[STAGE_GGUF], progress->counts[STAGE_TOKENIZER],
	       progress->counts[STAGE_MODEL], progress->counts[STAGE_DONE]);
	if (usage.ru_maxrss > RSS_MAX_KIB) {
		printf("FAIL: more than %d KiB\n", RSS_MAX_KIB);
		return 1;
	}
	for (size_t i = 0; i < N_SEEDS; i++) { /* or the mutations are all for nothing */
		struct error err = {0};
		enum stage refused;

		if (pipeline_run(seeds.files[i].data, seeds.files[i].len, STAGE_DONE, &refused, &err)) {
			printf("FAIL: seed %zu itself: %s\n", i, err.text);
			return 1;
		}
	}
	return 0;
}

static void write_one(size_t index, const char *path)
{
	struct buf file = {.max = MIB(2)};

	make_file(&file, index);
	write_bytes(path, file.data, file.len);
	buf_free(&file);
}

int main(int argc, char **argv)
{
	const char *wanted = getenv("SOTTO_TEST_MUTATIONS");
	size_t count = getenv("SOTTO_TEST_LONG") ? 200000 : 10000;
	struct progress *progress;
	int result = 0;

	if (wanted)
		count = strtoul(wanted, NULL, 10);
	progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (progress == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	seeds_init(&seeds);
	if (argc == 4 && strcmp(argv[1], "--write") == 0)
		write_one(strtoul(argv[2], NULL, 10), argv[3]);
	else if (argc > 1)
		run(strtoul(argv[1], NULL, 10), argc > 2 ? strtoul(argv[2], NULL, 10) : 1, progress, 1);
	else
		result = run_guarded(count, progress);
	seeds_deinit(&seeds);
	munmap(progress, sizeof *progress);
	return result;
}
