#include "search/finder.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/job.h"
#include "base/limits.h"
#include "base/sys.h"
#include "journal/trash.h"

enum {
	RETRY_MS = 2000,   /* after another process was at the index, or it could not be written */
	QUIET_MS = 300,    /* from an answer to work on the index: keys come in a row */
	WAKE_MS = 10,      /* between two signals, but for the first rows */
	WAKE_ROWS = 20,
};

/* What is asked for. */
struct question {
	char *text; /* owned */
	size_t len;
	enum finder_order order;
	bool in_trash;
};

struct finder {
	struct job job; /* asked to stop behind the lock */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Behind the lock: */
	struct question asked;
	bool wants_look;
	struct finder_news news;
	size_t cap;
	/* Written behind the lock, read without it: */
	_Atomic unsigned number; /* of the question; another one stops the search for the last */
	_Atomic bool is_paused;  /* nothing is wanted: the index waits, too */
	/* The thread's: */
	struct index *index;     /* NULL: there is none */
	bool wants_update;       /* there may be something that it lacks */
	struct journal_entry *entries;
	size_t *twins;
	size_t n;
	bool is_listed, lists_trash; /* the entries are those of the disk; of the trash */
	enum finder_order order;
	unsigned answering;      /* the number of the question */
	size_t n_rows;           /* of the answer */
	uint64_t woken_at;
};

static void free_row(struct finder_row *row)
{
	free(row->id);
	free(row->path);
	free(row->title);
	free(row->model);
	free(row->line);
}

void finder_rows_free(struct finder_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free_row(&rows[i]);
	free(rows);
}

/* The lock is held. */
static void drop_news(struct finder *finder)
{
	finder_rows_free(finder->news.rows, finder->news.n);
	finder->news.rows = NULL;
	finder->news.n = finder->cap = 0;
}

static bool is_outdated(void *context)
{
	struct finder *finder = context;

	return job_is_stopped(&finder->job) || atomic_load(&finder->is_paused) ||
	       atomic_load(&finder->number) != finder->answering;
}

static char *copy(const char *text)
{
	return text ? alloc_strndup(text, strlen(text)) : NULL;
}

static bool fill_row(struct finder_row *row, const struct journal_entry *entry, size_t twin,
                     const struct search_hit *hit)
{
	*row = (struct finder_row){
		.id = copy(entry->id), .path = copy(entry->path), .title = copy(entry->title),
		.model = copy(entry->model), .modified = entry->modified, .n_messages = entry->n_messages,
		.twin = twin};
	if (hit && hit->line) {
		row->line = alloc_strndup(hit->line, hit->len);
		row->role = hit->role;
		row->len = hit->len;
		row->from = hit->from;
		row->to = hit->to;
	}
	return row->id && row->path && row->title && (row->line || !hit || !hit->line);
}

/* False: there is another question, or no memory. */
static bool publish(struct finder *finder, size_t entry, const struct search_hit *hit)
{
	struct finder_row row;
	bool ok = fill_row(&row, &finder->entries[entry], finder->twins[entry], hit);
	uint64_t now = sys_now_ms();

	pthread_mutex_lock(&finder->lock);
	ok = ok && !is_outdated(finder) &&
	     alloc_grow(&finder->news.rows, &finder->cap, finder->news.n + 1, sizeof *finder->news.rows,
	                LIMIT_TRANSCRIPTS);
	if (ok)
		finder->news.rows[finder->news.n++] = row;
	pthread_mutex_unlock(&finder->lock);
	if (!ok) {
		free_row(&row);
		return false;
	}
	finder->n_rows++;
	if (hit && (finder->n_rows == 1 || finder->n_rows == WAKE_ROWS || now >= finder->woken_at + WAKE_MS)) {
		finder->woken_at = now;
		job_tell(&finder->job);
	}
	return true;
}

