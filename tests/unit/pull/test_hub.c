/* The hub, looked at and fetched from: against a server that plays it. */
#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "pull/puller.h"
#include "support/folder.h"
#include "support/hub_server/hub_server.h"

#define COMMIT_LEN 40

static char *folder;
static struct hub_server *server;
static const struct pull_machine machine = {(uint64_t)16 << 30, 30e9};
static const struct pull_host host = {.io = &io_system};

static void begin_with(size_t page)
{
	static const char *const variables[] = {
		"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "LLAMA_CACHE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE",
		"MODEL_ENDPOINT", "HF_HUB_OFFLINE", "http_proxy", "HTTP_PROXY",
	};

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		unsetenv(variables[i]);
	folder = strdup("/tmp/sotto-hub-XXXXXX");
	cr_assert(folder && mkdtemp(folder));
	setenv("HF_HOME", folder, 1);
	setenv("HOME", folder, 1);
	setenv("SOTTO_TEST_PULL_SECOND", "1", 1);
	server = hub_server_start(&(struct hub_options){.page = page});
	hub_server_put_usual(server, 0);
	setenv("HF_ENDPOINT", hub_server_url(server), 1);
}

static void begin(void)
{
	begin_with(3);
}

static void end(void)
{
	hub_server_stop(server);
	remove_folder(folder);
	free(folder);
}

TestSuite(hub, .init = begin, .fini = end);

static void look(struct pull_offer *offer, const char *name)
{
	struct error err = {0};

	cr_assert_eq(pull_look(offer, name, &machine, &host, &err), STATUS_OK, "%s: %s", name, err.text);
}

/* Fetches, and compares what came with what the server has. */
static void fetch(const struct pull_offer *offer, size_t choice, struct buf *model)
{
	struct pull_progress progress = {0};
	struct error err = {0};

	buf_clear(model);
	model->max = 4096;
	cr_assert_eq(pull_fetch(model, offer, choice, &progress, &host, &err), STATUS_OK, "%s", err.text);
	cr_expect_eq(atomic_load(&progress.done), offer->choices[choice].n_bytes);
	cr_expect_eq(atomic_load(&progress.all), offer->choices[choice].n_bytes);
}

static void expect_same(const char *path, const char *repository, const char *file)
{
	char *bytes, *wanted;
	struct error err = {0};
	size_t n;

	cr_assert_eq(sys_read_file(path, MIB(64), &bytes, &n, &err), STATUS_OK, "%s", err.text);
	wanted = malloc(n);
	hub_server_read(server, repository, file, 0, wanted, n);
	cr_expect(memcmp(bytes, wanted, n) == 0, "%s", path);
	free(bytes);
	free(wanted);
}

Test(hub, a_repository_is_listed_and_fetched)
{
	struct pull_offer offer;
	struct buf model = {.max = 4096}, path = {.max = 4096};
	struct stat st;

	look(&offer, "tiny/toy-GGUF");
	cr_assert_eq(offer.n_choices, 4);
	cr_expect_str_eq(offer.licence, "apache-2.0");
	cr_expect(strstr(offer.notes, "mmproj-toy-F16.gguf"), "%s", offer.notes);
	cr_expect_str_eq(offer.commit, hub_server_commit(server, "tiny/toy-GGUF"));
	cr_expect_gt(hub_server_n_requests(server, HUB_TREE), 1, "pages");
	for (size_t i = 0; i < offer.n_choices; i++) {
		const struct pull_choice *choice = &offer.choices[i];
		const char *file = offer.files[choice->first].path;

		cr_expect_eq(choice->n_stored, 0);
		fetch(&offer, i, &model);
		buf_clear(&path);
		buf_printf(&path, "%s/hub/models--tiny--toy-GGUF/snapshots/%s/%s", folder, offer.commit, file);
		cr_expect_str_eq(buf_text(&model), buf_text(&path));
		expect_same(buf_text(&model), "tiny/toy-GGUF", file);
		buf_clear(&path);
		buf_printf(&path, "%s/hub/models--tiny--toy-GGUF/blobs/%s", folder,
		           hub_server_digest(server, "tiny/toy-GGUF", file));
		cr_expect_eq(stat(buf_text(&path), &st), 0, "%s", buf_text(&path));
		cr_expect_eq(choice->n, strstr(file, "-of-") ? 3 : 1);
	}
	pull_offer_free(&offer);
	look(&offer, "tiny/toy-GGUF");
	for (size_t i = 0; i < offer.n_choices; i++)
		cr_expect_eq(offer.choices[i].n_stored, offer.choices[i].n_bytes);
	pull_offer_free(&offer);
	buf_free(&path);
	buf_free(&model);
}

