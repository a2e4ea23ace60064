#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"

/* SHA-256: FIPS 180-4's examples; git's: what `git hash-object` says. */
static const struct {
	enum digest_kind kind;
	const char *text;
	size_t times;
	const char *digest;
} rows[] = {
	{DIGEST_SHA256, "", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	{DIGEST_SHA256, "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{DIGEST_SHA256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
	 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	{DIGEST_SHA256, "aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
	{DIGEST_GIT, "", 0, "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},
	{DIGEST_GIT, "hello\n", 1, "ce013625030ba8dba906f756967f9e9ca394464a"},
};

Test(digest, is_that_of_the_standards)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i].text);
		char text[DIGEST_TEXT_MAX];
		struct digest *digest;
		struct error err;

		cr_assert_eq(digest_create(&digest, rows[i].kind, n * rows[i].times, &err), STATUS_OK, "%s", err.text);
		for (size_t k = 0; k < rows[i].times; k++)
			digest_add(digest, rows[i].text, n);
		digest_end(digest, text);
		digest_free(digest);
		cr_expect_str_eq(text, rows[i].digest);
		cr_expect_eq(strlen(text), rows[i].kind == DIGEST_GIT ? DIGEST_GIT_LEN : DIGEST_SHA256_LEN);
	}
}

Test(digest, does_not_depend_on_how_bytes_come)
{
	enum { N = 10000 };
	char bytes[N], whole[DIGEST_TEXT_MAX], parts[DIGEST_TEXT_MAX];
	struct digest *digest;
	struct error err;

	for (size_t i = 0; i < N; i++)
		bytes[i] = (char)(i * 7 + i / 251);
	cr_assert_eq(digest_create(&digest, DIGEST_SHA256, 0, &err), STATUS_OK, "%s", err.text);
	digest_add(digest, bytes, N);
	digest_end(digest, whole);
	digest_free(digest);
	cr_assert_eq(digest_create(&digest, DIGEST_SHA256, 0, &err), STATUS_OK, "%s", err.text);
	for (size_t at = 0, n = 1; at < N; at += n, n = n * 3 % 1001 + 1) {
		n = n < N - at ? n : N - at;
		digest_add(digest, bytes + at, n);
	}
	digest_end(digest, parts);
	digest_free(digest);
	cr_expect_str_eq(parts, whole);
	digest_free(NULL);
}
