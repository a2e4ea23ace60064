#include "kernels/isa.h"

#include <stdio.h>
#include <string.h>

#include "kernels/attention_kernels.h"
#include "kernels/bf16.h"
#include "kernels/cpu.h"
#include "kernels/matmul.h"
#include "kernels/ops_kernels.h"
#include "kernels/peak_kernels.h"

#define KERNELS(isa) \
	.matmul = &matmul_##isa, .attention = &attention_##isa, .ops = &ops_##isa, \
	.peak = &peak_##isa

/* Best last. */
const struct isa isa_table[] = {
	{.name = "generic", KERNELS(generic)},
#ifdef HAVE_X86_ISA
	{.name = "avx2", .feature = CPU_AVX2, KERNELS(avx2)},
#ifdef HAVE_AVXVNNI_ISA
	{.name = "avxvnni", .feature = CPU_AVX_VNNI,
	 .matmul = &matmul_avxvnni, .attention = &attention_avx2, .ops = &ops_avx2,
	 .peak = &peak_avxvnni},
#endif
	{.name = "avx512", .feature = CPU_AVX512, KERNELS(avx512)},
#endif
#ifdef HAVE_AVX512BF16_ISA
	{.name = "avx512bf16", .feature = CPU_AVX512_BF16, KERNELS(avx512), .bf16 = &bf16_avx512bf16},
#endif
#ifdef HAVE_ARM_ISA
	{.name = "neon", .feature = CPU_DOTPROD, KERNELS(neon)},
#endif
};
const size_t isa_n = sizeof isa_table / sizeof isa_table[0];

bool isa_usable(const struct isa *isa)
{
	return (isa->feature & cpu_features()) == isa->feature;
}

static enum status unknown(const char *name, struct error *err)
{
	char names[128] = "auto";
	size_t len = strlen(names);

	for (size_t i = 0; i < isa_n && len < sizeof names; i++)
		len += (size_t)snprintf(names + len, sizeof names - len, ", %s", isa_table[i].name);
	return error_set(err, STATUS_USAGE, "no instruction set '%s': expected one of %s", name,
	                 names);
}

enum status isa_find(const struct isa **out, const char *name, struct error *err)
{
	bool any = !name || !*name || !strcmp(name, "auto");

	*out = NULL;
	for (size_t i = isa_n; i-- > 0;) {
		const struct isa *isa = &isa_table[i];
		bool usable = isa_usable(isa);

		if (any ? !usable : strcmp(name, isa->name) != 0)
			continue;
		if (!usable)
			return error_set(err, STATUS_UNSUPPORTED,
			                 "this machine's processor lacks what '%s' needs", name);
		*out = isa;
		return STATUS_OK;
	}
	return unknown(name, err);
}
