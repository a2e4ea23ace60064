/* Models in the folders of the hub and of ollama: found, checked, taken away, and what is left alone. */
#include <criterion/criterion.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/io.h"
#include "base/limits.h"
#include "gguf/reader.h"
#include "places.h"
#include "pull/stored.h"
#include "support/folder.h"
#include "support/tiny_model.h"

TestSuite(stored, .init = places_make, .fini = places_remove);

static struct error err;
static struct stored_removal removal;

#define HUB ".cache/huggingface/hub/models--owner--repo"
#define C1 "1111111111111111111111111111111111111111"
#define C2 "2222222222222222222222222222222222222222"
#define OLLAMA ".ollama/models"
#define LIBRARY OLLAMA "/manifests/registry.ollama.ai/library/"

static const char *find(const char *name)
{
	static char path[PATH_MAX];
	struct buf out = {.max = PATH_MAX};

	if (stored_find(&out, name, &err))
		buf_clear(&out);
	snprintf(path, sizeof path, "%s", buf_text(&out));
	buf_free(&out);
	return strncmp(path, places_home, strlen(places_home)) == 0 ? path + strlen(places_home) + 1 : path;
}

/* A file named by its digest; the digest. */
static const char *put_blob(const char *folder, const char *start, const char *text)
{
	static char texts[4][DIGEST_TEXT_MAX];
	static unsigned turn;
	char *out = texts[turn++ % 4];
	struct digest *digest;
	char path[300];

	cr_assert_eq(digest_create(&digest, DIGEST_SHA256, 0, &err), STATUS_OK, "%s", err.text);
	digest_add(digest, text, strlen(text));
	digest_end(digest, out);
	digest_free(digest);
	snprintf(path, sizeof path, "%s/%s%s", folder, start, out);
	places_write(path, text);
	return out;
}

static void put_link(const char *name, const char *target)
{
	cr_assert_eq(symlink(target, places_path("%s", name)), 0, "%s", name);
}

static void put_hub_file(const char *commit, const char *name, const char *text)
{
	char target[200], path[300];

	snprintf(target, sizeof target, "../../blobs/%s", put_blob(HUB "/blobs", "", text));
	snprintf(path, sizeof path, HUB "/snapshots/%s/%s", commit, name);
	put_link(path, target);
}

static void make_hub(void)
{
	put_hub_file(C1, "x-Q4_K_M.gguf", "GGUF four");
	put_hub_file(C1, "x-Q8_0.gguf", "GGUF eight");
	put_hub_file(C2, "x-Q4_K_M.gguf", "GGUF new four");
	places_write(HUB "/refs/main", C2);
}

Test(stored, finds_models_of_the_hub_by_their_tags)
{
	make_hub();
	cr_assert_str_eq(find("owner/repo:Q4_K_M"), HUB "/snapshots/" C2 "/x-Q4_K_M.gguf", "that of main");
	cr_assert_str_eq(find("owner/repo:q8_0"), HUB "/snapshots/" C1 "/x-Q8_0.gguf", "an older one has it: %s", err.text);
	cr_assert_str_eq(find("owner/repo"), HUB "/snapshots/" C2 "/x-Q4_K_M.gguf");
	cr_assert_str_eq(find("hf.co/owner/repo"), HUB "/snapshots/" C2 "/x-Q4_K_M.gguf");
	cr_assert_str_eq(find("owner/repo:Q2_K"), "");
	cr_assert_eq(err.status, STATUS_NOTFOUND);
	cr_assert_not_null(strstr(err.text, "`sotto pull owner/repo:Q2_K` fetches it"), "%s", err.text);
	cr_assert_str_eq(find("owner/other"), "");
	setenv("HF_HUB_CACHE", places_path("elsewhere"), 1);
	cr_assert_str_eq(find("owner/repo"), HUB "/snapshots/" C2 "/x-Q4_K_M.gguf", "where others keep theirs");
}

static const char *name_of(const char *path, const struct catalog *catalog)
{
	static struct buf name = {.max = KIB(8)};

	buf_clear(&name);
	return stored_put_name(&name, path, catalog) ? buf_text(&name) : "none";
}

