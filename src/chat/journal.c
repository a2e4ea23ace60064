#include "chat/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/sys.h"
#include "base/utf8.h"
#include "chat/journal_internal.h"

enum { PART_INTERVAL_MS = 2000, PART_BYTES = 4096, NAME_TRIES = 16, ID_MAX = 64 };

/* The mirror is all that belongs into the file, in memory: what a failed write
 * is made good from. Its first `written` bytes are on the disk, though the
 * file may hold more: parts of a reply leave the mirror when the whole reply
 * comes. */
struct journal {
	const struct io_ops *io;
	char *path; /* owned; "" before there is a file */
	char *id;
	int fd; /* -1: none yet */
	off_t file_len;
	dev_t device;
	ino_t inode;
	struct buf mirror;
	size_t written;
	bool failed;        /* the last try to save did not work */
	bool lost;          /* a record did not even get into the mirror: never to be made good */
	bool spoiled;       /* a sync failed: this file is not to be trusted again */
	bool has_tear;      /* the file ends in half a record: begin a new line */
	bool folder_synced; /* the file's name is on the disk */
	bool was_durable;   /* something was saved in this file */
	size_t torn_at;     /* a torn tail that was found: from here ... */
	size_t torn_len;    /* ... so long; 0 when there is none, or it was copied */
	uint64_t next_seq;
	char copy_id[ID_MAX]; /* of a copy that is to be begun, told beforehand; "" */
	uint32_t last_node;   /* the newest that was recorded */
	size_t n_messages;    /* of the user and the models up to it */
	size_t n_edited;
	char *title; /* owned, NULL for none */
	char *draft; /* owned, NULL for none */
	uint32_t part_node; /* the reply under way; 0 */
	size_t part_bytes, part_reasoning, part_ids; /* of it that are in parts */
	size_t part_mark;   /* where its parts begin in the mirror; SIZE_MAX: not to be cut */
	uint64_t part_time;
};

static enum status out_of_memory(struct error *err)
{
	return error_set(err, STATUS_NOMEM, "not enough memory for the transcript");
}

static enum status make_journal(struct journal **out, const struct io_ops *io, struct error *err)
{
	struct journal *journal = alloc_array(1, sizeof *journal);

	if (!journal)
		return out_of_memory(err);
	journal->io = io;
	journal->fd = -1;
	journal->next_seq = 1;
	buf_init(&journal->mirror, LIMIT_TRANSCRIPT);
	journal->path = alloc_strndup("", 0);
	journal->id = alloc_strndup("", 0);
	if (!journal->path || !journal->id) {
		journal_close(journal);
		return out_of_memory(err);
	}
	*out = journal;
	return STATUS_OK;
}

/* "20261121-093000-ab12": a label, and chance to tell two of a second apart. */
static void make_id(char *id, size_t size)
{
	time_t now = (time_t)sys_wall_time();
	unsigned chance = 0;
	char when[32] = "00000000-000000";
	struct tm tm;

	if (getrandom(&chance, sizeof chance, GRND_NONBLOCK) != (ssize_t)sizeof chance)
		chance = (unsigned)sys_now_us();
	if (localtime_r(&now, &tm))
		strftime(when, sizeof when, "%Y%m%d-%H%M%S", &tm);
	snprintf(id, size, "%s-%04x", when, chance & 0xFFFF);
}

static bool set_path(struct journal *journal, const char *path, const char *id)
{
	char *new_path = alloc_strndup(path, strlen(path)), *new_id = alloc_strndup(id, strlen(id));

	if (!new_path || !new_id) {
		free(new_path);
		free(new_id);
		return false;
	}
	free(journal->path);
	free(journal->id);
	journal->path = new_path;
	journal->id = new_id;
	return true;
}

/* Lets go of a file that will not be written any more. One in which nothing
 * was ever saved is taken away: all of it comes again elsewhere. */
static void leave_file(struct journal *journal)
{
	if (journal->fd < 0)
		return;
	if (!journal->was_durable)
		journal->io->unlink(journal->io->ctx, journal->path);
	io_close(journal->io, journal->fd);
	journal->fd = -1;
}

