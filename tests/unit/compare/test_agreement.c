#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "compare/agreement.h"

/* "a0.5 b0.25": texts of a letter and their probabilities. */
static struct candidates of(const char *text)
{
	struct candidates out = {.n = 0};

	for (; *text; text += strcspn(text, " "), text += *text == ' ')
		out.best[out.n++] = (struct candidate){.text = {text[0]}, .len = 1, .log_p = log(atof(text + 1))};
	return out;
}

static void add(struct agreement *agreement, const char *told, const char *own)
{
	struct candidates a = of(told), b = of(own);

	cr_assert_eq(agreement_add(agreement, &a, &b, NULL), STATUS_OK);
}

Test(agreement, figures)
{
	struct agreement agreement = {0};

	cr_assert(isinf(agreement_each(&agreement)));
	add(&agreement, "a0.5 b0.25", "a0.25 b0.25 c0.1");
	add(&agreement, "", "a1");
	add(&agreement, "a0.5 b0.25 c0.1 d0.1", "b0.5 x0.2 a0.125 y0.1");
	add(&agreement, "a0.5 b0.4", "x0.5 y0.4 a0.05 b0.04"); /* more than are told do not count */
	cr_assert_eq(agreement.n, 3);
	cr_assert_eq(agreement_first(&agreement), 1);
	cr_assert_float_eq(agreement_each(&agreement), 1.5, 1e-12);
	cr_assert_float_eq(moments_mean(&agreement.same), 1.0 / 3, 1e-12);
	cr_assert_float_eq(moments_mean(&agreement.shared), (1 + 0.5 + 0) / 3, 1e-12);
	cr_assert_eq(agreement.change.n, 2);
	cr_assert_float_eq(agreement.places[0].change, log(2) / 2, 1e-12);
	cr_assert_float_eq(agreement.places[1].change, (log(4) + log(2)) / 2, 1e-12);
	agreement_free(&agreement);
}

Test(agreement, texts)
{
	const struct candidate a = {.text = "ab", .len = 2}, b = {.text = "abc", .len = 3},
	                       c = {.text = "ab", .len = 2, .log_p = -1};

	cr_assert(candidate_same(&a, &c));
	cr_assert_not(candidate_same(&a, &b));
}
