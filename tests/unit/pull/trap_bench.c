#include "trap_bench.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/sys.h"
#include "pull/pull.h"
#include "support/folder.h"
#include "support/sha.h"

/* More than one range of the smallest parts, and no whole number of anything. */
enum { MODEL_BYTES = 150001 };

struct trap_bench {
	struct hub_server *server;
	char home[64];
	struct buf model;
	char wrong[512];
	bool stops;
};

static void put_models(struct hub_server *server)
{
	size_t n;
	char *bytes = hub_tiny_model(5, &n);

	hub_server_put(server, TRAP_HUB, "README.md", "# x\n", 4, 0);
	hub_server_put(server, TRAP_HUB, "mmproj-x.gguf", "no", 2, 0);
	hub_server_put(server, TRAP_HUB, "x-Q4_K_M.gguf", bytes, n, MODEL_BYTES);
	hub_server_put(server, TRAP_GATED, "x-Q4_K_M.gguf", bytes, n, MODEL_BYTES);
	hub_server_describe(server, TRAP_GATED, HUB_GATED, "other");
	hub_server_put_layer(server, "library/x:latest", "model", bytes, n, MODEL_BYTES);
	hub_server_put_layer(server, "library/x:latest", "system", "You are x.", 10, 0);
	hub_server_put(server, TRAP_NOT_GGUF, "x-Q4_K_M.gguf", "This is a text.\n", 16, 3000);
	hub_server_put(server, "trap/small", "config.json", "{}\n", 3, 0);
	hub_server_put(server, "trap/small", "model.safetensors", "\2\0\0\0\0\0\0\0{}", 10, 4000);
	free(bytes);
}

struct trap_bench *trap_bench_open(const struct hub_options *options, size_t part)
{
	struct trap_bench *bench = calloc(1, sizeof *bench);
	char path[128], number[32];

	cr_assert(bench);
	bench->server = hub_server_start(options);
	bench->model.max = KIB(64);
	put_models(bench->server);
	snprintf(bench->home, sizeof bench->home, "/tmp/sotto-trap-XXXXXX");
	cr_assert(mkdtemp(bench->home));
	snprintf(path, sizeof path, "%s/ollama", bench->home);
	cr_assert(mkdir(path, 0700) == 0);
	setenv("OLLAMA_MODELS", path, 1);
	snprintf(path, sizeof path, "%s/hub", bench->home);
	setenv("HF_HUB_CACHE", path, 1);
	setenv("HOME", bench->home, 1);
	setenv("HF_ENDPOINT", hub_server_url(bench->server), 1);
	setenv("SOTTO_TEST_PULL_SECOND", "1", 1);
	unsetenv("SOTTO_TEST_PULL_SILENCE");
	snprintf(number, sizeof number, "%zu", part);
	if (part)
		setenv("SOTTO_TEST_PULL_PART", number, 1);
	else
		unsetenv("SOTTO_TEST_PULL_PART");
	unsetenv("HF_TOKEN");
	unsetenv("LLAMA_CACHE");
	unsetenv("HF_HUB_OFFLINE");
	return bench;
}

void trap_bench_close(struct trap_bench *bench)
{
	hub_server_stop(bench->server);
	remove_folder(bench->home);
	buf_free(&bench->model);
	free(bench);
}

struct hub_server *trap_bench_server(struct trap_bench *bench)
{
	return bench->server;
}

/* ---- fetching ---- */

struct stopper {
	struct trap_bench *bench;
	atomic_bool is_stopped;
};

static bool is_stopped(void *ctx)
{
	struct stopper *stopper = ctx;

	return atomic_load(&stopper->is_stopped);
}

static void *wait_still(void *ctx)
{
	struct stopper *stopper = ctx;

	(void)hub_server_wait_still(stopper->bench->server);
	atomic_store(&stopper->is_stopped, true);
	return NULL;
}

/* Ollama's with the server's address. */
static void put_name(struct buf *out, const struct trap_bench *bench, const char *model)
{
	if (strncmp(model, "ollama:", 7) == 0)
		buf_printf(out, "ollama:%s/library/%s:latest", hub_server_url(bench->server), model + 7);
	else
		buf_puts(out, model);
}

static enum status get(struct trap_bench *bench, const char *model, struct stopper *stopper, struct error *err)
{
	const struct pull_machine machine = {(uint64_t)64 << 30, 30e9};
	struct pull_host host = {.cancelled = is_stopped, .ctx = stopper, .io = &io_system};
	struct pull_progress progress = {0};
	struct pull_offer offer = {0};
	struct buf name = {.max = KIB(4)};
	enum status status;

	put_name(&name, bench, model);
	buf_clear(&bench->model);
	status = pull_look(&offer, buf_text(&name), &machine, &host, err);
	if (!status)
		status = pull_fetch(&bench->model, &offer, offer.chosen, &progress, &host, err);
	pull_offer_free(&offer);
	buf_free(&name);
	return status;
}

enum status trap_bench_get(struct trap_bench *bench, const char *model, struct error *err)
{
	struct stopper stopper = {.bench = bench};

	*err = (struct error){0};
	return get(bench, model, &stopper, err);
}

enum status trap_bench_get_stopped(struct trap_bench *bench, const char *model, struct error *err)
{
	struct stopper stopper = {.bench = bench};
	pthread_t thread;
	enum status status;

