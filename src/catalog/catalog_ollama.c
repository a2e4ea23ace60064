/* ollama keeps files named by their digest in blobs/, and JSON manifests that give
 * them names in manifests/HOST/NAMESPACE/NAME/TAG. */
#include "catalog/catalog_internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_reader.h"
#include "base/limits.h"
#include "base/sys.h"
#include "catalog/ollama_manifest.h"

static const char media_type[] = "application/vnd.ollama.image.model";
enum { DIGEST_START = 7 }; /* "sha256:", in names of files "sha256-" */

static bool is_hex(const char *text)
{
	return strspn(text, "0123456789abcdef") == DIGEST_LEN;
}

/* Whatever the manifest says, what is found can only name a file in blobs/. */
bool ollama_find_digest(const char *json, size_t len, char digest[DIGEST_LEN + 1])
{
	bool is_model = false, is_found = false;
	struct json_reader reader;
	struct json_item item;
	char key[16] = ""; /* of the value that comes next */

	digest[0] = '\0';
	json_begin(&reader, "manifest", json, len);
	while (!is_found && json_next(&reader, &item, NULL) == STATUS_OK && item.kind != JSON_END) {
		if (item.kind == JSON_KEY) {
			snprintf(key, sizeof key, "%s", item.text);
			continue;
		}
		if (item.kind == JSON_STRING && strcmp(key, "mediaType") == 0) {
			is_model = strcmp(item.text, media_type) == 0;
		} else if (item.kind == JSON_STRING && strcmp(key, "digest") == 0) {
			bool is_good = item.len == DIGEST_START + DIGEST_LEN &&
			               strncmp(item.text, "sha256:", DIGEST_START) == 0 &&
			               is_hex(item.text + DIGEST_START);

			snprintf(digest, DIGEST_LEN + 1, "%s",
			         is_good ? item.text + DIGEST_START : "");
		} else if (item.kind == JSON_OBJECT || item.kind == JSON_OBJECT_END) {
			is_found = item.kind == JSON_OBJECT_END && is_model && digest[0];
			if (!is_found) { /* what follows is of another object */
				is_model = false;
				digest[0] = '\0';
			}
		}
		key[0] = '\0';
	}
	json_end(&reader);
	return is_found;
}

static void add_blob(struct catalog_walk *walk, const char *manifest, const char *digest)
{
	const char *root = strstr(manifest, "/manifests/"), *next;
	struct buf path = {.max = PATH_MAX}, label = {.max = PATH_MAX};
	struct stat st;

	while (root && (next = strstr(root + 1, "/manifests/")))
		root = next; /* the last one: the folder's own path may contain the word too */
	if (!root)
		return;
	buf_printf(&path, "%.*s/blobs/sha256-%s", (int)(root - manifest), manifest, digest);
	ollama_put_label(&label, manifest);
	if (!buf_status(&path) && stat(buf_text(&path), &st) == 0 && S_ISREG(st.st_mode))
		walk_add(walk, buf_text(&path), label.len ? buf_text(&label) : NULL, &st);
	buf_free(&label);
	buf_free(&path);
}

static void visit_manifest(struct catalog_walk *walk, const char *path, const char *name,
                           const struct stat *st, int depth)
{
	char digest[DIGEST_LEN + 1], *json;
	size_t len;

	(void)name;
	if (S_ISDIR(st->st_mode)) {
		walk_folder(walk, path, depth + 1, visit_manifest);
	} else if (S_ISREG(st->st_mode) &&
	           !sys_read_file(path, LIMIT_CATALOG_MANIFEST, &json, &len, NULL)) {
		if (ollama_find_digest(json, len, digest))
			add_blob(walk, path, digest);
		free(json);
	}
}

static bool is_gguf(const char *path)
{
	char magic[4] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool is = fd >= 0 && read(fd, magic, sizeof magic) == sizeof magic &&
	          memcmp(magic, "GGUF", sizeof magic) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

/* Adds a model that no manifest names (any longer). */
static void visit_blob(struct catalog_walk *walk, const char *path, const char *name,
                       const struct stat *st, int depth)
{
	(void)depth;
	if (S_ISREG(st->st_mode) && strlen(name) == DIGEST_START + DIGEST_LEN &&
	    strncmp(name, "sha256-", DIGEST_START) == 0 && is_hex(name + DIGEST_START) &&
	    is_gguf(path))
		walk_add(walk, path, NULL, st);
}

void walk_ollama(struct catalog_walk *walk, const char *path)
{
	struct buf folder = {.max = PATH_MAX};

	buf_printf(&folder, "%s/manifests", path);
	walk_folder(walk, buf_text(&folder), 0, visit_manifest);
	buf_clear(&folder);
	buf_printf(&folder, "%s/blobs", path);
	walk_folder(walk, buf_text(&folder), 0, visit_blob);
	buf_free(&folder);
}
