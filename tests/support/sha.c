#include "support/sha.h"

#include <stdio.h>
#include <string.h>

static const uint32_t k256[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
	0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
	0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
	0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t right(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static uint32_t word(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void mix256(struct sha *sha, const unsigned char *block)
{
	uint32_t w[64], s[8];

	memcpy(s, sha->state, sizeof s);
	for (int i = 0; i < 64; i++) {
		uint32_t t1, t2;

		if (i < 16)
			w[i] = word(block + 4 * (size_t)i);
		else
			w[i] = w[i - 16] + w[i - 7] + (right(w[i - 15], 7) ^ right(w[i - 15], 18) ^ w[i - 15] >> 3) +
			       (right(w[i - 2], 17) ^ right(w[i - 2], 19) ^ w[i - 2] >> 10);
		t1 = s[7] + (right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k256[i] + w[i];
		t2 = (right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
		memmove(s + 1, s, 7 * sizeof *s);
		s[4] += t1;
		s[0] = t1 + t2;
	}
	for (int i = 0; i < 8; i++)
		sha->state[i] += s[i];
}

static void mix1(struct sha *sha, const unsigned char *block)
{
	static const uint32_t k[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
	uint32_t w[80], s[5];

	memcpy(s, sha->state, sizeof s);
	for (int i = 0; i < 80; i++) {
		const uint32_t f[] = {(s[1] & s[2]) | (~s[1] & s[3]), s[1] ^ s[2] ^ s[3],
		                      (s[1] & s[2]) | (s[1] & s[3]) | (s[2] & s[3]), s[1] ^ s[2] ^ s[3]};
		uint32_t t;

		w[i] = i < 16 ? word(block + 4 * (size_t)i) : right(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 31);
		t = right(s[0], 27) + f[i / 20] + s[4] + k[i / 20] + w[i];
		memmove(s + 1, s, 4 * sizeof *s);
		s[2] = right(s[2], 2);
		s[0] = t;
	}
	for (int i = 0; i < 5; i++)
		sha->state[i] += s[i];
}

static void mix(struct sha *sha, const unsigned char *block)
{
	(sha->is_sha1 ? mix1 : mix256)(sha, block);
}

void sha256_begin(struct sha *sha)
{
	*sha = (struct sha){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha1_begin(struct sha *sha)
{
	*sha = (struct sha){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}, .is_sha1 = 1};
}

void sha_add(struct sha *sha, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	while (n) {
		size_t at = sha->n % 64, take = 64 - at < n ? 64 - at : n;

		if (take == 64)
			mix(sha, p);
		else
			memcpy(sha->block + at, p, take);
		if (take < 64 && at + take == 64)
			mix(sha, sha->block);
		sha->n += take;
		p += take;
		n -= take;
	}
}

void sha_end(struct sha *sha, char text[65])
{
	static const unsigned char padding[64] = {0x80};
	uint64_t n_bits = sha->n * 8;
	unsigned char length[8];

	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)(n_bits >> (56 - 8 * i));
	sha_add(sha, padding, 64 - (sha->n + 8) % 64);
	sha_add(sha, length, sizeof length);
	for (int i = 0; i < (sha->is_sha1 ? 5 : 8); i++)
		snprintf(text + 8 * (size_t)i, 9, "%08x", sha->state[i]);
}

void sha256_text(const void *bytes, size_t n, char text[65])
{
	struct sha sha;

	sha256_begin(&sha);
	sha_add(&sha, bytes, n);
	sha_end(&sha, text);
}

void sha1_git_text(const void *bytes, size_t n, char text[65])
{
	struct sha sha;
	char head[40];

	sha1_begin(&sha);
	sha_add(&sha, head, (size_t)snprintf(head, sizeof head, "blob %zu", n) + 1);
	sha_add(&sha, bytes, n);
	sha_end(&sha, text);
}
