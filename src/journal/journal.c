#include "journal/journal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "journal/journal_internal.h"

enum { PART_INTERVAL_MS = 2000, PART_BYTES = 4096 };

enum status journal_create_io(struct journal **out, const struct io_ops *io, struct error *err)
{
	struct journal *journal = alloc_array(1, sizeof *journal);

	if (!journal)
		return error_no_memory(err, "for the chat");
	journal->io = io;
	journal->file.fd = journal->spare.fd = -1;
	journal->next_seq = 1;
	buf_init(&journal->mirror, LIMIT_TRANSCRIPT);
	journal->id = alloc_strndup("", 0);
	if (!journal->id) {
		journal_close(journal);
		return error_no_memory(err, "for the chat");
	}
	*out = journal;
	return STATUS_OK;
}

/* Copies what a crash left at the end to a file beside it. It stays in the chat's file as well, so
 * nothing is lost if this fails. */
static void copy_torn(struct journal *journal)
{
	struct buf path = {.max = KIB(64)};
	size_t done;
	int fd;

	if (buf_printf(&path, "%s.torn", journal_path(journal)) == STATUS_OK &&
	    io_open(journal->io, buf_text(&path), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600,
	            &fd) == 0) {
		(void)io_write_all(journal->io, fd, journal->mirror.data + journal->torn_at,
		                   journal->torn_len, &done);
		io_close(journal->io, fd);
	}
	buf_free(&path);
	journal->torn_len = 0;
}

static void cut_written(struct journal_file *file, size_t cut)
{
	if (file->written > cut)
		file->written = cut;
}

/* There is no room for a record. */
static enum status lose_record(struct journal *journal, enum status status, struct error *err)
{
	journal->mirror.status = STATUS_OK; /* the next may fit */
	journal->failed = journal->lost = true;
	return error_set(err, status, status == STATUS_LIMIT
	                 ? "the chat's file is full: a record holds at most %zu bytes, a file %zu"
	                 : "not enough memory for the chat", (size_t)LIMIT_RECORD, (size_t)LIMIT_TRANSCRIPT);
}

/* Adds a finished record (or says why there is none) to the mirror, and to the file. `cut`: where the mirror is cut
 * first. */
static enum status append(struct journal *journal, struct buf *record, size_t cut, struct error *err)
{
	enum status status = buf_status(record);

	if (!status) {
		if (journal->torn_len)
			copy_torn(journal);
		if (cut < journal->mirror.len) {
			buf_remove(&journal->mirror, cut, journal->mirror.len - cut);
			cut_written(&journal->file, cut);
			cut_written(&journal->spare, cut);
		}
		if (journal->mirror.len && journal->mirror.data[journal->mirror.len - 1] != '\n')
			buf_putc(&journal->mirror, '\n');
		status = buf_append(&journal->mirror, record->data, record->len);
	}
	buf_free(record);
	if (status)
		return lose_record(journal, status, err);
	journal->next_seq++;
	return journal_save(journal, err);
}

/* Starts a record about `node` (NULL: none); a file's first record is preceded by what every file
 * begins with. */
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

/* For a record in the middle of a reply: the reply's parts stay in the mirror. */
static void keep_parts(struct journal *journal)
{
	journal->part_mark = SIZE_MAX;
}

static void end_draft(struct journal *journal)
{
	free(journal->draft);
	journal->draft = NULL;
	attachments_free(&journal->draft_files);
}

enum status journal_create(struct journal **out, struct error *err)
{
	return journal_create_io(out, &io_system, err);
}

/* A copy is written as soon as there is something new to write. */
static void become_copy(struct journal *journal, const struct parse_report *report)
{
	io_close(journal->io, journal->file.fd);
	journal->file.fd = -1;
	journal->file.written = 0;
	journal_make_id(journal->copy_id);
	/* Half a record may be what the other sotto is writing right now. */
	if (report->torn)
		buf_remove(&journal->mirror, report->good_len, journal->mirror.len);
}

