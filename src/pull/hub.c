/* Hugging Face, and sites that speak as it does: what a repository has, and where a file's bytes are. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "pull/hub_cache.h"
#include "pull/hub_config.h"
#include "pull/hub_key.h"
#include "pull/hub_listing.h"
#include "pull/hub_notes.h"
#include "pull/hub_words.h"
#include "pull/name_parts.h"
#include "pull/source.h"

/* A repository that is being looked at. */
struct looking {
	struct pull_offer *out;
	const struct pull_name *name;
	struct web *web;
	struct hub_files files;
	struct hub_info info;
	bool is_optional; /* what is asked for now can be done without */
};

/* Asks for /api/models/REPO and what is behind it. An answer with any code. */
static enum status ask(struct looking *looking, const char *path, struct web_answer *answer, struct error *err)
{
	struct web_request request = {
		.base = looking->name->base, .path = path, .key = looking->out->key, .accept = "application/json",
		.limit = LIMIT_PULL_ANSWER, .is_optional = looking->is_optional,
	};

	return web_get(looking->web, &request, answer, err);
}

static enum status ask_api(struct looking *looking, const char *below, struct web_answer *answer, struct error *err)
{
	struct buf path = {.max = KIB(8)};
	enum status status;

	if (buf_printf(&path, "/api/models/%s%s", looking->name->repository, below))
		status = error_no_memory(err, "for the request");
	else
		status = ask(looking, buf_text(&path), answer, err);
	buf_free(&path);
	return status;
}

static bool is_commit(const char *revision)
{
	return strlen(revision) == HUB_COMMIT_LEN && hub_is_hex(revision, HUB_COMMIT_LEN);
}

static enum status set_commit(struct looking *looking, const char *commit, struct error *err)
{
	looking->out->commit = alloc_strndup(commit, strlen(commit));
	return looking->out->commit ? STATUS_OK : error_no_memory(err, "for the listing");
}

static enum status name_site(const struct looking *looking, enum status status, struct error *err)
{
	if (status == STATUS_FORMAT || status == STATUS_NOTFOUND || status == STATUS_LIMIT)
		error_prefix(err, "%.200s", looking->name->repository);
	return status;
}

/* The commit of the name's revision. No commit and STATUS_OK: the site has no such list. */
static enum status find_commit(struct looking *looking, struct error *err)
{
	char commit[HUB_COMMIT_LEN + 1];
	struct web_answer answer;
	enum status status;

	if (is_commit(looking->name->revision))
		return set_commit(looking, looking->name->revision, err);
	status = ask_api(looking, "/refs", &answer, err);
	if (!status && answer.code == 200) {
		status = hub_read_refs(commit, looking->name->revision, buf_text(&answer.body), answer.body.len, err);
		status = status ? name_site(looking, status, err) : set_commit(looking, commit, err);
	} else if (!status && (answer.code != 404 || hub_is_known_error(&answer))) {
		status = hub_explain(looking->out, NULL, &answer, err);
	}
	web_answer_free(&answer);
	return status;
}

/* ---- the listing ---- */

/* There may be several headers "Link", of which one says where the next page is. */
static bool find_next(const struct web_answer *answer, const char **url, size_t *len)
{
	static const char name[] = "link: ";
	const char *line = answer->head.data, *end = line + answer->head.len;

	for (; line && line < end; line += strlen(line) + 1)
		if (strncmp(line, name, strlen(name)) == 0 && hub_next_page(line + strlen(name), url, len))
			return true;
	return false;
}

/* The path of the next page, NULL: this was the last. It has to be on the same site. */
static enum status next_page(const struct looking *looking, const struct web_answer *answer, char **path, struct error *err)
{
	size_t n_base = strlen(looking->name->base), len;
	const char *url;

	*path = NULL;
	if (!find_next(answer, &url, &len))
		return STATUS_OK;
	if (len > n_base && strncmp(url, looking->name->base, n_base) == 0 && url[n_base] == '/') {
		url += n_base;
		len -= n_base;
	} else if (!len || url[0] != '/' || url[1] == '/') {
		return error_set(err, STATUS_FORMAT, "the listing of %.200s goes on at another site, which is not followed",
		                 looking->name->repository);
	}
	*path = alloc_strndup(url, len);
	return *path ? STATUS_OK : error_no_memory(err, "for the listing");
}