/* A new, empty file of our own in `folder`, instead of the one there was. */
static enum status start_file(struct journal *journal, const char *folder, struct error *err)
{
	int error = io_make_dirs(journal->io, folder), fd = -1;
	struct stat st;
	struct buf path;
	char id[ID_MAX] = "";

	if (error)
		return error_errno(err, error, "%s: cannot make the directory", folder);
	buf_init(&path, KIB(64));
	for (int tries = 0; tries < NAME_TRIES; tries++) {
		if (tries == 0 && journal->copy_id[0])
			snprintf(id, sizeof id, "%s", journal->copy_id);
		else
			make_id(id, sizeof id);
		buf_clear(&path);
		if (buf_printf(&path, "%s/%s.yaml", folder, id))
			break;
		error = io_open(journal->io, buf_text(&path),
		                O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0600, &fd);
		if (error != EEXIST)
			break;
	}
	if (buf_status(&path) || error || fd < 0) {
		error = error ? error : ENAMETOOLONG;
		error_errno(err, error, "%s: cannot create", buf_text(&path));
		goto fail;
	}
	/* Nobody else knows the name yet; a file system without locks is no
	 * reason not to save. */
	error = io_flock(journal->io, fd, LOCK_EX | LOCK_NB);
	if (error && error != ENOLCK && error != EOPNOTSUPP && error != ENOSYS && error != EINVAL) {
		error_errno(err, error, "%s: cannot lock", buf_text(&path));
		goto fail_open;
	}
	if (journal->io->fstat(journal->io->ctx, fd, &st) != 0) {
		error_errno(err, errno, "%s: cannot stat", buf_text(&path));
		goto fail_open;
	}
	leave_file(journal);
	if (!set_path(journal, buf_text(&path), id)) {
		out_of_memory(err);
		goto fail_open;
	}
	buf_free(&path);
	journal->fd = fd;
	journal->device = st.st_dev;
	journal->inode = st.st_ino;
	journal->copy_id[0] = '\0';
	journal->file_len = 0;
	journal->written = 0;
	journal->spoiled = journal->has_tear = journal->folder_synced = journal->was_durable = false;
	return STATUS_OK;
fail_open:
	journal->io->unlink(journal->io->ctx, buf_text(&path));
	io_close(journal->io, fd);
fail:
	buf_free(&path);
	return err ? err->status : STATUS_IO;
}

/* Whether the file is still the one that was written last, and all there.
 * *ours = false: it was replaced, removed or cut; go on in a new one. */
static enum status check_file(struct journal *journal, bool *ours, struct error *err)
{
	const struct io_ops *io = journal->io;
	struct stat st, named;

	*ours = true;
	if (io->fstat(io->ctx, journal->fd, &st) != 0)
		return error_errno(err, errno, "%s: cannot stat", journal->path);
	if (io->stat(io->ctx, journal->path, &named) != 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			return error_errno(err, errno, "%s: cannot stat", journal->path);
		*ours = false;
		return STATUS_OK;
	}
	if (named.st_ino != journal->inode || named.st_dev != journal->device ||
	    st.st_size < journal->file_len) {
		*ours = false;
	} else if (st.st_size > journal->file_len) {
		/* Somebody added to it: theirs stays, ours begins on a new line. */
		journal->file_len = st.st_size;
		journal->has_tear = true;
	}
	return STATUS_OK;
}

static enum status write_failed(struct journal *journal, int error, size_t done, struct error *err)
{
	if (error == EIO)
		journal->spoiled = true;
	/* Back to the last whole record; else the reader copes with the tear. */
	if (done && io_ftruncate(journal->io, journal->fd, journal->file_len) != 0) {
		journal->file_len += (off_t)done;
		journal->has_tear = true;
	}
	return error_errno(err, error, "%s: cannot write", journal->path);
}

/* Writes what the mirror has and the file has not. */
static enum status write_rest(struct journal *journal, struct error *err)
{
	const struct io_ops *io = journal->io;
	size_t n = journal->mirror.len - journal->written, done = 0, before = 0;
	int error = 0;

