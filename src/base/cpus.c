/* How many processors may this process keep busy? */

#include "probate/base/cpus.h"

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

/* Where a container sees its own control group. */
#define CONTROL_GROUP "/sys/fs/cgroup"

/* Two numbers at most. */
#define FILE_MAX ((size_t)128)

/* The numbers at the beginning of a file; 0: it has no such file, or no such number. */
static void read_numbers(const char *folder, const char *name, int64_t *first, int64_t *second)
{
    prb_autofree char *path = prb_asprintf("%s/%s", folder, name), *text = NULL;
    struct prb_error err;
    char *rest;
    size_t len;

    *first = *second = 0;
    if (prb_file_read(path, FILE_MAX, &text, &len, &err) < 0)
        return;
    *first = strtoll(text, &rest, 10);
    *second = strtoll(rest, NULL, 10);
}

/* "max" and -1 are no quota. */
unsigned prb_cpus_quota(const char *folder)
{
    int64_t quota, period, unused;

    read_numbers(folder, "cpu.max", &quota, &period);
    if (quota == 0) {
        read_numbers(folder, "cpu/cpu.cfs_quota_us", &quota, &unused);
        read_numbers(folder, "cpu/cpu.cfs_period_us", &period, &unused);
    }
    if (quota <= 0 || period <= 0)
        return 0;
    quota = quota / period + (quota % period > 0);
    return quota < INT32_MAX ? (unsigned)quota : 0;
}

unsigned prb_cpus_usable(void)
{
    unsigned quota = prb_cpus_quota(CONTROL_GROUP), usable = 1;
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
        usable = (unsigned)CPU_COUNT(&set);
    return quota > 0 && quota < usable ? quota : usable;
}
