#include "fetching.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/folder.h"

#define REPOSITORY "owner/repo"

static enum status locate(void *ctx, struct web_place *out, struct web *web, struct error *err)
{
	struct fetching *fetching = ctx;
	const struct web_request request = {.base = hub_server_url(fetching->server), .path = "/" REPOSITORY "/resolve/main/x.gguf",
	                                    .is_head = true, .stops_at_redirect = true};
	struct web_answer answer;
	enum status status = web_get(web, &request, &answer, err);

	fetching->n_located++;
	if (status == STATUS_OK && answer.next.base) {
		*out = answer.next;
		answer.next = (struct web_place){0};
	} else if (status == STATUS_OK) {
		status = error_set(err, STATUS_NOTFOUND, "no place (%d)", answer.code);
	}
	web_answer_free(&answer);
	return status;
}

static bool is_cancelled(void *ctx)
{
	struct fetching *fetching = ctx;

	return fetching->is_cancelled ||
	       (fetching->cancel_at && atomic_load(&fetching->progress.done) >= fetching->cancel_at);
}

static void tell(void *ctx, const char *text)
{
	struct fetching *fetching = ctx;

	if (*text && fetching->fetch.size <= 4 * FETCHING_PART) /* else of four threads */
		snprintf(fetching->waited, sizeof fetching->waited, "%s", text);
}

void fetching_begin(struct fetching *fetching, const struct hub_options *options, uint64_t size)
{
	char part[16];

	snprintf(part, sizeof part, "%d", FETCHING_PART);
	setenv("SOTTO_TEST_PULL_PART", part, 1);
	setenv("SOTTO_TEST_PULL_SECOND", "1", 1);
	*fetching = (struct fetching){.server = hub_server_start(options ? options : &(struct hub_options){0}), .folder = "/tmp/sotto-fetch-XXXXXX", .size = size};
	cr_assert_not_null(mkdtemp(fetching->folder));
	snprintf(fetching->path, sizeof fetching->path, "%s/file", fetching->folder);
	hub_server_put(fetching->server, REPOSITORY, "x.gguf", "", 0, size);
	fetching->fetch = (struct fetch){
		.path = fetching->path,
		.size = size,
		.digest = hub_server_digest(fetching->server, REPOSITORY, "x.gguf"),
		.locate = locate,
		.ctx = fetching,
		.progress = &fetching->progress,
		.cancelled = is_cancelled,
		.waiting = tell,
		.io = &io_system,
	};
}

void fetching_end(struct fetching *fetching)
{
	hub_server_stop(fetching->server);
	remove_folder(fetching->folder);
}

void fetching_run(struct fetching *fetching)
{
	atomic_store(&fetching->progress.done, 0);
	atomic_store(&fetching->progress.fresh, 0);
	fetching->err = (struct error){.text = ""};
	fetching->status = fetch_file(&fetching->fetch, &fetching->err);
}

bool fetching_is_equal(struct fetching *fetching, const char *path, uint64_t from, uint64_t to)
{
	size_t n = (size_t)(to - from);
	char *found = malloc(n + 1), *expected = malloc(n + 1);
	int fd = open(path, O_RDONLY);
	bool is_equal = fd >= 0 && pread(fd, found, n, (off_t)from) == (ssize_t)n;

	hub_server_read(fetching->server, REPOSITORY, "x.gguf", from, expected, n);
	is_equal = is_equal && memcmp(found, expected, n) == 0;
	if (fd >= 0)
		close(fd);
	free(found);
	free(expected);
	return is_equal;
}

unsigned fetching_n_files(const struct fetching *fetching)
{
	DIR *folder = opendir(fetching->folder);
	unsigned n = 0;

	for (const struct dirent *entry; (entry = readdir(folder));)
		n += entry->d_name[0] != '.';
	closedir(folder);
	return n;
}

void fetching_expect_whole(struct fetching *fetching)
{
	struct stat st;

	cr_expect_eq(fetching->status, STATUS_OK, "%s", fetching->err.text);
	cr_assert_eq(stat(fetching->path, &st), 0);
	cr_expect_eq((uint64_t)st.st_size, fetching->size);
	cr_expect(fetching_is_equal(fetching, fetching->path, 0, fetching->size));
	cr_expect_eq(fetching_n_files(fetching), 1);
	cr_expect_eq(atomic_load(&fetching->progress.done), fetching->size);
}

void fetching_expect_none(const struct fetching *fetching)
{
	cr_expect_neq(access(fetching->path, F_OK), 0);
}

const char *fetching_part(const struct fetching *fetching)
{
	static _Thread_local char text[128];

	snprintf(text, sizeof text, "%s.sotto-part", fetching->path);
	return text;
}

const char *fetching_state(const struct fetching *fetching)
{
	static _Thread_local char text[128];

	snprintf(text, sizeof text, "%s.sotto-state", fetching->path);
	return text;
}
