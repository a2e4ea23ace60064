#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/server_path.h"
#include "config/servers.h"
#include "config/servers_mask.h"
#include "support/folder.h"
#include "support/random.h"

#define CANARY "sk-CANARY7f3a90"

static char dir[] = "/tmp/sotto-test-XXXXXX";
static char path[128];
static struct servers servers;
static struct buf problems;
static struct error err;

static void setup(void)
{
	char config[64];

	cr_assert_not_null(mkdtemp(dir));
	setenv("XDG_CONFIG_HOME", dir, 1);
	setenv("HOME", "/home/me", 1);
	snprintf(config, sizeof config, "%s/sotto", dir);
	cr_assert_eq(mkdir(config, 0700), 0);
	snprintf(path, sizeof path, "%s/servers.yaml", config);
	buf_init(&problems, MIB(1));
}

static void teardown(void)
{
	servers_free(&servers);
	buf_free(&problems);
	remove_folder(dir);
}

TestSuite(servers, .init = setup, .fini = teardown);

static void read_text(const char *text, mode_t mode)
{
	servers_free(&servers);
	buf_clear(&problems);
	write_text(path, text);
	cr_assert_eq(chmod(path, mode), 0);
	cr_assert_eq(servers_read(&servers, NULL, &problems, &err), STATUS_OK, "%s", err.text);
}

/* The problems of a text without the file's path: "3: box: ...". */
static const char *told(void)
{
	const char *text = buf_text(&problems);
	size_t len = strlen(path);

	return strncmp(text, path, len) == 0 && text[len] == ':' ? text + len + 1 : text;
}

Test(servers, none_is_no_error_unless_it_is_named)
{
	cr_assert_eq(servers_read(&servers, NULL, &problems, &err), STATUS_OK);
	cr_assert_eq(servers.n, 0);
	cr_assert_eq(problems.len, 0);
	cr_assert_eq(servers_read(&servers, "/nowhere/servers.yaml", &problems, &err), STATUS_CONFIG);
	cr_assert_not_null(strstr(err.text, "/nowhere/servers.yaml: cannot open"), "%s", err.text);
	cr_assert_eq(servers_read(&servers, dir, NULL, &err), STATUS_CONFIG);
	cr_assert_not_null(strstr(err.text, "is a folder"), "%s", err.text);
}

Test(servers, every_key_is_read)
{
	const struct server_config *box;
	char file[128];

	read_text("box:\n"
	          "  url: http://127.0.0.1:8080\n"
	          "  dialect: llama-server\n"
	          "  key-env: BOX_KEY\n"
	          "  headers: {X-Team: blue, X-Path: \"a: b\"}\n"
	          "  ca: ~/company.pem\n"
	          "  verify: no\n"
	          "  models:\n"
	          "    qwen-72b: {context: 32768, price-in: 0.4, price-out: 1.2, price-cached: 0,\n"
	          "               chat-template: own.jinja}\n"
	          "    other:\n"
	          "far: {url: 'https://llm.example/v1', key-command: [pass, show, ~/box], verify: yes}\n"
	          "pipe: {url: unix:///run/llama.sock, key-command: 'sh -c \"cat x\" ~/y', key-file: }\n", 0644);
	cr_assert_eq(servers.n, 2);
	box = &servers.items[0];
	cr_assert_str_eq(box->name, "box");
	cr_assert_str_eq(box->url, "http://127.0.0.1:8080");
	cr_assert_str_eq(box->dialect, "llama-server");
	cr_assert_str_eq(box->key_env, "BOX_KEY");
	cr_assert_eq(box->n_headers, 2);
	cr_assert_str_eq(box->headers[1].name, "X-Path");
	cr_assert_str_eq(box->headers[1].value, "a: b");
	cr_assert_str_eq(box->ca, "/home/me/company.pem");
	cr_assert(box->is_unverified);
	cr_assert_eq(box->n_models, 2);
	cr_assert_eq(box->models[0].n_ctx, 32768);
	cr_assert_float_eq(box->models[0].price_in, 0.4, 1e-9);
	cr_assert_float_eq(box->models[0].price_out, 1.2, 1e-9);
	cr_assert_eq(box->models[0].price_cached, 0);
	snprintf(file, sizeof file, "%s/sotto/own.jinja", dir);
	cr_assert_str_eq(box->models[0].chat_template, file);
	cr_assert_eq(box->models[1].n_ctx, 0);
	cr_assert_eq(box->models[1].price_in, -1);
	cr_assert_eq(box->line, 1);
	cr_assert_str_eq(box->file, path);
	cr_assert_str_eq(servers.items[1].key_command[2], "/home/me/box");
	cr_assert_null(servers.items[1].key_command[3]);
	cr_assert_not(servers.items[1].is_unverified);
	cr_assert_str_eq(told(), "13: pipe: key-file: expected a text");
	cr_assert_eq(server_find_model(box, "other"), &box->models[1]);
	cr_assert_null(server_find_model(box, "none"));
}

