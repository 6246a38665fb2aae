/* How are instants and lengths of time written, and read back? */

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/clock.h"

#define MS_PER_SECOND INT64_C(1000)
#define MS_PER_DAY (INT64_C(86400) * MS_PER_SECOND)

/* RFC 3339 has four digits for the year. */
#define WALL_MIN_MS (INT64_C(-719528) * MS_PER_DAY)     /* 0000-01-01T00:00:00Z */
#define WALL_MAX_MS (INT64_C(2932897) * MS_PER_DAY - 1) /* 9999-12-31T23:59:59.999Z */

struct civil {
    int year, month, day, hour, minute, second, ms;
};

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

/*
 * Days since 1970-01-01 of a date of the Gregorian calendar. Years are counted from March, so that
 * the leap day is the last of its year, and in eras of 400 years, which all have 146097 days.
 */
static int64_t days_of(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t year_of_era = y - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;

    return era * 146097 + day_of_era - 719468;
}

/* The reverse of days_of. */
static void date_of(int64_t days, struct civil *c)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t doe = z - era * 146097;
    int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    int64_t from_march = (5 * doy + 2) / 153;

    c->day = (int)(doy - (153 * from_march + 2) / 5 + 1);
    c->month = (int)(from_march < 10 ? from_march + 3 : from_march - 9);
    c->year = (int)(yoe + era * 400 + (c->month <= 2 ? 1 : 0));
}

static struct civil civil_of(int64_t wall_ms)
{
    struct civil c = { 0 };
    int64_t days, rest;

    if (wall_ms < WALL_MIN_MS)
        wall_ms = WALL_MIN_MS;
    if (wall_ms > WALL_MAX_MS)
        wall_ms = WALL_MAX_MS;

    days = wall_ms / MS_PER_DAY;
    rest = wall_ms % MS_PER_DAY;
    if (rest < 0) {
        rest += MS_PER_DAY;
        days--;
    }
    date_of(days, &c);
    c.hour = (int)(rest / (3600 * MS_PER_SECOND));
    c.minute = (int)(rest / (60 * MS_PER_SECOND) % 60);
    c.second = (int)(rest / MS_PER_SECOND % 60);
    c.ms = (int)(rest % MS_PER_SECOND);
    return c;
}

void prb_time_format(int64_t wall_ms, char text[PRB_TIME_SIZE])
{
    struct civil c = civil_of(wall_ms);

    (void)snprintf(text, PRB_TIME_SIZE, "%04d-%02d-%02dT%02d:%02d:%02dZ", c.year, c.month, c.day,
            c.hour, c.minute, c.second);
}

void prb_time_format_micro(int64_t wall_ms, char text[PRB_TIME_SIZE])
{
    struct civil c = civil_of(wall_ms);

    (void)snprintf(text, PRB_TIME_SIZE, "%04d-%02d-%02dT%02d:%02d:%02d.%03d000Z", c.year, c.month,
            c.day, c.hour, c.minute, c.second, c.ms);
}

/* `count` digits into *ret, then the character `then` (0: nothing). */
static bool read_field(const char **at, int count, char then, int *ret)
{
    int value = 0;

    for (int i = 0; i < count; i++, (*at)++) {
        if (!isdigit((unsigned char)**at))
            return false;
        value = value * 10 + (**at - '0');
    }
    if (then) {
        if (**at != then)
            return false;
        (*at)++;
    }
    *ret = value;
    return true;
}

/* ".5" is 500 ms; digits past the third are checked and dropped. */
static bool read_fraction(const char **at, int *ret_ms)
{
    int scale = 100;

    *ret_ms = 0;
    if (**at != '.')
        return true;
    (*at)++;
    if (!isdigit((unsigned char)**at))
        return false;
    for (; isdigit((unsigned char)**at); (*at)++) {
        *ret_ms += (**at - '0') * scale;
        scale /= 10;
    }
    return true;
}

/* "Z", "+05:30" or "-08:00", and then the end. Minutes east of Greenwich. */
static bool read_offset(const char *at, int *ret_minutes)
{
    int hours, minutes, sign = *at == '-' ? -1 : 1;

    if (strcmp(at, "Z") == 0) {
        *ret_minutes = 0;
        return true;
    }
    if (*at != '+' && *at != '-')
        return false;
    at++;
    if (!read_field(&at, 2, ':', &hours) || !read_field(&at, 2, 0, &minutes))
        return false;
    if (*at != '\0' || hours > 23 || minutes > 59)
        return false;

    *ret_minutes = sign * (hours * 60 + minutes);
    return true;
}

static bool in_range(const struct civil *c)
{
    if (c->month < 1 || c->month > 12 || c->day < 1 || c->day > days_in_month(c->year, c->month))
        return false;
    /* No leap second, as Go: there is no such instant in Unix time. */
    return c->hour <= 23 && c->minute <= 59 && c->second <= 59;
}

bool prb_time_parse(const char *text, int64_t *ret_ms)
{
    const char *at = text;
    struct civil c;
    int offset;
    int64_t minutes;

    if (!read_field(&at, 4, '-', &c.year) || !read_field(&at, 2, '-', &c.month) ||
            !read_field(&at, 2, 'T', &c.day) || !read_field(&at, 2, ':', &c.hour) ||
            !read_field(&at, 2, ':', &c.minute) || !read_field(&at, 2, 0, &c.second))
        return false;
    if (!read_fraction(&at, &c.ms) || !read_offset(at, &offset) || !in_range(&c))
        return false;

    minutes = (days_of(c.year, c.month, c.day) * 24 + c.hour) * 60 + c.minute - offset;
    *ret_ms = (minutes * 60 + c.second) * MS_PER_SECOND + c.ms;
    return true;
}

void prb_duration_format(int64_t ms, char text[PRB_TIME_SIZE])
{
    static const struct {
        int64_t seconds, minor;
        char unit, minor_unit;
    } steps[] = {
        { 86400, 3600, 'd', 'h' },
        { 3600, 60, 'h', 'm' },
        { 60, 1, 'm', 's' },
    };
    long long seconds = ms > 0 ? ms / MS_PER_SECOND : 0;

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        int rest = (int)(seconds % steps[i].seconds / steps[i].minor);

        if (seconds < steps[i].seconds)
            continue;
        if (rest)
            (void)snprintf(text, PRB_TIME_SIZE, "%lld%c%d%c", seconds / steps[i].seconds,
                    steps[i].unit, rest, steps[i].minor_unit);
        else
            (void)snprintf(
                    text, PRB_TIME_SIZE, "%lld%c", seconds / steps[i].seconds, steps[i].unit);
        return;
    }
    (void)snprintf(text, PRB_TIME_SIZE, "%llds", seconds);
}
