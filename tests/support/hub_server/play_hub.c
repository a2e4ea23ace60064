/* Hugging Face: the API, and the addresses of files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <inttypes.h>

#include "base/json.h"
#include "support/hub_server/internal.h"

/* "/api/models/OWNER/REPO/rest": the repository, and what follows it. */
static const struct hub_repository *find(struct hub_server *server, const char *path, const char **rest)
{
	char name[512];
	const char *end = strchr(path, '/');

	end = end ? end + 1 + strcspn(end + 1, "/") : path + strlen(path);
	snprintf(name, sizeof name, "%.*s", (int)(end - path), path);
	*rest = end;
	return hub_find(server, name, false);
}

/* As the hub answers for what is not there, or not for everybody: it does not say which. False: go on. */
static bool refuses(const struct hub_repository *repository, const struct hub_call *call, bool is_file, struct hub_answer *out)
{
	bool has_token = hub_has_token(call);
	char any[300];

	if (!repository || (repository->access == HUB_PRIVATE && !has_token)) {
		bool is_known = repository == NULL && hub_header(call->headers, "authorization", any, sizeof any) && has_token;

		hub_put_error(out, is_known ? 404 : 401, "RepoNotFound",
		              is_known ? "Repository not found" : "Invalid username or password.");
		return true;
	}
	if (is_file && repository->access == HUB_GATED && !has_token) {
		bool is_logged_in = hub_header(call->headers, "authorization", any, sizeof any);

		hub_put_error(out, is_logged_in ? 403 : 401, "GatedRepo",
		              "Access to this model is restricted. You must have access to it and be authenticated to access it.");
		return true;
	}
	return false;
}

static bool is_revision(const struct hub_repository *repository, const char *revision, size_t n, struct hub_answer *out)
{
	if ((n == 4 && memcmp(revision, "main", 4) == 0) ||
	    (n == strlen(repository->commit) && memcmp(revision, repository->commit, n) == 0))
		return true;
	hub_put_error(out, 404, "RevisionNotFound", "Invalid rev id");
	return false;
}

static void put_refs(const struct hub_repository *repository, struct hub_answer *out)
{
	struct json_writer json = {.out = &out->body};

	json_put_begin(&json, NULL, '{');
	json_put_begin(&json, "tags", '[');
	json_put_end(&json, ']');
	json_put_begin(&json, "branches", '[');
	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "name", "main");
	json_put_string(&json, "ref", "refs/heads/main");
	json_put_string(&json, "targetCommit", repository->commit);
	json_put_end(&json, '}');
	json_put_end(&json, ']');
	json_put_end(&json, '}');
}

static void put_lfs(struct json_writer *json, const struct hub_content *content, const char *digest)
{
	json_put_begin(json, "lfs", '{');
	json_put_string(json, digest, content->digest);
	json_put_number(json, "size", "%" PRIu64, content->size);
	json_put_number(json, "pointerSize", "%d", 134);
	json_put_end(json, '}');
}

static void put_entry(struct json_writer *json, const struct hub_entry *entry)
{
	json_put_begin(json, NULL, '{');
	json_put_string(json, "type", "file");
	json_put_string(json, "oid", entry->is_small ? entry->content->digest : "0123456789abcdef0123456789abcdef01234567");
	json_put_number(json, "size", "%" PRIu64, entry->content->size);
	if (!entry->is_small)
		put_lfs(json, entry->content, "oid");
	json_put_string(json, "path", entry->path);
	json_put_end(json, '}');
}

static void put_tree(const struct hub_server *server, const struct hub_repository *repository, const struct hub_call *call,
                     struct hub_answer *out)
{
	struct json_writer json = {.out = &out->body};
	const char *cursor = strstr(call->query, "cursor=");
	size_t from = cursor ? strtoul(cursor + 7, NULL, 10) : 0, page = server->options.page ? server->options.page : 1000;

	json_put_begin(&json, NULL, '[');
	for (size_t i = from; i < repository->n && i < from + page; i++)
		put_entry(&json, &repository->entries[i]);
	json_put_end(&json, ']');
	if (from + page < repository->n)
		buf_printf(&out->headers, "Link: <%s%s?recursive=true&cursor=%zu>; rel=\"next\"\r\n", server->url, call->path,
		           from + page);
}