enum status journal_open_io(struct journal **out, struct tree **tree, const char *path,
                            bool *forked, size_t *n_damaged, const struct io_ops *io,
                            struct error *err)
{
	struct parse_report report = {.draft = NULL};
	struct journal *journal;
	struct buf title = {.max = LIMIT_RECORD};
	enum status status = journal_create_io(&journal, io, err);

	if (status)
		return status;
	*tree = NULL;
	status = journal_read(journal, path, err);
	*forked = journal->why_copy != NULL;
	if (!status && !*forked)
		status = rescue_join(journal, err);
	if (!status)
		status = transcript_parse(buf_text(&journal->mirror), journal->mirror.len, tree,
		                          &title, &report, err);
	if (!status)
		status = transcript_check(path, *tree, &report, journal->mirror.len, err);
	if (!status && title.len) {
		journal->title = buf_take(&title, NULL);
		if (!journal->title)
			status = error_no_memory(err, "for the chat");
	}
	buf_free(&title);
	journal->draft = report.draft;
	journal->draft_files = report.draft_files;
	if (status) {
		tree_free(*tree);
		*tree = NULL;
		journal->file.was_durable = true; /* not ours to remove */
		journal->is_aside = false;
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
	journal->opened_len = journal->mirror.len;
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
	if (journal->failed || (journal->is_aside && journal->mirror.len > journal->opened_len))
		journal_save(journal, NULL); /* one last try */
	if (journal->is_aside)
		journal_file_leave(journal->io, &journal->file); /* it may be empty */
	journal_file_close(journal->io, &journal->file);
	journal_file_close(journal->io, &journal->spare);
	buf_free(&journal->mirror);
	free(journal->id);
	free(journal->title);
	end_draft(journal);
	free(journal);
}

const char *journal_path(const struct journal *journal)
{
	const struct journal_file *file = journal->is_aside ? &journal->spare : &journal->file;

	return file->path ? file->path : "";
}

bool journal_is_aside(const struct journal *journal)
{
	return journal->is_aside;
}

bool journal_is_at(const struct journal *journal, const char *path)
{
	return (journal->file.path && strcmp(journal->file.path, path) == 0) ||
	       (journal->spare.path && strcmp(journal->spare.path, path) == 0);
}

const char *journal_id(const struct journal *journal)
{
	return journal->id;
}

const char *journal_copy_id(const struct journal *journal)
{
	return journal->copy_id;
}

const char *journal_why_copy(const struct journal *journal)
{
	return journal->why_copy ? journal->why_copy : "";
}

const char *journal_get_title(const struct journal *journal)
{
	return journal->title ? journal->title : "";
}

const char *journal_get_draft(const struct journal *journal)
{
	return journal->draft ? journal->draft : "";
}

const struct attachments *journal_get_draft_files(const struct journal *journal)
{
	return &journal->draft_files;
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

	if (!journal->failed && !journal->is_aside)
		return STATUS_OK;
	if (journal->mirror.len)
		status = journal_save(journal, err);
	if (status && (journal->is_aside || journal_go_aside(journal, NULL)))
		return status;
	journal->failed = journal->lost;
	return journal->lost ? error_set(err, STATUS_LIMIT, "%s: a message is missing from the chat's file",
	                                 journal_path(journal))
	                     : STATUS_OK;
}

enum status journal_message(struct journal *journal, const struct node *node, struct error *err)
{
	struct buf record;
	struct record_source source = begin_record(journal, node, &record);

