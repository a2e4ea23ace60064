/* What taking away a model would do: names first, then the files that nothing else names. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/amount.h"
#include "pull/stored_model.h"

void stored_removal_free(struct stored_removal *removal)
{
	for (size_t i = 0; i < removal->n; i++)
		free(removal->paths[i]);
	free(removal->paths);
	free(removal->kept);
	*removal = (struct stored_removal){0};
}

enum status stored_plan_keep(struct stored_removal *out, uint64_t n_bytes, const char *other, struct error *err)
{
	struct buf text = {.max = 2 * PATH_MAX};
	char amount[AMOUNT_TEXT_MAX];

	buf_printf(&text, "%s of it stay, since %s needs them", amount_bytes(amount, n_bytes), other);
	free(out->kept);
	out->kept = buf_take(&text, NULL);
	return out->kept ? STATUS_OK : error_no_memory(err, NULL);
}

enum status stored_check_idle(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
	bool is_open = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return is_open ? error_set(err, STATUS_BUSY, "%.400s: a sotto that is running has it open: end that one, or load another "
	                           "model there", path)
	               : STATUS_OK;
}

enum status stored_plan_path(struct stored_removal *out, const char *path, bool is_link, struct error *err)
{
	size_t cap = out->n; /* grown one at a time: they are few */
	struct stat st;
	char *copy;

	for (size_t i = 0; i < out->n; i++)
		if (strcmp(out->paths[i], path) == 0)
			return STATUS_OK;
	if (lstat(path, &st) != 0)
		return error_errno(err, errno, "%.400s: cannot look at it", path);
	if (is_link ? !S_ISLNK(st.st_mode) : !S_ISREG(st.st_mode))
		return error_set(err, STATUS_DECLINED, "%.400s is not a file of that folder: it leads elsewhere", path);
	if (st.st_uid != geteuid())
		return error_set(err, STATUS_DECLINED, "%.400s belongs to another user", path);
	if (!is_link && stored_check_idle(path, err))
		return STATUS_BUSY;
	copy = alloc_strndup(path, strlen(path));
	if (!copy || !alloc_grow(&out->paths, &cap, out->n + 1, sizeof *out->paths, SIZE_MAX)) {
		free(copy);
		return error_no_memory(err, NULL);
	}
	out->paths[out->n++] = copy;
	if (!is_link)
		out->n_bytes += (uint64_t)st.st_size;
	return STATUS_OK;
}

enum status stored_check_folder(const char *root, const char *below, struct error *err)
{
	struct buf path = {.max = PATH_MAX};
	enum status status = STATUS_OK;
	struct stat st;

	buf_printf(&path, "%s%s", root, below);
	if (buf_status(&path))
		status = error_set(err, STATUS_LIMIT, "%.300s: the path is too long", root);
	else if (lstat(buf_text(&path), &st) == 0 && !S_ISDIR(st.st_mode))
		status = error_set(err, STATUS_DECLINED, "%.300s is a link: what it leads to is not of that folder alone",
		                   buf_text(&path));
	buf_free(&path);
	return status;
}

/* ---- the hub's cache ---- */

/* All snapshots of a repository: the names that go, what they lead to, and who else leads there. */
struct hub_plan {
	const struct stored_model *model;
	struct stored_removal *out;
	struct name_list blobs; /* that the names which go lead to */
	struct name_list kept;  /* blobs that others lead to */
	char *other;            /* one of them; owned */
	bool is_second;         /* the second walk: who else */
};

static bool is_listed(const struct name_list *list, const char *text)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->items[i], text) == 0)
			return true;
	return false;
}

/* A name that goes. */
static enum status take_name(struct hub_plan *plan, const char *path, struct error *err)
{
	struct buf target = {.max = PATH_MAX};
	enum status status = stored_hub_target(&target, plan->model->root, path, err);

	if (!status)
		status = stored_plan_path(plan->out, path, target.len > 0, err);
	if (!status && target.len && !is_listed(&plan->blobs, buf_text(&target)) &&
	    !name_list_add(&plan->blobs, buf_text(&target), target.len))
		status = error_no_memory(err, NULL);
	buf_free(&target);
	return status;
}

