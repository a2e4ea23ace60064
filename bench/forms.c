/* How fast AVX2 can add up products of bytes exactly, by the width of the weights: the
 * instructions of the kernels' tiles (kernels/matmul_gemm.h) for a group, with all operands in
 * registers, and forms that were not taken. What the product reaches (bench/matmul avx2, 256
 * columns) is held against these.
 *
 * Eight vectors of sums, of four columns and two vectors of rows; 32 products are a vector of
 * weights times one of activations. A group of 32 columns has eight of them, and ends with its
 * conversion to floats, the product of the scales and a multiply-add. Ports: of three that
 * take vectors, the usual processors have two that multiply.
 * usage: bench/forms */
#include <immintrin.h>
#include <stdint.h>

#include "bench.h"

enum { ROUNDS = 25, GROUPS = 40000, SUMS = 8, GROUP_MACS = SUMS * 8 * 32 };

#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define TIMES_3(X) X X X
#define TIMES_7(X) X X X X X X X
#define TIMES_15(X) TIMES_7(X) TIMES_7(X) X

/* Instructions as such: compilers would leave out what has no use. */
#define DO_3(name, to, x, y) __asm__ volatile(name " %2, %1, %0" : "=x"(to) : "x"(x), "x"(y))
#define FMA(to, x, y) __asm__ volatile("vfmadd231ps %2, %1, %0" : "+x"(to) : "x"(x), "x"(y))

/* Of 16 bits: the first product of bytes, another one, what takes a zero point back. */
#define FIRST(i) DO_3("vpmaddubsw", sum##i, w, a);
#define NEXT(i) \
	{ \
		__m256i pairs; \
		DO_3("vpmaddubsw", pairs, w, a); \
		DO_3("vpaddw", sum##i, sum##i, pairs); \
	}
#define EXCESS(i) DO_3("vpaddw", sum##i, sum##i, one);
#define WIDEN(i) DO_3("vpmaddwd", sum##i, sum##i, one);
#define ADD_32(i) DO_3("vpaddd", sum##i, sum##i, one);
/* Of words. */
#define FIRST_WORDS(i) DO_3("vpmaddwd", sum##i, w, a);
#define NEXT_WORDS(i) \
	{ \
		__m256i pair; \
		DO_3("vpmaddwd", pair, w, a); \
		DO_3("vpaddd", sum##i, sum##i, pair); \
	}
/* Signed bytes, the weight's sign moved to the activation. */
#define NEXT_SIGNED(i) \
	{ \
		__m256i pairs; \
		DO_3("vpsignb", pairs, a, w); \
		DO_3("vpmaddubsw", pairs, w, pairs); \
		DO_3("vpmaddwd", pairs, pairs, one); \
		DO_3("vpaddd", sum##i, sum##i, pairs); \
	}
/* The end of a group; sums of floats lie in memory, as a tile's do. */
#define END(i) \
	{ \
		__m256 f, scale, total = _mm256_load_ps(totals[i]); \
		__asm__ volatile("vcvtdq2ps %1, %0" : "=x"(f) : "x"(sum##i)); \
		DO_3("vmulps", scale, w, a); \
		FMA(total, f, scale); \
		_mm256_store_ps(totals[i], total); \
	}
#define OFFSET(i) \
	{ \
		__m256 total = _mm256_load_ps(totals[i]); \
		FMA(total, w, a); \
		_mm256_store_ps(totals[i], total); \
	}

#define DECLARE(i) __m256i sum##i = _mm256_setzero_si256();
#define USE(i) __asm__ volatile("" : : "x"(sum##i));
#define FORM(name, ...) \
	static void name(size_t groups) \
	{ \
		__m256i w = _mm256_setzero_si256(), a = w, one = _mm256_set1_epi16(1); \
		_Alignas(32) float totals[SUMS][8] = {{0}}; \
\
		for (size_t g = 0; g < groups; g++) { \
			EACH(DECLARE) \
			__VA_ARGS__ \
			EACH(USE) \
		} \
		__asm__ volatile("" : : "m"(totals), "x"(one)); \
	}

/* Two per 32 products, nothing else: what peak_avx2 is. */
FORM(bare, TIMES_7(EACH(NEXT)) EACH(NEXT))
/* 8 products, 8 sums, of which the first begins with the zero point; widen. */
FORM(zero, EACH(FIRST) TIMES_7(EACH(NEXT)) EACH(EXCESS) EACH(WIDEN) EACH(END))
FORM(offset, EACH(FIRST) TIMES_7(EACH(NEXT)) EACH(WIDEN) EACH(END) EACH(OFFSET))
FORM(two_runs, EACH(FIRST) TIMES_3(EACH(NEXT)) EACH(WIDEN) EACH(FIRST) TIMES_3(EACH(NEXT)) EACH(WIDEN)
     EACH(ADD_32) EACH(END) EACH(OFFSET))
#define HALF EACH(FIRST) TIMES_3(EACH(NEXT)) EACH(EXCESS) EACH(WIDEN)
FORM(zero_16, HALF EACH(END) HALF EACH(END))
FORM(whole_scales_16, HALF HALF EACH(ADD_32) EACH(END))
FORM(words, EACH(FIRST_WORDS) TIMES_15(EACH(NEXT_WORDS)) EACH(END))
FORM(signs, TIMES_7(EACH(NEXT_SIGNED)) EACH(NEXT_SIGNED) EACH(END))
/* The upper and the lower half of each weight. */
#define NIBBLES EACH(FIRST) TIMES_7(EACH(NEXT)) EACH(WIDEN)
FORM(nibbles, NIBBLES NIBBLES EACH(ADD_32) EACH(ADD_32) EACH(END))

static const struct {
	const char *name;
	void (*run)(size_t groups);
	double instructions; /* per 32 products */
} forms[] = {
	{"products and sums alone: the peak", bare, 2},
	{"4 or 5 bits, a zero point: Q4_0, Q5_0", zero, 20 / 8.},
	{"4 bits, an offset: Q4_K, Q4_1", offset, 20 / 8.},
	{"5 bits, an offset, two sums: Q5_K, Q5_1", two_runs, 21 / 8.},
	{"6 bits, scales of 16 as floats (not taken)", zero_16, 24 / 8.},
	{"6 bits, scales of 16: Q6_K, Q3_K", whole_scales_16, 22 / 8.},
	{"8 bits as words: Q8_0, IQ4_XS, IQ4_NL", words, 34 / 8.},
	{"8 bits, signs moved (not taken)", signs, 35 / 8.},
	{"8 bits as two nibbles (not taken)", nibbles, 37 / 8.},
};
enum { N_FORMS = sizeof forms / sizeof forms[0] };

int main(void)
{
	double best[N_FORMS] = {0};

	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < N_FORMS; i++) {
			double start = processor_s(), now;

			forms[i].run(GROUPS);
			now = (double)GROUPS * GROUP_MACS / (processor_s() - start) / 1e9;
			best[i] = now > best[i] ? now : best[i];
		}
	printf("%-42s instructions   GMAC/s  share\n", "AVX2, one thread");
	for (size_t i = 0; i < N_FORMS; i++)
		printf("%-42s %12.3f %8.1f %5.0f%%\n", forms[i].name, forms[i].instructions, best[i],
		       100 * best[i] / best[0]);
	return 0;
}
