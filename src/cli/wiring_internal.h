#ifndef PROBATE_SRC_CLI_WIRING_INTERNAL_H
#define PROBATE_SRC_CLI_WIRING_INTERNAL_H

/* The joined parts, as the wiring*.c files share them. */

#include "probate/control/informer.h"
#include "probate/control/lease.h"
#include "probate/control/notes.h"
#include "probate/control/recorder.h"
#include "probate/control/runner.h"

#include "wiring.h"

enum prb_role {
    PRB_ROLE_ALONE,   /* no election: acts always */
    PRB_ROLE_STANDBY, /* another one acts, or nobody does yet */
    PRB_ROLE_LEADER,
};

struct prb_wiring {
    struct prb_api *api; /* borrowed */
    struct prb_wiring_options options;
    struct prb_informers *informers;      /* owned, as all below */
    struct prb_informers *side_informers; /* over options.sides; NULL: nobody looks at the hub */
    struct prb_recorder *recorder;        /* NULL: no Events */
    struct prb_notes *notes;              /* NULL: no notes */
    struct prb_runner **runners;          /* fixed once joined */
    size_t runner_count;
    bool has_run; /* prb_wiring_run was called */
    struct prb_store **rule_stores; /* owned table, fixed once joined; each store once */
    size_t rule_store_count;
    struct prb_lease *lease;       /* NULL: no election */
    _Atomic int64_t safe_until_ms; /* monotonic: nobody else can lead before */

    /* What the ops server's thread looks at before it touches anything above. */
    _Atomic bool joined; /* informers and runners are there */
    _Atomic bool draining;
    _Atomic bool failed;
    _Atomic int role; /* enum prb_role */
};

#endif
