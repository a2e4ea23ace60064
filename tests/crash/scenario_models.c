#include "crash/scenario_models.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/io.h"
#include "base/name_list.h"
#include "base/sys.h"
#include "catalog/ollama_manifest.h"
#include "pull/ollama_store.h"
#include "pull/stored.h"

#define ROOT "home/.ollama/models"

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "scenario: %s\n", what);
	abort();
}

static const char *const tags[] = {"1b", "mine"};

/* The files of a tag: the first is both tags'. Their digests are not looked at. */
static const char *content(size_t tag, size_t i)
{
	static const char *const texts[] = {"GGUF: the model of both", "{\"top_k\": 1}", "{\"top_k\": 2222}"};

	return texts[i ? tag + 1 : 0];
}

static void put_digest(char out[OLLAMA_DIGEST_LEN + 1], size_t tag, size_t i)
{
	memset(out, (int)('a' + (i ? tag + 1 : 0)), OLLAMA_DIGEST_LEN);
	out[OLLAMA_DIGEST_LEN] = '\0';
}

static void put_fetched(size_t tag, size_t i)
{
	char digest[OLLAMA_DIGEST_LEN + 1], name[200];
	const char *text = content(tag, i);
	struct error err;

	put_digest(digest, tag, i);
	snprintf(name, sizeof name, ROOT "/" OLLAMA_FETCHED "/sha256-%s", digest);
	must(file_write(&io_system, scenario_path(name), text, strlen(text), true, 0600, &err) == STATUS_OK, err.text);
}

/* All is fetched, and lies beside the blobs. */
void *ollama_begin(void)
{
	struct error err;

	must(sys_make_dirs(scenario_path(ROOT "/" OLLAMA_FETCHED), &err) == STATUS_OK, err.text);
	must(sys_make_dirs(scenario_path(ROOT "/blobs"), &err) == STATUS_OK, err.text);
	must(sys_make_dirs(scenario_path(ROOT "/manifests"), &err) == STATUS_OK, err.text);
	put_fetched(0, 0);
	put_fetched(0, 1);
	put_fetched(1, 1);
	return NULL;
}

static enum status publish(size_t tag, struct error *err)
{
	static char kinds[2][64] = {OLLAMA_KIND "model", OLLAMA_KIND "params"};
	char manifest[700], base[] = "https://" OLLAMA_REGISTRY, repository[] = "library/toy", name[8];
	struct pull_file files[2];
	struct pull_choice choice = {.n = 2};
	struct pull_offer offer = {.name = {PULL_OLLAMA, base, repository, NULL, NULL, name}, .files = files, .n_files = 2,
	                           .manifest = manifest};
	struct buf model = {.max = PATH_MAX};
	enum status status;

	snprintf(name, sizeof name, "%s", tags[tag]);
	for (size_t i = 0; i < 2; i++) {
		files[i] = (struct pull_file){.kind = kinds[i], .size = strlen(content(tag, i))};
		put_digest(files[i].digest, tag, i);
	}
	offer.manifest_len = (size_t)snprintf(manifest, sizeof manifest, "{\"layers\":[{\"mediaType\":\"%s\",\"digest\":\"sha256:%s\","
	                                      "\"size\":%zu},{\"mediaType\":\"%s\",\"digest\":\"sha256:%s\",\"size\":%zu}]}",
	                                      kinds[0], files[0].digest, (size_t)files[0].size, kinds[1], files[1].digest,
	                                      (size_t)files[1].size);
	status = ollama_publish(&model, &offer, &choice, &io_system, err);
	buf_free(&model);
	return status;
}

static enum status take_away(size_t tag, struct error *err)
{
	struct stored_removal removal;
	char name[32];
	enum status status;

	snprintf(name, sizeof name, "toy:%s", tags[tag]);
	status = stored_plan_removal(&removal, name, err);
	if (status == STATUS_NOTFOUND) { /* a second try: the manifest is gone, but perhaps not on the disk */
		int error = io_sync_folder(&io_system, scenario_path(ROOT "/manifests/" OLLAMA_REGISTRY "/library/toy/x"));

		return error ? error_errno(err, error, "the manifests") : STATUS_OK;
	}
	if (!status)
		status = stored_remove(&removal, &io_system, err);
	stored_removal_free(&removal);
	return status;
}

enum status ollama_step(void *state, size_t step, struct error *err)
{
	(void)state;
	return step < 2 ? publish(step, err) : take_away(step - 2, err);
}

/* ---- what is found ---- */

static enum status visit(void *ctx, const char *path, const struct ollama_manifest *manifest, struct error *err)
{
	struct name_list *lines = ctx;
	struct buf line = {.max = PATH_MAX}, blob = {.max = PATH_MAX};
	char *text;
	size_t len;

	(void)err;
	buf_puts(&line, strrchr(path, '/') + 1);
	for (size_t i = 0; manifest && i < manifest->n; i++) {
		ollama_blob_path(&blob, scenario_path(ROOT), manifest->layers[i].digest);
		if (sys_read_file(buf_text(&blob), 1000, &text, &len, NULL)) {
			buf_puts(&line, " MISSING");
			continue;
		}
		buf_printf(&line, " %s", text);
		free(text);
	}
	buf_puts(&line, manifest ? "\n" : " UNREADABLE\n");
	must(name_list_add(lines, buf_text(&line), line.len), "memory");
	buf_free(&line);
	buf_free(&blob);
	return STATUS_OK;
}

void ollama_describe(struct found *found)
{
	struct name_list lines = {0};

	must(ollama_each_manifest(scenario_path(ROOT), visit, &lines, NULL) == STATUS_OK, "the manifests");
	if (lines.n) {
		name_list_sort(&lines);
		found_add(found);
	}
	for (size_t i = 0; i < lines.n; i++)
		buf_puts(&found->texts[0], lines.items[i]);
	name_list_free(&lines);
}
