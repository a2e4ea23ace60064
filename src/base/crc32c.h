/* CRC-32C (Castagnoli), as in RFC 3720 appendix B.4: notices damage, does not
 * protect against forgery. */
#ifndef SOTTO_BASE_CRC32C_H
#define SOTTO_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32c(const void *bytes, size_t n);

#endif
