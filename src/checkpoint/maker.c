#include "checkpoint/maker.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/job.h"
#include "base/sys.h"
#include "checkpoint/convert.h"

enum { TOLD = 1000 }; /* parts of the work that are told apart */

struct maker {
	struct job job;
	enum maker_state state;
	enum status (*try_model)(const char *path, struct error *err);
	char *path, *models; /* what is looked at */
	/* The work's until it is over. */
	struct convert_offer offer;
	struct error err;
	enum status status;
};

enum status maker_create(struct maker **out, enum status (*try_model)(const char *path, struct error *err),
                         struct error *err)
{
	*out = alloc_array(1, sizeof **out);
	if (!*out)
		return error_no_memory(err, NULL);
	(*out)->try_model = try_model;
	return STATUS_OK;
}

void maker_free(struct maker *m)
{
	if (!m)
		return;
	maker_stop(m);
	job_end(&m->job);
	convert_offer_free(&m->offer);
	free(m->path);
	free(m->models);
	free(m);
}

static enum status start(struct maker *m, enum maker_state state, job_work *work, struct error *err)
{
	enum status status = job_start(&m->job, work, m, err);

	m->state = status ? MAKER_IDLE : state;
	return status;
}

static void look(void *ctx)
{
	struct maker *m = ctx;

	m->status = convert_offer_make(&m->offer, m->path, m->models, &m->err);
}

enum status maker_look(struct maker *m, const char *path, const char *models, struct error *err)
{
	if (m->job.is_running)
		return error_set(err, STATUS_BUSY, "another model is being converted");
	free(m->path);
	free(m->models);
	convert_offer_free(&m->offer);
	m->path = alloc_strndup(path, strlen(path));
	m->models = alloc_strndup(models, strlen(models));
	if (!m->path || !m->models)
		return error_no_memory(err, "for a path");
	return start(m, MAKER_LOOKING, look, err);
}

static bool on_progress(void *ctx, uint64_t done, uint64_t all, const char *tensor)
{
	struct maker *m = ctx;
	size_t part = all ? (size_t)((double)done / (double)all * TOLD) : 0;

	(void)tensor;
	if (part != atomic_load(&m->job.done)) {
		atomic_store(&m->job.done, part);
		job_tell(&m->job);
	}
	return !job_is_stopped(&m->job);
}

/* sotto's own folder of models may not be there yet. */
static enum status make_folder_of(const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash && slash > path ? alloc_strndup(path, (size_t)(slash - path)) : NULL;
	enum status status = STATUS_OK;

	if (folder)
		status = sys_make_dirs(folder, err);
	else if (slash && slash > path)
		status = error_no_memory(err, "for a path");
	free(folder);
	return status;
}

static enum status on_check(void *ctx, const char *path, struct error *err)
{
	const struct maker *m = ctx;

	return m->try_model ? m->try_model(path, err) : STATUS_OK;
}

static enum status make_it(struct maker *m, struct error *err)
{
	struct convert_job job = {.folder = m->offer.folder, .recipe = m->offer.recipe, .progress = on_progress,
	                          .check = on_check, .ctx = m, .io = &io_system};
	struct convert_plan *plan;
	struct threadpool *pool;
	enum status status = make_folder_of(m->offer.path, err);

	if (!status)
		status = threadpool_create(&pool, (size_t)sys_cpu_count(), err);
	if (status)
		return status;
	if (!(status = convert_plan_create(&plan, &job, err))) {
		status = convert_save(plan, m->offer.path, pool, err);
		convert_plan_free(plan);
	}
	threadpool_free(pool);
	return status;
}

static void make(void *ctx)
{
	struct maker *m = ctx;

	m->status = make_it(m, &m->err);
}

enum status maker_make(struct maker *m, struct error *err)
{
	if (m->state != MAKER_OFFERS)
		return error_set(err, STATUS_BUSY, "there is nothing to be converted");
	return start(m, MAKER_MAKING, make, err);
}

void maker_stop(struct maker *m)
{
	if (m->job.is_running)
		job_stop(&m->job);
}

int maker_fd(const struct maker *m)
{
	return job_fd(&m->job);
}

bool maker_update(struct maker *m)
{
	if (!m->job.is_running)
		return false;
	wake_drain(&m->job.wake);
	if (!job_is_over(&m->job))
		return false;
	job_end(&m->job);
	if (m->status)
		m->state = MAKER_FAILED;
	else
		m->state = m->state == MAKER_MAKING || m->offer.is_made ? MAKER_DONE : MAKER_OFFERS;
	return true;
}

enum maker_state maker_state(const struct maker *m)
{
	return m->state;
}

const struct convert_offer *maker_offer(const struct maker *m)
{
	return &m->offer;
}

const struct error *maker_error(const struct maker *m)
{
	return &m->err;
}

double maker_fraction(const struct maker *m)
{
	return (double)atomic_load(&m->job.done) / TOLD;
}
