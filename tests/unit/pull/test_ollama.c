/* ollama's registry, played by a server, and the folders that its models go to. */
#include <criterion/criterion.h>

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/limits.h"
#include "catalog/beside.h"
#include "places.h"
#include "pull/pull.h"
#include "support/folder.h"
#include "support/hub_server/hub_server.h"

static struct hub_server *server;
static struct error err;
static struct pull_offer offer;
static const struct pull_host host = {.io = &io_system};

static void begin(void)
{
	places_make();
	server = hub_server_start(&(struct hub_options){0});
	hub_server_put_usual(server, 0);
}

static void end(void)
{
	pull_offer_free(&offer);
	hub_server_stop(server);
	places_remove();
}

TestSuite(ollama, .init = begin, .fini = end);

static enum status look(const char *name)
{
	static const struct pull_machine machine = {0};
	char full[300];

	pull_offer_free(&offer);
	snprintf(full, sizeof full, "ollama:%s/%s", hub_server_url(server), name);
	return pull_look(&offer, full, &machine, &host, &err);
}

static enum status fetch(struct buf *model)
{
	struct pull_progress progress = {.all = 0};

	return pull_fetch(model, &offer, offer.chosen, &progress, &host, &err);
}

static const char *digest(const char *kind)
{
	return hub_server_digest(server, "library/toy:1b", kind);
}

Test(ollama, a_manifest_is_one_choice)
{
	cr_assert_eq(look("library/toy:1b"), STATUS_OK, "%s", err.text);
	cr_assert_eq(offer.n_choices, 1);
	cr_assert_str_eq(offer.choices[0].quant, "1b");
	cr_assert_eq(offer.choices[0].n, offer.n_files);
	cr_assert_geq(offer.n_files, 5);
	cr_assert(offer.is_by_tag);
	cr_assert_gt(offer.choices[0].n_bytes, 500000);
	cr_assert_eq(offer.choices[0].n_stored, 0);
	cr_assert_null(offer.notes, "%s", offer.notes);
}

Test(ollama, what_is_not_there_is_said)
{
	cr_assert_eq(look("library/none"), STATUS_NOTFOUND);
	cr_assert_not_null(strstr(err.text, "has no such model or tag"), "%s", err.text);
	cr_assert_eq(look("library/mlx"), STATUS_OK, "%s", err.text);
	cr_assert_eq(offer.n_choices, 0);
	cr_assert_not_null(strstr(offer.notes, "safetensors for MLX"), "%s", offer.notes);
}

