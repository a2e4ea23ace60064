/* Templates made to take all there is. Each ends soon, with a message, and
 * without taking much memory: one process a bomb, so that this is seen.
 *
 *   test_bombs        all of them
 *   test_bombs WORD   those with the word in their name, with what came of them */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "bombs.h"
#include "jinja/jinja.h"

enum { TEXT_BYTES = 256 << 10, NUMBERS = 1000, RSS_MIB = 64, KILL_S = 60 };

/* Of the processor: half a second, and what goes by between two looks at the
 * clock. */
#ifdef SOTTO_SANITIZER
enum { MAX_MS = 8000 };
#else
enum { MAX_MS = 600 };
#endif

static bool build(struct buf *out, const struct bomb *bomb)
{
	buf_puts(out, bomb->before);
	for (size_t i = 0; i < bomb->times; i++)
		buf_puts(out, bomb->again);
	buf_puts(out, bomb->after);
	for (size_t i = 0; bomb->closing && i < bomb->times; i++)
		buf_puts(out, bomb->closing);
	if (bomb->closing)
		buf_puts(out, " }}");
	return !buf_status(out);
}

static void fill(struct jinja_context *context)
{
	static char text[TEXT_BYTES];
	struct arena *arena = jinja_context_arena(context);
	struct jinja_value numbers = value_list(arena, LIST_LIST);

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = i % 2 ? ' ' : 'x';
	for (int i = 0; i < NUMBERS; i++)
		list_push(arena, numbers.u.list, value_int(i));
	jinja_context_set(context, "text", value_text(arena, text, sizeof text, 1));
	jinja_context_set(context, "numbers", numbers);
}

static enum status set_off(const struct buf *source, struct error *err)
{
	struct jinja_template *tmpl = NULL;
	struct jinja_context *context = NULL;
	struct jinja_output output = {0};
	enum status status = jinja_parse(&tmpl, "bomb", buf_text(source), source->len, NULL, err);

	if (!status)
		status = jinja_context_create(&context, LIMIT_JINJA_MEMORY, err);
	if (!status) {
		fill(context);
		status = jinja_render(tmpl, context, NULL, &output, err);
	}
	jinja_output_free(&output);
	jinja_context_free(context);
	jinja_free(tmpl);
	return status;
}

struct used {
	long ms, peak_mib;
};

static struct used used_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct used){
		.ms = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
		      (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000,
		.peak_mib = usage.ru_maxrss >> 10,
	};
}

/* In a process of its own. What it exits with: 0 if all is well. */
static int run(const struct bomb *bomb, bool verbose)
{
	struct error err = {0};
	struct buf source = {.max = MIB(2)};
	enum status status;
	struct used before, after;
	bool fine;

	alarm(KILL_S);
	if (!build(&source, bomb))
		return 1;
	before = used_so_far();
	status = set_off(&source, &err);
	after = used_so_far();
	buf_free(&source);
	after.ms -= before.ms;
	after.peak_mib -= before.peak_mib;
	fine = (status == STATUS_LIMIT || status == STATUS_FORMAT) && err.text[0] &&
	       after.ms <= MAX_MS;
#ifndef SOTTO_SANITIZER
	fine = fine && after.peak_mib <= RSS_MIB;
#endif
	if (verbose || !fine)
		printf("%s: %ld ms, %ld MiB, %d: %s\n", bomb->name, after.ms, after.peak_mib,
		       (int)status, err.text);
	return !fine;
}

static bool survives(const struct bomb *bomb, bool verbose)
{
	int state;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		state = run(bomb, verbose);
		fflush(stdout);
		_exit(state);
	}
	if (child < 0 || waitpid(child, &state, 0) != child)
		return false;
	if (WIFSIGNALED(state))
		printf("%s: killed by signal %d\n", bomb->name, WTERMSIG(state));
	return WIFEXITED(state) && WEXITSTATUS(state) == 0;
}

int main(int argc, char **argv)
{
	size_t n = 0, failed = 0;

	for (size_t i = 0; i < n_bombs; i++) {
		if (argc > 1 && !strstr(bombs[i].name, argv[1]))
			continue;
		n++;
		failed += !survives(&bombs[i], argc > 1);
	}
	printf("%zu bombs, %zu failed\n", n, failed);
	return failed || n == 0;
}
