/* Manifests of ollama's: what they say, and what is refused; their folders. */
#include <criterion/criterion.h>

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/limits.h"
#include "catalog/ollama_manifest.h"
#include "support/folder.h"

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define LAYER(kind, digest, size) \
	"{\"mediaType\":\"" OLLAMA_KIND kind "\",\"digest\":\"sha256:" digest "\",\"size\":" size "}"
#define CONFIG "\"config\":{\"mediaType\":\"application/vnd.docker.container.image.v1+json\",\"digest\":\"sha256:" OTHER \
	"\",\"size\":5}"

static struct ollama_manifest manifest;
static struct error err;

static enum status parse(const char *json)
{
	ollama_manifest_free(&manifest);
	return ollama_manifest_parse(&manifest, json, strlen(json), &err);
}

Test(ollama_manifest, says_what_a_model_is_made_of)
{
	const struct ollama_layer *model;

	cr_assert_eq(parse("{\"schemaVersion\":2," CONFIG ",\"layers\":[" LAYER("license", OTHER, "7") ","
	                   LAYER("model", HEX, "2019377376") "]}"), STATUS_OK, "%s", err.text);
	cr_assert_eq(manifest.n, 3);
	cr_assert(manifest.layers[2].is_config && manifest.layers[2].size == 5, "the config comes last");
	model = ollama_manifest_find(&manifest, "model");
	cr_assert_not_null(model);
	cr_assert_str_eq(model->digest, HEX);
	cr_assert_eq(model->size, 2019377376u, "%" PRIu64, model->size);
	cr_assert_null(ollama_manifest_find(&manifest, "system"));
	cr_assert(ollama_manifest_names(&manifest, OTHER));
	ollama_manifest_free(&manifest);
}

