/* Which texts were given to a flag that takes several? */

#include "probate/cli/list.h"

#include <stdlib.h>

#include "probate/base/mem.h"

void prb_list_done(struct prb_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i]);
    free(list->items);
    list->items = NULL;
    list->count = 0;
}

void prb_list_add(struct prb_list *list, const char *text, size_t len)
{
    list->items = prb_realloc(list->items, list->count + 1, sizeof(*list->items));
    list->items[list->count++] = prb_strndup(text, len);
}
