#ifndef TESTS_CLAIMS_KILLS_H
#define TESTS_CLAIMS_KILLS_H

/* The real program, killed again and again while claims are being deleted. */

#include "../cli/program.h"
#include "family.h"

struct kills {
    struct stage *stage;    /* borrowed */
    const char *kubeconfig; /* borrowed: as whom it runs */
    struct program program;
    size_t count;
    uint64_t dice; /* not 0: chooses the moments */
};

/* Make families, and one that is nobody's business; delete them bit by bit, with a kill after each
 * bit; wait for the end, and check the order. `why` is PRB_TEST_WHY_SIZE. */
void kills_play(struct kills *kills, char *why);

#endif
