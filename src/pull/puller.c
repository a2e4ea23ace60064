#include "pull/puller.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "pull/rate.h"

enum { NEWS_MS = 250 };

struct puller {
	struct job job;
	enum puller_state state;
	struct rate rate;
	char *shown; /* puller_name */
	struct error err;
	bool looks, has_offer;    /* what the job does, if not fetch; `offer` is there */
	struct pull_machine machine;

	/* The job's while it runs: */
	char *name;
	struct pull_offer offer;
	size_t choice;
	struct buf model;
	struct error job_err;

	/* Both threads': */
	struct pull_progress progress;
	atomic_ullong told;       /* when there was news, sys_now_ms */
	pthread_mutex_t lock;     /* of the next two */
	char waiting[160];
	uint64_t waited_at;       /* bytes that had come when it was said */
};

static uint64_t fresh_bytes(const struct pull_progress *progress)
{
	return atomic_load(&progress->fresh) + atomic_load(&progress->file.fresh);
}

/* ---- the job ---- */

static void tell(struct puller *puller)
{
	atomic_store(&puller->told, sys_now_ms());
	job_tell(&puller->job);
}

/* Asked many times a second, by all threads of a fetch: the place to say that it went on. */
static bool is_stopped(void *ctx)
{
	struct puller *puller = ctx;

	if (sys_now_ms() - atomic_load(&puller->told) >= NEWS_MS)
		tell(puller);
	return job_is_stopped(&puller->job);
}

static void set_waiting(void *ctx, const char *text)
{
	struct puller *puller = ctx;

	pthread_mutex_lock(&puller->lock);
	snprintf(puller->waiting, sizeof puller->waiting, "%s", text);
	puller->waited_at = fresh_bytes(&puller->progress);
	pthread_mutex_unlock(&puller->lock);
	tell(puller);
}

static void run(void *ctx)
{
	struct puller *puller = ctx;
	struct pull_host host = {is_stopped, set_waiting, puller, &io_system};

	if (puller->looks)
		(void)!pull_look(&puller->offer, puller->name, &puller->machine, &host, &puller->job_err);
	else
		(void)!pull_fetch(&puller->model, &puller->offer, puller->choice, &puller->progress, &host, &puller->job_err);
}

static enum status start(struct puller *puller, bool looks, struct error *err)
{
	enum status status;

	puller->looks = looks;
	puller->job_err = puller->err = (struct error){0};
	puller->rate = (struct rate){0};
	puller->waiting[0] = '\0';
	memset(&puller->progress, 0, sizeof puller->progress);
	buf_clear(&puller->model);
	status = job_start(&puller->job, run, puller, err);
	if (!status)
		puller->state = looks ? PULLER_LOOKING : PULLER_FETCHING;
	return status;
}

/* ---- the owner ---- */

enum status puller_create(struct puller **out, struct error *err)
{
	struct puller *puller = calloc(1, sizeof *puller);

	*out = puller;
	if (!puller)
		return error_no_memory(err, "to fetch models");
	pthread_mutex_init(&puller->lock, NULL);
	puller->model.max = KIB(64);
	return STATUS_OK;
}

void puller_free(struct puller *puller)
{
	if (!puller)
		return;
	job_stop(&puller->job);
	job_end(&puller->job);
	pull_offer_free(&puller->offer);
	buf_free(&puller->model);
	pthread_mutex_destroy(&puller->lock);
	free(puller->name);
	free(puller->shown);
	free(puller);
}

int puller_fd(const struct puller *puller)
{
	return job_fd(&puller->job);
}

/* The name as it was asked for, and what was chosen. */
static void set_shown(struct puller *puller)
{
	struct buf text = {.max = KIB(8)};
	const struct pull_offer *offer = &puller->offer;

	pull_name_put(&offer->name, &text);
	if (!offer->name.tag && !offer->name.file && offer->name.source == PULL_HUB && puller->choice < offer->n_choices)
		buf_printf(&text, ":%s", offer->choices[puller->choice].quant);
	if (!buf_status(&text)) {
		free(puller->shown);
		puller->shown = buf_take(&text, NULL);
	}
	buf_free(&text);
}

