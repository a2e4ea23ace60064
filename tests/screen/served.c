#include "screen/served.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "screen/real.h"
#include "support/counting_model.h"

#define PROGRAM TEST_BUILDDIR "/tests/support/server/play"

/* In the child. */
static void be_server(const int in[2], const int out[2], const char *log, const char *spec, const char *const *more)
{
	const char *argv[16] = {PROGRAM, "--log", log};
	size_t n = 3;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(in[0], STDIN_FILENO);
	dup2(out[1], STDOUT_FILENO);
	close(in[1]);
	close(out[0]);
	for (; more && *more && n < 14; more++)
		argv[n++] = *more;
	argv[n] = spec;
	execv(argv[0], (char *const *)(uintptr_t)argv);
	_exit(126);
}

void served_start(struct served *served, const char *spec, const char *const *more)
{
	static unsigned n_served;
	int in[2], out[2];
	size_t len = 0;
	pid_t pid;
	char name[40];

	snprintf(name, sizeof(name), "requests-%u", n_served++);
	snprintf(served->log, sizeof(served->log), "%s", test_path(name));
	EXPECT(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0, "%s", strerror(errno));
	pid = fork();
	EXPECT(pid >= 0, "%s", strerror(errno));
	if (pid == 0)
		be_server(in, out, served->log, spec, more);
	close(in[0]);
	close(out[1]);
	while (len + 1 < sizeof(served->url) && read(out[0], served->url + len, 1) == 1 && served->url[len] != '\n')
		len++;
	served->url[len] = '\0';
	close(out[0]);
	served->input = in[1];
	if (!len)
		test_skip("there is no server for tests here (libmicrohttpd)");
}

void served_release(const struct served *served)
{
	EXPECT(write(served->input, "\n", 1) == 1, "%s", strerror(errno));
}

size_t served_count(const struct served *served, const char *text)
{
	size_t len, n = 0;
	char *log = test_read_file(served->log, &len);

	for (const char *p = log; p && (p = strstr(p, text)) != NULL; p += strlen(text))
		n++;
	free(log);
	return n;
}

void served_stop(struct served *served)
{
	close(served->input);
	served->input = -1;
}

const char *served_file(const struct served *served, const char *dialect, const char *yaml)
{
	static char path[512];
	static unsigned n_files;
	struct buf text = {.max = 1 << 16};
	char name[40];

	snprintf(name, sizeof(name), "servers-%u.yaml", n_files++);
	snprintf(path, sizeof(path), "%s", test_path(name));
	buf_printf(&text, "box:\n  url: %s\n", served->url);
	if (dialect)
		buf_printf(&text, "  dialect: %s\n", dialect);
	buf_puts(&text, yaml ? yaml : "");
	test_write_text(path, text.data);
	buf_free(&text);
	return path;
}

/* What the server does not play. */
static bool is_played(const char *spec)
{
	static const char *const others[] = {"load_ms", "prefill_ms", "fail=", "aside", "guide", "unopened", "remote", "mode=wide",
	                                     "mode=emoji", "mode=long", "mode=lines", "mode=escape", "mode=system"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strstr(spec, others[i]))
			return false;
	return true;
}

static bool is_real(const char *dialect)
{
	return strcmp(dialect, "real") == 0;
}

/* "tokens=" of a specification. */
static unsigned spec_number(const char *spec, const char *key, unsigned otherwise)
{
	const char *at = strstr(spec, key);

	return at ? (unsigned)strtoul(at + strlen(key), NULL, 10) : otherwise;
}

/* A model that says the same, or a file itself. */
static void start_real(struct served *served, const char *path)
{
	struct real_server server = {.port = 0};
	struct counting_model model = {.n_words = spec_number(path, "tokens=", 64), .n_ctx = spec_number(path, "n_ctx=", 4096),
	                               .slow = spec_number(path, "rate=", 1000) <= 200};
	enum { CTX_MAX = 16384 }; /* whose memory it takes at once */
	const char *mode = strstr(path, "mode=");
	bool thinks = mode && strncmp(mode, "mode=think", 10) == 0;
	struct error err;
	char name[40];

	if (strncmp(path, "synthetic:", 10) != 0) {
		real_start(&server, *path == '/' ? path : test_path(path), "model", 0);
	} else {
		if (strstr(path, "hold="))
			test_skip("the real server holds nothing back");
		snprintf(name, sizeof(name), "synthetic (%.*s)", mode ? (int)strcspn(mode + 5, ",") : 5, mode ? mode + 5 : "words");
		if (model.n_ctx > CTX_MAX)
			model.n_ctx = CTX_MAX;
		if (mode && !thinks && strncmp(mode, "mode=words", 10) != 0)
			model.n_words = 2; /* some words, for tests that want a short reply */
		if (thinks)
			model.n_thoughts = spec_number(path, "think=", 8);
		EXPECT(counting_model_save(&model, test_path("counting.gguf"), &err) == STATUS_OK, "%s", err.text);
		real_start(&server, test_path("counting.gguf"), name, model.n_ctx);
	}
	snprintf(served->url, sizeof(served->url), "%s", server.url);
}

const char *served_dialect(void)
{
	const char *dialect = getenv("SOTTO_SCREEN_SERVER");

	return dialect && *dialect ? dialect : NULL;
}

bool served_replaces(const char *path, const char **model, const char **file)
{
	const char *dialect = served_dialect(), *mode;
	char spec[512];
	struct served served;

	if (!dialect || !path)
		return false;
	if (is_real(dialect) && strstr(path, ".gguf")) {
		start_real(&served, path);
		*file = served_file(&served, NULL, NULL);
		*model = "server:box";
		return true;
	}
	if (strncmp(path, "synthetic:", 10) != 0)
		return false;
	if (!is_played(path + 10))
		test_skip("no server plays %s", path);
	if (is_real(dialect)) {
		start_real(&served, path);
		*file = served_file(&served, NULL, NULL);
		*model = "server:box";
		return true;
	}
	mode = strstr(path, "mode=");
	snprintf(spec, sizeof(spec), "dialect=%s,model=synthetic (%.*s),%s", dialect, mode ? (int)strcspn(mode + 5, ",") : 5,
	         mode ? mode + 5 : "words", path + 10);
	served_start(&served, spec, NULL);
	*file = served_file(&served, dialect, NULL);
	*model = "server:box";
	return true;
}

const char *served_cold(void)
{
	return served_dialect() && is_real(served_dialect()) ? "/set logit-bias " COUNTING_COLD : "/temp 0";
}

const char *served_label(const char *mode, const char *after)
{
	static char labels[4][120];
	static unsigned next;
	const char *dialect = served_dialect();
	char *label = labels[next++ % 4];

	snprintf(label, sizeof(labels[0]), "synthetic (%s)%s%s%s", mode, dialect && strcmp(dialect, "ollama") == 0 ? ":latest" : "",
	         dialect ? " on box" : "", after);
	return label;
}
