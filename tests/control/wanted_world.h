#ifndef TESTS_CONTROL_WANTED_WORLD_H
#define TESTS_CONTROL_WANTED_WORLD_H

/* That reconciler on a hub, its calls spoiled on request. Time is a fake clock's, and passes only
 * while no thread has anything to do: how fast the machine is makes no difference. */

#include <stdbool.h>

#include "probate/control/runner.h"

#include "hub_world.h"
#include "wanting.h"

extern struct prb_informers *informers;
extern struct prb_runner *runner;

void wanted_init(void);
void wanted_done(void);

/* The reconciler also reads this collection, a CRD say, by its table. Before the start. */
void wanted_also_watch(const char *group, const char *resource);

/* What is not served is absent only if no definition has it. Before the start. */
void wanted_confirms_absence(void);

/* Start informers and runner. */
bool wanted_start(void);

/* A ConfigMap that names this; it is made, or changed. */
void name_collections(const char *map, const char *wants);

/* The same, with their bodies. */
void name_whole_collections(const char *map, const char *wants);
void remove_object(
        const char *group, const char *resource, const char *namespace, const char *name);

/* A namespaced kind Widget of this group ("widgets", short name "wd"), served in these versions
 * (one, or two with a comma); made or changed. */
void define_widgets(const char *group, const char *versions);
void undefine_widgets(const char *group);

/* The definition stays, or is made, and serves nothing. */
void unserve_widgets(const char *group);
void put_widget(const char *group, const char *name);

/* One whose body names further collections. */
void put_widget_naming(const char *group, const char *name, const char *names);

/* Let time pass until that was noted for the map; false: it never was, and what it says instead is
 * on stderr. */
bool comes_to(const char *map, const char *text);

/* The same, but it has to come within so much time of the fake clock, which passes more slowly. */
bool comes_to_within(const char *map, const char *text, int64_t ms);

/* The same until so many watches are open on a resource, or calls were made. */
bool watches_come_to(const char *resource, int count);
bool calls_come_to(const char *prefix, int count);

/* Let so much time pass, in small steps, with a pause for threads in each. */
void pass(int64_t ms);

/* Until there is nothing to do but to wait. */
void await_calm(void);

/* The fake clock's time. */
int64_t passed_ms(void);

#endif
