/* How many requests were made, and how did they end? */

#include "metrics.h"

#include <stdio.h>

#include "probate/base/metrics.h"

static struct prb_metric requests = {
    .name = "rest_client_requests_total",
    .help = "Number of HTTP requests, partitioned by status code, method, and host.",
    .type = PRB_COUNTER,
    .labels = { "code", "method", "host" },
};

void prb_kube_count_request(const char *host, const char *method, int status)
{
    char code[16]; /* "-2147483648" */

    (void)snprintf(code, sizeof(code), "%d", status);
    prb_metric_add(&requests, 1, status ? code : "<error>", method, host);
}
