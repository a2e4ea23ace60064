/* ollama's registry (its server/images.go and download.go, August 2026): a manifest names the files of a model by their
 * digests; a file is had from another host, by an address that expires. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "catalog/ollama_manifest.h"
#include "pull/ollama_store.h"
#include "pull/source.h"

static const char manifest_type[] = "application/vnd.docker.distribution.manifest.v2+json";
enum { PATH_BYTES = 512, PROBE_BYTES = 64 << 10 };

static const char *tag_of(const struct pull_name *name)
{
	return name->tag ? name->tag : "latest";
}

/* ---- what there is ---- */

static enum status check_code(const struct pull_name *name, int code, struct error *err)
{
	struct buf shown = {.max = KIB(4)};
	enum status status = STATUS_OK;

	pull_name_put(name, &shown);
	if (code == 404)
		status = error_set(err, STATUS_NOTFOUND, "%s: %s has no such model or tag", buf_text(&shown), name->base);
	else if (code == 401 || code == 403)
		status = error_set(err, STATUS_DECLINED, "%s: it wants a login, which sotto cannot: `ollama pull` can, and what it "
		                   "fetches is found here", buf_text(&shown));
	else if (code != 200)
		status = error_set(err, STATUS_IO, "%s: %s answers with %d, expected a manifest", buf_text(&shown), name->base,
		                   code);
	buf_free(&shown);
	return status;
}

static enum status ask_manifest(struct pull_offer *out, const struct pull_name *name, struct web *web, struct error *err)
{
	struct buf path = {.max = PATH_BYTES};
	struct web_request request = {.base = name->base, .accept = manifest_type, .limit = LIMIT_OLLAMA_MANIFEST};
	struct web_answer answer;
	enum status status;

	buf_printf(&path, "/v2/%s/manifests/%s", name->repository, tag_of(name));
	if (buf_status(&path))
		return error_set(err, STATUS_USAGE, "the name of the model is too long");
	request.path = buf_text(&path);
	status = web_get(web, &request, &answer, err);
	if (!status)
		status = check_code(name, answer.code, err);
	if (!status && !(out->manifest = buf_take(&answer.body, &out->manifest_len)))
		status = error_no_memory(err, "for the manifest");
	web_answer_free(&answer);
	buf_free(&path);
	return status;
}

/* A file that several layers are is fetched once; its sizes have to agree. */
static enum status add_file(struct pull_offer *out, const struct ollama_layer *layer, struct error *err)
{
	struct pull_file *file = &out->files[out->n_files];

	for (size_t i = 0; i < out->n_files; i++)
		if (strcmp(out->files[i].digest, layer->digest) == 0)
			return out->files[i].size == layer->size ? STATUS_OK
			       : error_set(err, STATUS_FORMAT, "the manifest says two sizes of sha256:%.12s", layer->digest);
	file->size = layer->size;
	memcpy(file->digest, layer->digest, sizeof layer->digest);
	file->kind = alloc_strndup(layer->kind, strlen(layer->kind));
	file->path = alloc_array(sizeof "sha256-" + OLLAMA_DIGEST_LEN, 1);
	out->n_files++;
	if (!file->kind || !file->path)
		return error_no_memory(err, "for the manifest");
	memcpy(file->path, "sha256-", strlen("sha256-"));
	memcpy(file->path + strlen("sha256-"), layer->digest, OLLAMA_DIGEST_LEN + 1);
	return STATUS_OK;
}

/* What is read whole when the model is loaded has its limit; nothing is fetched of a model that breaks it. */
static enum status check_text(const struct ollama_layer *layer, struct error *err)
{
	static const char *const texts[] = {"system", "params", "template", "license", "messages"};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (ollama_layer_is(layer, texts[i]) && layer->size > LIMIT_OLLAMA_TEXT)
			return error_set(err, STATUS_LIMIT, "the manifest has a layer '%s' of %" PRIu64 " bytes: more than 1 MiB",
			                 texts[i], layer->size);
	return STATUS_OK;
}

static enum status add_files(struct pull_offer *out, const struct ollama_manifest *manifest, struct error *err)
{
	enum status status = STATUS_OK;

	out->files = alloc_array(manifest->n, sizeof *out->files);
	if (!out->files)
		return error_no_memory(err, "for the manifest");
	for (size_t i = 0; i < manifest->n && !status; i++)
		if (!(status = check_text(&manifest->layers[i], err)))
			status = add_file(out, &manifest->layers[i], err);
	return status;
}

