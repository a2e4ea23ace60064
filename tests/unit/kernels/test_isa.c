#include <criterion/criterion.h>
#include <string.h>

#include "kernels/isa.h"
#include "support/isas.h"

Test(isa, each_is_found_by_its_name_where_the_processor_has_it)
{
	for (size_t i = 0; i < isa_n; i++) {
		const struct isa *isa;
		struct error err = {0};
		enum status status = isa_find(&isa, isa_table[i].name, &err);

		if (isa_usable(&isa_table[i])) {
			cr_assert_eq(status, STATUS_OK, "%s", isa_table[i].name);
			cr_assert_eq(isa, &isa_table[i]);
			continue;
		}
		cr_assert_eq(status, STATUS_UNSUPPORTED, "%s", isa_table[i].name);
		cr_assert_null(isa);
		cr_assert(strstr(err.text, "this machine's processor lacks"), "%s", err.text);
		cr_assert(strstr(err.text, isa_table[i].name), "%s", err.text);
	}
}

Test(isa, without_a_name_it_is_the_best)
{
	static const char *const names[] = {NULL, "", "auto"};
	const struct isa *best = isa_generic();

	for (size_t i = 0; i < isa_n; i++)
		if (isa_usable(&isa_table[i]))
			best = &isa_table[i];
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct isa *isa;

		cr_assert_eq(isa_find(&isa, names[i], NULL), STATUS_OK);
		cr_assert_eq(isa, best);
	}
}

Test(isa, an_unknown_name_is_told_all_there_are)
{
	const struct isa *isa;
	struct error err = {0};

	cr_assert_eq(isa_find(&isa, "avx1024", &err), STATUS_USAGE);
	for (size_t i = 0; i < isa_n; i++)
		cr_assert(strstr(err.text, isa_table[i].name), "%s", err.text);
}
