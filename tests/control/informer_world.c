/* One informer on a scripted port. */

#include "informer_world.h"

#include <pthread.h>
#include <unistd.h>

#include "probate/base/log.h"
#include "probate/base/str.h"

#include "informer_internal.h"
#include "support/wait.h"

struct informer_world world;

const struct prb_watch_spec things = { .group = "", .version = "v1", .resource = "things" };

static pthread_mutex_t heard_lock = PTHREAD_MUTEX_INITIALIZER;
static struct prb_str heard;

static void on_changed(
        void *ctx, struct prb_informer *from, const struct prb_object *object, bool gone)
{
    prb_auto(prb_object_unref) struct prb_object *held = prb_store_get(
            prb_informer_store(from), prb_object_namespace(object), prb_object_name(object));

    (void)ctx;
    (void)pthread_mutex_lock(&heard_lock);
    prb_str_addf(&heard, "%c%s@%s ", gone ? '-' : '+', prb_object_name(object),
            prb_object_resource_version(object));
    world.truthful += (held == NULL) == gone ? 1 : 0;
    (void)pthread_mutex_unlock(&heard_lock);
}

const char *announced(void)
{
    static char text[512];

    (void)pthread_mutex_lock(&heard_lock);
    (void)prb_copy(text, sizeof(text), prb_str_get(&heard));
    prb_str_clear(&heard);
    (void)pthread_mutex_unlock(&heard_lock);
    return text;
}

void world_init(void)
{
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    prb_str_init(&heard, 4096);
    world.truthful = 0;
    script_port_init(&world.port);
    prb_fake_clock_init(&world.clock, 1000000);
    world.set = prb_informers_new(&world.port.api, &world.clock.clock);
    world.informer = prb_informers_add(world.set, &things, NULL);
    prb_informer_listen(world.informer, &(struct prb_informer_listener){ .changed = on_changed });
}

void world_done(void)
{
    prb_informers_free(world.set);
    script_port_done(&world.port);
    prb_str_done(&heard);
}

bool start(void)
{
    struct prb_error err;

    return prb_informers_start(world.set, &err) == 0;
}

bool start_with_two(void)
{
    script_port_hold(&world.port, "5", script_object("a", "1"), script_object("b", "2"), NULL);
    return start() && script_port_wait(&world.port, 1, 1);
}

void advance(int64_t ms)
{
    prb_fake_clock_advance(&world.clock, ms);
    prb_informers_poke(world.set);
}

bool pass_time_until(int64_t step_ms, int lists, int watches)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS,
            "%d lists and %d watches, in steps of %lld ms", lists, watches, (long long)step_ms);

    do {
        bool resting = prb_queue_resting(world.set->queue);

        if (script_port_reached(&world.port, lists, watches))
            return true;
        if (resting) /* else a step that has begun would seem to have taken so long */
            advance(step_ms);
    } while (prb_test_wait_in_time(&wait));
    return false;
}

struct prb_informer_state state(void)
{
    struct prb_informer_state now;

    prb_informer_state(world.informer, &now);
    return now;
}

bool holds(const char *name, const char *resource_version)
{
    prb_auto(prb_object_unref) struct prb_object *object =
            prb_store_get(prb_informer_store(world.informer), "ns", name);

    return object && prb_streq(prb_object_resource_version(object), resource_version);
}
