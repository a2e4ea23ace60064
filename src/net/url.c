#include "net/url.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/un.h>

#include "base/alloc.h"
#include "base/number.h"

static const char HTTP[] = "http://", HTTPS[] = "https://", UNIX[] = "unix://";

static bool begins_with(const char *text, const char *begin)
{
	return strncasecmp(text, begin, strlen(begin)) == 0;
}

static enum status check_characters(const char *text, bool may_have_blanks, struct error *err)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f || c == '\\' || (c == ' ' && !may_have_blanks))
			return error_set(err, STATUS_USAGE,
			                 "the URL has a blank, a backslash or a control character in it");
	}
	return STATUS_OK;
}

static enum status parse_unix(struct url *url, const char *path, struct error *err)
{
	url->is_unix = true;
	url->path = path;
	if (*path != '/')
		return error_set(err, STATUS_USAGE,
		                 "unix:// needs the whole path of a socket, as in unix:///run/llama.sock");
	if (strlen(path) >= sizeof((struct sockaddr_un *)0)->sun_path)
		return error_set(err, STATUS_USAGE, "the socket's path has more than %zu bytes, which no socket's has",
		                 sizeof((struct sockaddr_un *)0)->sun_path - 1);
	return check_characters(path, true, err);
}

static bool is_name_character(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || number_is_digit(c) || c == '-' || c == '.' ||
	       c == '_' || (unsigned char)c >= 0x80;
}

static enum status take_host(struct url *url, const char *host, size_t n, struct error *err)
{
	if (n == 0)
		return error_set(err, STATUS_USAGE, "the URL has no host");
	if (n >= sizeof url->host)
		return error_set(err, STATUS_USAGE, "the URL's host has more than %zu bytes", sizeof url->host - 1);
	memcpy(url->host, host, n);
	url->host[n] = 0;
	return STATUS_OK;
}

/* "[::1]", with a zone or not; *end is behind it. */
static enum status parse_ipv6(struct url *url, const char *text, const char **end, struct error *err)
{
	size_t n = strcspn(text + 1, "]");
	char address[URL_HOST_MAX];
	struct in6_addr in;

	if (text[1 + n] != ']')
		return error_set(err, STATUS_USAGE, "the URL has a [ without a ]");
	if (take_host(url, text + 1, n, err) != STATUS_OK)
		return err ? err->status : STATUS_USAGE;
	memcpy(address, url->host, n + 1);
	address[strcspn(address, "%")] = 0;
	if (inet_pton(AF_INET6, address, &in) != 1)
		return error_set(err, STATUS_USAGE, "what the URL has in [] is not an IPv6 address");
	*end = text + 1 + n + 1;
	return STATUS_OK;
}

static enum status parse_name(struct url *url, const char *text, const char **end, struct error *err)
{
	size_t n = 0;

	while (is_name_character(text[n]))
		n++;
	*end = text + n;
	return take_host(url, text, n, err);
}

static enum status parse_port(struct url *url, const char **at, struct error *err)
{
	unsigned long port = 0;

	url->port = url->is_tls ? 443 : 80;
	if (**at != ':')
		return STATUS_OK;
	for (++*at; number_is_digit(**at) && port <= UINT16_MAX; ++*at)
		port = port * 10 + (unsigned long)(**at - '0');
	if (port == 0 || port > UINT16_MAX)
		return error_set(err, STATUS_USAGE, "the URL's port is not a number from 1 to 65535");
	url->port = (uint16_t)port;
	url->has_port = true;
	return STATUS_OK;
}

static enum status parse_rest(struct url *url, const char *text, struct error *err)
{
	const char *at = text;
	enum status status = *text == '[' ? parse_ipv6(url, text, &at, err) : parse_name(url, text, &at, err);

	if (status == STATUS_OK)
		status = parse_port(url, &at, err);
	if (status == STATUS_OK && *at && *at != '/')
		status = error_set(err, STATUS_USAGE, "the URL's host has a character that none has");
	url->path = at;
	return status;
}

enum status url_parse(struct url *url, const char *text, struct error *err)
{
	const char *rest;
	enum status status;

	*url = (struct url){.is_tls = begins_with(text, HTTPS), .path = ""};
	if (begins_with(text, UNIX))
		return parse_unix(url, text + strlen(UNIX), err);
	if (!url->is_tls && !begins_with(text, HTTP))
		return error_set(err, STATUS_USAGE,
		                 "the URL begins with none of http://, https:// and unix:///");
	rest = text + strlen(url->is_tls ? HTTPS : HTTP);
	status = check_characters(rest, false, err);
	if (status != STATUS_OK)
		return status;
	if (memchr(rest, '@', strcspn(rest, "/?#")))
		return error_set(err, STATUS_USAGE, "the URL has a user name in it (...@): servers take keys instead");
	if (strchr(rest, '?'))
		return error_set(err, STATUS_USAGE, "the URL has a query (?...): leave it away");
	if (strchr(rest, '#'))
		return error_set(err, STATUS_USAGE, "the URL has a fragment (#...): leave it away");
	return parse_rest(url, rest, err);
}

