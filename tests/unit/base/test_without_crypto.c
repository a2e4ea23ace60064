#include <criterion/criterion.h>
#include <string.h>

#include "base/digest.h"

Test(without_crypto, there_are_no_digests)
{
	struct digest *digest;
	struct error err;

	cr_assert_eq(digest_create(&digest, DIGEST_SHA256, 0, &err), STATUS_UNSUPPORTED);
	cr_assert_null(digest);
	cr_assert_not_null(strstr(err.text, "built without libcrypto"));
	digest_free(digest);
}