Test(servers, a_command_is_split_without_a_shell)
{
	read_text("a: {url: http://h, key-command: \"op read 'op://x y/z' $HOME \\\"\\\"\"}\n", 0644);
	cr_assert_eq(servers.n, 1, "%s", told());
	cr_assert_str_eq(servers.items[0].key_command[2], "op://x y/z");
	cr_assert_str_eq(servers.items[0].key_command[3], "$HOME");
	cr_assert_str_eq(servers.items[0].key_command[4], "");
	cr_assert_null(servers.items[0].key_command[5]);
}

#define ONE_LINE(line) \
	line ": box: key: a key stands in one line, without backslashes and doubled quotation marks"

/* What stands below "box:", and what is said of it; "": nothing, it is read. */
static const struct {
	const char *text, *problem;
} rows[] = {
	{"{url: http://h:1}", ""},
	{"{url: HTTP://h:1}", ""},
	{"{url: 'http://[::1]:8080/v1'}", ""},
	{"{url: https://h/v1/}", ""},
	{"{url: unix:///a/b.sock}", ""},
	{"{url: unix://b.sock}", "1: box: url: a socket is named by its whole path, as in unix:///run/llama.sock"},
	{"{url: h:8080}", "1: box: url: expected http://HOST:PORT, https://HOST or unix:///PATH"},
	{"{url: ftp://h}", "1: box: url: expected http://HOST:PORT, https://HOST or unix:///PATH"},
	{"{url: 'http://'}", "1: box: url: expected http://HOST:PORT, https://HOST or unix:///PATH"},
	{"{url: 'http:///v1'}", "1: box: url: expected http://HOST:PORT, https://HOST or unix:///PATH"},
	{"{url: 'http://:80'}", "1: box: url: expected http://HOST:PORT, https://HOST or unix:///PATH"},
	{"{url: http://a b}", "1: box: url: has a blank"},
	{"{url: \"http://a\\nb\"}", "1: box: url: has a line break or another control character"},
	{"{url: 'https://me:" CANARY "@h'}",
	 "1: box: url: takes no name and password: use key-env, key-command or key-file"},
	{"{url: 'https://h/v1?key=" CANARY "'}",
	 "1: box: url: takes no '?' and no '#': a key goes into key-env, key-command or key-file"},
	{"{url: 'http://h/a@b'}", ""},
	{"{url: [http://h]}", "1: box: url: expected a text"},
	{"{url: ~}", "1: box: url: expected a text"},
	{"{url: ''}", "1: box: url: expected a text"},
	{"{dialect: ollama}", "1: box: has no url"},
	{"", "1: box: expected lines below it, indented: 'url: http://HOST:PORT'"},
	{"http://h", "1: box: expected lines below it, indented: 'url: http://HOST:PORT'"},
	{"[url, http://h]", "1: box: expected lines below it, indented: 'url: http://HOST:PORT'"},
	{"{}", "1: box: has no url"},
	{"{url: http://h, url: http://h}", "1: box: url is given twice"},
	{"{url: http://h, key_env: X}", "1: box: there is no 'key_env', did you mean 'key-env'?"},
	{"{url: http://h, kee-env: X}", "1: box: there is no 'kee-env', did you mean 'key-env'?"},
	{"{url: http://h, " CANARY ": X}", "1: box: a name that is none of those known (sotto-servers(5) lists them)"},
	{"{url: http://h, dialect: {a: b}}", "1: box: dialect: expected a text"},
	{"{url: http://h, key-env: " CANARY "}",
	 "1: box: key-env: expected the name of a variable, such as BOX_KEY"},
	{"{url: http://h, key-env: $BOX}", "1: box: key-env: expected the name of a variable, such as BOX_KEY"},
	{"{url: http://h, key-env: 1X}", "1: box: key-env: expected the name of a variable, such as BOX_KEY"},
	{"{url: http://h, key-env: \"B\\x4FX\"}", "1: box: key-env: expected the name of a variable, such as BOX_KEY"},
	{"{url: http://h, key-env: [A]}", "1: box: key-env: expected the name of a variable, such as BOX_KEY"},
	{"{url: http://h, key-env: 'BOX_KEY'}", ""},
	{"{url: http://h, key-command: []}", "1: box: key-command: names no program"},
	{"{url: http://h, key-command: ['']}", "1: box: key-command: names no program"},
	{"{url: http://h, key-command: ''}", "1: box: key-command: expected a text"},
	{"{url: http://h, key-command: '  '}", "1: box: key-command: names no program"},
	{"{url: http://h, key-command: {a: b}}", "1: box: key-command: expected a command or a list of its words"},
	{"{url: http://h, key-command: [a, [b]]}", "1: box: key-command: expected a list of words"},
	{"{url: http://h, key-command: [a, \"b\\nc\"]}", "1: box: key-command: expected a list of words"},
	{"{url: http://h, key-command: \"a 'b\"}", "1: box: key-command: a quotation mark is not closed"},
	{"{url: http://h, key-file: [x]}", "1: box: key-file: expected a text"},
	{"{url: http://h, key-env: A, key-file: b}",
	 "1: box: has several keys: only one of key-env, key-command, key-file and key may be there"},
	{"{url: http://h, key: [a]}", "1: box: key: expected a text"},
	{"{url: http://h, key: }", "1: box: key: expected a text"},
	{"{url: http://h, key: \"a\\tb\"}", ONE_LINE("1")},
	{"{url: http://h, key: 'a''b'}", ONE_LINE("1")},
	{"\n  url: http://h\n  key: |\n    abc\n", ONE_LINE("3")},
	{"\n  url: http://h\n  key: abc\n    def\n", ONE_LINE("3")},
	{"{url: http://h, key: null}", "1: box: key: expected a text"},
	{"{url: http://h, key: ''}", "1: box: key: expected a text"},
	{"{url: http://h, models: {a-key-b: null, c-token: {context: 5}}}", ""},
	{"{url: http://h, headers: }", ""},
	{"{url: http://h, headers: {}}", ""},
	{"{url: http://h, headers: X}", "1: box: headers: expected lines 'Name: value', indented"},
	{"{url: http://h, headers: [X]}", "1: box: headers: expected lines 'Name: value', indented"},
	{"{url: http://h, headers: {'a b': c}}", "1: box: headers: expected 'Name: value'"},
	{"{url: http://h, headers: {'a\xc3\xa4': c}}", "1: box: headers: expected 'Name: value'"},
	{"{url: http://h, headers: {X-A: \"b\\r\\nc\"}}", "1: box: headers: has a line break or another control character"},
	{"{url: http://h, headers: {X-A: \"b\\x7f\"}}", "1: box: headers: has a line break or another control character"},
	{"{url: http://h, headers: {X-A: }}", "1: box: headers: expected a text"},
	{"{url: http://h, headers: {X-A: [a]}}", "1: box: headers: expected a text"},
	{"{url: http://h, headers: {X-A: a, x-a: b}}", "1: box: headers: one is given twice"},
	{"{url: http://h, headers: {Content-Length: 3}}", "1: box: headers: Content-Length is not to be set"},
	{"{url: http://h, headers: {host: a}}", "1: box: headers: host is not to be set"},
	{"{url: http://h, key-env: A, headers: {authorization: Basic x}}",
	 "1: box: has a key and a header Authorization, which is where the key goes"},
	{"{url: http://h, ca: {a: b}}", "1: box: ca: expected a text"},
	{"{url: http://h, verify: maybe}", "1: box: verify: expected yes or no"},
	{"{url: http://h, verify: }", "1: box: verify: expected yes or no"},
	{"{url: http://h, verify: [no]}", "1: box: verify: expected yes or no"},
	{"{url: http://h, verify: False}", ""},
	{"{url: http://h, models: }", ""},
	{"{url: http://h, models: [a]}", "1: box: models: expected 'MODEL: {context: 32768}'"},
	{"{url: http://h, models: {a: 5}}", "1: box: models: expected 'MODEL: {context: 32768}'"},
	{"{url: http://h, models: {a: {}, a: {}}}", "1: box: a model is given twice"},
	{"{url: http://h, models: {'': {}}}", "1: box: models: expected a text"},
	{"{url: http://h, models: {a: {context: 0}}}", "1: box: context: expected a number of tokens, such as 32768"},
	{"{url: http://h, models: {a: {context: 32k}}}", "1: box: context: expected a number of tokens, such as 32768"},
	{"{url: http://h, models: {a: {context: -1}}}", "1: box: context: expected a number of tokens, such as 32768"},
	{"{url: http://h, models: {a: {context: 268435456}}}", ""},
	{"{url: http://h, models: {a: {context: 268435457}}}",
	 "1: box: context: expected a number of tokens, such as 32768"},
	{"{url: http://h, models: {a: {price-in: -1}}}",
	 "1: box: price-in: expected dollars for a million tokens, such as 0.4"},
	{"{url: http://h, models: {a: {price-out: cheap}}}",
	 "1: box: price-out: expected dollars for a million tokens, such as 0.4"},
	{"{url: http://h, models: {a: {price-cached: [1]}}}",
	 "1: box: price-cached: expected dollars for a million tokens, such as 0.4"},
	{"{url: http://h, models: {a: {price: 1}}}", "1: box: there is no 'price', did you mean 'price-in'?"},
	{"{url: http://h, models: {a: {chat-template: [x]}}}", "1: box: chat-template: expected a text"},
	{"{url: http://h, key: #" CANARY "\n }", "2: box: key: expected a text"},
	{"\n  url: http://h\n  key: #" CANARY, "3: a # begins a comment: a value that begins with it needs quotes"},
	{"{url: http://h, key: &" CANARY " x}", "1: a text that begins with & needs quotes"},
	{"{url: http://h, key: *" CANARY "}", "1: a text that begins with * needs quotes"},
	{"{url: http://h, key: !" CANARY " x}", "1: a text that begins with ! needs quotes"},
};

