#include "journal/draft_file.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/sys.h"
#include "journal/journal_internal.h"

static const char of_new[] = "new-"; /* and the process */

/* Chats in other folders may have the same id. */
void draft_key_of(char key[DRAFT_KEY_MAX], const struct journal *journal)
{
	const char *path = journal_path(journal);

	snprintf(key, DRAFT_KEY_MAX, "%.64s-%08" PRIx32, journal_id(journal), crc32c(path, strlen(path)));
	for (char *c = key; *c; c++)
		if (*c == '/' || *c == '.')
			*c = '_';
}

void draft_key_new(char key[DRAFT_KEY_MAX])
{
	snprintf(key, DRAFT_KEY_MAX, "%s%ld", of_new, (long)getpid());
}

static enum status find_folder(struct buf *out, struct error *err)
{
	return sys_user_path(SYS_DIR_STATE, "/drafts", out, err);
}

static enum status find_path(struct buf *out, const char *key, struct error *err)
{
	enum status status = find_folder(out, err);

	if (!status && buf_printf(out, "/%s.yaml", key))
		status = error_set(err, STATUS_LIMIT, "the path of the drafts is too long");
	return status;
}

static enum status make_folder(struct error *err)
{
	enum status status;
	struct buf folder = {.max = KIB(64)};

	status = find_folder(&folder, err);
	if (!status)
		status = sys_make_dirs(buf_text(&folder), err);
	buf_free(&folder);
	return status;
}

enum status draft_file_save(const char *key, const char *text, size_t len,
                            const struct attachments *files, const struct io_ops *io,
                            struct error *err)
{
	const struct record_source source = {.seq = 1};
	enum status status = make_folder(err);
	struct buf path = {.max = KIB(64)};
	struct buf record = {.max = LIMIT_RECORD};
	int error = 0;

	if (!status)
		status = find_path(&path, key, err);
	if (!status) {
		record_put_draft(&record, &source, text, len, files);
		status = buf_status(&record) ? error_no_memory(err, "for the chat") : STATUS_OK;
	}
	if (!status)
		error = file_replace(io, buf_text(&path), record.data, record.len);
	if (error)
		status = error_errno(err, error, "%s: cannot write", buf_text(&path));
	buf_free(&path);
	buf_free(&record);
	return status;
}

enum status draft_file_load(const char *key, char **text, struct attachments *files,
                            struct error *err)
{
	struct parse_report report = {.draft = NULL};
	struct tree *tree = NULL;
	enum status status;
	struct buf path = {.max = KIB(64)};
	char *bytes = NULL;
	size_t len;

	status = find_path(&path, key, err);
	if (!status)
		status = sys_read_file(buf_text(&path), LIMIT_RECORD, &bytes, &len, err);
	if (!status)
		status = transcript_parse(bytes, len, &tree, NULL, &report, err);
	if (!status && !report.draft)
		status = error_set(err, STATUS_NOTFOUND, "%s: no draft", buf_text(&path));
	if (status) {
		free(report.draft);
		attachments_free(&report.draft_files);
	} else {
		*text = report.draft;
		*files = report.draft_files;
	}
	tree_free(tree);
	free(bytes);
	buf_free(&path);
	return status;
}

/* Whether it is a draft whose process has ended. */
static bool is_lost(const char *name, long *pid)
{
	char *end;

	if (strncmp(name, of_new, sizeof of_new - 1) != 0)
		return false;
	errno = 0;
	*pid = strtol(name + sizeof of_new - 1, &end, 10);
	return !errno && *pid > 0 && strcmp(end, ".yaml") == 0 && *pid != (long)getpid() &&
	       kill((pid_t)*pid, 0) != 0 && errno == ESRCH;
}

enum status draft_file_find_lost(char key[DRAFT_KEY_MAX], struct error *err)
{
	struct timespec newest = {0, 0};
	struct dirent *entry;
	struct buf folder = {.max = KIB(64)};
	enum status status;
	struct stat st;
	long pid;
	DIR *dir;

	key[0] = '\0';
	status = find_folder(&folder, err);
	dir = status ? NULL : opendir(buf_text(&folder));
	while (dir && (entry = readdir(dir))) {
		if (!is_lost(entry->d_name, &pid) || fstatat(dirfd(dir), entry->d_name, &st, 0) != 0 ||
		    (key[0] && (st.st_mtim.tv_sec < newest.tv_sec ||
		                (st.st_mtim.tv_sec == newest.tv_sec && st.st_mtim.tv_nsec < newest.tv_nsec))))
			continue;
		newest = st.st_mtim;
		snprintf(key, DRAFT_KEY_MAX, "%s%ld", of_new, pid);
	}
	if (dir)
		closedir(dir);
	buf_free(&folder);
	if (!status && !key[0])
		status = error_set(err, STATUS_NOTFOUND, "there is no draft");
	return status;
}

void draft_file_remove(const char *key, const struct io_ops *io)
{
	struct buf path = {.max = KIB(64)};

	if (!find_path(&path, key, NULL))
		io->unlink(buf_text(&path));
	buf_free(&path);
}
