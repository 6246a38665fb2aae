#ifndef TESTS_CONTROL_INFORMER_WORLD_H
#define TESTS_CONTROL_INFORMER_WORLD_H

/*
 * One informer on a scripted port, and a record of what it announced. Time is a fake clock's: an
 * informer that waits goes on only when the test says that time has passed.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/base/clock.h"
#include "probate/control/informer.h"

#include "script_port.h"

struct informer_world {
    struct script_port port;
    struct prb_fake_clock clock;
    struct prb_informers *set;
    struct prb_informer *informer; /* on all things, metadata only */
    int truthful;                  /* announcements that agreed with the store */
};
extern struct informer_world world;

extern const struct prb_watch_spec things; /* all of them, metadata only */

void world_init(void);
void world_done(void);

bool start(void);

/* a@1 and b@2 are there at version 5, and have been listed and watched when this returns. */
bool start_with_two(void);

/* What was announced since the last call: "+a@1 -b@2 ". */
const char *announced(void);

void advance(int64_t ms);

/* Let time pass in steps until the port has seen so much; false: it never did. However slow the
 * machine, none passes while the informer has something in hand. */
bool pass_time_until(int64_t step_ms, int lists, int watches);

struct prb_informer_state state(void);

/* Is this version of the object in the store? */
bool holds(const char *name, const char *resource_version);

#endif