static void put_info(const struct hub_repository *repository, struct hub_answer *out)
{
	struct json_writer json = {.out = &out->body};

	json_put_begin(&json, NULL, '{');
	json_put_string(&json, "id", repository->name);
	json_put_string(&json, "sha", repository->commit);
	json_put_bool(&json, "private", repository->access == HUB_PRIVATE);
	if (repository->access == HUB_GATED)
		json_put_string(&json, "gated", "manual");
	else
		json_put_bool(&json, "gated", false);
	if (repository->licence) {
		json_put_begin(&json, "cardData", '{');
		json_put_string(&json, "license", repository->licence);
		json_put_end(&json, '}');
		json_put_begin(&json, "tags", '[');
		buf_printf(&out->body, "\"gguf\",\"license:%s\"", repository->licence);
		json_put_end(&json, ']');
	}
	json_put_begin(&json, "siblings", '[');
	for (size_t i = 0; i < repository->n; i++) {
		const struct hub_entry *entry = &repository->entries[i];

		json_put_begin(&json, NULL, '{');
		json_put_string(&json, "rfilename", entry->path);
		json_put_number(&json, "size", "%" PRIu64, entry->content->size);
		json_put_string(&json, "blobId", entry->is_small ? entry->content->digest : "0123456789abcdef0123456789abcdef01234567");
		if (!entry->is_small)
			put_lfs(&json, entry->content, "sha256");
		json_put_end(&json, '}');
	}
	json_put_end(&json, ']');
	json_put_end(&json, '}');
}

void hub_play_api(struct hub_server *server, const struct hub_call *call, struct hub_answer *out)
{
	const char *rest;
	const struct hub_repository *repository = find(server, call->path + strlen("/api/models/"), &rest);

	if (refuses(repository, call, false, out))
		return;
	buf_puts(&out->headers, "Content-Type: application/json; charset=utf-8\r\n");
	if (call->place == HUB_REFS)
		put_refs(repository, out);
	else if (call->place == HUB_INFO)
		put_info(repository, out);
	else if (is_revision(repository, rest + 6, strcspn(rest + 6, "/"), out))
		put_tree(server, repository, call, out);
	if (out->code == 200)
		buf_printf(&out->headers, "X-Repo-Commit: %s\r\n", repository->commit);
}

/* "/resolve/REVISION/PATH": the file; NULL, with an answer. */
static const struct hub_entry *find_file(const struct hub_repository *repository, const char *rest, struct hub_answer *out)
{
	size_t n = strcspn(rest, "/");
	const struct hub_entry *entry;

	if (!is_revision(repository, rest, n, out))
		return NULL;
	entry = rest[n] ? hub_find_entry(repository, rest + n + 1) : NULL;
	if (!entry)
		hub_put_error(out, 404, "EntryNotFound", "Entry not found");
	return entry;
}

void hub_play_resolve(struct hub_server *server, const struct hub_call *call, struct hub_answer *out)
{
	bool is_small = call->place == HUB_SMALL;
	const char *rest;
	const struct hub_repository *repository = find(server, call->path + (is_small ? strlen("/api/resolve-cache/models/") : 1),
	                                               &rest);
	const struct hub_entry *entry;

	if (refuses(repository, call, true, out))
		return;
	entry = find_file(repository, rest + (is_small ? 1 : strlen("/resolve/")), out);
	if (!entry)
		return;
	buf_printf(&out->headers, "X-Repo-Commit: %s\r\n", repository->commit);
	if (is_small) {
		buf_printf(&out->headers, "ETag: \"%s\"\r\n", entry->content->digest);
		out->content = entry->content;
		out->to = entry->content->size;
	} else if (entry->is_small) {
		out->code = 307;
		buf_printf(&out->headers, "ETag: \"%s\"\r\nLocation: /api/resolve-cache/models/%s/%s%s\r\n", entry->content->digest,
		           repository->name, repository->commit, strchr(call->target + strlen(repository->name) + 10, '/'));
	} else {
		buf_printf(&out->headers, "X-Linked-Size: %" PRIu64 "\r\nX-Linked-ETag: \"%s\"\r\nAccept-Ranges: bytes\r\n",
		           entry->content->size, entry->content->digest);
		hub_put_signed(server, out, 302, entry->content);
	}
}