Test(servers, every_wrong_value_is_told_and_the_others_are_read)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		bool is_good = !rows[i].problem[0];
		struct buf text = {.max = KIB(64)};

		buf_printf(&text, "box: %s\nlast: {url: http://h}\n", rows[i].text);
		read_text(buf_text(&text), 0600);
		cr_expect_str_eq(told(), rows[i].problem, "%s: %s", rows[i].text, told());
		cr_expect_eq(servers.n, is_good ? 2u : 1u, "%s", rows[i].text);
		cr_expect(servers.n && strcmp(servers.items[servers.n - 1].name, "last") == 0, "%s", rows[i].text);
		servers_free(&servers);
		cr_expect_eq(servers_read(&servers, path, NULL, &err), is_good ? STATUS_OK : STATUS_CONFIG, "%s",
		             rows[i].text);
		cr_expect(is_good || !strstr(err.text, CANARY), "%s", err.text);
		buf_free(&text);
	}
}

Test(servers, names)
{
	static const char *const good[] = {"a", "box-1", "a.b_c", "0"};
	static const char *const bad[] = {"-a", "a/b", "a b", "\"\"", "\xc3\xa4", ".a", "a:b"};
	char text[64];

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		snprintf(text, sizeof text, "%s: {url: http://h}\n", good[i]);
		read_text(text, 0644);
		cr_expect_eq(servers.n, 1, "%s: %s", good[i], told());
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(text, sizeof text, "%s: {url: http://h}\n", bad[i]);
		read_text(text, 0644);
		cr_expect_eq(servers.n, 0, "%s", bad[i]);
		cr_expect_not_null(strstr(told(), "a server's name has letters"), "%s: %s", bad[i], told());
	}
	read_text("a: {url: http://h}\nb: {url: http://h}\na: {url: http://i}\n", 0644);
	cr_assert_eq(servers.n, 2);
	cr_assert_str_eq(told(), "3: there is a server 'a' in line 1 already");
}

