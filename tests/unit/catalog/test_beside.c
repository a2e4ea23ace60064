/* What is said beside ollama's models, in a folder like its own. */
#include <criterion/criterion.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/limits.h"
#include "catalog/beside.h"
#include "support/folder.h"

#define MODEL "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define PARAMS "1111111111111111111111111111111111111111111111111111111111111111"
#define SYSTEM "2222222222222222222222222222222222222222222222222222222222222222"
#define TEMPLATE "3333333333333333333333333333333333333333333333333333333333333333"
#define LICENCE "4444444444444444444444444444444444444444444444444444444444444444"
#define OTHERS "5555555555555555555555555555555555555555555555555555555555555555"
#define LAYER(kind, digest) \
	"{\"mediaType\":\"application/vnd.ollama.image." kind "\",\"digest\":\"sha256:" digest "\",\"size\":1}"
#define LIBRARY "manifests/registry.ollama.ai/library/"

static char root[64];
static struct beside beside;
static struct error err;

static const char *in_root(const char *name)
{
	static char paths[4][300];
	static unsigned turn;
	char *path = paths[turn++ % 4], *slash;

	snprintf(path, sizeof paths[0], "%s/%s", root, name);
	slash = strrchr(path, '/');
	*slash = '\0';
	cr_assert_eq(io_make_dirs(&io_system, path), 0);
	*slash = '/';
	return path;
}

static void make_root(void)
{
	snprintf(root, sizeof root, "/tmp/sotto-beside-XXXXXX");
	cr_assert_not_null(mkdtemp(root));
	write_text(in_root("blobs/sha256-" MODEL), "GGUF");
	write_text(in_root("blobs/sha256-" PARAMS),
	           "{\"temperature\":0.6,\"top_k\":-1,\"num_ctx\":16384,\"repeat_last_n\":64,\"num_gpu\":3,"
	           "\"stop\":[\"<|im_end|>\",\"\",\"User:\"]}");
	write_text(in_root("blobs/sha256-" OTHERS), "{\"temperature\":0,\"stop\":\"END\"}");
	write_text(in_root("blobs/sha256-" SYSTEM), "You are a tiny model.\n");
	write_text(in_root("blobs/sha256-" LICENCE), "Do what you like.");
}

static void remove_root(void)
{
	beside_free(&beside);
	remove_folder(root);
}

TestSuite(beside, .init = make_root, .fini = remove_root);

static void write_manifest(const char *name, const char *layers)
{
	char path[200], text[2000];

	snprintf(path, sizeof path, LIBRARY "%s", name);
	snprintf(text, sizeof text, "{\"schemaVersion\":2,\"layers\":[%s]}", layers);
	write_text(in_root(path), text);
}

static void read_beside(const char *path)
{
	beside_free(&beside);
	cr_assert_eq(beside_read(&beside, path, &err), STATUS_OK, "%s", err.text);
}

static const char *recommended(const char *option)
{
	for (size_t i = 0; i < beside.n_sampling; i++)
		if (strcmp(beside.sampling[i].name, option) == 0)
			return beside.sampling[i].value;
	return "";
}

#define ALL LAYER("model", MODEL) "," LAYER("params", PARAMS) "," LAYER("system", SYSTEM) "," \
	LAYER("template", TEMPLATE) "," LAYER("license", LICENCE)

Test(beside, is_taken_from_the_manifest_that_names_the_file)
{
	write_manifest("toy/1b", ALL);
	write_manifest("broken/latest", "{");
	read_beside(in_root("blobs/sha256-" MODEL));
	cr_assert_str_eq(beside.name, "toy:1b");
	cr_assert_str_eq(beside.manifest, in_root(LIBRARY "toy/1b"));
	cr_assert_str_eq(recommended("temp"), "0.6");
	cr_assert_str_eq(recommended("top-k"), "0", "-1 is off, and the range says so");
	cr_assert_str_eq(recommended("repeat-last-n"), "64");
	cr_assert_eq(beside.n_sampling, 3);
	cr_assert_eq(beside.n_ctx, 16384);
	cr_assert_eq(beside.n_stops, 2);
	cr_assert_str_eq(beside.stops[1], "User:");
	cr_assert_str_eq(beside.system, "You are a tiny model.");
	cr_assert(beside.has_template && !beside.has_adapter);
	cr_assert_null(beside.other);
	cr_assert_null(beside.problem, "%s", beside.problem);
}

Test(beside, nothing_is_said_of_other_files)
{
	write_manifest("toy/1b", ALL);
	write_text(in_root("blobs/x.gguf"), "GGUF");
	read_beside(in_root("blobs/x.gguf"));
	cr_assert_null(beside.name);
	read_beside(in_root("blobs/sha256-" OTHERS));
	cr_assert_null(beside.name);
	read_beside("/nowhere/at/all");
	cr_assert_null(beside.name);
}

Test(beside, links_lead_to_it)
{
	write_manifest("toy/1b", ALL);
	cr_assert_eq(symlink(in_root("blobs/sha256-" MODEL), in_root("mine.gguf")), 0);
	read_beside(in_root("mine.gguf"));
	cr_assert_str_eq(beside.name, "toy:1b");
}