/* A search_use's. */
static bool take_hit(const struct search_hit *hit, void *context)
{
	struct finder *finder = context;

	return publish(finder, hit->entry, hit) && finder->n_rows < FINDER_ROWS_MAX;
}

static int compare_oldest(const void *a, const void *b)
{
	return journal_compare_newest(b, a);
}

static int compare_titles(const void *a, const void *b)
{
	int order = strcasecmp(((const struct journal_entry *)a)->title, ((const struct journal_entry *)b)->title);

	return order ? order : journal_compare_newest(a, b);
}

static int compare_longest(const void *a, const void *b)
{
	const struct journal_entry *x = a, *y = b;

	if (x->n_messages != y->n_messages)
		return x->n_messages < y->n_messages ? 1 : -1;
	return journal_compare_newest(a, b);
}

/* By title, the ones that began first before the others: ids begin with the time. */
static int compare_twins(const void *a, const void *b)
{
	const struct journal_entry *x = *(const struct journal_entry *const *)a;
	const struct journal_entry *y = *(const struct journal_entry *const *)b;
	int order = strcmp(x->title, y->title);

	return order ? order : strcmp(x->id, y->id);
}

/* Numbers chats of the same title. */
static bool find_twins(struct finder *finder)
{
	const struct journal_entry **sorted = alloc_array(finder->n, sizeof *sorted);

	free(finder->twins);
	finder->twins = alloc_array(finder->n, sizeof *finder->twins);
	if (!sorted || !finder->twins) {
		free(sorted);
		return false;
	}
	for (size_t i = 0; i < finder->n; i++)
		sorted[i] = &finder->entries[i];
	if (finder->n)
		qsort(sorted, finder->n, sizeof *sorted, compare_twins);
	for (size_t i = 0, first = 0; i < finder->n; i++) {
		if (strcmp(sorted[i]->title, sorted[first]->title) != 0)
			first = i;
		if (i > first) {
			finder->twins[sorted[first] - finder->entries] = 1;
			finder->twins[sorted[i] - finder->entries] = i - first + 1;
		}
	}
	free(sorted);
	return true;
}

static enum status list_chats(struct finder *finder, const struct question *question, struct error *err)
{
	static int (*const compare[ORDER_COUNT])(const void *, const void *) = {
		journal_compare_newest, compare_oldest, compare_titles, compare_longest};
	enum status status = STATUS_OK;

	if (!finder->is_listed || finder->lists_trash != question->in_trash) {
		journal_list_free(finder->entries, finder->n);
		finder->entries = NULL;
		finder->n = 0;
		finder->is_listed = false;
		finder->lists_trash = question->in_trash;
		status = question->in_trash ? trash_list(&finder->entries, &finder->n, err)
		                            : index_list(finder->index, &finder->entries, &finder->n, err);
		finder->wants_update = !question->in_trash;
	} else if (finder->order == question->order) {
		return STATUS_OK;
	}
	if (status)
		return status;
	if (finder->n)
		qsort(finder->entries, finder->n, sizeof *finder->entries, compare[question->order]);
	finder->order = question->order;
	finder->is_listed = find_twins(finder);
	return finder->is_listed ? STATUS_OK : error_no_memory(err, "for the list");
}

/* Says that this is all. */
static void tell(struct finder *finder, const struct error *err)
{
	pthread_mutex_lock(&finder->lock);
	if (atomic_load(&finder->number) == finder->answering) {
		finder->news.is_done = true;
		finder->news.n_chats = finder->n;
		if (err)
			finder->news.err = *err;
	}
	pthread_mutex_unlock(&finder->lock);
	job_tell(&finder->job);
}

