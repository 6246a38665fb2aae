/* What do owners of customised works do? */

#include "rows.h"

int make_customised(struct estate *estate, const char *name)
{
    return estate_make(estate, WORK, name, "'labels':{" OTHERS_LABEL "}," HELD_BY_AGENT);
}

int finish_work(struct estate *estate, const char *name)
{
    DO(estate_delete(estate, WORK, name));
    return estate_release(estate, WORK, name);
}
