#include "remote/route.h"

#include <string.h>

#include "base/alloc.h"
#include "base/number.h"

char *remote_base(const char *url)
{
	size_t n = strlen(url);

	while (n > 0 && url[n - 1] == '/')
		n--;
	if (n > 3 && memcmp(url + n - 3, "/v1", 3) == 0)
		n -= 3;
	while (n > 0 && url[n - 1] == '/')
		n--;
	return alloc_strndup(url, n);
}

/* The URL's path, "" if it has none. */
static const char *path_of(const char *url)
{
	const char *host = strstr(url, "://");
	const char *path;

	if (!host || strncmp(url, "unix:", 5) == 0)
		return "";
	path = strchr(host + 3, '/');
	return path ? path : "";
}

const char *remote_route(const char *base, const char *route)
{
	if (strncmp(route, "/v1/", 4) != 0)
		return route;
	for (const char *at = path_of(base); (at = strchr(at, '/')) != NULL; at++)
		if (at[1] == 'v' && number_is_digit(at[2]))
			return route + strlen("/v1");
	return route;
}

unsigned remote_port(const char *url)
{
	const char *host = strstr(url, "://");
	const char *at;
	unsigned port = 0;

	if (!host || strncmp(url, "unix:", 5) == 0)
		return 0;
	host += 3;
	at = host + (host[0] == '[' ? strcspn(host, "]/") : 0);
	at += strcspn(at, ":/");
	if (*at != ':')
		return strncmp(url, "https:", 6) == 0 ? 443 : 80;
	for (at++; number_is_digit(*at) && port < 65536; at++)
		port = port * 10 + (unsigned)(*at - '0');
	return port < 65536 ? port : 0;
}