	if (n) {
		if (journal->has_tear)
			error = io_write_all(io, journal->fd, "\n", 1, &before);
		if (!error)
			error = io_write_all(io, journal->fd,
			                     journal->mirror.data + journal->written, n, &done);
		if (error)
			return write_failed(journal, error, before + done, err);
		journal->has_tear = false;
		journal->file_len += (off_t)(n + before);
		journal->written += n;
	}
	error = io_fdatasync(io, journal->fd);
	if (!error && !journal->folder_synced)
		error = io_sync_folder(io, journal->path);
	if (error) {
		/* The system may have dropped the pages and say yes next time:
		 * never ask this file again. */
		journal->spoiled = true;
		return error_errno(err, error, "%s: cannot sync", journal->path);
	}
	journal->folder_synced = true;
	journal->was_durable = true;
	return STATUS_OK;
}

static enum status save_in(struct journal *journal,
                           enum status (*find_folder)(struct buf *, struct error *),
                           struct error *err)
{
	struct buf folder;
	enum status status;

	buf_init(&folder, KIB(64));
	status = find_folder(&folder, err);
	if (!status)
		status = start_file(journal, buf_text(&folder), err);
	if (!status)
		status = write_rest(journal, err);
	buf_free(&folder);
	return status;
}

/* Makes the file hold the mirror. */
static enum status save(struct journal *journal, struct error *err)
{
	enum status status = STATUS_OK;
	struct error local;
	bool ours = true;

	if (!err)
		err = &local;
	if (journal->fd >= 0 && !journal->spoiled)
		status = check_file(journal, &ours, err);
	if (!status) {
		if (journal->fd < 0 || journal->spoiled || !ours)
			status = save_in(journal, chats_dir, err);
		else
			status = write_rest(journal, err);
	}
	journal->failed = status != STATUS_OK || journal->lost;
	return status;
}

/* What a crash left at the end, beside the file: it stays in there as well,
 * and nothing is lost if this fails. */
static void copy_torn(struct journal *journal)
{
	struct buf path;
	size_t done;
	int fd;

	buf_init(&path, KIB(64));
	if (buf_printf(&path, "%s.torn", journal->path) == STATUS_OK &&
	    io_open(journal->io, buf_text(&path), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600,
	            &fd) == 0) {
		(void)io_write_all(journal->io, fd, journal->mirror.data + journal->torn_at,
		                   journal->torn_len, &done);
		io_close(journal->io, fd);
	}
	buf_free(&path);
	journal->torn_len = 0;
}

/* A finished record (or a reason why there is none) into the mirror and the
 * file. `cut`: where the mirror is cut first. */
static enum status append(struct journal *journal, struct buf *record, size_t cut,
                          struct error *err)
{
	enum status status = buf_status(record);

	if (!status) {
		if (journal->torn_len)
			copy_torn(journal);
		if (cut < journal->mirror.len) {
			buf_remove(&journal->mirror, cut, journal->mirror.len - cut);
			if (journal->written > cut)
				journal->written = cut;
		}
		if (journal->mirror.len && journal->mirror.data[journal->mirror.len - 1] != '\n')
			buf_putc(&journal->mirror, '\n');
		status = buf_append(&journal->mirror, record->data, record->len);
		journal->mirror.status = STATUS_OK; /* the next may fit */
	}
	buf_free(record);
	if (status) {
		journal->failed = journal->lost = true;
		return error_set(err, status, status == STATUS_LIMIT
		                 ? "the transcript is full: a record holds at most %zu bytes, a file %zu"
		                 : "not enough memory for the transcript", (size_t)LIMIT_RECORD,
		                 (size_t)LIMIT_TRANSCRIPT);
	}
	journal->next_seq++;
	return save(journal, err);
}

/* Starts a record about `node` (NULL: none), the first of a file with what every file begins
 * with. */
static struct record_source begin_record(struct journal *journal, const struct node *node,
                                         struct buf *record)
{
	struct record_source source = {.seq = journal->next_seq, .title = journal->title};