static enum status read_page(struct looking *looking, const struct web_answer *answer, char **next, struct error *err)
{
	enum status status;

	if (answer->code != 200)
		return hub_explain(looking->out, NULL, answer, err);
	status = hub_read_tree(&looking->files, buf_text(&answer->body), answer->body.len, err);
	if (status)
		return name_site(looking, status, err);
	return next_page(looking, answer, next, err);
}

/* *is_there: the site has such listings. */
static enum status list_tree(struct looking *looking, bool *is_there, struct error *err)
{
	struct buf first = {.max = KIB(8)};
	enum status status = STATUS_OK;
	char *path;

	*is_there = true;
	buf_printf(&first, "/api/models/%s/tree/%s?recursive=true", looking->name->repository, looking->out->commit);
	path = buf_take(&first, NULL);
	if (!path)
		return error_no_memory(err, "for the request");
	for (size_t i = 0; path && !status; i++) {
		struct web_answer answer;
		char *next = NULL;

		if (i == LIMIT_PULL_PAGES) {
			status = error_set(err, STATUS_LIMIT, "the listing of %.200s has more than %d pages", looking->name->repository,
			                   LIMIT_PULL_PAGES);
			break;
		}
		status = ask(looking, path, &answer, err);
		*is_there = status || i || answer.code != 404 || hub_is_known_error(&answer);
		if (!status && *is_there)
			status = read_page(looking, &answer, &next, err);
		web_answer_free(&answer);
		free(path);
		path = next;
	}
	free(path);
	return status;
}

/* All of the model's page; `files`: with its files. */
static enum status read_info(struct looking *looking, bool files, struct error *err)
{
	struct buf below = {.max = 2048};
	struct web_answer answer;
	enum status status;

	if (strcmp(looking->name->revision, "main") != 0 && files) {
		buf_puts(&below, "/revision/");
		name_put_encoded(&below, looking->name->revision, false);
	}
	buf_puts(&below, files ? "?blobs=true" : "");
	status = ask_api(looking, buf_text(&below), &answer, err);
	if (!status && answer.code != 200)
		status = hub_explain(looking->out, NULL, &answer, err);
	else if (!status)
		status = name_site(looking,
		                   hub_read_info(&looking->info, files ? &looking->files : NULL, buf_text(&answer.body),
		                                 answer.body.len, err), err);
	web_answer_free(&answer);
	buf_free(&below);
	return status;
}

/* In one request, where the site has no other listing. */
static enum status list_blobs(struct looking *looking, struct error *err)
{
	enum status status = read_info(looking, true, err);

	if (!status && !looking->info.commit[0] && !looking->out->commit)
		status = error_set(err, STATUS_FORMAT, "%.200s: the answer names no commit (sha); 40 hexadecimal digits are expected",
		                   looking->name->repository);
	if (!status && !looking->out->commit)
		status = set_commit(looking, looking->info.commit, err);
	return status;
}

static enum status list(struct looking *looking, struct error *err)
{
	bool is_there = false;
	enum status status = find_commit(looking, err);

	if (!status && looking->out->commit)
		status = list_tree(looking, &is_there, err);
	if (!status && !is_there)
		return list_blobs(looking, err);
	looking->is_optional = true; /* licence and number of parameters */
	if (!status && read_info(looking, false, NULL) == STATUS_CANCELLED)
		status = error_set(err, STATUS_CANCELLED, "stopped");
	return status;
}

static enum status fill(struct looking *looking, struct error *err)
{
	struct pull_offer *out = looking->out;
	const char *refused;
	enum status status;

	out->files = looking->files.files;
	out->n_files = looking->files.n;
	looking->files = (struct hub_files){0};
	out->n_params = looking->info.n_params;
	if (looking->info.licence[0])
		out->licence = alloc_strndup(looking->info.licence, strlen(looking->info.licence));
	if (looking->info.licence[0] && !out->licence)
		return error_no_memory(err, "for the licence");
	status = hub_refused(&refused, out, looking->web, err);
	if (!status && refused && out->name.tag)
		return error_set(err, STATUS_UNSUPPORTED, "%.200s: %.300s", out->name.repository, refused);
	return status ? status : hub_notes(out, refused, looking->info.is_gated, err);
}