Test(servers, any_line_ends_and_a_byte_order_mark)
{
	read_text("\xEF\xBB\xBF# mine\r\nbox: # near\r\n  url: http://h # it\r\n\r\n  verify: no\r\n", 0644);
	cr_assert_eq(servers.n, 1, "%s", told());
	cr_assert_str_eq(servers.items[0].url, "http://h");
	cr_assert(servers.items[0].is_unverified);
	cr_assert_eq(servers.items[0].line, 2);
	read_text("", 0644);
	cr_assert_eq(servers.n + problems.len, 0);
	read_text("# nothing\n", 0644);
	cr_assert_eq(servers.n + problems.len, 0);
	read_text("- a\n- b\n", 0644);
	cr_assert_eq(servers.n, 0);
	cr_assert_str_eq(told(), "1: expected lines 'name: value'");
}

/* Not even a part of it: what is left out may be the line with the key, or with the address. */
Test(servers, what_is_no_yaml_is_left_out_whole)
{
	read_text("a: {url: http://h}\nbox:\n  url: http://i\n\tkey-env: BOX\nz: {url: http://j}\n", 0644);
	cr_assert_eq(servers.n, 2);
	cr_assert_str_eq(servers.items[1].name, "z");
	cr_assert_str_eq(told(), "4: a tab does not indent a line: blanks do");
	read_text("a: {url: http://h}\nbox:\n  url: http://i\n  key: \"" CANARY "\nz: {url: http://j}\n", 0600);
	cr_assert_eq(servers.n, 2, "%s", told());
	cr_assert_null(strstr(told(), CANARY), "%s", told());
}

