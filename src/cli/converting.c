#include "cli/converting.h"

#include <stdlib.h>
#include <string.h>

#include "base/amount.h"
#include "base/limits.h"
#include "base/sanitize.h"
#include "checkpoint/convert.h"
#include "checkpoint/outputs.h"
#include "cli/bar.h"
#include "cli/print.h"
#include "cli/stop.h"
#include "cli/trial.h"

static bool on_progress(void *ctx, uint64_t done, uint64_t all, const char *tensor)
{
	bar_show(ctx, done, all, tensor, strlen(tensor));
	return stop_signal() == 0;
}

static enum status on_check(void *ctx, const char *path, struct error *err)
{
	(void)ctx;
	return trial_model(path, err);
}

static int print_plan(const struct convert_plan *plan)
{
	const struct output *output;
	struct buf out = {.max = MIB(64)};

	for (size_t i = 0; (output = convert_plan_output(plan, i)) != NULL; i++) {
		buf_printf(&out, "%-7s ", block_info(output->type)->name);
		sanitize_line(&out, output->name, strlen(output->name));
		buf_putc(&out, '\n');
	}
	return cli_print_buf(&out, "the plan");
}

static int print_summary(const struct converting *converting, const struct convert_plan *plan)
{
	struct buf out = {.max = MIB(1)};
	char bytes[AMOUNT_TEXT_MAX];

	sanitize_line(&out, converting->out, strlen(converting->out));
	buf_printf(&out, ": %s, %s, %.2f bits a weight\n", convert_plan_architecture(plan),
	           amount_bytes(bytes, convert_plan_bytes(plan)),
	           8 * (double)convert_plan_bytes(plan) / (double)convert_plan_weights(plan));
	return cli_print_buf(&out, "the summary");
}

static int save(const struct converting *converting, const struct convert_plan *plan, struct bar *bar)
{
	struct threadpool *pool;
	struct error err;
	enum status status;

	stop_catch_signals();
	if (threadpool_create(&pool, converting->n_threads, &err))
		return cli_fail(&err);
	status = convert_save(plan, converting->out, pool, &err);
	threadpool_free(pool);
	bar_end(bar);
	if (status == STATUS_CANCELLED && stop_signal())
		return 128 + stop_signal();
	if (status)
		return cli_fail(&err);
	return converting->is_quiet ? 0 : print_summary(converting, plan);
}

int converting_run(const struct converting *converting)
{
	struct bar bar = bar_begin();
	struct convert_job job = {.folder = converting->folder, .recipe = converting->recipe, .progress = on_progress,
	                          .check = on_check, .ctx = &bar, .io = &io_system};
	struct convert_plan *plan;
	struct error err;
	int rc;

	if (convert_plan_create(&plan, &job, &err))
		return cli_fail_model(&err);
	cli_notes(convert_plan_notes(plan));
	rc = converting->dry_run ? print_plan(plan) : save(converting, plan, &bar);
	convert_plan_free(plan);
	return rc;
}
