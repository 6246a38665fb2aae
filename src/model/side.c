/* Is this on the hub or on the cluster, and what is it called there? */

#include "probate/model/side.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

/* Where the suffix begins; NULL: there is none. A suffix with nothing before it is no group. */
static const char *find_suffix(const char *group)
{
    size_t len = strlen(group), suffix = strlen(PRB_HUB_SUFFIX);

    if (len <= suffix || strcmp(group + len - suffix, PRB_HUB_SUFFIX) != 0)
        return NULL;
    return group + len - suffix;
}

bool prb_side_is_hub(const char *group)
{
    return prb_streq(group, PRB_HUB_GROUP) || find_suffix(group) != NULL;
}

void prb_side_strip(const char *group, char ret[PRB_GROUP_SIZE])
{
    const char *suffix = find_suffix(group);
    int len = suffix ? (int)(suffix - group) : 0;

    (void)snprintf(ret, PRB_GROUP_SIZE, "%.*s", len, group);
}

void prb_side_describe(const struct prb_gvr *gvr, char text[PRB_SIDE_TEXT_SIZE])
{
    bool on_hub = prb_side_is_hub(gvr->group);
    char group[PRB_GROUP_SIZE];

    if (on_hub)
        prb_side_strip(gvr->group, group);
    else
        (void)prb_copy(group, sizeof(group), gvr->group);
    (void)snprintf(text, PRB_SIDE_TEXT_SIZE, "%s%s%s%s", gvr->resource, group[0] ? "." : "", group,
            on_hub ? " on the hub" : "");
}

void prb_side_describe_group(const char *group, char text[PRB_SIDE_GROUP_TEXT_SIZE])
{
    char there[PRB_GROUP_SIZE];

    if (!prb_side_is_hub(group)) {
        (void)prb_copy(text, PRB_SIDE_GROUP_TEXT_SIZE, group);
        return;
    }
    prb_side_strip(group, there);
    (void)snprintf(
            text, PRB_SIDE_GROUP_TEXT_SIZE, "%s on the hub", there[0] != '\0' ? there : "core");
}
