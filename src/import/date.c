/* When a message was written. */
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "import/value.h"

static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";

/* A number of seconds up to the year 5138 is smaller than any number of milliseconds since 1973, and so on. */
static int64_t from_number(double number)
{
	const double most = 1e11;

	if (!(number > 0 && number < 1e20))
		return 0;
	if (number < most)
		return (int64_t)(number * 1000 + 0.5);
	while (number >= most * 1000)
		number /= 1000;
	return (int64_t)number;
}

/* Of the proleptic Gregorian calendar. */
static int64_t days_since_epoch(int year, int month, int day)
{
	int64_t y = year - (month <= 2), era = y / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

struct moment {
	int year, month, day, hour, minute, second, ms, offset /* minutes east */;
};

static int64_t from_moment(const struct moment *at)
{
	int64_t minutes;

	if (at->year < 1970 || at->year > 9999 || at->month < 1 || at->month > 12 || at->day < 1 || at->day > 31 ||
	    at->hour > 24 || at->minute > 59 || at->second > 60)
		return 0;
	minutes = (days_since_epoch(at->year, at->month, at->day) * 24 + at->hour) * 60 + at->minute - at->offset;
	return (minutes * 60 + at->second) * 1000 + at->ms;
}

/* At most so many digits. */
static bool take_number(const char **at, int most, int *number)
{
	int n = 0;

	for (*number = 0; n < most && number_is_digit(**at); n++)
		*number = *number * 10 + *(*at)++ - '0';
	return n > 0;
}

static bool take_any(const char **at, const char *chars)
{
	const char *from = *at;

	*at += strspn(*at, chars);
	return *at > from;
}

/* ".123456", "123ms": what is beyond milliseconds is cut. */
static int take_fraction(const char **at)
{
	int ms = 0, scale = 100;

	for (; number_is_digit(**at); scale /= 10)
		ms += (*(*at)++ - '0') * scale;
	return ms;
}

/* "Z", "+02:00", "-0530"; nothing. */
static int take_zone(const char *at)
{
	int sign, hours, minutes = 0;

	take_any(&at, " ");
	if (*at != '+' && *at != '-')
		return 0;
	sign = *at++ == '-' ? -1 : 1;
	if (!take_number(&at, 2, &hours))
		return 0;
	take_any(&at, ":");
	take_number(&at, 2, &minutes);
	return sign * (hours * 60 + minutes);
}

/* "6:06am", "06:06:01.5+02:00", "06h06m01s 5ms"; nothing: midnight. */
static void take_time(const char *at, struct moment *moment)
{
	if (!take_number(&at, 2, &moment->hour) || !take_any(&at, ":h "))
		return;
	if (!take_number(&at, 2, &moment->minute))
		return;
	if (strncasecmp(at, "pm", 2) == 0 || strncasecmp(at, " pm", 3) == 0)
		moment->hour = moment->hour % 12 + 12;
	else if (strncasecmp(at, "am", 2) == 0 || strncasecmp(at, " am", 3) == 0)
		moment->hour %= 12;
	if (*at != ':' && *at != 'm') {
		moment->offset = take_zone(at);
		return;
	}
	take_any(&at, ":m ");
	if (take_number(&at, 2, &moment->second) && (*at == '.' || *at == ',')) {
		at++;
		moment->ms = take_fraction(&at);
	}
	moment->offset = take_zone(at);
}

/* "Apr", "April" and whatever letters follow. */
static int take_month(const char **at)
{
	int found = 0;

	for (int i = 0; i < 12 && !found; i++)
		if (strncasecmp(*at, months + 3 * i, 3) == 0)
			found = i + 1;
	while (found && **at && !strchr(" ,.", **at))
		(*at)++;
	return found;
}

static int64_t from_text(const char *at)
{
	struct moment moment = {.year = 0};
	bool found;

	if (number_is_digit(*at)) {
		found = take_number(&at, 4, &moment.year) && take_any(&at, "-/.") && take_number(&at, 2, &moment.month) &&
		        take_any(&at, "-/.") && take_number(&at, 2, &moment.day);
	} else {
		moment.month = take_month(&at);
		found = moment.month && take_any(&at, " .") && take_number(&at, 2, &moment.day) && take_any(&at, " ,") &&
		        take_number(&at, 4, &moment.year);
	}
	if (!found)
		return 0;
	take_any(&at, "T@ ,");
	take_time(at, &moment);
	return from_moment(&moment);
}

int64_t date_of(const struct value *value)
{
	double number;

	if (!value)
		return 0;
	if (value->kind == JSON_OBJECT) /* MongoDB's */
		return date_of(member_get(value, "$date $numberLong"));
	if (value->kind != JSON_NUMBER && value->kind != JSON_STRING)
		return 0;
	if (number_parse_double(value->text, &number))
		return from_number(number);
	return from_text(value->text);
}