Test(ollama_manifest, what_is_wrong_is_refused)
{
	static const struct {
		const char *json;
		enum status status;
		const char *why;
	} rows[] = {
		{"", STATUS_FORMAT, "not JSON"},
		{"[]", STATUS_FORMAT, "names no files"},
		{"{" CONFIG "}", STATUS_FORMAT, "names no files"},
		{"{\"layers\":[{}]}", STATUS_FORMAT, "without a digest"},
		{"{\"layers\":[{\"digest\":\"sha256:" HEX "\",\"size\":1}]}", STATUS_FORMAT, "without a media type"},
		{"{\"layers\":[{\"mediaType\":\"x\",\"digest\":\"sha256:" HEX "\"}]}", STATUS_FORMAT, "without a size"},
		{"{\"layers\":[{\"digest\":\"sha256:../../x\"}]}", STATUS_FORMAT, "found the digest 'sha256:../../x'"},
		{"{\"layers\":[{\"digest\":\"sha512:" HEX "\"}]}", STATUS_FORMAT, "found the digest"},
		{"{\"layers\":[{\"digest\":\"sha256:" HEX "0\"}]}", STATUS_FORMAT, "found the digest"},
		{"{\"layers\":[{\"digest\":7}]}", STATUS_FORMAT, "found the digest"},
		{"{\"layers\":[" LAYER("model", HEX, "-1") "]}", STATUS_FORMAT, "found the size '-1'"},
		{"{\"layers\":[" LAYER("model", HEX, "1.5") "]}", STATUS_FORMAT, "found the size '1.5'"},
		{"{\"layers\":[" LAYER("model", HEX, "\"1\"") "]}", STATUS_FORMAT, "found the size ''"},
		{"{\"layers\":[" LAYER("model", HEX, "2000000000001") "]}", STATUS_LIMIT, "more than 2 TB"},
		{"{\"layers\":[" LAYER("model", HEX, "1e300") "]}", STATUS_LIMIT, "more than 2 TB"},
		{"{\"layers\":[" LAYER("model", HEX, "1") "]} x", STATUS_FORMAT, "not JSON"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		cr_expect_eq(parse(rows[i].json), rows[i].status, "%s", rows[i].json);
		cr_expect_not_null(strstr(err.text, rows[i].why), "%s: %s", rows[i].json, err.text);
	}
	cr_assert_eq(parse("{\"layers\":[" LAYER("model", HEX, "2000000000000") "]}"), STATUS_OK);
	ollama_manifest_free(&manifest);
}

Test(ollama_manifest, has_limits)
{
	struct buf json = {.max = MIB(4)};

	for (int extra = 0; extra < 2; extra++) {
		buf_clear(&json);
		buf_puts(&json, "{\"layers\":[");
		for (int i = 0; i < LIMIT_OLLAMA_LAYERS + extra; i++)
			buf_printf(&json, "%s" LAYER("x", HEX, "1"), i ? "," : "");
		buf_puts(&json, "]}");
		cr_assert_eq(parse(buf_text(&json)), extra ? STATUS_LIMIT : STATUS_OK, "%s", err.text);
	}
	for (int extra = 0; extra < 2; extra++) {
		buf_clear(&json);
		buf_puts(&json, "{\"layers\":[{\"digest\":\"sha256:" HEX "\",\"size\":1,\"mediaType\":\"");
		for (int i = 0; i < LIMIT_OLLAMA_KIND + extra; i++)
			buf_putc(&json, 'k');
		buf_puts(&json, "\"}]}");
		cr_assert_eq(parse(buf_text(&json)), extra ? STATUS_FORMAT : STATUS_OK, "%s", err.text);
	}
	buf_clear(&json);
	buf_puts(&json, "{\"layers\":[" LAYER("x", HEX, "1") "]}");
	while (json.len < LIMIT_OLLAMA_MANIFEST)
		buf_putc(&json, ' ');
	cr_assert_eq(parse(buf_text(&json)), STATUS_OK);
	buf_putc(&json, ' ');
	cr_assert_eq(parse(buf_text(&json)), STATUS_LIMIT);
	ollama_manifest_free(&manifest);
	buf_free(&json);
}

/* A text cut anywhere is refused, in memory of just its size. */
Test(ollama_manifest, cut_anywhere)
{
	static const char json[] = "{" CONFIG ",\"layers\":[" LAYER("model", HEX, "12") "]}";

	for (size_t len = 0; len < strlen(json); len++) {
		char *cut = malloc(len ? len : 1);

		cr_assert_not_null(cut);
		memcpy(cut, json, len);
		cr_assert_eq(ollama_manifest_parse(&manifest, cut, len, NULL), STATUS_FORMAT, "%zu", len);
		ollama_manifest_free(&manifest);
		free(cut);
	}
}

Test(ollama_manifest, paths_say_what_they_are)
{
	struct buf root = {.max = PATH_MAX};
	const char *digest;
	char folder[] = "/tmp/sotto-manifest-XXXXXX", path[PATH_MAX];

	cr_assert(ollama_is_blob("/x/blobs/sha256-" HEX, &root, &digest));
	cr_assert_str_eq(buf_text(&root), "/x");
	cr_assert_str_eq(digest, HEX);
	cr_assert_not(ollama_is_blob("/x/blobs/sha256-" HEX "0", &root, &digest));
	cr_assert_not(ollama_is_blob("/x/bloobs/sha256-" HEX, &root, &digest));
	cr_assert_not(ollama_is_blob("sha256-" HEX, &root, &digest));
	cr_assert_not(ollama_is_blob("/x/blobs/", &root, &digest));
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/manifests/registry.ollama.ai/library/llama3.2/3b", folder);
	cr_assert_not(ollama_is_manifest(path, &root), "there are no blobs");
	snprintf(path, sizeof path, "%s/blobs", folder);
	cr_assert_eq(mkdir(path, 0700), 0);
	snprintf(path, sizeof path, "%s/manifests/registry.ollama.ai/library/llama3.2/3b", folder);
	cr_assert(ollama_is_manifest(path, &root));
	cr_assert_str_eq(buf_text(&root), folder);
	snprintf(path, sizeof path, "%s/manifests/registry.ollama.ai/library/3b", folder);
	cr_assert_not(ollama_is_manifest(path, &root));
	snprintf(path, sizeof path, "%s/manifests/a/../b/3b", folder);
	cr_assert_not(ollama_is_manifest(path, &root));
	buf_free(&root);
	remove_folder(folder);
}

Test(ollama_manifest, names_are_short_where_they_can_be)
{
	static const struct {
		const char *path, *label;
	} rows[] = {
		{"/r/manifests/registry.ollama.ai/library/llama3.2/1b", "llama3.2:1b"},
		{"/r/manifests/registry.ollama.ai/me/mine/latest", "me/mine:latest"},
		{"/r/manifests/hf.co/owner/repo/Q4_K_M", "hf.co/owner/repo:Q4_K_M"},
		{"/r/manifests/127.0.0.1:8080/library/x/latest", "127.0.0.1:8080/library/x:latest"},
		{"a/b", ""},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf label = {.max = PATH_MAX};

		ollama_put_label(&label, rows[i].path);
		cr_expect_str_eq(buf_text(&label), rows[i].label);
		buf_free(&label);
	}
}
