/* Looking for models, in a home directory made for each test. */
#include <criterion/criterion.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/limits.h"
#include "catalog/catalog.h"
#include "catalog/catalog_internal.h"
#include "catalog/recent.h"
#include "engine/options.h"
#include "support/folder.h"
#include "support/split_model.h"
#include "support/tiny_model.h"

enum { PATH_SIZE = 600 };
static char home[64];

/* A path in the home directory; makes its folders. */
static const char *in_home(const char *name)
{
	static char paths[4][PATH_SIZE];
	static unsigned turn;
	char *path = paths[turn++ % 4], *slash;

	snprintf(path, PATH_SIZE, "%s/%s", home, name);
	slash = strrchr(path, '/');
	*slash = '\0';
	cr_assert_eq(io_make_dirs(&io_system, path), 0, "%s", path);
	*slash = '/';
	return path;
}

static struct catalog *catalog; /* of the last scan */

static void make_home(void)
{
	static const char *const variables[] = {
		"LLAMA_CACHE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME",
		"XDG_DATA_HOME", "XDG_STATE_HOME", "OLLAMA_MODELS", "SOTTO_DATA_DIR"};

	snprintf(home, sizeof home, "/tmp/sotto-catalog-XXXXXX");
	cr_assert_not_null(mkdtemp(home));
	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		unsetenv(variables[i]);
	setenv("HOME", home, 1);
	setenv("SOTTO_PKGDATADIR", home, 1);
	cr_assert_eq(mkdir(in_home("here"), 0700), 0);
	cr_assert_eq(chdir(in_home("here")), 0);
}

static void remove_home(void)
{
	catalog_free(catalog);
	cr_assert_eq(chdir("/"), 0);
	remove_folder(home);
}

TestSuite(catalog, .init = make_home, .fini = remove_home);
TestSuite(recent, .init = make_home, .fini = remove_home);

/* A tiny model with this name; `key` (NULL: none) is set to `value`. */
static void save_model(const char *path, const char *name, const char *key, const char *value)
{
	struct tiny_model tiny = tiny_model_smallest(TINY_SPM);
	struct gguf_writer *w = tiny_model_writer(&tiny);
	struct error err;

	cr_assert_not_null(w);
	gguf_writer_set_string(w, "general.name", name, strlen(name));
	if (key)
		gguf_writer_set_string(w, key, value, strlen(value));
	cr_assert_eq(gguf_writer_save(w, in_home(path), &err), STATUS_OK, "%s", err.text);
	gguf_writer_free(w);
}

/* Looks again. */
static void scan_with(const struct engine_params *params)
{
	struct error err;

	catalog_free(catalog);
	cr_assert_eq(catalog_scan(&catalog, params, NULL, NULL, &err), STATUS_OK, "%s", err.text);
}

static void scan(void)
{
	struct engine_params params = engine_params_default();

	scan_with(&params);
}

static const struct catalog_entry *find(const char *name)
{
	for (size_t i = 0; i < catalog->n; i++)
		if (strcmp(catalog->entries[i].name, name) == 0)
			return &catalog->entries[i];
	return NULL;
}

static size_t count(void)
{
	scan();
	return catalog->n;
}

Test(catalog, nothing_is_found_where_nothing_is)
{
	cr_assert_eq(count(), 0);
	unsetenv("HOME");
	cr_assert_eq(count(), 0);
}