Test(ollama, answers_that_are_wrong)
{
	static const struct {
		struct hub_fault fault;
		enum status status;
		const char *why;
	} rows[] = {
		{{HUB_MANIFEST, HUB_ANSWERS, .code = 401}, STATUS_DECLINED, "`ollama pull` can"},
		{{HUB_MANIFEST, HUB_ANSWERS, .code = 403}, STATUS_DECLINED, "`ollama pull` can"},
		{{HUB_MANIFEST, HUB_ANSWERS, .code = 418}, STATUS_IO, "answers with 418"},
		{{HUB_MANIFEST, HUB_ANSWERS, .code = 500}, STATUS_IO, "500"},
		{{HUB_MANIFEST, HUB_ANSWERS, .code = 200, .text = "<html>"}, STATUS_FORMAT, "not JSON"},
		{{HUB_MANIFEST, HUB_ANSWERS, .code = 200, .text =
		  "{\"layers\":[{\"mediaType\":\"x\",\"digest\":\"sha256:../../x\",\"size\":1}]}"}, STATUS_FORMAT, "../../x"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		hub_server_fault(server, &rows[i].fault);
		cr_expect_eq(look("library/toy:1b"), rows[i].status, "%zu: %s", i, err.text);
		cr_expect_not_null(strstr(err.text, rows[i].why), "%s", err.text);
		hub_server_heal(server);
	}
}

Test(ollama, a_manifest_may_be_too_long)
{
	char *text = malloc(LIMIT_OLLAMA_MANIFEST + 2);

	cr_assert_not_null(text);
	memset(text, ' ', LIMIT_OLLAMA_MANIFEST + 1);
	text[LIMIT_OLLAMA_MANIFEST + 1] = '\0';
	hub_server_fault(server, &(struct hub_fault){HUB_MANIFEST, HUB_ANSWERS, .code = 200, .text = text});
	cr_assert_eq(look("library/toy:1b"), STATUS_LIMIT, "%s", err.text);
	free(text);
}

static const char *manifest_in(const char *root)
{
	return places_path("%s/manifests/%s/library/toy/1b", root, strstr(hub_server_url(server), "://") + 3);
}

static void expect_stored(const char *root, const char *model)
{
	struct beside beside;
	struct stat st;

	cr_assert_str_eq(model, places_path("%s/blobs/sha256-%s", root, digest("model")));
	cr_assert_eq(stat(model, &st), 0);
	cr_assert_eq(stat(manifest_in(root), &st), 0);
	cr_assert_eq(rmdir(places_path("%s/sotto-fetched", root)), 0, "nothing is left beside it");
	cr_assert_eq(beside_read(&beside, model, &err), STATUS_OK);
	cr_assert_str_eq(beside.system, "You are a toy.");
	cr_assert_eq(beside.n_stops, 1);
	beside_free(&beside);
}

Test(ollama, goes_to_ollamas_folder_where_that_is_the_users)
{
	struct buf model = {.max = PATH_MAX};

	places_path(".ollama/models/x");
	cr_assert_eq(look("library/toy:1b"), STATUS_OK, "%s", err.text);
	cr_assert_eq(fetch(&model), STATUS_OK, "%s", err.text);
	expect_stored(".ollama/models", buf_text(&model));
	cr_assert_not(hub_server_is_leaked(server));
	cr_assert_eq(look("library/toy:1b"), STATUS_OK, "%s", err.text);
	cr_assert_eq(offer.choices[0].n_stored, offer.choices[0].n_bytes, "all of it is there");
	buf_free(&model);
}

Test(ollama, goes_to_a_folder_of_sottos_elsewhere)
{
	struct buf model = {.max = PATH_MAX};

	cr_assert_eq(look("library/toy:1b"), STATUS_OK, "%s", err.text);
	cr_assert_eq(fetch(&model), STATUS_OK, "%s", err.text);
	expect_stored(".local/share/sotto/models/ollama", buf_text(&model));
	cr_assert_not(places_has(".ollama"));
	buf_free(&model);
}

/* As of ollama that runs as a service. */
Test(ollama, a_folder_of_somebody_else_is_not_written_to)
{
	struct buf model = {.max = PATH_MAX};

	places_path(".ollama/models/blobs/x");
	if (geteuid() == 0)
		cr_assert_eq(chown(places_path(".ollama/models/blobs"), 12345, 12345), 0);
	else
		cr_assert_eq(chmod(places_path(".ollama/models/blobs"), 0500), 0);
	cr_assert_eq(look("library/toy:1b"), STATUS_OK, "%s", err.text);
	cr_assert_eq(fetch(&model), STATUS_OK, "%s", err.text);
	expect_stored(".local/share/sotto/models/ollama", buf_text(&model));
	cr_assert_not(places_has(".ollama/models/manifests"));
	buf_free(&model);
}

/* While files come, there is nothing in blobs/ that a starting ollama would delete. */
Test(ollama, parts_are_not_among_the_blobs)
{
	struct buf model = {.max = PATH_MAX};
	char part[200];

	places_path(".ollama/models/blobs/x");
	hub_server_fault(server, &(struct hub_fault){HUB_BYTES, HUB_CUTS, .at = 1000, .n = 1});
	hub_server_fault(server, &(struct hub_fault){HUB_BYTES, HUB_ANSWERS, .code = 404, .first = 2});
	cr_assert_eq(look("library/toy:1b"), STATUS_OK, "%s", err.text);
	cr_assert_neq(fetch(&model), STATUS_OK);
	cr_assert_eq(rmdir(places_path(".ollama/models/blobs")), 0, "it is empty");
	snprintf(part, sizeof part, ".ollama/models/sotto-fetched/sha256-%s.sotto-part", digest("model"));
	cr_assert(places_has(part));
	hub_server_heal(server);
	cr_assert_eq(fetch(&model), STATUS_OK, "%s", err.text);
	expect_stored(".ollama/models", buf_text(&model));
	buf_free(&model);
}

/* A tag whose file has another name already, which says something else of it: its manifest's path is the model's. */
Test(ollama, a_name_that_shares_a_file_is_loaded_by_its_manifest)
{
	struct buf model = {.max = PATH_MAX};
	char text[400];

	places_path(".ollama/models/x");
	snprintf(text, sizeof text, "{\"layers\":[{\"mediaType\":\"application/vnd.ollama.image.model\",\"digest\":"
	         "\"sha256:%s\",\"size\":600000}]}", digest("model"));
	places_write(".ollama/models/manifests/registry.ollama.ai/library/mine/latest", text);
	cr_assert_eq(look("library/toy:1b"), STATUS_OK, "%s", err.text);
	cr_assert_eq(fetch(&model), STATUS_OK, "%s", err.text);
	cr_assert_str_eq(buf_text(&model), manifest_in(".ollama/models"));
	buf_free(&model);
}

/* ---- two at once ---- */

struct fetching {
	pthread_t thread;
	struct pull_progress progress;
	enum status status;
	struct error err;
};

static void *fetch_in_thread(void *ctx)
{
	struct fetching *fetching = ctx;
	struct buf model = {.max = PATH_MAX};

	fetching->status = pull_fetch(&model, &offer, 0, &fetching->progress, &host, &fetching->err);
	buf_free(&model);
	return NULL;
}

/* Who has waited finds the file moved to where it is kept. */
Test(ollama, two_that_fetch_the_same_do_it_once)
{
	static struct fetching both[2];
	const struct timespec slice = {.tv_nsec = 1000000};
	size_t n = 0;

	places_path(".ollama/models/x");
	cr_assert_eq(look("library/toy:1b"), STATUS_OK, "%s", err.text);
	hub_server_fault(server, &(struct hub_fault){HUB_BYTES, HUB_STANDS_STILL, .at = 5000, .n = 1});
	cr_assert_eq(pthread_create(&both[0].thread, NULL, fetch_in_thread, &both[0]), 0);
	cr_assert(hub_server_wait_still(server));
	cr_assert_eq(pthread_create(&both[1].thread, NULL, fetch_in_thread, &both[1]), 0);
	while (atomic_load(&both[1].progress.file.phase) != FETCH_OTHERS)
		nanosleep(&slice, NULL);
	hub_server_release(server);
	for (int i = 0; i < 2; i++) {
		pthread_join(both[i].thread, NULL);
		cr_assert_eq(both[i].status, STATUS_OK, "%s", both[i].err.text);
	}
	for (size_t i = 0; i < hub_server_n_requests(server, HUB_BYTES); i++)
		n += strstr(hub_server_request(server, HUB_BYTES, i)->target, digest("model")) != NULL;
	cr_assert_eq(n, 1, "%zu", n);
}