Test(hub, what_is_there_is_not_fetched_again)
{
	struct pull_offer offer;
	struct buf model = {.max = 4096};
	size_t n;

	look(&offer, "tiny/toy-GGUF:Q4_K_M");
	fetch(&offer, offer.chosen, &model);
	n = hub_server_n_requests(server, HUB_BYTES);
	fetch(&offer, offer.chosen, &model);
	cr_expect_eq(hub_server_n_requests(server, HUB_BYTES), n);
	pull_offer_free(&offer);
	buf_free(&model);
}

/* The repository that a name is of, the error that looking at it, or fetching it, ends with. */
static const struct {
	const char *name, *token;
	struct hub_fault fault;
	enum status status; /* OK: looking and fetching is fine */
	const char *words;
} rows[] = {
	{"tiny/none", NULL, {0}, STATUS_NOTFOUND, "tiny/none was not found on 127.0.0.1"},
	{"tiny/none", HUB_TOKEN, {0}, STATUS_NOTFOUND, "check the name"},
	{"tiny/private-GGUF", NULL, {0}, STATUS_NOTFOUND, "or it is private: check the name; for a private one set HF_TOKEN"},
	{"tiny/private-GGUF", HUB_TOKEN, {0}, STATUS_OK, NULL},
	{"tiny/private-GGUF", "hf_other", {0}, STATUS_NOTFOUND, "token in use (HF_TOKEN) may not read it"},
	{"tiny/gated-GGUF", NULL, {0}, STATUS_DECLINED, "is gated: accept its licence at http://127.0.0.1"},
	{"tiny/gated-GGUF", "hf_other", {0}, STATUS_DECLINED, "has to be of the account that accepted it"},
	{"tiny/gated-GGUF", HUB_TOKEN, {0}, STATUS_OK, NULL},
	{"hf.co/tiny/toy-GGUF/tree/v9", NULL, {0}, STATUS_NOTFOUND, "there is no branch or tag 'v9'; there is main"},
	{"hf.co/tiny/toy-GGUF/tree/0123456789abcdef0123456789abcdef01234567", NULL, {0}, STATUS_NOTFOUND,
	 "has no such branch or commit"},
	{"hf.co/tiny/toy-GGUF/none.gguf", NULL, {0}, STATUS_NOTFOUND, "tiny/toy-GGUF has no file 'none.gguf'"},
	{"tiny/toy-GGUF:Q5_0", NULL, {0}, STATUS_NOTFOUND, "tiny/toy-GGUF has no Q5_0; there is "},
	/* sites that have less than the hub */
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_REFS, HUB_ANSWERS, .code = 404}, STATUS_OK, NULL},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_TREE, HUB_ANSWERS, .code = 404}, STATUS_OK, NULL},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_INFO, HUB_ANSWERS, .code = 404}, STATUS_OK, NULL},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_INFO, HUB_ANSWERS, .code = 503}, STATUS_OK, NULL},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_INFO, HUB_ANSWERS, .code = 200, .text = "[]"}, STATUS_OK, NULL},
	/* what servers get wrong */
	{"tiny/toy-GGUF", NULL, {HUB_REFS, HUB_ANSWERS, .code = 404, .headers = "X-Error-Code: RepoNotFound\n"}, STATUS_NOTFOUND,
	 "was not found"},
	{"tiny/toy-GGUF", NULL, {HUB_REFS, HUB_ANSWERS, .code = 418, .headers = "X-Error-Message: a teapot\n"}, STATUS_IO,
	 "answered 418 to what was asked about tiny/toy-GGUF: a teapot"},
	{"tiny/toy-GGUF", HUB_TOKEN, {HUB_REFS, HUB_ANSWERS, .code = 418, .headers = "X-Error-Message: no to " HUB_TOKEN "!\n"},
	 STATUS_IO, "tiny/toy-GGUF: no to [key]!"},
	{"tiny/toy-GGUF", NULL, {HUB_REFS, HUB_ANSWERS, .code = 200, .text = "<html>"}, STATUS_FORMAT,
	 "tiny/toy-GGUF: not JSON"},
	{"tiny/toy-GGUF", NULL, {HUB_TREE, HUB_ANSWERS, .code = 200, .text = "[{\"type\":\"file\",\"path\":\"../x.gguf\",\"size\":1}]"},
	 STATUS_FORMAT, "tiny/toy-GGUF: the listing is not one: file '../x.gguf' has a part that leads elsewhere"},
	{"tiny/toy-GGUF", NULL, {HUB_TREE, HUB_ANSWERS, .code = 200, .text = "[]",
	                         .headers = "Link: <http://127.0.0.2:9/x>; rel=\"next\"\n"},
	 STATUS_FORMAT, "goes on at another site"},
	{"tiny/toy-GGUF", NULL, {HUB_TREE, HUB_ANSWERS, .code = 200, .text = "[]",
	                         .headers = "Link: </api/models/tiny/toy-GGUF/tree/main?cursor=1>; rel=\"next\"\n"},
	 STATUS_LIMIT, "more than 100 pages"},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_RESOLVE, HUB_ETAG, .text = "\"0000000000000000000000000000000000000000000000000000000000000000\""},
	 STATUS_FORMAT, "is another file now: its digest is"},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_RESOLVE, HUB_ETAG, .text = "W/\"%\""}, STATUS_OK, NULL},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_RESOLVE, HUB_ETAG, .text = ""}, STATUS_OK, NULL},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_RESOLVE, HUB_ANSWERS, .code = 404, .headers = "X-Error-Code: EntryNotFound\n"},
	 STATUS_NOTFOUND, "is no longer in tiny/toy-GGUF"},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_RESOLVE, HUB_ANSWERS, .code = 403}, STATUS_DECLINED,
	 "does not give tiny/toy-GGUF to you (403): see http://127.0.0.1"},
	{"tiny/toy-GGUF:Q8_0", HUB_TOKEN, {HUB_TREE, HUB_ANSWERS, .code = 403}, STATUS_DECLINED, "the token in use (HF_TOKEN) may read it"},
	{"tiny/toy-GGUF:Q8_0", NULL, {HUB_TREE, HUB_ANSWERS, .code = 503, .first = 1, .n = 2}, STATUS_OK, NULL},
};

