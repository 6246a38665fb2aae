#ifndef PROBATE_CLI_LIST_H
#define PROBATE_CLI_LIST_H

/* The value of a flag that takes several: "a,b" and the flag given again. Not thread-safe. */

#include <stddef.h>

struct prb_list {
    char **items; /* owned, as each text in it */
    size_t count;
};

void prb_list_done(struct prb_list *list); /* leaves an empty list */
void prb_list_add(struct prb_list *list, const char *text, size_t len);

static inline void prb_list_donep(struct prb_list *list)
{
    prb_list_done(list);
}

#endif