void url_show(const struct url *url, char *shown, size_t size)
{
	bool is_v6 = strchr(url->host, ':') != NULL;

	if (url->is_unix)
		snprintf(shown, size, "%s", url->path);
	else if (url->is_tls && !url->has_port)
		snprintf(shown, size, is_v6 ? "[%s]" : "%s", url->host);
	else
		snprintf(shown, size, is_v6 ? "[%s]:%u" : "%s:%u", url->host, url->port);
}

bool url_is_same_server(const struct url *a, const struct url *b)
{
	return a->is_tls == b->is_tls && a->port == b->port && strcasecmp(a->host, b->host) == 0;
}

static enum http_distance distance_of_ipv4(uint32_t address)
{
	if (address >> 24 == 127 || address == 0)
		return HTTP_HERE;
	if (address >> 24 == 10 || address >> 20 == 0xac1 || address >> 16 == 0xc0a8 || address >> 16 == 0xa9fe)
		return HTTP_NEAR;
	return HTTP_FAR;
}

static enum http_distance distance_of_ipv6(const struct in6_addr *in)
{
	const uint8_t *bytes = in->s6_addr;

	if (IN6_IS_ADDR_LOOPBACK(in) || IN6_IS_ADDR_UNSPECIFIED(in))
		return HTTP_HERE;
	if (IN6_IS_ADDR_V4MAPPED(in))
		return distance_of_ipv4((uint32_t)bytes[12] << 24 | (uint32_t)bytes[13] << 16 |
		                        (uint32_t)bytes[14] << 8 | bytes[15]);
	if ((bytes[0] & 0xfe) == 0xfc || (bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80))
		return HTTP_NEAR;
	return HTTP_FAR;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n > m && strcasecmp(text + n - m, end) == 0;
}

static enum http_distance distance_of_name(const char *name)
{
	if (strcasecmp(name, "localhost") == 0 || ends_with(name, ".localhost"))
		return HTTP_HERE;
	if (!strchr(name, '.') || ends_with(name, ".local"))
		return HTTP_NEAR;
	return HTTP_FAR;
}

enum http_distance url_distance(const struct url *url)
{
	char name[URL_HOST_MAX];
	struct in_addr in;
	struct in6_addr in6;
	size_t n;

	if (url->is_unix)
		return HTTP_HERE;
	memcpy(name, url->host, sizeof name);
	name[strcspn(name, "%")] = 0; /* a zone */
	n = strlen(name);
	if (n > 0 && name[n - 1] == '.')
		name[n - 1] = 0;
	if (inet_pton(AF_INET6, name, &in6) == 1)
		return distance_of_ipv6(&in6);
	if (inet_aton(name, &in)) /* as libcurl and resolvers: "127.1" is an address, too */
		return distance_of_ipv4(ntohl(in.s_addr));
	return distance_of_name(name);
}

/* Where the path of a whole URL begins, which has a scheme and a host: at its end if it has none. */
static size_t path_begin(const char *text)
{
	const char *host = strstr(text, "://");

	return host ? (size_t)(host + 3 - text) + strcspn(host + 3, "/?#") : strlen(text);
}

enum status http_split_url(const char *text, char **base, char **path, struct error *err)
{
	size_t at = path_begin(text), n = strcspn(text + at, "#");
	const char *slash = text[at] == '/' ? "" : "/";
	struct url url;
	enum status status;

	*path = NULL;
	*base = alloc_strndup(text, at);
	if (!*base)
		return error_no_memory(err, "for a URL");
	status = url_parse(&url, *base, err);
	if (status == STATUS_OK && url.is_unix)
		status = error_set(err, STATUS_USAGE, "the URL begins with neither http:// nor https://");
	if (status == STATUS_OK)
		status = check_characters(text + at, false, err);
	if (status == STATUS_OK && asprintf(path, "%s%.*s", slash, (int)n, text + at) < 0) {
		*path = NULL;
		status = error_no_memory(err, "for a URL");
	}
	if (status != STATUS_OK) {
		free(*base);
		*base = NULL;
	}
	return status;
}

enum status http_check_url(const char *text, struct error *err)
{
	struct url url;

	return url_parse(&url, text, err);
}

bool http_is_same_server(const char *url, const char *other)
{
	struct url a, b;

	return url_parse(&a, url, NULL) == STATUS_OK && url_parse(&b, other, NULL) == STATUS_OK && !a.is_unix &&
	       !b.is_unix && url_is_same_server(&a, &b);
}

bool http_leaves_tls(const char *from, const char *to)
{
	return begins_with(from, HTTPS) && !begins_with(to, HTTPS);
}

enum http_distance http_host(const char *text, char *host, size_t size)
{
	struct url url;

	if (url_parse(&url, text, NULL) != STATUS_OK) {
		snprintf(host, size, "%s", "");
		return HTTP_FAR;
	}
	url_show(&url, host, size);
	return url_distance(&url);
}