static enum status get(const char *name, struct buf *model, struct error *err)
{
	struct pull_progress progress = {0};
	struct pull_offer offer;
	enum status status = pull_look(&offer, name, &machine, &host, err);

	if (status)
		return status;
	status = pull_fetch(model, &offer, offer.chosen, &progress, &host, err);
	pull_offer_free(&offer);
	return status;
}

Test(hub, table_of_what_goes_wrong)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct buf model = {.max = 4096}, cache = {.max = 4096};
		struct error err = {0};

		hub_server_heal(server);
		if (rows[i].fault.kind || rows[i].fault.place)
			hub_server_fault(server, &rows[i].fault);
		if (rows[i].token)
			setenv("HF_TOKEN", rows[i].token, 1);
		else
			unsetenv("HF_TOKEN");
		buf_printf(&cache, "%s/%zu", folder, i);
		setenv("HF_HUB_CACHE", buf_text(&cache), 1);
		cr_expect_eq(get(rows[i].name, &model, &err), rows[i].status, "row %zu: %s: %s", i, rows[i].name, err.text);
		cr_expect(!rows[i].words || strstr(err.text, rows[i].words), "row %zu: %s: %s", i, rows[i].name, err.text);
		cr_expect_eq(access(buf_text(&model), R_OK) == 0, rows[i].status == STATUS_OK, "row %zu: %s", i, buf_text(&model));
		cr_expect(!strstr(err.text, "hf_CANARY"));
		buf_free(&model);
		buf_free(&cache);
	}
	cr_expect(!hub_server_is_leaked(server), "a key went to the storage");
}

Test(hub, what_came_to_nothing_leaves_no_folder)
{
	struct buf model = {.max = 4096}, path = {.max = 4096};
	struct error err = {0};

	cr_expect_eq(get("tiny/gated-GGUF", &model, &err), STATUS_DECLINED);
	buf_printf(&path, "%s/hub", folder);
	cr_expect_eq(access(buf_text(&path), F_OK), 0);
	buf_puts(&path, "/models--tiny--gated-GGUF");
	cr_expect_neq(access(buf_text(&path), F_OK), 0);
	buf_free(&path);
	buf_free(&model);
}

