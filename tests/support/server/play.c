/* The test server as a program: plays SPECIFICATION (server.h) until its standard input ends; a line there releases what
 * waits. Prints its URL.
 *
 * usage: play [--tls] [--log FILE] [--port N] [--greeting TEXT] [--unix PATH] [SPECIFICATION] */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/server/server.h"

int main(int argc, char **argv)
{
	struct server_options options = {0};
	struct test_server *server;
	char c;

	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (strcmp(argv[i], "--tls") == 0)
			options.tls = true;
		else if (strcmp(argv[i], "--log") == 0)
			options.log = value, i++;
		else if (strcmp(argv[i], "--port") == 0)
			options.port = (uint16_t)strtoul(value, NULL, 10), i++;
		else if (strcmp(argv[i], "--greeting") == 0)
			options.greeting = value, options.raw = true, i++;
		else if (strcmp(argv[i], "--unix") == 0)
			options.unix_path = value, options.raw = true, i++;
		else
			options.spec = argv[i];
	}
	signal(SIGPIPE, SIG_IGN);
	server = test_server_start(&options);
	if (!server)
		return 77;
	printf("%s\n", test_server_url(server));
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) == 1)
		if (c == '\n')
			test_server_release(server);
	test_server_stop(server);
	return 0;
}