Test(servers, a_key_in_clear_wants_a_file_of_ones_own)
{
	static const mode_t others[] = {0604, 0640, 0644, 0660, 0620};
	static const char text[] = "box: {url: http://h, key: " CANARY "}\n";

	read_text(text, 0600);
	cr_assert_eq(servers.n, 1, "%s", told());
	cr_assert_str_eq(secret_text(servers.items[0].key), CANARY);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		read_text(text, others[i]);
		cr_expect_eq(servers.n, 0);
		cr_expect_not_null(strstr(told(), "`chmod 600 "), "%s", told());
		cr_expect_null(strstr(told(), CANARY));
	}
	read_text("box: {url: http://h, headers: {api-key: " CANARY "}}\n", 0644);
	cr_assert_eq(servers.n, 0);
	cr_assert_not_null(strstr(told(), "box: headers: a key in clear"), "%s", told());
	read_text("box: {url: http://h, headers: {X-Auth: " CANARY "}}\n", 0600);
	cr_assert_eq(servers.n, 1);
}

/* A key is what stands there, whatever YAML has around it. */
Test(servers, a_key_in_clear_is_taken_as_it_is)
{
	static const struct {
		const char *text, *key;
	} keys[] = {
		{"box: {url: http://h, key: " CANARY "}\n", CANARY},
		{"box: {url: http://h, key: \"" CANARY "\", verify: no}\n", CANARY},
		{"box:\n  key: '" CANARY "'\n  url: http://h\n", CANARY},
		{"box:\r\n  url: http://h\r\n  key: " CANARY " # mine\r\n", CANARY},
		{"\xEF\xBB\xBF# \xC3\xA4\xF0\x9F\x98\x80\nbox:\n  url: http://h\n  key:   a:b,c#d@" CANARY "   \n", "a:b,c#d@" CANARY},
		{"box:\n  url: http://h\n  \"key\" : " CANARY "\n", CANARY},
		{"box:\n  url: http://h\n  ? key\n  : " CANARY "\n", CANARY},
		{"box:\n  url: http://h\n  key:\n    " CANARY "\n", CANARY},
		{"bad: {url: h}\nworse: [\nbox: {url: http://h, key: \"\xC3\xA4 b\"}\n", "\xC3\xA4 b"},
	};

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		read_text(keys[i].text, 0600);
		cr_assert_eq(servers.n, 1, "%s: %s", keys[i].text, told());
		cr_expect_str_eq(secret_text(servers.items[0].key), keys[i].key, "%s: %s", keys[i].text,
		                 secret_text(servers.items[0].key));
	}
	read_text("box: {url: http://h, headers: {Authorization: Basic " CANARY ", X-A: b}}\n", 0600);
	cr_assert_str_eq(servers.items[0].headers[0].value, "Basic " CANARY);
	cr_assert_str_eq(servers.items[0].headers[1].value, "b");
}

