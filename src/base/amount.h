/* Amounts as people read them. */
#ifndef SOTTO_BASE_AMOUNT_H
#define SOTTO_BASE_AMOUNT_H

#include <stdint.h>

enum { AMOUNT_TEXT_MAX = 32 };

/* "1.50 GiB", "12.3 MiB", "17 B". Returns `out`. */
const char *amount_bytes(char out[AMOUNT_TEXT_MAX], uint64_t n);
/* In thousands, as the hub shows files: "2.50 GB", "1.3 MB", "66 kB", "17 B". Returns `out`. */
const char *amount_thousands(char out[AMOUNT_TEXT_MAX], uint64_t n);
/* What is an estimate: "<1", "9", "17", "120", two digits. Returns `out`. */
const char *amount_estimate(char out[AMOUNT_TEXT_MAX], double n);
/* "7.24 B" (thousand millions), "134.52 M", "999". Returns `out`. */
const char *amount_count(char out[AMOUNT_TEXT_MAX], uint64_t n);

#endif
