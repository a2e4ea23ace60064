#include "base/date.h"

#include <time.h>

void date_text(int64_t when, char text[DATE_TEXT_MAX])
{
	time_t then = (time_t)when, now = time(NULL);
	struct tm a, b;

	text[0] = '\0';
	if (localtime_r(&then, &a) && localtime_r(&now, &b))
		strftime(text, DATE_TEXT_MAX, a.tm_year == b.tm_year ? "%b %e %H:%M" : "%b %e %Y", &a);
}