/* Takes over what the job, which is over, has done. */
static void end(struct puller *puller)
{
	job_end(&puller->job);
	puller->err = puller->job_err;
	if (puller->err.status) {
		puller->state = PULLER_FAILED;
	} else if (puller->looks) {
		puller->state = PULLER_OFFERS;
		puller->has_offer = true;
		puller->choice = puller->offer.chosen;
		set_shown(puller);
	} else {
		puller->state = PULLER_DONE;
	}
}

bool puller_update(struct puller *puller)
{
	enum puller_state before = puller->state;

	if (!puller->job.is_running)
		return false;
	wake_drain(&puller->job.wake);
	rate_add(&puller->rate, sys_now_ms(), fresh_bytes(&puller->progress));
	if (job_is_over(&puller->job))
		end(puller);
	return puller->state != before;
}

enum puller_state puller_state(const struct puller *puller)
{
	return puller->state;
}

enum status puller_look(struct puller *puller, const char *name, const struct pull_machine *machine, struct error *err)
{
	char *own, *shown;

	if (puller->job.is_running)
		return error_set(err, STATUS_BUSY, "%s is being fetched: wait, or stop it first", puller_name(puller));
	own = strdup(name);
	shown = strdup(name);
	if (!own || !shown) {
		free(own);
		free(shown);
		return error_no_memory(err, "to fetch models");
	}
	puller_forget(puller);
	puller->name = own;
	puller->shown = shown;
	puller->machine = *machine;
	return start(puller, true, err);
}

enum status puller_fetch(struct puller *puller, size_t choice, struct error *err)
{
	if (puller->job.is_running)
		return error_set(err, STATUS_BUSY, "%s is being fetched: wait, or stop it first", puller_name(puller));
	if (!puller->has_offer || choice >= puller->offer.n_choices)
		return error_set(err, STATUS_USAGE, "there is no model to fetch: look for one first");
	puller->choice = choice;
	set_shown(puller);
	return start(puller, false, err);
}

void puller_stop(struct puller *puller)
{
	if (puller->job.is_running)
		job_stop(&puller->job);
}

void puller_forget(struct puller *puller)
{
	if (puller->job.is_running)
		return;
	pull_offer_free(&puller->offer);
	puller->has_offer = false;
	buf_clear(&puller->model);
	free(puller->name);
	free(puller->shown);
	puller->name = puller->shown = NULL;
	puller->err = (struct error){0};
	puller->state = PULLER_IDLE;
}

const struct pull_offer *puller_offer(const struct puller *puller)
{
	return puller->has_offer ? &puller->offer : NULL;
}

const char *puller_name(const struct puller *puller)
{
	return puller->shown ? puller->shown : "";
}

const char *puller_model(const struct puller *puller)
{
	return puller->state == PULLER_DONE ? buf_text(&puller->model) : NULL;
}

const struct error *puller_error(const struct puller *puller)
{
	return &puller->err;
}

void puller_progress(const struct puller *puller, struct puller_progress *out)
{
	const struct pull_progress *progress = &puller->progress;
	struct puller *locked = (struct puller *)puller; /* only its lock changes */

	*out = (struct puller_progress){
		.phase = (enum fetch_phase)atomic_load(&progress->file.phase),
		.done = atomic_load(&progress->done) + atomic_load(&progress->file.done),
		.all = atomic_load(&progress->all),
		.rate = rate_value(&puller->rate),
	};
	if (out->all && out->done > out->all)
		out->done = out->all;
	out->left = out->all ? rate_left(&puller->rate, out->all - out->done) : -1;
	pthread_mutex_lock(&locked->lock);
	if (puller->waiting[0] && fresh_bytes(progress) == puller->waited_at)
		snprintf(out->waiting, sizeof out->waiting, "%s", puller->waiting);
	pthread_mutex_unlock(&locked->lock);
}