/* Two tags of one file: by the file's path the first by name counts, and it is said; a manifest's path chooses. */
Test(beside, names_that_share_a_file_may_say_different_things)
{
	struct buf path = {.max = PATH_MAX};
	struct model_info info = {.n_notes = 0};

	write_manifest("toy/1b", ALL);
	write_manifest("toy/latest", ALL);
	cr_assert(beside_is_clear(in_root("blobs/sha256-" MODEL)));
	write_manifest("mine/latest", LAYER("model", MODEL) "," LAYER("params", OTHERS));
	cr_assert_not(beside_is_clear(in_root("blobs/sha256-" MODEL)));
	read_beside(in_root("blobs/sha256-" MODEL));
	cr_assert_str_eq(beside.name, "mine:latest");
	cr_assert_str_eq(beside.other, "toy:1b");
	cr_assert_str_eq(recommended("temp"), "0");
	cr_assert_eq(beside.n_stops, 1);
	beside_note(&beside, &info);
	cr_assert_not_null(strstr(info.notes[1].text, "shares its file with toy:1b"), "%s", info.notes[1].text);
	read_beside(in_root(LIBRARY "toy/latest"));
	cr_assert_str_eq(beside.name, "toy:latest");
	cr_assert_str_eq(recommended("temp"), "0.6");
	cr_assert_eq(beside_model_path(&path, in_root(LIBRARY "toy/latest"), &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(buf_text(&path), in_root("blobs/sha256-" MODEL));
	cr_assert_eq(beside_model_path(&path, "/x/y.gguf", &err), STATUS_OK);
	cr_assert_str_eq(buf_text(&path), "/x/y.gguf");
	write_manifest("none/latest", LAYER("license", LICENCE));
	cr_assert_eq(beside_model_path(&path, in_root(LIBRARY "none/latest"), &err), STATUS_NOTFOUND);
	buf_free(&path);
}

Test(beside, what_cannot_be_read_is_left_out_and_said)
{
	struct model_info info = {.n_notes = 0};

	write_text(in_root("blobs/sha256-" PARAMS), "{\"temperature\":0.6, broken");
	write_text(in_root("blobs/sha256-" SYSTEM), "\xff");
	write_manifest("toy/1b", ALL);
	read_beside(in_root("blobs/sha256-" MODEL));
	cr_assert_null(beside.system);
	cr_assert_not_null(strstr(beside.problem, "the parameters: not JSON"), "%s", beside.problem);
	beside_note(&beside, &info);
	cr_assert_eq(info.notes[1].kind, NOTE_WARNING);
	cr_assert_not_null(strstr(info.notes[1].text, "could be read"), "%s", info.notes[1].text);
}

Test(beside, has_limits)
{
	struct buf text = {.max = LIMIT_OLLAMA_TEXT + 10};
	struct model_info info = {.n_notes = 0};

	write_manifest("toy/1b", ALL);
	buf_puts(&text, "{\"stop\":[\"a\"");
	for (int i = 1; i < LIMIT_OLLAMA_STOPS + 1; i++)
		buf_puts(&text, ",\"b\"");
	buf_puts(&text, "]}");
	write_text(in_root("blobs/sha256-" PARAMS), buf_text(&text));
	read_beside(in_root("blobs/sha256-" MODEL));
	cr_assert_eq(beside.n_stops, LIMIT_OLLAMA_STOPS);
	for (int extra = 0; extra < 2; extra++) {
		buf_clear(&text);
		while (text.len < LIMIT_OLLAMA_TEXT + (size_t)extra)
			buf_putc(&text, 's');
		write_text(in_root("blobs/sha256-" SYSTEM), buf_text(&text));
		read_beside(in_root("blobs/sha256-" MODEL));
		cr_assert_eq(beside.system != NULL, !extra, "%d", extra);
		cr_assert_eq(beside.problem != NULL, extra);
	}
	buf_clear(&text);
	while (text.len < MODEL_SYSTEM_MAX)
		buf_putc(&text, 's');
	write_text(in_root("blobs/sha256-" SYSTEM), buf_text(&text));
	read_beside(in_root("blobs/sha256-" MODEL));
	beside_note(&beside, &info);
	cr_assert_not_null(strstr(info.notes[1].text, "of more than 4095 bytes, which is left out"), "%s", info.notes[1].text);
	buf_free(&text);
}

Test(beside, users_are_told)
{
	struct model_info info = {.template_name = TEMPLATE_OWN};

	write_manifest("toy/1b", ALL "," LAYER("adapter", OTHERS));
	read_beside(in_root("blobs/sha256-" MODEL));
	beside_note(&beside, &info);
	cr_assert_eq(info.n_notes, 4);
	cr_assert_str_eq(info.notes[0].text, "toy:1b recommends temp 0.6, top-k 0, repeat-last-n 64, a context of 16384, "
	                 "2 stop strings, where you have set nothing else.");
	cr_assert_not_null(strstr(info.notes[1].text, "/system none"));
	cr_assert_not_null(strstr(info.notes[2].text, "(Go's) and not used: the template in the model's file is."));
	cr_assert_str_eq(info.notes[3].text, "toy:1b comes with an adapter of its weights, which sotto does not use.");
}

Test(beside, licences_on_request)
{
	struct buf text = {.max = 1000};

	write_manifest("toy/1b", ALL "," LAYER("license", SYSTEM));
	write_manifest("toy/2b", LAYER("model", MODEL));
	cr_assert_eq(beside_put_licence(&text, in_root(LIBRARY "toy/1b"), &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(buf_text(&text), "Do what you like.\n\nYou are a tiny model.\n");
	cr_assert_eq(beside_put_licence(&text, in_root(LIBRARY "toy/2b"), &err), STATUS_NOTFOUND);
	buf_free(&text);
}