Test(hub, safetensors_are_a_folder)
{
	struct buf model = {.max = 4096}, path = {.max = 4096};
	struct pull_offer offer;
	struct error err = {0};

	look(&offer, "tiny/toy");
	cr_expect_eq(offer.n_choices, 0);
	cr_expect(strstr(offer.notes, "`sotto pull --safetensors tiny/toy`"), "%s", offer.notes);
	pull_offer_free(&offer);
	cr_assert_eq(get("tiny/toy", &model, &err), STATUS_UNSUPPORTED);
	cr_expect(strstr(err.text, "--safetensors"), "%s", err.text);
	cr_assert_eq(get("tiny/toy:safetensors", &model, &err), STATUS_OK, "%s", err.text);
	buf_printf(&path, "%s/model.safetensors", buf_text(&model));
	expect_same(buf_text(&path), "tiny/toy", "model.safetensors");
	buf_clear(&path);
	buf_printf(&path, "%s/config.json", buf_text(&model));
	expect_same(buf_text(&path), "tiny/toy", "config.json");
	buf_free(&model);
	buf_free(&path);
}

static void expect_notes(const char *repository, const char *words)
{
	struct pull_offer offer;
	struct buf name = {.max = 1000};
	struct error err = {0};

	look(&offer, repository);
	cr_expect_eq(offer.n_choices, 0, "%s", repository);
	cr_expect(strstr(offer.notes, words), "%s: %s", repository, offer.notes);
	pull_offer_free(&offer);
	buf_printf(&name, "%s:safetensors", repository);
	cr_expect_eq(pull_look(&offer, buf_text(&name), &machine, &host, &err), STATUS_UNSUPPORTED, "%s", repository);
	cr_expect(strstr(err.text, words), "%s: %s", repository, err.text);
	buf_free(&name);
}

Test(hub, other_formats_are_named_before_anything_is_fetched)
{
	static const struct {
		const char *repository, *config, *words;
	} formats[] = {
		{"tiny/gptq", "{\"quantization_config\":{\"quant_method\":\"gptq\"}}", "quantised by GPTQ"},
		{"tiny/awq", "{\"quantization_config\":{\"quant_method\":\"awq\"}}", "quantised by AWQ"},
		{"tiny/mlx", "{\"quantization\":{\"bits\":4}}", "an MLX model"},
	};

	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		hub_server_put(server, formats[i].repository, "model.safetensors", "\2\0\0\0\0\0\0\0{}", 10, 5000);
		hub_server_put(server, formats[i].repository, "config.json", formats[i].config, strlen(formats[i].config), 0);
		expect_notes(formats[i].repository, formats[i].words);
	}
	expect_notes("tiny/pickles", "an ONNX model");
	hub_server_put(server, "tiny/pickle", "pytorch_model.bin", "PK\3\4", 4, 4000);
	expect_notes("tiny/pickle", "pickles, which can run code");
}

/* ---- as a job ---- */

static void wait_for(struct puller *puller)
{
	while (puller_fd(puller) >= 0) {
		struct pollfd poller = {.fd = puller_fd(puller), .events = POLLIN};

		cr_assert_geq(poll(&poller, 1, -1), 0);
		(void)puller_update(puller);
	}
}

/* Until some have come. */
static void wait_for_bytes(struct puller *puller)
{
	struct puller_progress progress = {0};

	while (!progress.done) {
		struct pollfd poller = {.fd = puller_fd(puller), .events = POLLIN};

		cr_assert_geq(poll(&poller, 1, -1), 0);
		(void)puller_update(puller);
		puller_progress(puller, &progress);
	}
}

