/* Does any deletion get lost when Probate is killed at random? */

#include "kills.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"

#include "account.h"
#include "rows.h"
#include "support/wait.h"

/* Deletions for each kill: 20 for 8. */
#define DELETIONS(kills) (((kills)*20 + 7) / 8)

/* A life ends in the middle of a deletion, after at most so many events: a family takes some 40 to
 * go, and a life is given two or three. Or after this time, where nothing happens at all. */
#define EVENTS_MAX 60
#define LIFE_MS 10000

/* Who is killed keeps the lease so long. */
#define LEASE "1s"

#define LEAVES_EACH 3

/* The same on every machine: xorshift64. */
static uint64_t roll(struct kills *kills, uint64_t limit)
{
    kills->dice ^= kills->dice << 13;
    kills->dice ^= kills->dice >> 7;
    kills->dice ^= kills->dice << 17;
    return kills->dice % limit;
}

static void start(struct kills *kills)
{
    program_start(&kills->program,
            (const char *const[]){ "--kubeconfig", kills->kubeconfig, "--controllers", "claims",
                    "--rules", "claim-delete-policy", "--lease-namespace", ACCOUNT_NAMESPACE,
                    "--lease-duration", LEASE, "--shutdown-delay", "0s", NULL });
}

static bool leads(struct kills *kills)
{
    return program_is_ready(&kills->program) &&
           program_shows(&kills->program, "/readyz?verbose", "[i] leader: this one leads");
}

static size_t events(struct stage *stage)
{
    size_t sum = 0;

    for (enum sort sort = 0; sort < SORTS; sort++)
        sum += prb_watch_log_count(stage->logs[sort]);
    return sum;
}

static size_t count_underway(struct family *families, size_t count)
{
    size_t underway = 0;

    for (size_t i = 0; i < count; i++)
        underway += stage_deleted_at(families[i].stage, CLAIM, families[i].id) > 0 &&
                    stage_gone_at(families[i].stage, CLAIM, families[i].id) == 0;
    return underway;
}

/* Is the life of this one over? */
struct life {
    struct stage *stage;
    struct family *families;
    size_t count;
    size_t until; /* events */
};

static bool is_over(void *ctx)
{
    const struct life *life = ctx;

    return events(life->stage) >= life->until && count_underway(life->families, life->count) > 0;
}

/* A process that leads, is given a few deletions, and is killed in the middle of what it does. */
static int live_and_die(struct kills *kills, struct family *families, size_t count, size_t number)
{
    struct life life = { .stage = kills->stage, .families = families, .count = count };
    size_t underway;
    int64_t ms;

    if (!leads(kills))
        return family_fail(&families[0], "does not lead before kill %zu", number + 1);
    life.until = events(kills->stage) + roll(kills, EVENTS_MAX);
    for (size_t i = number * count / kills->count; i < (number + 1) * count / kills->count; i++)
        DO(family_delete(&families[i], CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    (void)prb_test_wait(is_over, &life, LIFE_MS);
    underway = count_underway(families, count);
    printf("    kill %zu: %zu claims on their way\n", number + 1, underway);
    kills->hit += underway > 0;
    (void)program_end(&kills->program, SIGKILL, &ms);
    program_done(&kills->program);
    start(kills);
    return 0;
}

static int make_all(struct family *families, size_t count)
{
    for (size_t i = 0; i < count; i++)
        DO(family_make(&families[i], "Foreground", LEAVES_EACH, DEEP));
    for (size_t i = 0; i < count; i++) {
        DO(family_await_blocking(&families[i]));
        DO(family_await_finalizer(&families[i], CLAIM, "", PRB_CLAIM_FINALIZER));
    }
    return 0;
}

static int play(struct kills *kills, struct family *families, size_t count)
{
    struct family *bystander = &families[count];

    DO(make_all(families, count + 1));
    for (size_t i = 0; i < kills->count; i++)
        DO(live_and_die(kills, families, count, i));
    for (size_t i = 0; i < count; i++) {
        DO(family_await_end(&families[i]));
        DO(family_expect_bottom_up(&families[i]));
    }
    DO(family_expect_untouched(bystander, CLAIM, ""));
    DO(family_expect_untouched(bystander, ROOT, ""));
    DO(family_expect_untouched(bystander, SUB, "-sub"));
    return family_expect_untouched(bystander, LEAF, "-0");
}

void kills_play(struct kills *kills, char *why)
{
    size_t count = DELETIONS(kills->count);
    prb_autofree struct family *families = prb_calloc(count + 1, sizeof(*families));

    for (size_t i = 0; i <= count; i++)
        family_open(&families[i], kills->stage, why);
    start(kills);
    (void)play(kills, families, count);
}