/* All files are one model. */
static enum status add_choice(struct pull_offer *out, const struct pull_name *name, struct error *err)
{
	const char *tag = tag_of(name);
	struct pull_choice *choice = out->choices = alloc_array(1, sizeof *out->choices);

	if (!choice)
		return error_no_memory(err, "for the manifest");
	out->n_choices = 1;
	out->is_by_tag = true;
	choice->n = out->n_files;
	for (size_t i = 0; i < out->n_files; i++)
		choice->n_bytes += out->files[i].size; /* at most 257 * 2 TB */
	choice->quant = alloc_strndup(tag, strlen(tag));
	return choice->quant ? STATUS_OK : error_no_memory(err, "for the manifest");
}

/* Where there is no model that could be run. */
static void put_missing(struct buf *out, const struct pull_name *name, bool is_mlx)
{
	pull_name_put(name, out);
	buf_puts(out, is_mlx ? " is published as safetensors for MLX, which sotto does not run: take a tag that is a GGUF file, "
	                       "or the model from Hugging Face (OWNER/REPO)\n"
	                     : " has no GGUF file, which is what sotto runs\n");
}

static enum status add_notes(struct pull_offer *out, const struct ollama_manifest *manifest, struct error *err)
{
	static const struct {
		const char *kind, *note;
	} rows[] = {
		{"projector", "it comes with a part for images, which ollama uses and sotto does not\n"},
		{"adapter", "it comes with an adapter of its weights, which ollama uses and sotto does not\n"},
		{"draft", "it comes with a smaller model that drafts for it, which ollama uses and sotto does not\n"},
		{"messages", "it comes with messages that chats begin with, which ollama uses and sotto does not\n"},
	};
	struct buf notes = {.max = KIB(4)};

	if (!ollama_manifest_find(manifest, "model"))
		put_missing(&notes, &out->name, ollama_manifest_find(manifest, "tensor") != NULL);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (ollama_manifest_find(manifest, rows[i].kind))
			buf_puts(&notes, rows[i].note);
	if (!notes.len)
		return STATUS_OK;
	notes.data[--notes.len] = '\0';
	out->notes = buf_take(&notes, NULL);
	return out->notes ? STATUS_OK : error_no_memory(err, "for the manifest");
}

static enum status take_manifest(struct pull_offer *out, const struct pull_name *name, struct error *err)
{
	struct ollama_manifest manifest;
	enum status status = ollama_manifest_parse(&manifest, out->manifest, out->manifest_len, err);

	if (status)
		error_prefix(err, "%s", name->base);
	else
		status = add_files(out, &manifest, err);
	if (!status)
		status = add_notes(out, &manifest, err);
	if (!status && ollama_manifest_find(&manifest, "model"))
		status = add_choice(out, name, err);
	ollama_manifest_free(&manifest);
	return status;
}

static enum status look(struct pull_offer *out, const struct pull_name *name, struct web *web, struct error *err)
{
	enum status status = ask_manifest(out, name, web, err);

	return status ? status : take_manifest(out, name, err);
}

/* ---- where a file is ---- */

/* Asks with GET, since an address that is signed is for one method. A registry that has the bytes itself begins to send
 * them, and is left after a few. */
static enum status locate(struct web_place *out, const struct pull_offer *offer, const struct pull_file *file,
                          struct web *web, struct error *err)
{
	const struct pull_name *name = &offer->name;
	struct buf path = {.max = PATH_BYTES};
	struct web_request request = {.base = name->base, .limit = PROBE_BYTES, .stops_at_redirect = true};
	struct web_answer answer;
	enum status status;

	buf_printf(&path, "/v2/%s/blobs/sha256:%s", name->repository, file->digest);
	if (buf_status(&path))
		return error_set(err, STATUS_USAGE, "the name of the model is too long");
	request.path = buf_text(&path);
	status = web_get(web, &request, &answer, err);
	if (!status && answer.next.base) {
		*out = answer.next;
		answer.next = (struct web_place){0};
	} else if (status == STATUS_LIMIT || (!status && !(status = check_code(name, answer.code, err)))) {
		status = web_place_init(out, name->base, buf_text(&path), err);
	}
	web_answer_free(&answer);
	buf_free(&path);
	return status;
}

const struct pull_source_ops pull_ollama = {
	.title = "ollama's registry", .look = look, .locate = locate, .store = ollama_store, .publish = ollama_publish};
