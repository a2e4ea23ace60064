/* What the hub and ollama's registry say of models, and names as they are typed, of any bytes: what is read of it names
 * files that may lie in our folders, and choices are of files that there are. */
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "catalog/ollama_manifest.h"
#include "pull/hub_listing.h"
#include "pull/name.h"
#include "pull/offer.h"
#include "fuzz/fuzz.h"

/* Said again, without what is tested. */
static void check_path(const char *path)
{
	size_t len = strlen(path), part = 0;

	FUZZ_CHECK(len > 0 && len <= LIMIT_PULL_PATH && path[0] != '/' && path[len - 1] != '/');
	for (size_t i = 0; i <= len; i++) {
		FUZZ_CHECK(path[i] == '\0' ? i == len : (unsigned char)path[i] >= ' ' && path[i] != 127 && path[i] != '\\');
		if (path[i] != '/' && path[i] != '\0')
			continue;
		FUZZ_CHECK(i > part && i - part <= 255);
		FUZZ_CHECK(!(i - part == 1 && path[part] == '.') && !(i - part == 2 && memcmp(path + part, "..", 2) == 0));
		part = i + 1;
	}
}

static void check_hex(const char *text, size_t len)
{
	FUZZ_CHECK(strlen(text) == len && strspn(text, "0123456789abcdef") == len);
}

/* Commits are only said back to the hub, as they came. */
static void check_commit(const char *text)
{
	FUZZ_CHECK(strlen(text) == HUB_COMMIT_LEN && strspn(text, "0123456789abcdefABCDEF") == HUB_COMMIT_LEN);
}

static void check_file(const struct pull_file *file)
{
	check_path(file->path);
	FUZZ_CHECK(file->size <= LIMIT_PULL_FILE);
	if (file->digest[0])
		check_hex(file->digest, strlen(file->digest) == 40 ? 40 : 64);
}

static void check_choices(const struct pull_offer *offer)
{
	FUZZ_CHECK(offer->n_choices <= LIMIT_PULL_CHOICES);
	FUZZ_CHECK(!offer->n_choices || offer->chosen < offer->n_choices);
	for (size_t i = 0; i < offer->n_choices; i++) {
		const struct pull_choice *choice = &offer->choices[i];
		uint64_t sum = 0;

		FUZZ_CHECK(choice->quant && choice->n >= 1);
		FUZZ_CHECK(choice->first < offer->n_files && choice->n <= offer->n_files - choice->first);
		for (size_t k = 0; k < choice->n; k++)
			sum += offer->files[choice->first + k].size;
		FUZZ_CHECK(sum == choice->n_bytes);
		FUZZ_CHECK(choice->bits >= 0 && choice->speed >= 0);
	}
}

/* Files are the offer's then. */
static void choose(struct hub_files *files, const char *name, const char *tag)
{
	const struct pull_machine machine = {(uint64_t)8 << 30, 20e9};
	struct pull_offer offer = {.files = files->files, .n_files = files->n};
	struct buf text = {.max = KIB(4)};
	struct error err;

	*files = (struct hub_files){0};
	buf_printf(&text, "%s%s%s", name, tag[0] ? ":" : "", tag);
	if (pull_name_parse(&offer.name, buf_text(&text), &err) == STATUS_OK && pull_choose(&offer, &machine, &err) == STATUS_OK)
		check_choices(&offer);
	pull_offer_free(&offer);
	buf_free(&text);
}

static void read_listing(const char *text, size_t size)
{
	static const char *const tags[] = {"", "Q4_K_M", "safetensors"};
	struct hub_info info;
	struct error err;

	for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
		struct hub_files files = {0};
		enum status status = i == 1 ? hub_read_info(&info, &files, text, size, &err) : hub_read_tree(&files, text, size, &err);

		if (!status)
			status = hub_check_files(&files, &err);
		for (size_t k = 0; k < files.n && !status; k++)
			check_file(&files.files[k]);
		if (status)
			hub_free_files(&files);
		else
			choose(&files, "owner/repo", tags[i]);
		if (i == 1 && !status && info.commit[0])
			check_commit(info.commit);
	}
}

static void read_manifest(const char *text, size_t size)
{
	struct ollama_manifest manifest;
	struct error err;

	if (ollama_manifest_parse(&manifest, text, size, &err) == STATUS_OK)
		for (size_t i = 0; i < manifest.n; i++) {
			FUZZ_CHECK(manifest.layers[i].kind);
			check_hex(manifest.layers[i].digest, OLLAMA_DIGEST_LEN);
		}
	ollama_manifest_free(&manifest);
}

/* A name, written again, is the same name. */
static void read_name(const char *text)
{
	struct pull_name name, again;
	struct buf shown = {.max = KIB(16)}, shown_again = {.max = KIB(16)};
	struct error err;

	(void)pull_name_looks_so(text);
	if (pull_name_parse(&name, text, &err) == STATUS_OK) {
		FUZZ_CHECK(name.base && name.repository && strncasecmp(name.base, "http", 4) == 0);
		if (name.file)
			check_path(name.file);
		pull_name_put(&name, &shown);
		FUZZ_CHECK(pull_name_parse(&again, buf_text(&shown), &err) == STATUS_OK);
		pull_name_put(&again, &shown_again);
		FUZZ_CHECK(strcmp(buf_text(&shown), buf_text(&shown_again)) == 0);
		pull_name_free(&again);
	}
	pull_name_free(&name);
	buf_free(&shown);
	buf_free(&shown_again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char commit[HUB_COMMIT_LEN + 1], *copy = malloc(size + 1);
	const char *url;
	struct error err;
	size_t len;

	FUZZ_CHECK(copy);
	if (size)
		memcpy(copy, data, size);
	copy[size] = '\0';
	if (hub_read_refs(commit, "main", copy, size, &err) == STATUS_OK)
		check_commit(commit);
	if (hub_next_page(copy, &url, &len))
		FUZZ_CHECK(url >= copy && url + len <= copy + strlen(copy));
	read_listing(copy, size);
	read_manifest(copy, size);
	read_name(copy);
	free(copy);
	return 0;
}
