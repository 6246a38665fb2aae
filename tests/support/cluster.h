#ifndef TESTS_SUPPORT_CLUSTER_H
#define TESTS_SUPPORT_CLUSTER_H

/*
 * The real control plane of the tests: the one that the suite shares, and ones of a test's own
 * that it may break. All through scripts/cluster, whose path is in $PROBATE_TEST_CLUSTER.
 */

#include "probate/base/error.h"
#include "probate/kube/config.h"

/*
 * The shared one: the kubeconfig named by $PROBATE_TEST_KUBECONFIG, else that of cluster "hub".
 * The error says how to start it.
 */
int prb_test_cluster_config(struct prb_kube_config **ret, struct prb_error *err);

/*
 * A verb of scripts/cluster ("up", "down", "kill-apiserver", "start-apiserver") on the cluster
 * "hub" whose state is in `dir`. Its output goes to stderr.
 */
int prb_test_cluster_do(const char *dir, const char *verb, struct prb_error *err);

/* The kubeconfig of the cluster in `dir`. */
int prb_test_cluster_config_in(
        const char *dir, struct prb_kube_config **ret, struct prb_error *err);

#endif
