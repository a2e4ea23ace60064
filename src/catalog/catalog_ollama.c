/* ollama keeps files named by their digest in blobs/, and JSON manifests that give
 * them names in manifests/HOST/NAMESPACE/NAME/TAG. */
#include "catalog/catalog_internal.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "catalog/ollama_manifest.h"

static void add_blob(struct catalog_walk *walk, const char *root, const char *digest, const char *manifest)
{
	struct buf path = {.max = PATH_MAX}, label = {.max = PATH_MAX};
	struct stat st;

	ollama_put_label(&label, manifest);
	if (!ollama_blob_path(&path, root, digest) && stat(buf_text(&path), &st) == 0 && S_ISREG(st.st_mode))
		walk_add(walk, buf_text(&path), label.len ? buf_text(&label) : NULL, &st);
	buf_free(&label);
	buf_free(&path);
}

static void visit_manifest(struct catalog_walk *walk, const char *path, const char *name,
                           const struct stat *st, int depth)
{
	struct buf root = {.max = PATH_MAX};
	struct ollama_manifest manifest = {0};
	const struct ollama_layer *model;

	(void)name;
	if (S_ISDIR(st->st_mode)) {
		walk_folder(walk, path, depth + 1, visit_manifest);
	} else if (S_ISREG(st->st_mode) && ollama_is_manifest(path, &root) && !ollama_manifest_read(&manifest, path, NULL)) {
		model = ollama_manifest_find(&manifest, "model");
		if (model)
			add_blob(walk, buf_text(&root), model->digest, path);
	}
	ollama_manifest_free(&manifest);
	buf_free(&root);
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
	struct buf root = {.max = PATH_MAX};
	const char *digest;

	(void)name;
	(void)depth;
	if (S_ISREG(st->st_mode) && ollama_is_blob(path, &root, &digest) && is_gguf(path))
		walk_add(walk, path, NULL, st);
	buf_free(&root);
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
