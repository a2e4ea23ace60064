#include "kernels/vpdpbusd.h"

#define INT8_STEP(i) __asm__ volatile(VPDPBUSD " %2, %1, %0" : "+x"(a##i) : "x"(x), "x"(y));
#define PEAK_KERNELS peak_avxvnni
#include "kernels/peak_ymm.h"
