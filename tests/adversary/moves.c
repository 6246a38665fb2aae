/* Which move comes next? */

#include "moves.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"

#define GLASS_MS (30 * 60 * 1000)

static const struct move *const tables[] = {
    moves_of_kind,
    moves_of_provider,
    moves_of_service,
    moves_of_data,
    moves_around,
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

static unsigned weight_of(const struct world *world, const struct move *move)
{
    return move->where & (int)world->target->where ? move->weight : 0;
}

const struct move *moves_draw(struct world *world)
{
    unsigned all = 0, at;

    for (size_t i = 0; i < TABLES; i++) {
        for (const struct move *move = tables[i]; move->name; move++)
            all += weight_of(world, move);
    }
    at = world_roll(world, all);
    for (size_t i = 0; i < TABLES; i++) {
        for (const struct move *move = tables[i]; move->name; move++) {
            if (at < weight_of(world, move))
                return move;
            at -= weight_of(world, move);
        }
    }
    abort();
}

char *moves_break_glass(void)
{
    const struct prb_clock *clock = prb_clock_system();
    char until[PRB_TIME_SIZE];

    prb_time_format(clock->wall_ms(clock) + GLASS_MS, until);
    return prb_asprintf("until=%s the player says so", until);
}

char *moves_fat(size_t size)
{
    char *text = prb_malloc(size + 1);

    memset(text, '<', size);
    text[size] = '\0';
    return text;
}