	buf_init(record, LIMIT_RECORD);
	if (journal->mirror.len == 0) {
		record_put_meta(record, &source);
		source.seq = ++journal->next_seq;
	}
	if (node && node->id > journal->last_node) {
		journal->last_node = node->id;
		journal->n_messages += node->role != ROLE_SYSTEM;
	}
	source.n_messages = journal->n_messages;
	return source;
}

/* Any record in between: the parts of the reply under way stay in the mirror. */
static void keep_parts(struct journal *journal)
{
	journal->part_mark = SIZE_MAX;
}

enum status journal_create_io(struct journal **out, const struct io_ops *io, struct error *err)
{
	return make_journal(out, io, err);
}

enum status journal_create(struct journal **out, struct error *err)
{
	return journal_create_io(out, &io_system, err);
}

/* Opens to write, else to read and go on in a copy. */
static enum status open_file(const struct io_ops *io, const char *path, int *fd, bool *forked,
                             struct error *err)
{
	int error = io_open(io, path, O_RDWR | O_APPEND | O_NONBLOCK, 0, fd);

	*forked = false;
	if (error == EACCES || error == EROFS || error == EPERM) {
		*forked = true;
		error = io_open(io, path, O_RDONLY | O_NONBLOCK, 0, fd);
	}
	if (error)
		return error_errno(err, error, "%s: cannot open", path);
	if (!*forked && io_flock(io, *fd, LOCK_EX | LOCK_NB) != 0)
		*forked = true; /* another sotto's, or a file system without locks */
	return STATUS_OK;
}

static enum status read_file(struct journal *journal, const char *path, struct error *err)
{
	const struct io_ops *io = journal->io;
	struct stat st;
	int error;

	if (io->fstat(io->ctx, journal->fd, &st) != 0)
		return error_errno(err, errno, "%s: cannot stat", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, STATUS_IO, S_ISDIR(st.st_mode) ? "%s: is a directory"
		                                                     : "%s: not a regular file", path);
	error = io_read_all(io, journal->fd, &journal->mirror);
	journal->mirror.status = STATUS_OK;
	if (error == EFBIG)
		return error_set(err, STATUS_LIMIT, "%s: larger than %zu bytes", path,
		                 (size_t)LIMIT_TRANSCRIPT);
	if (error)
		return error_errno(err, error, "%s: cannot read", path);
	journal->device = st.st_dev;
	journal->inode = st.st_ino;
	journal->file_len = (off_t)journal->mirror.len;
	journal->written = journal->mirror.len;
	journal->folder_synced = journal->was_durable = true;
	return STATUS_OK;
}

static enum status name_from_path(struct journal *journal, const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t n = strlen(base);
	char id[256];

	if (n > 5 && strcmp(base + n - 5, ".yaml") == 0)
		n -= 5;
	snprintf(id, sizeof id, "%.*s", (int)n, base);
	return set_path(journal, path, id) ? STATUS_OK : out_of_memory(err);
}

/* A copy is written when there is something new to write. */
static void become_copy(struct journal *journal, const struct parse_report *report)
{
	io_close(journal->io, journal->fd);
	journal->fd = -1;
	journal->written = 0;
	make_id(journal->copy_id, sizeof journal->copy_id);
	/* Half a record may be what the other sotto is writing just now. */
	if (report->torn)
		buf_remove(&journal->mirror, report->good_len, journal->mirror.len);
}

enum status journal_open_io(struct journal **out, struct tree **tree, const char *path,
                            bool *forked, size_t *n_damaged, const struct io_ops *io,
                            struct error *err)
{
	struct parse_report report = {.draft = NULL};
	struct journal *journal;
	struct buf title;
	enum status status = make_journal(&journal, io, err);