/* A name that stays: what it leads to does, too. One that leads out leads to nothing of ours. */
static enum status spare_name(struct hub_plan *plan, const char *path, struct error *err)
{
	struct buf target = {.max = PATH_MAX};
	enum status status = STATUS_OK;

	if (!stored_hub_target(&target, plan->model->root, path, NULL) && target.len &&
	    is_listed(&plan->blobs, buf_text(&target))) {
		if (!name_list_add(&plan->kept, buf_text(&target), target.len))
			status = error_no_memory(err, NULL);
		if (!status && !plan->other)
			status = stored_copy(&plan->other, path, err);
	}
	buf_free(&target);
	return status;
}

static enum status visit(void *ctx, const char *path, const char *within, struct error *err)
{
	struct hub_plan *plan = ctx;
	bool goes = is_listed(&plan->model->files, within);

	if (goes && !plan->is_second)
		return take_name(plan, path, err);
	return !goes && plan->is_second ? spare_name(plan, path, err) : STATUS_OK;
}

static enum status visit_snapshots(struct hub_plan *plan, struct error *err)
{
	struct buf folder = {.max = PATH_MAX}, snapshot = {.max = PATH_MAX};
	struct name_list names = {0};
	struct stat st;
	enum status status;

	buf_printf(&folder, "%s/snapshots", plan->model->root);
	status = stored_list_folder(&names, buf_text(&folder), err);
	for (size_t i = 0; i < names.n && !status; i++) {
		buf_clear(&snapshot);
		if (!buf_printf(&snapshot, "%s/%s", buf_text(&folder), names.items[i]) && lstat(buf_text(&snapshot), &st) == 0 &&
		    S_ISDIR(st.st_mode)) /* a link leads to names of others */
			status = stored_each_file(buf_text(&snapshot), visit, plan, err);
	}
	name_list_free(&names);
	buf_free(&folder);
	buf_free(&snapshot);
	return status;
}

/* The repository's folders themselves are no links: what is in them is this cache's. */
static enum status check_folders(const char *root, struct error *err)
{
	enum status status = stored_check_folder(root, "", err);

	if (!status)
		status = stored_check_folder(root, "/blobs", err);
	return status ? status : stored_check_folder(root, "/snapshots", err);
}

static enum status plan_blobs(struct hub_plan *plan, struct error *err)
{
	enum status status = STATUS_OK;
	uint64_t kept = 0;
	struct stat st;

	for (size_t i = 0; i < plan->blobs.n && !status; i++) {
		const char *blob = plan->blobs.items[i];

		if (lstat(blob, &st) != 0)
			continue; /* the name was a link to nothing */
		if (is_listed(&plan->kept, blob))
			kept += (uint64_t)st.st_size;
		else
			status = stored_plan_path(plan->out, blob, false, err);
	}
	return status || !kept ? status : stored_plan_keep(plan->out, kept, plan->other, err);
}

static enum status plan_hub(struct stored_removal *out, const struct stored_model *model, struct error *err)
{
	struct hub_plan plan = {.model = model, .out = out};
	enum status status = check_folders(model->root, err);

	if (!status)
		status = visit_snapshots(&plan, err);
	plan.is_second = true;
	if (!status)
		status = visit_snapshots(&plan, err);
	if (!status)
		status = plan_blobs(&plan, err);
	if (!status && out->n == 0)
		status = error_set(err, STATUS_DECLINED, "%.300s is behind a link that leads out of its folder", model->path);
	name_list_free(&plan.blobs);
	name_list_free(&plan.kept);
	free(plan.other);
	return status;
}

/* ---- any ---- */

static enum status plan_plain(struct stored_removal *out, const struct stored_model *model, struct error *err)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < model->files.n && !status; i++)
		status = stored_plan_path(out, model->files.items[i], false, err);
	return status;
}

enum status stored_plan_removal(struct stored_removal *out, const char *name, struct error *err)
{
	struct stored_model model;
	enum status status;

	*out = (struct stored_removal){0};
	status = stored_open(&model, name, err);
	if (!status && model.kind == STORED_OLLAMA)
		status = stored_plan_ollama(out, &model, err);
	else if (!status && model.kind == STORED_HUB)
		status = plan_hub(out, &model, err);
	else if (!status)
		status = plan_plain(out, &model, err);
	stored_model_free(&model);
	if (status)
		stored_removal_free(out);
	return status;
}
