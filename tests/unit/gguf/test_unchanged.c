/* A model file that is cut short, written to or replaced while it is in use. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gguf/guard.h"
#include "gguf/reader.h"
#include "gguf/writer.h"
#include "support/folder.h"
#include "support/save_gguf.h"

enum { N_WEIGHTS = 1 << 16 };

static char dir[] = "/tmp/sotto-unchanged-XXXXXX", path[64];
static float weights[N_WEIGHTS];

static void set_up(void)
{
	cr_assert_not_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/a.gguf", dir);
}

static void tear_down(void)
{
	remove_folder(dir);
}

TestSuite(gguf_unchanged, .init = set_up, .fini = tear_down);

static void save(void)
{
	struct gguf_writer *w = gguf_writer_create();
	struct error err = {0};

	for (size_t i = 0; i < N_WEIGHTS; i++)
		weights[i] = 1;
	gguf_writer_add_tensor(w, "w", BLOCK_F32, 1, (uint64_t[]){N_WEIGHTS}, weights, sizeof weights);
	cr_assert_eq(gguf_writer_save(w, path, &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
}

static struct gguf *save_and_open(void)
{
	struct gguf *gguf = NULL;
	struct error err = {0};

	save();
	cr_assert_eq(gguf_open(&gguf, path, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(gguf_check_unchanged(gguf, &err), STATUS_OK, "%s", err.text);
	cr_assert(!gguf_was_truncated(gguf));
	return gguf;
}

static double sum(const float *data)
{
	double total = 0;

	for (size_t i = 0; i < N_WEIGHTS; i++)
		total += (double)data[i];
	return total;
}

static void *sum_in_thread(void *arg)
{
	static double result[4];
	static int n;
	double *slot = &result[n++ & 3]; /* threads are made one after another */

	*slot = sum(arg);
	return slot;
}

Test(gguf_unchanged, a_file_cut_short_reads_as_zeros_and_says_so)
{
	struct gguf *gguf = save_and_open();
	const float *data = gguf_find_tensor(gguf, "w")->data;
	struct error err = {0};
	pthread_t threads[4];
	void *result;

	cr_assert_eq(sum(data), N_WEIGHTS);
	cr_assert_eq(truncate(path, 100000), 0);
	for (int i = 0; i < 4; i++)
		cr_assert_eq(pthread_create(&threads[i], NULL, sum_in_thread, (void *)(uintptr_t)data), 0);
	for (int i = 0; i < 4; i++) {
		cr_assert_eq(pthread_join(threads[i], &result), 0);
		cr_assert(*(double *)result > 0 && *(double *)result < N_WEIGHTS);
	}
	cr_assert_eq(data[0], 1.0f);
	cr_assert_eq(data[N_WEIGHTS - 1], 0.0f);
	cr_assert(gguf_was_truncated(gguf));
	cr_assert_eq(gguf_check_unchanged(gguf, &err), STATUS_FORMAT);
	cr_assert(strstr(err.text, path) && strstr(err.text, "has changed"), "%s", err.text);
	gguf_close(gguf);
}

Test(gguf_unchanged, a_file_emptied_before_its_metadata_is_asked_for)
{
	struct gguf *gguf = save_and_open();
	const float *data = gguf_find_tensor(gguf, "w")->data;

	cr_assert_eq(truncate(path, 0), 0);
	cr_assert_eq(sum(data), 0);
	cr_assert(gguf_was_truncated(gguf));
	cr_assert_null(gguf_find_tensor(gguf, "w"), "its name is gone");
	gguf_close(gguf);
}

Test(gguf_unchanged, what_happened_to_the_file_is_told_apart)
{
	static const struct {
		const char *command; /* on $f */
		enum status status;
		const char *text;
	} rows[] = {
		{"printf x >>$f", STATUS_FORMAT, "has changed"},
		{"touch -d '2001-01-01' $f", STATUS_FORMAT, "was written to"},
		{"printf x | dd of=$f bs=1 seek=999 conv=notrunc 2>/dev/null", STATUS_FORMAT, "was written to"},
		{"cp -p $f $f.new; mv $f.new $f", STATUS_FORMAT, "was replaced"},
		{"rm $f", STATUS_OK, ""}, /* what we have open stays ours */
		{"mv $f $f.old; mv $f.old $f", STATUS_OK, ""},
		{"cat $f >/dev/null", STATUS_OK, ""},
	};
	char command[256];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct gguf *gguf = save_and_open();
		struct error err = {0};

		snprintf(command, sizeof command, "f=%s; %s", path, rows[i].command);
		cr_assert_eq(system(command), 0);
		cr_assert_eq(gguf_check_unchanged(gguf, &err), rows[i].status, "row %zu", i);
		cr_assert_not_null(strstr(err.text, rows[i].text), "row %zu: %s", i, err.text);
		gguf_close(gguf);
	}
}

Test(gguf_unchanged, a_guard_slot_is_free_again_after_closing)
{
	struct gguf *many[GUARD_MAX], *one = save_and_open();
	struct error err = {0};

	gguf_close(one);
	for (int i = 0; i < GUARD_MAX; i++)
		cr_assert_eq(gguf_open(&many[i], path, &err), STATUS_OK, "%d: %s", i, err.text);
	cr_assert_eq(gguf_open(&one, path, &err), STATUS_LIMIT);
	cr_assert_not_null(strstr(err.text, "model files are open"));
	gguf_close(many[7]);
	cr_assert_eq(gguf_open(&many[7], path, &err), STATUS_OK);
	for (int i = 0; i < GUARD_MAX; i++)
		gguf_close(many[i]);
}

static void forwarded(int signal)
{
	_exit(signal == SIGBUS ? 42 : 1);
}

/* Reads past the end of a mapped file that nobody registered. */
static void fault_elsewhere(void)
{
	const volatile char *mapped;
	int fd;

	fd = open(path, O_RDWR);
	mapped = mmap(NULL, 65536, PROT_READ, MAP_PRIVATE, fd, 0);
	if (mapped == MAP_FAILED || ftruncate(fd, 10) != 0)
		_exit(2);
	_exit(mapped[65000] ? 3 : 4);
}

/* A child process, since the fault is the end of it. */
static int status_of_fault(void (*handler)(int))
{
	struct error err;
	struct gguf *gguf;
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		signal(SIGBUS, handler); /* before the first guard is set up */
		gguf = save_and_open();
		fault_elsewhere();
		_exit(gguf_check_unchanged(gguf, &err) ? 5 : 6);
	}
	cr_assert(child > 0);
	cr_assert_eq(waitpid(child, &status, 0), child);
	return status;
}

Test(gguf_unchanged, other_faults_go_where_they_went_before)
{
	int status = status_of_fault(SIG_DFL);

	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS, "status 0x%x", (unsigned)status);
	status = status_of_fault(forwarded);
	cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 42, "status 0x%x", (unsigned)status);
}