Test(stored, names_files_of_the_hub_as_they_are_found)
{
	static const char *const paths[] = {HUB "/snapshots/" C1 "/x-Q4_K_M.gguf", HUB "/snapshots/" C1 "/deep/y-Q4_K_M.gguf",
	                                    HUB "/snapshots/" C2 "/x-Q4_K_M.gguf", HUB "/snapshots/" C1 "/x-Q8_0.gguf"};
	struct catalog_entry entries[4] = {0};
	const struct catalog catalog = {.entries = entries, .n = 4};

	for (size_t i = 0; i < 4; i++)
		entries[i].path = (char *)paths[i];
	cr_assert_str_eq(name_of(paths[0], NULL), "owner/repo:Q4_K_M");
	cr_assert_str_eq(name_of(HUB "/snapshots/" C1 "/BF16/x-00001-of-00002.gguf", NULL), "owner/repo:BF16");
	cr_assert_str_eq(name_of(paths[0], &catalog), "hf.co/owner/repo/x-Q4_K_M.gguf", "another one has the tag");
	cr_assert_str_eq(name_of(paths[1], &catalog), "hf.co/owner/repo/deep/y-Q4_K_M.gguf");
	cr_assert_str_eq(name_of(paths[3], &catalog), "owner/repo:Q8_0");
	cr_assert_str_eq(name_of("/x/models--gpt2/snapshots/" C1 "/x.gguf", NULL), "none", "it has no owner");
	cr_assert_str_eq(name_of("/x/owner/repo/x-Q4_K_M.gguf", NULL), "none");
	make_hub();
	cr_assert_str_eq(find(name_of(HUB "/snapshots/" C1 "/x-Q8_0.gguf", &catalog)), HUB "/snapshots/" C1 "/x-Q8_0.gguf");
	cr_assert_str_eq(find("hf.co/owner/repo/x-Q4_K_M.gguf"), HUB "/snapshots/" C2 "/x-Q4_K_M.gguf", "%s", err.text);
}

