#include <criterion/criterion.h>

#include "base/limits.h"
#include "kernels/compute.h"
#include "kernels/peak.h"
#include "kernels/threadpool.h"
#include "support/isas.h"

/* How fast is the machine's business; that something is measured, ours. */
Test(peak, every_instruction_set_has_limits)
{
	for (const struct isa *isa = NULL; (isa = next_isa(isa));) {
		struct compute compute = {NULL, isa};
		struct peak_memory *memory;

		cr_assert_eq(threadpool_create(&compute.pool, 2, NULL), STATUS_OK);
		cr_assert_gt(peak_int8(&compute), 1e6, "%s", compute.isa->name);
		cr_assert_gt(peak_f32(&compute), 1e6, "%s", compute.isa->name);
		cr_assert_eq(peak_bf16(&compute) > 1e6, isa->bf16 != NULL, "%s", compute.isa->name);
		cr_assert_eq(peak_memory_create(&memory, MIB(3) + 1, &compute, NULL), STATUS_OK);
		for (size_t i = 0; i < (size_t)PEAK_WAYS * PEAK_PARTS; i++)
			cr_assert_gt(peak_read(memory, &compute), 1e6, "%s", compute.isa->name);
		for (size_t part = 0; part < PEAK_PARTS; part++)
			cr_assert_gt(peak_product(memory, &compute, part), 1e6, "%s", compute.isa->name);
		peak_memory_free(memory);
		threadpool_free(compute.pool);
	}
}

Test(peak, memory_has_a_least_size_and_a_most)
{
	struct compute compute = {NULL, isa_generic()};
	struct peak_memory *memory;
	struct error err;

	cr_assert_eq(peak_memory_create(&memory, 0, &compute, NULL), STATUS_OK);
	cr_assert_gt(peak_read(memory, &compute), 0);
	cr_assert_gt(peak_product(memory, &compute, 0), 0);
	peak_memory_free(memory);
	cr_assert_neq(peak_memory_create(&memory, (size_t)1 << 60, &compute, &err), STATUS_OK);
	cr_assert_null(memory);
	peak_memory_free(NULL);
}
