#include <criterion/criterion.h>
#include <stdlib.h>

#include "remote/route.h"

Test(route, a_base_has_no_v1)
{
	static const struct {
		const char *url, *base, *models, *native;
		unsigned port;
	} rows[] = {
		{"http://box:8080", "http://box:8080", "/v1/models", "/props", 8080},
		{"http://box:8080/", "http://box:8080", "/v1/models", "/props", 8080},
		{"http://box/v1", "http://box", "/v1/models", "/props", 80},
		{"https://host/api/v1/", "https://host/api", "/v1/models", "/props", 443},
		{"https://host/v1beta/openai/", "https://host/v1beta/openai", "/models", "/props",
	         443},
		{"https://host/api/paas/v4", "https://host/api/paas/v4", "/models", "/props", 443},
		{"http://[::1]:11434", "http://[::1]:11434", "/v1/models", "/props", 11434},
		{"https://v2ray.example", "https://v2ray.example", "/v1/models", "/props", 443},
		{"unix:///run/v2/llama.sock", "unix:///run/v2/llama.sock", "/v1/models", "/props",
	         0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		char *base = remote_base(rows[i].url);

		cr_assert_str_eq(base, rows[i].base);
		cr_assert_str_eq(remote_route(base, "/v1/models"), rows[i].models, "%s",
		                 rows[i].url);
		cr_assert_str_eq(remote_route(base, "/props"), rows[i].native);
		cr_assert_eq(remote_port(rows[i].url), rows[i].port, "%s", rows[i].url);
		free(base);
	}
}
