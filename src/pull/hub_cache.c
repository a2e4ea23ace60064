#include "pull/hub_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/path_variable.h"
#include "base/sys.h"
#include "base/text_ends.h"
#include "pull/hub_key.h"
#include "pull/hub_listing.h"

/* What its own program refuses to fetch by plain HTTP. */
static const uint64_t most_bytes = 50000000000;

enum { PATH_BYTES = KIB(16) };

/* In llama.cpp's order. */
static const char *const variables[] = {"LLAMA_CACHE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"};
enum { N_VARIABLES = sizeof variables / sizeof variables[0] };

bool hub_cache_any(struct buf *out, size_t i)
{
	buf_clear(out);
	if (i < N_VARIABLES)
		(void)path_variable_put(out, variables[i]);
	else if (i == N_VARIABLES && !hub_home(out, NULL))
		buf_puts(out, "/hub");
	return i <= N_VARIABLES;
}

enum status hub_cache_folder(struct buf *out, struct error *err)
{
	enum status status;

	for (size_t i = 0; i < N_VARIABLES; i++)
		if (path_variable_put(out, variables[i]))
			return buf_status(out) ? error_no_memory(err, "for a path") : STATUS_OK;
	status = hub_home(out, err);
	if (!status && buf_puts(out, "/hub"))
		status = error_no_memory(err, "for a path");
	return status;
}

void hub_cache_put_name(struct buf *out, const char *repository)
{
	buf_puts(out, "models--");
	for (; *repository; repository++)
		if (*repository == '/')
			buf_puts(out, "--");
		else
			buf_putc(out, *repository);
}

/* Appends the folder of a repository; "owner/repo". */
static enum status put_repository(struct buf *out, const char *repository, struct error *err)
{
	enum status status = hub_cache_folder(out, err);

	if (status)
		return status;
	buf_putc(out, '/');
	hub_cache_put_name(out, repository);
	return buf_status(out) ? error_no_memory(err, "for a path") : STATUS_OK;
}

static enum status put_snapshot(struct buf *out, const struct pull_offer *offer, const char *path, struct error *err)
{
	enum status status = put_repository(out, offer->name.repository, err);

	if (!status && buf_printf(out, "/snapshots/%s%s%s", offer->commit, *path ? "/" : "", path))
		status = error_no_memory(err, "for a path");
	return status;
}

