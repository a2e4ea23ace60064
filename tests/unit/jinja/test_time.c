/* strftime of the C library, in the C locale. */
#include "expressions.h"

#include <criterion/criterion.h>

Test(time, conversions)
{
	static const struct expression_case cases[] = {
		{"strftime_now(\"%Y-%m-%d %H:%M:%S\")", "2024-02-26 07:08:09"},
		{"strftime_now(\"%d %b %Y\")", "26 Feb 2024"},
		{"strftime_now(\"%A, %B %e, %I:%M %p %P\")", "Monday, February 26, 07:08 AM am"},
		{"strftime_now(\"%a %h %j %U %W %V %G %g %u %w %y %C\")",
		 "Mon Feb 057 08 09 09 2024 24 1 1 24 20"},
		{"strftime_now(\"%c | %x | %X | %D | %F | %R | %T | %r\")",
		 "Mon Feb 26 07:08:09 2024 | 02/26/24 | 07:08:09 | 02/26/24 | 2024-02-26 | 07:08 | 07:08:09 | 07:08:09 AM"},
		{"strftime_now(\"%-\")", "%-"},
		{"strftime_now(\"%E\")", "%E"},
		{"strftime_now(\"é%dü\")", "é26ü"},
		{"strftime_now(\"%-d %-m %_d %^a\")", "26 2 26 MON"},
		{"strftime_now(\"100% %é %%\")", "100% %é %"},
		/* What Python makes of a time without a zone. */
		{"strftime_now(\"[%Z %z %:z %#Z %^Z %Ez]\")", "[     ]"},
		{"strftime_now(\"%f %H:%M:%S.%f%f\")", "004050 07:08:09.004050004050"},
		{"strftime_now(\"%Ey %Od %EY %OH:%OM %Ex\")", "24 26 2024 07:08 02/26/24"},
		{"strftime_now(\"%6Y %04d %E %O %Ef %-f %q %%f\")", "002024 0026 %E %O %Ef %-f %q %f"},
	};

	check_expressions(cases, sizeof cases / sizeof *cases);
}
