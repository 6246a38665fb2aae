#ifndef PROBATE_SRC_CLI_LOOP_FLAGS_H
#define PROBATE_SRC_CLI_LOOP_FLAGS_H

/* The flags of a long-running verb: entries of its table for a `struct prb_loop_flags MEMBER` of
 * its OPTIONS. */

#include <stddef.h>
#include <stdint.h>

#include "probate/control/lease.h"

#include "loop.h"

#define PRB_SECOND INT64_C(1000) /* in milliseconds */
#define PRB_MINUTE (60 * PRB_SECOND)

/* In the order of enum prb_log_format and enum prb_log_level, NULL-terminated. */
extern const char *const prb_log_formats[];
extern const char *const prb_log_levels[];

/* Which API server: entries for a `struct prb_source_options SOURCE` of the OPTIONS. */
#define PRB_KUBECONFIG_FLAGS(options, from)                                                     \
    { .name = "kubeconfig",                                                                     \
        .type = PRB_FLAG_TEXT,                                                                  \
        .at = offsetof(options, from.kubeconfig),                                               \
        .value = "FILE",                                                                        \
        .preset_text = "the service account of the pod, else $KUBECONFIG, else ~/.kube/config", \
        .help = "Speak to the API server that FILE names." },                                   \
    {                                                                                           \
        .name = "context", .type = PRB_FLAG_TEXT, .at = offsetof(options, from.context),        \
        .value = "NAME", .preset_text = "its current-context",                                  \
        .help = "The context of the kubeconfig to use."                                         \
    }

#define PRB_SOURCE_FLAGS(options, member, heading)                                             \
    { .section = (heading),                                                                    \
        .name = "embedded",                                                                    \
        .type = PRB_FLAG_TEXT,                                                                 \
        .at = offsetof(options, member.source.embedded),                                       \
        .value = "DIR",                                                                        \
        .help = "Hold the cluster in memory, loaded from the .yaml, .yml and .json manifests " \
                "below DIR. Needs no Kubernetes." },                                           \
            PRB_KUBECONFIG_FLAGS(options, member.source)

#define PRB_WORKERS_FLAGS(options, member)                                                   \
    { .name = "workers",                                                                     \
        .type = PRB_FLAG_INT,                                                                \
        .at = offsetof(options, member.workers),                                             \
        .value = "N",                                                                        \
        .preset = "2",                                                                       \
        .min = 1,                                                                            \
        .max = 64,                                                                           \
        .help = "How many objects each controller looks at side by side." },                 \
    {                                                                                        \
        .name = "dry-run", .type = PRB_FLAG_SWITCH, .at = offsetof(options, member.dry_run), \
        .preset = "false",                                                                   \
        .help = "Send every write as a dry run, and record neither Events nor denials."      \
    }

#define PRB_LEASE_FLAGS(options, member, lease)                                               \
    { .section = "Several replicas",                                                          \
        .name = "leader-elect",                                                               \
        .type = PRB_FLAG_SWITCH,                                                              \
        .at = offsetof(options, member.leader_elect),                                         \
        .preset_text = "true, but false with --embedded or --dry-run",                        \
        .help = "Act only while holding a Lease, so that one replica acts at a time." },      \
            { .name = "lease-namespace",                                                      \
                .type = PRB_FLAG_TEXT,                                                        \
                .at = offsetof(options, member.lease_namespace),                              \
                .value = "NAME",                                                              \
                .preset_text = "that of the service account or context, else probate-system", \
                .help = "The namespace of that Lease; it must exist." },                      \
            { .name = "lease-name",                                                           \
                .type = PRB_FLAG_TEXT,                                                        \
                .at = offsetof(options, member.lease_name),                                   \
                .value = "NAME",                                                              \
                .preset = (lease),                                                            \
                .help = "The name of that Lease." },                                          \
    {                                                                                         \
        .name = "lease-duration", .type = PRB_FLAG_DURATION,                                  \
        .at = offsetof(options, member.lease_duration_ms), .value = "TIME", .preset = "15s",  \
        .min = PRB_SECOND, .max = PRB_LEASE_DURATION_MAX_MS,                                  \
        .help = "How long after the last sign of a leader another one takes over."            \
    }

#define PRB_OPS_FLAG(options, member)                                                             \
    {                                                                                             \
        .section = "Operation", .name = "ops-listen", .type = PRB_FLAG_ADDRESS,                   \
        .at = offsetof(options, member.ops_listen), .value = "ADDR:PORT",                         \
        .preset = "127.0.0.1:8081",                                                               \
        .help = "Where to serve /healthz, /readyz, /metrics and /waiting over plain HTTP; :PORT " \
                "is every interface."                                                             \
    }

#define PRB_LOG_FLAGS(options, member)                                                            \
    { .name = "log-format",                                                                       \
        .type = PRB_FLAG_ENUM,                                                                    \
        .at = offsetof(options, member.log_format),                                               \
        .choices = prb_log_formats,                                                               \
        .preset = "text",                                                                         \
        .help = "How log lines on stderr look." },                                                \
    {                                                                                             \
        .name = "log-level", .type = PRB_FLAG_ENUM, .at = offsetof(options, member.log_level),    \
        .choices = prb_log_levels, .preset = "info", .help = "The least important lines to show." \
    }

#endif