/* libyaml does not get it. */
Test(servers, keys_are_masked)
{
	static const char *const texts[][2] = {
		{"key: sk-1\n", "key: xxxx\n"}, {"{key: \"sk-1 2\", b: c}", "{key: \"xxxx x\", b: c}"},
		{"  'key' :sk\nurl: a", "  'key' :xx\nurl: a"}, {"X-Api-Key: a,b", "X-Api-Key: x,b"},
		{"Authorization: Basic ab==\r\n", "Authorization: xxxxx xxxx\r\n"}, {"key-env: AB", "key-env: AB"},
		{"key-command: [a]", "key-command: [a]"}, {"token:\n  url: b", "token:\n  url: b"},
		{"my-key: {context: 5}", "my-key: {context: 5}"}, {"key: null", "key: null"}, {"key: nulls", "key: xxxxx"},
		{"key: \"a\\tb\"", "key: \"x\\tb\""}, {"key: 'a''b'", "key: 'x''b'"}, {"monkey", "monkey"}, {"key", "key"},
		{"key:", "key:"}, {"key: ", "key: "}, {"key: '", "key: '"},
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		char text[64];

		snprintf(text, sizeof text, "%s", texts[i][0]);
		servers_mask_keys(text, strlen(text));
		cr_expect_str_eq(text, texts[i][1], "%s: %s", texts[i][0], text);
	}
}

/* It says which programs are run, and who gets the keys. */
Test(servers, a_file_that_everybody_may_write_is_not_read)
{
	write_text(path, "box: {url: http://h}\n");
	cr_assert_eq(chmod(path, 0666), 0);
	cr_assert_eq(servers_read(&servers, NULL, &problems, &err), STATUS_CONFIG);
	cr_assert_not_null(strstr(err.text, "everybody may write it: `chmod go-w`"), "%s", err.text);
}

