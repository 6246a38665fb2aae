#ifndef PROBATE_MODEL_PROPAGATION_H
#define PROBATE_MODEL_PROPAGATION_H

/* What a DELETE does with the dependents of an object. */
enum prb_propagation {
    PRB_PROPAGATE_DEFAULT, /* as the server decides: Background for almost everything */
    PRB_PROPAGATE_BACKGROUND,
    PRB_PROPAGATE_FOREGROUND,
    PRB_PROPAGATE_ORPHAN,
};

#endif
