/* URLs of servers, read without libcurl: what http_target takes, and no more. */
#ifndef SOTTO_NET_URL_H
#define SOTTO_NET_URL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "net/http.h"

enum { URL_HOST_MAX = 256, URL_SHOWN_MAX = URL_HOST_MAX + 8 };

struct url {
	bool is_tls;
	bool is_unix;
	char host[URL_HOST_MAX]; /* without the brackets of IPv6; "" for a unix socket */
	uint16_t port;
	bool has_port;           /* it is written there */
	const char *path;        /* in the text; "" or "/v1"; the socket's for a unix socket */
};

/* No error quotes the URL, which may have a password in it. */
enum status url_parse(struct url *url, const char *text, struct error *err) MUST_CHECK;
/* For people: "box:8080", "[::1]:80", "api.example.com" (https, its usual port), "/run/llama.sock". */
void url_show(const struct url *url, char *shown, size_t size);
bool url_is_same_server(const struct url *a, const struct url *b); /* neither is a unix socket */
enum http_distance url_distance(const struct url *url);

#endif
