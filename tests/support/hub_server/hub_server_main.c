/* The server as a program, with the models of models.c and what is given: prints its address, and serves until its
 * standard input ends. A line there releases what stands still; "expire": all signed addresses expire; "heal": no
 * faults any more.
 *
 * usage: hub_server_main [OPTION]...
 *   --put REPOSITORY/PATH=FILE     a file of the hub
 *   --layer MODEL:TAG/KIND=FILE    a layer of a model of ollama's: library/mine:1b/model=x.gguf
 *   --size BYTES                   of the recommended models
 *   --rate BYTES                   a second, of each connection
 *   --uses N                       signed addresses expire after so many requests
 *   --page N                       entries of a page of a listing
 *   --port N, --log FILE
 *   --fault "PLACE KIND [FIRST [N [AT [TEXT]]]]"
 *        as in hub_server.h: "bytes cuts 1 1 1000"; of "answers" AT is the code. Any number of them
 *
 * By hand:  hub_server_main --rate 1000000 --port 8011 </dev/tty &
 *           HF_ENDPOINT=http://127.0.0.1:8011 sotto pull tiny/toy-GGUF
 *           sotto pull ollama:http://127.0.0.1:8011/library/toy:1b */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/sys.h"
#include "support/hub_server/hub_server.h"

static void fail(const char *why, const char *what)
{
	fprintf(stderr, "hub_server_main: %s: %s\n", what, why);
	exit(2);
}

static void put(struct hub_server *server, const char *text, bool is_layer)
{
	const char *file = strchr(text, '=');
	char *name = strndup(text, file ? (size_t)(file - text) : 0), *path = name, *bytes;
	struct error err;
	size_t n;

	for (int i = 0; i < 2 && path; i++)
		path = strchr(path + (i > 0), '/');
	if (!file || !path)
		fail("expected OWNER/REPO/PATH=FILE", text);
	if (sys_read_file(file + 1, MIB(1024), &bytes, &n, &err))
		fail(err.text, text);
	*path = '\0';
	(is_layer ? hub_server_put_layer : hub_server_put)(server, name, path + 1, bytes, n, 0);
	free(bytes);
	free(name);
}

static int named(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	fail("there is none", name);
	return 0;
}

static void add_fault(struct hub_server *server, const char *words)
{
	struct hub_fault fault = {0};
	char place[32] = "", kind[32] = "", text[1024] = "";
	unsigned long long at = 0;

	if (sscanf(words, "%31s %31s %u %u %llu %1023[^\n]", place, kind, &fault.first, &fault.n, &at, text) < 2)
		fail("expected PLACE KIND", words);
	fault.place = (enum hub_place)named(hub_place_names, HUB_N_PLACES, place);
	fault.kind = (enum hub_kind)named(hub_kind_names, HUB_N_KINDS, kind);
	fault.at = at;
	fault.code = fault.kind == HUB_ANSWERS ? (int)at : 0;
	fault.text = text;
	hub_server_fault(server, &fault);
}

/* Options of the server itself; false: it is another one. */
static bool take(struct hub_options *options, uint64_t *size, const char *option, const char *value)
{
	uint64_t number = strtoull(value, NULL, 10);

	if (strcmp(option, "--size") == 0)
		*size = number;
	else if (strcmp(option, "--rate") == 0)
		options->rate = number;
	else if (strcmp(option, "--uses") == 0)
		options->signature_uses = (unsigned)number;
	else if (strcmp(option, "--page") == 0)
		options->page = (size_t)number;
	else if (strcmp(option, "--port") == 0)
		options->port = (uint16_t)number;
	else if (strcmp(option, "--log") == 0)
		options->log = value;
	else
		return false;
	return true;
}

static void add_rest(struct hub_server *server, int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2)
		if (strcmp(argv[i], "--put") == 0 || strcmp(argv[i], "--layer") == 0)
			put(server, argv[i + 1], argv[i][2] == 'l');
		else if (strcmp(argv[i], "--fault") == 0)
			add_fault(server, argv[i + 1]);
}

int main(int argc, char **argv)
{
	struct hub_options options = {0};
	struct hub_server *server;
	uint64_t size = 0;
	char line[64];

	for (int i = 1; i < argc; i += 2)
		if (i + 1 == argc || (!take(&options, &size, argv[i], argv[i + 1]) && strcmp(argv[i], "--put") != 0 &&
		                      strcmp(argv[i], "--layer") != 0 && strcmp(argv[i], "--fault") != 0))
			fail("no such option, or it has no value", argv[i]);
	signal(SIGPIPE, SIG_IGN);
	server = hub_server_start(&options);
	hub_server_put_usual(server, size);
	add_rest(server, argc, argv);
	printf("%s\n", hub_server_url(server));
	fflush(stdout);
	while (fgets(line, sizeof line, stdin))
		if (strcmp(line, "expire\n") == 0)
			hub_server_expire(server);
		else if (strcmp(line, "heal\n") == 0)
			hub_server_heal(server);
		else
			hub_server_release(server);
	hub_server_stop(server);
	return 0;
}
