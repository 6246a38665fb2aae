/* Which rights do all the tables ask for together? */

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/defect.h"

#include "manifest.h"

/* In the order in which people write them; bit i is the i-th. */
static const char *const known_verbs[] = { "get", "list", "watch", "create", "update", "patch",
    "delete" };
#define VERB_COUNT (sizeof(known_verbs) / sizeof(known_verbs[0]))

void prb_rights_done(struct prb_rights *rights)
{
    free(rights->items);
    *rights = (struct prb_rights){ 0 };
}

static unsigned verb_bit(const char *verb, size_t len)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strlen(known_verbs[i]) == len && memcmp(known_verbs[i], verb, len) == 0)
            return 1U << i;
    }
    prb_defect("a table of rights names a verb that no API has");
}

static unsigned verb_bits(const char *verbs)
{
    unsigned bits = 0;

    for (;;) {
        size_t len = strcspn(verbs, ",");

        bits |= verb_bit(verbs, len);
        if (verbs[len] == '\0')
            return bits;
        verbs += len + 1;
    }
}

static struct prb_manifest_right *find_or_add(
        struct prb_rights *rights, const char *group, const char *resource)
{
    for (size_t i = 0; i < rights->count; i++) {
        struct prb_manifest_right *right = &rights->items[i];

        if (prb_streq(right->group, group) && prb_streq(right->resource, resource))
            return right;
    }
    rights->items = prb_realloc(rights->items, rights->count + 1, sizeof(*rights->items));
    rights->items[rights->count] =
            (struct prb_manifest_right){ .group = group, .resource = resource };
    return &rights->items[rights->count++];
}

void prb_rights_add(struct prb_rights *rights, const struct prb_right *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        find_or_add(rights, table[i].group, table[i].resource)->verbs |= verb_bits(table[i].verbs);
}

/* By group, then by verbs, so that what is printed together stands together. */
static int compare(const void *a, const void *b)
{
    const struct prb_manifest_right *one = a, *other = b;
    int order = strcmp(one->group, other->group);

    if (order == 0 && one->verbs != other->verbs)
        order = one->verbs < other->verbs ? -1 : 1;
    return order ? order : strcmp(one->resource, other->resource);
}

static struct json_object *verb_list(unsigned verbs)
{
    struct json_object *list = json_object_new_array();

    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (verbs & (1U << i))
            prb_json_push(list, json_object_new_string(known_verbs[i]));
    }
    return list;
}

static bool belong_together(
        const struct prb_manifest_right *one, const struct prb_manifest_right *other)
{
    return prb_streq(one->group, other->group) && one->verbs == other->verbs;
}

struct json_object *prb_rights_rules(struct prb_rights *rights)
{
    struct json_object *rules = json_object_new_array();
    struct json_object *resources = NULL;

    if (rights->count > 0)
        qsort(rights->items, rights->count, sizeof(*rights->items), compare);
    for (size_t i = 0; i < rights->count; i++) {
        const struct prb_manifest_right *right = &rights->items[i];

        if (i == 0 || !belong_together(right, right - 1)) {
            struct json_object *rule = json_object_new_object();
            struct json_object *groups = json_object_new_array();

            resources = json_object_new_array();
            prb_json_push(groups, json_object_new_string(right->group));
            prb_json_set(rule, "apiGroups", groups);
            prb_json_set(rule, "resources", resources);
            prb_json_set(rule, "verbs", verb_list(right->verbs));
            prb_json_push(rules, rule);
        }
        prb_json_push(resources, json_object_new_string(right->resource));
    }
    return rules;
}
