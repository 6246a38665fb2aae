#ifndef PROBATE_KUBE_METRICS_H
#define PROBATE_KUBE_METRICS_H

/* rest_client_requests_total, as controller-runtime names it. Thread-safe. */

/* `status` 0: no answer came. */
void prb_kube_count_request(const char *host, const char *method, int status);

#endif
