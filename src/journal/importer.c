#include "journal/importer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "journal/journal.h"

/* A chat that has been added, as it was then. */
struct added {
	char *path; /* owned */
	off_t len;
};

struct importer {
	struct job job;         /* counts bytes of the file */
	char *path;             /* owned */
	bool reads_pipes;
	atomic_size_t n_kept, n;
	atomic_bool has_file;
	/* The thread's, until it has ended: */
	struct added *added;    /* owned, [n_kept] */
	struct importer_result result;
	enum status status;
	struct error err;
};

/* A chat that somebody has written to meanwhile is theirs. */
static void take_back(struct importer *importer)
{
	size_t n = atomic_load(&importer->n_kept), n_left = 0;
	struct stat st;

	for (size_t i = 0; i < n; i++) {
		const struct added *added = &importer->added[i];

		if (lstat(added->path, &st) == 0 && (st.st_size != added->len || unlink(added->path) != 0))
			n_left++;
	}
	n = strlen(importer->err.text);
	if (n_left)
		snprintf(importer->err.text + n, sizeof importer->err.text - n, "; %zu chat%s could not be taken back",
		         n_left, n_left == 1 ? "" : "s");
}

static enum status keep(struct importer *importer, const struct import *import, struct error *err)
{
	enum status status = STATUS_OK;

	importer->added = alloc_array(import->n, sizeof *importer->added);
	if (!importer->added)
		return error_no_memory(err, "to import");
	atomic_store(&importer->n, import->n);
	for (size_t i = 0; !status && i < import->n; i++) {
		struct added *added = &importer->added[i];
		struct stat st;

		if (job_is_stopped(&importer->job))
			return error_set(err, STATUS_CANCELLED, "stopped");
		status = journal_add(import->chats[i].tree, import->chats[i].title, &added->path, err);
		if (!status) {
			added->len = lstat(added->path, &st) == 0 ? st.st_size : -1;
			atomic_store(&importer->n_kept, i + 1);
		}
	}
	return status;
}

static void run(void *ctx)
{
	struct importer *importer = ctx;
	struct import import = {.n = 0};
	struct error *err = &importer->err;
	char *text = NULL;
	size_t len = 0;
	enum status status = (importer->reads_pipes ? sys_read_any_file : sys_read_file)(importer->path, LIMIT_IMPORT,
	                                                                                 &text, &len, err);

	if (!status) {
		atomic_store(&importer->job.all, len);
		atomic_store(&importer->has_file, true); /* before `stop` is looked at: see importer_start_any */
		status = import_read(&import, importer->path, text, len, &importer->job, err);
	}
	free(text);
	if (!status)
		status = keep(importer, &import, err);
	importer->status = status;
	if (status)
		take_back(importer);
	else
		importer->result = (struct importer_result){.n = import.n, .counts = import.counts};
	import_free(&import);
}

static void importer_free(struct importer *importer)
{
	for (size_t i = 0; i < atomic_load(&importer->n_kept); i++)
		free(importer->added[i].path);
	free(importer->added);
	free(importer->path);
	free(importer);
}

static enum status start(struct importer **out, const char *path, bool reads_pipes, struct error *err)
{
	struct importer *importer = alloc_array(1, sizeof *importer);
	enum status status;

	*out = NULL;
	if (importer)
		importer->path = alloc_strndup(path, strlen(path));
	if (!importer || !importer->path) {
		free(importer);
		return error_no_memory(err, "to import");
	}
	importer->reads_pipes = reads_pipes;
	status = job_start(&importer->job, run, importer, err);
	if (status)
		importer_free(importer);
	else
		*out = importer;
	return status;
}

enum status importer_start(struct importer **out, const char *path, struct error *err)
{
	return start(out, path, false, err);
}

enum status importer_start_any(struct importer **out, const char *path, struct error *err)
{
	return start(out, path, true, err);
}

struct importer_progress importer_look(const struct importer *importer)
{
	size_t len = atomic_load(&importer->job.all), done = atomic_load(&importer->job.done);

	return (struct importer_progress){
		.is_over = job_is_over(&importer->job), .has_file = atomic_load(&importer->has_file),
		.percent = len ? (unsigned)((done < len ? done : len) * (size_t)100 / len) : 0,
		.n_kept = atomic_load(&importer->n_kept), .n = atomic_load(&importer->n)};
}

int importer_fd(const struct importer *importer)
{
	return importer ? job_fd(&importer->job) : -1;
}

void importer_stop(struct importer *importer)
{
	job_stop(&importer->job);
}

enum status importer_end(struct importer *importer, struct importer_result *result, struct error *err)
{
	enum status status;

	job_end(&importer->job);
	status = importer->status;
	*result = importer->result;
	if (status && err)
		*err = importer->err;
	if (!status && importer->result.n) {
		result->first = importer->added[0].path;
		importer->added[0].path = NULL;
	}
	importer_free(importer);
	return status;
}