	*err = (struct error){0};
	cr_assert(pthread_create(&thread, NULL, wait_still, &stopper) == 0);
	status = get(bench, model, &stopper, err);
	pthread_join(thread, NULL);
	return status;
}

/* ---- what is there ---- */

static bool digest_of(const char *path, bool is_git, char text[65], size_t *size)
{
	struct error err;
	char *bytes;
	size_t n;

	if (sys_read_file(path, MIB(64), &bytes, &n, &err))
		return false;
	(is_git ? sha1_git_text : sha256_text)(bytes, n, text);
	*size = n;
	free(bytes);
	return true;
}

bool trap_bench_is_equal(struct trap_bench *bench, const char *model)
{
	const char *name = strncmp(model, "ollama:", 7) == 0 ? "library/x:latest" : model;
	char text[65];
	size_t n;

	if (strcmp(model, TRAP_SMALL) == 0)
		return true; /* a folder, whose names trap_bench_wrong checks */
	return digest_of(buf_text(&bench->model), false, text, &n) &&
	       strcmp(text, hub_server_digest(bench->server, name, name == model ? "x-Q4_K_M.gguf" : "model")) == 0;
}

/* nftw has no context. */
static struct trap_bench *walking;
static unsigned long long n_kept;

static bool is_hex(const char *text, size_t n)
{
	return strlen(text) == n && strspn(text, "0123456789abcdef") == n;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

/* Names that others look under say what they are. */
static void look_at(struct trap_bench *bench, const char *path, const char *name)
{
	bool is_ollama = strncmp(name, "sha256-", 7) == 0;
	const char *wanted = is_ollama ? name + 7 : name;
	char text[65];
	size_t n;

	if (ends_with(name, ".sotto-part")) {
		n_kept += digest_of(path, false, text, &n) ? n : 0;
		return;
	}
	if (!is_hex(wanted, 64) && (is_ollama || !is_hex(wanted, 40)))
		return;
	if (!digest_of(path, !is_ollama && strlen(wanted) == 40, text, &n) || strcmp(text, wanted) != 0)
		snprintf(bench->wrong, sizeof bench->wrong, "%.300s is not whole", path);
}

static int walk(const char *path, const struct stat *st, int type, struct FTW *at)
{
	const char *name = path + at->base;

	(void)st;
	if (type == FTW_SLN)
		snprintf(walking->wrong, sizeof walking->wrong, "%.300s leads nowhere", path);
	else if (type == FTW_F && !ends_with(name, ".sotto-state"))
		look_at(walking, path, name);
	return 0;
}

const char *trap_bench_wrong(struct trap_bench *bench)
{
	bench->wrong[0] = '\0';
	walking = bench;
	n_kept = 0;
	nftw(bench->home, walk, 16, FTW_PHYS);
	if (hub_server_is_leaked(bench->server))
		snprintf(bench->wrong, sizeof bench->wrong, "the key came to the storage");
	if (access("/tmp/x.gguf", F_OK) == 0 || access("/abs.gguf", F_OK) == 0)
		snprintf(bench->wrong, sizeof bench->wrong, "a file outside of the folders");
	return bench->wrong[0] ? bench->wrong : NULL;
}

unsigned long long trap_bench_kept(struct trap_bench *bench)
{
	(void)trap_bench_wrong(bench);
	return n_kept;
}

/* ---- a row ---- */

static void expect_done(struct trap_bench *bench, const struct trap *trap, const char *model, const char *when)
{
	struct error err;
	enum status status = trap_bench_get(bench, model, &err);

	cr_expect(status == STATUS_OK, "%s: %s: %d: %s", trap->what, when, status, err.text);
	cr_expect(status || trap_bench_is_equal(bench, model), "%s: %s: other bytes", trap->what, when);
}

void trap_try(const struct trap *trap, size_t part)
{
	const char *model = trap->model ? trap->model : TRAP_HUB, *wrong;
	struct trap_bench *bench = trap_bench_open(&trap->options, part);
	struct error err;
	enum status status;

	if (trap->token)
		setenv("HF_TOKEN", trap->token, 1);
	for (size_t i = 0; i < TRAP_FAULTS_MAX && (trap->faults[i].place || trap->faults[i].kind); i++) {
		hub_server_fault(bench->server, &trap->faults[i]);
		if (trap->faults[i].kind == HUB_STANDS_STILL)
			setenv("SOTTO_TEST_PULL_SILENCE", "1000", 1); /* elsewhere a slow machine is no silent server */
	}
	if (trap->words) {
		status = trap_bench_get(bench, model, &err);
		cr_expect(status == trap->status && strstr(err.text, trap->words), "%s: %d '%s', expected %d '%s'", trap->what, status,
		          err.text, trap->status, trap->words);
	} else {
		expect_done(bench, trap, model, "with the fault");
	}
	wrong = trap_bench_wrong(bench);
	cr_expect(!wrong, "%s: %s", trap->what, wrong ? wrong : "");
	hub_server_heal(bench->server);
	if (!trap->stays) {
		expect_done(bench, trap, model, "the second time");
		wrong = trap_bench_wrong(bench);
		cr_expect(!wrong, "%s: the second time: %s", trap->what, wrong ? wrong : "");
		cr_expect(trap_bench_kept(bench) == 0, "%s: a part file is left", trap->what);
	}
	trap_bench_close(bench);
}
