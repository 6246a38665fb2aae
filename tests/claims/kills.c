/* Does any deletion get lost when Probate is killed at random? */

#include "kills.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"

#include "account.h"
#include "rows.h"
#include "support/dice.h"
#include "support/wait.h"

/* Deletions for each kill: 20 for 8. */
#define DELETIONS(kills) (((kills)*20 + 7) / 8)

/* A life ends after at most so many events; a family takes some 40 to go, and a life is given two
 * or three. The last of them is held until it is over, so that every life ends in the middle. */
#define EVENTS_MAX 60

/* Who is killed keeps the lease so long; and who lives on a busy machine must not be late for it.
 */
#define LEASE "5s"

#define LEAVES_EACH 3

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

/* Those that are deleted in one life; the last is held. */
struct share {
    size_t from, to;
};

static struct share share_of(const struct kills *kills, size_t count, size_t number)
{
    return (struct share){ number * count / kills->count, (number + 1) * count / kills->count };
}

/* Is the life of this one over? */
struct life {
    struct stage *stage;
    struct family *families;
    size_t count;
    struct family *held;
    size_t until; /* events */
};

/* Where only the one that is held is left, nothing more will happen. */
static bool is_over(void *ctx)
{
    const struct life *life = ctx;

    return (count_underway(life->held, 1) == 1 &&
                   (events(life->stage) >= life->until ||
                           count_underway(life->families, life->count) == 1)) ||
           prb_test_saw("%llu events of %llu, %zu claims on their way",
                   (unsigned long long)events(life->stage), (unsigned long long)life->until,
                   count_underway(life->families, life->count));
}

static void die(struct kills *kills, const struct life *life, size_t number)
{
    int64_t ms;

    printf("    kill %zu: %zu claims on their way\n", number + 1,
            count_underway(life->families, life->count));
    (void)program_end(&kills->program, SIGKILL, &ms);
    program_done(&kills->program);
    start(kills);
}

/* A process that leads, is given a few deletions, and is killed in the middle of what it does. */
static int live_and_die(struct kills *kills, struct family *families, size_t count, size_t number)
{
    struct share share = share_of(kills, count, number);
    struct life life = {
        .stage = kills->stage, .families = families, .count = count, .held = &families[share.to - 1]
    };

    if (!leads(kills))
        return family_fail(life.held, "does not lead before kill %zu", number + 1);
    life.until = events(kills->stage) + prb_test_roll(&kills->dice, EVENTS_MAX);
    for (size_t i = share.from; i < share.to; i++)
        DO(family_delete(&families[i], CLAIM, "", PRB_PROPAGATE_BACKGROUND));
    if (!prb_test_await("the held claim is on its way, and something has happened", is_over, &life,
                PRB_TEST_SOON_MS))
        return family_fail(life.held, "before kill %zu: %s", number + 1, prb_test_awaited());
    die(kills, &life, number);
    if (count_underway(life.held, 1) != 1)
        return family_fail(life.held, "is gone before it was let go");
    return family_let_go(life.held, LEAF, "-0");
}

static int make_all(struct kills *kills, struct family *families, size_t count)
{
    for (size_t number = 0; number < kills->count; number++) {
        struct share share = share_of(kills, count, number);

        for (size_t i = share.from; i < share.to; i++)
            DO(family_make(&families[i], "Foreground", LEAVES_EACH,
                    i == share.to - 1 ? DEEP | HELD_LEAF : DEEP));
    }
    for (size_t i = 0; i < count; i++) {
        DO(family_await_blocking(&families[i]));
        DO(family_await_finalizer(&families[i], CLAIM, "", PRB_CLAIM_FINALIZER));
    }
    return 0;
}

static int play(struct kills *kills, struct family *families, size_t count)
{
    struct family *bystander = &families[count];

    DO(family_make(bystander, "Foreground", LEAVES_EACH, DEEP));
    DO(make_all(kills, families, count));
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
