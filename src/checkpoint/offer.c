#include "checkpoint/offer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "checkpoint/convert.h"
#include "gguf/reader.h"

enum { FEW_BITS = 12, FOLDER_PATH_MAX = 4096 };

static const uint64_t few_weights = 1500000000;

enum status convert_put_folder(struct buf *out, const char *path)
{
	static const char end[] = ".safetensors";
	const char *slash = strrchr(path, '/');
	char here[FOLDER_PATH_MAX];
	size_t len = strlen(path);

	if (len > sizeof end - 1 && strcmp(path + len - (sizeof end - 1), end) == 0)
		len = slash ? (size_t)(slash - path) : 0;
	while (len > 1 && path[len - 1] == '/')
		len--;
	/* Of "." the name is wanted. */
	if ((len == 0 || (len == 1 && path[0] == '.')) && getcwd(here, sizeof here))
		return buf_puts(out, here);
	return len ? buf_append(out, path, len) : buf_putc(out, '.');
}

enum status convert_put_name(struct buf *out, const char *folder, const struct recipe *recipe, const char *models)
{
	const char *hub = strstr(folder, "/models--"), *end, *name;

	if (hub) {
		hub++;
		name = end = hub + strcspn(hub, "/");
		while (name > hub && strncmp(name - 2, "--", 2) != 0)
			name--;
		buf_printf(out, "%s/%.*s", models, (int)(end - name), name);
	} else {
		buf_puts(out, folder);
	}
	if (recipe)
		buf_printf(out, "-%s", recipe->name);
	return buf_puts(out, ".gguf");
}

bool convert_find_made(struct buf *out, const char *folder, const char *models)
{
	for (size_t i = 0; i <= n_recipes; i++) {
		buf_clear(out);
		if (!convert_put_name(out, folder, i < n_recipes ? &recipes[i] : NULL, models) && !gguf_check(buf_text(out), NULL))
			return true;
	}
	return false;
}

static const struct recipe *choose_recipe(const struct convert_plan *plan)
{
	double bits = 8 * (double)convert_plan_bytes(plan) / (double)convert_plan_weights(plan);

	return bits < FEW_BITS ? NULL : recipe_find(convert_plan_weights(plan) <= few_weights ? "Q8_0" : "Q4_K_M");
}

/* Twice: how large the model is says which type it gets. */
static enum status plan(struct convert_offer *offer, struct error *err)
{
	struct convert_job job = {.folder = offer->folder, .io = &io_system};
	enum status status = STATUS_OK;

	for (int i = 0; i < 2 && !status; i++) {
		struct convert_plan *plan;

		status = convert_plan_create(&plan, &job, err);
		if (status)
			break;
		offer->recipe = job.recipe = i ? job.recipe : choose_recipe(plan);
		offer->n_bytes = convert_plan_bytes(plan);
		convert_plan_free(plan);
	}
	return status;
}

enum status convert_offer_make(struct convert_offer *out, const char *path, const char *models, struct error *err)
{
	struct buf folder = {.max = KIB(64)}, name = {.max = KIB(64)};
	enum status status = STATUS_OK;

	*out = (struct convert_offer){0};
	if (convert_put_folder(&folder, path) || !(out->folder = buf_take(&folder, NULL))) {
		buf_free(&folder);
		return error_no_memory(err, "for a path");
	}
	out->is_made = convert_find_made(&name, out->folder, models);
	if (!out->is_made) {
		status = plan(out, err);
		buf_clear(&name);
		if (!status && convert_put_name(&name, out->folder, out->recipe, models))
			status = error_no_memory(err, "for a path");
	}
	if (!status && !(out->path = buf_take(&name, NULL)))
		status = error_no_memory(err, "for a path");
	buf_free(&name);
	if (status)
		convert_offer_free(out);
	return status;
}

void convert_offer_free(struct convert_offer *offer)
{
	free(offer->folder);
	free(offer->path);
	*offer = (struct convert_offer){0};
}
