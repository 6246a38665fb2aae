/* How does a list of names read? */

#include "probate/model/names.h"

bool prb_names_next(struct prb_str *text, size_t index, size_t count)
{
    if (index == PRB_NAMES_MAX) {
        prb_str_addf(text, " and %zu more", count - index);
        return false;
    }
    if (index > 0)
        prb_str_add(text, ", ");
    return true;
}

void prb_names_finalizers(struct prb_str *text, const struct prb_object *object)
{
    size_t count = prb_object_finalizer_count(object);

    if (count > 0)
        prb_str_add(text, count == 1 ? "finalizer " : "finalizers ");
    for (size_t i = 0; i < count && prb_names_next(text, i, count); i++) {
        const char *finalizer = prb_object_finalizer_at(object, i);

        prb_str_add(text, finalizer ? finalizer : "?");
    }
}
