/* SipHash-1-3 (Aumasson and Bernstein, 2012) under a key that differs from run
 * to run: nobody can write a template or a message whose keys all collide. */
#ifndef SOTTO_JINJA_HASH_H
#define SOTTO_JINJA_HASH_H

#include <stddef.h>
#include <stdint.h>

uint32_t hash_bytes(const void *bytes, size_t len); /* never 0 */

#endif
