#ifndef TESTS_RECONCILERS_WORLD_OBJECTS_H
#define TESTS_RECONCILERS_WORLD_OBJECTS_H

/*
 * What is on a server in memory, past what a controller is shown of it, and what others do there.
 * Objects are named by the text of their refs. What cannot be done ends the test.
 */

#include "probate/api/api.h"

/* `api` is borrowed; there is one at a time. */
void world_objects_open(struct prb_api *api);
void world_objects_close(void);

/* What is there; NULL: nothing. The caller's. */
struct prb_object *live(const char *ref);
bool is_there(const char *ref);
bool is_going(const char *ref); /* it is being deleted */

/* The value at a pointer of what is there, printed; "": there is no such thing. Static buffer,
 * which holds until the next call but seven. */
const char *at(const char *ref, const char *pointer);

/* A text that holds as those of `at` do. */
const char *give_out(char *text_taken);

/* What others do: a merge patch, a deletion. */
void set(const char *ref, const char *subresource, const char *merge_patch);
void erase(const char *ref);

/* Nothing, unless `r` is a failure. */
void must(int r, const char *what, const struct prb_error *err);

#endif
