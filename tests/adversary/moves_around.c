/* What does the player do to Probate's connections? */

#include "idle.h"
#include "moves.h"

/* More than are needed to have announced all the memory that bodies may ever have taken. */
#define ANNOUNCING 12

#define SILENT 40

static void announce(struct world *world)
{
    idle_open(world, ANNOUNCING, true);
}

static void say_nothing(struct world *world)
{
    idle_open(world, SILENT, false);
}

static void hang_up(struct world *world)
{
    idle_close(world);
}

const struct move moves_around[] = {
    { "announce bodies", 1, BOTH, announce },
    { "open connections", 1, BOTH, say_nothing },
    { "close all connections", 1, BOTH, hang_up },
    { .name = NULL },
};
