#ifndef TESTS_CONTROL_NOTES_WORLD_H
#define TESTS_CONTROL_NOTES_WORLD_H

/* A hub with a guard, what it denies, and who writes that down; on a fake clock. */

#include "probate/control/notes.h"

#include "hub_world.h"

#define GUARDS "criticalservices"
#define PATCH "patch " GUARDS
#define GET "get " GUARDS

/* The writer has all the time it wants when it is asked to end. */
#define FLUSH_MS 3600000

struct notes_world {
    struct prb_recorder *recorder;
    struct prb_notes *notes;
    struct prb_page events; /* as last read */

    bool unwritable; /* guards are, in the notes that are added */

    /* Called once, on the writer's thread, when it has read a guard and not yet written it; NULL:
     * nothing. */
    void (*_Atomic between)(void);
};
extern struct notes_world noted;

/* With the guard "guard". */
void notes_world_init(void);
void notes_world_done(void);

struct prb_ref guard_ref(const char *name);

/* With something in its status that is not ours. */
void guard_add(const char *name);
void guard_remove(const char *name);
struct prb_object *guard_find(const char *name); /* NULL: gone; the caller's */
char *guard_uid(const char *name);               /* "": gone; the caller frees */

/* One note of a guard on the Deployment ns/OBJECT. Nothing of it is there any more when this
 * returns. */
void note_add(enum prb_note_type type, const char *guard, const char *uid, const char *user,
        const char *object);

/* A denial by "guard". */
void note_deny(const char *user, const char *object);

/* The same; it must not be written. */
void note_deny_by_unwritable(const char *user, const char *object);

/* Let both writers finish, and read the Events there are; false: that failed. */
bool notes_flush(void);

/* A member of status.lastDenied; a static buffer. */
const char *last_denied(const char *guard, const char *member);

/* Denials that met this fate so far, over all tests; and wait until there are so many: then the
 * writer is done with them. */
int note_fate(const char *result);
bool note_await_fate(const char *result, int count);

void notes_pass_time(int64_t ms);

/* Let time pass until the writer has made so many calls; false: it has not. */
bool notes_pass_time_until(const char *prefix, int count);

/* Wait until the writer has made so many calls. */
#define AWAIT(prefix, count) TEST_ASSERT_CAME(fault_port_wait(&world.port, (prefix), (count)))

#endif
