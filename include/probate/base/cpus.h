#ifndef PROBATE_BASE_CPUS_H
#define PROBATE_BASE_CPUS_H

/* How many processors this process may keep busy. */

/* At least 1: those it may run on, and not more than the quota of its container. */
unsigned prb_cpus_usable(void);

/* The quota of the control group whose files (version 2, else 1) are in `folder`, rounded up; 0: it
 * has none. */
unsigned prb_cpus_quota(const char *folder);

#endif