Test(stored, a_file_goes_before_a_published_name)
{
	struct buf out = {.max = PATH_MAX};

	make_hub();
	cr_assert_eq(stored_put_model(&out, "owner/repo:Q8_0", &err), STATUS_OK, "%s", err.text);
	cr_assert_not_null(strstr(buf_text(&out), HUB), "%s", buf_text(&out));
	buf_clear(&out);
	cr_assert_eq(stored_put_model(&out, "owner/other", &err), STATUS_NOTFOUND);
	places_write("owner/repo:Q8_0", "a file");
	cr_assert_eq(chdir(places_home), 0);
	cr_assert_eq(stored_put_model(&out, "owner/repo:Q8_0", &err), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(buf_text(&out), "owner/repo:Q8_0");
	buf_clear(&out);
	cr_assert_eq(stored_put_model(&out, "./none.gguf", &err), STATUS_OK, "whoever opens it says that it is not there");
	cr_assert_str_eq(buf_text(&out), "./none.gguf");
	buf_free(&out);
}

Test(stored, finds_all_parts_of_a_split_model_by_the_first)
{
	places_write(HUB "/snapshots/" C1 "/BF16/x-BF16-00001-of-00002.gguf", "GGUF 1");
	places_write(HUB "/snapshots/" C1 "/BF16/x-BF16-00002-of-00002.gguf", "GGUF 2");
	cr_assert_str_eq(find("owner/repo:BF16"), HUB "/snapshots/" C1 "/BF16/x-BF16-00001-of-00002.gguf", "%s", err.text);
	cr_assert_eq(stored_plan_removal(&removal, "owner/repo:BF16", &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(removal.n, 2);
	cr_assert_eq(stored_remove(&removal, &io_system, &err), STATUS_OK, "%s", err.text);
	cr_assert_not(places_has(HUB), "nothing is left of it");
	stored_removal_free(&removal);
}

/* A manifest of ollama's with a model and a licence; the model's digest. */
static const char *put_manifest(const char *name, const char *model, const char *params)
{
	const char *digest = put_blob(OLLAMA "/blobs", "sha256-", model);
	const char *licence = put_blob(OLLAMA "/blobs", "sha256-", "a licence");
	const char *said = put_blob(OLLAMA "/blobs", "sha256-", params);
	char text[900], path[200];

	snprintf(text, sizeof text, "{\"layers\":[{\"mediaType\":\"application/vnd.ollama.image.model\",\"digest\":\"sha256:%s\","
	         "\"size\":%zu},{\"mediaType\":\"application/vnd.ollama.image.license\",\"digest\":\"sha256:%s\",\"size\":9},"
	         "{\"mediaType\":\"application/vnd.ollama.image.params\",\"digest\":\"sha256:%s\",\"size\":%zu}]}",
	         digest, strlen(model), licence, said, strlen(params));
	snprintf(path, sizeof path, LIBRARY "%s", name);
	places_write(path, text);
	return digest;
}

static const char *blob(const char *digest)
{
	static char paths[4][200];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof paths[0], OLLAMA "/blobs/sha256-%s", digest);
	return path;
}

Test(stored, finds_models_of_ollama)
{
	char model[200];

	snprintf(model, sizeof model, "%s", blob(put_manifest("toy/1b", "GGUF toy", "{}")));
	cr_assert_str_eq(find("toy:1b"), model, "%s", err.text);
	cr_assert_str_eq(find("ollama:library/toy:1b"), model);
	cr_assert_str_eq(find("toy"), "", "latest is another");
	put_manifest("mine/latest", "GGUF toy", "{\"top_k\":1}");
	cr_assert_str_eq(find("toy:1b"), LIBRARY "toy/1b", "two names say different things of one file");
	cr_assert_str_eq(find("mine"), LIBRARY "mine/latest");
	cr_assert_eq(unlink(places_path("%s", model)), 0);
	cr_assert_str_eq(find("toy:1b"), "", "a manifest alone is no model");
}

static void plan(const char *name)
{
	stored_removal_free(&removal);
	cr_assert_eq(stored_plan_removal(&removal, name, &err), STATUS_OK, "%s", err.text);
}

static void take_away(const char *name)
{
	plan(name);
	cr_assert_eq(stored_remove(&removal, &io_system, &err), STATUS_OK, "%s", err.text);
	stored_removal_free(&removal);
}

Test(stored, ollamas_files_stay_while_others_name_them)
{
	char model[200];

	snprintf(model, sizeof model, "%s", blob(put_manifest("toy/1b", "GGUF toy", "{}")));
	put_manifest("toy/latest", "GGUF toy", "{}");
	put_manifest("other/latest", "GGUF other", "{}");
	plan("toy:1b");
	cr_assert_eq(removal.n, 1, "the manifest alone");
	cr_assert_not_null(strstr(removal.kept, "of it stay, since "), "%s", removal.kept);
	take_away("toy:1b");
	cr_assert(places_has(model));
	cr_assert(places_has(LIBRARY "toy/latest"));
	take_away("toy");
	cr_assert_not(places_has(model));
	cr_assert_not(places_has(LIBRARY "toy"), "the folder is empty, and goes");
	cr_assert_str_neq(find("other"), "", "of others nothing is lost");
	take_away("other");
	cr_assert_not(places_has(OLLAMA "/manifests/registry.ollama.ai"));
	cr_assert(places_has(OLLAMA "/manifests") && places_has(OLLAMA "/blobs"));
}

/* Who knows what a manifest needs that cannot be read? */
Test(stored, an_unreadable_manifest_needs_everything)
{
	char model[200];

	snprintf(model, sizeof model, "%s", blob(put_manifest("toy/1b", "GGUF toy", "{}")));
	places_write(LIBRARY "new/format", "<xml>");
	plan("toy:1b");
	cr_assert_eq(removal.n, 1);
	cr_assert_not_null(strstr(removal.kept, "new:format needs them"), "%s", removal.kept);
	take_away("toy:1b");
	cr_assert(places_has(model));
	take_away(places_path("%s", model));
	cr_assert_not(places_has(model), "by its path it goes, since no manifest that can be read names it");
}

Test(stored, a_file_of_several_models_wants_a_name)
{
	char model[200];

	snprintf(model, sizeof model, "%s", blob(put_manifest("toy/1b", "GGUF toy", "{}")));
	put_manifest("toy/latest", "GGUF toy", "{}");
	cr_assert_eq(stored_plan_removal(&removal, places_path("%s", model), &err), STATUS_DECLINED);
	cr_assert_not_null(strstr(err.text, "is the file of 2 models, toy:1b, toy:latest: give a name"), "%s", err.text);
}

Test(stored, the_hubs_files_go_with_their_last_name)
{
	make_hub();
	put_hub_file(C2, "same.gguf", "GGUF eight"); /* the file of x-Q8_0.gguf, too */
	places_write(HUB "/blobs/0123.12345678.incomplete", "others'");
	plan("owner/repo:Q8_0");
	cr_assert_eq(removal.n, 1);
	cr_assert_not_null(strstr(removal.kept, "same.gguf needs them"), "%s", removal.kept);
	take_away("owner/repo:Q8_0");
	cr_assert_str_neq(find("owner/repo:Q4_K_M"), "");
	plan("owner/repo:Q4_K_M");
	cr_assert_eq(removal.n, 4, "of all snapshots: two names, and two files");
	cr_assert_eq(removal.n_bytes, strlen("GGUF four") + strlen("GGUF new four"));
	take_away("owner/repo:Q4_K_M");
	cr_assert_not(places_has(HUB "/snapshots/" C1), "it is empty");
	take_away(places_path(HUB "/snapshots/" C2 "/same.gguf"));
	cr_assert_not(places_has(HUB "/snapshots"));
	cr_assert_not(places_has(HUB "/refs"));
	cr_assert(places_has(HUB "/blobs/0123.12345678.incomplete"), "what others have stays");
}

Test(stored, links_that_lead_out_are_not_followed)
{
	places_write("precious.gguf", "GGUF mine");
	places_path(HUB "/blobs/x");
	put_link(HUB "/snapshots/" C1 "/x-Q4_K_M.gguf", "../../../../../../precious.gguf");
	put_link(HUB "/snapshots/" C1 "/x-Q8_0.gguf", places_path("precious.gguf"));
	put_link(HUB "/snapshots/" C1 "/x-Q6_K.gguf", "../../blobs/../../../../../precious.gguf");
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = {"owner/repo:Q4_K_M", "owner/repo:Q8_0", "owner/repo:Q6_K"};

		cr_assert_eq(stored_plan_removal(&removal, names[i], &err), STATUS_DECLINED, "%s", err.text);
		cr_assert_not_null(strstr(err.text, "is a link that leads out of its folder"), "%s", err.text);
	}
	cr_assert_eq(stored_plan_removal(&removal, places_path("precious.gguf"), &err), STATUS_DECLINED);
	cr_assert_not_null(strstr(err.text, "it is yours alone"), "%s", err.text);
	cr_assert(places_has("precious.gguf"));
}

/* blobs/ itself may be a link to another disk: what is there is not known to be this cache's alone. */
Test(stored, folders_that_are_links_are_not_followed)
{
	places_write("disk/1234", "GGUF mine");
	put_link(HUB "/blobs", places_path("disk"));
	put_link(HUB "/snapshots/" C1 "/x-Q4_K_M.gguf", "../../blobs/1234");
	cr_assert_eq(stored_plan_removal(&removal, "owner/repo:Q4_K_M", &err), STATUS_DECLINED, "%s", err.text);
	cr_assert(places_has("disk/1234"));
}

Test(stored, a_snapshot_that_is_a_link_is_not_followed)
{
	places_write("other/x-Q4_K_M.gguf", "GGUF mine");
	put_link(HUB "/snapshots/" C1, places_path("other"));
	cr_assert_str_eq(find("owner/repo:Q4_K_M"), HUB "/snapshots/" C1 "/x-Q4_K_M.gguf", "it is read");
	cr_assert_eq(stored_plan_removal(&removal, "owner/repo:Q4_K_M", &err), STATUS_DECLINED, "%s", err.text);
	cr_assert(places_has("other/x-Q4_K_M.gguf"));
}

Test(stored, ollamas_folders_that_are_links_are_not_followed)
{
	put_manifest("toy/1b", "GGUF toy", "{}");
	cr_assert_eq(rename(places_path(LIBRARY "toy"), places_path("elsewhere")), 0);
	put_link(LIBRARY "toy", places_path("elsewhere"));
	cr_assert_str_neq(find("toy:1b"), "");
	cr_assert_eq(stored_plan_removal(&removal, "toy:1b", &err), STATUS_DECLINED, "%s", err.text);
	put_manifest("mine/1b", "GGUF mine", "{}");
	cr_assert_eq(rename(places_path(OLLAMA "/blobs"), places_path("disk")), 0);
	put_link(OLLAMA "/blobs", places_path("disk"));
	cr_assert_eq(stored_plan_removal(&removal, "mine:1b", &err), STATUS_DECLINED, "%s", err.text);
	cr_assert_not_null(strstr(err.text, "blobs is a link"), "%s", err.text);
}

/* Only root can make such a file. */
Test(stored, files_of_other_users_stay)
{
	char path[200];

	snprintf(path, sizeof path, "%s", blob(put_manifest("toy/1b", "GGUF toy", "{}")));
	if (geteuid() != 0)
		return;
	cr_assert_eq(chown(places_path("%s", path), 12345, 12345), 0);
	cr_assert_eq(stored_plan_removal(&removal, "toy:1b", &err), STATUS_DECLINED);
	cr_assert_not_null(strstr(err.text, "belongs to another user"), "%s", err.text);
}

Test(stored, files_of_sottos_own_folder_go_with_all_their_parts)
{
	places_write(".local/share/sotto/models/x-00001-of-00002.gguf", "GGUF 1");
	places_write(".local/share/sotto/models/x-00002-of-00002.gguf", "GGUF 2");
	places_write(".local/share/sotto/models/y.gguf", "GGUF 3");
	cr_assert_str_eq(find("https://host.example/a/y.gguf?x=1"), ".local/share/sotto/models/y.gguf", "%s", err.text);
	take_away(places_path(".local/share/sotto/models/x-00002-of-00002.gguf"));
	cr_assert_not(places_has(".local/share/sotto/models/x-00001-of-00002.gguf"));
	cr_assert_not(places_has(".local/share/sotto/models/x-00002-of-00002.gguf"));
	cr_assert(places_has(".local/share/sotto/models/y.gguf"));
}

Test(stored, what_is_open_stays)
{
	struct tiny_model tiny = tiny_model_smallest(TINY_SPM);
	const char *path = places_path(".local/share/sotto/models/y.gguf");
	struct gguf *gguf;

	cr_assert_eq(tiny_model_save(&tiny, path, &err), STATUS_OK, "%s", err.text);
	plan(path);
	cr_assert_eq(gguf_open(&gguf, path, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(stored_remove(&removal, &io_system, &err), STATUS_BUSY);
	stored_removal_free(&removal);
	cr_assert_eq(stored_plan_removal(&removal, path, &err), STATUS_BUSY);
	cr_assert_not_null(strstr(err.text, "a sotto that is running has it open"), "%s", err.text);
	gguf_close(gguf);
	take_away(path);
	cr_assert_not(places_has(".local/share/sotto/models/y.gguf"));
}

static void count_told(void *ctx, const char *path, uint64_t done, uint64_t all)
{
	(void)path;
	*(int *)ctx += done == all;
}

Test(stored, verifies_by_the_names_of_files)
{
	int n = 0;
	char path[200];

	make_hub();
	cr_assert_eq(stored_verify("owner/repo:Q8_0", NULL, count_told, &n, &err), STATUS_OK, "%s", err.text);
	cr_assert_geq(n, 1);
	snprintf(path, sizeof path, "%s", blob(put_manifest("toy/1b", "GGUF toy", "{}")));
	cr_assert_eq(stored_verify("toy:1b", NULL, NULL, NULL, &err), STATUS_OK, "%s", err.text);
	places_write(path, "GGUF tox");
	cr_assert_eq(stored_verify("toy:1b", NULL, NULL, NULL, &err), STATUS_FORMAT);
	cr_assert_not_null(strstr(err.text, "found the digest "), "%s", err.text);
	/* git's names: SHA-1 of "blob 6\0hello\n" */
	places_write(HUB "/blobs/ce013625030ba8dba906f756967f9e9ca394464a", "hello\n");
	put_link(HUB "/snapshots/" C1 "/g-Q5_0.gguf", "../../blobs/ce013625030ba8dba906f756967f9e9ca394464a");
	cr_assert_eq(stored_verify("owner/repo:Q5_0", NULL, NULL, NULL, &err), STATUS_OK, "%s", err.text);
	places_write(".local/share/sotto/models/y.gguf", "GGUF 3");
	cr_assert_eq(stored_verify(places_path(".local/share/sotto/models/y.gguf"), NULL, NULL, NULL, &err),
	             STATUS_UNSUPPORTED);
	cr_assert_eq(stored_verify("nothing:here", NULL, NULL, NULL, &err), STATUS_NOTFOUND);
}

Test(stored, parts_of_stopped_fetches)
{
	struct stored_part *parts;
	size_t n;

	places_write(HUB "/blobs/0123.sotto-part", "some");
	places_write(HUB "/blobs/0123.sotto-state", "{}");
	places_write(HUB "/blobs/0123.sotto-state.new", "{");
	places_write(OLLAMA "/sotto-fetched/sha256-4567.sotto-part", "more");
	places_write(OLLAMA "/blobs/sha256-89-partial", "ollama's");
	setenv("HF_HUB_CACHE", places_path(".cache/huggingface/hub"), 1);
	cr_assert_eq(stored_parts(&parts, &n, &err), STATUS_OK, "%s", err.text);
	cr_assert_eq(n, 2, "%zu", n);
	for (size_t i = 0; i < n; i++)
		cr_assert_eq(stored_remove_part(&parts[i], &io_system, &err), STATUS_OK, "%s", err.text);
	stored_parts_free(parts, n);
	cr_assert_not(places_has(HUB "/blobs/0123.sotto-part") || places_has(HUB "/blobs/0123.sotto-state") ||
	              places_has(HUB "/blobs/0123.sotto-state.new"));
	cr_assert(places_has(OLLAMA "/blobs/sha256-89-partial"));
}