Test(catalog, every_place_is_looked_at)
{
	static const struct {
		const char *variable, *folder, *file;
	} rows[] = {
		{"LLAMA_CACHE", "c1", "c1/m.gguf"},
		{"HF_HUB_CACHE", "c2", "c2/models--a--b/snapshots/0123/m.gguf"},
		{"HUGGINGFACE_HUB_CACHE", "c3", "c3/models--a--b/snapshots/0123/sub/m.gguf"},
		{"HF_HOME", "c4", "c4/hub/models--a--b/snapshots/0123/m.gguf"},
		{"XDG_CACHE_HOME", "c5", "c5/huggingface/hub/models--a--b/snapshots/0123/m.gguf"},
		{"XDG_CACHE_HOME", "c6", "c6/llama.cpp/m.gguf"},
		{NULL, NULL, ".cache/huggingface/hub/models--a--b/snapshots/0123/m.gguf"},
		{NULL, NULL, ".cache/llama.cpp/m.gguf"},
		{NULL, NULL, ".lmstudio/models/publisher/model/m.gguf"},
		{NULL, NULL, ".cache/lm-studio/models/publisher/model/m.gguf"},
		{"SOTTO_DATA_DIR", "c7", "c7/models/m.gguf"},
		{"XDG_DATA_HOME", "c8", "c8/sotto/models/m.gguf"},
		{NULL, NULL, ".local/share/sotto/models/m.gguf"},
		{NULL, NULL, "here/m.gguf"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (rows[i].variable)
			setenv(rows[i].variable, in_home(rows[i].folder), 1);
		save_model(rows[i].file, "found", NULL, NULL);
		scan();
		cr_assert_eq(catalog->n, 1, "%s: %zu", rows[i].file, catalog->n);
		cr_assert_str_eq(catalog->entries[0].path, in_home(rows[i].file));
		cr_assert_str_eq(catalog->entries[0].name, "found");
		cr_assert_eq(unlink(in_home(rows[i].file)), 0);
		if (rows[i].variable)
			unsetenv(rows[i].variable);
	}
	save_model("here/deeper/m.gguf", "not looked for", NULL, NULL);
	cr_assert_eq(count(), 0);
}

Test(catalog, tells_what_the_header_says)
{
	struct engine_params params = engine_params_default();
	const struct catalog_entry *entry;
	struct stat st;

	save_model("here/a.gguf", "Tiny", NULL, NULL);
	params.model = (char *)"a.gguf";
	scan_with(&params);
	entry = find("Tiny");
	cr_assert_not_null(entry);
	cr_assert_eq(stat(entry->path, &st), 0);
	cr_assert_eq(entry->file_bytes, (uint64_t)st.st_size);
	cr_assert_eq(entry->state, MODEL_FITS);
	cr_assert_str_eq(entry->architecture, "llama");
	cr_assert_str_eq(entry->type, "F32");
	cr_assert(entry->n_params > 100 && entry->n_ctx_train > 0 && entry->n_parts == 1);
	cr_assert_eq(entry->n_ctx, entry->n_ctx_train);
	cr_assert(entry->memory > 4 * entry->n_params);
	cr_assert(entry->is_current && !entry->why && !entry->used);
}

Test(catalog, the_guide_is_in_the_data_directory_and_comes_last)
{
	const struct catalog_entry *entry;
	struct error err;
	struct buf path = {.max = KIB(4)};

	cr_assert_eq(catalog_guide_path(&path, &err), STATUS_NOTFOUND);
	cr_assert_str_eq(buf_text(&path), in_home("models/guide.gguf"), "where it would be");
	cr_assert_not_null(strstr(err.text, "the guide is missing"));
	save_model("models/guide.gguf", "A guide", NULL, NULL);
	save_model("here/zz.gguf", "zz", NULL, NULL);
	write_text(in_home("here/letter.gguf"), "Dear all,");
	buf_clear(&path);
	cr_assert_eq(catalog_guide_path(&path, &err), STATUS_OK);
	buf_free(&path);
	scan();
	cr_assert(catalog->n == 3 && catalog->n_found == 2);
	entry = &catalog->entries[2];
	cr_assert(entry->is_guide && !catalog->entries[0].is_guide && !catalog->entries[1].is_guide);
	cr_assert_str_eq(entry->name, "guide (built in)");
	cr_assert_str_eq(entry->path, in_home("models/guide.gguf"));
}

Test(catalog, a_file_is_listed_once)
{
	save_model(".cache/huggingface/hub/models--a--b/blobs/0123456789", "Blob", NULL, NULL);
	cr_assert_eq(symlink("../../blobs/0123456789",
	                     in_home(".cache/huggingface/hub/models--a--b/snapshots/2/m.gguf")), 0);
	cr_assert_eq(symlink("../../blobs/0123456789",
	                     in_home(".cache/huggingface/hub/models--a--b/snapshots/1/m.gguf")), 0);
	cr_assert_eq(link(in_home(".cache/huggingface/hub/models--a--b/blobs/0123456789"),
	                  in_home(".lmstudio/models/a/b/hard.gguf")), 0);
	cr_assert_eq(symlink("nowhere", in_home("here/dangling.gguf")), 0);
	setenv("HF_HOME", in_home(".cache/huggingface"), 1);
	scan();
	cr_assert_eq(catalog->n, 1);
	cr_assert_str_eq(catalog->entries[0].path,
	                 in_home(".cache/huggingface/hub/models--a--b/snapshots/1/m.gguf"));
}

Test(catalog, links_in_circles_end)
{
	save_model(".lmstudio/models/a/m.gguf", "One", NULL, NULL);
	cr_assert_eq(symlink("..", in_home(".lmstudio/models/a/up")), 0);
	cr_assert_eq(symlink("a", in_home(".lmstudio/models/b")), 0);
	cr_assert_eq(symlink("self", in_home(".lmstudio/models/self")), 0);
	cr_assert_eq(symlink("loop", in_home("loop")), 0);
	setenv("LLAMA_CACHE", in_home("loop"), 1); /* a folder that cannot be opened */
	scan();
	cr_assert_eq(catalog->n, 1);
	cr_assert_eq(catalog->n_unreadable, 1);
	cr_assert(!catalog->is_cut);
}

Test(catalog, what_is_no_model_is_left_out)
{
	struct tiny_model vocab = tiny_model_smallest(TINY_BPE);

	vocab.vocab_only = true;
	cr_assert_eq(tiny_model_save(&vocab, in_home("here/vocab.gguf"), NULL), STATUS_OK);
	save_model("here/mmproj-a.gguf", "Projector", NULL, NULL);
	save_model("here/clip.gguf", "Clip", "general.architecture", "clip");
	save_model("here/lora.gguf", "Adapter", "general.type", "adapter");
	save_model("here/imatrix.gguf", "Matrix", "general.type", "imatrix");
	save_model("here/.hidden.gguf", "Hidden", NULL, NULL);
	save_model("here/m.gguf.part", "Download", NULL, NULL);
	cr_assert_eq(mkdir(in_home("here/folder.gguf"), 0700), 0);
	cr_assert_eq(mkfifo(in_home("here/fifo.gguf"), 0600), 0);
	cr_assert_eq(count(), 0);
}

Test(catalog, says_why_a_file_cannot_be_loaded)
{
	const struct catalog_entry *entry;

	save_model("here/1.gguf", "Warbler", "general.architecture", "warble");
	save_model("here/2.gguf", "Odd words", "tokenizer.ggml.model", "words");
	write_text(in_home("here/letter.gguf"), "Dear all,\n");
	write_text(in_home("here/empty.gguf"), "");
	write_text(in_home("here/odd-00003-of-00002.gguf"), "not a part");
	scan();
	cr_assert_eq(catalog->n, 5);
	entry = find("Warbler");
	cr_assert(entry && entry->state == MODEL_UNSUPPORTED && strstr(entry->why, "\"warble\""));
	cr_assert_str_eq(entry->architecture, "warble");
	entry = find("Odd words");
	cr_assert(entry && entry->state == MODEL_UNSUPPORTED && strstr(entry->why, "'words'"));
	entry = find("letter.gguf");
	cr_assert(entry && entry->state == MODEL_DAMAGED && strstr(entry->why, "GGUF"));
	cr_assert(!strstr(entry->why, home), "without the path: %s", entry->why);
	entry = find("empty.gguf");
	cr_assert(entry && entry->state == MODEL_DAMAGED);
	cr_assert_not_null(find("odd-00003-of-00002.gguf"));
}

static uint64_t size_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

static void save_parts(const char *prefix)
{
	struct tiny_model tiny = tiny_model_default();
	struct error err = {0};

	cr_assert_eq(split_model_save(&tiny, in_home(prefix), 3, NULL, NULL, &err), STATUS_OK, "%s",
	             err.text);
}

Test(catalog, a_model_in_parts_is_listed_once)
{
	struct engine_params params = engine_params_default();
	const struct catalog_entry *entry;
	char current[] = "big-00002-of-00003.gguf";
	uint64_t total = 0;

	save_parts("here/big");
	for (uint32_t i = 0; i < 3; i++)
		total += size_of(split_model_path(in_home("here/big"), i, 3));
	/* loaded before by the name of its last part, and now by that of the second */
	cr_assert_eq(catalog_remember("big-00003-of-00003.gguf", &(struct model_identity){.file = "1"}, NULL), STATUS_OK);
	params.model = current;
	scan_with(&params);
	cr_assert_eq(catalog->n, 1);
	entry = &catalog->entries[0];
	cr_expect(entry->state == MODEL_FITS && entry->n_parts == 3 && entry->n_params > 0);
	cr_expect_eq(entry->file_bytes, total);
	cr_expect(entry->memory > 0 && entry->token_bytes > 0);
	cr_expect_str_eq(entry->path, in_home("here/big-00001-of-00003.gguf"));
	cr_expect(entry->used > 0 && entry->is_current);
}

Test(catalog, parts_by_links_of_a_cache)
{
	const struct catalog_entry *entry;
	char command[256];

	save_parts(".cache/huggingface/hub/models--a--b/snapshots/1/m");
	snprintf(command, sizeof command, "cd %s/.cache/huggingface/hub/models--a--b && mkdir blobs &&"
	         " for i in 1 2 3; do mv snapshots/1/m-0000$i-of-00003.gguf blobs/ab$i &&"
	         " ln -s ../../blobs/ab$i snapshots/1/m-0000$i-of-00003.gguf; done", home);
	cr_assert_eq(system(command), 0);
	scan();
	cr_assert_eq(catalog->n, 1);
	entry = &catalog->entries[0];
	cr_expect(entry->state == MODEL_FITS && entry->n_parts == 3, "%s", entry->why);
}

Test(catalog, a_model_that_lacks_parts_is_damaged_and_listed_once)
{
	for (unsigned gone = 1; gone <= 3; gone++) {
		const struct catalog_entry *entry;
		char part[64], text[80];
		uint64_t total = 0;

		save_parts("here/big");
		snprintf(part, sizeof part, "here/big-0000%u-of-00003.gguf", gone);
		cr_assert_eq(unlink(in_home(part)), 0);
		for (uint32_t i = 0; i < 3; i++)
			total += size_of(split_model_path(in_home("here/big"), i, 3));
		scan();
		cr_assert_eq(catalog->n, 1);
		entry = &catalog->entries[0];
		cr_expect(entry->state == MODEL_DAMAGED && entry->n_parts == 3);
		cr_expect_eq(entry->file_bytes, total, "what is there of it");
		snprintf(text, sizeof text, "part %u of 3, big-0000%u-of-00003.gguf, is missing", gone, gone);
		cr_expect(strncmp(entry->why, text, strlen(text)) == 0, "%s", entry->why);
	}
}

Test(catalog, says_what_is_too_large)
{
	struct tiny_model tiny = tiny_model_default();
	struct engine_params params = engine_params_default();
	struct error err;

	tiny.key_length = tiny.value_length = 256;
	tiny.n_head_kv = 4;
	tiny.n_layer = 8;
	cr_assert_eq(tiny_model_save(&tiny, in_home("here/a.gguf"), &err), STATUS_OK, "%s", err.text);
	scan_with(&params);
	cr_assert_eq(catalog->entries[0].state, MODEL_FITS);
	params.n_ctx = 1 << 24;
	params.kv_type_k = params.kv_type_v = KV_F32;
	scan_with(&params);
	cr_assert_eq(catalog->entries[0].state, MODEL_TOO_LARGE);
	cr_assert_eq(catalog->entries[0].token_bytes, 0, "the disk decides");
	cr_assert_eq(catalog->entries[0].n_ctx, 1u << 24);
}

Test(catalog, order_is_recent_runnable_name)
{
	static const char *const order[] = {"newest", "older", "Alpha", "beta", "strange"};

	save_model("here/1.gguf", "beta", NULL, NULL);
	save_model("here/2.gguf", "Alpha", NULL, NULL);
	save_model("here/3.gguf", "strange", "general.architecture", "warble");
	save_model("here/4.gguf", "older", NULL, NULL);
	save_model("elsewhere/5", "newest", NULL, NULL);
	cr_assert_eq(recent_add(&io_system, "4.gguf", "", 100, NULL), STATUS_OK);
	cr_assert_eq(recent_add(&io_system, in_home("elsewhere/5"), "", 200, NULL), STATUS_OK);
	cr_assert_eq(recent_add(&io_system, in_home("elsewhere/gone"), "", 300, NULL), STATUS_OK);
	scan();
	cr_assert_eq(catalog->n, 5);
	for (size_t i = 0; i < 5; i++)
		cr_assert_str_eq(catalog->entries[i].name, order[i], "%zu: %s", i,
		                 catalog->entries[i].name);
	cr_assert(catalog->entries[0].used == 200 && catalog->entries[2].used == 0);
	cr_assert_str_eq(catalog->entries[1].path, in_home("here/4.gguf"));
}

Test(catalog, limits_end_a_search)
{
	char name[PATH_SIZE] = ".lmstudio/models";

	for (int i = 0; i < LIMIT_CATALOG_DEPTH; i++)
		strncat(name, "/d", sizeof name - strlen(name) - 1);
	strncat(name, "/m.gguf", sizeof name - strlen(name) - 1);
	save_model(name, "deep", NULL, NULL);
	scan();
	cr_assert(catalog->n == 1 && !catalog->is_cut);
	name[strlen(name) - 7] = '\0';
	strncat(name, "/d/m.gguf", sizeof name - strlen(name) - 1);
	save_model(name, "too deep", NULL, NULL);
	scan();
	cr_assert(catalog->n == 1 && catalog->is_cut);

	for (int i = 0; i < LIMIT_CATALOG_MODELS - 1; i++) {
		snprintf(name, sizeof name, "here/%d.gguf", i);
		write_text(in_home(name), "x");
	}
	cr_assert_eq(unlink(in_home(".lmstudio/models/d/d/d/d/d/d/d/d/d/m.gguf")), 0);
	cr_assert_eq(rmdir(in_home(".lmstudio/models/d/d/d/d/d/d/d/d/d")), 0);
	scan();
	cr_assert(catalog->n == LIMIT_CATALOG_MODELS && !catalog->is_cut, "%zu", catalog->n);
	write_text(in_home("here/more.gguf"), "x");
	scan();
	cr_assert(catalog->n == LIMIT_CATALOG_MODELS && catalog->is_cut);
}

static bool stop_later(void *ctx)
{
	return --*(int *)ctx < 0;
}

Test(catalog, a_search_can_be_stopped)
{
	struct engine_params params = engine_params_default();
	enum status status = STATUS_CANCELLED;
	struct error err;

	save_model(".lmstudio/models/a/1.gguf", "1", NULL, NULL);
	save_model("here/2.gguf", "2", NULL, NULL);
	for (int i = 0; status; i++) {
		int left = i;

		status = catalog_scan(&catalog, &params, stop_later, &left, &err);
		cr_assert(i < 100 && (status == STATUS_OK || status == STATUS_CANCELLED));
		cr_assert_eq(!catalog, status != STATUS_OK);
	}
	cr_assert_eq(catalog->n, 2);
}

/* ---- ollama ---- */

#define LIBRARY ".ollama/models/manifests/registry.ollama.ai/library/"
#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define MODEL "\"mediaType\":\"application/vnd.ollama.image.model\""

Test(catalog, ollama_names_its_models)
{
	static const char text[] = "{\"layers\":[{" MODEL ",\"digest\":\"sha256:" HEX "\",\"size\":1}]}";
	static char large[LIMIT_OLLAMA_MANIFEST + 2];
	const struct catalog_entry *entry;

	save_model(".ollama/models/blobs/sha256-" HEX, "Llama", NULL, NULL);
	save_model(".ollama/models/blobs/sha256-" OTHER, "Orphan", NULL, NULL);
	write_text(in_home(".ollama/models/blobs/sha256-" OTHER "-partial"), "GGUF");
	write_text(in_home(".ollama/models/blobs/sha256-00" HEX), "GGUF");
	write_text(in_home(LIBRARY "llama3.2/1b"), text);
	write_text(in_home(LIBRARY "llama3.2/broken"), "{]]]");
	memset(large, ' ', sizeof large - 1);
	write_text(in_home(LIBRARY "llama3.2/large"), large);
	scan();
	cr_assert_eq(catalog->n, 2, "%zu", catalog->n);
	entry = find("llama3.2:1b");
	cr_assert(entry && entry->state == MODEL_FITS);
	cr_assert_str_eq(entry->path, in_home(".ollama/models/blobs/sha256-" HEX));
	cr_assert_not_null(find("Orphan"));
	write_text(in_home("o/manifests/hub.example/manifests/some/1b"), text);
	save_model("o/blobs/sha256-" HEX, "Other", NULL, NULL);
	setenv("OLLAMA_MODELS", in_home("o"), 1);
	scan();
	cr_assert_not_null(find("hub.example/manifests/some:1b"), "whatever its folders are called");
}

/* ---- what was loaded ---- */

Test(recent, the_last_one_is_first)
{
	struct recent_model *models;
	struct stat st;
	size_t n;

	cr_assert_eq(recent_load(&models, &n, NULL), STATUS_OK);
	cr_assert_eq(n, 0);
	recent_free(models, n);
	for (int i = 0; i < LIMIT_RECENT_MODELS + 10; i++) {
		char path[32];

		snprintf(path, sizeof path, "%s%d.gguf", i % 2 ? i % 4 == 1 ? "./" : ".//./" : "/m/", i);
		cr_assert_eq(recent_add(&io_system, path, "", i, NULL), STATUS_OK);
	}
	cr_assert_eq(recent_add(&io_system, "/m/40.gguf", "", 99, NULL), STATUS_OK);
	cr_assert_eq(recent_load(&models, &n, NULL), STATUS_OK);
	cr_assert_eq(n, LIMIT_RECENT_MODELS);
	cr_assert(models[0].time == 99 && strcmp(models[0].path, "/m/40.gguf") == 0);
	cr_assert_str_eq(models[1].path, in_home("here/59.gguf"));
	for (size_t i = 1; i < n; i++)
		cr_assert_str_neq(models[i].path, "/m/40.gguf");
	recent_free(models, n);
	cr_assert_eq(stat(in_home(".local/state/sotto/models"), &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0600);
}

Test(recent, lines_that_are_none_are_left_out)
{
	struct recent_model *models;
	size_t n;

	write_text(in_home(".local/state/sotto/models"),
	           "5\t/good.gguf\n\n\t\n\t/x\nabc\t/x\n7\trelative\n99999999999999999999999\t/x\n"
	           "99999999999999999999999999999999999999999999\t/x\n-3\t/old.gguf");
	cr_assert_eq(recent_load(&models, &n, NULL), STATUS_OK);
	cr_assert_eq(n, 2);
	cr_assert_str_eq(models[0].path, "/good.gguf");
	cr_assert_eq(models[1].time, -3);
	recent_free(models, n);
	cr_assert_eq(recent_add(&io_system, "two\nlines", "", 1, NULL), STATUS_LIMIT);
	cr_assert_eq(count(), 0);
}

/* "": where a model with this fingerprint and name was is not recorded. */
static void expect_recalled(enum status expected, const char *where, const char *file, const char *name)
{
	struct buf path = {.max = KIB(64)};
	enum status status;

	status = catalog_recall(&path, file, name, NULL);
	cr_expect(status == expected, "%s: status %d", file ? file : "the last", (int)status);
	cr_expect_str_eq(buf_text(&path), where[0] ? in_home(where) : "");
	buf_free(&path);
}

Test(recent, a_model_is_recalled_by_its_fingerprint)
{
	expect_recalled(STATUS_NOTFOUND, "", NULL, NULL);
	write_text(in_home("here/a"), "x");
	write_text(in_home("here/b"), "x");
	write_text(in_home("copy/a"), "x");
	cr_assert_eq(recent_add(&io_system, in_home("old"), "", 1, NULL), STATUS_OK);
	cr_assert_eq(recent_add(&io_system, in_home("copy/a"), "aaaaaaaaaaaaaaaa", 2, NULL), STATUS_OK);
	cr_assert_eq(recent_add(&io_system, "a", "aaaaaaaaaaaaaaaa", 3, NULL), STATUS_OK);
	cr_assert_eq(recent_add(&io_system, in_home("gone"), "dddddddddddddddd", 4, NULL), STATUS_OK);
	cr_assert_eq(recent_add(&io_system, "b", "bbbbbbbbbbbbbbbb", 5, NULL), STATUS_OK);
	expect_recalled(STATUS_OK, "here/b", NULL, NULL);
	expect_recalled(STATUS_OK, "here/a", "aaaaaaaaaaaaaaaa", "A");
	cr_assert_eq(unlink(in_home("here/a")), 0);
	expect_recalled(STATUS_OK, "copy/a", "aaaaaaaaaaaaaaaa", "A");
	cr_assert_eq(unlink(in_home("copy/a")), 0);
	expect_recalled(STATUS_NOTFOUND, "here/a", "aaaaaaaaaaaaaaaa", "A"); /* that is the one it was */
	expect_recalled(STATUS_NOTFOUND, "gone", "dddddddddddddddd", "D");
	expect_recalled(STATUS_NOTFOUND, "", "eeeeeeeeeeeeeeee", "E");
	cr_assert_eq(mkdir(in_home("here/a"), 0700), 0);
	expect_recalled(STATUS_NOTFOUND, "here/a", "aaaaaaaaaaaaaaaa", "A");
	cr_assert_eq(unlink(in_home("here/b")), 0);
	expect_recalled(STATUS_NOTFOUND, "here/b", NULL, NULL); /* not the one before it */
	write_text(in_home("models/guide.gguf"), "x");
	expect_recalled(STATUS_OK, "models/guide.gguf", "9999999999999999", CATALOG_GUIDE);
	cr_assert_eq(catalog_remember("synthetic:tokens=3", &(struct model_identity){.file = "synthetic 1"}, NULL),
	             STATUS_OK);
	expect_recalled(STATUS_NOTFOUND, "here/b", NULL, NULL); /* it has no file */
}

static void expect_server(const char *expected, const char *file)
{
	struct buf path = {.max = KIB(64)};

	cr_expect_eq(catalog_recall(&path, file, "small", NULL), STATUS_OK);
	cr_expect_str_eq(buf_text(&path), expected);
	buf_free(&path);
}

/* It is recorded as it is named; whether it is there is not asked. */
Test(recent, a_server_s_model_is_recalled_as_it_was_named)
{
	static const struct model_identity one = {.file = "1111111111111111", .server = "box"},
	                                   two = {.file = "2222222222222222", .server = "box"};

	cr_assert_eq(catalog_remember("server:box/small", &one, NULL), STATUS_OK);
	cr_assert_eq(catalog_remember("server:box", &two, NULL), STATUS_OK);
	cr_assert_eq(catalog_remember("gone.gguf", &one, NULL), STATUS_OK);
	expect_server("server:box", NULL);
	expect_server("server:box", "2222222222222222");
	expect_server("server:box/small", "1111111111111111");
	cr_expect_eq(count(), 0, "they are no files");
	write_text(in_home("here/a"), "x");
	cr_assert_eq(catalog_remember("a", &(struct model_identity){.file = "aaaaaaaaaaaaaaaa"}, NULL), STATUS_OK);
	expect_recalled(STATUS_OK, "here/a", NULL, NULL);
	expect_server("server:box/small", "1111111111111111");
}

static int no_rename(const char *from, const char *to)
{
	(void)from, (void)to;
	errno = EIO;
	return -1;
}

Test(recent, a_failure_leaves_the_old_file)
{
	struct io_ops io = io_system;
	struct recent_model *models;
	char command[200];
	size_t n;

	cr_assert_eq(recent_add(&io_system, "/a.gguf", "", 1, NULL), STATUS_OK);
	io.rename = no_rename;
	cr_assert_neq(recent_add(&io, "/b.gguf", "", 2, NULL), STATUS_OK);
	cr_assert_eq(recent_load(&models, &n, NULL), STATUS_OK);
	cr_assert(n == 1 && strcmp(models[0].path, "/a.gguf") == 0);
	recent_free(models, n);
	snprintf(command, sizeof command, "test \"$(ls %s/.local/state/sotto)\" = models", home);
	cr_assert_eq(system(command), 0, "nothing else is left there");
}
