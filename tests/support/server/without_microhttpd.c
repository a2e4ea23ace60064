/* A build that has no libmicrohttpd. */
#include <stdio.h>

#include "support/server/internal.h"

bool by_microhttpd_start(struct test_server *server)
{
	(void)server;
	fprintf(stderr, "test server: built without libmicrohttpd\n");
	return false;
}

void by_microhttpd_stop(struct test_server *server)
{
	(void)server;
}