static void answer(struct finder *finder, const struct question *question)
{
	const struct search_use use = {take_hit, is_outdated, finder};
	struct error err = {.status = STATUS_OK};
	enum status status;

	finder->n_rows = 0;
	finder->woken_at = 0;
	status = list_chats(finder, question, &err);
	if (!status && question->len)
		status = search_chats(question->in_trash ? NULL : finder->index, finder->entries, finder->n,
		                      question->text, question->len, &use, &err);
	for (size_t i = 0; !status && !question->len && i < finder->n; i++)
		if (!publish(finder, i, NULL))
			break;
	if (!is_outdated(finder))
		tell(finder, status ? &err : NULL);
}

static bool same_list(const struct journal_entry *a, const struct journal_entry *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(a[i].path, b[i].path) != 0 || a[i].size != b[i].size ||
		    a[i].modified != b[i].modified || a[i].modified_ns != b[i].modified_ns)
			return false;
	return true;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct journal_entry *)a)->path, ((const struct journal_entry *)b)->path);
}

/* The last list, by path. */
struct last_list {
	struct journal_entry *entries;
	size_t n;
};

/* A journal_known_fn: a file that has not changed need not be read to see that. */
static bool is_listed_already(struct journal_entry *entry, void *context)
{
	const struct last_list *last = context;
	const struct journal_entry *then = last->n ? bsearch(entry, last->entries, last->n, sizeof *entry,
	                                                     compare_paths) : NULL;

	return then && same_list(then, entry, 1);
}

/* Whether the files are not those of the last list. */
static bool has_changed(struct finder *finder)
{
	struct last_list last = {alloc_array(finder->n, sizeof *last.entries), finder->n};
	struct journal_entry *now = NULL;
	bool changed = false;
	size_t n;

	if (last.entries && finder->n) {
		memcpy(last.entries, finder->entries, finder->n * sizeof *last.entries);
		qsort(last.entries, last.n, sizeof *last.entries, compare_paths);
	}
	if (last.entries && (finder->lists_trash ? trash_list(&now, &n, NULL)
	                     : journal_list_known(&now, &n, is_listed_already, &last, NULL)) == STATUS_OK) {
		if (n)
			qsort(now, n, sizeof *now, compare_paths);
		changed = n != last.n || !same_list(now, last.entries, n);
		journal_list_free(now, n);
	}
	free(last.entries);
	return changed;
}

/* The index takes in what it lacks until something is asked. Returns when to go on. */
static uint64_t update(struct finder *finder)
{
	size_t n_left = 0;
	enum status status = STATUS_OK;

	if (finder->index && finder->is_listed && !finder->lists_trash)
		status = index_update(finder->index, finder->entries, finder->n, is_outdated, finder, &n_left, NULL);
	finder->wants_update = status || n_left;
	return sys_now_ms() + (status ? RETRY_MS : QUIET_MS);
}

static void wait_until(struct finder *finder, uint64_t when)
{
	struct timespec at;
	uint64_t now = sys_now_ms(), ms;

	if (when == UINT64_MAX) {
		pthread_cond_wait(&finder->changed, &finder->lock);
		return;
	}
	if (when <= now)
		return;
	ms = when - now;
	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec += (time_t)(ms / 1000);
	at.tv_nsec += (long)(ms % 1000) * 1000000;
	if (at.tv_nsec >= 1000000000) {
		at.tv_nsec -= 1000000000;
		at.tv_sec++;
	}
	pthread_cond_timedwait(&finder->changed, &finder->lock, &at);
}

static bool take_question(struct finder *finder, struct question *question)
{
	*question = finder->asked;
	question->text = alloc_strndup(finder->asked.text, finder->asked.len);
	finder->answering = atomic_load(&finder->number);
	return question->text != NULL;
}

