#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/http.h"

Test(url, is_taken_or_refused_in_words)
{
	static const struct {
		const char *url, *error; /* a part of it; NULL: it is a URL */
	} rows[] = {
		{"http://127.0.0.1:8080", NULL},
		{"HTTPS://api.example.com/v1", NULL},
		{"http://box", NULL},
		{"http://box/", NULL},
		{"http://[::1]:8080/v1", NULL},
		{"http://[fe80::1%25eth0]:80", NULL},
		{"https://b\xc3\xbc" "cher.example", NULL},
		{"unix:///run/llama server.sock", NULL},
		{"", "begins with none of"},
		{"127.0.0.1:8080", "begins with none of"},
		{"localhost", "begins with none of"},
		{"ftp://box/x", "begins with none of"},
		{"file:///etc/passwd", "begins with none of"},
		{"http:/box", "begins with none of"},
		{"http://", "no host"},
		{"http://:80", "no host"},
		{"http:///v1", "no host"},
		{"http://user@box", "user name"},
		{"https://sk-CANARY:x@box/v1", "user name"},
		{"http://box?key=sk-CANARY", "query"},
		{"http://box/v1?key=sk-CANARY", "query"},
		{"http://box/v1#top", "fragment"},
		{"http://box:", "port"},
		{"http://box:0", "port"},
		{"http://box:65535", NULL},
		{"http://box:65536", "port"},
		{"http://box:99999999999999999999", "port"},
		{"http://box:80x", "character"},
		{"http://bo x", "blank"},
		{"http://box\\evil.example", "blank, a backslash"},
		{"http://box/\n", "control character"},
		{"http://box/\x7f", "control character"},
		{"http://b%6fx", "character"},
		{"http://box,other", "character"},
		{"http://[::1", "["},
		{"http://[box]", "IPv6"},
		{"unix://run/x.sock", "whole path"},
		{"unix:///run/x\n.sock", "control character"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {.text = ""};
		enum status status = http_check_url(rows[i].url, &err);

		if (!rows[i].error) {
			cr_expect_eq(status, STATUS_OK, "%s: %s", rows[i].url, err.text);
			continue;
		}
		cr_expect_eq(status, STATUS_USAGE, "%s", rows[i].url);
		cr_expect_not_null(strstr(err.text, rows[i].error), "%s: %s", rows[i].url, err.text);
		cr_expect_null(strstr(err.text, "CANARY"), "%s", err.text);
	}
}

Test(url, is_split)
{
	static const struct {
		const char *url, *base, *path; /* NULL: it is refused */
	} rows[] = {
		{"https://cdn.example/a/b.gguf", "https://cdn.example", "/a/b.gguf"},
		{"http://127.0.0.1:8080/x?sig=a/b&c=d%20e", "http://127.0.0.1:8080", "/x?sig=a/b&c=d%20e"},
		{"https://cdn.example", "https://cdn.example", "/"},
		{"https://cdn.example?a=b", "https://cdn.example", "/?a=b"},
		{"https://[::1]:8080/x#part", "https://[::1]:8080", "/x"},
		{"https://cdn.example#part", "https://cdn.example", "/"},
		{"https://user:sk-CANARY@cdn.example/x", NULL, NULL},
		{"https://cdn.example/x\n", NULL, NULL},
		{"https://cdn.example/x y", NULL, NULL},
		{"https:///x", NULL, NULL},
		{"ftp://cdn.example/x", NULL, NULL},
		{"unix:///run/x", NULL, NULL},
		{"/x", NULL, NULL},
		{"", NULL, NULL},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct error err = {.text = ""};
		char *base, *path;
		enum status status = http_split_url(rows[i].url, &base, &path, &err);

		cr_expect_eq(status, rows[i].base ? STATUS_OK : STATUS_USAGE, "%s: %s", rows[i].url, err.text);
		cr_expect_null(strstr(err.text, "CANARY"));
		if (rows[i].base && status == STATUS_OK) {
			cr_expect_str_eq(base, rows[i].base);
			cr_expect_str_eq(path, rows[i].path);
		} else {
			cr_expect(!base && !path);
		}
		free(base);
		free(path);
	}
}

Test(url, has_limits)
{
	char url[512] = "http://";
	struct error err;

	memset(url + 7, 'a', 255);
	cr_expect_eq(http_check_url(url, &err), STATUS_OK);
	strcat(url, "a");
	cr_expect_eq(http_check_url(url, &err), STATUS_USAGE);
	memset(url, 'a', 200);
	memcpy(url, "unix:///", 8);
	url[7 + 107] = 0;
	cr_expect_eq(http_check_url(url, &err), STATUS_OK);
	url[7 + 107] = 'a';
	url[7 + 108] = 0;
	cr_expect_eq(http_check_url(url, &err), STATUS_USAGE);
}

Test(url, is_shown_and_is_near_or_far)
{
	static const struct {
		const char *url, *shown;
		enum http_distance distance;
	} rows[] = {
		{"http://127.0.0.1:8080/v1", "127.0.0.1:8080", HTTP_HERE},
		{"http://127.8.9.1", "127.8.9.1:80", HTTP_HERE},
		{"http://127.1:8080", "127.1:8080", HTTP_HERE},
		{"http://0.0.0.0:8080", "0.0.0.0:8080", HTTP_HERE},
		{"http://localhost:11434", "localhost:11434", HTTP_HERE},
		{"http://LocalHost.:11434", "LocalHost.:11434", HTTP_HERE},
		{"http://llama.localhost", "llama.localhost:80", HTTP_HERE},
		{"http://[::1]:8080", "[::1]:8080", HTTP_HERE},
		{"http://[::]:8080", "[::]:8080", HTTP_HERE},
		{"http://[::ffff:127.0.0.1]", "[::ffff:127.0.0.1]:80", HTTP_HERE},
		{"unix:///run/x.sock", "/run/x.sock", HTTP_HERE},
		{"http://10.0.0.1", "10.0.0.1:80", HTTP_NEAR},
		{"http://11.0.0.1", "11.0.0.1:80", HTTP_FAR},
		{"http://172.15.255.255", "172.15.255.255:80", HTTP_FAR},
		{"http://172.16.0.1", "172.16.0.1:80", HTTP_NEAR},
		{"http://172.31.255.255", "172.31.255.255:80", HTTP_NEAR},
		{"http://172.32.0.1", "172.32.0.1:80", HTTP_FAR},
		{"http://192.168.1.9:1234", "192.168.1.9:1234", HTTP_NEAR},
		{"http://192.169.1.9", "192.169.1.9:80", HTTP_FAR},
		{"http://169.254.1.1", "169.254.1.1:80", HTTP_NEAR},
		{"http://8.8.8.8", "8.8.8.8:80", HTTP_FAR},
		{"https://[fd00::1]", "[fd00::1]", HTTP_NEAR},
		{"https://[fe80::1%25eth0]:8443", "[fe80::1%25eth0]:8443", HTTP_NEAR},
		{"https://[2001:db8::1]", "[2001:db8::1]", HTTP_FAR},
		{"https://[::ffff:8.8.8.8]", "[::ffff:8.8.8.8]", HTTP_FAR},
		{"http://box", "box:80", HTTP_NEAR},
		{"http://box.local:8080", "box.local:8080", HTTP_NEAR},
		{"https://api.example.com/v1", "api.example.com", HTTP_FAR},
		{"https://api.example.com:443/v1", "api.example.com:443", HTTP_FAR},
		{"https://localhost.example.com", "localhost.example.com", HTTP_FAR},
		{"nonsense", "", HTTP_FAR},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char shown[256];

		cr_expect_eq(http_host(rows[i].url, shown, sizeof shown), rows[i].distance, "%s", rows[i].url);
		cr_expect_str_eq(shown, rows[i].shown);
	}
}

Test(port, is_listened_at_or_not)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	socklen_t size = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	cr_assert_eq(bind(fd, (struct sockaddr *)&address, size), 0);
	cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &size), 0);
	cr_expect_not(http_listens(ntohs(address.sin_port)), "it is only bound");
	cr_assert_eq(listen(fd, 1), 0);
	cr_expect(http_listens(ntohs(address.sin_port)));
	close(fd);
}

Test(url, leaves_tls)
{
	static const struct {
		const char *from, *to;
		bool leaves;
	} rows[] = {
		{"https://a", "http://a", true},   {"HttpS://a", "http://a", true},  {"https://a", "HTTP://b", true},
		{"https://a", "HTTPS://b", false}, {"https://a", "https://a", false}, {"http://a", "https://a", false},
		{"http://a", "http://b", false},   {"https://a", "https:/b", true},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect_eq(http_leaves_tls(rows[i].from, rows[i].to), rows[i].leaves, "%s %s", rows[i].from, rows[i].to);
}
