/* Who can read nothing that is the test's own? */

#include "support/outsider.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probate/base/cleanup.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "support/process.h"

/* podSecurityContext.runAsUser of the chart. */
#define OUTSIDER 65532

/* /proc/PID/status has some 1.5 KB. */
#define STATUS_MAX ((size_t)16 * 1024)

uid_t prb_test_outsider(void)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;

    if (geteuid() == 0)
        return OUTSIDER;
    if (!atomic_flag_test_and_set(&said))
        (void)fprintf(stderr, "this test is not root's: Probate runs as the same user, and that it "
                              "cannot read the administrator's kubeconfig is not shown\n");
    return 0;
}

bool prb_test_outsider_own(const char *path)
{
    uid_t uid = prb_test_outsider();

    return uid == 0 || chown(path, uid, uid) == 0;
}

bool prb_test_outsider_reads(const char *path)
{
    const char *argv[] = { "sh", "-c", "exec 2>/dev/null; : <\"$0\"", path, NULL };

    return prb_test_run(&(struct prb_test_command){ .argv = argv, .uid = prb_test_outsider() },
                   NULL, 0) == 0;
}

bool prb_test_outsider_runs(pid_t pid)
{
    prb_autofree char *path = prb_asprintf("/proc/%d/status", (int)pid);
    prb_autofree char *status = NULL, *user = NULL;
    unsigned uid = prb_test_outsider();
    struct prb_error err;
    size_t len;

    if (prb_file_read(path, STATUS_MAX, &status, &len, &err) < 0)
        return false;
    user = prb_asprintf("\nUid:\t%u\t%u\t%u\t%u\n", uid, uid, uid, uid);
    return strstr(status, user) && strstr(status, "\nCapEff:\t0000000000000000\n") &&
           strstr(status, "\nCapPrm:\t0000000000000000\n");
}
