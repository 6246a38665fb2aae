#ifndef TESTS_SUPPORT_FAULT_PROXY_H
#define TESTS_SUPPORT_FAULT_PROXY_H

/*
 * An API server that misbehaves on command: a TLS proxy on 127.0.0.1 in front of a real one. It
 * counts every call by verb and resource, keeps the writes in order, and does to chosen calls what
 * networks and servers do at their worst. Everything here may be called from any thread while
 * calls go through.
 *
 * It speaks HTTP/1.1 to both sides, answers of any size but watches are forwarded whole, and never
 * repeats a call: what fails upstream is a cut connection to the client. Clients come under the
 * identity of the kubeconfig given; their own credentials are not passed on, Impersonate headers
 * are.
 *
 * With $PROBATE_TEST_JITTER_MS, each call that is forwarded is held up for a random time of up to so
 * many ms, on its way there or back; $PROBATE_TEST_SEED repeats the times.
 */

#include <stdbool.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/kube/config.h"

#include "support/fault_log.h"
#include "support/fault_rules.h"

struct prb_fault_proxy;

/* In front of the API server of `upstream` (borrowed for the call). Listens when it returns. */
int prb_fault_proxy_start(const struct prb_kube_config *upstream, struct prb_fault_proxy **ret,
        struct prb_error *err);

/* From now on clients come under this identity, of the same server. No client may be connected. */
int prb_fault_proxy_act_as(
        struct prb_fault_proxy *proxy, const struct prb_kube_config *config, struct prb_error *err);

/* Cuts every connection and ends every thread. NULL is fine. */
void prb_fault_proxy_stop(struct prb_fault_proxy *proxy);
PRB_DEFINE_CLEANUP(struct prb_fault_proxy *, prb_fault_proxy_stop)

/* How clients reach it: settings of their own (free them), or the path of a kubeconfig that lives
 * as long as the proxy. */
struct prb_kube_config *prb_fault_proxy_config(const struct prb_fault_proxy *proxy);
const char *prb_fault_proxy_kubeconfig(const struct prb_fault_proxy *proxy);

/* Rules: the first that fits a call decides. See fault_rules.h. */
int prb_fault_proxy_add(struct prb_fault_proxy *proxy, const struct prb_fault_rule *rule);
void prb_fault_proxy_clear(struct prb_fault_proxy *proxy, int rule); /* 0: all */
unsigned prb_fault_proxy_hits(struct prb_fault_proxy *proxy, int rule);

/* At once, to the watches that run now on this resource (NULL: all): cut their connections, or
 * end them with an ERROR event of 410. Returns how many there were. */
unsigned prb_fault_proxy_cut_watches(struct prb_fault_proxy *proxy, const char *resource);
unsigned prb_fault_proxy_expire_watches(struct prb_fault_proxy *proxy, const char *resource);
unsigned prb_fault_proxy_watches(struct prb_fault_proxy *proxy, const char *resource);

/* Off: every connection is cut, new ones end at once, as if the API server were dead. A call that
 * it is working on still gets its answer: the log of writes stays complete. */
void prb_fault_proxy_set_upstream(struct prb_fault_proxy *proxy, bool on);

/* Calls that arrived, whatever became of them; NULL or "*": any. */
unsigned long prb_fault_proxy_count(
        struct prb_fault_proxy *proxy, const char *verb, const char *resource);
unsigned long prb_fault_proxy_count_named(
        struct prb_fault_proxy *proxy, const char *verb, const char *resource, const char *name);

/* The writes in the order in which they were answered; `each` must not call the proxy. */
void prb_fault_proxy_each_write(struct prb_fault_proxy *proxy, prb_fault_write_fn each, void *ctx);

/* Writes that no longer fitted into the log: a check of the log is only worth something at 0. */
unsigned long prb_fault_proxy_lost_writes(struct prb_fault_proxy *proxy);

#endif
