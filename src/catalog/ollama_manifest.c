#include "catalog/ollama_manifest.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json_walk.h"
#include "base/limits.h"
#include "base/sys.h"

enum { DIGEST_START = 7 }; /* "sha256:" */

/* A manifest being read: what is known of the object that is open. */
struct reading {
	struct ollama_manifest *manifest;
	bool has_kind, has_digest, has_size;
	bool is_open; /* the last layer is not whole yet */
};

void ollama_manifest_free(struct ollama_manifest *manifest)
{
	for (size_t i = 0; i < manifest->n; i++)
		free(manifest->layers[i].kind);
	free(manifest->layers);
	*manifest = (struct ollama_manifest){0};
}

static bool is_digest(const char *text, size_t len)
{
	return len == DIGEST_START + OLLAMA_DIGEST_LEN && strncmp(text, "sha256:", DIGEST_START) == 0 &&
	       strspn(text + DIGEST_START, "0123456789abcdef") == OLLAMA_DIGEST_LEN;
}

static enum status begin_layer(struct reading *reading, bool is_config, struct error *err)
{
	struct ollama_manifest *manifest = reading->manifest;

	if (manifest->n == LIMIT_OLLAMA_LAYERS)
		return error_set(err, STATUS_LIMIT, "the manifest names more than %d files", LIMIT_OLLAMA_LAYERS);
	if (!alloc_grow(&manifest->layers, &manifest->cap, manifest->n + 1, sizeof *manifest->layers,
	                LIMIT_OLLAMA_LAYERS))
		return error_no_memory(err, "for the manifest");
	manifest->layers[manifest->n++] = (struct ollama_layer){.is_config = is_config};
	reading->has_kind = reading->has_digest = reading->has_size = false;
	reading->is_open = true;
	return STATUS_OK;
}

static enum status end_layer(struct reading *reading, struct error *err)
{
	reading->is_open = false;
	if (reading->has_kind && reading->has_digest && reading->has_size)
		return STATUS_OK;
	return error_set(err, STATUS_FORMAT, "the manifest has a file without %s",
	                 !reading->has_digest ? "a digest" : !reading->has_size ? "a size" : "a media type");
}

static enum status take_digest(struct reading *reading, struct ollama_layer *layer, const struct json_item *item,
                               struct error *err)
{
	if (item->kind != JSON_STRING || !is_digest(item->text, item->len))
		return error_set(err, STATUS_FORMAT, "the manifest: found the digest '%.80s', expected sha256: and 64 digits",
		                 item->kind == JSON_STRING ? item->text : "");
	memcpy(layer->digest, item->text + DIGEST_START, OLLAMA_DIGEST_LEN + 1);
	reading->has_digest = true;
	return STATUS_OK;
}

static enum status take_size(struct reading *reading, struct ollama_layer *layer, const struct json_item *item,
                             struct error *err)
{
	if (item->kind != JSON_NUMBER || !json_read_count(item, LIMIT_OLLAMA_FILE + 1, &layer->size))
		return error_set(err, STATUS_FORMAT, "the manifest: found the size '%.40s', expected a number of bytes",
		                 item->kind == JSON_NUMBER ? item->text : "");
	if (layer->size > LIMIT_OLLAMA_FILE)
		return error_set(err, STATUS_LIMIT, "the manifest names a file of more than 2 TB");
	reading->has_size = true;
	return STATUS_OK;
}

static enum status take_kind(struct reading *reading, struct ollama_layer *layer, const struct json_item *item,
                             struct error *err)
{
	if (item->kind != JSON_STRING || item->len == 0 || item->len > LIMIT_OLLAMA_KIND || strlen(item->text) != item->len)
		return error_set(err, STATUS_FORMAT, "the manifest: found the media type '%.80s', expected a short text",
		                 item->kind == JSON_STRING ? item->text : "");
	free(layer->kind);
	layer->kind = alloc_strndup(item->text, item->len);
	reading->has_kind = true;
	return layer->kind ? STATUS_OK : error_no_memory(err, "for the manifest");
}

/* "config", or "layers.3". */
static bool is_layer(const char *path)
{
	return strcmp(path, "config") == 0 || json_path_is(path, "layers.*");
}

static enum status take_item(void *ctx, const char *path, const struct json_item *item, struct error *err)
{
	struct reading *reading = ctx;
	struct ollama_manifest *manifest = reading->manifest;
	const char *field = strrchr(path, '.');
	struct ollama_layer *layer;

	if (is_layer(path) && item->kind == JSON_OBJECT)
		return begin_layer(reading, path[0] == 'c', err);
	if (is_layer(path) && item->kind == JSON_OBJECT_END)
		return end_layer(reading, err);
	if (!reading->is_open || !field || !(json_path_is(path, "config.*") || json_path_is(path, "layers.*.*")))
		return STATUS_OK;
	layer = &manifest->layers[manifest->n - 1];
	if (strcmp(field, ".digest") == 0)
		return take_digest(reading, layer, item, err);
	if (strcmp(field, ".size") == 0)
		return take_size(reading, layer, item, err);
	return strcmp(field, ".mediaType") == 0 ? take_kind(reading, layer, item, err) : STATUS_OK;
}

/* What "config" names comes before the layers: last is where nobody looks for a model. */
static void move_configs_last(struct ollama_manifest *manifest)
{
	for (size_t i = 0; i + 1 < manifest->n; i++)
		if (manifest->layers[i].is_config) {
			struct ollama_layer config = manifest->layers[i];

			memmove(&manifest->layers[i], &manifest->layers[i + 1],
			        (manifest->n - i - 1) * sizeof *manifest->layers);
			manifest->layers[manifest->n - 1] = config;
			return;
		}
}

enum status ollama_manifest_parse(struct ollama_manifest *out, const char *json, size_t len, struct error *err)
{
	struct reading reading = {.manifest = out};
	enum status status;

	*out = (struct ollama_manifest){0};
	if (len > LIMIT_OLLAMA_MANIFEST)
		return error_set(err, STATUS_LIMIT, "the manifest has more than 1 MiB");
	status = json_walk(json, len, take_item, &reading, err);
	if (!status && (out->n == 0 || (out->n == 1 && out->layers[0].is_config)))
		status = error_set(err, STATUS_FORMAT, "the manifest names no files");
	move_configs_last(out);
	return status;
}

enum status ollama_manifest_read(struct ollama_manifest *out, const char *path, struct error *err)
{
	char *json;
	size_t len;
	enum status status;

	*out = (struct ollama_manifest){0};
	status = sys_read_file(path, LIMIT_OLLAMA_MANIFEST, &json, &len, err);
	if (status)
		return status;
	status = ollama_manifest_parse(out, json, len, err);
	free(json);
	if (status)
		error_prefix(err, "%s", path);
	return status;
}

bool ollama_layer_is(const struct ollama_layer *layer, const char *kind)
{
	return !layer->is_config && strncmp(layer->kind, OLLAMA_KIND, strlen(OLLAMA_KIND)) == 0 &&
	       strcmp(layer->kind + strlen(OLLAMA_KIND), kind) == 0;
}

const struct ollama_layer *ollama_manifest_find(const struct ollama_manifest *manifest, const char *kind)
{
	for (size_t i = 0; i < manifest->n; i++)
		if (ollama_layer_is(&manifest->layers[i], kind))
			return &manifest->layers[i];
	return NULL;
}

bool ollama_manifest_names(const struct ollama_manifest *manifest, const char *digest)
{
	for (size_t i = 0; i < manifest->n; i++)
		if (strcmp(manifest->layers[i].digest, digest) == 0)
			return true;
	return false;
}
