#include "cli/checkpoint_model.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/amount.h"
#include "base/home_path.h"
#include "base/io.h"
#include "base/limits.h"
#include "base/sys.h"
#include "checkpoint/convert.h"
#include "cli/converting.h"
#include "cli/print.h"
#include "gguf/reader.h"
#include "pull/plain_url.h"

enum { ANSWER_MAX = 128 };

/* Up to so many weights a model is small, and Q8_0 costs little. */
static const uint64_t few_weights = 1500000000;

/* The folder that the settings name, with the home folder in the place of ~; false: it is none. */
static bool find_folder(const struct cli_setup *setup, struct buf *folder)
{
	const char *model = setup->engine.model;

	buf_clear(folder);
	return model && model[0] && !home_path_put(folder, model) && convert_is_checkpoint(buf_text(folder));
}

/* The folder of a file, without slashes at its end. */
static void take_file_off(struct buf *folder)
{
	static const char end[] = ".safetensors";
	const char *slash = strrchr(folder->data, '/');

	if (folder->len < sizeof end || strcmp(folder->data + folder->len - (sizeof end - 1), end) != 0)
		return;
	buf_remove(folder, slash ? (size_t)(slash - folder->data) : 0, folder->len);
	if (folder->len == 0)
		buf_puts(folder, ".");
}

/* What the file is called without type and ending: beside the folder; of one in the hub's cache, where others keep order,
 * the repository's name in sotto's own folder of models. */
static enum status put_base(struct buf *out, const char *folder)
{
	const char *hub = strstr(folder, "/models--"), *end, *name;
	char real[4096];

	if (!hub) {
		size_t len = strlen(folder);

		if (strcmp(folder, ".") == 0 && getcwd(real, sizeof real))
			return buf_puts(out, real);
		while (len > 1 && folder[len - 1] == '/')
			len--;
		return buf_append(out, folder, len);
	}
	hub++;
	end = hub + strcspn(hub, "/");
	name = end;
	while (name > hub && strncmp(name - 2, "--", 2) != 0)
		name--;
	if (plain_url_folder(out, NULL) || io_make_dirs(&io_system, buf_text(out)))
		return STATUS_NOTFOUND;
	buf_putc(out, '/');
	return buf_append(out, name, (size_t)(end - name));
}

static enum status put_name(struct buf *out, const char *folder, const struct recipe *recipe)
{
	buf_clear(out);
	if (put_base(out, folder))
		return STATUS_NOTFOUND;
	if (recipe)
		buf_printf(out, "-%s", recipe->name);
	return buf_puts(out, ".gguf");
}

/* What was made of the folder before, by its name alone. */
static bool find_made(struct buf *out, const char *folder)
{
	for (size_t i = 0; i <= n_recipes; i++)
		if (!put_name(out, folder, i < n_recipes ? &recipes[i] : NULL) && !gguf_check(buf_text(out), NULL))
			return true;
	return false;
}

static enum status use(struct cli_setup *setup, const char *path, struct error *err)
{
	const struct option *option = settings_find(setup->settings, "model");

	return settings_assign(setup->settings, "model", path, settings_origin_of(setup->settings, option), err);
}

enum status checkpoint_model_find(struct cli_setup *setup, struct error *err)
{
	struct buf folder = {.max = KIB(64)}, made = {.max = KIB(64)};
	enum status status = STATUS_OK;

	if (find_folder(setup, &folder)) {
		take_file_off(&folder);
		if (find_made(&made, buf_text(&folder))) {
			cli_note("uses %s, which was made of that folder", buf_text(&made));
			status = use(setup, buf_text(&made), err);
		} else if (!put_name(&made, buf_text(&folder), recipe_find("Q4_K_M"))) {
			status = error_set(err, STATUS_UNSUPPORTED, "%.100s is a model in safetensors, which is converted once: sotto"
			                   " convert '%.100s' '%.100s' Q4_K_M", buf_text(&folder), buf_text(&folder), buf_text(&made));
		}
	}
	buf_free(&folder);
	buf_free(&made);
	return status;
}

/* Experts that have four bits already stay as they are. */
static const struct recipe *choose_recipe(const struct convert_plan *plan)
{
	double bits = 8 * (double)convert_plan_bytes(plan) / (double)convert_plan_weights(plan);

	return bits < 12 ? NULL : recipe_find(convert_plan_weights(plan) <= few_weights ? "Q8_0" : "Q4_K_M");
}

/* Plans twice: how large the model is says which type it gets. */
static enum status plan(const char *folder, const struct recipe **recipe, uint64_t *n_bytes, struct error *err)
{
	struct convert_job job = {.folder = folder, .io = &io_system};
	struct convert_plan *plan;
	enum status status = convert_plan_create(&plan, &job, err);

	if (status)
		return status;
	*recipe = job.recipe = choose_recipe(plan);
	*n_bytes = convert_plan_bytes(plan);
	convert_plan_free(plan);
	if (!job.recipe || (status = convert_plan_create(&plan, &job, err)))
		return status;
	*n_bytes = convert_plan_bytes(plan);
	convert_plan_free(plan);
	return STATUS_OK;
}

/* Enter is yes. */
static bool ask(const char *folder, const char *out, uint64_t n_bytes)
{
	char bytes[AMOUNT_TEXT_MAX], answer[ANSWER_MAX] = "";

	fprintf(stderr, "sotto: %s is a model as its laboratory publishes it. To chat with it, sotto makes a\n"
	        "file of its own, once: %s (%s). Enter makes it, q does not: ", folder, out, amount_bytes(bytes, n_bytes));
	if (!fgets(answer, sizeof answer, stdin))
		return false;
	return answer[0] == '\n' || answer[0] == 'y' || answer[0] == 'Y';
}

static int convert(struct cli_setup *setup, const char *folder, const char *out, const struct recipe *recipe)
{
	int n_threads = setup->engine.n_threads > 0 ? setup->engine.n_threads : sys_cpu_count();
	struct converting converting = {.folder = folder, .out = out, .recipe = recipe, .n_threads = (size_t)n_threads,
	                                .is_quiet = true};
	struct error err;
	int rc = converting_run(&converting);

	if (!rc && use(setup, out, &err))
		rc = cli_fail(&err);
	return rc;
}

int checkpoint_model_offer(struct cli_setup *setup)
{
	struct buf folder = {.max = KIB(64)}, out = {.max = KIB(64)};
	const struct recipe *recipe = NULL;
	uint64_t n_bytes = 0;
	struct error err;
	int rc = 0;

	if (!find_folder(setup, &folder)) {
		buf_free(&folder);
		return 0;
	}
	take_file_off(&folder);
	if (find_made(&out, buf_text(&folder)))
		rc = use(setup, buf_text(&out), &err) ? cli_fail(&err) : 0;
	else if (plan(buf_text(&folder), &recipe, &n_bytes, &err))
		rc = cli_fail_model(&err);
	else if (put_name(&out, buf_text(&folder), recipe))
		rc = cli_fail_with(STATUS_USAGE, "%s: there is no place for the file; use `sotto convert`", buf_text(&folder));
	else if (ask(buf_text(&folder), buf_text(&out), n_bytes))
		rc = convert(setup, buf_text(&folder), buf_text(&out), recipe);
	else
		rc = cli_fail_with(STATUS_CANCELLED, "nothing was made; later: sotto convert DIR OUT.gguf Q4_K_M");
	buf_free(&folder);
	buf_free(&out);
	return rc;
}