/* At each limit, and one past it. */
Test(servers, limits)
{
	for (int over = 0; over < 2; over++) {
		struct buf text = {.max = LIMIT_YAML_BYTES};

		for (int i = 0; i < LIMIT_SERVERS + over; i++)
			buf_printf(&text, "s%d: {url: http://h}\n", i);
		read_text(buf_text(&text), 0600);
		cr_expect_eq(servers.n, LIMIT_SERVERS);
		cr_expect_str_eq(told(), over ? "101: more than 100 servers" : "");
		buf_clear(&text);
		buf_puts(&text, "box:\n  url: http://h\n  models:\n");
		for (int i = 0; i < LIMIT_SERVER_MODELS + over; i++)
			buf_printf(&text, "    m%d:\n", i);
		read_text(buf_text(&text), 0600);
		cr_expect_eq(servers.n, !over);
		cr_expect_str_eq(told(), over ? "1004: box: more than 1000 models" : "");
		buf_clear(&text);
		buf_puts(&text, "box:\n  url: http://h\n  headers:\n");
		for (int i = 0; i < LIMIT_SERVER_HEADERS + over; i++)
			buf_printf(&text, "    X-%d: a\n", i);
		read_text(buf_text(&text), 0600);
		cr_expect_str_eq(told(), over ? "36: box: more than 32 headers" : "");
		buf_clear(&text);
		buf_puts(&text, "box:\n  url: http://h\n  key-command:\n");
		for (int i = 0; i < LIMIT_SERVER_COMMAND + over; i++)
			buf_puts(&text, "    - a\n");
		read_text(buf_text(&text), 0600);
		cr_expect_str_eq(told(), over ? "68: box: key-command: more than 64 words" : "");
		buf_clear(&text);
		buf_puts(&text, "box: {url: http://h, dialect: ");
		for (int i = 0; i < LIMIT_SERVER_TEXT + over; i++)
			buf_putc(&text, 'a');
		buf_puts(&text, "}\n");
		read_text(buf_text(&text), 0600);
		cr_expect_str_eq(told(), over ? "1: box: dialect: longer than 2048 bytes" : "");
		buf_free(&text);
	}
}

Test(servers, are_found_by_name)
{
	const struct server_config *found;

	cr_assert_eq(servers_find(&servers, "box", 3, &found, &err), STATUS_NOTFOUND);
	cr_assert_str_eq(err.text, "there is no server 'box': servers.yaml names none; `sotto servers` says how to begin");
	read_text("box: {url: http://h}\nfar: {url: http://h}\n", 0644);
	cr_assert_eq(servers_find(&servers, "far/x", 3, &found, &err), STATUS_OK);
	cr_assert_str_eq(found->name, "far");
	cr_assert_eq(servers_find(&servers, "bo", 2, &found, &err), STATUS_NOTFOUND);
	cr_assert_str_eq(err.text, "there is no server 'bo', did you mean 'box'?");
	cr_assert_eq(servers_find(&servers, "xyzzy", 5, &found, &err), STATUS_NOTFOUND);
	cr_assert_str_eq(err.text, "there is no server 'xyzzy'; there are box, far");
	cr_assert_null(found);
	cr_assert(server_path_is("server:box/a") && !server_path_is("./server:box") && !server_path_is(NULL));
}

/* ... whatever is wrong with others; and what is wrong with itself is said. */
Test(servers, one_is_opened)
{
	static const struct {
		const char *text, *name, *error; /* "": it is there */
	} names[] = {
		{"box: {url: http://h}\nbad: {url: h}\n", "box", ""},
		{"box: {url: http://h}\nbad: {url: h}\n", "bad",
		 ":2: bad: url: expected http://HOST:PORT, https://HOST or unix:///PATH"},
		{"box: {url: http://h}\nbad: {url: h}\n", "bo", "there is no server 'bo', did you mean 'box'?; besides, "},
		{"box: {url: http://h}\nz: [\n", "z", "there is no server 'z'; there are box; besides, "},
		{"{box: {url: http://h}\n", "box", ":1: "},
		{"bad: {url: h}\n", "box", ":1: bad: url: expected http://HOST:PORT, https://HOST or unix:///PATH"},
		{"box: {url: http://h}\n", "", "which server? `sotto servers` lists them, and server:NAME takes one"},
		{"box: {url: http://h}\n", "bo", "there is no server 'bo', did you mean 'box'?"},
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct server_config *found;
		enum status status;

		servers_free(&servers);
		write_text(path, names[i].text);
		err.text[0] = '\0';
		status = servers_open(&servers, NULL, names[i].name, strlen(names[i].name), &found, &err);
		cr_expect_eq(!status, !names[i].error[0], "%s: %s", names[i].name, err.text);
		cr_expect(!status || servers.n || status == STATUS_CONFIG, "%s", names[i].text);
		cr_expect_not_null(strstr(err.text, names[i].error), "%s: %s", names[i].name, err.text);
		cr_expect(status || strcmp(found->name, names[i].name) == 0);
	}
}

