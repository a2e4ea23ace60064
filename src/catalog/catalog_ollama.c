/* ollama keeps files named by their digest in blobs/, and JSON manifests that give
 * them names in manifests/HOST/NAMESPACE/NAME/TAG.
 *
 * All we need from a manifest is the digest next to the media type of a model. So
 * there is no JSON parser: the text is scanned once, from string to string, and
 * whatever it contains, the result is 64 hexadecimal digits, which can only name a
 * file in blobs/. */
#include "catalog/catalog_internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"

static const char media_type[] = "application/vnd.ollama.image.model";
static const char digest_start[] = "sha256:";
enum { DIGEST_START = sizeof digest_start - 1 };

/* A JSON string without its quotes, escapes left as they are. */
struct piece {
	const char *text;
	size_t len;
};

static bool piece_is(struct piece piece, const char *text)
{
	return piece.len == strlen(text) && memcmp(piece.text, text, piece.len) == 0;
}

/* Takes the string that begins with the quote at *at, and moves *at past it. */
static bool take_string(const char **at, const char *end, struct piece *out)
{
	const char *p = *at + 1;

	out->text = p;
	for (; p < end && *p != '"'; p++)
		if (*p == '\\' && ++p == end)
			break;
	if (p >= end)
		return false;
	out->len = (size_t)(p - out->text);
	*at = p + 1;
	return true;
}

static bool is_hex(const char *text)
{
	for (size_t i = 0; i < DIGEST_LEN; i++)
		if (!((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f')))
			return false;
	return true;
}

bool ollama_find_digest(const char *json, size_t len, char digest[DIGEST_LEN + 1])
{
	const char *at = json, *end = json + len, *value;
	struct piece key = {"", 0}, string, found = {"", 0};
	bool is_model = false, is_value = false;

	while (at < end) {
		if (*at == '"') {
			if (!take_string(&at, end, &string))
				return false;
			if (is_value && piece_is(key, "mediaType"))
				is_model = piece_is(string, media_type);
			else if (is_value && piece_is(key, "digest"))
				found = string;
			key = string;
			is_value = false;
			continue;
		}
		if (*at == ':')
			is_value = true;
		else if (*at == ',')
			is_value = false;
		if (*at == '}') {
			value = found.text + DIGEST_START;
			if (is_model && found.len == DIGEST_START + DIGEST_LEN &&
			    memcmp(found.text, digest_start, DIGEST_START) == 0 && is_hex(value)) {
				memcpy(digest, value, DIGEST_LEN);
				digest[DIGEST_LEN] = '\0';
				return true;
			}
		}
		if (*at == '{' || *at == '}') { /* another object */
			is_model = is_value = false;
			found.len = 0;
		}
		at++;
	}
	return false;
}

/* "llama3.2:1b" for ".../registry.ollama.ai/library/llama3.2/1b"; namespaces other than library are
 * kept. */
static void label_of(const char *path, struct buf *out)
{
	const char *parts[4] = {0}, *end = path + strlen(path);
	size_t n = 0;

	for (const char *p = end; p > path && n < 4; p--)
		if (p[-1] == '/')
			parts[n++] = p;
	if (n < 4)
		return;
	if (strncmp(parts[2], "library/", 8) != 0)
		buf_append(out, parts[2], (size_t)(parts[1] - parts[2]));
	buf_append(out, parts[1], (size_t)(parts[0] - parts[1] - 1));
	buf_printf(out, ":%s", parts[0]);
}

static enum status add_blob(struct catalog_walk *walk, const char *manifest, const char *digest,
                            struct error *err)
{
	const char *root = strstr(manifest, "/manifests/"), *next;
	enum status status = STATUS_OK;
	struct buf path = {.max = PATH_MAX}, label = {.max = PATH_MAX};
	struct stat st;

	while (root && (next = strstr(root + 1, "/manifests/")))
		root = next; /* the last one: the folder's own path may contain the word too */
	if (!root)
		return STATUS_OK;
	buf_printf(&path, "%.*s/blobs/sha256-%s", (int)(root - manifest), manifest, digest);
	label_of(manifest, &label);
	if (!buf_status(&path) && stat(buf_text(&path), &st) == 0 && S_ISREG(st.st_mode))
		status = walk_add(walk, buf_text(&path), label.len ? buf_text(&label) : NULL, &st, err);
	buf_free(&label);
	buf_free(&path);
	return status;
}

static enum status visit_manifest(struct catalog_walk *walk, const char *path, const char *name,
                                  const struct stat *st, int depth, struct error *err)
{
	char digest[DIGEST_LEN + 1], *json;
	enum status status = STATUS_OK;
	size_t len;

	(void)name;
	if (S_ISDIR(st->st_mode))
		return walk_folder(walk, path, depth + 1, visit_manifest, err);
	if (!S_ISREG(st->st_mode) || sys_read_file(path, LIMIT_CATALOG_MANIFEST, &json, &len, NULL))
		return STATUS_OK;
	if (ollama_find_digest(json, len, digest))
		status = add_blob(walk, path, digest, err);
	free(json);
	return status;
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
static enum status visit_blob(struct catalog_walk *walk, const char *path, const char *name,
                              const struct stat *st, int depth, struct error *err)
{
	(void)depth;
	if (!S_ISREG(st->st_mode) || strlen(name) != DIGEST_START + DIGEST_LEN ||
	    strncmp(name, "sha256-", DIGEST_START) != 0 || !is_hex(name + DIGEST_START) || !is_gguf(path))
		return STATUS_OK;
	return walk_add(walk, path, NULL, st, err);
}

enum status walk_ollama(struct catalog_walk *walk, const char *path, struct error *err)
{
	enum status status;
	struct buf folder = {.max = PATH_MAX};

	buf_printf(&folder, "%s/manifests", path);
	status = walk_folder(walk, buf_text(&folder), 0, visit_manifest, err);
	buf_clear(&folder);
	buf_printf(&folder, "%s/blobs", path);
	if (!status)
		status = walk_folder(walk, buf_text(&folder), 0, visit_blob, err);
	buf_free(&folder);
	return status;
}
