#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "offers.h"
#include "pull/hub_cache.h"
#include "pull/source.h"
#include "support/faulter.h"
#include "support/folder.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"

static char *folder;

static void begin(void)
{
	unsetenv("LLAMA_CACHE");
	folder = strdup("/tmp/sotto-pull-XXXXXX");
	cr_assert(folder && mkdtemp(folder));
	setenv("HF_HUB_CACHE", folder, 1);
}

static void end(void)
{
	remove_folder(folder);
	free(folder);
}

TestSuite(hub_cache, .init = begin, .fini = end);

static const char listing[] = "sub/x-Q4_0-00001-of-00002.gguf 0.000003\nsub/x-Q4_0-00002-of-00002.gguf 0.000004\ny-Q8_0.gguf 0.000005\n";
static const struct pull_machine machine = {0};

/* The path below the folder. */
static const char *in(const char *below)
{
	static char path[4000];

	snprintf(path, sizeof path, "%s/%s", folder, below);
	return path;
}

static const char *read_file(const char *path)
{
	static char text[200];
	FILE *file = fopen(path, "r");
	size_t n;

	if (!file)
		return "not there";
	n = fread(text, 1, sizeof text - 1, file);
	text[n] = '\0';
	fclose(file);
	return text;
}

static const char *read_link(const char *path)
{
	static char text[500];
	ssize_t n = readlink(path, text, sizeof text - 1);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

static void store_all(struct pull_offer *offer, const struct pull_choice *choice)
{
	for (size_t i = 0; i < choice->n; i++) {
		const struct pull_file *file = &offer->files[choice->first + i];
		struct buf path = {.max = 4000};
		struct error err;

		cr_assert_eq(hub_store(&path, offer, file, &io_system, &err), STATUS_OK, "%s", err.text);
		write_text(buf_text(&path), &"1234567890"[10 - file->size]);
		buf_free(&path);
	}
}

static void choose(struct pull_offer *offer, const char *name)
{
	offer_make(offer, name, listing);
	cr_assert_eq(pull_choose(offer, &machine, NULL), STATUS_OK);
}

Test(hub_cache, layout)
{
	struct pull_offer offer;
	struct buf model = {.max = 4000}, path = {.max = 4000};
	struct error err = {0};
	const struct pull_choice *choice;

	choose(&offer, "owner/repo:Q4_0");
	choice = &offer.choices[offer.chosen];
	cr_expect_eq(hub_store(&path, &offer, &offer.files[choice->first], NULL, &err), STATUS_OK);
	cr_expect_neq(access(in("models--owner--repo"), F_OK), 0, "nothing is made");
	store_all(&offer, choice);
	cr_assert_eq(hub_publish(&model, &offer, choice, &io_system, &err), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(buf_text(&model), in("models--owner--repo/snapshots/" COMMIT "/sub/x-Q4_0-00001-of-00002.gguf"));
	cr_expect_str_eq(read_file(buf_text(&model)), "890");
	cr_expect_str_eq(read_file(in("models--owner--repo/snapshots/" COMMIT "/sub/x-Q4_0-00002-of-00002.gguf")), "7890");
	buf_clear(&path);
	buf_printf(&path, "../../../blobs/%s", offer.files[choice->first].digest);
	cr_expect_str_eq(read_link(buf_text(&model)), buf_text(&path));
	cr_expect_str_eq(read_file(in("models--owner--repo/refs/main")), COMMIT, "without a line's end");
	cr_expect_eq(strncmp(read_file(in("CACHEDIR.TAG")), "Signature: 8a477f597d28d172789f06886806bc55\n", 44), 0);
	buf_clear(&model);
	cr_expect_eq(hub_publish(&model, &offer, choice, &io_system, &err), STATUS_OK, "again: %s", err.text);
	buf_free(&model);
	buf_free(&path);
	pull_offer_free(&offer);
}

/* A tag that keeps backups out is no business of a folder where the user has other files, too. */
Test(hub_cache, tags_nothing_but_a_cache)
{
	static const struct {
		const char *name;
		bool has_tag;
	} rows[] = {{".locks", true}, {"models--o--r", true}, {"version.txt", true}, {"mine.gguf", false}, {"Documents", false}};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct pull_offer offer;
		struct buf model = {.max = 4000};
		const struct pull_choice *choice;

		if (i > 0)
			begin();
		write_text(in(rows[i].name), "x");
		choose(&offer, "owner/repo:Q8_0");
		choice = &offer.choices[offer.chosen];
		store_all(&offer, choice);
		cr_assert_eq(hub_publish(&model, &offer, choice, &io_system, NULL), STATUS_OK);
		cr_expect_eq(access(in("CACHEDIR.TAG"), F_OK) == 0, rows[i].has_tag, "%s", rows[i].name);
		buf_free(&model);
		pull_offer_free(&offer);
		if (i + 1 < sizeof rows / sizeof rows[0])
			end();
	}
}

Test(hub_cache, what_others_wrote_without_links_is_used)
{
	struct pull_offer offer;
	struct buf path = {.max = 4000}, model = {.max = 4000};
	const struct pull_choice *choice;

	choose(&offer, "owner/repo:Q8_0");
	choice = &offer.choices[offer.chosen];
	cr_assert_eq(io_make_dirs(&io_system, in("models--owner--repo/snapshots/" COMMIT)), 0);
	write_text(in("models--owner--repo/snapshots/" COMMIT "/y-Q8_0.gguf"), "12345");
	cr_expect_eq(hub_store(&path, &offer, &offer.files[choice->first], &io_system, NULL), STATUS_OK);
	cr_expect_str_eq(buf_text(&path), in("models--owner--repo/snapshots/" COMMIT "/y-Q8_0.gguf"));
	cr_expect_eq(hub_publish(&model, &offer, choice, &io_system, NULL), STATUS_OK);
	cr_expect_str_eq(buf_text(&model), buf_text(&path));
	cr_expect_str_eq(read_file(buf_text(&model)), "12345");
	buf_free(&path);
	buf_free(&model);
	pull_offer_free(&offer);
}

Test(hub_cache, a_link_to_nothing_is_replaced)
{
	struct pull_offer offer;
	struct buf model = {.max = 4000};
	struct error err = {0};
	const struct pull_choice *choice;

	choose(&offer, "owner/repo:Q8_0");
	choice = &offer.choices[offer.chosen];
	store_all(&offer, choice);
	cr_assert_eq(io_make_dirs(&io_system, in("models--owner--repo/snapshots/" COMMIT)), 0);
	cr_assert_eq(symlink("../../blobs/gone", in("models--owner--repo/snapshots/" COMMIT "/y-Q8_0.gguf")), 0);
	cr_expect_eq(hub_publish(&model, &offer, choice, &io_system, &err), STATUS_OK, "%s", err.text);
	cr_expect_str_eq(read_file(buf_text(&model)), "67890");
	buf_free(&model);
	pull_offer_free(&offer);
}

/* Whatever call fails: no name leads to what is not whole, a branch to no commit whose model is not there; and the next
 * time it goes well. */
static void fail_each_call(int error)
{
	size_t n = 0;

	for (size_t at = 1; !n || at <= n; at++) {
		struct faulter faulter = {.at = at, .error = error};
		struct buf model = {.max = 4000};
		struct pull_offer offer;
		struct error err = {0};
		enum status status;

		faulter_init(&faulter);
		choose(&offer, "owner/repo:Q4_0");
		store_all(&offer, &offer.choices[offer.chosen]);
		status = hub_publish(&model, &offer, &offer.choices[offer.chosen], &faulter.ops, &err);
		if (!faulter.fired)
			n = faulter.calls;
		cr_expect(faulter.fired || !status, "%s", err.text);
		cr_expect(!status || err.text[0], "call %zu", at);
		if (access(in("models--owner--repo/refs/main"), F_OK) == 0) {
			cr_expect_str_eq(read_file(in("models--owner--repo/refs/main")), COMMIT, "call %zu", at);
			cr_expect_str_eq(read_file(in("models--owner--repo/snapshots/" COMMIT "/sub/x-Q4_0-00002-of-00002.gguf")), "7890",
			                 "call %zu", at);
		}
		buf_clear(&model);
		cr_expect_eq(hub_publish(&model, &offer, &offer.choices[offer.chosen], &io_system, &err), STATUS_OK, "call %zu: %s",
		             at, err.text);
		cr_expect_str_eq(read_file(buf_text(&model)), "890", "call %zu", at);
		buf_free(&model);
		pull_offer_free(&offer);
		remove_folder(folder);
		cr_assert_eq(mkdir(folder, 0700), 0);
	}
	cr_expect_gt(n, 10);
}

Test(hub_cache, each_call_may_fail)
{
	fail_each_call(EIO);
	fail_each_call(ENOSPC);
	fail_each_call(EACCES);
}

Test(hub_cache, other_revisions)
{
	struct pull_offer offer;
	struct buf model = {.max = 4000};

	choose(&offer, "hf.co/owner/repo/tree/refs%2Fpr%2F1:Q8_0");
	store_all(&offer, &offer.choices[offer.chosen]);
	cr_expect_eq(hub_publish(&model, &offer, &offer.choices[offer.chosen], &io_system, NULL), STATUS_OK);
	cr_expect_str_eq(read_file(in("models--owner--repo/refs/refs/pr/1")), COMMIT);
	pull_offer_free(&offer);
	choose(&offer, "hf.co/owner/other/tree/" COMMIT ":Q8_0");
	store_all(&offer, &offer.choices[offer.chosen]);
	buf_clear(&model);
	cr_expect_eq(hub_publish(&model, &offer, &offer.choices[offer.chosen], &io_system, NULL), STATUS_OK);
	cr_expect_neq(access(in("models--owner--other/refs"), F_OK), 0);
	buf_free(&model);
	pull_offer_free(&offer);
}

Test(hub_cache, a_place_that_cannot_be_says_who_named_it)
{
	struct pull_offer offer;
	struct buf path = {.max = 4000};
	struct error err;

	choose(&offer, "owner/repo:Q8_0");
	write_text(in("file"), "");
	setenv("HF_HUB_CACHE", in("file/below"), 1);
	cr_expect_eq(hub_store(&path, &offer, &offer.files[0], &io_system, &err), STATUS_IO);
	cr_expect(strstr(err.text, "HF_HUB_CACHE") && strstr(err.text, "is not a folder"), "%s", err.text);
	buf_free(&path);
	pull_offer_free(&offer);
}

Test(hub_cache, no_digest_no_place)
{
	struct pull_offer offer;
	struct buf path = {.max = 4000};
	struct error err;

	choose(&offer, "owner/repo:Q8_0");
	offer.files[0].digest[0] = '\0';
	cr_expect_eq(hub_store(&path, &offer, &offer.files[0], &io_system, &err), STATUS_UNSUPPORTED);
	cr_expect(strstr(err.text, "no digest"), "%s", err.text);
	buf_free(&path);
	pull_offer_free(&offer);
}

Test(hub_cache, larger_than_plain_http_brings)
{
	struct pull_offer offer;
	struct buf path = {.max = 4000};
	struct error err;

	choose(&offer, "owner/repo:Q8_0");
	offer.files[0].size = 50000000000;
	cr_expect_eq(hub_store(&path, &offer, &offer.files[0], &io_system, &err), STATUS_OK);
	buf_clear(&path);
	offer.files[0].size++;
	cr_expect_eq(hub_store(&path, &offer, &offer.files[0], NULL, &err), STATUS_OK, "where it would be");
	buf_clear(&path);
	cr_expect_eq(hub_store(&path, &offer, &offer.files[0], &io_system, &err), STATUS_UNSUPPORTED);
	cr_expect(strstr(err.text, "has 50 GB") && strstr(err.text, "hf download"), "%s", err.text);
	buf_free(&path);
	pull_offer_free(&offer);
}

Test(hub_cache, plain_files_are_kept_in_our_own_folder)
{
	struct pull_offer offer;
	struct buf path = {.max = 4000};

	setenv("SOTTO_DATA_DIR", folder, 1);
	offer_make(&offer, "https://box.example/a/b/x.gguf?key=1", "x.gguf 1\n");
	cr_expect_eq(pull_plain_url.store(&path, &offer, &offer.files[0], &io_system, NULL), STATUS_OK);
	cr_expect_str_eq(buf_text(&path), in("models/x.gguf"));
	cr_expect_eq(access(in("models"), F_OK), 0);
	buf_free(&path);
	pull_offer_free(&offer);
}
