/* What the server has: repositories, their files, and bytes that are kept or made by a rule. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/hub_server/internal.h"
#include "support/random.h"
#include "support/sha.h"

/* Bytes behind a front repeat after this many: a prime, so that no shift of a part goes unseen. */
enum { PERIOD = 1048583 };

static char pattern[PERIOD];

static void make_pattern(void)
{
	struct test_random random = {.state = 37};

	test_random_bytes(&random, pattern, sizeof pattern);
}

const char *hub_content_at(const struct hub_content *content, uint64_t at, size_t *n)
{
	uint64_t left;

	if (at < content->n_front) {
		*n = content->n_front - (size_t)at;
		return content->front + at;
	}
	left = content->size - at;
	*n = PERIOD - (size_t)(at % PERIOD);
	if (*n > left)
		*n = (size_t)left;
	return pattern + at % PERIOD;
}

static void name_it(struct hub_content *content)
{
	struct sha sha;
	size_t n;

	sha256_begin(&sha);
	for (uint64_t at = 0; at < content->size; at += n) {
		const char *bytes = hub_content_at(content, at, &n);

		sha_add(&sha, bytes, n);
	}
	sha_end(&sha, content->digest);
}

const struct hub_content *hub_content_add(struct hub_server *server, const void *bytes, size_t n, uint64_t size, bool is_git)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct hub_content *content = alloc_array(1, sizeof *content);

	if (content)
		content->front = alloc_array(n + 1, 1);
	if (!content || !content->front)
		hub_fatal("memory");
	pthread_once(&once, make_pattern);
	if (n)
		memcpy(content->front, bytes, n);
	content->n_front = n;
	content->size = size > n ? size : n;
	if (is_git)
		sha1_git_text(bytes, n, content->digest);
	else
		name_it(content);
	content->next = server->contents;
	server->contents = content;
	return content;
}

struct hub_repository *hub_find(struct hub_server *server, const char *name, bool is_ollama)
{
	for (size_t i = 0; i < server->n_repositories; i++)
		if (server->repositories[i].is_ollama == is_ollama && strcmp(server->repositories[i].name, name) == 0)
			return &server->repositories[i];
	return NULL;
}

const struct hub_entry *hub_find_entry(const struct hub_repository *repository, const char *path)
{
	for (size_t i = 0; i < repository->n; i++)
		if (strcmp(repository->entries[i].path, path) == 0)
			return &repository->entries[i];
	return NULL;
}

static struct hub_repository *find_or_make(struct hub_server *server, const char *name, bool is_ollama)
{
	struct hub_repository *repository = hub_find(server, name, is_ollama);

	if (repository)
		return repository;
	if (!alloc_grow(&server->repositories, &server->cap_repositories, server->n_repositories + 1,
	                sizeof *server->repositories, 100000))
		hub_fatal("memory");
	repository = &server->repositories[server->n_repositories++];
	*repository = (struct hub_repository){.name = hub_copy(name), .is_ollama = is_ollama};
	return repository;
}

/* A commit is made of all that it has. */
static void commit(struct hub_repository *repository)
{
	struct sha sha;

	sha1_begin(&sha);
	for (size_t i = 0; i < repository->n; i++) {
		sha_add(&sha, repository->entries[i].path, strlen(repository->entries[i].path) + 1);
		sha_add(&sha, repository->entries[i].content->digest, 64);
	}
	sha_end(&sha, repository->commit);
}

static void put(struct hub_repository *repository, const char *path, bool is_small, const struct hub_content *content)
{
	struct hub_entry *entry = NULL;

	for (size_t i = 0; i < repository->n && !repository->is_ollama; i++)
		if (strcmp(repository->entries[i].path, path) == 0)
			entry = &repository->entries[i];
	if (!entry) {
		if (!alloc_grow(&repository->entries, &repository->cap, repository->n + 1, sizeof *repository->entries, 1000000))
			hub_fatal("memory");
		entry = &repository->entries[repository->n++];
		entry->path = hub_copy(path);
	}
	entry->is_small = is_small;
	entry->content = content;
	commit(repository);
}

void hub_server_put(struct hub_server *server, const char *repository, const char *path, const void *bytes, size_t n,
                    uint64_t size)
{
	const char *end = strrchr(path, '.');
	bool is_small = n < 1024 && size < 1024 && !(end && strcmp(end, ".gguf") == 0);

	pthread_mutex_lock(&server->lock);
	put(find_or_make(server, repository, false), path, is_small, hub_content_add(server, bytes, n, size, is_small));
	pthread_mutex_unlock(&server->lock);
}

void hub_server_put_layer(struct hub_server *server, const char *model, const char *kind, const void *bytes, size_t n,
                          uint64_t size)
{
	pthread_mutex_lock(&server->lock);
	put(find_or_make(server, model, true), kind, false, hub_content_add(server, bytes, n, size, false));
	pthread_mutex_unlock(&server->lock);
}

void hub_server_describe(struct hub_server *server, const char *repository, enum hub_access access, const char *licence)
{
	struct hub_repository *it;

	pthread_mutex_lock(&server->lock);
	it = find_or_make(server, repository, false);
	it->access = access;
	free(it->licence);
	it->licence = licence ? hub_copy(licence) : NULL;
	pthread_mutex_unlock(&server->lock);
}

static const struct hub_content *content_of(struct hub_server *server, const char *name, const char *path)
{
	const struct hub_repository *repository;
	const struct hub_entry *entry;
	const struct hub_content *content;

	pthread_mutex_lock(&server->lock);
	repository = hub_find(server, name, false);
	if (!repository)
		repository = hub_find(server, name, true);
	entry = repository ? hub_find_entry(repository, path) : NULL;
	content = entry ? entry->content : NULL;
	pthread_mutex_unlock(&server->lock);
	return content;
}

const char *hub_server_digest(struct hub_server *server, const char *repository, const char *path)
{
	const struct hub_content *content = content_of(server, repository, path);

	return content ? content->digest : "";
}

const char *hub_server_commit(struct hub_server *server, const char *repository)
{
	static _Thread_local char text[65];
	const struct hub_repository *it;

	pthread_mutex_lock(&server->lock);
	it = hub_find(server, repository, false);
	snprintf(text, sizeof text, "%s", it ? it->commit : "");
	pthread_mutex_unlock(&server->lock);
	return text;
}

void hub_server_read(struct hub_server *server, const char *repository, const char *path, uint64_t from, void *out, size_t n)
{
	const struct hub_content *content = content_of(server, repository, path);
	size_t len;

	if (!content || from + n > content->size)
		hub_fatal("bytes that there are not");
	for (size_t done = 0; done < n; done += len) {
		const char *bytes = hub_content_at(content, from + done, &len);

		len = len < n - done ? len : n - done;
		memcpy((char *)out + done, bytes, len);
	}
}

void hub_content_free(struct hub_server *server)
{
	for (size_t i = 0; i < server->n_repositories; i++) {
		struct hub_repository *repository = &server->repositories[i];

		for (size_t k = 0; k < repository->n; k++)
			free(repository->entries[k].path);
		free(repository->entries);
		free(repository->name);
		free(repository->licence);
	}
	free(server->repositories);
	while (server->contents) {
		struct hub_content *next = server->contents->next;

		free(server->contents->front);
		free(server->contents);
		server->contents = next;
	}
}
