/* A server in a process of its own, which answers every request with the bytes of one file, made by a rule, in the
 * ranges that are asked for: for programs that are killed, or whose calls are recorded. */
#ifndef SOTTO_TESTS_BYTE_SERVER_H
#define SOTTO_TESTS_BYTE_SERVER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct byte_server {
	pid_t pid;
	char url[64]; /* "http://127.0.0.1:PORT" */
};

/* Before there are threads. Without a socket the program ends. */
void byte_server_start(struct byte_server *server, uint64_t size);
void byte_server_stop(struct byte_server *server);
/* Byte `at` of the file. */
unsigned char byte_server_at(uint64_t at);
void byte_server_digest(uint64_t size, char text[65]); /* SHA-256 */

#endif
