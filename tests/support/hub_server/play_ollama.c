/* Ollama's registry: manifests, and blobs, for whose bytes it sends to the storage. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "support/hub_server/internal.h"

static void put_part(struct json_writer *json, const char *key, const char *type, const struct hub_content *content)
{
	char digest[80];

	snprintf(digest, sizeof digest, "sha256:%s", content->digest);
	json_put_begin(json, key, '{');
	json_put_string(json, "mediaType", type);
	json_put_string(json, "digest", digest);
	json_put_number(json, "size", "%" PRIu64, content->size);
	json_put_end(json, '}');
}

static void put_manifest(struct hub_server *server, const struct hub_repository *model, struct hub_answer *out)
{
	static const char config[] = "{\"model_format\":\"gguf\",\"model_family\":\"llama\",\"architecture\":\"amd64\",\"os\":\"linux\"}";
	struct json_writer json = {.out = &out->body};

	buf_puts(&out->headers, "Content-Type: application/vnd.docker.distribution.manifest.v2+json\r\n");
	json_put_begin(&json, NULL, '{');
	json_put_number(&json, "schemaVersion", "%d", 2);
	json_put_string(&json, "mediaType", "application/vnd.docker.distribution.manifest.v2+json");
	put_part(&json, "config", "application/vnd.docker.container.image.v1+json",
	         hub_content_add(server, config, strlen(config), 0, false));
	json_put_begin(&json, "layers", '[');
	for (size_t i = 0; i < model->n; i++) {
		char type[128];

		snprintf(type, sizeof type, "application/vnd.ollama.image.%s", model->entries[i].path);
		put_part(&json, NULL, type, model->entries[i].content);
	}
	json_put_end(&json, ']');
	json_put_end(&json, '}');
}

static void put_refusal(struct hub_answer *out, const char *code, const char *message)
{
	out->code = 404;
	buf_puts(&out->headers, "Content-Type: application/json\r\n");
	buf_printf(&out->body, "{\"errors\":[{\"code\":\"%s\",\"message\":\"%s\"}]}", code, message);
}

static void play_manifest(struct hub_server *server, const char *path, struct hub_answer *out)
{
	const char *at = strstr(path, "/manifests/");
	const struct hub_repository *model;
	char name[512];

	snprintf(name, sizeof name, "%.*s:%s", (int)(at - path - 4), path + 4, at + strlen("/manifests/"));
	model = hub_find(server, name, true);
	if (model)
		put_manifest(server, model, out);
	else
		put_refusal(out, "MANIFEST_UNKNOWN", "manifest unknown");
}

void hub_play_ollama(struct hub_server *server, const struct hub_call *call, struct hub_answer *out)
{
	const char *digest = strstr(call->path, "/blobs/sha256:");

	buf_puts(&out->headers, "Docker-Distribution-Api-Version: registry/2.0\r\n");
	if (call->place == HUB_MANIFEST) {
		play_manifest(server, call->path, out);
		return;
	}
	for (const struct hub_content *content = server->contents; digest && content; content = content->next)
		if (strcmp(content->digest, digest + strlen("/blobs/sha256:")) == 0) {
			hub_put_signed(server, out, 307, content);
			return;
		}
	put_refusal(out, "BLOB_UNKNOWN", "blob unknown to registry");
}