Test(hub, the_job_looks_then_fetches)
{
	struct puller_progress progress;
	struct puller *puller;

	cr_assert_eq(puller_create(&puller, NULL), STATUS_OK);
	cr_assert_eq(puller_look(puller, "tiny/toy-GGUF", &machine, NULL), STATUS_OK);
	cr_expect_null(puller_offer(puller));
	wait_for(puller);
	cr_assert_eq(puller_state(puller), PULLER_OFFERS, "%s", puller_error(puller)->text);
	cr_assert_eq(puller_offer(puller)->n_choices, 4);
	cr_assert_eq(puller_fetch(puller, 0, NULL), STATUS_OK);
	cr_expect_eq(puller_state(puller), PULLER_FETCHING);
	cr_expect_eq(puller_fetch(puller, 0, NULL), STATUS_BUSY);
	wait_for(puller);
	cr_assert_eq(puller_state(puller), PULLER_DONE, "%s", puller_error(puller)->text);
	cr_expect_eq(access(puller_model(puller), R_OK), 0);
	puller_progress(puller, &progress);
	cr_expect_eq(progress.done, progress.all);
	cr_expect_eq(strncmp(puller_name(puller), "tiny/toy-GGUF:", 14), 0, "%s", puller_name(puller));
	puller_free(puller);
}

static void look_and_fetch(struct puller *puller, const char *name)
{
	cr_assert_eq(puller_look(puller, name, &machine, NULL), STATUS_OK);
	wait_for(puller);
	cr_assert_eq(puller_state(puller), PULLER_OFFERS, "%s", puller_error(puller)->text);
	cr_assert_eq(puller_fetch(puller, puller_offer(puller)->chosen, NULL), STATUS_OK);
}

Test(hub, what_was_stopped_goes_on)
{
	struct puller *puller;
	const struct hub_request *request;

	hub_server_fault(server, &(struct hub_fault){HUB_BYTES, HUB_STANDS_STILL, .at = 100000, .first = 1, .n = 1});
	cr_assert_eq(puller_create(&puller, NULL), STATUS_OK);
	look_and_fetch(puller, "tiny/toy-GGUF:Q4_K_M");
	cr_assert(hub_server_wait_still(server));
	wait_for_bytes(puller);
	puller_stop(puller);
	wait_for(puller);
	cr_expect_eq(puller_state(puller), PULLER_FAILED);
	cr_expect_eq(puller_error(puller)->status, STATUS_CANCELLED, "%s", puller_error(puller)->text);
	cr_expect_str_eq(puller_name(puller), "tiny/toy-GGUF:Q4_K_M");
	look_and_fetch(puller, "tiny/toy-GGUF:Q4_K_M");
	wait_for(puller);
	cr_assert_eq(puller_state(puller), PULLER_DONE, "%s", puller_error(puller)->text);
	expect_same(puller_model(puller), "tiny/toy-GGUF", "toy-Q4_K_M.gguf");
	request = hub_server_request(server, HUB_BYTES, 1);
	cr_expect(request && strstr(request->headers, "range: bytes=") && !strstr(request->headers, "range: bytes=0-"),
	          "it begins where it was stopped");
	puller_free(puller);
}

Test(hub, plain_files)
{
	struct buf name = {.max = 4096}, model = {.max = 4096};
	struct pull_offer offer;
	struct error err = {0};

	setenv("SOTTO_DATA_DIR", folder, 1);
	buf_printf(&name, "%s/tiny/toy-GGUF/resolve/main/toy-Q8_0.gguf", hub_server_url(server));
	setenv("HF_ENDPOINT", "http://127.0.0.1:9", 1);
	cr_assert_eq(pull_look(&offer, buf_text(&name), &machine, &host, &err), STATUS_OK, "%s", err.text);
	cr_expect(strstr(offer.notes, "Nobody vouches"));
	cr_assert_eq(offer.n_choices, 1);
	cr_expect_str_eq(offer.choices[0].quant, "Q8_0");
	cr_expect_eq(offer.choices[0].n_bytes, 2400000);
	fetch(&offer, 0, &model);
	expect_same(buf_text(&model), "tiny/toy-GGUF", "toy-Q8_0.gguf");
	cr_expect_not(strstr(offer.notes, "stays as it is"));
	pull_offer_free(&offer);
	cr_assert_eq(pull_look(&offer, buf_text(&name), &machine, &host, &err), STATUS_OK, "%s", err.text);
	cr_expect(strstr(offer.notes, "stays as it is"), "a file of that name and size may be another: %s", offer.notes);
	pull_offer_free(&offer);
	buf_puts(&name, "x.gguf");
	cr_expect_eq(pull_look(&offer, buf_text(&name), &machine, &host, &err), STATUS_NOTFOUND);
	buf_free(&name);
	buf_free(&model);
}
