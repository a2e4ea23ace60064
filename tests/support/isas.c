#include "support/isas.h"

#include "kernels/attention_kernels.h"
#include "kernels/bf16.h"
#include "kernels/cpu.h"
#include "kernels/matmul.h"
#include "kernels/ops_kernels.h"
#include "kernels/peak_kernels.h"

extern const struct bf16_kernels bf16_twin_generic, bf16_twin_avx512;
extern const struct matmul_kernels matmul_avxvnni_evex;
extern const struct peak_kernels peak_avxvnni_evex;

/* Ends with a row without a name. */
static const struct isa twins[] = {
	{.name = "avx512bf16's generic twin",
	 .matmul = &matmul_generic, .attention = &attention_generic, .ops = &ops_generic,
	 .peak = &peak_generic, .bf16 = &bf16_twin_generic},
#ifdef HAVE_X86_ISA
	{.name = "avx512bf16's twin", .feature = CPU_AVX512,
	 .matmul = &matmul_avx512, .attention = &attention_avx512, .ops = &ops_avx512,
	 .peak = &peak_avx512, .bf16 = &bf16_twin_avx512},
#endif
#ifdef HAVE_AVXVNNI_ISA
	{.name = "avxvnni's twin", .feature = CPU_AVX512,
	 .matmul = &matmul_avxvnni_evex, .attention = &attention_avx2, .ops = &ops_avx2,
	 .peak = &peak_avxvnni_evex},
#endif
	{.name = NULL},
};

const struct isa *next_isa(const struct isa *isa)
{
	for (isa = isa ? isa + 1 : isa_table;; isa++) {
		if (isa == isa_table + isa_n)
			isa = twins;
		if (!isa->name || isa_usable(isa))
			return isa->name ? isa : NULL;
	}
}