static enum status look(struct pull_offer *out, const struct pull_name *name, struct web *web, struct error *err)
{
	struct looking looking = {.out = out, .name = name, .web = web};
	enum status status = hub_key(&out->key, err);

	if (!status)
		status = list(&looking, err);
	if (!status)
		status = name_site(&looking, hub_check_files(&looking.files, err), err);
	if (!status)
		status = fill(&looking, err);
	hub_free_files(&looking.files);
	return status;
}

/* ---- a file's bytes ---- */

/* Quotes and "W/" left out. */
static bool is_etag(const char *etag, const char *digest)
{
	size_t n = strlen(digest);

	if (strncmp(etag, "W/", 2) == 0)
		etag += 2;
	if (*etag == '"')
		etag++;
	return strncasecmp(etag, digest, n) == 0 && (!etag[n] || etag[n] == '"');
}

/* What the site says of the file is what its listing said. */
static enum status check_linked(const struct pull_file *file, const struct web_answer *answer, struct error *err)
{
	const char *etag = web_header(answer, "x-linked-etag"), *size = web_header(answer, "x-linked-size");
	char expected[24];

	snprintf(expected, sizeof expected, "%" PRIu64, file->size);
	if (size && strcmp(size, expected) != 0)
		return error_set(err, STATUS_FORMAT, "%.200s is another file now: it has %.20s bytes; %s are expected; look again",
		                 file->path, size, expected);
	if (etag && strlen(file->digest) == DIGEST_SHA256_LEN && !is_etag(etag, file->digest))
		return error_set(err, STATUS_FORMAT, "%.200s is another file now: its digest is %.14s; %.12s is expected; look again",
		                 file->path, etag, file->digest);
	return STATUS_OK;
}

static enum status set_place(struct web_place *out, const struct pull_offer *offer, const char *path,
                             struct web_answer *answer, struct error *err)
{
	const char *etag = web_header(answer, "etag");
	bool is_redirect = answer->code >= 300 && answer->code < 400;
	enum status status;

	if (is_redirect && answer->next.base) {
		*out = answer->next; /* where a key has no business */
		answer->next = (struct web_place){0};
		return STATUS_OK;
	}
	status = web_place_init(out, offer->name.base, path, err);
	out->key = offer->key;
	if (etag && etag[0] == '"' && strlen(etag) < sizeof out->etag)
		memcpy(out->etag, etag, strlen(etag) + 1);
	return status;
}

static enum status ask_place(struct web_place *out, const struct pull_offer *offer, const struct pull_file *file,
                             const char *path, struct web *web, struct error *err)
{
	struct web_request request = {
		.base = offer->name.base, .path = path, .key = offer->key, .is_head = true, .stops_at_redirect = true,
	};
	struct web_answer answer;
	enum status status = web_get(web, &request, &answer, err);

	if (!status && answer.code >= 400)
		status = hub_explain(offer, file, &answer, err);
	if (!status)
		status = check_linked(file, &answer, err);
	if (!status)
		status = set_place(out, offer, path, &answer, err);
	web_answer_free(&answer);
	return status;
}

static enum status locate(struct web_place *out, const struct pull_offer *offer, const struct pull_file *file,
                          struct web *web, struct error *err)
{
	struct buf path = {.max = KIB(16)};
	enum status status;

	*out = (struct web_place){0};
	buf_printf(&path, "/%s/resolve/%s/", offer->name.repository, offer->commit);
	name_put_encoded(&path, file->path, true);
	status = buf_status(&path) ? error_no_memory(err, "for the address")
	                           : ask_place(out, offer, file, buf_text(&path), web, err);
	buf_free(&path);
	return status;
}

const struct pull_source_ops pull_hub = {
	.title = "Hugging Face", .look = look, .locate = locate, .store = hub_store, .publish = hub_publish,
	.tidy = hub_tidy,
};
