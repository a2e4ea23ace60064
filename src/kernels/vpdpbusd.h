/* The instruction of AVX-VNNI, for inline assembly: "VPDPBUSD signed, unsigned, sum".
 *
 * Its encoding is named, so that the assembler does not take AVX-512's. A twin of
 * these kernels for the tests takes just that (VPDPBUSD_ENCODING is "evex" then;
 * tests/support/local.mk): the same code in all else, which processors can run that
 * have AVX-512 VNNI and not AVX-VNNI. */
#ifndef SOTTO_KERNELS_VPDPBUSD_H
#define SOTTO_KERNELS_VPDPBUSD_H

#ifndef VPDPBUSD_ENCODING
#define VPDPBUSD_ENCODING "vex"
#endif
#define VPDPBUSD "%{" VPDPBUSD_ENCODING "%} vpdpbusd"

#endif
