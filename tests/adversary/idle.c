/* How does the player keep Probate waiting? */

#include "idle.h"

#include <stdlib.h>

#include "probate/base/mem.h"

#include "../admission/cert_files.h"
#include "../admission/https_client.h"

struct idle {
    gnutls_certificate_credentials_t trust; /* owned */
    struct https *open;                     /* owned */
    size_t count;
};

#define ANNOUNCED                                                                              \
    "POST /validate/critical-service HTTP/1.1\r\nHost: probate\r\nContent-Length: 8388608\r\n" \
    "Content-Type: application/json\r\n\r\n"

static struct idle *get(struct world *world)
{
    if (world->idle)
        return world->idle;
    world->idle = prb_calloc(1, sizeof(*world->idle));
    world->idle->trust = make_client(world->target->ca, NULL, NULL);
    return world->idle;
}

static bool open_one(struct idle *idle, uint16_t port, struct https *https)
{
    *https = (struct https){ .stream = { .session = NULL } };
    return https_open(https, port, idle->trust);
}

void idle_open(struct world *world, unsigned count, bool announcing)
{
    uint16_t port = world->target->ops->port(world->target);
    struct idle *idle = get(world);
    unsigned opened = 0;

    idle->open = prb_realloc(idle->open, idle->count + count, sizeof(*idle->open));
    for (unsigned i = 0; i < count && port; i++) {
        struct https *https = &idle->open[idle->count];

        if (!open_one(idle, port, https))
            continue;
        idle->count++;
        opened++;
        if (announcing)
            (void)https_say(https, ANNOUNCED);
    }
    world_say(world, "%u of %u connections that %s", opened, count,
            announcing ? "announce 8 MiB" : "say nothing");
}

void idle_close(struct world *world)
{
    struct idle *idle = world->idle;

    if (!idle)
        return;
    for (size_t i = 0; i < idle->count; i++)
        https_cut(&idle->open[i]);
    gnutls_certificate_free_credentials(idle->trust);
    free(idle->open);
    free(idle);
    world->idle = NULL;
}