static bool has_variable(char **variables, const char *name)
{
	size_t len = strlen(name);

	for (; *variables; variables++)
		if (strncmp(*variables, name, len) == 0 && (*variables)[len] == '=')
			return true;
	return false;
}

/* Also where the file is wrong, and where the server is left out. */
Test(servers, programs_do_not_get_the_variables_of_keys)
{
	static const char *const texts[] = {
		"box: {url: http://h, key-env: BOX_KEY}\n", "box: {url: http://h, \"key-env\" : 'BOX_KEY'}\n",
		"box:\n  key-env:\n    BOX_KEY\n", "box: {nonsense: 1, key-env: BOX_KEY}\n", "{{{ key-env: BOX_KEY",
		"box:\r\n  key-env: \"BOX_KEY\"\r\n",
	};
	char **variables;

	setenv("BOX_KEY", CANARY, 1);
	setenv("BOX_KEY_2", "another", 1);
	setenv("HF_TOKEN", CANARY, 1);
	cr_assert_eq(servers_environment(&variables, NULL, &err), STATUS_OK); /* there is no file */
	cr_assert(has_variable(variables, "BOX_KEY"));
	cr_expect(!has_variable(variables, "HF_TOKEN"), "of Hugging Face, from where models are fetched");
	free(variables);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		write_text(path, texts[i]);
		cr_assert_eq(servers_environment(&variables, NULL, &err), STATUS_OK);
		cr_expect(!has_variable(variables, "BOX_KEY"), "%s", texts[i]);
		cr_expect(has_variable(variables, "BOX_KEY_2") && has_variable(variables, "HOME"), "%s", texts[i]);
		free(variables);
	}
	cr_assert_str_eq(getenv("BOX_KEY"), CANARY);
}

/* Of a file that is cut, torn and mixed up: no crash, and nothing of the keys in what is said of it. */
Test(servers, a_thousand_broken_files_say_nothing_of_their_keys, .timeout = 60)
{
	static const char text[] =
		"# mine\nbox:\n  url: http://127.0.0.1:8080\n  key: " CANARY "\n  headers: {api-key: '" CANARY "', X-A: b}\n"
		"far: {url: https://h/v1, key: \"" CANARY "\", models: {a: {context: 5, price-in: 1}, \"b c\": }}\n"
		"z:\n  key-command: [pass, \"" CANARY "\"]\n  url: unix:///x\n  verify: no\n  key-file: " CANARY "\n";
	static const char signs[] = ":{}[],'\"#&*!|>-?%@`\n\t \\~x";
	struct test_random random = {.state = 11};
	size_t n_read = 0, n_told = 0;

	for (int i = 0; i < 1000; i++) {
		struct buf broken = {.max = KIB(8)};

		buf_puts(&broken, text);
		for (size_t n = 1 + test_random_below(&random, 3); n; n--) {
			size_t at = test_random_below(&random, broken.len), len = test_random_below(&random, 12);

			if (test_random_below(&random, 2))
				buf_remove(&broken, at, len);
			else
				broken.data[at] = signs[test_random_below(&random, sizeof signs - 1)];
		}
		read_text(buf_text(&broken), 0600);
		n_read += servers.n;
		n_told += problems.len > 0;
		cr_expect(!strstr(told(), "CANARY") && !strstr(told(), "7f3a90"), "%s\n%s", buf_text(&broken), told());
		servers_free(&servers);
		if (servers_read(&servers, NULL, NULL, &err))
			cr_expect(!strstr(err.text, "CANARY") && !strstr(err.text, "7f3a90"), "%s\n%s", buf_text(&broken), err.text);
		buf_free(&broken);
	}
	cr_expect_gt(n_read, 1000);
	cr_expect_gt(n_told, 500);
}
