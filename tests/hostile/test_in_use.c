/* A model file that is cut short or written to between and during turns: the
 * evaluation ends with a message that names the file, the process lives. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/options.h"
#include "engine/session.h"
#include "gguf/reader.h"
#include "kernels/compute.h"
#include "kernels/threadpool.h"
#include "model/model.h"
#include "support/isas.h"
#include "support/tiny_model.h"

enum { N_TOKENS = 24, RUNS = 20 };

static char path[] = "/tmp/sotto-in-use-XXXXXX";
static int n_failed;

static void check(bool condition, const char *what, int run, const struct error *err)
{
	if (condition)
		return;
	printf("FAIL: run %d: %s: %s\n", run, what, err->text);
	n_failed++;
}

/* Cuts the file once the evaluation has come this far. */
struct cutter {
	int calls_left;
	off_t size;
};

static bool cut_in_time(void *ctx, size_t done, size_t total)
{
	struct cutter *cutter = ctx;

	(void)done;
	(void)total;
	if (cutter->calls_left-- == 0 && truncate(path, cutter->size) != 0)
		perror("truncate");
	return true;
}

static void one_run(int run, struct threadpool *pool)
{
	struct tiny_model tiny = tiny_model_default();
	struct engine_params params = engine_params_default();
	struct cutter cutter = {run % 7, 4096 * (run % 5)};
	struct session *session = NULL;
	int32_t tokens[N_TOKENS] = {1};
	struct model *model = NULL;
	struct gguf *gguf = NULL;
	struct error err = {0};
	enum status status;

	tiny.n_embd = 64; /* several pages for each layer */
	tiny.n_ff = 128;
	for (int i = 1; i < N_TOKENS; i++)
		tokens[i] = 3 + (run * 7 + i * 5) % 200;
	params.n_batch = 4;
	if (tiny_model_save(&tiny, path, &err) || gguf_open(&gguf, path, &err) ||
	    model_open(&model, gguf, NULL, &err) ||
	    session_create(&session, model, &(struct compute){pool, isa_generic()}, &params, &err) ||
	    session_eval(session, tokens, N_TOKENS, 0, NULL, &err)) {
		check(false, "the good file", run, &err);
		goto out;
	}
	session_set_progress(session, cut_in_time, &cutter);
	status = session_eval(session, tokens, N_TOKENS, 0, NULL, &err);
	check(status == STATUS_FORMAT, "a file cut short ends the evaluation", run, &err);
	check(strstr(err.text, path) && strstr(err.text, "cut short"), "and is named", run, &err);
	check(gguf_was_truncated(model_gguf(model)), "and is known", run, &err);
	err.text[0] = '\0';
	status = gguf_check_unchanged(model_gguf(model), &err);
	check(status == STATUS_FORMAT && strstr(err.text, path), "the next turn is refused", run, &err);
out:
	session_free(session);
	if (model)
		model_close(model);
	else
		gguf_close(gguf);
}

/* Cuts the file once so many tensors were read. */
struct load_cutter {
	int calls_left;
	off_t size;
	bool cut;
};

static bool cut_while_loading(void *ctx, float fraction)
{
	struct load_cutter *cutter = ctx;

	(void)fraction;
	if (cutter->calls_left-- == 0) {
		cutter->cut = true;
		if (truncate(path, cutter->size) != 0)
			perror("truncate");
	}
	return true;
}

/* Within the last page no fault tells of it, and what is gone reads as zeros. */
static void cut_last_page(int run)
{
	static const off_t gone[] = {1, 100, 4000, 5000, 20000};
	struct tiny_model tiny = tiny_model_default();
	struct load_cutter cutter = {run / 5 * 4, 0, false};
	struct model *model = NULL;
	struct gguf *gguf = NULL;
	struct error err = {0};
	struct stat before;
	enum status status;

	if (tiny_model_save(&tiny, path, &err) || stat(path, &before) != 0 ||
	    gguf_open(&gguf, path, &err)) {
		check(false, "the good file", run, &err);
		return;
	}
	cutter.size = before.st_size - gone[run % 5];
	status = model_open(&model, gguf, &(struct model_load){.progress = cut_while_loading, .ctx = &cutter}, &err);
	check(cutter.cut, "the file was cut while it was loaded", run, &err);
	check(status == STATUS_FORMAT && strstr(err.text, path), "a file cut while loading is refused",
	      run, &err);
	if (status)
		gguf_close(gguf);
	else
		model_close(model);
}

int main(void)
{
	struct threadpool *pool = NULL;
	struct error err = {0};
	int fd = mkstemp(path);

	if (fd < 0 || threadpool_create(&pool, 3, &err)) {
		perror(path);
		return 1;
	}
	close(fd);
	for (int run = 0; run < RUNS; run++)
		one_run(run, run % 2 ? pool : NULL);
	for (int run = 0; run < RUNS; run++)
		cut_last_page(run);
	threadpool_free(pool);
	unlink(path);
	printf("%d runs, %d failed checks\n", RUNS, n_failed);
	return n_failed ? 1 : 0;
}
