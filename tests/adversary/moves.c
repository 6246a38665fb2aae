/* Which move comes next? */

#include "moves.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"

#define GLASS_MS (30 * 60 * 1000)

/* By subject: a sequence that is about one of them has its moves more often. */
static const struct {
    const struct move *moves;
    enum theme theme;
} tables[] = {
    { moves_of_kind, ABOUT_PROVIDER },
    { moves_of_provider, ABOUT_PROVIDER },
    { moves_of_service, ABOUT_PROVIDER },
    { moves_of_data, ABOUT_DATA },
    { moves_raw, ABOUT_PROVIDER },
    { moves_around, ABOUT_ALL },
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))
#define MORE_OFTEN 5

static unsigned weight_of(const struct world *world, size_t table, const struct move *move)
{
    bool is_more = world->theme != ABOUT_ALL && tables[table].theme == world->theme;

    if (!(move->where & (int)world->target->where))
        return 0;
    return is_more ? move->weight * MORE_OFTEN : move->weight;
}

const struct move *moves_draw(struct world *world)
{
    unsigned all = 0, at;

    for (size_t i = 0; i < TABLES; i++) {
        for (const struct move *move = tables[i].moves; move->name; move++)
            all += weight_of(world, i, move);
    }
    at = world_roll(world, all);
    for (size_t i = 0; i < TABLES; i++) {
        for (const struct move *move = tables[i].moves; move->name; move++) {
            if (at < weight_of(world, i, move))
                return move;
            at -= weight_of(world, i, move);
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