	if (status)
		return status;
	*tree = NULL;
	buf_init(&title, LIMIT_RECORD);
	status = open_file(io, path, &journal->fd, forked, err);
	if (!status)
		status = read_file(journal, path, err);
	if (!status)
		status = transcript_parse(buf_text(&journal->mirror), journal->mirror.len, tree,
		                          &title, &report, err);
	if (!status && tree_n(*tree) == 0 && report.good_len == 0 && journal->mirror.len)
		status = error_set(err, STATUS_FORMAT, "%s: not a transcript", path);
	if (!status)
		status = name_from_path(journal, path, err);
	if (!status && title.len) {
		journal->title = buf_take(&title, NULL);
		if (!journal->title)
			status = out_of_memory(err);
	}
	buf_free(&title);
	journal->draft = report.draft;
	if (status) {
		tree_free(*tree);
		*tree = NULL;
		journal->was_durable = true; /* not ours to remove */
		journal_close(journal);
		return status;
	}
	journal->next_seq = report.next_seq;
	journal->n_edited = report.n_edited;
	journal->last_node = (uint32_t)tree_n(*tree);
	for (uint32_t node = 1; node <= journal->last_node; node++)
		journal->n_messages += tree_node(*tree, node)->role != ROLE_SYSTEM;
	if (*forked) {
		become_copy(journal, &report);
	} else if (report.torn) {
		journal->torn_at = report.good_len;
		journal->torn_len = journal->mirror.len - report.good_len;
	}
	*n_damaged = report.n_damaged;
	*out = journal;
	return STATUS_OK;
}

enum status journal_open(struct journal **out, struct tree **tree, const char *path, bool *forked,
                         size_t *n_damaged, struct error *err)
{
	return journal_open_io(out, tree, path, forked, n_damaged, &io_system, err);
}

void journal_close(struct journal *journal)
{
	if (!journal)
		return;
	if (journal->failed)
		save(journal, NULL); /* one last try */
	if (journal->fd >= 0)
		io_close(journal->io, journal->fd);
	buf_free(&journal->mirror);
	free(journal->path);
	free(journal->id);
	free(journal->title);
	free(journal->draft);
	free(journal);
}

const char *journal_path(const struct journal *journal)
{
	return journal->path;
}

const char *journal_id(const struct journal *journal)
{
	return journal->id;
}

const char *journal_copy_id(const struct journal *journal)
{
	return journal->copy_id;
}

const char *journal_get_title(const struct journal *journal)
{
	return journal->title ? journal->title : "";
}

const char *journal_get_draft(const struct journal *journal)
{
	return journal->draft ? journal->draft : "";
}

size_t journal_n_edited(const struct journal *journal)
{
	return journal->n_edited;
}

bool journal_is_unsaved(const struct journal *journal)
{
	return journal->failed;
}

enum status journal_retry(struct journal *journal, struct error *err)
{
	enum status status = STATUS_OK;

	if (!journal->failed)
		return STATUS_OK;
	if (journal->mirror.len)
		status = save(journal, err); /* the same place */
	if (status && save_in(journal, chats_dir, NULL) && save_in(journal, chats_spare_dir, NULL))
		return status;
	journal->failed = journal->lost;
	return journal->lost ? error_set(err, STATUS_LIMIT, "%s: a message is missing from the transcript",
	                                 journal->path)
	                     : STATUS_OK;
}

enum status journal_message(struct journal *journal, const struct node *node, struct error *err)
{
	struct buf record;
	struct record_source source = begin_record(journal, node, &record);

	if (node->role == ROLE_USER) {
		free(journal->draft);
		journal->draft = NULL;
	}
	keep_parts(journal);
	record_put_message(&record, &source, node);
	return append(journal, &record, SIZE_MAX, err);
}

/* The end of the last whole character. */
static size_t whole_characters(const char *text, size_t len, size_t from)
{
	size_t at = len > from + UTF8_MAX ? len - UTF8_MAX : from;

	/* Back on a beginning: not more than three bytes of a character follow. */
	while (at > from && (text[at] & 0xC0) == 0x80)
		at--;
	while (at < len) {
		int32_t cp;
		size_t n = utf8_decode(text + at, len - at, &cp);

		if (cp == -2)
			break;
		at += n;
	}
	return at;
}