static bool is_whole(const char *path, const struct pull_file *file, const struct io_ops *io)
{
	struct stat st;

	return io->stat(path, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == file->size;
}

/* ---- folders ---- */

static enum status make_folder(char *path, bool syncs, const struct io_ops *io, struct error *err)
{
	struct stat st;

	if (io->stat(path, &st) == 0)
		return S_ISDIR(st.st_mode) ? STATUS_OK : error_set(err, STATUS_IO, "%.400s is not a folder", path);
	if (io->mkdir(path, 0777) != 0 && errno != EEXIST)
		return error_errno(err, errno, "cannot make the folder %.400s", path);
	if (syncs)
		(void)io_sync_folder(io, path); /* a folder that is lost is made again */
	return STATUS_OK;
}

static enum status make_folders(const char *path, bool syncs, const struct io_ops *io, struct error *err)
{
	struct buf copy = {.max = PATH_BYTES};
	enum status status = STATUS_OK;

	if (buf_puts(&copy, path))
		return error_no_memory(err, "for a path");
	for (char *at = copy.data + 1; !status; at++) {
		char c = *at;

		if (c != '/' && c)
			continue;
		*at = '\0';
		status = make_folder(copy.data, syncs, io, err);
		*at = c;
		if (!c)
			break;
	}
	buf_free(&copy);
	return status;
}

enum status hub_make_folders(const char *path, const struct io_ops *io, struct error *err)
{
	return make_folders(path, true, io, err);
}

static enum status make_folder_of(const char *path, bool syncs, const struct io_ops *io, struct error *err)
{
	struct buf folder = {.max = PATH_BYTES};
	const char *slash = strrchr(path, '/');
	enum status status;

	if (!slash || slash == path)
		return STATUS_OK;
	if (buf_append(&folder, path, (size_t)(slash - path)))
		return error_no_memory(err, "for a path");
	status = make_folders(buf_text(&folder), syncs, io, err);
	buf_free(&folder);
	return status;
}

/* ---- files ---- */

static enum status too_large(const struct pull_file *file, struct error *err)
{
	return error_set(err, STATUS_UNSUPPORTED, "%.200s has %.0f GB, more than the 50 GB that can be fetched at once: take a "
	                 "model that is split into parts, or fetch it with `hf download`", file->path, (double)file->size / 1e9);
}

enum status hub_store(struct buf *out, const struct pull_offer *offer, const struct pull_file *file,
                      const struct io_ops *io, struct error *err)
{
	enum status status = put_snapshot(out, offer, file->path, err);

	/* Where links are not possible, it is there as itself. */
	if (status || is_whole(buf_text(out), file, &io_system))
		return status;
	if (!file->digest[0])
		return error_set(err, STATUS_UNSUPPORTED, "the listing of %.150s names no digest of %.200s, so it cannot be kept or checked",
		                 offer->name.repository, file->path);
	buf_clear(out);
	status = put_repository(out, offer->name.repository, err);
	if (!status && buf_printf(out, "/blobs/%s", file->digest))
		status = error_no_memory(err, "for a path");
	if (status || !io || is_whole(buf_text(out), file, io))
		return status;
	if (file->size > most_bytes)
		return too_large(file, err);
	status = make_folder_of(buf_text(out), true, io, err);
	if (status == STATUS_IO || status == STATUS_NOTFOUND)
		error_prefix(err, "the hub's cache, of which HF_HOME and HF_HUB_CACHE say where it is");
	return status;
}

/* A repository without snapshots is a broken one for huggingface_hub. */
void hub_tidy(const struct pull_offer *offer, const struct io_ops *io)
{
	struct buf path = {.max = PATH_BYTES};

	if (!put_repository(&path, offer->name.repository, NULL) && !buf_puts(&path, "/blobs") &&
	    io->rmdir(buf_text(&path)) == 0) {
		buf_remove(&path, path.len - strlen("/blobs"), strlen("/blobs"));
		io->rmdir(buf_text(&path));
	}
	buf_free(&path);
}

/* Held while a file gets its name: huggingface_hub's, so that both do not do it at once. -1: without it. */
static int lock(const struct pull_offer *offer, const struct pull_file *file, const struct io_ops *io)
{
	struct buf path = {.max = PATH_BYTES};
	int fd = -1;

	if (!hub_cache_folder(&path, NULL)) {
		buf_puts(&path, "/.locks/");
		hub_cache_put_name(&path, offer->name.repository);
		buf_printf(&path, "/%s.lock", file->digest);
		if (!buf_status(&path) && !make_folder_of(buf_text(&path), false, io, NULL) &&
		    !io_open(io, buf_text(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0666, &fd))
			(void)io_flock(io, fd, LOCK_EX | LOCK_NB);
	}
	buf_free(&path);
	return fd;
}

static bool is_impossible(int errnum)
{
	return errnum == EPERM || errnum == ENOSYS || errnum == EOPNOTSUPP || errnum == ENOTSUP || errnum == EINVAL;
}

/* Makes `path` a link to the blob; where that is not possible, it becomes the file. */
static enum status link_file(const char *path, const char *target, const char *blob, const struct io_ops *io,
                             struct error *err)
{
	int rc = symlink(target, path);

	if (rc != 0 && errno == EEXIST && io->unlink(path) == 0) /* to something that is not there, or is another file */
		rc = symlink(target, path);
	if (rc != 0 && is_impossible(errno))
		rc = io->rename(blob, path);
	if (rc != 0)
		return error_errno(err, errno, "cannot give %.300s its name", path);
	(void)io_sync_folder(io, path);
	return STATUS_OK;
}

static void put_target(struct buf *out, const struct pull_file *file)
{
	buf_puts(out, "../../");
	for (const char *at = file->path; *at; at++)
		if (*at == '/')
			buf_puts(out, "../");
	buf_printf(out, "blobs/%s", file->digest);
}

/* Whether the name leads to the file that the digest names. */
static bool is_linked(const char *path, const char *blob, const struct pull_file *file, const struct io_ops *io)
{
	struct stat named, own;

	if (!is_whole(path, file, io))
		return false;
	return io->stat(blob, &own) != 0 || (io->stat(path, &named) == 0 && named.st_ino == own.st_ino);
}

static enum status publish_file(const struct pull_offer *offer, const struct pull_file *file, const struct io_ops *io,
                                struct error *err)
{
	struct buf path = {.max = PATH_BYTES}, blob = {.max = PATH_BYTES}, target = {.max = PATH_BYTES};
	enum status status = put_snapshot(&path, offer, file->path, err);
	int fd;

	if (!status)
		status = put_repository(&blob, offer->name.repository, err);
	buf_printf(&blob, "/blobs/%s", file->digest);
	put_target(&target, file);
	if (!status && (buf_status(&blob) || buf_status(&target)))
		status = error_no_memory(err, "for a path");
	if (!status && !is_linked(buf_text(&path), buf_text(&blob), file, io)) {
		fd = lock(offer, file, io);
		status = make_folder_of(buf_text(&path), true, io, err);
		if (!status)
			status = link_file(buf_text(&path), buf_text(&target), buf_text(&blob), io, err);
		if (fd >= 0)
			(void)io_close(io, fd);
	}
	buf_free(&path);
	buf_free(&blob);
	buf_free(&target);
	return status;
}

/* ---- what says that the repository is there ---- */

static enum status write_small(const char *path, const char *text, bool replace, const struct io_ops *io, struct error *err)
{
	enum status status = make_folder_of(path, true, io, err);

	return status ? status : file_write(io, path, text, strlen(text), replace, 0666, err);
}

static enum status write_ref(const struct pull_offer *offer, const struct io_ops *io, struct error *err)
{
	struct buf path = {.max = PATH_BYTES};
	const char *revision = offer->name.revision;
	enum status status;

	if (strlen(revision) == HUB_COMMIT_LEN && hub_is_hex(revision, HUB_COMMIT_LEN))
		return STATUS_OK; /* a commit needs no name */
	status = put_repository(&path, offer->name.repository, err);
	if (!status && buf_printf(&path, "/refs/%s", revision))
		status = error_no_memory(err, "for a path");
	if (!status)
		status = write_small(buf_text(&path), offer->commit, true, io, err);
	buf_free(&path);
	return status;
}

static bool is_cache_name(const char *name)
{
	static const char *const begins[] = {"models--", "datasets--", "spaces--"}, *const names[] = {"version.txt", "xet"};

	if (name[0] == '.')
		return true;
	for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Whether all in a folder can be fetched again. The user may keep other things there, too. */
static bool is_cache_alone(const char *path)
{
	DIR *folder = opendir(path);
	const struct dirent *entry;
	bool is = folder != NULL;

	while (is && (entry = readdir(folder)))
		is = is_cache_name(entry->d_name);
	if (folder)
		closedir(folder);
	return is;
}

/* So that backups pass the cache over (bford.info/cachedir). */
static void write_tag(const struct io_ops *io)
{
	static const char text[] = "Signature: 8a477f597d28d172789f06886806bc55\n"
	                           "# All that is here can be fetched again; sotto wrote this tag. See https://bford.info/cachedir/\n";
	struct buf path = {.max = PATH_BYTES};

	if (!hub_cache_folder(&path, NULL) && is_cache_alone(buf_text(&path)) && !buf_puts(&path, "/CACHEDIR.TAG"))
		(void)!write_small(buf_text(&path), text, false, io, NULL); /* it is there already, or nothing is lost */
	buf_free(&path);
}

enum status hub_publish(struct buf *model, const struct pull_offer *offer, const struct pull_choice *choice,
                        const struct io_ops *io, struct error *err)
{
	const struct pull_file *first = &offer->files[choice->first];
	enum status status = STATUS_OK;

	write_tag(io);
	for (size_t i = 0; i < choice->n && !status; i++)
		status = publish_file(offer, &offer->files[choice->first + i], io, err);
	if (!status)
		status = write_ref(offer, io, err);
	if (!status)
		status = put_snapshot(model, offer, text_has_extension(first->path, ".gguf") ? first->path : "", err);
	return status;
}