static void run(void *ctx)
{
	struct finder *finder = ctx;
	uint64_t update_at = 0; /* not before */

	if (index_open(&finder->index, NULL))
		finder->index = NULL;
	pthread_mutex_lock(&finder->lock);
	while (!job_is_stopped(&finder->job)) {
		struct question question;
		bool looks;

		if (finder->is_paused) {
			pthread_cond_wait(&finder->changed, &finder->lock);
		} else if (atomic_load(&finder->number) != finder->answering) {
			bool ok = take_question(finder, &question);

			pthread_mutex_unlock(&finder->lock);
			if (ok)
				answer(finder, &question);
			free(question.text);
			update_at = sys_now_ms() + QUIET_MS;
			pthread_mutex_lock(&finder->lock);
		} else if (finder->wants_look) {
			finder->wants_look = false;
			pthread_mutex_unlock(&finder->lock);
			looks = has_changed(finder);
			pthread_mutex_lock(&finder->lock);
			if (looks && atomic_load(&finder->number) == finder->answering) {
				finder->is_listed = false;
				drop_news(finder);
				finder->news = (struct finder_news){.is_new = true};
				atomic_fetch_add(&finder->number, 1);
			}
		} else if (finder->wants_update && sys_now_ms() >= update_at) {
			pthread_mutex_unlock(&finder->lock);
			update_at = update(finder);
			pthread_mutex_lock(&finder->lock);
		} else {
			wait_until(finder, finder->wants_update ? update_at : UINT64_MAX);
		}
	}
	pthread_mutex_unlock(&finder->lock);
}

enum status finder_start(struct finder **out, struct error *err)
{
	struct finder *finder = alloc_array(1, sizeof *finder);
	enum status status;

	if (!finder)
		return error_no_memory(err, "for the search");
	finder->is_paused = true;
	pthread_mutex_init(&finder->lock, NULL);
	pthread_cond_init(&finder->changed, NULL);
	status = job_start(&finder->job, run, finder, err);
	if (status)
		free(finder);
	else
		*out = finder;
	return status;
}

void finder_end(struct finder *finder)
{
	if (!finder)
		return;
	pthread_mutex_lock(&finder->lock);
	job_stop(&finder->job);
	pthread_cond_signal(&finder->changed);
	pthread_mutex_unlock(&finder->lock);
	job_end(&finder->job);
	index_close(finder->index);
	journal_list_free(finder->entries, finder->n);
	drop_news(finder);
	free(finder->twins);
	free(finder->asked.text);
	pthread_cond_destroy(&finder->changed);
	pthread_mutex_destroy(&finder->lock);
	free(finder);
}

int finder_fd(const struct finder *finder)
{
	return finder ? job_fd(&finder->job) : -1;
}

void finder_ask(struct finder *finder, const char *text, size_t len, enum finder_order order,
                bool in_trash)
{
	char *own = alloc_strndup(text, len);

	pthread_mutex_lock(&finder->lock);
	drop_news(finder);
	finder->news = (struct finder_news){.is_new = true};
	if (own) {
		free(finder->asked.text);
		finder->asked = (struct question){own, len, order, in_trash};
		atomic_store(&finder->is_paused, false);
		atomic_fetch_add(&finder->number, 1);
		pthread_cond_signal(&finder->changed);
	} else {
		error_no_memory(&finder->news.err, "for the search");
	}
	pthread_mutex_unlock(&finder->lock);
}

void finder_look(struct finder *finder)
{
	pthread_mutex_lock(&finder->lock);
	finder->wants_look = !finder->is_paused;
	pthread_cond_signal(&finder->changed);
	pthread_mutex_unlock(&finder->lock);
}

void finder_pause(struct finder *finder)
{
	pthread_mutex_lock(&finder->lock);
	atomic_store(&finder->is_paused, true);
	pthread_mutex_unlock(&finder->lock);
}

void finder_take(struct finder *finder, struct finder_news *news)
{
	wake_drain(&finder->job.wake);
	pthread_mutex_lock(&finder->lock);
	*news = finder->news;
	finder->news.rows = NULL;
	finder->news.n = finder->cap = 0;
	finder->news.is_new = false;
	finder->news.err.status = STATUS_OK;
	pthread_mutex_unlock(&finder->lock);
}
