#include "jinja/hash.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static void mix(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

static void absorb(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	mix(v);
	v[0] ^= word;
}

uint32_t hash_bytes(const void *bytes, size_t len)
{
	/* The address at which the program was loaded: random, the same for a whole run, and no
	 * variable that threads share. */
	static const char anchor = 0;
	uint64_t key = (uint64_t)(uintptr_t)&anchor, word;
	uint64_t v[4] = {0x736f6d6570736575 ^ key, 0x646f72616e646f6d ^ ~key,
	                 0x6c7967656e657261 ^ key, 0x7465646279746573 ^ ~key};
	const char *at = bytes;
	size_t left = len;
	uint32_t hash;

	for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
		memcpy(&word, at, sizeof word);
		absorb(v, word);
	}
	word = (uint64_t)len << 56;
	for (size_t i = 0; i < left; i++)
		word |= (uint64_t)(unsigned char)at[i] << (8 * i);
	absorb(v, word);
	v[2] ^= 0xff;
	mix(v);
	mix(v);
	mix(v);
	word = v[0] ^ v[1] ^ v[2] ^ v[3];
	hash = (uint32_t)(word ^ word >> 32);
	return hash ? hash : 1;
}