	if (node->role == ROLE_USER)
		end_draft(journal);
	keep_parts(journal);
	record_put_message(&record, &source, node);
	return append(journal, &record, SIZE_MAX, err);
}

/* The end of the last whole character. */
static size_t whole_characters(const char *text, size_t len, size_t from)
{
	size_t at = len > from + UTF8_MAX ? len - UTF8_MAX : from;

	/* Goes back to a character's first byte: at most three bytes follow it. */
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
	size_t cut = SIZE_MAX;
	enum status status;

	/* What it said turned out to be reasoning: what was written of it is written anew. */
	if (journal->part_node == node->id && node->len < journal->part_bytes) {
		cut = journal->part_mark;
		journal->part_bytes = journal->part_reasoning = journal->part_ids = 0;
	} else if (journal->part_node != node->id) {
		journal->part_node = node->id;
		journal->part_bytes = journal->part_reasoning = journal->part_ids = 0;
		journal->part_mark = journal->mirror.len;
		journal->part_time = now_ms;
	}
	if (cut == SIZE_MAX && now_ms - journal->part_time < PART_INTERVAL_MS &&
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
	status = append(journal, &record, cut, err);
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

enum status journal_mark(struct journal *journal, const struct node *node, struct error *err)
{
	struct buf record;
	struct record_source source = begin_record(journal, NULL, &record);

	keep_parts(journal);
	record_put_mark(&record, &source, node);
	return append(journal, &record, SIZE_MAX, err);
}

enum status journal_draft(struct journal *journal, const char *text, size_t len,
                          const struct attachments *files, struct error *err)
{
	const char *old = journal_get_draft(journal);
	struct attachments copied = {.n = 0};
	struct record_source source;
	struct buf record;
	char *copy;

	if (strlen(old) == len && memcmp(old, text, len) == 0 &&
	    journal->draft_files.n == (files ? files->n : 0))
		return STATUS_OK;
	copy = alloc_strndup(text, len);
	if (!copy || (files && attachments_copy(&copied, files))) {
		free(copy);
		return error_no_memory(err, "for the chat");
	}
	end_draft(journal);
	journal->draft = copy;
	journal->draft_files = copied;
	keep_parts(journal);
	source = begin_record(journal, NULL, &record);
	record_put_draft(&record, &source, text, len, files);
	return append(journal, &record, SIZE_MAX, err);
}

/* One line of at most LIMIT_TITLE bytes, whole characters, no controls. */
char *journal_clean_title(const char *title)
{
	struct buf line = {.max = LIMIT_TITLE};
	size_t at = 0, len = strlen(title);

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
	char *clean = journal_clean_title(title);

	if (!clean)
		return error_no_memory(err, "for the chat");
	free(journal->title);
	journal->title = clean;
	keep_parts(journal);
	source = begin_record(journal, NULL, &record);
	record_put_title(&record, &source);
	return append(journal, &record, SIZE_MAX, err);
}

enum status journal_tree(struct journal *journal, const struct tree *tree, const char *title,
                         struct error *err)
{
	struct record_source last;
	enum status status;

	if (title[0] && !(journal->title = journal_clean_title(title)))
		return error_no_memory(err, "for the chat");
	status = record_put_tree(&journal->mirror, tree, journal->title, &last);
	journal->next_seq = last.seq + 1;
	journal->n_messages = last.n_messages;
	journal->last_node = (uint32_t)tree_n(tree);
	return status ? lose_record(journal, status, err) : journal_save(journal, err);
}

enum status journal_rename(const char *path, const char *title, const struct io_ops *io,
                           struct error *err)
{
	struct journal *journal;
	struct tree *tree;
	struct stat before;
	size_t n_damaged;
	bool forked = false, has_time = stat(path, &before) == 0;
	enum status status = journal_open_io(&journal, &tree, path, &forked, &n_damaged, io, err);

	if (status)
		return status;
	if (forked)
		status = error_set(err, STATUS_BUSY, "this chat %s", journal_why_copy(journal));
	else
		status = journal_title(journal, title, err);
	/* When it failed, nothing is tried again at closing, since the user is told. */
	journal->failed = false;
	if (!status && has_time) {
		const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, before.st_mtim};

		(void)utimensat(AT_FDCWD, journal_path(journal), times, 0); /* a label only */
	}
	journal->opened_len = journal->mirror.len;
	journal_close(journal);
	tree_free(tree);
	return status;
}