enum status journal_reply_part(struct journal *journal, const struct node *node, uint64_t now_ms,
                               struct error *err)
{
	struct record_source source;
	struct record_part part;
	struct buf record;
	bool lost = journal->lost;
	enum status status;

	if (journal->part_node != node->id) {
		journal->part_node = node->id;
		journal->part_bytes = journal->part_reasoning = journal->part_ids = 0;
		journal->part_mark = journal->mirror.len;
		journal->part_time = now_ms;
	}
	if (now_ms - journal->part_time < PART_INTERVAL_MS &&
	    node->len + node->reasoning_len - journal->part_bytes - journal->part_reasoning <
	            PART_BYTES)
		return STATUS_OK;
	part = (struct record_part){.from = journal->part_bytes, .from_id = journal->part_ids,
	                            .reasoning_from = journal->part_reasoning};
	part.to = whole_characters(node->text, node->len, part.from);
	part.reasoning_to = whole_characters(node->reasoning, node->reasoning_len,
	                                     part.reasoning_from);
	if (part.to == part.from && part.reasoning_to == part.reasoning_from)
		return STATUS_OK;
	source = begin_record(journal, node, &record);
	record_put_part(&record, &source, node, &part);
	journal->part_time = now_ms;
	status = append(journal, &record, SIZE_MAX, err);
	journal->lost = lost; /* the whole reply is yet to come */
	journal->part_bytes = part.to;
	journal->part_reasoning = part.reasoning_to;
	journal->part_ids = node->n_ids;
	return status;
}

enum status journal_reply_end(struct journal *journal, const struct node *node, struct error *err)
{
	struct buf record;
	struct record_source source = begin_record(journal, node, &record);
	size_t cut = journal->part_node == node->id ? journal->part_mark : SIZE_MAX;

	record_put_reply(&record, &source, node);
	journal->part_node = 0;
	return append(journal, &record, cut, err);
}

enum status journal_node(struct journal *journal, const struct node *node, struct error *err)
{
	return (node->role == ROLE_ASSISTANT ? journal_reply_end : journal_message)(journal, node, err);
}

enum status journal_leaf(struct journal *journal, uint32_t leaf, struct error *err)
{
	struct buf record;
	struct record_source source = begin_record(journal, NULL, &record);

	keep_parts(journal);
	record_put_leaf(&record, &source, leaf);
	return append(journal, &record, SIZE_MAX, err);
}

enum status journal_draft(struct journal *journal, const char *text, size_t len, struct error *err)
{
	const char *old = journal_get_draft(journal);
	struct record_source source;
	struct buf record;
	char *copy;

	if (strlen(old) == len && memcmp(old, text, len) == 0)
		return STATUS_OK;
	copy = alloc_strndup(text, len);
	if (!copy)
		return out_of_memory(err);
	free(journal->draft);
	journal->draft = copy;
	keep_parts(journal);
	source = begin_record(journal, NULL, &record);
	record_put_draft(&record, &source, text, len);
	return append(journal, &record, SIZE_MAX, err);
}

/* One line of at most LIMIT_TITLE bytes, whole characters, no controls. */
static char *clean_title(const char *title)
{
	struct buf line;
	size_t at = 0, len = strlen(title);

	buf_init(&line, LIMIT_TITLE);
	while (at < len) {
		int32_t cp;
		size_t n = utf8_decode(title + at, len - at, &cp);

		if (cp >= 0 && cp < 0x20)
			buf_putc(&line, ' ');
		else if (buf_append(&line, cp < 0 ? "?" : title + at, cp < 0 ? 1 : n))
			break;
		at += n;
	}
	return buf_take(&line, NULL);
}

enum status journal_title(struct journal *journal, const char *title, struct error *err)
{
	struct record_source source;
	struct buf record;
	char *clean = clean_title(title);

	if (!clean)
		return out_of_memory(err);
	free(journal->title);
	journal->title = clean;
	keep_parts(journal);
	source = begin_record(journal, NULL, &record);
	record_put_title(&record, &source);
	return append(journal, &record, SIZE_MAX, err);
}
